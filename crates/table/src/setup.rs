//! What a new table may be.

use protocol::{ApiError, Clock, ErrorCode, NewTable, Occupant, Settings};
use rules::{AnyGame, Spec};

use crate::Principal;

/// The game of a table at its start.
///
/// # Errors
/// If there is no such game or position.
pub fn start_game(game: &str, position: Option<&str>) -> Result<AnyGame, ApiError> {
    let spec = game.parse::<Spec>().map_err(|error| ErrorCode::UnknownGame.because(error.to_string()))?;
    let mut game = AnyGame::from(spec);
    if let Some(position) = position {
        game.set_position(position).map_err(|error| ErrorCode::BadMessage.because(error.to_string()))?;
    }
    Ok(game)
}

/// The game and the settings of a new table.
///
/// # Errors
/// If the game, the position or the clock is not valid.
pub fn check_new_table(new: &NewTable) -> Result<(AnyGame, Settings), ApiError> {
    let game = start_game(&new.game, new.position.as_deref())?;
    if game.outcome().is_some() {
        return Err(ErrorCode::BadMessage.because("the game is already over in this position"));
    }
    if !new.clock.is_valid() {
        return Err(ErrorCode::BadMessage.because("the clock is not valid"));
    }
    let settings = Settings {
        game: game.spec().to_string(),
        position: new.position.clone(),
        clock: new.clock,
        rated: new.rated,
        take_back: new.take_back && !new.rated,
        listed: new.listed,
        invited: None,
        tournament: None,
        bots: new.bots,
    };
    Ok((game, settings))
}

/// Whether a game with these settings may be rated, if it is to be.
///
/// # Errors
/// If it may not.
pub fn check_rated(
    settings: &Settings,
    game: &AnyGame,
    principal: &Principal,
    opponent: &Occupant,
) -> Result<(), ApiError> {
    if !settings.rated {
        return Ok(());
    }
    if principal.account.is_none() {
        return Err(ErrorCode::SignInFirst.because("a rated game needs an account"));
    }
    let standard = game.spec().name().parse::<Spec>().ok();
    if standard != Some(game.spec()) || settings.position.is_some() {
        return Err(
            ErrorCode::NotAllowed.because("only the standard size from the standard start can be rated")
        );
    }
    match opponent {
        Occupant::Program { rating: None, .. } => {
            Err(ErrorCode::NotAllowed.because("only games against a level can be rated"))
        }
        // Without a clock a player who is about to lose could just leave.
        _ if settings.clock == Clock::None => {
            Err(ErrorCode::NotAllowed.because("a rated game needs a clock"))
        }
        _ => Ok(()),
    }
}

/// Whether a game between these players, once started, needs a node that owns it even if no client is connected.
#[must_use]
pub fn needs_owner(seats: &[Occupant; 2], clock: Clock) -> bool {
    clock != Clock::None || seats.iter().any(Occupant::is_program)
}
