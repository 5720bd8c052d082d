//! Searches in the background: programs that play, assessments and reviews. Each runs in a thread and reports to the
//! application's channel. A new search in a slot cancels the previous one.

use std::{
    collections::HashMap,
    panic::{self, AssertUnwindSafe},
    sync::mpsc::{self, Sender},
    thread,
    time::{Duration, Instant},
};

use players::{NoMove, Program, Stop, system};
use protocol::Assessment;
use rules::{AnyGame, Side};
use study::{
    assessment::{Limits, assess},
    review::{review, review_side},
    skills::learn,
};

use crate::event::{Answer, Event};

/// Makes a program of the roster, or an external one.
pub type MakeProgram = fn(&AnyGame, &str, u64) -> anyhow::Result<Program>;

/// Minimum time between two reports of one assessment.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// Limits of each position of a game that is reviewed for what it says about the reader; the same as on the page.
const LEARN_LIMITS: Limits =
    Limits { lines: 1, threads: 1, time: Some(Duration::from_millis(100)), nodes: None, depth: None };

/// Kinds of searches that can run at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Slot {
    Choose,
    Assess,
    Review,
    Learn,
}

/// Running searches.
pub(crate) struct Engine {
    events: Sender<Event>,
    make: MakeProgram,
    last: u64,
    running: HashMap<Slot, (u64, Stop)>,
    seed: u64,
}

impl Engine {
    pub(crate) fn new(events: Sender<Event>, make: MakeProgram, seed: u64) -> Self {
        Self { events, make, last: 0, running: HashMap::new(), seed }
    }

    /// Whether this result belongs to the last search of a slot.
    pub(crate) fn is_current(&self, slot: Slot, job: u64) -> bool {
        self.running.get(&slot).is_some_and(|(id, _)| *id == job)
    }

    /// Whether a search runs in a slot.
    pub(crate) fn is_busy(&self, slot: Slot) -> bool {
        self.running.contains_key(&slot)
    }

    /// Marks the search of a slot as finished.
    pub(crate) fn finish(&mut self, slot: Slot) {
        self.running.remove(&slot);
    }

    pub(crate) fn cancel(&mut self, slot: Slot) {
        if let Some((_, stop)) = self.running.remove(&slot) {
            stop.cancel();
        }
    }

    pub(crate) fn cancel_all(&mut self) {
        for (_, (_, stop)) in self.running.drain() {
            stop.cancel();
        }
    }

    /// Whether a program can be made.
    pub(crate) fn check(&self, game: &AnyGame, name: &str) -> anyhow::Result<()> {
        (self.make)(game, name, 0).map(drop)
    }

    fn begin(&mut self, slot: Slot) -> (u64, Stop, Sender<Event>) {
        self.cancel(slot);
        self.last += 1;
        let stop = Stop::default();
        self.running.insert(slot, (self.last, stop.clone()));
        (self.last, stop, self.events.clone())
    }

    /// Lets a program choose a move, after at least `pace`, so that a person can follow.
    pub(crate) fn choose(&mut self, game: &AnyGame, name: &str, pace: Duration) {
        let (job, stop, events) = self.begin(Slot::Choose);
        let (game, name, make) = (game.clone(), name.to_owned(), self.make);
        let seed = self.seed.wrapping_add(game.moves().len() as u64);
        thread::spawn(move || {
            let start = Instant::now();
            let choose = || {
                make(&game, &name, seed).map_err(|error| error.to_string()).and_then(|mut program| {
                    program.choose(&game, &stop).map_err(|error| match error {
                        NoMove::Failed(reason) => reason,
                        _ => String::new(),
                    })
                })
            };
            // A program that panics loses its game and nothing else.
            let chosen = panic::catch_unwind(AssertUnwindSafe(choose))
                .unwrap_or_else(|_| Err("it stopped unexpectedly".to_owned()));
            if stop.is_cancelled() {
                return;
            }
            if let Some(left) = pace.checked_sub(start.elapsed()) {
                thread::sleep(left);
            }
            // The screen may be gone by now.
            let _ = events.send(Event::Engine { job, answer: Answer::Chosen(chosen) });
        });
    }

    /// Assesses a position for this long.
    pub(crate) fn assess(&mut self, game: &AnyGame, limits: Limits) {
        let (job, stop, events) = self.begin(Slot::Assess);
        let game = game.clone();
        thread::spawn(move || {
            let send = |assessment: Assessment| {
                let _ = events.send(Event::Engine { job, answer: Answer::Assessed(assessment) });
            };
            let mut reported: Option<Instant> = None;
            let last = assess(&game, &limits, &system::resources(0), &stop, &mut |known| {
                if reported.is_none_or(|at| at.elapsed() >= REPORT_INTERVAL) {
                    reported = Some(Instant::now());
                    send(Assessment::new(&game, known.clone()));
                }
            });
            if !stop.is_cancelled() {
                send(Assessment::last(&game, last));
            }
        });
    }

    /// Reviews a game move by move.
    pub(crate) fn review(&mut self, game: &AnyGame, limits: Limits) {
        let (job, stop, events) = self.begin(Slot::Review);
        let game = game.clone();
        thread::spawn(move || {
            let send = |answer| {
                let _ = events.send(Event::Engine { job, answer });
            };
            review(&game, &limits, &system::resources(0), &stop, &mut |reviewed| {
                send(Answer::Reviewed(Box::new(reviewed.clone())));
            });
            if !stop.is_cancelled() {
                send(Answer::ReviewDone);
            }
        });
    }

    /// Finds out what a finished game with this id says about the player of a side.
    pub(crate) fn learn(&mut self, game: &AnyGame, side: Side, id: String, at: u64) {
        let (job, stop, events) = self.begin(Slot::Learn);
        let game = game.clone();
        thread::spawn(move || {
            let resources = system::resources(0);
            let review = review_side(&game, side, &LEARN_LIMITS, &resources, &stop);
            if stop.is_cancelled() {
                return;
            }
            let learned = learn((&game, &id), side, &review, (&LEARN_LIMITS, &resources, at));
            let _ = events.send(Event::Engine { job, answer: Answer::Learned(Box::new(learned)) });
        });
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.cancel_all();
    }
}

/// A channel for everything that happens.
pub(crate) fn channel() -> (Sender<Event>, mpsc::Receiver<Event>) {
    mpsc::channel()
}
