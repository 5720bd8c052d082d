//! For tests: random games that can be repeated, and forced results by the rules alone.

use rules::{Game, Outcome, Position};

/// Random games of up to sixty moves that are not over.
pub(crate) fn games<P: Position>(start: &P, seed: u64, count: usize) -> Vec<Game<P>> {
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

/// Whether the side to move can force a win within `plies` plies, by the rules alone.
pub(crate) fn win_in<P: Position>(position: &P, plies: u32) -> bool {
    plies > 0
        && position.legal_moves().any(|m| {
            let after = position.after(m);
            match after.outcome() {
                Some(outcome) => outcome == Outcome::Win(position.turn()),
                None if plies < 3 => false,
                None => after.legal_moves().all(|reply| {
                    let next = after.after(reply);
                    match next.outcome() {
                        Some(outcome) => outcome == Outcome::Win(position.turn()),
                        None => win_in(&next, plies - 2),
                    }
                }),
            }
        })
}

/// Whether the side to move cannot avoid a loss within `plies` plies, by the rules alone.
pub(crate) fn loss_in<P: Position>(position: &P, plies: u32) -> bool {
    position.legal_moves().all(|m| {
        let after = position.after(m);
        match after.outcome() {
            Some(outcome) => outcome == Outcome::Win(after.turn()),
            None => win_in(&after, plies - 1),
        }
    })
}
