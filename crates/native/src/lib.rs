//! The clock and the threads of the operating system: see [`players::system`].

pub use players::system::*;
