//! Fits the weights of the engine's evaluation to games that it plays against itself.
//!
//! `cargo run --release -p alinea-players --example tune -- GAME [GAMES] [NODES]`
//!
//! Each game begins with random moves and continues with NODES nodes per move. For each move, the position at
//! the end of the principal variation is recorded with the result of the game. Logistic regression then finds
//! the weights that predict the results best: 100 points are odds of e to 1. Copy the printed weights into
//! the evaluator of the game and measure its strength with `alinea match`. Equal arguments give equal
//! weights.

use std::env;

use alinea_players::{Reason, Stop, Term, engine, roster, system};
use fastrand::Rng;
use rules::{AnyGame, Outcome, Side, Spec};

/// Points for odds of e to 1.
const POINTS: f64 = 100.0;
/// The regularisation that pulls weights with little evidence to zero.
const RIDGE: f64 = 2.0;

/// A position with its result for the side to move: 1 won, ½ drawn, 0 lost.
struct Sample {
    terms: Vec<Term>,
    result: f64,
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let number = |i: usize, default: u64| args.get(i).map_or(Some(default), |text| text.parse().ok());
    let spec = args.first().and_then(|text| text.parse::<Spec>().ok());
    let (Some(spec), Some(games), Some(nodes)) = (spec, number(1, 3000), number(2, 2000)) else {
        eprintln!("usage: tune GAME [GAMES] [NODES]; for example: tune simplexity 3000 2000");
        std::process::exit(2);
    };
    // The two phases of ChessFive have separate weights.
    let mut samples = [Vec::new(), Vec::new()];
    play(spec, games, &format!("engine:nodes={nodes}"), &mut samples);
    for samples in samples.iter().filter(|samples| !samples.is_empty()) {
        let before: Vec<f64> = samples[0].terms.iter().map(|term| term.weight as f64 / POINTS).collect();
        let mut fitted = fit(samples, before.len());
        // Terms that never occurred keep their weight.
        for (i, weight) in fitted.iter_mut().enumerate() {
            if samples.iter().all(|sample| sample.terms[i].count == 0) {
                *weight = before[i];
            }
        }
        println!(
            "// {} positions of {games} games with {nodes} nodes a move: log loss {:.4} before, {:.4} now",
            samples.len(),
            loss(samples, &before),
            loss(samples, &fitted)
        );
        for (term, weight) in samples[0].terms.iter().zip(fitted) {
            println!("    (\"{}\", {}),", term.name, (weight * POINTS).round());
        }
    }
}

fn play(spec: Spec, games: u64, player: &str, samples: &mut [Vec<Sample>; 2]) {
    let mut rng = Rng::with_seed(1);
    let mut engine =
        roster::program(&spec.into(), player, &system::resources(1)).expect("the engine plays every game");
    for _ in 0..games {
        let mut game = AnyGame::from(spec);
        for _ in 0..rng.usize(2..=10) {
            if let Some(m) = rng.choice(game.legal_moves()) {
                game.play(&m).expect("a legal move");
            }
        }
        let mut seen: Vec<(Vec<Term>, Side, usize)> = Vec::new();
        while game.outcome().is_none() {
            let thought = engine.choose(&game, &Stop::default()).expect("not stopped");
            let is_proved = thought.reasons.iter().any(|reason| matches!(reason, Reason::Proven { .. }));
            let mut expected = game.clone();
            expected.play_all(&thought.line.join(" ")).expect("a line of legal moves");
            if !is_proved && expected.outcome().is_none() {
                let moves = spec.name() == "chess-five" && expected.ply() >= 16;
                seen.push((engine::terms(&expected), expected.turn(), usize::from(moves)));
            }
            game.play(&thought.chosen).expect("a legal move");
        }
        for (terms, turn, phase) in seen {
            let result = match game.outcome() {
                Some(Outcome::Win(winner)) => f64::from(u8::from(winner == turn)),
                _ => 0.5,
            };
            samples[phase].push(Sample { terms, result });
        }
    }
}

fn chance(sample: &Sample, weights: &[f64]) -> f64 {
    let points: f64 = sample.terms.iter().zip(weights).map(|(term, weight)| term.count as f64 * weight).sum();
    1.0 / (1.0 + (-points).exp())
}

/// The log loss of the results under these weights, averaged over all positions.
fn loss(samples: &[Sample], weights: &[f64]) -> f64 {
    let of = |sample: &Sample| {
        let p = chance(sample, weights).clamp(1e-9, 1.0 - 1e-9);
        -(sample.result * p.ln() + (1.0 - sample.result) * (1.0 - p).ln())
    };
    samples.iter().map(of).sum::<f64>() / samples.len() as f64
}

/// Newton's method; the loss has one minimum.
fn fit(samples: &[Sample], n: usize) -> Vec<f64> {
    let mut weights = vec![0.0; n];
    for _ in 0..12 {
        let mut slope: Vec<f64> = weights.iter().map(|weight| RIDGE * weight).collect();
        let mut bend = vec![vec![0.0; n]; n];
        for sample in samples {
            let p = chance(sample, &weights);
            for (i, a) in sample.terms.iter().enumerate().filter(|(_, term)| term.count != 0) {
                slope[i] += (p - sample.result) * a.count as f64;
                for (j, b) in sample.terms.iter().enumerate() {
                    bend[i][j] += p * (1.0 - p) * (a.count * b.count) as f64;
                }
            }
        }
        for (i, row) in bend.iter_mut().enumerate() {
            row[i] += RIDGE;
        }
        for (weight, step) in weights.iter_mut().zip(solve(bend, slope)) {
            *weight -= step;
        }
    }
    weights
}

/// The solution of linear equations, by elimination. The matrix is positive definite.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        for j in i + 1..n {
            let factor = matrix[j][i] / matrix[i][i];
            let (upper, lower) = matrix.split_at_mut(j);
            for (a, b) in lower[0].iter_mut().zip(&upper[i]).skip(i) {
                *a -= factor * b;
            }
            right[j] -= factor * right[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| matrix[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}
