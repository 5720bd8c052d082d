//! One truth: assessments, reasons and reviews agree with the solver, and with plain minimax where that can finish.

use std::collections::HashMap;

use crate::common::{game, random_games};
use alinea_study::{
    assessment::{Assessment, Limits, assess},
    review::{Mark, review},
};
use players::{Proof, Proven, Reason, Stop, system};
use rules::{AnyGame, Outcome};
use solver::{Book, Solver};

fn look(game: &AnyGame) -> Assessment {
    assess(game, &Limits::default(), &system::resources(0), &Stop::default(), &mut |_| {})
}

/// The value of a position by plain minimax over all moves, for the side to move.
#[derive(Default)]
struct Minimax {
    known: HashMap<String, Proven>,
}

impl Minimax {
    fn of(&mut self, game: &AnyGame) -> Proven {
        if let Some(&known) = self.known.get(&game.position()) {
            return known;
        }
        let proven = match game.outcome() {
            Some(Outcome::Draw) => Proven { result: Proof::Draw, plies: 0 },
            Some(Outcome::Win(side)) if side == game.turn() => Proven { result: Proof::Win, plies: 0 },
            Some(Outcome::Win(_)) => Proven { result: Proof::Loss, plies: 0 },
            None => {
                let moves: Vec<_> = game.legal_moves().iter().map(|m| self.of_move(game, m)).collect();
                moves.into_iter().max_by_key(|&proven| worth(proven)).unwrap()
            }
        };
        self.known.insert(game.position(), proven);
        proven
    }

    /// The same of a move, for the side that plays it.
    fn of_move(&mut self, game: &AnyGame, m: &str) -> Proven {
        let mut after = game.clone();
        after.play(m).unwrap();
        let Proven { result, plies } = self.of(&after);
        let result = match result {
            Proof::Win => Proof::Loss,
            Proof::Draw => Proof::Draw,
            Proof::Loss => Proof::Win,
        };
        Proven { result, plies: plies + 1 }
    }
}

fn worth(Proven { result, plies }: Proven) -> i32 {
    match result {
        Proof::Win => 1000 - plies as i32,
        Proof::Draw => 0,
        Proof::Loss => plies as i32 - 1000,
    }
}

/// An assessment names every move with the result that is expected of it, best first, and explains the first.
fn check(game: &AnyGame, mut expected: impl FnMut(&str) -> Proven) {
    let assessment = look(game);
    assert!(assessment.is_final, "{}", game.position());
    assert_eq!(assessment.moves.len(), game.legal_moves().len());
    for assessed in &assessment.moves {
        let (proven, expected) = (assessed.verdict.proven().unwrap(), expected(&assessed.text));
        assert_eq!(worth(proven), worth(expected), "{} {}: {assessed:?}", game.spec(), game.position());
        assert_eq!(assessed.line[0], assessed.text);
    }
    let best = &assessment.moves[0];
    let results: Vec<_> = assessment.moves.iter().filter_map(|assessed| assessed.verdict.proven()).collect();
    assert!(results.is_sorted_by_key(|&proven| -worth(proven)), "{}", game.position());
    let told = assessment.reasons(game).into_iter().find_map(|reason| match reason {
        Reason::Proven(proven) => Some(proven),
        _ => None,
    });
    assert_eq!(told, best.verdict.proven(), "{}", game.position());
}

#[test]
fn all_positions_of_tic_tac_toe_are_assessed_as_by_minimax() {
    let mut minimax = Minimax::default();
    let start = game("tic-tac-toe", "");
    minimax.of(&start);
    let mut positions = HashMap::from([(start.position(), start)]);
    let mut next: Vec<_> = positions.values().cloned().collect();
    while let Some(game) = next.pop() {
        for m in game.legal_moves() {
            let mut after = game.clone();
            after.play(&m).unwrap();
            if after.outcome().is_none() && positions.insert(after.position(), after.clone()).is_none() {
                next.push(after);
            }
        }
    }
    assert_eq!(positions.len(), 4520);
    for game in positions.values() {
        check(game, |m| minimax.of_move(game, m));
    }
}

