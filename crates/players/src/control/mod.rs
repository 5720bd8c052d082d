//! Cancellation and time limits of a thinking player.

mod stop;
mod time;

pub use stop::{Stop, Stopped};
pub use time::{share_of_clock, within};
