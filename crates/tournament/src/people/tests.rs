//! Tournaments played by chance: whatever players do, each pairing is played once, no one plays two games at a time, and
//! it ends.

use std::collections::{HashMap, HashSet};

use protocol::{
    Clock, DecidedBy, ErrorCode, NewTournament, Occupant, Ruling, TournamentCommand, TournamentEvent,
    TournamentFormat, TournamentPhase,
};
use rules::Side;

use super::{State, Surroundings, TableStatus};

const SIT_DOWN_MS: u64 = 60_000;

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

/// A tournament with the tables of its games.
struct World {
    state: State,
    now: u64,
    tables: HashMap<String, TableStatus>,
    log: Vec<(u64, TournamentEvent)>,
}

impl World {
    fn new(format: TournamentFormat, players: usize) -> Self {
        let settings = NewTournament {
            name: "Club".to_owned(),
            game: "tic-tac-toe".to_owned(),
            format,
            clock: Clock::None,
            rated: false,
            guests: false,
            listed: false,
            starts_at: None,
            sit_down_s: 60,
        };
        super::check(&settings).unwrap();
        let opened = TournamentEvent::Opened { settings, organiser: person(1000) };
        let state = State::new(0, &opened).unwrap();
        let mut world = Self { state, now: 1, tables: HashMap::new(), log: vec![(0, opened)] };
        for player in 0..players {
            world.command(player, TournamentCommand::Enter {}).unwrap();
        }
        world
    }

    fn command(&mut self, by: usize, command: TournamentCommand) -> Result<(), ErrorCode> {
        let mut table = self.tables.len();
        let mut new_table = || {
            table += 1;
            format!("t{table}")
        };
        let events = self.state.decide(&ids(by), &person(by), &command, &mut new_table);
        self.apply(events.map_err(|error| error.code)?);
        Ok(())
    }

    fn start(&mut self) {
        self.command(1000, TournamentCommand::Start {}).unwrap();
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
            let events = self.state.advance(&mut Surroundings {
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
        let mut world = World::new(TournamentFormat::Swiss { rounds: 5 }, 20);
        world.start();
        for round in 0..5 {
            assert_eq!(world.state.byes.len(), round + 1);
            match round {
                1 => world.command(20, TournamentCommand::Enter {}).unwrap(),
                2 => world.command(3, TournamentCommand::Withdraw {}).unwrap(),
                3 => world.command(1000, TournamentCommand::Remove { player: 7 }).unwrap(),
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

#[test]
fn an_arena_pairs_those_who_are_free_until_time_is_up() {
    let mut world = World::new(TournamentFormat::Arena { minutes: 3 }, 7);
    world.start();
    assert_eq!(world.open_tables().len(), 3, "one is left over");
    let mut rng = fastrand::Rng::with_seed(5);
    let mut games = 0;
    while world.state.phase() == TournamentPhase::Running {
        world.now += 500;
        for table in world.open_tables() {
            if rng.u8(..) < 20 {
                world.end(&table, [None, Some(Side::First)][rng.usize(..2)]);
                games += 1;
            } else {
                world.tables.insert(table, TableStatus::Playing);
            }
        }
        world.settle();
    }
    assert_eq!(world.state.games().len(), games);
    assert!(world.state.games().iter().all(|game| game.at < 180_000), "no game begins after the end");
    assert!(games > 50, "{games}");
    for two in 0..7 {
        let of: Vec<_> = world.state.games().iter().filter(|game| game.players.contains(&two)).collect();
        let in_a_row = of.windows(2).filter(|games| {
            let opponent = |game: &super::Match| game.players.into_iter().find(|&it| it != two);
            opponent(games[0]) == opponent(games[1])
        });
        assert!(in_a_row.count() * 10 < of.len(), "rarely the same opponent twice in a row");
    }
}

#[test]
fn two_players_of_an_arena_meet_again_and_again() {
    let mut world = World::new(TournamentFormat::Arena { minutes: 1 }, 2);
    world.start();
    for _ in 0..5 {
        let [table] = &world.open_tables()[..] else { panic!("one game") };
        world.end(table, None);
        world.settle();
    }
    let firsts: Vec<_> = world.state.games().iter().map(|game| game.players[0]).collect();
    assert_eq!(firsts, [0, 1, 0, 1, 0, 1], "sides alternate");
}

#[test]
fn who_does_not_come_forfeits_and_may_return() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: 3 }, 4);
    world.start();
    let tables = world.open_tables();
    world.tables.insert(tables[0].clone(), TableStatus::Playing);
    world.now += SIT_DOWN_MS;
    world.settle();
    assert_eq!(world.open_tables().len(), 2, "not before the time");
    world.now += 1_000;
    world.settle();
    let forfeited = &world.state.games()[1];
    assert_eq!(forfeited.result.unwrap().by, DecidedBy::NoShow);
    let absent = forfeited.players[0];
    assert!(world.state.players()[absent].is_withdrawn);
    assert_eq!(
        world.state.closed_tables(),
        [(tables[1].clone(), Some(Side::Second))],
        "its table must not go on"
    );
    world.command(absent, TournamentCommand::Enter {}).unwrap();
    assert!(!world.state.players()[absent].is_withdrawn);
    assert_eq!(world.state.players().len(), 4, "the same player, not another");
}

#[test]
fn an_outage_forfeits_no_game_and_ends_no_arena() {
    let mut world = World::new(TournamentFormat::Arena { minutes: 1 }, 2);
    world.start();
    world.now += 3_600_000;
    let events = world.state.advance(&mut Surroundings {
        now: world.now,
        // The server was down all the time.
        elapsed: &|_| 0,
        table: &|table| world.tables.get(table).copied(),
        new_table: &mut || unreachable!("both are playing"),
    });
    assert_eq!(events, []);
}

#[test]
fn the_organiser_decides_spoilt_games() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: 2 }, 4);
    world.start();
    let tables = world.open_tables();
    world.tables.insert(tables[0].clone(), TableStatus::Aborted);
    world.tables.insert(tables[1].clone(), TableStatus::Aborted);
    world.settle();
    assert_eq!(world.open_tables().len(), 2, "without a result the round waits");
    let decide = |game, result| TournamentCommand::Decide { game, result };
    assert_eq!(world.command(0, decide(0, Ruling::Draw)), Err(ErrorCode::NotAllowed));
    world.command(1000, decide(0, Ruling::Replay)).unwrap();
    assert_ne!(world.open_tables()[0], tables[0]);
    world.command(1000, decide(1, Ruling::Draw)).unwrap();
    assert_eq!(world.state.games()[1].half_points(), Some([1, 1]));
    let replayed = world.open_tables()[0].clone();
    world.end(&replayed, Some(Side::Second));
    world.settle();
    assert_eq!(world.state.byes.len(), 2, "the next round is paired");
    assert_eq!(world.command(1000, decide(99, Ruling::Draw)), Err(ErrorCode::NotAllowed));
    world.command(1000, TournamentCommand::End {}).unwrap();
    assert_eq!(world.command(1, TournamentCommand::Withdraw {}), Err(ErrorCode::GameOver));
}

