//! Puzzles have one solution: verified on the rules by plain search, on the naive rules, and by another solver.

#[allow(dead_code, reason = "the suite of the rules uses the rest")]
#[path = "../../rules/tests/naive/mod.rs"]
mod naive;
#[path = "common/other_solver.rs"]
pub(crate) mod other_solver;

use std::collections::HashSet;

use alinea_study::puzzles::{Candidates, Goal, Puzzle, Selection, Theme, embedded, finds, rate, verify};
use naive::Naive;
use players::{Resources, Stop, roster};
use rules::Spec;

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
fn the_collection_is_large_and_without_repetitions() {
    let least = [
        ("tic-tac-toe", 32),
        ("connect-four", 1200),
        ("simplexity", 431),
        ("chess-five", 87),
        ("gomoku", 89),
    ];
    for (game, least) in least {
        let spec: Spec = game.parse().unwrap();
        let collection = embedded().iter().find(|collection| collection.spec == spec).unwrap();
        assert!(collection.puzzles.len() >= least, "{game}: {}", collection.puzzles.len());
        let mut selection = Selection::new(usize::MAX);
        let mut positions = HashSet::new();
        for puzzle in &collection.puzzles {
            assert!(selection.add(puzzle.clone()), "{game} {puzzle}");
            assert!(positions.insert(puzzle.game().position()), "{game} {puzzle}");
            assert!((600..2400).contains(&puzzle.rating), "{game} {puzzle}");
        }
    }
}

/// One puzzle in this many, of those up to a depth.
fn sample(game: &str, depth: u32, one_in: usize) -> impl Iterator<Item = &'static Puzzle> {
    let spec: Spec = game.parse().unwrap();
    let collection = embedded().iter().find(move |collection| collection.spec == spec).unwrap();
    collection.puzzles.iter().filter(move |puzzle| puzzle.depth <= depth).step_by(one_in)
}

#[test]
fn a_sample_is_verified_by_plain_search() {
    for (game, depth, one_in) in [
        ("tic-tac-toe", 9, 1),
        ("connect-four", 16, 10),
        ("simplexity", 5, 10),
        ("chess-five", 5, 40),
        ("gomoku", 3, 10),
    ] {
        for puzzle in sample(game, depth, one_in) {
            assert_eq!(verify(puzzle), Ok(()), "{game} {puzzle}");
        }
    }
}

#[test]
fn a_sample_is_verified_by_another_solver() {
    let mut solver = connect_four_ai::Solver::empty();
    for puzzle in sample("connect-four", 20, 25) {
        other_solver::check(&mut solver, puzzle);
    }
}

/// Whether a side forces a win within these plies, by the naive rules.
fn forces(position: &Naive, attacker: &str, plies: u32) -> bool {
    let after = |m: &String| {
        let mut next = position.clone();
        next.play(m);
        next
    };
    match position.outcome() {
        Some(outcome) => outcome == attacker,
        None if plies == 0 => false,
        None if position.turn() == attacker => {
            position.legal_moves().iter().any(|m| forces(&after(m), attacker, plies - 1))
        }
        None => position.legal_moves().iter().all(|m| forces(&after(m), attacker, plies - 1)),
    }
}

#[test]
fn a_sample_is_verified_on_the_naive_rules() {
    for (game, depth, one_in) in [
        ("tic-tac-toe", 5, 2),
        ("connect-four", 8, 4),
        ("simplexity", 3, 10),
        ("chess-five", 3, 25),
        ("gomoku", 1, 5),
    ] {
        for puzzle in sample(game, depth, one_in) {
            let mut position = Naive::new(&puzzle.spec.to_string());
            puzzle.moves.iter().for_each(|m| position.play(m));
            for (ply, m) in puzzle.solution.iter().enumerate() {
                let side = position.turn();
                let left = puzzle.depth - ply as u32;
                let keeps = |m: &&String| {
                    let mut after = position.clone();
                    after.play(m);
                    match puzzle.goal {
                        Goal::Win => forces(&after, side, left - 1),
                        Goal::Hold => {
                            !forces(&after, if side == "first" { "second" } else { "first" }, left - 1)
                        }
                    }
                };
                if ply % 2 == 0 {
                    let legal = position.legal_moves();
                    assert_eq!(legal.iter().filter(keeps).collect::<Vec<_>>(), [m], "{game} {puzzle}");
                }
                position.play(m);
            }
        }
    }
}

#[test]
fn themes_say_what_decides() {
    for collection in embedded() {
        for puzzle in &collection.puzzles {
            let mut game = puzzle.game();
            let solver = game.turn();
            puzzle.solution.iter().for_each(|m| game.play(m).unwrap());
            let is_won = game.outcome().and_then(rules::Outcome::winner) == Some(solver);
            for theme in &puzzle.themes {
                let holds = match theme {
                    Theme::WinInOne => is_won && puzzle.solution.len() == 1,
                    Theme::ForcedCompletion => is_won && game.turn() == solver,
                    Theme::Draw | Theme::Defence => puzzle.goal == Goal::Hold,
                    Theme::Shape => is_won && game.view().shape.is_some(),
                    Theme::Long => !is_won && puzzle.goal == Goal::Win,
                    _ => puzzle.goal == Goal::Win && puzzle.theme() != Theme::WinInOne,
                };
                assert!(holds, "{theme}: {} {puzzle}", collection.spec);
            }
        }
    }
}

#[test]
fn a_rating_repeats_and_rises_with_the_level_that_finds_the_solution() {
    let easy = read("connect-four", "1 7 1 7 1 7\t1\twin\t36\twin-in-one\t0");
    assert_eq!(rate(&easy), rate(&easy));
    let find = |level: u32, puzzle: &Puzzle| {
        let resources = Resources::new(3);
        let mut program = roster::program(&puzzle.game(), &format!("level:{level}"), &resources).unwrap();
        finds(&mut program, puzzle, &Stop::default())
    };
    assert!(find(8, &easy));
    let puzzles: Vec<_> = sample("connect-four", 24, 20).collect();
    let (solved, others): (Vec<_>, Vec<_>) = puzzles.into_iter().partition(|puzzle| find(4, puzzle));
    let mean = |puzzles: &[&Puzzle]| {
        f64::from(puzzles.iter().map(|puzzle| puzzle.rating).sum::<u32>()) / puzzles.len() as f64
    };
    assert!(mean(&solved) + 200.0 < mean(&others), "{} {}", mean(&solved), mean(&others));
}
