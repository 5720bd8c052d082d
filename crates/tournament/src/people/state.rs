//! The state of a tournament, derived from its events.

use protocol::{
    DecidedBy, NewTournament, Occupant, OrganiserAction, OrganiserChange, TournamentEvent, TournamentFormat,
    TournamentPhase, TournamentResult,
};
use rules::Side;

use super::{POINTS, TIE_BREAKS};
use crate::{Format, GameScore, PairingResult, Ranked, Round, rank, schedule};

/// A player who has joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// The person.
    pub occupant: Occupant,
    /// The hash of the address from which the player entered, if it is known.
    pub address: Option<String>,
    /// Whether the player has withdrawn.
    pub is_withdrawn: bool,
    /// When the player became free, in milliseconds since 1970.
    pub free_since: u64,
}

/// A game of the tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    /// The round, from 0.
    pub round: usize,
    /// The players, first to move first.
    pub players: [usize; 2],
    /// The table of the game; `None` if a player had already withdrawn.
    pub table: Option<String>,
    /// The result, once known.
    pub result: Option<TournamentResult>,
    /// Whether a table of this game has ended by play, which is rated in a rated tournament. A replay is not rated then.
    pub was_played: bool,
    /// When it was paired.
    pub at: u64,
    /// When the result became known.
    pub decided_at: Option<u64>,
}

impl Match {
    /// The half points of both players, if the game is decided.
    #[must_use]
    pub fn half_points(&self) -> Option<[usize; 2]> {
        Some(match self.result?.winner {
            None => [1, 1],
            Some(Side::First) => [2, 0],
            Some(Side::Second) => [0, 2],
        })
    }
}

/// A tournament at a version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) version: u64,
    pub(super) settings: NewTournament,
    pub(super) organiser: Occupant,
    pub(super) phase: TournamentPhase,
    pub(super) started_at: Option<u64>,
    pub(super) updated_at: u64,
    pub(super) players: Vec<Entrant>,
    pub(super) games: Vec<Match>,
    /// The players who had a bye, by round.
    pub(super) byes: Vec<Vec<usize>>,
    /// Tables of games that were decided or replaced by the organiser and must be stopped, with their winners.
    pub(super) closed: Vec<(String, Option<Side>)>,
    /// The hashes of the addresses whose players the organiser has removed.
    pub(super) removed_addresses: Vec<String>,
    /// What the organiser has changed, oldest first.
    pub(super) changes: Vec<OrganiserChange>,
}

impl State {
    /// Creates the state from the first event; `None` if that is not the creation.
    #[must_use]
    pub fn new(at: u64, event: &TournamentEvent) -> Option<Self> {
        let TournamentEvent::Opened { settings, organiser } = event else { return None };
        Some(Self {
            version: 1,
            settings: settings.clone(),
            organiser: organiser.clone(),
            phase: TournamentPhase::Entry,
            started_at: None,
            updated_at: at,
            players: Vec::new(),
            games: Vec::new(),
            byes: Vec::new(),
            closed: Vec::new(),
            removed_addresses: Vec::new(),
            changes: Vec::new(),
        })
    }

