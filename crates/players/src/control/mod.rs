//! What a thinking player receives from outside: clock, threads, time limits, cancellation.

mod clock;
mod stop;
mod time;

pub use clock::{Clock, NoClock, Resources};
pub use stop::{Stop, Stopped};
pub use time::share_of_clock;
pub(crate) use time::{EXPLAINING, Timer};
