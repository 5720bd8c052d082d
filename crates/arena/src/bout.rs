//! One game between two players within limits, from the opening to the result and its reason.

use std::time::{Duration, Instant};

use players::{NoMove, Program, Stop, system};
use rules::{AnyGame, Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::{
    Adjudicated, Adjudication, Contestant, ContestantError, Evaluation, Failure, Fault, Limits, Log, Usage,
    adjudication::Referee,
    contestant::Kind,
    external::External,
    go::{SideClock, duration, millis},
    process::Stderr,
};

/// A contestant ready to play.
pub enum Seated {
    /// A built-in player, created for one game.
    Program(Program),
    /// An external engine, reused for several games.
    External(Box<External>),
}

impl Seated {
    /// Prepares a contestant; an external engine starts with its first game.
    ///
    /// # Errors
    /// If the game has no such player.
    pub fn new(
        contestant: &Contestant,
        game: &AnyGame,
        limits: &Limits,
        options: &[(String, String)],
        log: Option<&Log>,
        seed: u64,
    ) -> Result<Self, ContestantError> {
        match &contestant.kind {
            Kind::Roster(_) | Kind::Hosted(_) => contestant.program(game, limits, seed).map(Self::Program),
            Kind::External { protocol, command } => {
                contestant.check(game)?;
                let mut external = External::speaking(*protocol, command, limits, Stderr::Discard)
                    .with_options(options.to_vec());
                if let Some(log) = log {
                    external = external.with_log(log, &contestant.name);
                }
                Ok(Self::External(Box::new(external)))
            }
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// A player forfeited the game by a fault.
    Forfeit {
        /// The side at fault.
        loser: Side,
        /// The fault.
        fault: Fault,
    },
    /// The game was adjudicated.
    Adjudicated {
        /// The outcome.
        outcome: Outcome,
        /// The reason.
        rule: Adjudicated,
    },
}

impl Ending {
    /// The outcome.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Rules(outcome) | Self::Adjudicated { outcome, .. } => *outcome,
            Self::Forfeit { loser, .. } => Outcome::Win(loser.other()),
        }
    }
}

/// The time and resources that a side used in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeUsed {
    /// Total for all its moves.
    pub time_ms: u64,
    /// The slowest move.
    pub slowest_ms: u64,
    /// CPU time and memory of an external engine.
    pub usage: Option<Usage>,
}

/// A finished game.
#[derive(Debug)]
pub struct Finished {
    /// The game with all its moves.
    pub game: AnyGame,
    /// How it ended.
    pub ending: Ending,
    /// The resources that each side used.
    pub spent: [TimeUsed; 2],
    /// The players' evaluations of their moves, in the order of all moves; shorter if the last moves have none.
    pub evaluations: Vec<Evaluation>,
}

/// Plays a game from its current position and calls `on_move` after each move. Returns `None` if cancelled.
pub fn play(
    mut game: AnyGame,
    mut seats: [&mut Seated; 2],
    limits: [&Limits; 2],
    adjudication: &Adjudication,
    seeds: [u64; 2],
    stop: &Stop,
    on_move: &mut dyn FnMut(&AnyGame),
) -> Option<Finished> {
    let mut times = [Duration::ZERO; 2];
    let mut slowest = [Duration::ZERO; 2];
    let before = seats.each_mut().map(usage);
    let (mut evaluations, mut played) = (Vec::new(), game.moves().len());
    let ending = match begin(&mut seats, &game, seeds, stop) {
        Err((_, Failure::Stopped)) => return None,
        Err((loser, Failure::Fault(fault))) => Ending::Forfeit { loser, fault },
        Ok(()) => {
            let mut clocks = limits.map(Limits::clock);
            let mut referee = (!adjudication.is_off()).then(|| Referee::new(adjudication));
            loop {
                if let Some(outcome) = game.outcome() {
                    break Ending::Rules(outcome);
                }
                let side = game.turn();
                let own = limits[side.index()];
                // A side without a clock is reported to have the same time as the other.
                let [first, second] = clocks;
                let told = first.or(second).zip(second.or(first)).filter(|_| clocks[side.index()].is_some());
                let told = told.map(|(first, second)| [first, second]);
                let start = Instant::now();
                let chosen = match &mut *seats[side.index()] {
                    Seated::External(external) => external
                        .choose(&game, told, stop)
                        .map(|answer| (answer.chosen, Evaluation::from(&answer.info))),
                    Seated::Program(program) => choose(program, &game, own, told, stop),
                };
                let time = start.elapsed();
                times[side.index()] += time;
                slowest[side.index()] = slowest[side.index()].max(time);
                let chosen =
                    chosen.and_then(|chosen| charge_clock(chosen, time, own, &mut clocks[side.index()]));
                let said = chosen.and_then(|(chosen, said)| match game.play(&chosen) {
                    Ok(()) => {
                        let left_ms = clocks[side.index()].map(|clock| millis(clock.left));
                        Ok(Evaluation { left_ms, ..said.after_ms(millis(time)) })
                    }
                    Err(error) => {
                        let (played, reason) = (rules::excerpt(&chosen), error.to_string());
                        Err(Fault::IllegalMove { played, reason }.into())
                    }
                });
                match said {
                    Ok(said) => {
                        played += 1;
                        on_move(&game);
                        let judged = match &mut referee {
                            Some(referee) if game.outcome().is_none() => {
                                referee.result(&game, played, side, &said)
                            }
                            _ => None,
                        };
                        if !said.is_empty() {
                            evaluations.resize(played - 1, Evaluation::default());
                            evaluations.push(said);
                        }
                        if let Some((outcome, rule)) = judged {
                            break Ending::Adjudicated { outcome, rule };
                        }
                    }
                    Err(Failure::Stopped) => return None,
                    Err(Failure::Fault(fault)) => break Ending::Forfeit { loser: side, fault },
                }
            }
        }
    };
    let after = seats.each_mut().map(usage);
    let spent = Side::BOTH.map(Side::index).map(|i| TimeUsed {
        time_ms: millis(times[i]),
        slowest_ms: millis(slowest[i]),
        usage: after[i].map(|after| Usage {
            cpu_ms: after.cpu_ms.saturating_sub(before[i].unwrap_or_default().cpu_ms),
            ..after
        }),
    });
    Some(Finished { game, ending, spent, evaluations })
}

