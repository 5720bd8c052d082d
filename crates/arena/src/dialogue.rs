//! The log of the dialogue with engines: every line in both directions, and the engines' standard error.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    process::ChildStderr,
    sync::Arc,
    thread,
    time::Instant,
};

use parking_lot::Mutex;

/// Maximum number of bytes of standard error logged per process; the rest is read and discarded.
const MAX_STDERR: usize = 8 * 1024 * 1024;
/// Longer lines of standard error are split.
const MAX_LINE: u64 = 4096;

/// A log file shared by all engines.
#[derive(Clone, Debug)]
pub struct Log {
    file: Arc<Mutex<File>>,
    created: Instant,
}

/// The dialogue with one engine. Each line has the seconds since the log was created, the name of the engine, and
/// `>` for text sent to the engine, `<` for its answers, or `!` for its standard error.
#[derive(Clone, Debug)]
pub(crate) struct Dialogue {
    log: Log,
    engine: String,
}

impl Log {
    /// Creates or truncates the file.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: Arc::new(Mutex::new(File::create(path)?)), created: Instant::now() })
    }

    pub(crate) fn of(&self, engine: &str) -> Dialogue {
        Dialogue { log: self.clone(), engine: engine.to_owned() }
    }
}

impl Dialogue {
    /// Logs text sent to the engine.
    pub(crate) fn sent(&self, text: &str) {
        text.lines().for_each(|line| self.write('>', line));
    }

    /// Logs a line from the engine.
    pub(crate) fn received(&self, line: &str) {
        self.write('<', line);
    }

    /// Logs the engine's standard error until it is closed.
    pub(crate) fn follow(self, stderr: ChildStderr) {
        thread::spawn(move || {
            let mut stderr = BufReader::new(stderr);
            let (mut line, mut logged) = (Vec::new(), 0);
            loop {
                line.clear();
                match stderr.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => break,
                    Ok(_) if logged > MAX_STDERR => {}
                    Ok(read) => {
                        logged += read;
                        self.write('!', String::from_utf8_lossy(&line).trim_end());
                    }
                }
            }
        });
    }

    fn write(&self, mark: char, line: &str) {
        let seconds = self.log.created.elapsed().as_secs_f64();
        let line = format!("{seconds:10.3} {} {mark} {line}\n", self.engine);
        // A full disk must not lose a game.
        let _ = self.log.file.lock().write_all(line.as_bytes());
    }
}
