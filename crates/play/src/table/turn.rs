//! What the engine pool is asked when it is a program's turn.

use players::Stop;
use rules::AnyGame;
use table::ProgramTurn;

/// A program's turn.
pub(crate) struct Turn {
    /// Whose share of thinking it takes.
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
