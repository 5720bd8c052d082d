//! Analysis streamed to a client: of one position, or of a table's positions as they arise.

use std::{sync::Arc, time::Duration};

use protocol::{ApiError, Assessment, Done, ErrorCode, Event, Occupant, Snapshot, Status, TableUpdate};
use rules::AnyGame;
use socketio::Session;
use store::task;
use tokio::sync::oneshot;
use tokio_util::task::AbortOnDropHandle;

use crate::{auth::Principal, transport::AppState};

pub(super) const ANALYSIS_TIME: Duration = Duration::from_secs(30);
/// Time for each position of a table that is being followed.
const THINKING_TIME: Duration = Duration::from_secs(5);

/// A task that ends when this is dropped.
pub(super) type Work = AbortOnDropHandle<()>;

/// The analysis of one position.
pub(super) struct Analysis {
    /// The table whose position it is.
    pub(super) table: Option<String>,
    pub(super) principal: Arc<Principal>,
    pub(super) game: AnyGame,
    pub(super) lines: usize,
    pub(super) time: Duration,
}

impl Analysis {
    /// Analyses in a task and sends `assessment` events to a client.
    pub(super) fn spawn(self, state: Arc<AppState>, session: Arc<Session>) -> Work {
        Work::new(task::spawn(self.run(state, session)))
    }

    async fn run(self, state: Arc<AppState>, session: Arc<Session>) {
        let Self { table, principal, game, lines, time } = self;
        let ply = game.moves().len() as u32;
        // When the client disconnects, this task ends.
        let send = |assessment: Assessment| {
            session.emit("assessment", &Assessment { table: table.clone(), ply, ..assessment });
        };
        match state.engines.assess(principal.id(), &game, lines, time, send).await {
            Ok(assessment) => send(assessment),
            Err(error) => drop(session.emit("analysis-ended", &error)),
        }
    }
}

/// Whether a client may get analysis of a game in progress: not in a game against another person, nor in a
/// rated game.
fn may_be_helped(principal: &Principal, seats: &[Occupant; 2], is_rated: bool) -> bool {
    let is_own = |occupant: &Occupant| principal.ids.iter().any(|id| occupant.is(id));
    let is_harmless = |occupant: &Occupant| is_own(occupant) || occupant.is_program();
    !seats.iter().any(is_own) || !is_rated && seats.iter().all(is_harmless)
}

/// Analyses the positions of a table as they arise, until help is no longer allowed.
pub(super) async fn follow(
    state: Arc<AppState>,
    principal: Arc<Principal>,
    session: Arc<Session>,
    table: String,
    started: oneshot::Sender<Result<Done, ApiError>>,
) {
    let start = async {
        let (done, watch) = state.tables.subscribe(&table, &principal, None, false).await?;
        let snapshot =
            done.snapshot.ok_or_else(|| ErrorCode::Unavailable.because("the table did not respond"))?;
        let Snapshot { seats, settings, status, .. } = &*snapshot;
        if *status != Status::Ended && !may_be_helped(&principal, seats, settings.rated) {
            return Err(
                ErrorCode::NotAllowed.because("you cannot use analysis while you play against a person")
            );
        }
        let moves: Vec<&str> = snapshot.moves.iter().map(|made| made.text.as_str()).collect();
        let game = table::recorded_game(&settings.game, settings.position.as_deref(), &moves.join(" "))?;
        Ok((watch, game, seats.clone(), settings.rated))
    };
    let (mut watch, mut game, mut seats, is_rated) = match start.await {
        Ok(start) => start,
        Err(error) => return drop(started.send(Err(error))),
    };
    if started.send(Ok(Done::new())).is_err() {
        return;
    }
    loop {
        let analysis = Analysis {
            table: Some(table.clone()),
            principal: principal.clone(),
            game: game.clone(),
            lines: 1,
            time: THINKING_TIME,
        };
        let _work = analysis.spawn(state.clone(), session.clone());
        // Until the position changes.
        loop {
            let Some(update) = watch.next().await else { return };
            match &*update {
                TableUpdate::Move(made) => {
                    if game.play(&made.text).is_err() {
                        return;
                    }
                    break;
                }
                TableUpdate::Event(update) => match &update.event {
                    Event::TakenBack { ply, .. } => {
                        while game.moves().len() > *ply as usize {
                            game.take_back();
                        }
                        break;
                    }
                    Event::Seated { side, occupant } => {
                        seats[side.index()] = occupant.clone();
                        if !may_be_helped(&principal, &seats, is_rated) {
                            return;
                        }
                    }
                    _ => {}
                },
            }
        }
    }
}
