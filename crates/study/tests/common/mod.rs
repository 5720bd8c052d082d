//! What the suites share: games from text, and random games that can be repeated.

#![allow(dead_code, reason = "each suite uses its part")]

use rules::{AnyGame, Spec};

/// A game after these moves.
pub(crate) fn game(spec: &str, moves: &str) -> AnyGame {
    let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
    game.play_all(moves).unwrap();
    game
}

/// Games in progress after up to sixty random moves.
pub(crate) fn random_games(spec: &str, seed: u64, count: usize) -> Vec<AnyGame> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let random_game = || {
        let mut game = game(spec, "");
        for _ in 0..rng.usize(..60) {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            game.play(&legal[rng.usize(..legal.len())]).unwrap();
        }
        game
    };
    std::iter::repeat_with(random_game).filter(|game| game.outcome().is_none()).take(count).collect()
}
