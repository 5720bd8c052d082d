//! The view of a tournament for clients.

use protocol::{
    PeopleConditions, TournamentFormat, TournamentGame, TournamentPhase, TournamentStanding,
    TournamentSummary, TournamentView,
};

use super::{POINTS, TIE_BREAKS, state::State};
use crate::{Tally, schedule};

/// Number of decided games in a view, the latest ones. A view is sent after every change.
const MAX_GAMES: usize = 300;
/// Number of changes by the organiser in a view, the latest ones.
const MAX_CHANGES: usize = 100;

impl State {
    /// Returns the full view. `elapsed` is the time since a moment without outages, `now` the current time.
    #[must_use]
    pub fn view(&self, id: &str, now: u64, elapsed: &dyn Fn(u64) -> u64) -> TournamentView {
        let settings = &self.settings;
        let ends_at = match settings.format {
            TournamentFormat::Arena { minutes } => self.started_at.map(|at| {
                let outages = now.saturating_sub(at).saturating_sub(elapsed(at));
                at + 60_000 * u64::from(minutes) + outages
            }),
            _ => None,
        };
        let rounds = match settings.format {
            TournamentFormat::Swiss { rounds } => Some(rounds.unwrap_or_else(|| self.usual_rounds())),
            TournamentFormat::RoundRobin => {
                Some(schedule::circle(self.players.len()).len() as u32).filter(|&rounds| rounds > 0)
            }
            _ => None,
        };
        let is_arena = matches!(settings.format, TournamentFormat::Arena { .. });
        let points = self.points();
        let everyone_meets = settings.format == TournamentFormat::RoundRobin;
        let size = if everyone_meets { self.players.len() } else { 0 };
        let mut cross_table = vec![vec![Tally::default(); size]; size];
        let mut tallies = vec![Tally::default(); self.players.len()];
        for game in &self.games {
            if let Some([first, second]) = game.half_points() {
                let [one, other] = game.players;
                tallies[one].add(first);
                tallies[other].add(second);
                if everyone_meets {
                    cross_table[one][other].add(first);
                    cross_table[other][one].add(second);
                }
            }
        }
        let numbers = |tally: &Tally| [tally.wins, tally.draws, tally.losses];
        let standing = |ranked: crate::Ranked| {
            let player = &self.players[ranked.player];
            let rounds = if is_arena { Vec::new() } else { self.points_by_round(ranked.player) };
            TournamentStanding {
                player: ranked.player,
                occupant: player.occupant.clone(),
                rank: ranked.rank,
                points: points[ranked.player],
                tie_breaks: ranked.tie_breaks,
                tally: numbers(&tallies[ranked.player]),
                rounds,
                free: self.byes.last().is_some_and(|byes| byes.contains(&ranked.player)),
                withdrawn: player.is_withdrawn,
                elo: None,
            }
        };
        let game = |(number, game): (usize, &super::Match)| TournamentGame {
            number,
            round: game.round as u32,
            players: game.players,
            table: game.table.clone(),
            result: game.result,
            at: Some(game.at),
            position: None,
            moves: None,
        };
        // An old game may be decided late, by a forfeit or by the organiser.
        let mut decided: Vec<_> = self.games.iter().filter_map(|game| game.decided_at).collect();
        decided.sort_unstable();
        let since = decided.len().checked_sub(MAX_GAMES).map_or(0, |first| decided[first]);
        let is_shown = |game: &super::Match| game.decided_at.is_none_or(|at| at >= since);
        TournamentView {
            id: id.to_owned(),
            v: self.version,
            name: settings.name.clone(),
            game: settings.game.clone(),
            format: settings.format,
            phase: self.phase,
            people: Some(PeopleConditions {
                clock: settings.clock,
                rated: settings.rated,
                guests: settings.guests,
                listed: settings.listed,
                organiser: self.organiser.clone(),
                starts_at: settings.starts_at,
                ends_at,
                sit_down_s: settings.sit_down_s,
                places_per_address: settings.places_per_address,
            }),
            conditions: Vec::new(),
            round: if is_arena { 0 } else { self.byes.len() as u32 },
            rounds,
            tie_breaks: TIE_BREAKS.map(|rule| rule.id().to_owned()).into(),
            standings: self
                .ranked()
                .into_iter()
                .filter(|it| self.is_listed(it.player))
                .map(standing)
                .collect(),
            cross_table: cross_table.iter().map(|row| row.iter().map(numbers).collect()).collect(),
            games: self.games.iter().enumerate().filter(|(_, game)| is_shown(game)).map(game).collect(),
            changes: self.changes[self.changes.len().saturating_sub(MAX_CHANGES)..].to_vec(),
        }
    }

    /// The points of a player in each round, as far as known.
    fn points_by_round(&self, player: usize) -> Vec<Option<f64>> {
        let mut rounds: Vec<_> =
            self.byes.iter().map(|byes| byes.contains(&player).then_some(POINTS.win)).collect();
        for game in &self.games {
            if let (Some(seat), Some(half_points)) =
                (game.players.iter().position(|&it| it == player), game.half_points())
            {
                rounds[game.round] = Some(POINTS.of(half_points[seat]));
            }
        }
        rounds
    }

    /// Returns the summary for lists.
    #[must_use]
    pub fn summary(&self, id: &str) -> TournamentSummary {
        TournamentSummary {
            id: id.to_owned(),
            name: self.settings.name.clone(),
            game: self.settings.game.clone(),
            format: self.settings.format,
            phase: self.phase,
            players: match self.phase {
                TournamentPhase::Entry => self.present().count(),
                _ => self.participants(),
            },
            programs: false,
            starts_at: self.settings.starts_at,
            updated_at: self.updated_at,
        }
    }
}