fn begin(
    seats: &mut [&mut Seated; 2],
    game: &AnyGame,
    seeds: [u64; 2],
    stop: &Stop,
) -> Result<(), (Side, Failure)> {
    for side in Side::BOTH {
        if let Seated::External(external) = &mut *seats[side.index()] {
            external.new_game(game, seeds[side.index()], stop).map_err(|failure| (side, failure))?;
        }
    }
    Ok(())
}

fn choose(
    program: &mut Program,
    game: &AnyGame,
    limits: &Limits,
    clocks: Option<[SideClock; 2]>,
    stop: &Stop,
) -> Result<(String, Evaluation), Failure> {
    let allowed = allowed(limits, clocks.map(|clocks| clocks[game.turn().index()]));
    let start = Instant::now();
    let choice = match (allowed, limits.go(clocks, game.turn()).thinking_time(game)) {
        (Some(allowed), Some(soft)) => {
            system::watch(soft, allowed + limits.margin(), stop, |stop| program.choose(game, stop))
        }
        _ => program.choose(game, stop),
    };
    match choice {
        // An anytime player returns a move even when it was cancelled; that move must not count.
        Ok(_) if stop.is_cancelled() => Err(Failure::Stopped),
        Ok(thought) => {
            let said = Evaluation::from(&thought);
            Ok((thought.chosen, said))
        }
        Err(NoMove::Stopped) if !stop.is_cancelled() => {
            let (used_ms, allowed_ms) = (millis(start.elapsed()), millis(allowed.unwrap_or_default()));
            Err(Fault::TooSlow { used_ms, allowed_ms, margin_ms: limits.margin_ms }.into())
        }
        Err(NoMove::Stopped) => Err(Failure::Stopped),
        Err(error) => Err(Fault::Crash { status: error.to_string() }.into()),
    }
}

/// The time limit for the next move of a side, if there is one.
fn allowed(limits: &Limits, clock: Option<SideClock>) -> Option<Duration> {
    let per_move = limits.movetime_ms.map(duration);
    let left = clock.map(|clock| clock.left);
    per_move.into_iter().chain(left).min()
}

/// Deducts the used time from the clock. A move that exceeds the limit is a fault.
fn charge_clock<T>(
    chosen: T,
    time: Duration,
    limits: &Limits,
    clock: &mut Option<SideClock>,
) -> Result<T, Failure> {
    if let Some(allowed) = allowed(limits, *clock)
        && time > allowed + limits.margin()
    {
        let (used_ms, allowed_ms) = (millis(time), millis(allowed));
        return Err(Fault::TooSlow { used_ms, allowed_ms, margin_ms: limits.margin_ms }.into());
    }
    if let Some(clock) = clock {
        limits.charge(clock, time);
    }
    Ok(chosen)
}

fn usage(seat: &mut &mut Seated) -> Option<Usage> {
    match &mut **seat {
        Seated::Program(_) => None,
        Seated::External(external) => Some(external.usage()),
    }
}
