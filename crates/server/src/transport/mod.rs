//! Everything that faces clients: HTTP, Socket.IO and the page. Handlers parse, call one function and answer.

mod card;
pub mod http;
mod page;
mod router;
mod socket;
mod state;

pub(crate) use router::router;
pub(crate) use state::AppState;
