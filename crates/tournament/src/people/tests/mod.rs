//! Randomly played tournaments: whatever players do, each pairing is played once, no one plays two games at a
//! time, and the tournament ends.

use std::collections::{HashMap, HashSet};

use protocol::{
    Clock, DecidedBy, ErrorCode, NewTournament, Occupant, OrganiserAction, Ruling, TournamentCommand,
    TournamentEvent, TournamentFormat, TournamentPhase, TournamentResult,
};
use rules::Side;

use super::{Context, Sender, State, TableStatus};

mod advance;
mod arena;
mod decide;
mod view;

const SIT_DOWN_MS: u64 = 60_000;
const ORGANISER: usize = 1_000;

fn person(number: usize) -> Occupant {
    Occupant::Person {
        id: format!("u:{number}"),
        name: format!("Player {number}"),
        rating: Some(1500 + 10 * number as i64),
        bot: false,
    }
}

fn ids(number: usize) -> Vec<String> {
    vec![format!("u:{number}")]
}

fn settings(format: TournamentFormat) -> NewTournament {
    NewTournament {
        name: "Club".to_owned(),
        game: "tic-tac-toe".to_owned(),
        format,
        clock: Clock::None,
        rated: false,
        guests: false,
        listed: false,
        starts_at: None,
        sit_down_s: 60,
        places_per_address: 10,
    }
}

/// A tournament with the tables of its games.
struct World {
    state: State,
    now: u64,
    tables: HashMap<String, TableStatus>,
    log: Vec<(u64, TournamentEvent)>,
}

impl World {
    fn new(format: TournamentFormat, players: usize) -> Self {
        let settings = settings(format);
        super::check(&settings, 0).unwrap();
        let opened = TournamentEvent::Opened { settings, organiser: person(ORGANISER) };
        let state = State::new(0, &opened).unwrap();
        let mut world = Self { state, now: 1, tables: HashMap::new(), log: vec![(0, opened)] };
        for player in 0..players {
            world.command(player, TournamentCommand::Enter {}).unwrap();
        }
        world
    }

    /// Each player has an address of their own.
    fn command(&mut self, by: usize, command: TournamentCommand) -> Result<(), ErrorCode> {
        self.command_from(&by.to_string(), by, command)
    }

    fn command_from(
        &mut self,
        address: &str,
        by: usize,
        command: TournamentCommand,
    ) -> Result<(), ErrorCode> {
        let mut table = self.tables.len();
        let mut new_table = || {
            table += 1;
            format!("t{table}")
        };
        let (ids, person) = (ids(by), person(by));
        let sender = Sender { ids: &ids, person: &person, address };
        let events = self.state.decide(&sender, &command, &mut new_table);
        self.apply(events.map_err(|error| error.code)?);
        Ok(())
    }

    /// The number of events so far.
    fn events(&self) -> usize {
        self.log.len()
    }

    fn start(&mut self) {
        self.command(ORGANISER, TournamentCommand::Start {}).unwrap();
        self.settle();
    }

    fn apply(&mut self, events: Vec<TournamentEvent>) {
        for event in events {
            match &event {
                TournamentEvent::Paired { games, .. } => {
                    for table in games.iter().filter_map(|game| game.table.clone()) {
                        self.open(table);
                    }
                }
                TournamentEvent::Replayed { table, .. } => self.open(table.clone()),
                _ => {}
            }
            self.state.apply(self.now, &event);
            self.log.push((self.now, event));
        }
        let mut playing = HashSet::new();
        for game in self.state.games().iter().filter(|game| game.result.is_none() && game.table.is_some()) {
            assert!(game.players.into_iter().all(|player| playing.insert(player)), "two games at a time");
        }
    }

    fn open(&mut self, table: String) {
        let waiting = TableStatus::Waiting { side: Side::First, since: self.now };
        assert!(self.tables.insert(table, waiting).is_none(), "a table is used once");
    }

    /// Lets follow what follows.
    fn settle(&mut self) {
        for step in 0.. {
            assert!(step < 1_000, "it does not come to rest");
            let now = self.now;
            let mut table = self.tables.len();
            let events = self.state.advance(&mut Context {
                now,
                elapsed: &|since| now.saturating_sub(since),
                table: &|table| self.tables.get(table).copied(),
                new_table: &mut || {
                    table += 1;
                    format!("t{table}")
                },
            });
            if events.is_empty() {
                break;
            }
            self.apply(events);
        }
        let mut replayed = State::new(self.log[0].0, &self.log[0].1).unwrap();
        for (at, event) in &self.log[1..] {
            replayed.apply(*at, event);
        }
        assert_eq!(replayed, self.state, "the state follows from the log");
    }

    /// Ends an open game by play.
    fn end(&mut self, table: &str, winner: Option<Side>) {
        self.tables.insert(table.to_owned(), TableStatus::Ended { winner });
    }

    /// Ends the open games by play, in their order, and applies the events that follow.
    fn end_all(&mut self, winners: &[Option<Side>]) {
        let tables = self.open_tables();
        assert_eq!(tables.len(), winners.len());
        for (table, winner) in tables.iter().zip(winners) {
            self.end(table, *winner);
        }
        self.settle();
    }

    /// The players of the open games, first to move first.
    fn open_games(&self) -> Vec<[usize; 2]> {
        let open = self.state.games().iter().filter(|game| game.result.is_none());
        open.map(|game| game.players).collect()
    }