    /// Applies the next event. An event for an unknown player or game changes nothing.
    pub fn apply(&mut self, at: u64, event: &TournamentEvent) {
        self.version += 1;
        self.updated_at = at;
        match event {
            TournamentEvent::Opened { .. } => {}
            TournamentEvent::Entered { player, address } => {
                let (occupant, address) = (player.clone(), address.clone());
                let entrant = Entrant { occupant, address, is_withdrawn: false, free_since: at };
                match self.players.iter_mut().find(|it| id(&it.occupant) == id(player)) {
                    Some(returning) => *returning = entrant,
                    None => self.players.push(entrant),
                }
            }
            TournamentEvent::Withdrew { player, by_organiser } => {
                if let Some(entrant) = self.players.get_mut(*player) {
                    entrant.is_withdrawn = true;
                    if *by_organiser {
                        self.record(at, OrganiserAction::Removed { players: vec![*player] });
                    }
                }
            }
            TournamentEvent::AddressRemoved { address } => {
                self.removed_addresses.push(address.clone());
                let mut players = Vec::new();
                for (player, entrant) in self.players.iter_mut().enumerate() {
                    if entrant.address.as_ref() == Some(address) && !entrant.is_withdrawn {
                        entrant.is_withdrawn = true;
                        players.push(player);
                    }
                }
                self.record(at, OrganiserAction::Removed { players });
            }
            TournamentEvent::Started => {
                self.phase = TournamentPhase::Running;
                self.started_at = Some(at);
            }
            TournamentEvent::Paired { games, byes } => {
                let round = self.byes.len();
                self.byes.push(byes.clone());
                for pairing in games {
                    let (players, table) = (pairing.players, pairing.table.clone());
                    if players.iter().all(|&player| player < self.players.len()) {
                        let (result, decided_at, was_played) = (None, None, false);
                        self.games.push(Match { round, players, table, result, was_played, at, decided_at });
                    }
                }
            }
            TournamentEvent::Decided { game, result } => {
                let Some(decided) = self.games.get_mut(*game) else { return };
                let before = decided.result.replace(*result);
                decided.decided_at = Some(at);
                decided.was_played |= result.by == DecidedBy::Play;
                let (players, table) = (decided.players, decided.table.clone());
                for player in players {
                    self.players[player].free_since = at;
                }
                if let Some(table) = table.filter(|_| result.by != DecidedBy::Play) {
                    self.closed.push((table, result.winner));
                }
                if result.by == DecidedBy::Organiser {
                    let (game, winner) = (*game, result.winner);
                    self.record(at, OrganiserAction::Decided { game, players, before, winner });
                }
            }
            TournamentEvent::Replayed { game, table, by_server, was_rated } => {
                let Some(replayed) = self.games.get_mut(*game) else { return };
                let (before, players) = (replayed.result.take(), replayed.players);
                (replayed.decided_at, replayed.at) = (None, at);
                replayed.was_played |= was_rated;
                if let Some(old) = replayed.table.replace(table.clone()) {
                    self.closed.push((old, None));
                }
                if !by_server {
                    self.record(at, OrganiserAction::Replayed { game: *game, players, before });
                }
            }
            TournamentEvent::Ended { by_organiser } => {
                self.phase = TournamentPhase::Over;
                if *by_organiser {
                    self.record(at, OrganiserAction::Ended);
                }
            }
        }
    }

    /// Records what the organiser has changed.
    fn record(&mut self, at: u64, action: OrganiserAction) {
        self.changes.push(OrganiserChange { at, action });
    }

    /// The version of the last event.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The settings, fixed at creation.
    #[must_use]
    pub fn settings(&self) -> &NewTournament {
        &self.settings
    }

    /// The id of the account that created it.
    #[must_use]
    pub fn organiser(&self) -> &str {
        id(&self.organiser).unwrap_or_default()
    }

    /// The phase of the tournament.
    #[must_use]
    pub fn phase(&self) -> TournamentPhase {
        self.phase
    }

    /// The players, in the order of joining.
    #[must_use]
    pub fn players(&self) -> &[Entrant] {
        &self.players
    }

    /// The games, in the order of pairing.
    #[must_use]
    pub fn games(&self) -> &[Match] {
        &self.games
    }

    /// The table of each undecided game, and when it was paired.
    pub fn open_tables(&self) -> impl Iterator<Item = (&str, u64)> {
        let open = self.games.iter().filter(|game| game.result.is_none());
        open.filter_map(|game| Some((game.table.as_deref()?, game.at)))
    }

    /// The tables that must be stopped, with their winners.
    #[must_use]
    pub fn closed_tables(&self) -> &[(String, Option<Side>)] {
        &self.closed
    }

    /// The number of a player, by id.
    #[must_use]
    pub fn player(&self, ids: &[String]) -> Option<usize> {
        self.players.iter().position(|player| ids.iter().any(|own| player.occupant.is(own)))
    }

    /// The paired rounds, by seed in a knockout, otherwise by player number.
    pub(super) fn rounds(&self) -> Vec<Round> {
        let seed_of = self.seeds();
        let number = |player: usize| match self.settings.format {
            TournamentFormat::Knockout => seed_of[player],
            _ => player,
        };
        let round = |(round, byes): (usize, &Vec<usize>)| {
            let games = self.games.iter().filter(|game| game.round == round);
            let results = games.filter_map(|game| {
                Some(PairingResult { players: game.players.map(number), half_points: game.half_points()? })
            });
            Round { results: results.collect(), byes: byes.clone() }
        };
        self.byes.iter().enumerate().map(round).collect()
    }

