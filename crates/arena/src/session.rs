//! The dialogue with an external engine; one implementation per protocol.

use players::Stop;
use rules::AnyGame;

use crate::{Answer, Failure, connection::Connection, go::SideClock};

/// The dialogue with one engine.
pub(crate) trait Session: Send {
    /// Sets the options to send at each start of the engine.
    fn set_options(&mut self, options: Vec<(String, String)>);

    /// Lets the engine think on the opponent's time, if the protocol supports that.
    fn allow_ponder(&mut self) {}

    /// The name that the engine gave itself.
    fn name(&self) -> Option<&str>;

    /// Prepares for a game; starts the engine if it is not running.
    fn new_game(
        &mut self,
        engine: &mut Connection,
        game: &AnyGame,
        seed: u64,
        stop: &Stop,
    ) -> Result<(), Failure>;

    /// Asks for a move in an unfinished game, within the limits and these clocks.
    fn choose(
        &mut self,
        engine: &mut Connection,
        game: &AnyGame,
        clock: Option<[SideClock; 2]>,
        stop: &Stop,
    ) -> Result<Answer, Failure>;
}
