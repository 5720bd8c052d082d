//! Games in the user's data folder: every finished game as text, the unfinished one as its log; and the settings.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use protocol::{LearnedGame, Snapshot};
use rules::{AnyGame, Outcome, Side, game_text};
use serde::{Deserialize, Serialize};
use study::skills::Exercise;
use table::{LocalTable, LogEntry};

use crate::{
    local::is_worth_keeping,
    system,
    theme::{Glyphs, Theme},
};

/// Settings for all games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The colours.
    pub theme: Theme,
    /// The characters.
    pub glyphs: Glyphs,
    /// Whether pieces fall.
    pub animation: bool,
    /// The code of the language, if it is not that of the system.
    pub language: Option<String>,
    /// Whether the evaluation is shown at first.
    pub evaluation: bool,
    /// The server for online games, if it is not the default one.
    pub server: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            glyphs: Glyphs::default(),
            animation: true,
            language: None,
            evaluation: false,
            server: None,
        }
    }
}

/// A folder with games and settings.
#[derive(Clone, Debug)]
pub struct Keep {
    folder: PathBuf,
}

/// What was learned from the reader's games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LearnedHere {
    /// Reviewed games.
    #[serde(default)]
    pub(crate) games: Vec<LearnedGame>,
    /// Exercises.
    #[serde(default)]
    pub(crate) exercises: Vec<Exercise>,
}

/// A game that was kept.
#[derive(Debug)]
pub struct Kept {
    /// Its number, from 1.
    pub number: u32,
    /// The text of its file.
    pub text: String,
    /// The game as read, or why it cannot be.
    pub game: Result<game_text::Read, game_text::ReadError>,
    /// When it was kept, in Unix milliseconds.
    pub at: u64,
    /// The day on which it ended, such as `2026-05-01`.
    pub date: Option<String>,
}

impl Keep {
    /// The user's data folder: `$ALINEA_DATA`, or the system's folder for such data.
    #[must_use]
    pub fn of_user() -> Self {
        Self::at(system::variable("ALINEA_DATA").unwrap_or_else(|| system::user_data().join("alinea")))
    }

    /// This folder.
    #[must_use]
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The path of the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn games(&self) -> PathBuf {
        self.folder.join("games")
    }

    /// Saves a finished game and returns its number. Two running programs never take the same number.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&self, text: &str) -> io::Result<u32> {
        fs::create_dir_all(self.games())?;
        let mut number = self.numbers()?.last().map_or(1, |last| last + 1);
        loop {
            let path = self.path(number);
            match fs::File::options().write(true).create_new(true).open(path) {
                Ok(mut file) => {
                    file.write_all(text.as_bytes())?;
                    return Ok(number);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    fn path(&self, number: u32) -> PathBuf {
        self.games().join(format!("{number:06}.txt"))
    }

    /// The numbers of all games, in order.
    ///
    /// # Errors
    /// If the folder cannot be read; one that does not exist has no games.
    pub fn numbers(&self) -> io::Result<Vec<u32>> {
        let entries = match fs::read_dir(self.games()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut numbers: Vec<u32> = entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".txt")?.parse().ok())
            .collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Returns the game with this number.
    ///
    /// # Errors
    /// If there is none.
    pub fn get(&self, number: u32) -> io::Result<Kept> {
        let text = fs::read_to_string(self.path(number))?;
        let written = fs::metadata(self.path(number))?.modified()?.duration_since(UNIX_EPOCH);
        let at = written.map_or(0, |since| since.as_millis() as u64);
        let game = game_text::read(&text).map(|mut games| games.remove(0));
        let date = text.lines().find_map(|line| line.strip_prefix("[Date \"")?.strip_suffix("\"]"));
        Ok(Kept { number, at, date: date.map(str::to_owned), game, text })
    }

    /// Stores the game in progress, or deletes it.
    pub(crate) fn set_current(&self, table: Option<&LocalTable>) -> io::Result<()> {
        let path = self.folder.join("current.json");
        match table.filter(|table| is_worth_keeping(table)) {
            Some(table) => self.write(&path, &serde_json::to_string(table.log())?),
            None => match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            },
        }
    }

    /// The game that was not finished.
    pub(crate) fn current(&self) -> Option<LocalTable> {
        let text = fs::read_to_string(self.folder.join("current.json")).ok()?;
        let log: Vec<LogEntry> = serde_json::from_str(&text).ok()?;
        LocalTable::from_log(log).ok().filter(is_worth_keeping)
    }

    /// The settings; the usual ones if none can be read.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let text = fs::read_to_string(self.folder.join("terminal.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(crate) fn set_settings(&self, settings: &Settings) -> io::Result<()> {
        self.write(&self.folder.join("terminal.json"), &serde_json::to_string_pretty(settings)?)
    }

    /// What was learned from the games; nothing if it cannot be read.
    pub(crate) fn learned(&self) -> LearnedHere {
        let text = fs::read_to_string(self.folder.join("improve.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(crate) fn set_learned(&self, learned: &LearnedHere) -> io::Result<()> {
        self.write(&self.folder.join("improve.json"), &serde_json::to_string(learned)?)
    }

    /// The cookies of a server, by which it knows the reader.
    pub(crate) fn cookies(&self, server: &str) -> BTreeMap<String, String> {
        self.all_cookies().remove(server).unwrap_or_default()
    }

    pub(crate) fn set_cookies(&self, server: &str, cookies: &BTreeMap<String, String>) -> io::Result<()> {
        let mut all = self.all_cookies();
        all.insert(server.to_owned(), cookies.clone());
        self.write(&self.folder.join("servers.json"), &serde_json::to_string_pretty(&all)?)
    }

    fn all_cookies(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let text = fs::read_to_string(self.folder.join("servers.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Replaces a file atomically: a crash leaves the old or the new file.
    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let new = path.with_extension("new");
        // Cookies are as good as passwords.
        system::create_private(&new)?.write_all(text.as_bytes())?;
        fs::rename(new, path)
    }
}

/// A game as text, with its players, result and the date of `now`, a Unix time in milliseconds.
pub(crate) fn written(table: &Snapshot, game: &AnyGame, now: u64) -> String {
    let settings = &table.settings;
    let mut tags = vec![("Game", settings.game.clone())];
    for (name, seat) in [("First", 0), ("Second", 1)] {
        tags.push((name, table.seats[seat].name().to_owned()));
    }
    tags.push(("Date", game_text::date(now)));
    if let Some(position) = &settings.position {
        tags.push(("Position", position.clone()));
    }
    let outcome = table.result.and_then(|result| match (result.winner, result.reason) {
        (Some(side), _) => Some(Outcome::Win(side)),
        (None, protocol::EndReason::Aborted | protocol::EndReason::Declined) => None,
        (None, _) => Some(Outcome::Draw),
    });
    if let Some(result) = table.result.filter(|result| result.reason != protocol::EndReason::Rules) {
        let reason = serde_json::to_value(result.reason).expect("a reason is a word");
        tags.push(("Termination", reason.as_str().unwrap_or_default().to_owned()));
    }
    let mut start = game.clone();
    while start.take_back().is_some() {}
    let moves: Vec<_> = table.moves.iter().map(|played| played.text.as_str()).collect();
    game_text::write(&tags, start.turn() == Side::Second, moves, &[], outcome)
}
