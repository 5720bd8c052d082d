//! Games at this screen, without a server.

use protocol::{Clock, Occupant, Status};
use rules::{AnyGame, Side};
use table::LocalTable;

/// A game to be played: the start, the player of each side, and the clock.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The game at its start.
    pub start: AnyGame,
    /// A program of the roster, or none for the person at this screen.
    pub seats: [Option<String>; 2],
    /// The time control.
    pub clock: Clock,
}

impl NewGame {
    /// The table of the game. The moves that the start already has are made at once, for a study.
    pub(crate) fn table(&self, now: u64) -> Result<LocalTable, String> {
        LocalTable::of_game(&self.start, self.seats.clone(), self.clock, now)
            .map_err(|error| error.to_string())
    }

    /// The next game of the same players, with sides exchanged.
    pub(crate) fn rematch(table: &LocalTable) -> Self {
        let mut start = table.state().game().clone();
        while start.take_back().is_some() {}
        let (settings, seats) = table.rematch();
        let seats = seats.map(|seat| match seat {
            Occupant::Program { name, .. } => Some(name),
            _ => None,
        });
        Self { start, seats, clock: settings.clock }
    }
}

/// Whether the game has begun and is not over.
pub(crate) fn is_worth_keeping(table: &LocalTable) -> bool {
    table.state().status() == Status::Playing && !table.state().moves().is_empty()
}

/// The game after this number of its moves.
pub(crate) fn at_ply(game: &AnyGame, ply: usize) -> AnyGame {
    let mut game = game.clone();
    for _ in ply..game.moves().len() {
        game.take_back();
    }
    game
}

/// The only side that the reader plays.
pub(crate) fn only_side(you: &[Side]) -> Option<Side> {
    match you {
        [side] => Some(*side),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use protocol::Command;
    use table::LogEntry;

    use super::*;

    #[test]
    fn a_table_can_be_left_and_continued() {
        let start = AnyGame::from(rules::GAMES[0].standard.parse::<rules::Spec>().unwrap());
        let mut table = NewGame { start, seats: [None, None], clock: Clock::None }.table(0).unwrap();
        let text = table.state().game().legal_moves()[0].clone();
        table.command(&Command::MakeMove { ply: 1, text: text.clone(), lag_ms: 0, seen: None }, 0).unwrap();
        let kept = serde_json::to_string(table.log()).unwrap();
        let again = LocalTable::from_log(serde_json::from_str::<Vec<LogEntry>>(&kept).unwrap()).unwrap();
        assert_eq!(again.state().game().moves(), [text]);
        assert!(LocalTable::from_log(Vec::new()).is_err());
    }
}
