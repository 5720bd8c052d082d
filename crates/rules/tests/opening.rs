//! The openings, against a second implementation that follows their wording, in random games of every game that has them.

use std::collections::HashMap;

use crate::common::start;
use alinea_rules::{AnyGame, GAMES, Opening, Outcome, Side, Spec, Stage, View};

/// The opening as the rules describe it: a list of stones by colour, and who has which colour.
#[derive(Clone)]
struct Naive {
    opening: Opening,
    moves: Vec<String>,
}

impl Naive {
    fn stones(&self) -> usize {
        self.moves.iter().filter(|m| !is_word(m)).count()
    }

    fn has(&self, word: &str) -> bool {
        self.moves.iter().any(|m| m == word)
    }

    /// Who acts.
    fn turn(&self) -> Side {
        let (stones, swapped) = (self.stones(), self.has("swap"));
        // Stones alternate in colour; the colour belongs to the other player after a swap.
        let by_colour = if stones.is_multiple_of(2) == swapped { Side::Second } else { Side::First };
        match self.opening {
            Opening::Swap2 if !swapped && !self.has("stay") => match (stones, self.has("add")) {
                (0..3, _) => Side::First,
                (3..5, _) => Side::Second,
                _ => Side::First,
            },
            _ => by_colour,
        }
    }

    /// The legal words, and whether the board can be played on.
    fn legal(&self) -> (&[&str], bool) {
        let is_settled = self.has("swap") || self.has("stay");
        match (self.opening, self.stones(), self.has("add")) {
            (Opening::Pie, 1, _) if !is_settled => (&["swap"], true),
            (Opening::Swap2, 3, false) if !is_settled => (&["stay", "swap", "add"], false),
            (Opening::Swap2, 5, true) if !is_settled => (&["stay", "swap"], false),
            _ => (&[], true),
        }
    }

    /// The player who owns the stone with this number, from zero.
    fn owner(&self, stone: usize) -> Side {
        if stone.is_multiple_of(2) == self.has("swap") { Side::Second } else { Side::First }
    }
}

fn is_word(m: &str) -> bool {
    ["stay", "swap", "add"].contains(&m)
}

/// Every game with every opening that it has, on its usual and some other boards.
fn specs() -> Vec<Spec> {
    let mut specs = Vec::new();
    for info in GAMES {
        for board in info.suggested.iter().chain(info.odd) {
            for id in info.openings.iter().filter(|id| **id != "free") {
                specs.extend(format!("{board}:{id}").parse::<Spec>());
            }
        }
    }
    assert!(specs.len() > 30);
    specs
}

fn owners(view: &View) -> HashMap<usize, Side> {
    let cells = view.cells.iter().enumerate();
    cells.filter_map(|(at, piece)| Some((at, piece.as_ref()?.side))).collect()
}

#[test]
fn random_games_follow_the_wording() {
    for spec in specs() {
        assert_eq!(spec.to_string().parse(), Ok(spec));
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut game = AnyGame::from(spec);
            let mut naive = Naive { opening: spec.opening(), moves: Vec::new() };
            // Where the stones are, in the order in which they came.
            let mut placed: Vec<usize> = Vec::new();
            while game.outcome().is_none() && game.moves().len() < 14 {
                let at = format!("{spec} after {:?}", naive.moves);
                let (words, may_move) = naive.legal();
                let legal = game.legal_moves();
                let (found, on_board): (Vec<&str>, Vec<&str>) =
                    legal.iter().map(String::as_str).partition(|m| is_word(m));
                assert_eq!((&found[..], !on_board.is_empty()), (words, may_move), "{at}");
                assert_eq!(game.choices().len(), on_board.len(), "{at}");
                assert_eq!(game.turn(), naive.turn(), "{at}");
                assert_eq!(usize::from(game.ply()), naive.moves.len(), "{at}");
                let view = game.view();
                assert_eq!((view.turn, view.outcome), (game.turn(), None), "{at}");
                assert_eq!(view.opening.is_some(), game.stage() != Stage::Over, "{at}");

                let m = match found[..] {
                    [] => on_board[rng.usize(..on_board.len())].to_owned(),
                    _ if may_move && rng.bool() => on_board[rng.usize(..on_board.len())].to_owned(),
                    _ => found[rng.usize(..found.len())].to_owned(),
                };
                let before = game.clone();
                game.play(&m).unwrap();
                assert_eq!(game.take_back().as_deref(), Some(&*m), "{at}");
                assert_eq!(
                    (game.view(), game.moves(), game.position(), game.stage()),
                    (before.view(), before.moves(), before.position(), before.stage())
                );
                game.play(&m).unwrap();
                naive.moves.push(m);
                assert_eq!(game.moves(), naive.moves);

                let owners = owners(&game.view());
                placed.extend(owners.keys().find(|&cell| !placed.contains(cell)).copied());
                assert_eq!(owners.len(), placed.len());
                for (number, cell) in placed.iter().enumerate() {
                    assert_eq!(owners[cell], naive.owner(number), "{at}");
                }
            }
            if let Some(Outcome::Win(winner)) = game.outcome() {
                let last = *placed.last().unwrap();
                assert_eq!(game.view().cells[last].unwrap().side, winner, "{spec} {:?}", naive.moves);
            }
            // A written position after the opening is read as the same one.
            if game.stage() == Stage::Over {
                let mut again = AnyGame::from(spec);
                again.set_position(&game.position()).unwrap();
                let (read, played) = (again.view(), game.view());
                assert_eq!(
                    (read.cells, read.turn, read.outcome),
                    (played.cells, played.turn, played.outcome)
                );
                assert_eq!(again.stage(), Stage::Over);
            }
        }
    }
}

