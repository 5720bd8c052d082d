//! The search of the levels and of the book: the best move, with its reasons.

use rules::{ChessFive, ChessFiveMove, Outcome, Position};

use super::{
    super::deepening::deepen,
    evaluation::Evaluation,
    search::{Search, WIN},
    threats::threatens,
};
use crate::{Proof, Proven, Reason, Stop, Stopped, Thought};

/// Returns the best move by minimax of this depth, which is at least 1, or of a smaller depth if the time is
/// up earlier. The game must not be over.
///
/// # Errors
/// If it was cancelled before the search ended.
pub fn look_ahead(position: &ChessFive, depth: u32, stop: &Stop) -> Result<Thought<ChessFiveMove>, Stopped> {
    let player = position.turn();
    let mut search = Search::new(player, depth, stop);
    let (depth, found) = deepen(depth, stop, |depth, interrupt| {
        search.interrupt = interrupt;
        search.best(position, depth)
    })?;
    let line: Vec<_> = found.line.into_iter().rev().collect();
    let chosen = line[0];

    let expected = line.iter().fold(position.clone(), |position, &m| position.after(m));
    let terms = Evaluation::of(&expected, player).terms();
    let mut reasons = vec![match found.value {
        WIN.. => Reason::Proven(Proven { result: Proof::Win, plies: line.len() as u32 }),
        value if value <= -WIN => Reason::Proven(Proven { result: Proof::Loss, plies: line.len() as u32 }),
        value => Reason::Minimax { depth, value },
    }];
    if position.after(chosen).outcome() == Some(Outcome::Win(player)) {
        reasons.insert(0, Reason::Win);
    } else if position.is_chess_phase()
        && threatens(position, player.other())
        && !threatens(&position.after(chosen), player.other())
    {
        reasons.insert(0, Reason::Block);
    }
    reasons.push(Reason::Evaluation { terms });
    Ok(Thought {
        score: Some(found.value),
        line,
        nodes: search.nodes,
        depth: Some(depth),
        ..Thought::new(chosen, vec![chosen], reasons)
    })
}
