//! A tournament of people as a pure state machine: actions of players and the organiser, the clock, and the tables of
//! its games become events, and events become state. It reads no clock, and stores and sends nothing; the server does.

mod advance;
mod arena;
mod decide;
mod state;
mod swiss;
#[cfg(test)]
mod tests;
mod view;

pub use advance::{Context, TableStatus};
pub use decide::{Sender, check};
pub use state::{Entrant, Match, State};

use crate::{Points, TieBreak};

/// One for a win, half for a draw.
pub const POINTS: Points = Points { win: 1.0, draw: 0.5, loss: 0.0 };

/// Tie-breaks: strength of the opponents, then results against strong opponents, then number of wins.
pub const TIE_BREAKS: [TieBreak; 3] = [TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::Wins];
