//! `perfect`: plays what is proved to be best, where that can be proved.

mod connect_four;
mod prover;
mod ranking;
mod tic_tac_toe;

use std::time::Duration;

use rules::{Board, ConnectFour, Game, Geometry, TicTacToe};

pub use self::prover::{Proofs, ProvedMove, Prover};
use self::{connect_four::PerfectConnectFour, tic_tac_toe::PerfectTicTacToe};
use crate::{
    engine::read_time,
    entry::{Entry, Refusal},
    eval::proofs::can_solve,
};

/// A game that can be solved.
trait Solvable: Board {
    /// The perfect player, if this board can be solved.
    fn perfect(&self) -> Option<Entry<Self>>;
}

impl Solvable for TicTacToe {
    fn perfect(&self) -> Option<Entry<Self>> {
        Some(Entry::plain("perfect", |resources| Box::new(PerfectTicTacToe { rng: resources.rng() })))
    }
}

impl<G: Geometry> Solvable for ConnectFour<G> {
    fn perfect(&self) -> Option<Entry<Self>> {
        let perfect = Entry::with_limits("perfect", "TIME", |time, resources| {
            let time = time.map(|text| read_time(text).ok_or(Refusal::Parameter)).transpose()?;
            if time.is_some() && resources.clock.is_none() {
                return Err(Refusal::NoClock);
            }
            Ok(Box::new(PerfectConnectFour::new(time.unwrap_or(USUAL_TIME), resources)))
        });
        can_solve(self).then_some(perfect)
    }
}

/// The time per move if none is given; without a clock, a number of nodes limits the proof instead.
const USUAL_TIME: Duration = Duration::from_secs(10);

/// Finds the perfect player of a game, as [`KitOf`](crate::eval::KitOf) finds the other players.
pub(crate) struct PerfectOf<'a, P: Board>(pub(crate) &'a Game<P>);

pub(crate) trait HasPerfect<P> {
    fn entry(&self) -> Option<Entry<P>>;
}

impl<P: Solvable> HasPerfect<P> for PerfectOf<'_, P> {
    fn entry(&self) -> Option<Entry<P>> {
        self.0.position().perfect()
    }
}

pub(crate) trait NoPerfect<P> {
    fn entry(&self) -> Option<Entry<P>>;
}

impl<P: Board> NoPerfect<P> for &PerfectOf<'_, P> {
    fn entry(&self) -> Option<Entry<P>> {
        None
    }
}
