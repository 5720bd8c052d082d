//! Many games of one kind, played side by side: what `Batch` shows as arrays.

use std::thread;

use fastrand::Rng;
use rules::{AnyGame, Board, Outcome, Side};

use crate::{
    observe::Layout,
    playout::{self, random_move},
};

/// Minimum number of games per thread.
const GAMES_PER_THREAD: usize = 512;

/// Games of one kind and size.
pub(crate) trait Games: Send + Sync {
    fn check(&self, actions: &[i64]) -> Result<(), (usize, String)>;
    fn step(&mut self, actions: &[i64], out: Arrays, threads: usize);
    fn legal(&self, out: &mut [bool], threads: usize);
    fn observe(&self, out: &mut [f32], threads: usize);
    fn random_actions(&mut self, out: &mut [i64], threads: usize);
    fn playout(&mut self, out: Arrays, threads: usize);
    fn sample(&mut self, plies: [u16; 2], out: &mut [Sampled], threads: usize);
    fn reset(&mut self, which: &dyn Fn(usize) -> bool, out: &mut Arrays) -> usize;
    fn history(&self, game: usize) -> &[u16];
    fn stepped(&self, out: &mut Arrays);
    fn actions(&self) -> usize;
    fn layout(&self) -> &Layout;
}

/// The values of a game in the arrays after a step.
#[derive(Clone, Copy, Default)]
pub(crate) struct Stepped {
    pub(crate) reward: f32,
    pub(crate) turn: i8,
    /// 1 if the first side has won, −1 if the second, 0 otherwise.
    pub(crate) outcome: i8,
    pub(crate) done: bool,
}

/// The arrays of a batch, one value for each game.
pub(crate) struct Arrays<'a> {
    pub(crate) rewards: &'a mut [f32],
    pub(crate) turn: &'a mut [i8],
    pub(crate) outcome: &'a mut [i8],
    pub(crate) done: &'a mut [bool],
}

impl<'a> Arrays<'a> {
    pub(crate) fn set(&mut self, game: usize, stepped: Stepped) {
        self.rewards[game] = stepped.reward;
        self.turn[game] = stepped.turn;
        self.outcome[game] = stepped.outcome;
        self.done[game] = stepped.done;
    }

    /// The arrays of so many games at a time.
    fn chunks(self, size: usize) -> impl Iterator<Item = Arrays<'a>> {
        let sides = self.turn.chunks_mut(size).zip(self.outcome.chunks_mut(size));
        let others = self.rewards.chunks_mut(size).zip(self.done.chunks_mut(size));
        others.zip(sides).map(|((rewards, done), (turn, outcome))| Arrays { rewards, turn, outcome, done })
    }
}

/// A moment of a random game.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sampled {
    /// The action that followed; none if no game lasted long enough.
    pub(crate) action: Option<u16>,
    /// How the game ended for the side to move.
    pub(crate) value: i8,
    pub(crate) stepped: Stepped,
}

/// Maximum number of random games played until one lasts long enough.
const ATTEMPTS: usize = 1000;

/// The longest course of a game for which a lane has room from the beginning.
const MOST_ROOM: usize = 64;

struct Typed<P: Board> {
    start: Lane<P>,
    layout: Layout,
    lanes: Vec<Lane<P>>,
    /// One random source per game, whichever thread plays it; resets do not restart it.
    rngs: Vec<Rng>,
}

/// One game.
#[derive(Clone)]
struct Lane<P> {
    position: P,
    outcome: Option<Outcome>,
    /// The keys of all positions, in games where positions can repeat.
    keys: Vec<u64>,
    /// The numbers of the moves since the start.
    history: Vec<u16>,
}

impl<P: Board> Lane<P> {
    fn play(&mut self, number: usize, repeats: bool) -> f32 {
        let mover = self.position.turn();
        self.position.play_unchecked(self.position.numbered_move(number));
        self.history.push(number as u16);
        if repeats {
            self.keys.push(self.position.key());
        }
        self.outcome = playout::outcome(&self.position, &self.keys);
        match self.outcome.and_then(Outcome::winner) {
            None => 0.0,
            Some(winner) if winner == mover => 1.0,
            Some(_) => -1.0,
        }
    }

