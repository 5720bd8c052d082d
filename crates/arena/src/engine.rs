//! A built-in program as an engine on standard input and output, for other tools: what all protocols share.

use std::{
    io::{self, BufRead, Read, Write},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::Instant,
};

use players::Program;
use rules::Spec;

/// Maximum length of a line; a longer one is cut and rejected.
const MAX_LINE: u64 = 1 << 20;

/// Creates the programs of an engine. A new game, seed or option creates a new program.
pub trait EngineHost {
    /// The engine's name.
    fn name(&self) -> String;

    /// Creates a program for this game.
    ///
    /// # Errors
    /// If the game has no such player; the message says why.
    fn program(&mut self, spec: Spec, seed: u64) -> Result<Program, String>;

    /// Options besides `Game` and `Seed`, in the syntax of UGI.
    fn options(&self) -> Vec<String> {
        Vec::new()
    }

    /// Sets one of the options; unknown ones are ignored.
    ///
    /// # Errors
    /// If the value is invalid; the message says why.
    fn set(&mut self, _spec: Spec, _name: &str, _value: &str) -> Result<(), String> {
        Ok(())
    }
}

/// What wakes the main thread of an engine; `T` is the answer of its search.
pub(crate) enum Event<T> {
    Line(String),
    EndOfInput,
    Answer(T),
}

/// A job for the search thread.
enum Job<T> {
    UseProgram(Program),
    Search(Box<dyn FnOnce(&mut Program) -> T + Send>),
}

/// The threads of an engine besides the main one: one reads standard input, the other searches.
pub(crate) struct EngineThreads<T> {
    inbox: Receiver<Event<T>>,
    jobs: Sender<Job<T>>,
}

impl<T: Send + 'static> EngineThreads<T> {
    pub(crate) fn start() -> Self {
        let (events, inbox) = mpsc::channel();
        let (jobs, queue) = mpsc::channel();
        let lines = events.clone();
        thread::spawn(move || read_lines(&lines));
        thread::spawn(move || {
            let mut program: Option<Program> = None;
            while let Ok(job) = queue.recv() {
                match job {
                    Job::UseProgram(other) => program = Some(other),
                    Job::Search(search) => {
                        let program = program.as_mut().expect("a program is set before the first search");
                        if events.send(Event::Answer(search(program))).is_err() {
                            return;
                        }
                    }
                }
            }
        });
        Self { inbox, jobs }
    }

    /// Replaces the program that searches.
    pub(crate) fn use_program(&self, program: Program) {
        // The search thread lives as long as this one.
        let _ = self.jobs.send(Job::UseProgram(program));
    }

    /// Starts a search; its answer is an event.
    pub(crate) fn search(&self, search: impl FnOnce(&mut Program) -> T + Send + 'static) {
        let _ = self.jobs.send(Job::Search(Box::new(search)));
    }

    /// Waits for the next event, or until the deadline.
    pub(crate) fn next(&self, deadline: Option<Instant>) -> Result<Event<T>, RecvTimeoutError> {
        match deadline {
            None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => self.inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        }
    }
}

fn read_lines<T>(events: &Sender<Event<T>>) {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                if events.send(Event::Line(text)).is_err() {
                    return;
                }
            }
        }
    }
    // The receiver may have gone already.
    let _ = events.send(Event::EndOfInput);
}

/// Writes lines at once.
pub(crate) fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}")?;
    output.flush()
}
