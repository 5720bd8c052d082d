//! A live table on this node: its actor, presence, sinks, lease, and the registry that finds it.

mod actor;
mod create;
mod keep;
mod lease;
mod log;
mod message;
mod outage;
mod presence;
mod program;
mod registry;
mod sink;
mod turn;

#[cfg(test)]
mod tests;

pub(crate) use create::{coin_flip, new_row};
pub(crate) use lease::FLAG_SOON_MS;
pub(crate) use message::Message;
pub use registry::{Registry, Subscription};
pub use sink::{EventSink, Responder};
pub(crate) use turn::Turn;
pub use turn::TurnRequest;
