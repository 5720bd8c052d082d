//! The events: keys and mouse, results of searches, messages of a server, the end.

use players::Thought;
use protocol::Assessment;
use study::{review::Reviewed, skills::Learned};

use crate::online::News;

/// An event of the one channel.
#[derive(Debug)]
pub enum Event {
    /// A key, the mouse, a paste or a new size.
    Input(crossterm::event::Event),
    /// An answer of a search thread.
    Engine {
        /// The number of the question.
        job: u64,
        /// The answer.
        answer: Answer,
    },
    /// A message of a server.
    Online(News),
    /// The screen is due to change: a piece falls, or a clock runs.
    Wake,
    /// The process received a signal to end.
    Terminate,
}

/// A report of a search thread.
#[derive(Debug)]
pub enum Answer {
    /// The move of a program, or why there is none.
    Chosen(Result<Thought, String>),
    /// The assessment so far; the last one has reasons.
    Assessed(Assessment),
    /// One more move of a game.
    Reviewed(Box<Reviewed>),
    /// The whole game.
    ReviewDone,
    /// What a game says about the reader.
    Learned(Box<Learned>),
}
