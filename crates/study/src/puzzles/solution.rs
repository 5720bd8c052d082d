//! Finds the puzzle in a position, if there is one: the solution, move by move.

use rules::{AnyGame, Position, with_game};

use super::{
    Goal, Puzzle, pattern,
    proof::{Judge, Method, is_won_by},
    theme,
};

/// Maximum number of the solver's moves in a defence.
const MOST_DEFENCES: usize = 3;

/// Finds the puzzle of a position, without a rating.
pub(super) fn find(judge: &mut Judge, game: &AnyGame) -> Option<Puzzle> {
    if game.outcome().is_some() || game.legal_moves().len() < 2 || repeats(game) {
        return None;
    }
    // No proof is possible before this point of the game.
    judge.depth(game, None)?;
    // A forced answer to a threat is no choice.
    if judge.wins(game, 1, 0).is_empty() && judge.holds(game, 2, 1).len() < 2 {
        return None;
    }
    let shortest = judge.shortest_win(game);
    let method = judge.method(game);
    let depth = judge.depth(game, shortest)?;
    let (goal, solution) = match shortest {
        Some(_) => (Goal::Win, win(judge, game, depth)?),
        // A defence against fours and threes alone proves little.
        None if method == Method::Threats => return None,
        None => (Goal::Hold, hold(judge, game, depth)?),
    };
    let course = judge.course(game, &solution);
    let is_exact = method == Method::Solver;
    let themes = theme::themes(game, &course, solution.len(), goal, is_exact);
    Some(Puzzle { spec: game.spec(), moves: game.moves(), solution, goal, depth, themes, rating: 0 })
}

/// Whether a position has occurred twice: a rule about repetitions could then end the solution.
fn repeats(game: &AnyGame) -> bool {
    with_game!(&game, game => {
        let mut keys: Vec<_> = game.positions().iter().map(Position::key).collect();
        keys.sort_unstable();
        game.position().draws_when_seen().is_some() && keys.windows(2).any(|pair| pair[0] == pair[1])
    })
}

fn after(game: &AnyGame, m: &str) -> AnyGame {
    let mut next = game.clone();
    next.play(m).expect("a proved move is legal");
    next
}

/// Returns the only way to win, up to the point where there is more than one.
fn win(judge: &mut Judge, game: &AnyGame, depth: u32) -> Option<Vec<String>> {
    let solver = game.turn();
    let is_exact = judge.method(game) == Method::Solver;
    let mut game = game.clone();
    let mut solution = Vec::new();
    loop {
        let left = depth - solution.len() as u32;
        let mut wins = judge.wins(&game, left, 1);
        if wins.len() != 1 {
            // After the last reply there is a choice. The win must be clear by then: at once, or proved to the end.
            let is_clear = is_exact || wins.iter().any(|win| win.plies == 1);
            solution.pop()?;
            return is_clear.then_some(solution);
        }
        let m = wins.remove(0).text;
        game = after(&game, &m);
        solution.push(m);
        if game.outcome().is_some() {
            return Some(solution);
        }
        let reply = longest_defence(judge, &game, depth - solution.len() as u32)?;
        game = after(&game, &reply);
        solution.push(reply);
        if is_won_by(&game, solver) {
            return Some(solution);
        }
    }
}

/// The reply after which the win takes longest; among equals, one that leaves a single winning move.
fn longest_defence(judge: &mut Judge, game: &AnyGame, depth: u32) -> Option<String> {
    let defences = judge.defences(game, depth);
    let most = defences.iter().map(|defence| defence.plies).max()?;
    let longest: Vec<_> = defences.into_iter().filter(|defence| defence.plies == most).collect();
    let leaves_one = |judge: &mut Judge, reply: &str| {
        let next = after(game, reply);
        next.outcome().is_some() || judge.wins(&next, depth - 1, 1).len() == 1
    };
    let place = longest.iter().position(|defence| leaves_one(judge, &defence.text)).unwrap_or(0);
    Some(longest[place].text.clone())
}

/// Returns the only way not to lose, as long as the opponent can leave only one.
fn hold(judge: &mut Judge, game: &AnyGame, depth: u32) -> Option<Vec<String>> {
    let mut game = game.clone();
    let mut solution: Vec<String> = Vec::new();
    let mut holding = judge.holds(&game, depth, 1);
    while holding.len() == 1 {
        let m = holding.remove(0);
        game = after(&game, &m);
        solution.push(m);
        let left = depth.saturating_sub(solution.len() as u32 + 1);
        if game.outcome().is_some() || solution.len() >= 2 * MOST_DEFENCES - 1 || left < 2 {
            break;
        }
        let replies = game.legal_moves();
        let testing = replies.into_iter().find_map(|reply| {
            let next = after(&game, &reply);
            if next.outcome().is_some() || next.legal_moves().len() < 2 {
                return None;
            }
            // Only as long as nothing better than holding has become possible.
            let is_testing = judge.wins(&next, left, 0).is_empty();
            let holding = if is_testing { judge.holds(&next, left, 1) } else { Vec::new() };
            (holding.len() == 1).then_some((reply, holding))
        });
        let Some((reply, next)) = testing else { break };
        game = after(&game, &reply);
        solution.push(reply);
        holding = next;
    }
    (!solution.is_empty()).then_some(solution)
}

/// The pattern that near duplicates share.
pub(super) fn pattern_of(puzzle: &Puzzle) -> pattern::Pattern {
    pattern::of(&puzzle.game(), &puzzle.solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::embedded;

    /// The maker finds the puzzles of the collection again, with solution, goal, depth and themes.
    #[test]
    fn the_puzzles_of_the_collection_are_found_again() {
        for (number, depth, one_in) in [(0, 9, 1), (1, 24, 12), (2, 7, 9), (3, 3, 20), (4, 3, 15)] {
            let puzzles = embedded()[number].puzzles.iter().filter(|puzzle| puzzle.depth <= depth);
            for puzzle in puzzles.step_by(one_in) {
                let found = find(&mut Judge::default(), &puzzle.game());
                let found = found.map(|found| Puzzle { rating: puzzle.rating, ..found });
                assert_eq!(found.as_ref(), Some(puzzle), "{}", puzzle.spec);
            }
        }
    }
}
