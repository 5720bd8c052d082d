//! Advances a tournament by the clock and its tables: results, forfeits, the next round, the end.

use protocol::{
    DecidedBy, TournamentEvent, TournamentFormat, TournamentPairing, TournamentPhase, TournamentResult,
};
use rules::Side;

use super::{arena, state::State, swiss};
use crate::{Format, schedule};

/// How long a tournament that was due to start waits for a second player.
const WAIT_FOR_PLAYERS_MS: u64 = 60 * 60 * 1000;
/// The value of a bye, in half points: a win.
const BYE: usize = 2;

/// The status of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableStatus {
    /// A side has not made its first move.
    Waiting {
        /// The side to move.
        side: Side,
        /// When that side's turn started.
        since: u64,
    },
    /// Both sides have moved.
    Playing,
    /// The game ended with a result.
    Ended {
        /// The winner; `None` for a draw.
        winner: Option<Side>,
    },
    /// The game ended without a result: the organiser decides.
    Aborted,
}

/// The outside world, as the state machine sees it.
pub struct Context<'a> {
    /// The current time, in milliseconds since 1970.
    pub now: u64,
    /// The time since a moment, without outages.
    pub elapsed: &'a dyn Fn(u64) -> u64,
    /// The status of a table; `None` if it is unknown.
    pub table: &'a dyn Fn(&str) -> Option<TableStatus>,
    /// Returns an id for a new table.
    pub new_table: &'a mut dyn FnMut() -> String,
}

impl State {
    /// Returns the due events. Call it again after applying them, until there are none.
    pub fn advance(&self, around: &mut Context<'_>) -> Vec<TournamentEvent> {
        match self.phase {
            TournamentPhase::Over => Vec::new(),
            TournamentPhase::Entry => self.advance_entry(around),
            TournamentPhase::Running => {
                let results = self.results(around);
                if !results.is_empty() {
                    return results;
                }
                match self.settings.format {
                    TournamentFormat::Arena { minutes } => self.advance_arena(u64::from(minutes), around),
                    _ => self.advance_rounds(around),
                }
            }
        }
    }

    fn advance_entry(&self, around: &Context<'_>) -> Vec<TournamentEvent> {
        let Some(late) = self.settings.starts_at.and_then(|at| around.now.checked_sub(at)) else {
            return Vec::new();
        };
        match self.present().count() >= 2 {
            true => vec![TournamentEvent::Started],
            false if late > WAIT_FOR_PLAYERS_MS => vec![TournamentEvent::Ended { by_organiser: false }],
            false => Vec::new(),
        }
    }

    /// Returns the results shown by the tables, and the forfeits of absent players.
    fn results(&self, around: &mut Context<'_>) -> Vec<TournamentEvent> {
        let mut events = Vec::new();
        for (number, game) in self.games.iter().enumerate().filter(|(_, game)| game.result.is_none()) {
            let mut decide = |winner, by| {
                let result = TournamentResult { winner, by };
                events.push(TournamentEvent::Decided { game: number, result });
            };
            let Some(table) = &game.table else {
                let is_there = |side: &Side| !self.players[game.players[side.index()]].is_withdrawn;
                let winner = Side::BOTH.into_iter().find(is_there);
                // A knockout needs a winner even if both players are absent.
                let of_knockout = self.settings.format == TournamentFormat::Knockout;
                decide(winner.or(of_knockout.then_some(Side::First)), DecidedBy::Withdrawal);
                continue;
            };
            match (around.table)(table) {
                Some(TableStatus::Ended { winner }) => decide(winner, DecidedBy::Play),
                Some(TableStatus::Waiting { side, since }) => {
                    let time = 1000 * u64::from(self.settings.sit_down_s);
                    if (around.elapsed)(since.max(game.at)) > time {
                        decide(Some(side.other()), DecidedBy::NoShow);
                        // An absent player is not paired again until they come back.
                        let player = game.players[side.index()];
                        if self.may_enter_late() && !self.players[player].is_withdrawn {
                            events.push(TournamentEvent::Withdrew { player, by_organiser: false });
                        }
                    }
                }
                // An operator ended the game, and an organiser who plays in it must not decide it.
                Some(TableStatus::Aborted) if self.is_of_organiser(game) => {
                    let table = (around.new_table)();
                    let (by_server, was_rated) = (true, false);
                    events.push(TournamentEvent::Replayed { game: number, table, by_server, was_rated });
                }
                Some(TableStatus::Playing | TableStatus::Aborted) | None => {}
            }
        }
        events
    }

