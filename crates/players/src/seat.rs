//! A program's seat at a game: it receives events, plays when it is its turn, and stops when detached.

use rules::{AnyGame, Outcome, Side};

use crate::{NoMove, Program, Stop, Thought};

/// An event of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// This side is to move.
    NextPlayer(Side),
    /// This side has played this move.
    Moved(Side, String),
    /// The game has ended.
    Over(Outcome),
}

impl Event {
    /// The events to send after the last move of a game, or at its start: the move, then the side to move or
    /// the outcome.
    #[must_use]
    pub fn now(game: &AnyGame) -> Vec<Self> {
        let moved = game.moves().pop().map(|m| Self::Moved(game.turn().other(), m));
        let next = match game.outcome() {
            Some(outcome) => Self::Over(outcome),
            None => Self::NextPlayer(game.turn()),
        };
        moved.into_iter().chain([next]).collect()
    }
}

/// A program attached to the events of a game.
pub struct Seat {
    side: Side,
    program: Program,
    stop: Stop,
}

impl Seat {
    /// Gives a program a side of a game.
    #[must_use]
    pub fn attach(side: Side, program: Program) -> Self {
        Self { side, program, stop: Stop::default() }
    }

    /// Detaches the seat from any thread when cancelled: a thinking program stops at once, and the seat no
    /// longer plays.
    #[must_use]
    pub fn detacher(&self) -> Stop {
        self.stop.clone()
    }

    /// Handles an event; returns a move if it is this side's turn and the seat is attached.
    ///
    /// # Errors
    /// If the program fails; then with the reason.
    pub fn handle(&mut self, event: &Event, game: &AnyGame) -> Result<Option<Thought<String>>, String> {
        match event {
            Event::NextPlayer(side) if *side == self.side && !self.stop.is_cancelled() => {
                match self.program.choose(game, &self.stop) {
                    // An anytime player returns a move even when it was cancelled.
                    Ok(_) if self.stop.is_cancelled() => Ok(None),
                    Ok(thought) => Ok(Some(thought)),
                    Err(NoMove::Stopped) => Ok(None),
                    Err(NoMove::Failed(reason)) => Err(reason),
                }
            }
            Event::NextPlayer(_) | Event::Moved(..) => Ok(None),
            Event::Over(_) => {
                self.stop.cancel();
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread};

    use rules::{Game, Mark, Spec, TicTacToe};

    use super::*;
    use crate::{Player, Resources, Stopped, roster};

    fn start() -> AnyGame {
        AnyGame::from("tic-tac-toe".parse::<Spec>().unwrap())
    }

    fn random(side: Side) -> Seat {
        Seat::attach(side, roster::program(&start(), "random", &Resources::new(1)).unwrap())
    }

    #[test]
    fn a_seat_plays_only_when_it_is_its_turn() {
        let game = start();
        let mut seat = random(Side::First);
        assert!(seat.handle(&Event::Moved(Side::Second, "b2".to_owned()), &game).unwrap().is_none());
        assert!(seat.handle(&Event::NextPlayer(Side::Second), &game).unwrap().is_none());
        assert!(seat.handle(&Event::NextPlayer(Side::First), &game).unwrap().is_some());
    }

    #[test]
    fn a_detached_seat_does_not_play() {
        let mut seat = random(Side::First);
        seat.detacher().cancel();
        assert!(seat.handle(&Event::NextPlayer(Side::First), &start()).unwrap().is_none());
    }

    #[test]
    fn the_end_of_the_game_detaches() {
        let mut seat = random(Side::First);
        assert!(seat.handle(&Event::Over(Outcome::Draw), &start()).unwrap().is_none());
        assert!(seat.detacher().is_cancelled());
    }

    #[test]
    fn events_name_the_move_and_what_comes_next() {
        let mut game = start();
        assert_eq!(Event::now(&game), [Event::NextPlayer(Side::First)]);
        game.play("b2").unwrap();
        let moved = Event::Moved(Side::First, "b2".to_owned());
        assert_eq!(Event::now(&game), [moved, Event::NextPlayer(Side::Second)]);
    }

    /// Signals when it begins to think, and thinks until it is stopped.
    struct Ponderer(mpsc::Sender<()>);

    impl Player<TicTacToe> for Ponderer {
        fn choose(&mut self, _: &Game<TicTacToe>, stop: &Stop) -> Result<Thought<Mark>, Stopped> {
            self.0.send(()).unwrap();
            loop {
                stop.check()?;
                thread::yield_now();
            }
        }
    }

    #[test]
    fn a_thinking_seat_stops_when_detached() {
        let (begun, has_begun) = mpsc::channel();
        let program = Program::new::<TicTacToe>(Ponderer(begun));
        let mut seat = Seat::attach(Side::First, program);
        let detacher = seat.detacher();
        let thinking = thread::spawn(move || seat.handle(&Event::NextPlayer(Side::First), &start()));
        has_begun.recv().unwrap();
        detacher.cancel();
        assert!(thinking.join().unwrap().unwrap().is_none());
    }

    #[test]
    fn a_failed_program_reports_its_error() {
        let program = Program::from_fn(|_, _| Err(NoMove::Failed("lost the connection".to_owned())));
        let mut seat = Seat::attach(Side::First, program);
        let answer = seat.handle(&Event::NextPlayer(Side::First), &start());
        assert_eq!(answer.unwrap_err(), "lost the connection");
    }

    #[test]
    fn the_engine_answers_at_once_when_stopped() {
        let stop = Stop::default();
        stop.cancel();
        for spec in ["connect-four:64x64x16", "simplexity", "chess-five"] {
            let game = AnyGame::from(spec.parse::<Spec>().unwrap());
            // A day per move unless the stop is respected.
            let thought = roster::program(&game, "engine:86400s", &crate::system::resources(1))
                .unwrap()
                .choose(&game, &stop)
                .unwrap();
            assert!(game.legal_moves().contains(&thought.chosen), "{spec}");
        }
    }

    #[test]
    fn every_searching_program_respects_the_stop() {
        let stop = Stop::default();
        stop.cancel();
        for (spec, player) in
            [("connect-four", "smart:8"), ("simplexity", "oizys:8"), ("chess-five", "chess-five:medium")]
        {
            let game = AnyGame::from(spec.parse::<Spec>().unwrap());
            let mut program = roster::program(&game, player, &Resources::new(1)).unwrap();
            assert!(program.choose(&game, &stop).is_err(), "{player}");
        }
    }
}
