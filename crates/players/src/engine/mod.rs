//! `engine`: our own player for every game, at any size: alpha-beta search over an evaluation per game.
//!
//! The search is generic over a [`Judge`], which knows one game: what wins at once, which moves are
//! worth trying, what a position is worth. It compiles to one tight loop per game.

mod judge;
mod judges;
mod lines;
mod search;
mod settings;
mod table;

use std::{
    sync::atomic::{AtomicBool, AtomicU64},
    thread,
    time::Instant,
};

use rules::{Game, Outcome, Position};

use self::{
    judge::Judge,
    search::{Brake, MATE, PROOF, Search},
    table::Table,
};
pub(crate) use self::{
    judges::{ChessFiveJudge, ConnectFourJudge, SimplexityJudge, TicTacToeJudge},
    settings::{Settings, time},
};
use crate::{Player, Proof, Reason, Stop, Stopped, Thought};

const TABLE_BYTES: usize = 32 << 20;

/// Searches deeper and deeper until its limits are reached.
pub(crate) struct Engine<P: Position, J> {
    settings: Settings,
    /// Makes the judge of a position's board.
    judge: fn(&P) -> J,
    table: Table,
}

/// What a search of some depth found.
struct Found<M> {
    depth: u32,
    value: i32,
    line: Vec<M>,
}

impl<P: Position, J> Engine<P, J> {
    pub(crate) fn new(settings: Settings, judge: fn(&P) -> J) -> Self {
        Self { settings, judge, table: Table::new(TABLE_BYTES) }
    }
}

impl<P: Position, J: Judge<P>> Engine<P, J> {
    /// Deepens until the limits are reached; the answer of the deepest search that came to its end.
    fn deepen(&self, game: &Game<P>, stop: &Stop) -> (Option<Found<P::Move>>, u64) {
        let start = Instant::now();
        let is_due = |nodes: u64| {
            stop.is_hurried()
                || self.settings.nodes.is_some_and(|limit| nodes >= limit)
                || self.settings.time.is_some_and(|time| start.elapsed() >= time)
        };
        let brake = Brake { ended: AtomicBool::new(false), nodes: AtomicU64::new(0), is_due: &is_due };
        let judge = (self.judge)(game.position());
        let keys: Vec<_> = game.positions().iter().map(Position::key).collect();
        let worker = |first_depth: u32| {
            let mut search = Search::new(&judge, &self.table, &brake, keys.clone());
            let mut found: Option<Found<P::Move>> = None;
            for depth in first_depth..=self.settings.depth {
                let guess = found.as_ref().map_or(0, |found| found.value);
                let Ok((value, line)) = search.root(game.position(), depth, guess) else {
                    break;
                };
                found = Some(Found { depth, value, line });
                // A proof within the depth does not change, and a depth that would not end is not begun.
                let half = self.settings.time.is_some_and(|time| start.elapsed() >= time / 2);
                if value.abs() >= PROOF && MATE - value.abs() <= depth as i32 || half {
                    break;
                }
            }
            brake.ended.store(true, std::sync::atomic::Ordering::Relaxed);
            (found, search.nodes)
        };
        thread::scope(|scope| {
            // Helpers begin elsewhere, so that they fill the table with what is not yet known.
            let helpers: Vec<_> =
                (1..self.settings.threads as u32).map(|i| scope.spawn(move || worker(1 + i % 3))).collect();
            let (found, nodes) = worker(1);
            let helped: u64 = helpers.into_iter().filter_map(|helper| Some(helper.join().ok()?.1)).sum();
            (found, nodes + helped)
        })
    }
}

impl<P: Position, J: Judge<P>> Player<P> for Engine<P, J> {
    fn choose(&mut self, game: &Game<P>, stop: &Stop) -> Result<Thought<P::Move>, Stopped> {
        let position = game.position();
        let (found, nodes) = self.deepen(game, stop);
        // With next to no time, any move that does not lose at once.
        let found = found.unwrap_or_else(|| {
            let judge = (self.judge)(position);
            let mut moves = Vec::new();
            match judge.winning_move(position) {
                Some(m) => moves.push(m),
                None => _ = judge.candidates(position, &mut moves),
            }
            moves.truncate(1);
            Found { depth: 0, value: 0, line: moves }
        });
        let chosen = found.line[0];
        let mut reasons = Vec::new();
        if position.after(chosen).outcome() == Some(Outcome::Win(position.turn())) {
            reasons.push(Reason::Win);
        }
        if found.value.abs() >= PROOF {
            let result = if found.value > 0 { Proof::Win } else { Proof::Loss };
            reasons.push(Reason::Proven { result, plies: (MATE - found.value.abs()) as u32 });
        }
        let value = i64::from(found.value);
        reasons.push(Reason::Minimax { depth: found.depth, value });
        Ok(Thought {
            score: Some(value),
            line: found.line,
            nodes,
            depth: Some(found.depth),
            ..Thought::new(chosen, vec![chosen], reasons)
        })
    }
}
