//! A table as a pure state machine.
//!
//! [`State::decide`] turns a command and its [`Context`] into events, and [`State::apply`] turns events into state, so
//! a replay of the log gives exactly what the players saw. This crate reads no clock, and stores and sends nothing: the
//! server does. A [`LocalTable`] needs no server.
//!
//! ```
//! use protocol::{Clock, Command, Event, Settings, Occupant};
//! use alinea_table::{Context, Decision, Principal, State};
//!
//! let settings = Settings {
//!     game: "tic-tac-toe".to_owned(),
//!     position: None,
//!     clock: Clock::None,
//!     rated: false,
//!     take_back: true,
//!     listed: false,
//!     invited: None,
//!     tournament: None,
//!     bots: false,
//!     unverified: false,
//! };
//! let ann = Principal { ids: vec!["g:ann".to_owned()], name: "Ann".to_owned(), account: None, bot: false };
//! let seat = Occupant::Person { id: "g:ann".to_owned(), name: "Ann".to_owned(), rating: None, bot: false };
//! let created = Event::Created { settings: settings.into(), seats: [seat.clone(), seat], creator: "g:ann".to_owned() };
//! let mut state = State::new(1, 0, &created)?;
//!
//! let command = Command::MakeMove { ply: 1, text: "b2".to_owned(), lag_ms: 0, seen: None };
//! let context = Context { now: 1_000, ..Context::default() };
//! let Ok(Decision::Append(events)) = state.decide(&ann, &command, &context) else { panic!("b2 is legal") };
//! state.apply(2, context.now, &events[0])?;
//! assert_eq!(state.moves()[0].text, "b2");
//! # Ok::<_, alinea_table::LogError>(())
//! ```

mod chat;
mod clock;
mod decide;
mod local;
mod messages;
mod principal;
mod record;
mod setup;
mod state;
mod turn;

pub use chat::sanitize;
pub use clock::elapsed;
pub use decide::{Context, Decision};
pub use local::{LocalDone, LocalTable};
pub use messages::changes_position;
pub use principal::Principal;
pub use record::{recorded_game, replay};
pub use setup::{check_new_table, check_rated, needs_owner, start_game};
pub use state::{LogEntry, LogError, PlayedMove, State};
pub use turn::ProgramTurn;

#[cfg(test)]
mod tests;
