//! A tournament as clients see it.

use protocol::{
    PeopleConditions, TournamentFormat, TournamentGame, TournamentStanding, TournamentSummary, TournamentView,
};

use super::{TIE_BREAKS, state::State};
use crate::{Tally, schedule};

impl State {
    /// All that clients see. `elapsed` is the time since a moment without outages, `now` is now.
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
            TournamentFormat::Swiss { rounds } => Some(rounds),
            TournamentFormat::RoundRobin => {
                Some(schedule::circle(self.players.len()).len() as u32).filter(|&rounds| rounds > 0)
            }
            _ => None,
        };
        let points = self.points();
        let mut cross_table = vec![vec![Tally::default(); self.players.len()]; self.players.len()];
        for game in &self.games {
            if let Some([first, second]) = game.half_points() {
                let [one, other] = game.players;
                cross_table[one][other].add(first);
                cross_table[other][one].add(second);
            }
        }
        let numbers = |tally: &Tally| [tally.wins, tally.draws, tally.losses];
        let standing = |ranked: crate::Ranked| {
            let player = &self.players[ranked.player];
            let tally = cross_table[ranked.player].iter().map(numbers);
            let byes = (0..).zip(&self.byes).filter(|(_, byes)| byes.contains(&ranked.player));
            TournamentStanding {
                player: ranked.player,
                occupant: player.occupant.clone(),
                rank: ranked.rank,
                points: points[ranked.player],
                tie_breaks: ranked.tie_breaks,
                tally: tally.fold([0; 3], |sum, of| [sum[0] + of[0], sum[1] + of[1], sum[2] + of[2]]),
                byes: byes.map(|(round, _)| round).collect(),
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
        let is_arena = matches!(settings.format, TournamentFormat::Arena { .. });
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
            }),
            conditions: Vec::new(),
            round: if is_arena { 0 } else { self.byes.len() as u32 },
            rounds,
            tie_breaks: TIE_BREAKS.map(|rule| rule.id().to_owned()).into(),
            standings: self.ranked().into_iter().map(standing).collect(),
            cross_table: cross_table.iter().map(|row| row.iter().map(numbers).collect()).collect(),
            games: self.games.iter().enumerate().map(game).collect(),
        }
    }

    /// What lists show.
    #[must_use]
    pub fn summary(&self, id: &str) -> TournamentSummary {
        TournamentSummary {
            id: id.to_owned(),
            name: self.settings.name.clone(),
            game: self.settings.game.clone(),
            format: self.settings.format,
            phase: self.phase,
            players: self.present().count(),
            programs: false,
            starts_at: self.settings.starts_at,
            updated_at: self.updated_at,
        }
    }
}
