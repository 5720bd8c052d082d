//! A tournament of people as a pure state machine: what players, the organiser, the clock and the tables of its games do
//! becomes events, and events become state. Nothing here reads a clock, stores or sends anything; the server adds that.

mod advance;
mod arena;
mod decide;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use advance::{Surroundings, TableStatus};
pub use decide::check;
pub use state::{Entrant, Match, State};

use crate::{Points, TieBreak};

/// One for a win, half for a draw.
pub const POINTS: Points = Points { win: 1.0, draw: 0.5, loss: 0.0 };

/// Who met the stronger players comes first, then who did better against the strong ones, then who won more often.
pub const TIE_BREAKS: [TieBreak; 3] = [TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::Wins];
