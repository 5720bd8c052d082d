//! How a program plays an opening such as Swap2: it places stones that leave the sides as equal as it can judge, and takes
//! the side that it judges to be better.

use fastrand::Rng;
use rules::{AnyGame, Cell, Stage, Word};

use crate::{
    Program, Proof, Proven, Reason, Resources, Stop, Thought, perfect::Prover, player::NoMove, roster,
};

/// Number of ways to place the stones, among which the most balanced one is played.
const CANDIDATES: usize = 12;
/// The stones lie at most this far from each other. If they were far apart, the side to move would have an advantage that a
/// short search does not see.
const DISTANCE: u8 = 4;
/// Judges positions for all programs, because many give no value of their own.
const JUDGE: &str = "engine:nodes=2000";
/// A won game counts more than any points.
const WIN: i64 = 1 << 40;

/// Chooses a move of the game on the board.
type ChooseOnBoard<'a> = &'a mut dyn FnMut(&AnyGame, &Stop) -> Result<Thought<String>, NoMove>;

/// Chooses the next move of an opening. `on_board` chooses a move as if the opening were over.
pub(crate) fn choose(
    game: &AnyGame,
    seed: u64,
    stop: &Stop,
    on_board: ChooseOnBoard,
) -> Result<Thought<String>, NoMove> {
    match game.stage() {
        Stage::Place { left, .. } => place(game, left, seed, stop),
        Stage::Choose { side, may_move, .. } => {
            let thought = on_board(game, stop)?;
            let value = match known(game, stop).or_else(|| value(&thought)) {
                Some(value) => value,
                None => value(&judge(game, seed)?.on_board(game, stop)?).unwrap_or(0),
            };
            // The player whose stone comes next may be the one who chooses, or the opponent.
            let for_chooser = if game.turn_on_board() == side { value } else { -value };
            // To add two stones and leave the choice to the opponent is never better than the better side.
            Ok(match (for_chooser < 0, may_move) {
                (true, _) => word(Word::Swap, &thought),
                (false, true) => thought,
                (false, false) => word(Word::Stay, &thought),
            })
        }
        _ => on_board(game, stop),
    }
}

fn word(word: Word, judged: &Thought<String>) -> Thought<String> {
    let chosen = word.text().to_owned();
    let candidates = vec![chosen.clone()];
    let line = vec![chosen.clone()];
    let (nodes, depth) = (judged.nodes, judged.depth);
    Thought { chosen, candidates, score: None, line, reasons: Vec::new(), nodes, depth }
}

/// Judges some ways to place the stones, and plays the first stone of the one in which the sides are most nearly equal.
fn place(game: &AnyGame, left: u8, seed: u64, stop: &Stop) -> Result<Thought<String>, NoMove> {
    let mut rng = Rng::with_seed(seed ^ u64::from(game.ply()));
    let mut judge = judge(game, seed)?;
    let moves = near(game);
    // The last stone is tried on every cell, if there are few.
    let all = (left == 1 && moves.len() <= CANDIDATES).then_some(moves);
    let count = all.as_ref().map_or(CANDIDATES, Vec::len);
    let mut best: Option<(u64, Vec<String>)> = None;
    let mut nodes = 0;
    for number in 0..count {
        let (mut placed, mut line) = (game.clone(), Vec::new());
        while line.len() < usize::from(left) {
            let m = match &all {
                Some(moves) => moves[number].clone(),
                None => match rng.choice(near(&placed)) {
                    Some(m) => m,
                    None => break,
                },
            };
            if placed.play(&m).is_err() {
                break;
            }
            line.push(m);
        }
        let value = match known(&placed, stop) {
            Some(value) => value,
            None => {
                let Ok(thought) = judge.on_board(&placed, stop) else {
                    // It was stopped: any stones are better than none.
                    best = best.or(Some((0, line)));
                    break;
                };
                nodes += thought.nodes;
                value(&thought).unwrap_or(0)
            }
        };
        let advantage = value.unsigned_abs();
        if best.as_ref().is_none_or(|(least, _)| advantage < *least) {
            best = Some((advantage, line));
        }
    }
    let line = best.map_or_else(Vec::new, |(_, line)| line);
    let chosen = line.first().cloned().ok_or_else(|| NoMove::Failed("no stone can be placed".to_owned()))?;
    let candidates = vec![chosen.clone()];
    Ok(Thought { chosen, candidates, score: None, line, reasons: Vec::new(), nodes, depth: None })
}

fn judge(game: &AnyGame, seed: u64) -> Result<Program, NoMove> {
    roster::program(game, JUDGE, &Resources::new(seed)).map_err(|error| NoMove::Failed(error.to_string()))
}

/// The value for the side to move on the board, where it can be proved at once.
fn known(game: &AnyGame, stop: &Stop) -> Option<i64> {
    let mut prover = Prover::new(Resources::new(0).book);
    let proven = prover.is_quick(game).then(|| prover.result(game, &|| stop.is_cancelled()))??;
    Some(value_of(&proven))
}

/// The legal moves, on boards whose moves name cells only those near all stones.
fn near(game: &AnyGame) -> Vec<String> {
    let moves = game.legal_moves();
    let view = game.view();
    let cells = (0..view.rows).flat_map(|row| (0..view.cols).map(move |column| Cell::new(column, row)));
    let stones: Vec<Cell> = cells.filter(|&cell| view.piece(cell).is_some()).collect();
    let is_near = |m: &&String| {
        let Ok(to) = m.parse::<Cell>() else { return true };
        let far = |at: &Cell| at.column.abs_diff(to.column).max(at.row.abs_diff(to.row));
        stones.iter().all(|at| far(at) <= DISTANCE)
    };
    let near: Vec<String> = moves.iter().filter(is_near).cloned().collect();
    if near.is_empty() { moves } else { near }
}

