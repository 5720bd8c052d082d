//! Jobs and their outputs as data, the same whether this process runs them or a worker on
//! another machine.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use players::{NoMove, Stop, roster, system};
use protocol::{Assessment, Thought};
use rules::{AnyGame, Side};
use serde::{Deserialize, Serialize};
use study::{
    assessment::{Limits, assess},
    review::{Reviewed, review_after, review_where},
    skills::{Learned, learn},
};
use tokio::sync::mpsc;

/// A program that takes longer is stopped and plays its best move so far.
const MOVE_NOW_TIMEOUT: Duration = Duration::from_secs(10);
/// Minimum interval between intermediate results of an analysis.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);
/// Total time of a review, shared by its moves.
const REVIEW_TIME: Duration = Duration::from_secs(8);
/// Maximum time for one move of a review.
const MAX_MOVE_TIME: Duration = Duration::from_millis(100);
/// Maximum number of outputs buffered for a slow reader.
const MAX_OUTPUTS: usize = 64;

/// A game with its starting position and moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Course {
    game: String,
    start: String,
    moves: Vec<String>,
}

impl From<&AnyGame> for Course {
    fn from(game: &AnyGame) -> Self {
        let mut start = game.clone();
        while start.take_back().is_some() {}
        Self { game: game.spec().to_string(), start: start.position(), moves: game.moves() }
    }
}

impl Course {
    fn game(&self) -> Result<AnyGame, String> {
        let mut game = table::start_game(&self.game, Some(&self.start)).map_err(|error| error.message)?;
        game.play_all(&self.moves.join(" ")).map_err(|error| error.to_string())?;
        Ok(game)
    }
}

/// A job to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Question {
    /// The move of a program.
    Turn {
        /// Its name in the roster.
        name: String,
        seed: u64,
        /// The time after which it should move, in milliseconds.
        budget_ms: Option<u64>,
    },
    /// The assessment of a position.
    Assess { lines: usize, time_ms: u64 },
    /// The review of the moves after a number.
    Review {
        from: usize,
        /// The time that earlier slices of the review took, in milliseconds.
        #[serde(default)]
        spent_ms: u64,
    },
    /// What the game says about the player of a side.
    Learn {
        side: Side,
        id: String,
        /// When the game ended, in Unix milliseconds.
        at: u64,
        /// The moves that earlier slices reviewed.
        review: Vec<Reviewed>,
    },
}

/// A request about a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) course: Course,
    pub(crate) question: Question,
}

/// An output of a job. The last one is [`Output::is_last`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Output {
    /// The job was taken from the queue.
    Started { waited_ms: u64 },
    /// The move of a program, to be played no earlier than `least_ms` after its turn began.
    Thought { thought: Thought, least_ms: u64, took_ms: u64 },
    /// The current assessment of the position; `done` marks the final one.
    Assessment(Box<Assessment>),
    /// A move of a review.
    Reviewed(Box<Reviewed>),
    /// The end of a review.
    ReviewEnd,
    /// What a game says about one of its players.
    Learned(Box<Learned>),
    /// A review gave up its slot because other jobs wait. It continues from here.
    Yielded(Question),
    /// The job was cancelled.
    Stopped,
    /// The job failed, for this reason.
    Failed(String),
}

impl Output {
    pub(crate) fn is_last(&self) -> bool {
        match self {
            Self::Started { .. } | Self::Reviewed(_) => false,
            Self::Assessment(assessment) => assessment.done,
            Self::Thought { .. }
            | Self::ReviewEnd
            | Self::Learned(_)
            | Self::Yielded(_)
            | Self::Stopped
            | Self::Failed(_) => true,
        }
    }
}

/// The outputs of a running job. Dropping it stops the job.
pub(crate) struct Outputs {
    pub(crate) receiver: mpsc::Receiver<Output>,
    pub(crate) stop: Stop,
}

impl Outputs {
    /// Creates the receiver of outputs and its sender.
    pub(crate) fn channel(stop: Stop) -> (mpsc::Sender<Output>, Self) {
        let (sender, receiver) = mpsc::channel(MAX_OUTPUTS);
        (sender, Self { receiver, stop })
    }

    /// Returns the next output; after the last one, [`Output::Stopped`].
    pub(crate) async fn next(&mut self) -> Output {
        self.receiver.recv().await.unwrap_or(Output::Stopped)
    }
}

impl Drop for Outputs {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Job {
    /// Returns the signal that makes the job give up its slot soon: a review yields between two moves, all else ends with
    /// the best it has.
    pub(crate) fn hurry(&self, stop: &Stop) -> Stop {
        let yields = matches!(self.question, Question::Review { .. } | Question::Learn { .. });
        if yields { Stop::default() } else { stop.clone() }
    }

