//! Forced wins within a few plies, by games as callers have them: browsers need no further code for that. Where games are
//! won by continuous fours and threes, only these are searched.

use players::forcing::{Node, Stones};
use rules::{AnyGame, Outcome, Side};

use crate::puzzles::stones;

/// With more legal moves than this, a defence is not searched.
const WIDE: usize = 20;

pub(super) fn after(game: &AnyGame, m: &str) -> AnyGame {
    let mut next = game.clone();
    next.play(m).expect("the move is legal");
    next
}

/// Whether there are too many moves to look four plies ahead.
pub(super) fn is_wide(game: &AnyGame) -> bool {
    stones(game).is_none() && game.legal_moves().len() > WIDE
}

/// The moves that force a win within one ply or three.
pub(super) fn wins(game: &AnyGame, plies: u32) -> Vec<String> {
    if game.outcome().is_some() {
        return Vec::new();
    }
    if let Some(root) = stones(game) {
        let mut moves = root.attacks(plies);
        moves.retain(|&m| reaches(&root.after(m), root.turn(), plies - 1));
        return moves.into_iter().map(|m| root.move_text(m)).collect();
    }
    let game = &without_history(game);
    let mut moves = game.legal_moves();
    moves.retain(|m| forces(game, m, plies));
    moves
}

/// Whether the opponent forces a win within these plies, the move included.
pub(super) fn loses(game: &AnyGame, m: &str, plies: u32) -> bool {
    let after = after(game, m);
    if let Some(outcome) = after.outcome() {
        return outcome == Outcome::Win(game.turn().other());
    }
    if let Some(root) = stones(&after) {
        return reaches(&root, root.turn(), plies - 1);
    }
    let after = without_history(&after);
    after.legal_moves().iter().any(|reply| forces(&after, reply, plies - 1))
}

/// Whether an attacker forces a win within these plies by fours and threes.
fn reaches(node: &Stones, attacker: Side, plies: u32) -> bool {
    match node.outcome() {
        Some(outcome) => outcome == Outcome::Win(attacker),
        None if plies == 0 => false,
        None if node.turn() == attacker => {
            node.attacks(plies).into_iter().any(|m| reaches(&node.after(m), attacker, plies - 1))
        }
        None => node.defences().into_iter().all(|m| reaches(&node.after(m), attacker, plies - 1)),
    }
}

/// Whether a move wins within these plies, itself included.
fn forces(game: &AnyGame, m: &str, plies: u32) -> bool {
    let after = after(game, m);
    if after.outcome().is_some() || plies < 3 {
        return after.outcome() == Some(Outcome::Win(game.turn()));
    }
    after.legal_moves().iter().all(|reply| {
        let next = self::after(&after, reply);
        match next.outcome() {
            Some(outcome) => outcome == Outcome::Win(game.turn()),
            None => next.legal_moves().iter().any(|m| forces(&next, m, 1)),
        }
    })
}

/// The game from its position on: a game without moves is copied quickly. Repetitions do not matter to forced wins.
fn without_history(game: &AnyGame) -> AnyGame {
    let mut fresh = AnyGame::from(game.spec());
    match fresh.set_position(&game.position()) {
        Ok(()) => fresh,
        // A position that cannot be set up keeps its game.
        Err(_) => game.clone(),
    }
}
