//! Makes the engine's opening books, which `players` embeds.

use std::collections::HashSet;

use players::{
    Resources, Stop,
    engine_book::{PLIES, after, key, mirrored},
};
use rules::Spec;

use crate::assessment::{Assessment, Limits, assess};

/// Number of nodes searched for a move of the book and the two next best moves.
pub const NODES: u64 = 1_200_000;
/// The book follows all first moves of an opponent, and this many of each later move.
const BEST_REPLIES: usize = 3;

/// Makes a book. Calls `entry` with the moves that lead to each position, the book's move and its search depth.
pub fn make(spec: Spec, resources: &Resources, stop: &Stop, mut entry: impl FnMut(&[String], &str, u32)) {
    let mut seen = HashSet::new();
    let mut lines = vec![Vec::new()];
    for ply in 0..PLIES {
        let mut next = Vec::new();
        for line in lines {
            if stop.is_cancelled() {
                return;
            }
            let game = after(spec, &line);
            let count = if ply == 0 { usize::MAX } else { BEST_REPLIES };
            let limits = Limits { lines: BEST_REPLIES, nodes: Some(NODES), ..Limits::default() };
            let Assessment { moves: found, depth, .. } = assess(&game, &limits, resources, stop, &mut |_| {});
            let Some(best) = found.first() else { continue };
            entry(&line, &best.text, depth);
            let replies = match count {
                usize::MAX => game.legal_moves(),
                _ => found.iter().map(|assessed| assessed.text.clone()).collect(),
            };
            for m in replies {
                let longer = [&line[..], &[m]].concat();
                let image: Vec<_> = longer.iter().map(|m| mirrored(spec, m)).collect();
                let game = after(spec, &longer);
                let is_new = !seen.contains(&key(&after(spec, &image))) && seen.insert(key(&game));
                if is_new && game.outcome().is_none() {
                    next.push(longer);
                }
            }
        }
        lines = next;
    }
}
