//! The program as people and scripts use it. One binary, because each is compiled and linked on its own.

mod analysis;
mod arena;
mod bad_input;
mod colorshapelinks;
mod common;
mod dataset;
#[cfg(unix)]
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
mod transcripts;
