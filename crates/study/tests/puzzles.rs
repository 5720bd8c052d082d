//! Puzzles have one solution, are the same for the same seed, and do not repeat each other.

use alinea_study::puzzles::{Candidates, Puzzle, Selection, rate, verify};
use players::Stop;

fn found(game: &str, numbers: std::ops::Range<u64>) -> Vec<Puzzle> {
    let candidates = Candidates::new(game.parse().unwrap(), 7);
    numbers.flat_map(|number| candidates.find(number, &Stop::default())).collect()
}

fn read(game: &str, line: &str) -> Puzzle {
    Puzzle::read(game.parse().unwrap(), line).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_puzzles_and_they_are_sound() {
    for (game, games) in [
        ("tic-tac-toe", 6),
        ("connect-four", 6),
        ("connect-four:5x5", 4),
        ("simplexity", 8),
        ("gomoku:9x9x5", 2),
    ] {
        let puzzles = found(game, 0..games);
        assert!(!puzzles.is_empty(), "{game}");
        assert_eq!(puzzles, found(game, 0..games), "{game}");
        for puzzle in puzzles {
            assert_eq!(verify(&puzzle), Ok(()), "{game} {puzzle}");
        }
    }
}

#[test]
fn a_near_duplicate_is_left_out() {
    let puzzle = read("connect-four", "1 7 1 7 1 7\t1\twin\t36\twin-in-one\t600");
    let mirrored = read("connect-four", "7 1 7 1 7 1\t7\twin\t36\twin-in-one\t600");
    // Another stone that plays no part.
    let more = read("connect-four", "1 7 1 7 1 6\t1\twin\t36\twin-in-one\t600");
    let mut selection = Selection::new(30);
    assert!(selection.add(puzzle.clone()));
    assert!(![puzzle, mirrored, more].into_iter().any(|puzzle| selection.add(puzzle)));
    let turned = [
        "a1 i9 b1 h9 c1 g9 d1 f8\te1\twin\t1\twin-in-one\t600",
        "a1 i9 a2 h9 a3 g9 a4 f8\ta5\twin\t1\twin-in-one\t600",
        "c1 i9 d1 h9 e1 g9 f1 a8\tg1\twin\t1\twin-in-one\t600",
    ];
    let mut selection = Selection::new(30);
    let added: Vec<_> = turned.iter().map(|line| selection.add(read("gomoku", line))).collect();
    // On fifteen rows there is room to move the pattern.
    assert_eq!(added, [true, false, false]);
}

#[test]
fn flaws_are_found() {
    let sound = "c2 a1\tc1 c3 b2 a3 a2\twin\t7\tdouble-threat\t1644";
    assert_eq!(verify(&read("tic-tac-toe", sound)), Ok(()));
    // Another first move, a later move, and a win that is a loss.
    for (line, ply) in [
        ("c2 a1\tb2\twin\t7\tdouble-threat\t1644", 0),
        ("c2 a1\tc1 c3 a3\twin\t7\tdouble-threat\t1644", 2),
        ("b2 a1\tc1\thold\t7\tdraw\t1644", 0),
    ] {
        let flaw = verify(&read("tic-tac-toe", line)).unwrap_err();
        assert_eq!(flaw.ply, ply, "{line}: {flaw}");
        assert!(flaw.to_string().contains("keeps the result; expected"), "{flaw}");
    }
}

#[test]
fn a_rating_repeats() {
    let easy = read("connect-four", "1 7 1 7 1 7\t1\twin\t36\twin-in-one\t0");
    assert_eq!(rate(&easy), rate(&easy));
    assert!((600..2400).contains(&rate(&easy)));
}
