//! The folder of a data set: its files, and the journal from which an interrupted run resumes.
//!
//! The journal has the settings and, after each batch of games, the complete length of both files. The files are synced
//! before the journal; anything beyond these lengths is from an interrupted batch, which is made again.

use std::{
    fs::{self, File, TryLockError},
    io::{self, BufRead, BufReader, Read, Seek, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::settings::Settings;

pub(super) const GAMES: &str = "games.jsonl";
pub(super) const POSITIONS: &str = "positions.jsonl";
pub(super) const ABOUT: &str = "dataset.json";
pub(super) const CARD: &str = "README.md";
pub(super) const CHECKSUMS: &str = "SHA256SUMS";
const JOURNAL: &str = "journal.jsonl";

/// The complete lengths of the files.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Progress {
    /// The number of games.
    pub(super) games: u64,
    /// The number of positions.
    pub(super) positions: u64,
    /// The lengths of the two files.
    bytes: [u64; 2],
}

/// A data set that is being made.
pub(super) struct Folder {
    path: PathBuf,
    journal: File,
    /// The files of games and of positions.
    files: [File; 2],
    pub(super) progress: Progress,
}

impl Folder {
    /// Opens the folder of a new or an interrupted run.
    pub(super) fn open(path: &Path, settings: &Settings) -> Result<Self> {
        let name = path.display();
        fs::create_dir_all(path).with_context(|| format!("cannot create {name}"))?;
        let journal_path = path.join(JOURNAL);
        let is_begun = journal_path.exists();
        if !is_begun
            && let Some(file) = [GAMES, POSITIONS, CHECKSUMS].iter().find(|file| path.join(file).exists())
        {
            bail!("{name} already contains a data set ({file}); choose another folder or remove it");
        }
        let open =
            |path: &Path| File::options().create(true).read(true).write(true).truncate(false).open(path);
        let mut journal =
            open(&journal_path).with_context(|| format!("cannot open {}", journal_path.display()))?;
        // Held until the file is closed, however the process ends.
        journal.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                anyhow!("another run is making the data set in {name}; wait until it ends")
            }
            TryLockError::Error(error) => {
                anyhow!(error).context(format!("cannot lock {}", journal_path.display()))
            }
        })?;
        let (progress, whole) = read_journal(&journal, settings)
            .with_context(|| format!("{} cannot be resumed", journal_path.display()))?;
        journal.set_len(whole)?;
        journal.seek(io::SeekFrom::End(0))?;
        if whole == 0 {
            writeln!(journal, "{}", serde_json::to_string(settings)?)?;
            journal.sync_all()?;
        }
        let mut files = Vec::new();
        for (file, length) in [GAMES, POSITIONS].into_iter().zip(progress.bytes) {
            let shown = path.join(file).display().to_string();
            let mut file = open(&path.join(file)).with_context(|| format!("cannot open {shown}"))?;
            if file.metadata()?.len() < length {
                bail!("{shown} is shorter than the journal says; remove the folder to start over");
            }
            file.set_len(length)?;
            file.seek(io::SeekFrom::End(0))?;
            files.push(file);
        }
        // A new file survives a crash only if its directory entry was synced too. Not every file system can.
        let _ = File::open(path).and_then(|folder| folder.sync_all());
        let files = files.try_into().expect("two files were opened");
        Ok(Self { path: path.to_owned(), journal, files, progress })
    }

    /// Appends the lines of some games and their positions.
    pub(super) fn append(&mut self, games: u64, positions: u64, lines: [&[u8]; 2]) -> Result<()> {
        let mut write = || {
            for (file, lines) in self.files.iter_mut().zip(lines) {
                file.write_all(lines)?;
                file.sync_data()?;
            }
            self.progress.games += games;
            self.progress.positions += positions;
            for (bytes, lines) in self.progress.bytes.iter_mut().zip(lines) {
                *bytes += lines.len() as u64;
            }
            writeln!(self.journal, "{}", serde_json::to_string(&self.progress)?)?;
            self.journal.sync_data()
        };
        write().with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Ends the run: the files are complete, and their checksums are written.
    pub(super) fn finish(self, card: &str, about: &str, files: &[&str]) -> Result<()> {
        replace(&self.path.join(ABOUT), about)?;
        replace(&self.path.join(CARD), card)?;
        let mut sums = String::new();
        for file in files {
            sums += &format!("{}  {file}\n", sha256(&self.path.join(file))?);
        }
        replace(&self.path.join(CHECKSUMS), &sums)?;
        // Written last: until then, the same command finishes the run again.
        let journal = self.path.join(JOURNAL);
        fs::remove_file(&journal).with_context(|| format!("cannot remove {}", journal.display()))
    }
}

/// Returns the complete lengths of the files by the journal, and the length of the journal without a partial last line.
/// A journal with other settings counts as empty if it has no games.
fn read_journal(journal: &File, settings: &Settings) -> Result<(Progress, u64)> {
    let mut reader = BufReader::new(journal);
    let (mut made, mut progress, mut whole, mut line) = (None, Progress::default(), 0, Vec::new());
    for number in 1.. {
        line.clear();
        reader.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            break;
        }
        if number == 1 {
            let read = serde_json::from_slice::<Settings>(&line);
            made = Some(read.map_err(|_| anyhow!("it is not a data set journal"))?);
        } else {
            progress = serde_json::from_slice(&line)
                .map_err(|_| anyhow!("line {number} is not a progress record"))?;
        }
        whole += line.len() as u64;
    }
    match made {
        Some(made) if made != *settings && progress.games > 0 => {
            let is_same = made.alinea == settings.alinea;
            let version = if is_same { String::new() } else { format!(" of version {}", made.alinea) };
            bail!("it was started with other settings{version}: {made}")
        }
        Some(made) if made == *settings => Ok((progress, whole)),
        _ => Ok((Progress::default(), 0)),
    }
}

/// Writes a file whole or not at all.
fn replace(path: &Path, text: &str) -> Result<()> {
    let new = path.with_extension("new");
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// The SHA-256 of a file, as text.
pub(super) fn sha256(path: &Path) -> Result<String> {
    let hash = || {
        let mut file = File::open(path)?;
        let (mut hasher, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                length => hasher.update(&buffer[..length]),
            }
        }
        io::Result::Ok(hasher.finalize())
    };
    let hash = hash().map_err(|error| anyhow!("cannot read {}: {error}", path.display()))?;
    Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads a file of the data set line by line.
pub(super) fn each_line(path: &Path, mut read: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        line.map_err(Into::into)
            .and_then(|line| read(&line))
            .with_context(|| format!("line {number} of {}", path.display()))?;
    }
    Ok(())
}