    /// Plays random moves to the end.
    fn play_out(&mut self, repeats: bool, rng: &mut Rng) {
        while self.outcome.is_none() {
            let m = random_move(&self.position, rng);
            self.play(self.position.move_number(m), repeats);
        }
    }

    /// Continues from here to a random moment of a random game, after a number of plies within these bounds
    /// and before the end.
    fn sample(&mut self, [least, most]: [u16; 2], repeats: bool, rng: &mut Rng) -> Sampled {
        let start = self.clone();
        for _ in 0..ATTEMPTS {
            self.restart(&start);
            self.play_out(repeats, rng);
            let played = start.position.ply();
            let (low, high) = (least.max(played), most.min(self.position.ply().saturating_sub(1)));
            if low > high || start.outcome.is_some() {
                continue;
            }
            let winner = self.outcome.and_then(Outcome::winner);
            let course = std::mem::take(&mut self.history);
            let count = usize::from(rng.u16(low..=high) - played);
            self.restart(&start);
            let already = start.history.len();
            for &number in &course[already..already + count] {
                self.play(number.into(), repeats);
            }
            let turn = self.position.turn();
            let value = winner.map_or(0, |winner| if winner == turn { 1 } else { -1 });
            return Sampled { action: Some(course[already + count]), value, stepped: self.stepped(0.0) };
        }
        self.restart(&start);
        Sampled { action: None, value: 0, stepped: self.stepped(0.0) }
    }

    /// Returns to the start, and keeps the room of its vectors.
    fn restart(&mut self, start: &Self)
    where
        P: Clone,
    {
        self.position.clone_from(&start.position);
        self.outcome = start.outcome;
        self.keys.clone_from(&start.keys);
        self.history.clone_from(&start.history);
    }

    fn stepped(&self, reward: f32) -> Stepped {
        let outcome = match self.outcome.and_then(Outcome::winner) {
            None => 0,
            Some(Side::First) => 1,
            Some(Side::Second) => -1,
        };
        Stepped { reward, turn: self.position.turn().index() as i8, outcome, done: self.outcome.is_some() }
    }
}

/// Runs jobs side by side, the first of them on this thread.
pub(crate) fn side_by_side<J: FnOnce() + Send>(jobs: impl Iterator<Item = J>) {
    let mut jobs = jobs;
    let Some(own) = jobs.next() else { return };
    thread::scope(|scope| {
        jobs.for_each(|job| drop(scope.spawn(job)));
        own();
    });
}

impl<P: Board> Typed<P> {
    /// How many games each thread takes.
    fn share(&self, threads: usize) -> usize {
        self.lanes.len().div_ceil(threads).max(GAMES_PER_THREAD)
    }
}

impl<P: Board> Games for Typed<P> {
    fn check(&self, actions: &[i64]) -> Result<(), (usize, String)> {
        for (i, (lane, &action)) in self.lanes.iter().zip(actions).enumerate() {
            if lane.outcome.is_some() {
                continue;
            }
            let count = lane.position.move_count();
            let Some(number) = usize::try_from(action).ok().filter(|&number| number < count) else {
                return Err((i, format!("{action} is not an action; expected 0 to {}", count - 1)));
            };
            if let Err(illegal) = lane.position.check(lane.position.numbered_move(number)) {
                return Err((i, illegal.to_string()));
            }
        }
        Ok(())
    }

    fn step(&mut self, actions: &[i64], out: Arrays, threads: usize) {
        let (share, repeats) = (self.share(threads), self.layout.repeats());
        let parts = self.lanes.chunks_mut(share).zip(actions.chunks(share)).zip(out.chunks(share));
        side_by_side(parts.map(|((lanes, actions), mut out)| {
            move || {
                for (game, (lane, &action)) in lanes.iter_mut().zip(actions).enumerate() {
                    if lane.outcome.is_some() {
                        // Nothing else of a game that is over changes.
                        out.rewards[game] = 0.0;
                    } else {
                        let reward = lane.play(action as usize, repeats);
                        out.set(game, lane.stepped(reward));
                    }
                }
            }
        }));
    }

    fn legal(&self, out: &mut [bool], threads: usize) {
        let (share, count) = (self.share(threads), self.actions());
        let parts = self.lanes.chunks(share).zip(out.chunks_mut(share * count));
        side_by_side(parts.map(|(lanes, out)| {
            move || {
                for (lane, out) in lanes.iter().zip(out.chunks_exact_mut(count)) {
                    out.fill(false);
                    if lane.outcome.is_none() {
                        lane.position.legal_moves().for_each(|m| out[lane.position.move_number(m)] = true);
                    }
                }
            }
        }));
    }

