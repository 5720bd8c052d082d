//! The journal of a tournament: one line per finished game, synced to disk before the game counts. After a
//! crash the next run reads it and plays the missing games.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufRead, BufReader, Seek, Write},
    path::{Path, PathBuf},
};

use serde_json::Value;
use thiserror::Error;

use crate::{Record, Slot};

/// The file to which games are appended.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("cannot read or write the journal {path}")]
    Io {
        /// The file.
        path: String,
        /// The cause.
        source: io::Error,
    },
    /// The journal belongs to another tournament.
    #[error(
        "the journal {0} belongs to a tournament with other settings; remove it to start over, or restore the settings"
    )]
    OtherSettings(String),
    /// Another run is appending to the journal.
    #[error("another run uses the journal {0}; wait until it ends, or choose another folder")]
    InUse(String),
    /// A line other than the last cannot be parsed.
    #[error("line {line} of the journal {path} is not a game record: {reason}")]
    Line {
        /// The file.
        path: String,
        /// The line number.
        line: usize,
        /// The cause.
        reason: String,
    },
}

impl Journal {
    /// Returns the identity of the tournament to which a journal belongs; `None` if there is no such journal.
    #[must_use]
    pub fn identity(path: &Path) -> Option<String> {
        let mut line = String::new();
        BufReader::new(File::open(path).ok()?).read_line(&mut line).ok()?;
        line.ends_with('\n').then(|| line.trim_end().to_owned())
    }

    /// Opens or creates the journal of a tournament with these settings, and returns the games in it.
    ///
    /// # Errors
    /// If it cannot be read or written, is in use, or belongs to another tournament.
    pub fn open(path: &Path, settings: &Value) -> Result<(Self, Vec<Record>), JournalError> {
        let name = path.display().to_string();
        let io = |source| JournalError::Io { path: name.clone(), source };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        // Held until the journal is dropped or the process ends, however it ends.
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse(name.clone()),
            TryLockError::Error(source) => io(source),
        })?;
        let mut records = Vec::new();
        let mut played = HashSet::new();
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        // The file is complete up to here; the rest is a write that a crash interrupted.
        let mut whole = 0;
        for number in 1.. {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(io)?;
            if !line.ends_with(b"\n") {
                break;
            }
            if number == 1 {
                // Compared as text: a float may not round-trip to the last digit.
                if line.trim_ascii_end() != settings.to_string().as_bytes() {
                    return Err(JournalError::OtherSettings(name));
                }
            } else {
                let record: Record = serde_json::from_slice(&line).map_err(|error| JournalError::Line {
                    path: name.clone(),
                    line: number,
                    reason: error.to_string(),
                })?;
                if played.insert(record.slot) {
                    records.push(record);
                }
            }
            whole += length as u64;
        }
        file.set_len(whole).map_err(io)?;
        file.seek(io::SeekFrom::End(0)).map_err(io)?;
        if whole == 0 {
            writeln!(file, "{settings}").and_then(|()| file.sync_all()).map_err(io)?;
            sync_directory(path);
        }
        Ok((Self { path: path.to_owned(), file }, records))
    }

    /// Appends finished games and syncs them to disk.
    ///
    /// # Errors
    /// If writing fails.
    pub fn append(&mut self, records: &[Record]) -> Result<(), JournalError> {
        let mut text = String::new();
        for record in records {
            text += &serde_json::to_string(record).expect("a record has only text and numbers");
            text.push('\n');
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|source| JournalError::Io { path: self.path.display().to_string(), source })
    }
}

/// Syncs the directory entry of a new file, without which the file may not survive a crash. Best effort: not
/// every file system supports it.
fn sync_directory(path: &Path) {
    if let Some(directory) = path.parent()
        && let Ok(directory) = File::open(directory)
    {
        let _ = directory.sync_all();
    }
}

/// Returns the slots of these records.
#[must_use]
pub fn slots(records: &[Record]) -> HashSet<Slot> {
    records.iter().map(|record| record.slot).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rules::Outcome;
    use serde_json::json;

    use super::*;
    use crate::{PlayedGame, bout::TimeUsed};

    fn record(pair: usize) -> Record {
        Record {
            played: PlayedGame {
                slot: Slot { round: 0, pairing: 0, pair, game: 0 },
                players: ["a".to_owned(), "b".to_owned()],
                position: None,
                moves: String::new(),
                result: Outcome::Draw,
                forfeit: None,
            },
            spec: "tic-tac-toe".parse().unwrap(),
            opening: 0,
            adjudicated: None,
            spent: [TimeUsed::default(); 2],
            evaluations: Vec::new(),
        }
    }

    fn path(test: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("alinea-journal-{test}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn games_are_restored_and_a_torn_line_is_dropped() {
        let path = path("half");
        let settings = json!({ "seed": 1 });
        let (mut journal, records) = Journal::open(&path, &settings).unwrap();
        assert!(records.is_empty());
        journal.append(&[record(0), record(1)]).unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        // However much of the last line reached the disk, exactly the games before it count.
        let begin = whole.len() - serde_json::to_string(&record(1)).unwrap().len() - 1;
        for length in [begin, begin + 1, begin + 20, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, records) = Journal::open(&path, &settings).unwrap();
            assert_eq!(records, [record(0)]);
            journal.append(&[record(1)]).unwrap();
            drop(journal);
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_duplicate_game_counts_once() {
        let path = path("twice");
        let (mut journal, _) = Journal::open(&path, &json!(1)).unwrap();
        journal.append(&[record(0), record(0), record(1)]).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path, &json!(1)).unwrap().1.len(), 2);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_journal_has_one_writer() {
        let path = path("two");
        let (mut journal, _) = Journal::open(&path, &json!(1)).unwrap();
        assert!(matches!(Journal::open(&path, &json!(1)), Err(JournalError::InUse(_))));
        journal.append(&[record(0)]).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path, &json!(1)).unwrap().1, [record(0)]);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn other_settings_and_corrupt_lines_are_rejected() {
        let path = path("other");
        drop(Journal::open(&path, &json!(1)).unwrap());
        assert!(matches!(Journal::open(&path, &json!(2)), Err(JournalError::OtherSettings(_))));
        fs::write(&path, "1\nnonsense\n").unwrap();
        assert!(matches!(Journal::open(&path, &json!(1)), Err(JournalError::Line { line: 2, .. })));
        fs::remove_file(path).unwrap();
    }
}
