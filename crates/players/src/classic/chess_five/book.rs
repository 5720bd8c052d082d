//! The opening book: the first eight drops, searched deeper than during a game.
//!
//! `data/chess_five_book.txt` has one position and its move per line; `alinea book chess-five` writes it.
//! It follows every first and second drop of an opponent and the best answers after that; a position and
//! its mirror image are one entry.

use std::{collections::HashSet, sync::LazyLock};

use rules::{AnyGame, ChessFive, ChessFiveMove, Position, Side, Spec};

use super::{look_ahead::look_ahead, search::Search};
use crate::{Stop, Stopped};

/// The number of drops that the book covers.
const PLIES: u16 = 8;
/// The search depth of the book.
pub const DEPTH: u32 = 7;
/// Up to this ply every drop of the opponent is followed, later only the best few.
const ALL_REPLIES_BEFORE: u16 = 2;
const BEST_REPLIES: usize = 3;

/// The keys of a thousand positions with their moves: few enough for a linear search once per move.
static BOOK: LazyLock<Vec<(u64, ChessFiveMove)>> =
    LazyLock::new(|| entries().map(|(position, m)| (position.key(), m)).collect());

/// The entries of the file.
fn entries() -> impl Iterator<Item = (ChessFive, ChessFiveMove)> {
    let text = include_str!("../../../data/chess_five_book.txt");
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (position, m) = line.split_once('\t').expect("a book line is a position, a tab and a move");
        let mut game = AnyGame::from("chess-five".parse::<Spec>().expect("a game"));
        game.set_position(position).expect("the book holds positions of ChessFive");
        let position = game.typed::<ChessFive>().expect("a game of ChessFive").position().clone();
        (position, m.parse().expect("the book holds moves"))
    })
}

/// Finds the book move of a position, if it has one.
pub(super) fn find(position: &ChessFive) -> Option<ChessFiveMove> {
    if position.ply() >= PLIES {
        return None;
    }
    let known = |key: u64| BOOK.iter().find(|entry| entry.0 == key).map(|entry| entry.1);
    known(position.key()).or_else(|| known(position.mirrored().key()).map(ChessFiveMove::mirrored))
}

/// Builds the book; calls `entry` with each position and its move.
///
/// # Errors
/// If it was stopped before the end.
pub fn make(stop: &Stop, mut entry: impl FnMut(&ChessFive, ChessFiveMove)) -> Result<(), Stopped> {
    for side in Side::BOTH {
        let mut seen = HashSet::new();
        let mut positions = vec![ChessFive::default()];
        for ply in 0..PLIES {
            let mut next = Vec::new();
            for position in positions {
                let mut follow = |m| {
                    let after = position.after(m);
                    let is_new = !seen.contains(&after.mirrored().key()) && seen.insert(after.key());
                    if is_new && after.outcome().is_none() {
                        next.push(after);
                    }
                };
                if position.turn() == side {
                    let m = look_ahead(&position, DEPTH, stop)?.chosen;
                    entry(&position, m);
                    follow(m);
                } else if ply < ALL_REPLIES_BEFORE {
                    position.legal_moves().for_each(follow);
                } else {
                    Search::best_replies(&position, BEST_REPLIES, stop)?.into_iter().for_each(follow);
                }
            }
            positions = next;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_covers_the_start_and_every_first_drop() {
        let start = ChessFive::default();
        assert!(find(&start).is_some());
        for m in start.legal_moves() {
            assert!(find(&start.after(m)).is_some(), "{m}");
        }
    }

    #[test]
    fn every_entry_is_a_legal_drop_of_the_first_eight() {
        for (position, m) in entries() {
            assert!(position.ply() < PLIES && position.is_legal(m), "{m}");
            assert_eq!(find(&position), Some(m));
            if position.mirrored() != position {
                assert_eq!(find(&position.mirrored()), Some(m.mirrored()));
            }
        }
    }

    #[test]
    fn searching_again_gives_the_same_moves() {
        let late: Vec<_> = entries().filter(|(position, _)| position.ply() == PLIES - 1).collect();
        for (position, m) in late.iter().step_by(late.len().div_ceil(4)) {
            assert_eq!(look_ahead(position, DEPTH, &Stop::default()).unwrap().chosen, *m);
        }
    }
}