    fn observe(&self, out: &mut [f32], threads: usize) {
        let (share, layout, size) = (self.share(threads), &self.layout, self.layout.len());
        let parts = self.lanes.chunks(share).zip(out.chunks_mut(share * size));
        side_by_side(parts.map(|(lanes, out)| {
            move || {
                for (lane, out) in lanes.iter().zip(out.chunks_exact_mut(size)) {
                    let key = lane.keys.last().copied();
                    let before =
                        lane.keys.iter().rev().skip(1).filter(|&&earlier| Some(earlier) == key).count();
                    layout.write(&lane.position, before, lane.position.turn(), out);
                }
            }
        }));
    }

    fn random_actions(&mut self, out: &mut [i64], threads: usize) {
        let share = self.share(threads);
        let parts = self.lanes.chunks(share).zip(self.rngs.chunks_mut(share)).zip(out.chunks_mut(share));
        side_by_side(parts.map(|((lanes, rngs), out)| {
            move || {
                for ((lane, rng), out) in lanes.iter().zip(rngs).zip(out) {
                    *out = match lane.outcome {
                        None => lane.position.move_number(random_move(&lane.position, rng)) as i64,
                        Some(_) => 0,
                    };
                }
            }
        }));
    }

    fn playout(&mut self, out: Arrays, threads: usize) {
        let (share, repeats) = (self.share(threads), self.layout.repeats());
        let parts = self.lanes.chunks_mut(share).zip(self.rngs.chunks_mut(share)).zip(out.chunks(share));
        side_by_side(parts.map(|((lanes, rngs), mut out)| {
            move || {
                for (game, (lane, rng)) in lanes.iter_mut().zip(rngs).enumerate() {
                    lane.play_out(repeats, rng);
                    out.set(game, lane.stepped(0.0));
                }
            }
        }));
    }

    fn sample(&mut self, plies: [u16; 2], out: &mut [Sampled], threads: usize) {
        let (share, repeats) = (self.share(threads), self.layout.repeats());
        let parts = self.lanes.chunks_mut(share).zip(self.rngs.chunks_mut(share)).zip(out.chunks_mut(share));
        side_by_side(parts.map(|((lanes, rngs), out)| {
            move || {
                for ((lane, rng), out) in lanes.iter_mut().zip(rngs).zip(out) {
                    *out = lane.sample(plies, repeats, rng);
                }
            }
        }));
    }

    fn reset(&mut self, which: &dyn Fn(usize) -> bool, out: &mut Arrays) -> usize {
        let mut count = 0;
        for (game, lane) in self.lanes.iter_mut().enumerate() {
            if which(game) {
                lane.restart(&self.start);
                out.set(game, lane.stepped(0.0));
                count += 1;
            }
        }
        count
    }

    fn history(&self, game: usize) -> &[u16] {
        &self.lanes[game].history
    }

    fn stepped(&self, out: &mut Arrays) {
        self.lanes.iter().enumerate().for_each(|(game, lane)| out.set(game, lane.stepped(0.0)));
    }

    fn actions(&self) -> usize {
        self.start.position.move_count()
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }
}

/// Games that all begin at this point of a game; `usual` is a new game of its kind.
pub(crate) fn typed<P: Board>(game: &rules::Game<P>, usual: &AnyGame, n: usize, seed: u64) -> Box<dyn Games> {
    let layout = Layout::new(usual.typed::<P>().expect("the same game").start());
    let keys = playout::keys(game, layout.repeats());
    let start =
        Lane { position: game.position().clone(), outcome: game.outcome(), keys, history: Vec::new() };
    // Room for a whole game, so that moves do not allocate.
    let room = usize::from(game.start().max_plies()).min(MOST_ROOM);
    let lane = || {
        let mut lane = start.clone();
        lane.history.reserve(room);
        lane
    };
    let lanes = (0..n).map(|_| lane()).collect();
    let rngs = (0..n as u64).map(|lane| Rng::with_seed(crate::seed(seed, lane))).collect();
    Box::new(Typed { lanes, start, layout, rngs })
}
