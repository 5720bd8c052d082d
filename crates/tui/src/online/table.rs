//! A table of a server: one task reads its updates, sends commands, and reconnects when the connection is lost.
//!
//! An update only says that something has happened; the snapshot says what. The screen is therefore correct
//! after every gap.

use std::{sync::Arc, time::Duration};

use protocol::{Command, ErrorCode, Snapshot, TableStreamLine};
use reqwest::Response;
use rules::{AnyGame, Spec};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{sleep, timeout},
};

use super::{
    Told,
    client::{Client, Failure, Work},
};

/// The server sends an empty line every 15 seconds; without one, the connection counts as lost.
const SILENCE: Duration = Duration::from_secs(40);
/// Interval between attempts to reconnect.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest line of updates: a snapshot with many moves.
const MAX_LINE: usize = 8 << 20;

/// Follows a table until it is dropped.
pub(crate) struct Online {
    pub(crate) client: Arc<Client>,
    snapshot: Snapshot,
    game: AnyGame,
    commands: UnboundedSender<Command>,
    _work: Work,
}

impl Online {
    /// Follows a table that has just been loaded.
    ///
    /// # Errors
    /// If this program does not know its game.
    pub(crate) fn new(client: Arc<Client>, snapshot: Snapshot) -> Result<Self, String> {
        let game = game_of(&snapshot)?;
        let (commands, receiver) = unbounded_channel();
        let follower = Follower { client: client.clone(), table: snapshot.table.clone(), commands: receiver };
        let work = client.spawn(follower.run());
        Ok(Self { client, snapshot, game, commands, _work: work })
    }

    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    pub(crate) fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Applies a new snapshot.
    pub(crate) fn update(&mut self, snapshot: Snapshot) -> Result<(), String> {
        self.game = game_of(&snapshot)?;
        self.snapshot = snapshot;
        Ok(())
    }

    /// Sends a command; its result arrives later as an event.
    pub(crate) fn send(&self, command: Command) {
        // The task lives as long as this.
        let _ = self.commands.send(command);
    }
}

impl Client {
    /// Requests the current snapshot of a table.
    pub(crate) fn open(self: &Arc<Self>, table: &str) -> Work {
        let (client, table) = (self.clone(), table.to_owned());
        self.spawn(async move {
            let told = match client.snapshot(&table).await {
                Ok(snapshot) => Told::Table(snapshot),
                Err(failure) => Told::Failed(table, failure),
            };
            client.tell(told);
        })
    }
}

/// Replays the game of a table. A newer server may have games that this program does not know.
fn game_of(table: &Snapshot) -> Result<AnyGame, String> {
    let mut game: AnyGame = table.settings.game.parse::<Spec>().map_err(|error| error.to_string())?.into();
    if let Some(position) = &table.settings.position {
        game.set_position(position).map_err(|error| error.to_string())?;
    }
    for played in &table.moves {
        game.play(&played.text).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

struct Follower {
    client: Arc<Client>,
    table: String,
    commands: UnboundedReceiver<Command>,
}

impl Follower {
    async fn run(mut self) {
        // A move that was sent before the connection broke: the server makes it once, however often it is sent.
        let mut unanswered: Option<Command> = None;
        let mut is_linked = true;
        loop {
            match self.client.updates(&self.table).await {
                Ok(updates) => {
                    if !is_linked {
                        is_linked = true;
                        self.client.tell(Told::Linked(self.table.clone(), true));
                    }
                    if let Some(command) = unanswered.take() {
                        unanswered = self.carry_out(command).await;
                    }
                    if unanswered.is_none() {
                        unanswered = self.follow(Lines::new(updates)).await;
                    }
                }
                Err(Failure::Refused(error)) if !is_passing(error.code) => {
                    return self.client.tell(Told::Failed(self.table.clone(), Failure::Refused(error)));
                }
                Err(_) => {}
            }
            if is_linked {
                is_linked = false;
                self.client.tell(Told::Linked(self.table.clone(), false));
            }
            sleep(PAUSE).await;
        }
    }

    /// Runs until the connection is lost; returns the move that was not yet acknowledged.
    async fn follow(&mut self, mut lines: Lines) -> Option<Command> {
        loop {
            tokio::select! {
                line = timeout(SILENCE, lines.next()) => match line {
                    Ok(Some(line)) if self.show(&line).await => {}
                    _ => return None,
                },
                command = self.commands.recv() => {
                    if let Some(unanswered) = self.carry_out(command?).await {
                        return Some(unanswered);
                    }
                }
            }
        }
    }

    /// Requests a snapshot after an update and reports it. An empty line counts as an update, because no update reports
    /// who is connected. Returns whether the server answers.
    async fn show(&self, line: &[u8]) -> bool {
        let snapshot = match serde_json::from_slice(line) {
            Ok(TableStreamLine::Snapshot(snapshot)) => Ok(snapshot),
            _ => self.client.snapshot(&self.table).await,
        };
        match snapshot {
            Ok(snapshot) => {
                self.client.tell(Told::Table(snapshot));
                true
            }
            Err(_) => false,
        }
    }

    /// Sends a command. Returns the move if the server did not respond.
    async fn carry_out(&self, command: Command) -> Option<Command> {
        let is_move = matches!(command, Command::MakeMove { .. });
        match self.client.command(&self.table, &command).await {
            Ok(()) => {
                self.show(b"").await;
                None
            }
            Err(Failure::Refused(error)) if is_move && is_passing(error.code) => Some(command),
            Err(Failure::NoAnswer) if is_move => Some(command),
            Err(failure) => {
                self.client.tell(Told::Failed(self.table.clone(), failure));
                None
            }
        }
    }
}

/// Whether the same request may succeed later.
fn is_passing(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::Unavailable | ErrorCode::Busy | ErrorCode::TooFast)
}

/// The lines of a response as they arrive.
struct Lines {
    response: Response,
    /// Bytes after the last complete line.
    rest: Vec<u8>,
}

impl Lines {
    fn new(response: Response) -> Self {
        Self { response, rest: Vec::new() }
    }

    /// The next line, or none at the end. Dropping the future while it waits loses nothing.
    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line = self.rest.drain(..=end).collect();
                return Some(line);
            }
            let part = self.response.chunk().await.ok()??;
            self.rest.extend_from_slice(&part);
            if self.rest.len() > MAX_LINE {
                return None;
            }
        }
    }
}
