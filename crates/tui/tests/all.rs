//! The full screen, driven by keys and compared with stored screens. One binary, because each is compiled and linked on its own.

mod common;
mod garbage;
mod improve;
mod play;
mod screens;
mod terminal;
mod time;
mod tournaments;
