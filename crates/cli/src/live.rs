//! Shared by commands with live output: text updated in place, and Ctrl-C.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};
use players::Stop;

/// Text in the terminal that is updated in place.
#[derive(Default)]
pub(crate) struct LiveText {
    /// The number of lines printed last.
    lines: usize,
}

impl LiveText {
    /// Prefixes the text with the escape codes that erase the previous one.
    pub(crate) fn redrawn(&mut self, text: &str) -> String {
        let erase = if self.lines > 0 { format!("\x1b[{}A\x1b[J", self.lines) } else { String::new() };
        self.lines = text.lines().count();
        erase + text
    }
}

/// Whether standard output is a terminal that supports cursor movement.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Returns a stop flag that Ctrl-C sets; a second Ctrl-C exits at once.
pub(crate) fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::default();
    let handler = stop.clone();
    ctrlc::set_handler(move || {
        if handler.is_cancelled() {
            std::process::exit(130);
        }
        handler.cancel();
    })
    .context("cannot install the Ctrl-C handler")?;
    Ok(stop)
}
