//! The games in progress, for those who watch a tournament.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use rules::AnyGame;
use tournament::report::LiveGame;

use crate::{AnyGameText, Slot};

/// Shorter games are not published, because they end before anyone could watch them.
const WATCHABLE: Duration = Duration::from_millis(100);

/// The games in progress of a tournament, by slot. Clones share the same games.
#[derive(Clone, Default, Debug)]
pub struct LiveGames(Arc<Mutex<BTreeMap<Slot, LiveGame>>>);

impl LiveGames {
    /// Returns the games in progress.
    #[must_use]
    pub fn now(&self) -> Vec<LiveGame> {
        self.0.lock().values().cloned().collect()
    }

    /// Publishes a game until the returned value is dropped.
    pub(crate) fn publish(&self, slot: Slot, players: [String; 2]) -> Published {
        Published { games: self.clone(), slot, players, since: Instant::now() }
    }
}

/// A game that others can watch while it is played.
pub(crate) struct Published {
    games: LiveGames,
    slot: Slot,
    players: [String; 2],
    since: Instant,
}

impl Published {
    /// Publishes the game after a move.
    pub(crate) fn update(&self, game: &AnyGame) {
        if self.since.elapsed() >= WATCHABLE {
            let AnyGameText { position, moves } = AnyGameText::of(game);
            let live = LiveGame { players: self.players.clone(), position, moves };
            self.games.0.lock().insert(self.slot, live);
        }
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        self.games.0.lock().remove(&self.slot);
    }
}
