//! No text causes a panic, a refusal changes nothing, and its message is one sentence that a person can act
//! on.

use std::{fmt::Display, sync::LazyLock};

use crate::common::{after, snapshot, specs, start};
use alinea_rules::{AnyGame, Board, GAMES, GameInfo, Spec, with_game};
use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
    test_runner::RngSeed,
};

/// Every game of the table in the middle: after a few random moves, and after enough to reach its last
/// phase.
static MIDDLES: LazyLock<Vec<AnyGame>> = LazyLock::new(|| {
    let middle = |spec, plies| {
        let mut rng = fastrand::Rng::with_seed(plies);
        let mut game = start(spec);
        for _ in 0..plies {
            let legal = game.legal_moves();
            let after = legal.get(rng.usize(..legal.len().max(1))).map(|m| {
                let mut next = game.clone();
                next.play(m).unwrap();
                next
            });
            game = after.filter(|next| next.outcome().is_none()).unwrap_or(game);
        }
        game
    };
    specs().flat_map(|spec| [2, 7, 20].map(|plies| middle(spec, plies))).collect()
});

/// Texts near the moves that can be written, besides those.
fn move_texts(game: &AnyGame) -> Vec<String> {
    with_game!(&game, game => game.position().conceivable_moves().iter().map(ToString::to_string).collect())
}

fn middle() -> impl Strategy<Value = AnyGame> {
    any::<Index>().prop_map(|index| MIDDLES[index.index(MIDDLES.len())].clone())
}

/// The standard games of nine cells, and the smallest form of the others that have one, with their
/// letters.
fn boards_of_nine() -> Vec<(String, Vec<char>)> {
    let nine = |info: &&GameInfo| {
        let size = info.size;
        let spec = if size.has_choice() { format!("{}:3x3x3", info.id) } else { info.id.to_owned() };
        let game = AnyGame::from(spec.parse::<Spec>().ok()?);
        let letters = info.pieces.iter().flat_map(|piece| piece.letters).collect();
        (game.view().cells.len() == 9 && !game.position().contains('[')).then_some((spec, letters))
    };
    GAMES.iter().filter_map(nine).collect()
}

const SPEC_WORDS: [&str; 14] = [":", ":", "x", "x", "x", "+", "-", "0", "3", "4", "7", "64", "65", "\n"];

const MOVE_WORDS: [&str; 26] = [
    "0", "1", "4", "7", "8", "12", "65", "65536", "r", "s", "a", "b2", "d1", "d5", "h8", "i9", "R@", "N@",
    "Q@", "K@", "@", " ", " ", "\t", "\n", "é",
];

/// Letters that turn a written position into something near to it.
const POSITION_LETTERS: &str = "xoWwRrNnBbQqKk0123456789/[] wb\u{b}é";

fn words(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    vec(select(words), 0..10).prop_map(|words| words.concat())
}

fn any_option() -> impl Strategy<Value = String> {
    let names = GAMES.iter().flat_map(|info| [info.id, info.standard]).chain(["chess", "simplexity:6x7x4"]);
    (select(names.collect::<Vec<_>>()), any::<bool>(), words(&SPEC_WORDS))
        .prop_map(|(name, has_colon, options)| name.to_owned() + if has_colon { ":" } else { "" } + &options)
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "\\PC{0,60}", vec(any::<char>(), 0..4).prop_map(String::from_iter)]
}

/// A replaced, inserted or removed letter.
type Edit = (Index, Option<char>, bool);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let letters: Vec<char> = POSITION_LETTERS.chars().collect();
    vec((any::<Index>(), proptest::option::of(select(letters)), any::<bool>()), 0..4)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (index, letter, replaces) in edits {
        let at = index.index(letters.len().max(1));
        if *replaces && at < letters.len() {
            letters.remove(at);
        }
        letters.splice(at..at, *letter);
    }
    letters.into_iter().collect()
}

fn assert_is_a_sentence(error: &impl Display) {
    let text = error.to_string();
    assert!(!text.trim().is_empty());
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    assert!(!text.contains(breaks), "{text:?}");
    assert!(text.chars().count() < 250, "{text:?}");
}

fn assert_survives_spec(text: &str) {
    match text.parse::<Spec>() {
        Ok(spec) => {
            assert_eq!(spec.to_string().parse(), Ok(spec));
            assert_eq!(AnyGame::from(spec).spec(), spec);
        }
        Err(error) => assert_is_a_sentence(&error),
    }
}

/// Returns whether the move was played.
fn assert_survives_move(game: &mut AnyGame, text: &str) -> bool {
    let before = snapshot(game);
    let played = game.play(text);
    match &played {
        Ok(()) => assert_eq!(game.moves().last().map(String::as_str), Some(text)),
        Err(error) => {
            assert_is_a_sentence(error);
            assert_eq!(snapshot(game), before, "after {text:?}");
        }
    }
    played.is_ok()
}

