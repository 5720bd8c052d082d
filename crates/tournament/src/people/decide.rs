//! Commands of people: join, withdraw, start, end, decide a game.

use protocol::{
    ApiError, DecidedBy, ErrorCode, NewTournament, Occupant, Ruling, TournamentCommand, TournamentEvent,
    TournamentFormat, TournamentPhase, TournamentResult,
};
use rules::Side;

use super::state::{Entrant, Match, State};

/// Maximum number of players.
const MAX_PLAYERS: usize = 200;
/// Maximum number of players including those who were removed with their address.
const MAX_ENTRANTS: usize = 1_000;
/// Maximum number of players in a round robin.
const MAX_ROUND_ROBIN: usize = 40;
const MAX_ROUNDS: u32 = 30;
const MAX_MINUTES: u32 = 8 * 60;
const MAX_NAME: usize = 60;
/// Minimum and maximum time for the first move.
const SIT_DOWN_S: std::ops::RangeInclusive<u32> = 5..=3 * 24 * 3600;

fn refused(reason: &str) -> ApiError {
    ErrorCode::NotAllowed.because(reason)
}

/// The time between now and the start of a tournament that is created.
const MAX_WAIT_MS: u64 = 366 * 24 * 60 * 60 * 1000;
/// How far a start may lie in the past, for clients whose clock is slow.
const MAX_LATE_MS: u64 = 60 * 60 * 1000;

/// The sender of a command.
pub struct Sender<'a> {
    /// The ids of the sender.
    pub ids: &'a [String],
    /// How others see the sender.
    pub person: &'a Occupant,
    /// A hash of the sender's address.
    pub address: &'a str,
}

/// Checks the settings of a new tournament. Game and clock are checked like those of a table.
///
/// # Errors
/// If they are out of range.
pub fn check(new: &NewTournament, now: u64) -> Result<(), ApiError> {
    let bad = |reason: String| Err(ErrorCode::BadMessage.because(reason));
    let is_possible = |at: u64| (now.saturating_sub(MAX_LATE_MS)..=now + MAX_WAIT_MS).contains(&at);
    if !new.starts_at.is_none_or(is_possible) {
        return bad("a tournament starts within the next year".to_owned());
    }
    if !(1..=MAX_PLAYERS as u32).contains(&new.places_per_address) {
        return bad(format!("the number of players from one address is from 1 to {MAX_PLAYERS}"));
    }
    if new.name.trim().is_empty() || new.name.chars().count() > MAX_NAME {
        return bad(format!("the name of a tournament must have 1 to {MAX_NAME} characters"));
    }
    match new.format {
        TournamentFormat::Swiss { rounds: Some(rounds) } if !(1..=MAX_ROUNDS).contains(&rounds) => {
            bad(format!("a Swiss tournament can have 1 to {MAX_ROUNDS} rounds"))
        }
        TournamentFormat::Arena { minutes } if !(1..=MAX_MINUTES).contains(&minutes) => {
            bad(format!("an arena can last 1 to {MAX_MINUTES} minutes"))
        }
        TournamentFormat::Gauntlet => bad("a gauntlet is for programs".to_owned()),
        _ if !SIT_DOWN_S.contains(&new.sit_down_s) => bad(format!(
            "the time for the first move must be {} to {} s",
            SIT_DOWN_S.start(),
            SIT_DOWN_S.end()
        )),
        _ => Ok(()),
    }
}

impl State {
    /// Decides a command. `new_table` returns the id of a new table.
    ///
    /// # Errors
    /// If the command is refused.
    pub fn decide(
        &self,
        sender: &Sender<'_>,
        command: &TournamentCommand,
        new_table: &mut dyn FnMut() -> String,
    ) -> Result<Vec<TournamentEvent>, ApiError> {
        if self.phase == TournamentPhase::Over {
            return Err(ErrorCode::GameOver.because("the tournament is over"));
        }
        let is_organiser = sender.ids.iter().any(|id| self.organiser.is(id));
        let by_organiser = || {
            let only = || ErrorCode::NotAllowed.because("only the organiser can do that");
            is_organiser.then_some(()).ok_or_else(only)
        };
        match command {
            TournamentCommand::Enter {} => self.decide_enter(sender),
            TournamentCommand::Withdraw {} => match self.player(sender.ids) {
                Some(player) => self.decide_withdraw(player, false),
                None => Err(refused("you have not entered this tournament")),
            },
            TournamentCommand::Remove { player } => {
                by_organiser()?;
                match self.players.get(*player) {
                    Some(_) => self.decide_withdraw(*player, true),
                    None => Err(refused("there is no such player")),
                }
            }
            TournamentCommand::RemoveAddress { player } => {
                by_organiser()?;
                let player = self.players.get(*player).ok_or_else(|| refused("there is no such player"))?;
                let address = player.address.clone();
                let address = address.ok_or_else(|| refused("the address of this player is not known"))?;
                if self.removed_addresses.contains(&address) {
                    return Ok(Vec::new());
                }
                Ok(vec![TournamentEvent::AddressRemoved { address }])
            }
            TournamentCommand::Start {} => {
                by_organiser()?;
                if self.phase != TournamentPhase::Entry {
                    return Ok(Vec::new());
                }
                if self.present().count() < 2 {
                    return Err(refused("a tournament needs two players"));
                }
                Ok(vec![TournamentEvent::Started])
            }
            TournamentCommand::End {} => {
                by_organiser()?;
                Ok(vec![TournamentEvent::Ended { by_organiser: true }])
            }
            TournamentCommand::Decide { game, result } => {
                by_organiser()?;
                self.decide_game(*game, *result, new_table)
            }
        }
    }

