//! Games for tests: random ones that can be repeated.

use rules::{Game, Position};

/// Random games of up to sixty moves that are not over.
pub(super) fn games<P: Position>(start: &P, seed: u64, count: usize) -> Vec<Game<P>> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let random_game = || {
        let mut game = Game::new(start.clone());
        for _ in 0..rng.usize(..60) {
            let moves: Vec<_> = game.legal_moves().collect();
            let Some(&m) = rng.choice(&moves) else { break };
            game.play(m).expect("a legal move");
        }
        game
    };
    std::iter::repeat_with(random_game).filter(|game| game.outcome().is_none()).take(count).collect()
}