    fn open_tables(&self) -> Vec<String> {
        self.state.open_tables().map(|(table, _)| table.to_owned()).collect()
    }

    /// Plays all open games by chance until the tournament is over.
    fn play_out(&mut self, rng: &mut fastrand::Rng) {
        for _ in 0..10_000 {
            self.settle();
            if self.state.phase() == TournamentPhase::Over {
                return;
            }
            self.now += 1_000;
            let open = self.open_tables();
            if let Some(table) = open.get(rng.usize(..open.len().max(1))) {
                let winner = [None, Some(Side::First), Some(Side::Second)][rng.usize(..3)];
                self.end(table, winner);
            }
        }
        panic!("it does not end: {:?}", self.state);
    }

    /// How often each two players met.
    fn meetings(&self) -> HashMap<[usize; 2], usize> {
        let mut meetings = HashMap::new();
        for game in self.state.games() {
            let [one, other] = game.players;
            *meetings.entry([one.min(other), one.max(other)]).or_default() += 1;
        }
        meetings
    }
}

#[test]
fn everyone_meets_everyone_once_in_a_round_robin() {
    for players in 2..10 {
        let mut world = World::new(TournamentFormat::RoundRobin, players);
        world.start();
        world.play_out(&mut fastrand::Rng::with_seed(players as u64));
        let meetings = world.meetings();
        assert_eq!(meetings.len(), players * (players - 1) / 2);
        assert!(meetings.values().all(|&times| times == 1));
        let total: f64 = world.state.points().iter().sum();
        assert_eq!(total, meetings.len() as f64, "one point per game");
        for player in 0..players {
            let firsts = world.state.games().iter().filter(|game| game.players[0] == player).count();
            assert!((2 * firsts).abs_diff(players - 1) <= 3, "sides are about equal: {firsts} of {players}");
        }
    }
}

#[test]
fn swiss_has_no_rematch_with_late_entries_and_withdrawals() {
    for seed in 0..20 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut world = World::new(TournamentFormat::Swiss { rounds: Some(5) }, 20);
        world.start();
        for round in 0..5 {
            assert_eq!(world.state.byes.len(), round + 1);
            match round {
                1 => world.command(20, TournamentCommand::Enter {}).unwrap(),
                2 => world.command(3, TournamentCommand::Withdraw {}).unwrap(),
                3 => world.command(ORGANISER, TournamentCommand::Remove { player: 7 }).unwrap(),
                _ => {}
            }
            for table in world.open_tables() {
                world.end(&table, [None, Some(Side::First), Some(Side::Second)][rng.usize(..3)]);
            }
            world.settle();
        }
        assert_eq!(world.state.phase(), TournamentPhase::Over);
        assert!(world.meetings().values().all(|&times| times == 1), "seed {seed}");
        let played =
            |player: usize| world.state.games().iter().filter(|it| it.players.contains(&player)).count();
        // The one who came late is missing in two rounds: not counted as free there, so without points for them.
        assert!(played(20) + world.state.byes.iter().flatten().filter(|&&player| player == 20).count() <= 3);
        assert!(played(3) < 5);
    }
}

/// A Swiss offered 5 rounds to 4 players, so that opponents met twice.
#[test]
fn a_swiss_has_as_many_rounds_as_its_players_need() {
    for (players, rounds) in [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (30, 5), (33, 6)] {
        let mut world = World::new(TournamentFormat::Swiss { rounds: None }, players);
        assert_eq!(world.state.view("s", 0, &|_| 0).rounds, Some(rounds));
        world.start();
        world.play_out(&mut fastrand::Rng::with_seed(3));
        assert_eq!(world.state.byes.len(), rounds as usize, "{players} players");
        assert!(world.meetings().values().all(|&times| times == 1), "{players} players");
    }
}

#[test]
fn a_knockout_leaves_one_and_replays_draws() {
    for players in 2..12 {
        let mut world = World::new(TournamentFormat::Knockout, players);
        world.start();
        world.play_out(&mut fastrand::Rng::with_seed(players as u64));
        let view = world.state.view("k", world.now, &|_| 0);
        assert_eq!(
            view.standings.iter().map(|it| it.rank).collect::<Vec<_>>(),
            (1..=players).collect::<Vec<_>>()
        );
        let last = world.state.games().iter().rfind(|game| game.result.unwrap().winner.is_some());
        if let Some(last) = last {
            assert!(
                last.players.contains(&view.standings[0].player),
                "the winner was in the last decided game"
            );
        }
    }
}

#[test]
fn a_player_who_leaves_a_knockout_or_a_round_robin_loses_the_games_to_come() {
    for format in [TournamentFormat::Knockout, TournamentFormat::RoundRobin] {
        let mut world = World::new(format, 5);
        world.start();
        for player in [0, 4] {
            world.command(player, TournamentCommand::Withdraw {}).unwrap();
        }
        world.play_out(&mut fastrand::Rng::with_seed(1));
        let by_withdrawal = world.state.games().iter().filter(|game| game.table.is_none());
        for game in by_withdrawal {
            let winner = game.result.unwrap().winner.unwrap();
            assert!([1, 2, 3].contains(&game.players[winner.index()]), "{format:?}: {game:?}");
        }
    }
}
