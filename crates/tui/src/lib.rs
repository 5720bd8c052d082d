//! Alinea full screen in the terminal.
//!
//! [`App`] is state with `update(Event)` and `draw`; [`run`] connects it to a real terminal by one channel
//! for input, thinking threads and deadlines, and waits without ticking while nothing happens. Games are
//! tables of `crates/table`. Every statement about a position comes from one assessment of `crates/study`,
//! worded by the page's message files.

mod app;
mod board;
mod context;
mod engine;
mod event;
mod host;
mod keep;
mod local;
mod online;
mod pieces;
mod prompt;
mod screens;
mod system;
mod terminal;
mod text;
mod theme;

pub use app::{App, Options, Start};
pub use engine::MakeProgram;
pub use event::{Answer, Event};
pub use keep::{Keep, Kept, Settings};
pub use local::NewGame;
pub use online::{Address, AddressTarget, News};
pub use sentences::Language;
pub use terminal::run;
pub use theme::{Depth, Glyphs, Theme};
