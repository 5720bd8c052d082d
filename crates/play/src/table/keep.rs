//! Saves games that were played offline. The rules check the moves; everything else is the person's claim,
//! so these games are marked as unverified, neither rated nor listed, and count nowhere.

use futures_util::future::BoxFuture;
use protocol::{
    ApiError, Clock, EndReason, ErrorCode, Event, GameResult, KeptGame, Occupant, Opponent, SidePreference,
    Status, TableCreated,
};
use rules::AnyGame;
use sha2::{Digest, Sha256};
use store::StoreError;
use table::Principal;

use super::{
    create::{new_row, program},
    registry::Registry,
};

const MAX_ID: usize = 40;

impl Registry {
    /// Stores a finished game of this person. A game that is already stored stays unchanged.
    ///
    /// # Errors
    /// If the game is not allowed, or the store is unavailable.
    pub fn keep<'a>(
        &'a self,
        principal: &'a Principal,
        game: KeptGame,
    ) -> BoxFuture<'a, Result<TableCreated, ApiError>> {
        Box::pin(async move {
            let (mut settings, seats, events) = read(&game, principal)?;
            (settings.listed, settings.unverified) = (false, true);
            let id = id_of(principal, &game.id);
            loop {
                if self.store().table(&id).await.map_err(ApiError::from)?.is_some() {
                    return Ok(TableCreated { table: id, code: None });
                }
                let now = self.clock().now_ms();
                let (mut row, created) = new_row(&settings, &seats, principal.id(), None, now);
                row.key.id.clone_from(&id);
                row.status = Status::Ended;
                (row.winner, row.reason) = (game.result.winner, Some(game.result.reason));
                row.ply = events.len() as u32 - 1;
                row.created = game.ended_at.min(now);
                row.updated = row.created;
                row.needs_owner = false;
                let events = std::iter::once(created).chain(events.iter().cloned()).collect();
                match self.store().create_table(&row, events).await {
                    Ok(()) => return Ok(TableCreated { table: id, code: None }),
                    // The number is in use, or the game was sent twice at once.
                    Err(StoreError::Conflict) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        })
    }
}

/// An id that is the same for the same person and game, and cannot be guessed: it grants access to the table.
fn id_of(principal: &Principal, id: &str) -> String {
    let hash = Sha256::digest(format!("kept game\n{}\n{id}", principal.id()));
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the settings, the seats, and the events after the creation.
fn read(
    game: &KeptGame,
    principal: &Principal,
) -> Result<(protocol::Settings, [Occupant; 2], Vec<Event>), ApiError> {
    let bad = |why: &str| Err(ErrorCode::BadMessage.because(why));
    let is_id = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    if game.id.is_empty() || game.id.len() > MAX_ID || !game.id.as_bytes().iter().all(is_id) {
        return bad("the id of the game is invalid");
    }
    let (start, settings) = table::check_new_table(&game.table)?;
    if settings.rated {
        return Err(
            ErrorCode::NotAllowed.because("a rated game must be played on the server from its first move")
        );
    }
    let me = principal.occupant(None);
    let seats = match (&game.table.opponent, game.table.side) {
        (Opponent::Here, _) => [me.clone(), me],
        (Opponent::Program { name }, SidePreference::First) => [me, program(&start, name)?],
        (Opponent::Program { name }, SidePreference::Second) => [program(&start, name)?, me],
        (Opponent::Program { .. }, SidePreference::Random) => {
            return bad("no side is played by a person");
        }
        _ => return Err(ErrorCode::NotAllowed.because("you can only save games you played in")),
    };
    let played = table::recorded_game(&settings.game, settings.position.as_deref(), &game.moves)?;
    let GameResult { winner, reason, .. } = game.result;
    let is_possible = match (played.outcome(), reason) {
        (Some(outcome), EndReason::Rules) => winner == outcome.winner(),
        // Before both sides have moved, a game is aborted.
        (None, EndReason::Resignation) => winner.is_some() && played.moves().len() >= 2,
        (None, EndReason::Time) => winner.is_some() && settings.clock != Clock::None,
        (None, EndReason::Agreement) => winner.is_none(),
        _ => false,
    };
    if !is_possible {
        return bad("the result contradicts the moves");
    }
    let mut events = moves(start, &played.moves())?;
    events.push(Event::Ended { winner, reason, ratings: None });
    Ok((settings, seats, events))
}

fn moves(mut game: AnyGame, moves: &[String]) -> Result<Vec<Event>, ApiError> {
    let moved = |(ply, text): (u32, &String)| {
        let side = game.turn();
        game.play(text).map_err(|error| ErrorCode::IllegalMove.because(error.to_string()))?;
        let text = text.clone();
        Ok(Event::Moved { ply, side, text, left_ms: None, lag_compensation_ms: 0, thought: None })
    };
    (1..).zip(moves).map(moved).collect()
}