    /// The seed of each player in a knockout: by rating, then by the order of joining.
    fn seeds(&self) -> Vec<usize> {
        let mut seeds = vec![0; self.players.len()];
        for (seed, player) in self.by_seed().into_iter().enumerate() {
            seeds[player] = seed;
        }
        seeds
    }

    /// The players, best seed first.
    pub(super) fn by_seed(&self) -> Vec<usize> {
        let rating = |player: usize| match &self.players[player].occupant {
            Occupant::Person { rating, .. } | Occupant::Program { rating, .. } => *rating,
            Occupant::Open => None,
        };
        let mut order: Vec<_> = (0..self.players.len()).collect();
        order.sort_by_key(|&player| std::cmp::Reverse(rating(player)));
        order
    }

    /// Points of all players, with byes.
    pub(super) fn points(&self) -> Vec<f64> {
        let mut points = vec![0.0; self.players.len()];
        for game in &self.games {
            if let Some(half_points) = game.half_points() {
                for (player, half_points) in game.players.into_iter().zip(half_points) {
                    points[player] += POINTS.of(half_points);
                }
            }
        }
        for &player in self.byes.iter().flatten() {
            points[player] += POINTS.win;
        }
        points
    }

    /// The players, best first.
    pub(super) fn ranked(&self) -> Vec<Ranked> {
        let decided = || self.games.iter().filter_map(|game| Some((game.players, game.half_points()?)));
        let games: Vec<_> =
            decided().map(|(players, half_points)| GameScore { players, half_points }).collect();
        // Every game is a meeting.
        let meetings = Round {
            results: decided().map(|(players, half_points)| PairingResult { players, half_points }).collect(),
            byes: self.byes.concat(),
        };
        let mut ranked = rank(&self.points(), &POINTS, &TIE_BREAKS, &games, &[meetings]);
        if self.settings.format == TournamentFormat::Knockout && !self.byes.is_empty() {
            let by_seed = self.by_seed();
            let seeds = schedule::knockout_places(self.players.len(), &self.rounds());
            let places: Vec<_> = seeds.into_iter().map(|seed| by_seed[seed]).collect();
            ranked.sort_by_key(|it| places.iter().position(|&player| player == it.player));
            for (place, ranked) in ranked.iter_mut().enumerate() {
                ranked.rank = place + 1;
            }
        }
        ranked
    }

    /// The format of the pairing; `None` for an arena and for a round robin, whose rounds are known in advance.
    pub(super) fn paired_by_results(&self) -> Option<(Format, usize)> {
        match self.settings.format {
            TournamentFormat::Swiss { rounds } => {
                Some((Format::Swiss, rounds.unwrap_or_else(|| self.usual_rounds()) as usize))
            }
            TournamentFormat::Knockout => Some((Format::Knockout, 0)),
            _ => None,
        }
    }
}

impl State {
    /// The number of rounds of a Swiss tournament with so many players: enough for one winner.
    pub(super) fn usual_rounds(&self) -> u32 {
        self.participants().max(2).next_power_of_two().ilog2()
    }

    /// Whether the standings show a player: all but those who were removed with their address before they played.
    pub(super) fn is_listed(&self, player: usize) -> bool {
        let address = self.players[player].address.as_ref();
        let is_removed = address.is_some_and(|address| self.removed_addresses.contains(address));
        !is_removed || self.games.iter().any(|game| game.players.contains(&player))
    }

    /// The number of players who take part or have played.
    pub(super) fn participants(&self) -> usize {
        let has_played = |player: usize| self.games.iter().any(|game| game.players.contains(&player));
        let players = self.players.iter().enumerate();
        players.filter(|(player, entrant)| !entrant.is_withdrawn || has_played(*player)).count()
    }
}

/// The id of a person.
pub(super) fn id(occupant: &Occupant) -> Option<&str> {
    match occupant {
        Occupant::Person { id, .. } => Some(id),
        _ => None,
    }
}
