//! What commands share that show something as it comes: drawing over the last picture, and Ctrl-C.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};
use players::Stop;

/// A picture in the terminal that is drawn over itself.
#[derive(Default)]
pub(crate) struct Picture {
    /// How many lines the last drawing had.
    lines: usize,
}

impl Picture {
    /// What to print so that this text takes the place of the last one.
    pub(crate) fn redrawn(&mut self, text: &str) -> String {
        let erase = if self.lines > 0 { format!("\x1b[{}A\x1b[J", self.lines) } else { String::new() };
        self.lines = text.lines().count();
        erase + text
    }
}

/// Whether standard output is a terminal on which pictures can be redrawn.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// A stop that Ctrl-C raises; the second time it ends the program.
pub(crate) fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::default();
    let raiser = stop.clone();
    ctrlc::set_handler(move || {
        if raiser.is_raised() {
            // Whoever asks twice does not want to wait.
            std::process::exit(130);
        }
        raiser.raise();
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(stop)
}
