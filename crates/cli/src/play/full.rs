//! The full screen: whether it is used, and how it begins.

use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use anyhow::Result;
use rules::{AnyGame, GameInfo};

/// How games are shown on a terminal.
#[derive(clap::Args, Clone, Default)]
pub(crate) struct ScreenArgs {
    /// Ask line by line instead of full screen
    #[arg(long)]
    plain: bool,
    /// The colours of the full screen
    #[arg(long, value_name = "THEME", value_parser = ["neon", "light", "colour-safe"])]
    theme: Option<String>,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// Do not animate falling pieces
    #[arg(long)]
    no_animation: bool,
}

/// Where the full screen begins.
#[cfg_attr(not(feature = "full-screen"), allow(dead_code, reason = "no screen is full"))]
pub(crate) enum Begin {
    Home,
    Setup(&'static GameInfo),
    Play(AnyGame, [String; 2]),
    Analyse(AnyGame),
    Review(AnyGame),
    Improve,
    /// The address of a server, or that of the last time.
    Online(Option<String>),
}

/// Settings of all games of a session.
#[cfg_attr(not(feature = "full-screen"), allow(dead_code, reason = "no screen is full"))]
pub(crate) struct Session {
    pub(crate) screen: ScreenArgs,
    pub(crate) pace: Option<Duration>,
    pub(crate) seed: Option<u64>,
}

impl ScreenArgs {
    /// Whether the full screen is wanted and possible.
    pub(crate) fn is_full(&self) -> bool {
        let is_dumb = std::env::var_os("TERM")
            .map_or(!crate::system::HAS_SCREEN, |term| term == "dumb" || term.is_empty());
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        cfg!(feature = "full-screen") && !self.plain && is_terminal && !is_dumb
    }

    /// The options given in `self`, and otherwise those of `other`.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            plain: self.plain || other.plain,
            theme: self.theme.or(other.theme),
            ascii: self.ascii || other.ascii,
            no_animation: self.no_animation || other.no_animation,
        }
    }
}

#[cfg(feature = "full-screen")]
pub(crate) fn run(session: Session, begin: Begin) -> Result<()> {
    use tui::{Depth, Glyphs, Keep, NewGame, Options, Start, Theme};

    use super::terminal::{Color, color, language};

    let Session { screen, pace, seed } = session;
    let keep = Keep::of_user();
    let mut settings = keep.settings();
    settings.theme = match screen.theme.as_deref() {
        Some("neon") => Theme::Neon,
        Some("light") => Theme::Light,
        Some("colour-safe") => Theme::ColourSafe,
        _ => settings.theme,
    };
    if screen.ascii {
        settings.glyphs = Glyphs::Ascii;
    }
    if screen.no_animation {
        settings.animation = false;
    }
    let start = match begin {
        Begin::Home => Start::Home,
        Begin::Online(given) => {
            let stored = settings.server.as_deref().and_then(|server| server.parse().ok());
            let given = given.map(|server| server.parse().map_err(anyhow::Error::msg)).transpose()?;
            Start::Online(given.or(stored).unwrap_or_default())
        }
        Begin::Improve => Start::Improve,
        Begin::Setup(info) => Start::Setup(info),
        Begin::Analyse(game) => Start::Analyse(Box::new(game)),
        Begin::Review(game) => Start::Review(Box::new(game)),
        Begin::Play(start, names) => {
            let seats = names.map(|name| Some(name).filter(|name| name != "human"));
            Start::Play(Box::new(NewGame { start, seats, clock: protocol::Clock::None }))
        }
    };
    let options = Options {
        start,
        settings,
        language: language(),
        depth: match color() {
            Color::Never => Depth::None,
            Color::Auto | Color::Always => Depth::of_terminal(),
        },
        pace,
        seed: seed.unwrap_or_else(|| fastrand::u64(..)),
        keep,
        make: crate::contestant::program,
    };
    // A signal of the system ends the application as `q` does, so that the terminal is left clean.
    tui::run(options, |events| {
        let _ = ctrlc::set_handler(move || drop(events.send(tui::Event::Terminate)));
    })
}

#[cfg(not(feature = "full-screen"))]
pub(crate) fn run(_: Session, _: Begin) -> Result<()> {
    unreachable!("without the feature no screen is full")
}
