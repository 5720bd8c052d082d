//! The request to the engine pool for a program's move.

use players::Stop;
use rules::AnyGame;
use table::ProgramTurn;

/// A program's turn.
pub(crate) struct Turn {
    /// The client whose share of the engine pool it uses.
    pub(crate) client: String,
    /// Whether its opponent is a program, too.
    pub(crate) is_demo: bool,
    pub(crate) game: AnyGame,
    pub(crate) program: ProgramTurn,
}

/// Asks the engine pool for the move of a program. The answer is a [`Message::Thought`](super::Message::Thought).
pub struct TurnRequest {
    pub(crate) table: String,
    pub(crate) epoch: u64,
    pub(crate) turn: Turn,
    pub(crate) stop: Stop,
}
