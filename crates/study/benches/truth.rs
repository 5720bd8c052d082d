//! Counts contradictions: assessments of positions of every ply of standard Connect Four against the solver, and
//! reviews of games between levels. `cargo bench -p alinea-study -- [POSITIONS] [GAMES]`; 2,000 and 200 by default.

use std::time::{Duration, Instant};

use alinea_study::{
    assessment::{Assessor, Limits},
    review::{Mark, review},
};
use players::{Proof, Reason, Stop, roster, system};
use rules::{AnyGame, Spec};
use solver::{Book, Solver};

/// Plies of the board.
const PLIES: usize = 42;

fn start() -> AnyGame {
    AnyGame::from("connect-four".parse::<Spec>().expect("it is a game"))
}

/// A game in progress after this many random moves.
fn random_game(rng: &mut fastrand::Rng, plies: usize) -> AnyGame {
    loop {
        let mut game = start();
        while game.outcome().is_none() && game.moves().len() < plies {
            let legal = game.legal_moves();
            game.play(&legal[rng.usize(..legal.len())]).expect("it is legal");
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// The exact score of each move by the solver.
fn scores(solver: &mut Solver, game: &AnyGame) -> Vec<(String, i32)> {
    let position = solver::solvable(game).expect("the board can be solved");
    let solved = solver.analyse(&position, &|| false).expect("the run is four");
    let exact = |(column, bounds): (rules::Column, solver::Bounds)| {
        (column.to_string(), bounds.exact().expect("it was not stopped"))
    };
    solved.moves.into_iter().map(exact).collect()
}

fn result(score: i32) -> Proof {
    match score {
        0 => Proof::Draw,
        1.. => Proof::Win,
        _ => Proof::Loss,
    }
}

/// How many statements about a position contradict the solver, and how long the assessment took.
fn contradictions(assessor: &mut Assessor, solver: &mut Solver, game: &AnyGame) -> (usize, Duration) {
    let begin = Instant::now();
    let assessment = assessor.assess(game, &Limits::default(), &Stop::default(), &mut |_| {});
    let time = begin.elapsed();
    let scores = scores(solver, game);
    let score_of = |text: &str| scores.iter().find(|(m, _)| m == text).map(|&(_, score)| score);
    let told: Vec<_> = assessment.moves.iter().filter_map(|assessed| score_of(&assessed.text)).collect();
    let best = scores.iter().map(|&(_, score)| score).max();
    let is_exact = assessment.moves.iter().all(|assessed| {
        assessed.verdict.proven().map(|proven| proven.result) == score_of(&assessed.text).map(result)
    });
    let explained = assessment
        .reasons(game)
        .iter()
        .any(|reason| matches!(reason, Reason::Proven(proven) if Some(proven.result) == best.map(result)));
    let wrong = [
        told.len() != scores.len(),
        told.first().copied() != best,
        !told.is_sorted_by(|a, b| a >= b),
        !is_exact,
        !explained,
    ];
    (wrong.into_iter().filter(|&wrong| wrong).count(), time)
}

/// A game of a level against the next.
fn level_game(seed: u64) -> AnyGame {
    let mut game = start();
    let program = |game: &AnyGame, offset: u64| {
        let name = format!("level:{}", 1 + (seed + offset) % 8);
        roster::program(game, &name, &system::resources(seed * 2 + offset)).expect("levels 1 to 8 exist")
    };
    let mut programs = [program(&game, 0), program(&game, 1)];
    while game.outcome().is_none() {
        let side = game.turn().index();
        let thought = programs[side].choose(&game, &Stop::default()).expect("it is not stopped");
        game.play(&thought.chosen).expect("programs play legal moves");
    }
    game
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse::<usize>().ok());
    let (positions, games) = (numbers.next().unwrap_or(2_000), numbers.next().unwrap_or(200));
    let resources = system::resources(0);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut solver = Solver::default().with_book(Book::embedded());

    let (mut wrong, mut times) = (0, Vec::new());
    for i in 0..positions {
        let game = random_game(&mut rng, i % PLIES);
        let (found, time) = contradictions(&mut Assessor::new(&resources), &mut solver, &game);
        if found > 0 {
            println!("contradiction after {}", game.moves().join(" "));
        }
        wrong += found;
        times.push(time);
    }
    times.sort();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    println!(
        "{positions} positions of every ply: {wrong} contradictions; an assessment takes {:?} (median), {:?} (p99), {:?} (slowest)",
        at(0.5),
        at(0.99),
        times.last().copied().unwrap_or_default()
    );

    let (mut moves, mut wrong, mut slowest) = (0, 0, Duration::ZERO);
    for seed in 0..games as u64 {
        let game = level_game(seed);
        let begin = Instant::now();
        let reviewed = review(&game, &Limits::default(), &resources, &Stop::default(), &mut |_| {});
        slowest = slowest.max(begin.elapsed());
        let mut now = start();
        for reviewed in reviewed {
            let scores = scores(&mut solver, &now);
            let best = scores.iter().map(|&(_, score)| result(score) as i32).min();
            let played =
                scores.iter().find(|(m, _)| *m == reviewed.played.text).map(|&(_, score)| result(score));
            let expected = match (best, played) {
                (best, Some(played)) if best == Some(played as i32) => None,
                (Some(best), _) if best == Proof::Win as i32 => Some(Mark::ThrowsWin),
                _ => Some(Mark::ThrowsDraw),
            };
            if reviewed.mark != expected {
                println!(
                    "move {} of {} is marked {:?}",
                    reviewed.number,
                    game.moves().join(" "),
                    reviewed.mark
                );
                wrong += 1;
            }
            moves += 1;
            now.play(&reviewed.played.text).expect("it was played");
        }
    }
    println!(
        "{games} games of levels, {moves} moves: {wrong} wrong marks; the slowest review takes {slowest:?}"
    );
}
