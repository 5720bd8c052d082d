//! Messages to clients about a table.

use protocol::{Event, MoveMade, Presence, Snapshot, Status, TableEvent, TableUpdate};
use rules::{Choice, View};

use crate::{PlayedMove, Principal, State};

impl State {
    /// Returns an event as clients receive it, without the board.
    #[must_use]
    pub fn message(
        &self,
        table: &str,
        v: u64,
        at: u64,
        event: Event,
        now: u64,
        downtimes: &[(u64, u64)],
    ) -> TableUpdate {
        let (table, clocks) = (table.to_owned(), self.clocks(now, downtimes));
        match event {
            Event::Moved { ply, side, text, thought, .. } => {
                let (view, legal) = (None, None);
                let made = MoveMade { table, v, at, ply, side, text, clocks, thought, view, legal };
                TableUpdate::Move(Box::new(made))
            }
            event => {
                let update = TableEvent { table, v, at, event, clocks, view: None, legal: None };
                TableUpdate::Event(Box::new(update))
            }
        }
    }

    /// Adds the current board to the message, if the event changed it.
    #[must_use]
    pub fn with_view(&self, message: TableUpdate) -> TableUpdate {
        match &message {
            TableUpdate::Event(update)
                if !changes_position(&update.event) && !matches!(update.event, Event::Ended { .. }) =>
            {
                message
            }
            _ => self.with_board(message),
        }
    }

    /// Adds the current board to the message.
    #[must_use]
    pub fn with_board(&self, message: TableUpdate) -> TableUpdate {
        let (view, legal) = (Some(Box::new(self.view())), Some(self.legal()));
        match message {
            TableUpdate::Move(made) => TableUpdate::Move(Box::new(MoveMade { view, legal, ..*made })),
            TableUpdate::Event(update) => TableUpdate::Event(Box::new(TableEvent { view, legal, ..*update })),
        }
    }

    /// Returns the snapshot that a principal sees.
    #[must_use]
    pub fn snapshot(
        &self,
        table: &str,
        principal: &Principal,
        code: Option<&str>,
        presence: Presence,
        now: u64,
        downtimes: &[(u64, u64)],
    ) -> Snapshot {
        let played = |played: &PlayedMove| protocol::PlayedMove {
            text: played.text.clone(),
            at: played.at,
            left_ms: played.left_ms,
            thought: played.thought.clone(),
        };
        Snapshot {
            table: table.to_owned(),
            v: self.version,
            settings: self.settings.clone(),
            seats: self.seats.clone(),
            you: self.sides(principal),
            is_creator: principal.is(&self.creator),
            status: self.status,
            moves: self.moves.iter().map(played).collect(),
            clocks: self.clocks(now, downtimes),
            offers: self.offers,
            result: self.result,
            rematch: self.rematch.clone(),
            chat: self.chat.latest().cloned().collect(),
            pace: self.pace,
            code: code.map(str::to_owned),
            presence,
            view: self.view(),
            legal: self.legal(),
        }
    }

    /// Returns the current board.
    #[must_use]
    pub fn view(&self) -> View {
        self.game.view()
    }

    fn legal(&self) -> Vec<Choice> {
        if self.status == Status::Playing { self.game.choices() } else { Vec::new() }
    }
}

/// Whether an event changes the position or the side to move.
#[must_use]
pub fn changes_position(event: &Event) -> bool {
    matches!(
        event,
        Event::Created { .. } | Event::Seated { .. } | Event::Moved { .. } | Event::TakenBack { .. }
    )
}
