//! Engines, faults, statistics and tournaments of the arena. One binary, because each is compiled and linked on its own.

mod bad_input;
mod coverage;
mod engines;
mod faults;
mod gomocup;
mod learn;
mod statistics;
mod tournaments;
