//! The journal of a tournament: one line for each finished game, on the disk before it counts. Whatever
//! ends the arena, the next run reads it and plays what is missing.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Seek, Write},
    path::{Path, PathBuf},
};

use serde_json::Value;
use thiserror::Error;

use crate::{Record, Slot};

/// The file that games are appended to.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The disk refuses.
    #[error("cannot use the journal {path}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It belongs to something else.
    #[error(
        "the journal {0} is of a tournament with other settings: remove it to start anew, or take back the change"
    )]
    OtherSettings(String),
    /// A line in the middle makes no sense.
    #[error("line {line} of the journal {path} is no finished game: {reason}")]
    Line {
        /// Which file.
        path: String,
        /// Which line.
        line: usize,
        /// Why.
        reason: String,
    },
}

impl Journal {
    /// Opens a journal, or begins one, for a tournament with these settings; with the games in it.
    ///
    /// # Errors
    /// If it cannot be read or written, or is of another tournament.
    pub fn open(path: &Path, settings: &Value) -> Result<(Self, Vec<Record>), JournalError> {
        let name = path.display().to_string();
        let io = |source| JournalError::Io { path: name.clone(), source };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let mut records = Vec::new();
        let mut played = HashSet::new();
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        // Up to here the file is whole; what follows was being written when the arena ended.
        let mut whole = 0;
        for number in 1.. {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(io)?;
            if !line.ends_with(b"\n") {
                break;
            }
            if number == 1 {
                // Compared as text: a number may not come back from text to the last digit.
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

    /// Writes finished games. When it returns they are on the disk.
    ///
    /// # Errors
    /// If the disk refuses.
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

/// A new file is only there after a crash if its directory was written too. Where the system cannot do
/// that, the file is still written.
fn sync_directory(path: &Path) {
    if let Some(directory) = path.parent()
        && let Ok(directory) = File::open(directory)
    {
        let _ = directory.sync_all();
    }
}

/// Which games are in a list of records.
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
    use crate::bout::Spent;

    fn record(pair: usize) -> Record {
        Record {
            slot: Slot { round: 0, pairing: 0, pair, game: 0 },
            spec: "tic-tac-toe".parse().unwrap(),
            players: ["a".to_owned(), "b".to_owned()],
            position: None,
            opening: 0,
            moves: String::new(),
            result: Outcome::Draw,
            forfeit: None,
            spent: [Spent::default(); 2],
        }
    }

    fn path(test: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("alinea-journal-{test}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn games_come_back_and_half_a_line_is_forgotten() {
        let path = path("half");
        let settings = json!({ "seed": 1 });
        let (mut journal, records) = Journal::open(&path, &settings).unwrap();
        assert!(records.is_empty());
        journal.append(&[record(0), record(1)]).unwrap();
        let whole = fs::read(&path).unwrap();
        // Whatever part of the last line reached the disk, the games before it count, and only they.
        let begin = whole.len() - serde_json::to_string(&record(1)).unwrap().len() - 1;
        for length in [begin, begin + 1, begin + 20, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, records) = Journal::open(&path, &settings).unwrap();
            assert_eq!(records, [record(0)]);
            journal.append(&[record(1)]).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_game_written_twice_counts_once() {
        let path = path("twice");
        let (mut journal, _) = Journal::open(&path, &json!(1)).unwrap();
        journal.append(&[record(0), record(0), record(1)]).unwrap();
        assert_eq!(Journal::open(&path, &json!(1)).unwrap().1.len(), 2);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn other_settings_and_nonsense_are_refused() {
        let path = path("other");
        drop(Journal::open(&path, &json!(1)).unwrap());
        assert!(matches!(Journal::open(&path, &json!(2)), Err(JournalError::OtherSettings(_))));
        fs::write(&path, "1\nnonsense\n").unwrap();
        assert!(matches!(Journal::open(&path, &json!(1)), Err(JournalError::Line { line: 2, .. })));
        fs::remove_file(path).unwrap();
    }
}