    /// Runs a job on a blocking thread until it is done, stopped, or its outputs have no receiver; returns the last output.
    /// `guard` lives as long as the thread.
    pub(crate) async fn run(
        self,
        stop: Stop,
        hurry: Stop,
        outputs: mpsc::Sender<Output>,
        guard: impl Send + 'static,
    ) -> Output {
        let budget = match &self.question {
            Question::Turn { budget_ms, .. } => {
                budget_ms.map_or(MOVE_NOW_TIMEOUT, Duration::from_millis).min(MOVE_NOW_TIMEOUT)
            }
            _ => Duration::MAX,
        };
        let mut work = {
            let stop = stop.clone();
            tokio::task::spawn_blocking(move || {
                let _guard = guard;
                self.think(&stop, &hurry, &outputs)
            })
        };
        let done = tokio::select! {
            done = &mut work => done,
            () = tokio::time::sleep(budget) => {
                stop.move_now();
                work.await
            }
        };
        done.unwrap_or_else(|_| Output::Failed("it panicked".to_owned()))
    }

    /// Runs a job and returns the last output.
    fn think(self, stop: &Stop, hurry: &Stop, outputs: &mpsc::Sender<Output>) -> Output {
        if stop.is_cancelled() {
            return Output::Stopped;
        }
        let game = match self.course.game() {
            Ok(game) => game,
            Err(reason) => return Output::Failed(reason),
        };
        match self.question {
            Question::Turn { name, seed, .. } => choose(&game, &name, seed, stop),
            Question::Assess { lines, time_ms } => {
                let time = Some(Duration::from_millis(time_ms));
                let limits = Limits { lines, time, ..Limits::default() };
                let mut sent: Option<Instant> = None;
                let last = assess(&game, &limits, &system::resources(0), stop, &mut |assessment| {
                    if sent.is_none_or(|sent| sent.elapsed() >= PROGRESS_INTERVAL) {
                        sent = Some(Instant::now());
                        send(
                            outputs,
                            Output::Assessment(Box::new(Assessment::new(&game, assessment.clone()))),
                            stop,
                        );
                    }
                });
                Output::Assessment(Box::new(Assessment::last(&game, last)))
            }
            Question::Review { from, spent_ms } => {
                let start = Instant::now();
                let count = game.moves().len();
                let time = (REVIEW_TIME / count.max(1) as u32).min(MAX_MOVE_TIME);
                let limits = Limits { time: Some(time), ..Limits::default() };
                let mut rest = None;
                review_after(&game, from, &limits, &system::resources(0), stop, &mut |reviewed| {
                    send(outputs, Output::Reviewed(Box::new(reviewed.clone())), stop);
                    let spent = Duration::from_millis(spent_ms) + start.elapsed();
                    let from = reviewed.number as usize;
                    if spent >= REVIEW_TIME || from >= count {
                        return ControlFlow::Break(());
                    }
                    if hurry.must_move_now() {
                        rest = Some(Question::Review { from, spent_ms: spent.as_millis() as u64 });
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                });
                if let Some(rest) = rest {
                    return Output::Yielded(rest);
                }
                Output::ReviewEnd
            }
            Question::Learn { side, id, at, mut review } => {
                let own = game.moves().len().div_ceil(2);
                let time = (REVIEW_TIME / own.max(1) as u32).min(MAX_MOVE_TIME);
                let limits = Limits { time: Some(time), ..Limits::default() };
                let from = review.last().map_or(0, |last| last.number as usize);
                let is_wanted = |number, mover| number > from && mover == side;
                let resources = system::resources(0);
                let mut yields = false;
                review.extend(review_where(&game, is_wanted, &limits, &resources, stop, &mut |_| {
                    yields = hurry.must_move_now();
                    if yields { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                }));
                if stop.is_cancelled() {
                    return Output::Stopped;
                }
                if yields {
                    return Output::Yielded(Question::Learn { side, id, at, review });
                }
                Output::Learned(Box::new(learn((&game, &id), side, &review, (&limits, &resources, at))))
            }
        }
    }
}

/// Sends from a blocking thread; stops the job if the output has no receiver.
fn send(outputs: &mpsc::Sender<Output>, output: Output, stop: &Stop) {
    if outputs.blocking_send(output).is_err() {
        stop.cancel();
    }
}

/// The move of a program.
fn choose(game: &AnyGame, name: &str, seed: u64, stop: &Stop) -> Output {
    let start = Instant::now();
    let program = roster::program(game, name, &system::resources(seed));
    let mut program = match program {
        Ok(program) => program,
        Err(error) => return Output::Failed(error.to_string()),
    };
    match program.choose(game, stop) {
        Ok(thought) => Output::Thought {
            thought,
            least_ms: program.thinking_time().as_millis() as u64,
            took_ms: start.elapsed().as_millis() as u64,
        },
        Err(NoMove::Stopped) => Output::Stopped,
        Err(error) => Output::Failed(error.to_string()),
    }
}