#[test]
fn guests_enter_where_they_may() {
    let mut world = World::new(TournamentFormat::RoundRobin, 2);
    let guest =
        Occupant::Person { id: "g:1".to_owned(), name: "Teal Heron".to_owned(), rating: None, bot: false };
    let enter = |state: &State| {
        let mut no_table = || unreachable!();
        state.decide(&["g:1".to_owned()], &guest, &TournamentCommand::Enter {}, &mut no_table)
    };
    assert_eq!(enter(&world.state).unwrap_err().code, ErrorCode::SignInFirst);
    world.state.settings.guests = true;
    assert_eq!(enter(&world.state).unwrap().len(), 1);
    world.state.apply(1, &TournamentEvent::Started);
    assert_eq!(enter(&world.state).unwrap_err().code, ErrorCode::NotAllowed, "its games are fixed");
}

#[test]
fn it_begins_at_its_time_if_there_are_players() {
    let mut world = World::new(TournamentFormat::RoundRobin, 1);
    world.state.settings.starts_at = Some(5_000);
    let at = |state: &State, now| {
        state.advance(&mut Surroundings {
            now,
            elapsed: &|_| 0,
            table: &|_| None,
            new_table: &mut || unreachable!(),
        })
    };
    assert_eq!(at(&world.state, 6_000), []);
    assert_eq!(at(&world.state, 4_000_000), [TournamentEvent::Ended]);
    world.state.apply(2, &TournamentEvent::Entered { player: person(1) });
    assert_eq!(at(&world.state, 4_999), []);
    assert_eq!(at(&world.state, 5_000), [TournamentEvent::Started]);
}

#[test]
fn a_view_tells_open_games_and_those_that_were_decided_last() {
    let mut world = World::new(TournamentFormat::Arena { minutes: 480 }, 4);
    world.start();
    let [waits, _] = &world.open_tables()[..] else { panic!("two games") };
    let waits = waits.clone();
    for _ in 0..800 {
        world.now += 11_000;
        for table in world.open_tables() {
            match table == waits {
                true => world.tables.insert(table, TableStatus::Playing),
                false => world.tables.insert(table, TableStatus::Ended { winner: None }),
            };
        }
        world.settle();
    }
    let told = |world: &World| {
        let games = world.state.view("a", world.now, &|_| 0).games;
        (games.len(), games[0].number, games[0].result.is_some())
    };
    let (count, first, is_decided) = told(&world);
    assert!((301..=303).contains(&count), "{count}");
    assert_eq!((first, is_decided), (0, false), "the game that is still open");
    world.end(&waits, Some(Side::First));
    world.now += 1;
    world.settle();
    assert!(told(&world).2, "and its result, when it comes");
    assert_eq!(told(&world).1, 0);
}