/// The value of a position for the side to move on the board; `None` if the player gave none. A quick win counts more than
/// a slow one.
fn value(thought: &Thought<String>) -> Option<i64> {
    let proven = thought.reasons.iter().find_map(|reason| match reason {
        Reason::Proven(proven) => Some(proven),
        _ => None,
    });
    match proven {
        Some(proven) => Some(value_of(proven)),
        None => thought.score.map(|score| score.clamp(-WIN / 2, WIN / 2)),
    }
}

fn value_of(proven: &Proven) -> i64 {
    match proven.result {
        Proof::Win => WIN - i64::from(proven.plies),
        Proof::Draw => 0,
        Proof::Loss => i64::from(proven.plies) - WIN,
    }
}

#[cfg(test)]
mod tests {
    use rules::Spec;

    use super::*;

    fn game(spec: &str, moves: &str) -> AnyGame {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        game
    }

    fn chosen(player: &str, spec: &str, moves: &str, seed: u64) -> String {
        let game = game(spec, moves);
        let mut program = roster::program(&game, player, &Resources::new(seed)).unwrap();
        program.choose(&game, &Stop::default()).unwrap().chosen
    }

    #[test]
    fn the_better_side_is_chosen() {
        // The first side threatens to make an open four, or has only stones at the edge.
        for player in ["engine:nodes=300", "random", "level:1"] {
            let choose = |moves| chosen(player, "gomoku:swap2", moves, 1);
            assert_eq!(choose("h8 a1 h9"), "swap", "{player}");
            assert_eq!(choose("a1 h8 o1"), "stay", "{player}");
            // After two more stones, the first player has the discs and keeps them if they are better.
            assert_eq!(choose("h8 a1 i9 add o15 j10"), "stay", "{player}");
            assert_eq!(choose("a1 h8 o1 add h9 a15"), "swap", "{player}");
        }
    }

    #[test]
    fn the_pie_rule_takes_a_first_move_that_wins_and_no_other() {
        for player in ["engine:nodes=2000", "perfect", "greedy"] {
            assert_eq!(chosen(player, "connect-four:pie", "4", 1), "swap", "{player}");
            let reply = chosen(player, "connect-four:pie", "1", 1);
            assert!(reply.parse::<u8>().is_ok(), "{player}: {reply}");
        }
    }

    #[test]
    fn a_proposal_is_balanced_and_the_seed_decides_it() {
        let proposed = |seed| {
            let mut game = game("gomoku:swap2", "");
            let mut engine = roster::program(&game, "engine:nodes=300", &Resources::new(seed)).unwrap();
            while matches!(game.stage(), Stage::Place { .. }) {
                let thought = engine.choose(&game, &Stop::default()).unwrap();
                assert_eq!(thought.line[0], thought.chosen);
                game.play(&thought.chosen).unwrap();
            }
            assert_eq!(game.moves().len(), 3);
            game
        };
        assert_eq!(proposed(1).moves(), proposed(1).moves());
        assert!((2..5).any(|seed| proposed(seed).moves() != proposed(1).moves()));
        let mut judge = roster::program(&proposed(1), "engine:nodes=20000", &Resources::new(1)).unwrap();
        for seed in 1..4 {
            let thought = judge.on_board(&proposed(seed), &Stop::default()).unwrap();
            assert!(value(&thought).unwrap().abs() < 300, "{thought:?}");
        }
        // The first move of a game with the pie rule is not the one that wins.
        assert_ne!(chosen("engine:nodes=300", "connect-four:pie", "", 1), "4");
    }

    #[test]
    fn whole_games_with_openings_are_played_to_the_end() {
        for (spec, players) in [
            ("connect-four:pie", ["engine:nodes=200", "greedy"]),
            ("gomoku:9x9x5:swap2", ["level:2", "random"]),
            ("gomoku:7x7x4:standard:pie", ["engine:nodes=200", "level:1"]),
        ] {
            for seed in 0..4 {
                let mut game = game(spec, "");
                let mut players =
                    players.map(|player| roster::program(&game, player, &Resources::new(seed)).unwrap());
                while game.outcome().is_none() {
                    let thought = players[game.turn().index()].choose(&game, &Stop::default()).unwrap();
                    assert!(game.legal_moves().contains(&thought.chosen), "{spec}: {thought:?}");
                    game.play(&thought.chosen).unwrap();
                }
            }
        }
    }

    #[test]
    fn reasons_name_the_players_after_a_swap() {
        // The second player has taken over three discs in a column and completes them.
        let game = game("connect-four:pie", "4 swap 1 4 1 4 1");
        let sides = |game: &AnyGame| {
            let mut engine = roster::program(game, "engine:nodes=2000", &Resources::new(1)).unwrap();
            let thought = engine.choose(game, &Stop::default()).unwrap();
            assert_eq!(thought.chosen, "4");
            format!("{:?}", thought.reasons)
        };
        let plain = game_of("connect-four", "4 1 4 1 4 1");
        let swapped = |text: String| {
            text.replace("side: First", "side: X")
                .replace("side: Second", "side: First")
                .replace("side: X", "side: Second")
        };
        assert_eq!(sides(&game), swapped(sides(&plain)));
    }

    fn game_of(spec: &str, moves: &str) -> AnyGame {
        game(spec, moves)
    }
}
