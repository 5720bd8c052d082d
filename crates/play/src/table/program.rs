//! The turns of programs. The actor only requests a move; the engine pool searches and responds with a message.

use std::time::Duration;

use players::{NoMove, Stop};
use protocol::{Done, ErrorCode, Occupant, Thought};
use table::{Context, Decision, State};

use super::{
    actor::Actor,
    outage::BACK_OFF,
    turn::{Turn, TurnRequest},
};

impl Actor {
    /// Requests a move if it is a program's turn and this node owns the table; cancels an outdated request.
    /// Two programs play only while someone watches.
    pub(super) fn request_program_move(&mut self) {
        let is_demo = self.state.is_demo();
        let is_wanted = self.lease.owns() && (!is_demo || self.presence.is_watched());
        let now = self.registry.clock().now_ms();
        let turn = || self.state.program_turn(&self.key.id, now, &self.registry.downtimes());
        let program = is_wanted.then(turn).flatten();
        if let Some((epoch, stop)) = &self.thinking {
            if program.is_some() && *epoch == self.epoch {
                return;
            }
            stop.cancel();
            self.thinking = None;
        }
        let Some(program) = program else { return };
        let stop = Stop::default();
        self.thinking = Some((self.epoch, stop.clone()));
        let turn = Turn { client: self.client_of_turn(), is_demo, game: self.state.game().clone(), program };
        let table = self.key.id.clone();
        self.registry.request_turn(TurnRequest { table, epoch: self.epoch, turn, stop });
    }

    /// The client to whose share the searches of this table count: the person who plays or, if there is none,
    /// a spectator.
    fn client_of_turn(&self) -> String {
        let person = self.state.seats().iter().find_map(|occupant| match occupant {
            Occupant::Person { id, .. } => Some(id.as_str()),
            _ => None,
        });
        // Spectators on other nodes are not known here.
        person.or_else(|| self.presence.first_watching()).unwrap_or(&self.key.id).to_owned()
    }

    /// Plays the move of a program, or resigns for a program that failed.
    pub(super) async fn handle_thought(
        &mut self,
        epoch: u64,
        waited: Duration,
        result: Result<Thought, NoMove>,
    ) {
        if self.thinking.as_ref().is_none_or(|(thinking, _)| *thinking != epoch) {
            return;
        }
        self.thinking = None;
        if epoch == self.epoch && self.state.program_to_move().is_some() {
            let ply = self.state.moves().len();
            let check = |state: &State| match state.program_to_move() {
                Some(_) if state.moves().len() == ply => Ok(()),
                _ => Err(ErrorCode::StalePly.because("the position has changed")),
            };
            let done = match result {
                Ok(thought) => {
                    let text = thought.chosen.clone();
                    let waited_ms = waited.as_millis() as u64;
                    let decide = |state: &mut State, context: &Context| {
                        check(state)?;
                        state.decide_program(&text, Some(thought.clone()), waited_ms, context)
                    };
                    self.change(decide, None).await
                }
                Err(NoMove::Stopped) => Ok(Done::new()),
                Err(error) => {
                    tracing::error!(table = self.short_id(), reason = %error, "program_failed");
                    let resign = |state: &mut State, _: &Context| {
                        check(state)?;
                        Ok(Decision::Append(vec![state.program_resigns()]))
                    };
                    self.change(resign, None).await
                }
            };
            match done.map_err(|error| error.code) {
                // The table catches up after the back-off and then asks for the same move again.
                Err(ErrorCode::Unavailable) => return self.back_off(BACK_OFF),
                // A bug: the same move would fail again.
                Err(ErrorCode::Broken) => return,
                _ => {}
            }
        }
        self.request_program_move();
    }
}
