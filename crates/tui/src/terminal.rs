//! The terminal itself: entered and left cleanly, one channel for all events, and no work while none
//! arrives.

use std::{
    io::{self, Stdout, Write, stdout},
    panic,
    sync::{
        Once,
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Instant,
};

use crossterm::{
    cursor::{Hide, Show},
    event::{self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture},
    execute,
    terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
};
use ratatui::{Terminal, backend::CrosstermBackend, layout::Rect};

use crate::{
    app::{App, Options},
    engine::channel,
    event::Event,
};

/// Leaves the full screen when it goes out of scope, also when a panic unwinds.
struct Guard;

impl Guard {
    fn enter() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        // The message of a panic belongs on the screen that stays.
        let screen = thread::current().id();
        HOOK.call_once(|| {
            let usual = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                // A thinking thread that fails is reported on the screen.
                if thread::current().id() == screen {
                    leave();
                    usual(info);
                }
            }));
        });
        enable_raw_mode()?;
        let guard = Self;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste, Hide)?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

/// Leaves the full screen. Best effort: the terminal may be gone.
fn leave() {
    let _ = execute!(stdout(), DisableBracketedPaste, DisableMouseCapture, Show, LeaveAlternateScreen);
    let _ = disable_raw_mode();
}

/// Runs the application full screen until the person leaves. `on_start` gets the channel, so that signals of the
/// system can be sent to it.
///
/// # Errors
/// If the terminal cannot be used, or the game to begin with cannot be set up.
pub fn run(options: Options, on_start: impl FnOnce(Sender<Event>)) -> anyhow::Result<()> {
    let (sender, receiver) = channel();
    on_start(sender.clone());
    let (width, height) = crossterm::terminal::size()?;
    let mut app =
        App::new(options, sender.clone(), Rect::new(0, 0, width, height)).map_err(anyhow::Error::msg)?;
    let _guard = Guard::enter()?;
    thread::spawn(move || {
        // Blocks until something is typed; ends when the application does or the terminal is gone.
        while let Ok(input) = event::read() {
            if sender.send(Event::Input(input)).is_err() {
                return;
            }
        }
        let _ = sender.send(Event::Terminate);
    });
    let mut terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
    serve(&mut app, &mut terminal, &receiver)
}

fn serve(
    app: &mut App,
    terminal: &mut Terminal<CrosstermBackend<Stdout>>,
    events: &Receiver<Event>,
) -> anyhow::Result<()> {
    while !app.is_over() {
        terminal.draw(|frame| app.draw(frame.buffer_mut(), Instant::now()))?;
        if let Some(text) = app.take_clipboard() {
            copy(&text)?;
        }
        let mut is_changed = false;
        while !is_changed && !app.is_over() {
            let event = match app.deadline() {
                None => events.recv().unwrap_or(Event::Terminate),
                Some(at) => match events.recv_timeout(at.saturating_duration_since(Instant::now())) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => Event::Wake,
                    Err(RecvTimeoutError::Disconnected) => Event::Terminate,
                },
            };
            is_changed = app.update(event, Instant::now());
            // All that has happened by now makes one picture.
            while let Ok(event) = events.try_recv() {
                is_changed |= app.update(event, Instant::now());
            }
        }
    }
    Ok(())
}

/// Asks the terminal to put a text on the clipboard (OSC 52), which also works over SSH.
fn copy(text: &str) -> io::Result<()> {
    let mut out = stdout();
    write!(out, "\x1b]52;c;{}\x07", base64(text.as_bytes()))?;
    out.flush()
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().enumerate().fold(0u32, |bits, (i, byte)| bits | u32::from(*byte) << (16 - 8 * i));
        for i in 0..4 {
            text.push(if i <= chunk.len() {
                ALPHABET[(bits >> (18 - 6 * i) & 63) as usize].into()
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_encoded_for_the_clipboard() {
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(b"Ma"), "TWE=");
        assert_eq!(base64(b"M"), "TQ==");
    }
}
