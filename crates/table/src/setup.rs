//! Validation of new tables.

use protocol::{ApiError, Clock, ErrorCode, NewTable, Occupant, Settings};
use rules::{AnyGame, Spec};

use crate::Principal;

/// Creates the game of a table at its start.
///
/// # Errors
/// If the game or position does not exist.
pub fn start_game(game: &str, position: Option<&str>) -> Result<AnyGame, ApiError> {
    let spec = game.parse::<Spec>().map_err(|error| ErrorCode::UnknownGame.because(error.to_string()))?;
    let mut game = AnyGame::from(spec);
    if let Some(position) = position {
        game.set_position(position).map_err(|error| ErrorCode::BadMessage.because(error.to_string()))?;
    }
    Ok(game)
}

/// Validates the game and the settings of a new table.
///
/// # Errors
/// If the game, the position or the clock is invalid.
pub fn check_new_table(new: &NewTable) -> Result<(AnyGame, Settings), ApiError> {
    let game = start_game(&new.game, new.position.as_deref())?;
    if game.outcome().is_some() {
        return Err(ErrorCode::BadMessage.because("the game is already over in this position"));
    }
    if !new.clock.is_valid() {
        return Err(ErrorCode::BadMessage.because(format!("invalid clock; expected {}", Clock::BOUNDS)));
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
        unverified: false,
    };
    Ok((game, settings))
}

/// Checks that a game with these settings may be rated, if the settings say so.
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
    let rated = game.spec().rated();
    if rated != game.spec() || settings.position.is_some() {
        return Err(ErrorCode::NotAllowed.because(format!("only {rated} from its start can be rated")));
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

/// Whether a started game between these players needs a node that owns it even if no client is connected.
#[must_use]
pub fn needs_owner(seats: &[Occupant; 2], clock: Clock) -> bool {
    clock != Clock::None || seats.iter().any(Occupant::is_program)
}

#[cfg(test)]
mod tests {
    use protocol::{Opponent, SidePreference};

    use super::*;

    fn new_table(game: &str) -> NewTable {
        NewTable {
            game: game.to_owned(),
            position: None,
            opponent: Opponent::Link,
            side: SidePreference::First,
            clock: Clock::Move { ms: 10_000 },
            rated: false,
            take_back: true,
            listed: true,
            bots: true,
        }
    }

    #[test]
    fn a_new_table_has_a_known_game_a_position_to_play_and_a_valid_clock() {
        let code = |new: &NewTable| check_new_table(new).err().map(|error| error.code);
        let at =
            |position: &str| NewTable { position: Some(position.to_owned()), ..new_table("tic-tac-toe") };
        assert_eq!(code(&new_table("tic-tac-toe")), None);
        assert_eq!(code(&new_table("ludo")), Some(ErrorCode::UnknownGame));
        assert_eq!(code(&at("3/1x1/3 b")), None);
        assert_eq!(code(&at("nonsense")), Some(ErrorCode::BadMessage));
        assert_eq!(code(&at("xxx/oo1/3 b")), Some(ErrorCode::BadMessage), "it is over");
        let clock = Clock::Move { ms: 0 };
        assert_eq!(code(&NewTable { clock, ..new_table("tic-tac-toe") }), Some(ErrorCode::BadMessage));
    }

    #[test]
    fn settings_are_those_of_the_request_with_the_full_name_of_the_game() {
        let new =
            NewTable { position: Some("7/7/7/7/7/3x3 b".to_owned()), ..new_table("connect-four:6x7x4") };
        let (game, settings) = check_new_table(&new).unwrap();
        assert_eq!(game.turn(), rules::Side::Second);
        assert_eq!((settings.game, settings.position), (game.spec().to_string(), new.position));
        assert_eq!((settings.clock, settings.rated, settings.listed), (new.clock, false, true));
        assert_eq!((settings.bots, settings.invited, settings.tournament), (true, None, None));
        assert!(settings.take_back);
    }

    #[test]
    fn no_move_of_a_rated_game_is_taken_back() {
        let rated = NewTable { rated: true, ..new_table("tic-tac-toe") };
        let (_, settings) = check_new_table(&rated).unwrap();
        assert!(settings.rated && !settings.take_back);
        let (_, settings) =
            check_new_table(&NewTable { take_back: false, ..new_table("tic-tac-toe") }).unwrap();
        assert!(!settings.take_back);
    }

    #[test]
    fn a_rated_game_is_the_standard_one_with_an_account_a_clock_and_a_rated_opponent() {
        let guest =
            Principal { ids: vec!["g:1".to_owned()], name: "Ann".to_owned(), account: None, bot: false };
        let account = Principal { account: Some("u:1".to_owned()), ..guest.clone() };
        let level = Occupant::Program { name: "level:1".to_owned(), rating: Some(900) };
        let unrated = Occupant::Program { name: "random".to_owned(), rating: None };
        let check = |new: NewTable, who: &Principal, opponent: &Occupant| {
            let (game, settings) = check_new_table(&new).unwrap();
            check_rated(&settings, &game, who, opponent).err().map(|error| error.code)
        };
        let rated = NewTable { rated: true, ..new_table("connect-four") };
        let (mine, open) = (account.occupant(None), Occupant::Open);
        for opponent in [&mine, &open, &level] {
            assert_eq!(check(rated.clone(), &account, opponent), None);
        }
        assert_eq!(check(rated.clone(), &guest, &open), Some(ErrorCode::SignInFirst));
        let refused = Some(ErrorCode::NotAllowed);
        assert_eq!(check(rated.clone(), &account, &unrated), refused);
        assert_eq!(check(NewTable { clock: Clock::None, ..rated.clone() }, &account, &open), refused);
        assert_eq!(
            check(NewTable { game: "connect-four:8x9x5".to_owned(), ..rated.clone() }, &account, &open),
            refused
        );
        let position = Some("7/7/7/7/7/3x3 b".to_owned());
        assert_eq!(check(NewTable { position, ..rated }, &account, &open), refused);
        assert_eq!(check(new_table("connect-four:8x9x5"), &guest, &unrated), None, "not rated");
    }
}