#[test]
fn small_boards_of_connect_four_are_assessed_as_by_minimax() {
    let mut minimax = Minimax::default();
    for spec in ["connect-four:4x4", "connect-four:4x5", "connect-four:5x4"] {
        for game in random_games(spec, 8, 60).iter().filter(|game| game.moves().len() > 7) {
            check(game, |m| minimax.of_move(game, m));
        }
        minimax.known.clear();
    }
}

/// If a search finishes, its proven results equal minimax, and its first move is never worse than the best.
#[test]
fn endings_of_other_games_are_assessed_as_by_minimax() {
    for (spec, least) in
        [("simplexity:4x4x3", 6), ("simplexity:4x4x4", 8), ("gomoku:4x4x3", 8), ("connect-four:4x4x3", 6)]
    {
        let mut minimax = Minimax::default();
        let mut endings = 0;
        for game in random_games(spec, 9, 150).iter().filter(|game| game.moves().len() >= least) {
            let limits = Limits { lines: usize::MAX, depth: Some(12), ..Limits::default() };
            let assessment = assess(game, &limits, &system::resources(0), &Stop::default(), &mut |_| {});
            for assessed in &assessment.moves {
                let expected = minimax.of_move(game, &assessed.text);
                let proven = assessed.verdict.proven();
                assert_eq!(
                    proven.map(|proven| proven.result),
                    Some(expected.result),
                    "{spec} {} {assessed:?} {expected:?}",
                    game.position()
                );
            }
            endings += 1;
        }
        assert!(endings > 9, "{spec}: {endings}");
    }
}

/// Standard Connect Four against the solver, where it answers at once; the benchmark takes all plies.
#[test]
fn standard_connect_four_is_exact() {
    let mut solver = Solver::default().with_book(Book::embedded());
    for game in random_games("connect-four", 10, 150) {
        let plies = game.moves().len();
        if plies > 3 && plies < 18 {
            continue;
        }
        let position = solver::solvable(&game).unwrap();
        let solved = solver.analyse(&position, &|| false).unwrap();
        check(&game, |m| {
            let (_, bounds) = solved.moves.iter().find(|(column, _)| column.to_string() == m).unwrap();
            let score = bounds.exact().unwrap();
            let result = match score.signum() {
                1 => Proof::Win,
                0 => Proof::Draw,
                _ => Proof::Loss,
            };
            Proven { result, plies: solver::plies_left(&position, score).into() }
        });
    }
}

/// In games of levels, a move is marked exactly when the solver says that it changed the result.
#[test]
fn reviews_of_games_agree_with_the_solver() {
    let mut solver = Solver::default().with_book(Book::embedded());
    for (seed, level) in [(1, 2), (2, 5), (3, 8)] {
        // From a position in which the solver answers at once.
        let start = game("connect-four", "4444 4355 5267 1136 27").position();
        let mut game = game("connect-four", "");
        game.set_position(&start).unwrap();
        let mut program =
            players::roster::program(&game, &format!("level:{level}"), &system::resources(seed)).unwrap();
        while game.outcome().is_none() {
            let chosen = program.choose(&game, &Stop::default()).unwrap().chosen;
            game.play(&chosen).unwrap();
        }
        let mut now = crate::common::game("connect-four", "");
        now.set_position(&start).unwrap();
        for reviewed in
            review(&game, &Limits::default(), &system::resources(0), &Stop::default(), &mut |_| {})
        {
            let position = solver::solvable(&now).unwrap();
            let solved = solver.analyse(&position, &|| false).unwrap();
            let of = |text: &str| {
                let (_, bounds) = solved.moves.iter().find(|(column, _)| column.to_string() == text).unwrap();
                bounds.exact().unwrap().signum()
            };
            let (best, played) = (solved.bounds.exact().unwrap().signum(), of(&reviewed.played.text));
            let expected = match best {
                _ if played == best => None,
                1 => Some(Mark::ThrowsWin),
                _ => Some(Mark::ThrowsDraw),
            };
            assert_eq!(reviewed.mark, expected, "move {} of {:?}", reviewed.number, game.moves());
            now.play(&reviewed.played.text).unwrap();
        }
    }
}
