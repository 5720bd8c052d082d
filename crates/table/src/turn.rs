//! The turn of a program: what it may use to choose its move, the same on a server and in a browser.

use std::time::Duration;

use protocol::Clock;
use serde::Serialize;

use crate::{State, clock::Downtimes};

/// The turn of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProgramTurn {
    /// The program's name in the roster.
    pub player: String,
    /// The seed of its random choices. JavaScript represents it exactly.
    pub seed: u64,
    /// How long it may think, if its clock runs.
    pub time_ms: Option<u64>,
    /// Minimum time until its move is played.
    pub delay_ms: u64,
}

impl State {
    /// Returns the program's turn, if a program is to move and not paused. A repeated request at the same ply
    /// of a table has the same seed, so a repeated search plays the same move.
    #[must_use]
    pub fn program_turn(&self, table: &str, now: u64, downtimes: Downtimes) -> Option<ProgramTurn> {
        Some(ProgramTurn {
            player: self.program_to_move()?.to_owned(),
            seed: seed(table, self.moves.len()),
            time_ms: self.thinking_time_ms(now, downtimes),
            delay_ms: if self.is_demo() { self.pace.delay_ms } else { 0 },
        })
    }

    /// Returns how long the program may think, if its clock runs.
    fn thinking_time_ms(&self, now: u64, downtimes: Downtimes) -> Option<u64> {
        let left_ms = self.clocks(now, downtimes)?.left_ms[self.running()?.index()];
        Some(match self.settings.clock {
            Clock::Game { increment_ms, .. } => {
                let [left, increment] = [left_ms, increment_ms].map(Duration::from_millis);
                players::share_of_clock(&self.game, left, increment).as_millis() as u64
            }
            // Each move has its own time; half of it is left for everything but thinking.
            _ => left_ms / 2,
        })
    }
}

/// Hashes a table's id and a ply (FNV-1a) to a number below 2⁵³.
fn seed(table: &str, ply: usize) -> u64 {
    let mix = |seed: u64, byte: u8| (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    table.bytes().fold(0xcbf2_9ce4_8422_2325 ^ ply as u64, mix) >> 11
}
