//! How often the confidence interval misses the true difference, in simulated matches; for a test and a benchmark.

use alinea_arena::{
    elo::{self, Pairs},
    rating::{self, Encounter, Rating},
};
use fastrand::Rng;

/// True differences in Elo.
pub(crate) const DIFFERENCES: [f64; 5] = [0.0, 30.0, 100.0, 250.0, 500.0];

/// Kinds of games, by the shares of draws and of openings in which the side to move first wins.
pub(crate) const KINDS: [(&str, f64, f64); 5] = [
    ("no draws", 0.0, 0.0),
    ("a third drawn", 0.33, 0.0),
    ("most drawn", 0.7, 0.0),
    ("nearly all drawn", 0.95, 0.0),
    ("half decided by the opening", 0.2, 0.5),
];

/// Strengths of the players of a tournament, in Elo: equal, in even steps, and one much stronger than the others.
pub(crate) const FIELDS: [&[f64]; 7] = [
    &[0.0, 0.0, 0.0],
    &[0.0, 150.0, 300.0],
    &[0.0, 300.0, 600.0],
    &[0.0, 0.0, 0.0, 500.0],
    &[0.0, 25.0, 50.0, 75.0, 100.0],
    &[0.0, 150.0, 300.0, 450.0, 600.0],
    &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 250.0],
];

/// Shares of drawn games of equal players.
pub(crate) const DRAWS: [f64; 3] = [0.0, 0.33, 0.7];

/// Simulates round robins with this many pairs for each two players. Returns how many ratings have an interval that does
/// not contain the truth, and the number of all ratings.
pub(crate) fn missed_ratings(
    field: &[f64],
    pairs: u64,
    draws: f64,
    tournaments: u64,
    rng: &mut Rng,
) -> [u64; 2] {
    let mean = field.iter().sum::<f64>() / field.len() as f64;
    let mut missed = 0;
    for _ in 0..tournaments {
        let mut encounters = Vec::new();
        for a in 0..field.len() {
            for b in a + 1..field.len() {
                let played = played(pairs, &chances(field[a] - field[b], draws, 0.0), rng);
                let games = 2.0 * pairs as f64;
                let score = games * played.score().unwrap_or_default();
                encounters.push(Encounter { players: [a, b], games, score });
            }
        }
        let ratings = rating::ratings(field.len(), &encounters, rating::PRIOR_DRAWS);
        let is_missed = |(rating, truth): (Rating, &f64)| (rating.elo - (truth - mean)).abs() > rating.error;
        missed += ratings.into_iter().zip(field).filter(|it| is_missed(*it)).count() as u64;
    }
    [missed, tournaments * field.len() as u64]
}

/// The chances of a pair with 0 to 4 half points. `draws` is the share of drawn games of equal players, `decided` the
/// share of openings that give each player one win.
pub(crate) fn chances(difference: f64, draws: f64, decided: f64) -> [f64; 5] {
    let score = elo::to_score(difference);
    let drawn = draws * 2.0 * score.min(1.0 - score);
    let game = [1.0 - score - drawn / 2.0, drawn, score - drawn / 2.0];
    let mut pair = [0.0; 5];
    for (i, first) in game.iter().enumerate() {
        for (j, second) in game.iter().enumerate() {
            pair[i + j] += first * second * (1.0 - decided);
        }
    }
    pair[2] += decided;
    pair
}

/// The difference whose expected score these chances have.
pub(crate) fn difference(chances: &[f64; 5]) -> f64 {
    elo::from_score(chances.iter().zip(0..).map(|(chance, i)| chance * f64::from(i) / 4.0).sum())
}

/// A match of this many pairs.
pub(crate) fn played(count: u64, chances: &[f64; 5], rng: &mut Rng) -> Pairs {
    let mut pairs = Pairs::default();
    for _ in 0..count {
        let mut lot = rng.f64();
        let drawn = chances.iter().position(|chance| {
            lot -= chance;
            lot < 0.0
        });
        // Rounding may leave a remainder that belongs to the last possible score.
        pairs.add(drawn.unwrap_or_else(|| chances.iter().rposition(|chance| *chance > 0.0).unwrap_or(0)));
    }
    pairs
}

/// Returns how many of the matches have an interval that does not contain the true difference.
pub(crate) fn missed(count: u64, chances: &[f64; 5], matches: u64, rng: &mut Rng) -> u64 {
    let truth = difference(chances);
    (0..matches).filter(|_| !played(count, chances, rng).is_plausible(truth)).count() as u64
}