    /// The players who have not withdrawn.
    pub(super) fn present(&self) -> impl Iterator<Item = usize> {
        let players = self.players.iter().enumerate();
        players.filter(|(_, entrant)| !entrant.is_withdrawn).map(|(player, _)| player)
    }

    fn decide_enter(&self, sender: &Sender<'_>) -> Result<Vec<TournamentEvent>, ApiError> {
        let Sender { ids, person, address } = *sender;
        let is_guest = matches!(person, Occupant::Person { id, .. } if id.starts_with("g:"));
        if is_guest && !self.settings.guests {
            return Err(ErrorCode::SignInFirst.because("only accounts can enter this tournament"));
        }
        let known = self.player(ids);
        if known.is_some_and(|player| !self.players[player].is_withdrawn) {
            return Ok(Vec::new());
        }
        let is_fixed =
            matches!(self.settings.format, TournamentFormat::RoundRobin | TournamentFormat::Knockout);
        if self.phase == TournamentPhase::Running && is_fixed {
            return Err(refused("it has begun, and its games are fixed"));
        }
        let most = match self.settings.format {
            TournamentFormat::RoundRobin => MAX_ROUND_ROBIN,
            _ => MAX_PLAYERS,
        };
        let places_taken = (0..self.players.len()).filter(|&player| self.is_listed(player)).count();
        if known.is_none() && (places_taken >= most || self.players.len() >= MAX_ENTRANTS) {
            return Err(refused("the tournament is full"));
        }
        if self.removed_addresses.iter().any(|removed| removed == address) {
            return Err(refused("the organiser has removed the players of your address"));
        }
        // Who withdraws does not make room for others: one address could fill the tournament.
        let of_address = |entrant: &&Entrant| entrant.address.as_deref() == Some(address);
        let places = self.settings.places_per_address as usize;
        let is_new = known.is_none_or(|player| self.players[player].address.as_deref() != Some(address));
        if is_new && self.players.iter().filter(of_address).count() >= places {
            return Err(refused(&format!(
                "{places} players have entered from your address; the organiser of a new tournament can allow more"
            )));
        }
        // Who comes back keeps the number and the name of the first entry.
        let player = known.map_or(person, |player| &self.players[player].occupant);
        Ok(vec![TournamentEvent::Entered { player: player.clone(), address: Some(address.to_owned()) }])
    }

    fn decide_withdraw(&self, player: usize, by_organiser: bool) -> Result<Vec<TournamentEvent>, ApiError> {
        if self.players[player].is_withdrawn {
            return Ok(Vec::new());
        }
        Ok(vec![TournamentEvent::Withdrew { player, by_organiser }])
    }

    /// Whether the organiser plays in a game.
    pub(super) fn is_of_organiser(&self, game: &Match) -> bool {
        game.players.iter().any(|&player| self.players[player].occupant.is(self.organiser()))
    }

    fn decide_game(
        &self,
        number: usize,
        ruling: Ruling,
        new_table: &mut dyn FnMut() -> String,
    ) -> Result<Vec<TournamentEvent>, ApiError> {
        let game = self.games.get(number).ok_or_else(|| refused("there is no such game"))?;
        if self.is_of_organiser(game) {
            return Err(refused("an organiser cannot decide a game of their own"));
        }
        let is_last = game.round + 1 == self.byes.len();
        if !is_last && self.settings.format == TournamentFormat::Knockout {
            return Err(refused("the next round has been paired by this result"));
        }
        let winner = match ruling {
            Ruling::First => Some(Side::First),
            Ruling::Second => Some(Side::Second),
            Ruling::Draw => None,
            Ruling::Replay => {
                if game.players.iter().any(|&player| self.players[player].is_withdrawn) {
                    return Err(refused("a player of this game has withdrawn"));
                }
                let table = new_table();
                let (by_server, was_rated) = (false, false);
                return Ok(vec![TournamentEvent::Replayed { game: number, table, by_server, was_rated }]);
            }
        };
        let result = TournamentResult { winner, by: DecidedBy::Organiser };
        Ok(vec![TournamentEvent::Decided { game: number, result }])
    }
}