#[test]
fn the_examples_of_the_rules() {
    let after = |spec: &str, moves: &str| {
        let mut game = start(spec);
        game.play_all(moves).unwrap();
        (game.turn(), game.position())
    };
    let board = |stones: &str| format!("15/15/15/15/15/15/{stones}/15/15/15/15/15/15/15");
    // The second player keeps the rings and moves next.
    assert_eq!(after("gomoku:swap2", "h8 i9 h9 stay").0, Side::Second);
    // It takes the discs: the first player has one stone, the second two.
    assert_eq!(after("gomoku:swap2", "h8 i9 h9 swap"), (Side::First, format!("{} w", board("7ox6/7o7"))));
    // It adds two stones, and the first player takes the rings or stays.
    assert_eq!(after("gomoku:swap2", "h8 i9 h9 add").0, Side::Second);
    assert_eq!(after("gomoku:swap2", "h8 i9 h9 add g9 g8").0, Side::First);
    assert_eq!(after("gomoku:swap2", "h8 i9 h9 add g9 g8 stay").0, Side::Second);
    assert_eq!(
        after("gomoku:swap2", "h8 i9 h9 add g9 g8 swap"),
        (Side::First, format!("{} w", board("6xox6/6oo7")))
    );
    // The pie rule: the first stone changes hands, and the first player moves.
    assert_eq!(after("connect-four:pie", "4 swap"), (Side::First, "7/7/7/7/7/3o3 w".to_owned()));
    assert_eq!(after("connect-four:pie", "4 3").0, Side::First);
    assert_eq!(after("connect-four:pie", "4 swap 3").0, Side::Second);
}

#[test]
fn a_swap_gives_the_win_to_the_player_and_not_to_the_colour() {
    let mut game = start("connect-four:pie");
    // The second player takes over the first stone and completes its line.
    game.play_all("4 swap 1 4 1 4 1 4").unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Second)));
    assert_eq!(game.view().outcome, game.outcome());
    assert_eq!(
        game.play("1").unwrap_err().to_string(),
        "the game is over (second has won); no move can follow"
    );
    assert_eq!(game.play("swap").unwrap_err().to_string(), game.play("1").unwrap_err().to_string());
}

#[test]
fn what_an_opening_does_not_offer_is_refused() {
    for (spec, moves, m, sentence) in [
        ("gomoku:swap2", "", "swap", "“swap” cannot be chosen now; it is a choice of the opening"),
        ("gomoku:swap2", "h8 i9 h9", "a1", "choose first: stay, swap or add"),
        ("gomoku:swap2", "h8 i9 h9 add a1 a2", "a3", "choose first: stay or swap"),
        (
            "gomoku:swap2",
            "h8 i9 h9 add a1 a2",
            "add",
            "“add” cannot be chosen now; it is a choice of the opening",
        ),
        (
            "gomoku:swap2",
            "h8 i9 h9 stay",
            "swap",
            "“swap” cannot be chosen now; it is a choice of the opening",
        ),
        ("gomoku:swap2", "h8", "h8", "cell h8 is taken; choose an empty one"),
        ("connect-four:pie", "4 4", "swap", "“swap” cannot be chosen now; it is a choice of the opening"),
        ("connect-four:pie", "4", "stay", "“stay” cannot be chosen now; it is a choice of the opening"),
        ("connect-four", "4", "swap", "“swap” is not a move; expected a column number such as 4"),
    ] {
        let mut game = start(spec);
        game.play_all(moves).unwrap();
        let before = game.moves();
        assert_eq!(game.play(m).unwrap_err().to_string(), sentence, "{spec} {moves}");
        assert_eq!(game.moves(), before);
    }
}

#[test]
fn specs_name_an_opening_that_fits() {
    for (spec, whole) in [
        ("gomoku:swap2", "gomoku:15x15x5:swap2"),
        ("gomoku:15x15x5:freestyle:swap2", "gomoku:15x15x5:swap2"),
        ("gomoku:19x19x5:standard:pie", "gomoku:19x19x5:standard:pie"),
        ("gomoku:free", "gomoku:15x15x5"),
        ("connect-four:pie", "connect-four:6x7x4:pie"),
        ("connect-four:8x8:pie", "connect-four:8x8x4:pie"),
    ] {
        assert_eq!(spec.parse::<Spec>().unwrap().to_string(), whole);
    }
    for (spec, sentence) in [
        ("gomoku:15x15x5:renju:swap2", "swap2 is not played by renju, whose first player is bound already"),
        ("gomoku:15x15x5:renju:pie", "pie is not played by renju, whose first player is bound already"),
        (
            "gomoku:9x9x3:swap2",
            "swap2 needs a run of 4 or more, because it begins with up to three stones of one side",
        ),
        (
            "connect-four:swap2",
            "“connect-four:6x7x4:swap2” is not a game of connect-four; expected connect-four[:ROWSxCOLS[xRUN]][:OPENING], such as connect-four:6x7x4",
        ),
        (
            "tic-tac-toe:pie",
            "“tic-tac-toe:pie” is not a game of tic-tac-toe; expected tic-tac-toe, which has no options",
        ),
    ] {
        assert_eq!(spec.parse::<Spec>().unwrap_err().to_string(), sentence);
    }
}

#[test]
fn openings_are_listed_with_the_free_one_first() {
    for info in GAMES {
        assert!(info.openings.is_empty() || info.openings[0] == "free", "{}", info.id);
    }
}
