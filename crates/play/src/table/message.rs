//! Messages to the actor of a table.

use std::{sync::Arc, time::Duration};

use players::NoMove;
use protocol::{ApiError, Command, Thought};
use rules::Side;
use table::Principal;

use super::sink::{EventSink, Responder};

/// A message to a table.
pub(crate) enum Message {
    /// A command of a client.
    Command { principal: Arc<Principal>, command: Command, measured_lag_ms: u64, responder: Responder },
    /// Subscribe to the table's events, after those since version `seen` or a snapshot.
    Join { principal: Arc<Principal>, sink: EventSink, seen: Option<u64>, view: bool, responder: Responder },
    /// Unsubscribe.
    Leave { sink: u64 },
    /// Ask for a snapshot.
    Look { principal: Arc<Principal>, responder: Responder },
    /// A program has thought about the position of this epoch.
    Thought { epoch: u64, waited: Duration, result: Result<Thought, NoMove> },
    /// Another node has appended up to this version; 0 if the version is not known.
    Hint { version: u64 },
    /// The clients at this table on another node.
    RemotePresence { node: String, here: [bool; 2], watching: usize, wants_answer: bool },
    /// Another node is gone.
    NodeGone { node: String },
    /// This node owns the table from now on.
    TakeOver,
    /// End the table if all players have left it.
    Expire,
    /// End the game, which was decided elsewhere: with a winner as abandoned, otherwise without a result.
    End { winner: Option<Side>, responder: Responder },
}

/// A message in a mailbox. Boxed because a channel allocates slots for 32 messages, and there are thousands of
/// channels.
pub(crate) type Envelope = Box<Message>;

impl Message {
    /// Whether a client waits for the response.
    pub(crate) fn is_request(&self) -> bool {
        matches!(self, Self::Command { .. } | Self::Join { .. } | Self::Look { .. } | Self::End { .. })
    }

    /// Whether the message only reports events of other nodes. Every node sends these every few seconds for every table.
    pub(crate) fn is_from_node(&self) -> bool {
        matches!(self, Self::Hint { .. } | Self::RemotePresence { .. } | Self::NodeGone { .. })
    }

    /// Whether it subscribes this sink.
    pub(crate) fn joins(&self, id: u64) -> bool {
        matches!(self, Self::Join { sink, .. } if sink.id() == id)
    }

    /// Responds to a request with an error; drops other messages.
    pub(crate) fn refuse(self, error: &ApiError) {
        match self {
            Self::Command { responder, .. }
            | Self::Join { responder, .. }
            | Self::Look { responder, .. }
            | Self::End { responder, .. } => responder.send(Err(error.clone())),
            _ => {}
        }
    }
}