/// A list of moves is played up to the first that is refused.
fn assert_survives_moves(game: &AnyGame, text: &str) {
    let short_columns = game.view().cols <= 9;
    let parts = |word: &str| -> Vec<String> {
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        let turns = word.bytes().all(|b| b.is_ascii_digit() || b == b'p') && !word.starts_with('p');
        match game.spec().name() {
            "connect-four" if short_columns && digits => word.chars().map(String::from).collect(),
            "popout" if turns => {
                let spaced: String =
                    word.chars().map(|c| if c == 'p' { c.into() } else { format!(" {c}") }).collect();
                spaced.split_whitespace().map(String::from).collect()
            }
            _ => vec![word.into()],
        }
    };
    let list: Vec<_> = text.split_whitespace().flat_map(parts).collect();
    let mut list = list.iter();
    let mut one_by_one = game.clone();
    let all_played = list.all(|m| assert_survives_move(&mut one_by_one, m));

    let mut at_once = game.clone();
    let result = at_once.play_all(text);
    assert_eq!(result.is_ok(), all_played, "{text:?}");
    assert_eq!(snapshot(&at_once), snapshot(&one_by_one), "{text:?}");
}

/// An accepted position is written as one that is the same.
fn assert_survives_position(game: &AnyGame, text: &str) {
    let before = snapshot(game);
    let mut game = game.clone();
    if let Err(error) = game.set_position(text) {
        assert_is_a_sentence(&error);
        assert_eq!(snapshot(&game), before, "after {text:?}");
        return;
    }
    assert_eq!(game.moves(), [""; 0]);
    let mut again = game.clone();
    again.set_position(&game.position()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(snapshot(&again), snapshot(&game), "{text:?}");
}

fn config() -> ProptestConfig {
    // A fixed seed: a failure is caused by the change under test.
    ProptestConfig {
        cases: 4000,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Default::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_spec_is_survived(text in prop_oneof![any_text(), any_option()]) {
        assert_survives_spec(&text);
    }

    #[test]
    fn any_move_is_survived(
        game in middle(),
        text in prop_oneof![any_text(), words(&MOVE_WORDS)],
        near in any::<Index>(),
    ) {
        let texts = move_texts(&game);
        assert_survives_move(&mut game.clone(), &texts[near.index(texts.len())]);
        assert_survives_move(&mut game.clone(), &text);
        assert_survives_moves(&game, &text);
    }

    #[test]
    fn any_position_is_survived(game in middle(), text in any_text(), edits in edits()) {
        assert_survives_position(&game, &text);
        assert_survives_position(&game, &edited(&game.position(), &edits));
    }

    #[test]
    fn any_letters_on_a_board_are_survived(
        (spec, letters) in select(boards_of_nine()),
        cells in vec(proptest::option::weighted(0.7, any::<Index>()), 9),
        turn in select(vec!["w", "b"]),
    ) {
        let letter = |index: Index| letters[index.index(letters.len())];
        let cells: Vec<char> = cells.into_iter().map(|cell| cell.map_or('1', letter)).collect();
        let row = |cells: &[char]| String::from_iter(cells).replace("111", "3").replace("11", "2");
        let rows: Vec<String> = cells.chunks(3).map(row).collect();
        assert_survives_position(&start(&spec), &format!("{} {turn}", rows.join("/")));
    }
}

#[test]
fn refused_specs() {
    let (last, others) = GAMES.split_last().unwrap();
    let others: Vec<_> = others.iter().map(|info| info.id).collect();
    let games = format!("{} and {}", others.join(", "), last.id);
    for (spec, sentence) in [
        ("go", &*format!("there is no game “go”; games are {games}")),
        ("Connect-Four", &format!("there is no game “Connect-Four”; games are {games}")),
        (
            "tic-tac-toe:4x4",
            "“tic-tac-toe:4x4” is not a game of tic-tac-toe; expected tic-tac-toe, which has no options",
        ),
        ("connect-four:65x7", "a board cannot have 65 rows; expected 1 to 64"),
        ("connect-four:6x0", "a board cannot have 0 columns; expected 1 to 64"),
        ("connect-four:6x7x17", "a run of 17 is not possible; expected 3 to 16"),
        (
            "connect-four:6x7\n",
            "“connect-four:6x7\\n” is not a game of connect-four; expected connect-four[:ROWSxCOLS[xRUN]][:OPENING], such as connect-four:6x7x4",
        ),
        (
            "simplexity:6x7",
            "“simplexity:6x7” is not a game of simplexity; expected simplexity[:ROWSxCOLSxRUN[:ROUND+SQUARE]], such as simplexity:6x7x4:10+11",
        ),
        (
            "simplexity:4x5x6",
            "a run of 6 does not fit a board of 4x5; choose a shorter run or a larger board",
        ),
        ("simplexity:6x7x4:4096+1", "a player cannot have 4097 pieces; expected 1 to 4096"),
    ] {
        assert_eq!(spec.parse::<Spec>().unwrap_err().to_string(), sentence);
    }
}

#[test]
fn refused_moves() {
    let stuck = "N@a R@d N@b R@d R@c N@d R@a N@d B@b B@c B@a B@a Q@b Q@b K@c K@c";
    let placed = "Q@d Q@e R@d R@e R@d R@e B@c B@f B@c B@f N@b N@g N@b N@g K@d K@e";
    let no_chess_move = "is not a move; expected a drop such as Q@d (R, N, B, Q or K) or a move such as d1d5";
    for (spec, moves, refused, sentence) in [
        ("tic-tac-toe", "b2", "b2", "cell b2 is taken; choose an empty one"),
        ("tic-tac-toe", "", "d1", "there is no cell d1; cells are a1 to c3"),
        ("tic-tac-toe", "", "B2", "“B2” is not a move; expected a cell such as b2"),
        ("tic-tac-toe", "", "", "“” is not a move; expected a cell such as b2"),
        ("tic-tac-toe", "a1 b1 a2 b2 a3", "c3", "the game is over (first has won); no move can follow"),
        ("connect-four", "444444", "4", "column 4 is full; choose one with an empty cell"),
        ("connect-four", "", "8", "there is no column 8; columns are 1 to 7"),
        ("connect-four", "", "0", "there is no column 0; columns are 1 to 7"),
        ("connect-four", "", "44", "there is no column 44; columns are 1 to 7"),
        ("connect-four", "", "4r", "“4r” is not a move; expected a column number such as 4"),
        ("connect-four", "", "04", "“04” is not a move; expected a column number such as 4"),
        ("connect-four", "", "-1", "“-1” is not a move; expected a column number such as 4"),
        ("connect-four", "", "65536", "“65536” is not a move; expected a column number such as 4"),
        ("connect-four", "", "4\n5", "“4\\n5” is not a move; expected a column number such as 4"),
        ("connect-four", "71212121", "1", "the game is over (second has won); no move can follow"),
        ("connect-four:2x2", "1122", "1", "the game is over (a draw); no move can follow"),
        (
            "simplexity",
            "",
            "4",
            "“4” is not a move; expected a column number and r (round) or s (square), such as 4r",
        ),
        ("simplexity", "", "8r", "there is no column 8; columns are 1 to 7"),
        ("simplexity", "4r 4s 4r 4s 4r 4s", "4r", "column 4 is full; choose one with an empty cell"),
        ("simplexity:6x7x4:1+3", "1r 2r", "3r", "no round piece is left in hand; choose another piece"),
        ("simplexity:6x7x4:3+1", "1s 2s", "3s", "no square piece is left in hand; choose another piece"),
        ("simplexity:6x7x4:1+0", "1r 2r", "3s", "the game is over (a draw); no move can follow"),
        ("chess-five", "Q@d Q@d", "Q@d", "no Q is left in hand; choose another piece"),
        (
            "chess-five",
            "R@a R@a N@a N@a R@a R@a N@a N@a",
            "Q@a",
            "column a is full; choose one with an empty cell",
        ),
        ("chess-five", "Q@d", "d1d5", "there are pieces in hand; drop one, such as R@d"),
        ("chess-five", "", "q@d", &format!("“q@d” {no_chess_move}")),
        ("chess-five", "", "Q@i", &format!("“Q@i” {no_chess_move}")),
        ("chess-five", placed, "d4d9", &format!("“d4d9” {no_chess_move}")),
        ("chess-five", placed, "Q@a", "all pieces are on the board; move one, such as d1d5"),
        ("chess-five", placed, "a8a7", "cell a8 is empty; name the cell of one of your pieces first"),
        (
            "chess-five",
            placed,
            "e4e5",
            "the piece on e4 is your opponent's; name the cell of one of your pieces first",
        ),
        ("chess-five", placed, "d4e4", "cell e4 is taken; choose an empty one"),
        ("chess-five", placed, "d4d4", "cell d4 is taken; choose an empty one"),
        (
            "chess-five",
            placed,
            "d4d6",
            "the K on d4 cannot reach d6; it moves as in chess and only the knight jumps",
        ),
        ("chess-five", stuck, "a1b3", "the game is over (a draw); no move can follow"),
    ] {
        let mut game = after(spec, moves);
        let before = snapshot(&game);
        assert_eq!(game.play(refused).unwrap_err().to_string(), sentence, "{spec}, {moves}, {refused}");
        assert_eq!(snapshot(&game), before);
    }
}

#[test]
fn a_list_of_moves_is_played_up_to_the_refused_one() {
    let mut game = start("connect-four");
    let error = game.play_all("44 4494 1").unwrap_err();
    assert_eq!(error.to_string(), "there is no column 9; columns are 1 to 7");
    assert_eq!(game.moves(), ["4"; 4]);
}

#[test]
fn refused_positions() {
    let no_position = "is not a position; expected the rows from the top with / between them, a space, and w or b for the side to move";
    let ended = "no last move can have made the winning lines; one piece of the side that has just moved must complete them all";
    for (spec, position, sentence) in [
        ("tic-tac-toe", "", &*format!("“” {no_position}")),
        ("tic-tac-toe", "3/3/3", &format!("“3/3/3” {no_position}")),
        ("tic-tac-toe", "3/3/3 x", &format!("“3/3/3 x” {no_position}")),
        ("tic-tac-toe", "3/3/3 w w", &format!("“3/3/3 w w” {no_position}")),
        ("tic-tac-toe", "3/3 w", "the position must have 3 rows, not 2"),
        ("tic-tac-toe", "3/4/3 w", "row 2 of the position must have 3 columns, not 4"),
        ("tic-tac-toe", "xoxo/3/3 w", "row 3 of the position must have 3 columns, not 4"),
        (
            "tic-tac-toe",
            "99999999999999999999999/3/3 w",
            "“99999999999999999999999/3/3 w” is not a position; expected the rows from the top with / between them, a space, and w or b for the side to move",
        ),
        ("tic-tac-toe", "X2/3/3 b", "“X” is not a piece of this game; its letters are x and o"),
        (
            "tic-tac-toe",
            "x2/3/3 w",
            "with 1 against 0 pieces it cannot be first's turn; both must have the same number",
        ),
        (
            "tic-tac-toe",
            "xo1/3/3 b",
            "with 1 against 1 pieces it cannot be second's turn; the first must have one more",
        ),
        ("tic-tac-toe", "xxx/ooo/3 w", ended),
        ("tic-tac-toe", "xxx/oo1/o2 w", ended),
        ("tic-tac-toe", "3/3/3[] w", "this game has no pieces in hand; leave the brackets out"),
        (
            "connect-four:3x3x3",
            "3/x2/3 b",
            "the piece on a2 floats; pieces rest on the bottom or on another piece",
        ),
        ("connect-four:3x3x3", "3/ooo/xxx w", ended),
        ("connect-four:4x4x3", "4/o3/ooxx/xxxo b", ended),
        ("simplexity", "7/7/7/7/7/x6 b", "“x” is not a piece of this game; its letters are w, W, r and R"),
        (
            "simplexity:6x7x4:1+2",
            "7/7/7/7/7/wrw4 b",
            "there are 2 “w” on the board and in hand; the game has 1",
        ),
        (
            "simplexity",
            "7/7/7/7/w6/7 b",
            "the piece on a2 floats; pieces rest on the bottom or on another piece",
        ),
        ("simplexity", "7/7/7/7/rrrr3/wwww3 w", ended),
        (
            "chess-five",
            "8/8/8/8/8/8/8/8 w",
            "the pieces in hand are missing; write them in brackets after the board, [] if there are none",
        ),
        (
            "chess-five",
            "8/8/8/8/8/8/8/8[RRNNBBQKrrnnbbqp] w",
            "“p” is not a piece of this game; its letters are R, N, B, Q, K, r, n, b, q and k",
        ),
        (
            "chess-five",
            "8/8/8/8/8/8/8/8[RRNNBBQKrrnnbbq] w",
            "there are 0 “k” on the board and in hand; the game has 1",
        ),
        (
            "chess-five",
            "8/8/8/8/8/8/8/8[RRRNNBBQKrrnnbbqk] w",
            "there are 3 “R” on the board and in hand; the game has 2",
        ),
        (
            "chess-five",
            "8/8/8/8/8/8/Q7/8[RRNNBBKrrnnbbqk] b",
            "the piece on a2 floats; pieces rest on the bottom or on another piece",
        ),
        ("chess-five", "8/8/8/8/8/8/rrnnb3/RRNNB3[BQKbqk] w", ended),
        ("chess-five", "8/8/8/8/8/8/rrnnb3/RRNN4[] w", "first has only 4 pieces, but a line needs 5"),
    ] {
        let mut game = start(spec);
        let before = snapshot(&game);
        assert_eq!(game.set_position(position).unwrap_err().to_string(), sentence, "{spec}, {position}");
        assert_eq!(snapshot(&game), before);
    }
}