    fn may_enter_late(&self) -> bool {
        matches!(self.settings.format, TournamentFormat::Swiss { .. } | TournamentFormat::Arena { .. })
    }

    fn advance_rounds(&self, around: &mut Context<'_>) -> Vec<TournamentEvent> {
        if self.games.iter().any(|game| game.result.is_none()) {
            return Vec::new();
        }
        let (pairings, byes) = match self.paired_by_results() {
            Some((format, rounds)) => {
                let is_present: Vec<_> = self.players.iter().map(|player| !player.is_withdrawn).collect();
                let next = match format {
                    Format::Swiss => swiss::next_round(&is_present, rounds, BYE, &self.rounds()),
                    _ => format.next_round(&is_present, rounds, BYE, &self.rounds()),
                };
                let by_seed = self.by_seed();
                let is_knockout = self.settings.format == TournamentFormat::Knockout;
                let player = |number: usize| if is_knockout { by_seed[number] } else { number };
                (next.pairings.into_iter().map(|pair| pair.map(player)).collect(), next.byes)
            }
            None => {
                let rounds = schedule::circle(self.players.len());
                (rounds.get(self.byes.len()).cloned().unwrap_or_default(), Vec::new())
            }
        };
        // If both have withdrawn, there is no game; if one has, it is decided at once.
        let is_gone = |player: usize| self.players[player].is_withdrawn;
        let of_knockout = self.settings.format == TournamentFormat::Knockout;
        let played =
            pairings.iter().filter(|[one, other]| of_knockout || !(is_gone(*one) && is_gone(*other)));
        let games: Vec<_> = played
            .map(|&pair| {
                let table = (!pair.into_iter().any(is_gone)).then(|| (around.new_table)());
                TournamentPairing { players: self.with_sides(pair), table }
            })
            .collect();
        let is_over = pairings.is_empty() || self.present().count() < 2;
        if is_over {
            return vec![TournamentEvent::Ended { by_organiser: false }];
        }
        vec![TournamentEvent::Paired { games, byes }]
    }

    fn advance_arena(&self, minutes: u64, around: &mut Context<'_>) -> Vec<TournamentEvent> {
        let started_at = self.started_at.unwrap_or(around.now);
        if (around.elapsed)(started_at) >= 60_000 * minutes {
            let is_over = self.games.iter().all(|game| game.result.is_some());
            return if is_over { vec![TournamentEvent::Ended { by_organiser: false }] } else { Vec::new() };
        }
        let pairs = arena::pair(self, around.now);
        if pairs.is_empty() {
            return Vec::new();
        }
        let game = |pair| {
            let table = Some((around.new_table)());
            TournamentPairing { players: self.with_sides(pair), table }
        };
        vec![TournamentEvent::Paired { games: pairs.into_iter().map(game).collect(), byes: Vec::new() }]
    }

    /// Orders two players: the one who has moved first less often moves first; if equal, the one who did so longer ago.
    fn with_sides(&self, [one, other]: [usize; 2]) -> [usize; 2] {
        let history = |player: usize| {
            let played = self.games.iter().filter(|game| game.players.contains(&player));
            let signs = played.map(|game| if game.players[0] == player { 1_i64 } else { -1 });
            signs.fold((0, 0), |(sum, _), sign| (sum + sign, sign))
        };
        match history(one).cmp(&history(other)) {
            std::cmp::Ordering::Less => [one, other],
            std::cmp::Ordering::Greater => [other, one],
            std::cmp::Ordering::Equal if self.byes.len().is_multiple_of(2) => [one, other],
            std::cmp::Ordering::Equal => [other, one],
        }
    }
}
