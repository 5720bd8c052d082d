//! The program as people and scripts use it. One binary, because each is compiled and linked on its own.
//!
//! The tests use shells, signals and pseudo-terminals of Unix; `tests/platforms` tests the program on Windows, too.
#![cfg(unix)]

mod analysis;
mod arena;
mod bad_input;
mod colorshapelinks;
mod common;
mod dataset;
mod docs;
mod full_screen;
mod games;
mod gomocup;
mod habits;
mod matches;
mod online;
mod play;
mod puzzles;
mod scripts;
mod solve;
mod tournaments;
mod transcripts;
