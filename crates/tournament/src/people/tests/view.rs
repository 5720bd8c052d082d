//! A tournament as clients see it.

use super::*;

const FIRST: Option<Side> = Some(Side::First);
const SECOND: Option<Side> = Some(Side::Second);

#[test]
fn standings_of_a_swiss_tournament_tell_points_by_round() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(2) }, 3);
    world.start();
    assert_eq!((world.open_games(), &world.state.byes[0]), (vec![[0, 1]], &vec![2]));
    world.end_all(&[None]);
    assert_eq!((world.open_games(), &world.state.byes[1]), (vec![[2, 0]], &vec![1]));
    world.command(0, TournamentCommand::Withdraw {}).unwrap();
    let view = world.state.view("s", world.now, &|_| 0);
    assert_eq!((view.round, view.rounds, view.phase), (2, Some(2), TournamentPhase::Running));
    assert_eq!(view.tie_breaks, ["buchholz", "sonneborn-berger", "wins"]);
    let rows: Vec<_> = view
        .standings
        .iter()
        .map(|row| (row.player, row.rank, row.points, row.tally, row.rounds.clone(), row.free, row.withdrawn))
        .collect();
    // A bye is worth a won game, but counts as none.
    assert_eq!(
        rows,
        [
            (1, 1, 1.5, [0, 1, 0], vec![Some(0.5), Some(1.0)], true, false),
            (2, 2, 1.0, [0, 0, 0], vec![Some(1.0), None], false, false),
            (0, 3, 0.5, [0, 1, 0], vec![Some(0.5), None], false, true),
        ]
    );
    let tie_breaks: Vec<_> = view.standings.iter().map(|row| &row.tie_breaks[..]).collect();
    assert_eq!(tie_breaks, [[2.0, 0.25, 0.0], [1.0, 0.0, 0.0], [1.5, 0.75, 0.0]]);
    let games: Vec<_> = view.games.iter().map(|game| (game.number, game.round, game.players)).collect();
    assert_eq!(games, [(0, 0, [0, 1]), (1, 1, [2, 0])]);
    assert_eq!((view.games[0].result.unwrap().winner, view.games[1].result), (None, None));
    assert_eq!(view.cross_table, Vec::<Vec<[u32; 3]>>::new(), "not everyone meets everyone");
}

#[test]
fn a_round_robin_has_a_cross_table() {
    let mut world = World::new(TournamentFormat::RoundRobin, 3);
    world.start();
    for (players, winner) in [([1, 2], FIRST), ([0, 1], SECOND), ([2, 0], None)] {
        assert_eq!(world.open_games(), [players]);
        world.end_all(&[winner]);
    }
    let view = world.state.view("r", world.now, &|_| 0);
    assert_eq!((view.phase, view.round, view.rounds), (TournamentPhase::Over, 3, Some(3)));
    let (won, drawn, lost, none) = ([1, 0, 0], [0, 1, 0], [0, 0, 1], [0; 3]);
    assert_eq!(view.cross_table, [[none, lost, drawn], [won, none, won], [drawn, lost, none]]);
    let rows: Vec<_> =
        view.standings.iter().map(|row| (row.player, row.rank, row.points, row.tally)).collect();
    // Buchholz, Sonneborn–Berger and wins of 0 and 2 are equal too.
    assert_eq!(rows, [(1, 1, 2.0, [2, 0, 0]), (0, 2, 0.5, [0, 1, 1]), (2, 2, 0.5, [0, 1, 1])]);
    assert_eq!(view.standings[0].rounds, [Some(1.0), Some(1.0), None]);
    let empty = World::new(TournamentFormat::RoundRobin, 0);
    assert_eq!(empty.state.view("r", 0, &|_| 0).rounds, None, "it depends on the players");
}

/// Players 0 to 3 have rising ratings.
#[test]
fn a_knockout_is_seeded_by_rating_and_ranked_by_elimination() {
    let mut world = World::new(TournamentFormat::Knockout, 4);
    let places = |world: &World| {
        let view = world.state.view("k", world.now, &|_| 0);
        view.standings.iter().map(|row| (row.player, row.rank)).collect::<Vec<_>>()
    };
    assert_eq!(places(&world), [(0, 1), (1, 1), (2, 1), (3, 1)], "by entry before it begins");
    world.start();
    assert_eq!(world.open_games(), [[3, 0], [2, 1]]);
    world.end_all(&[SECOND, FIRST]);
    assert_eq!(world.open_games(), [[0, 2]]);
    assert_eq!(places(&world), [(2, 1), (0, 2), (3, 3), (1, 4)]);
    world.end_all(&[FIRST]);
    assert_eq!(places(&world), [(0, 1), (2, 2), (3, 3), (1, 4)]);
    assert_eq!(world.state.view("k", world.now, &|_| 0).rounds, None);
}

#[test]
fn an_arena_ends_after_its_minutes_and_outages() {
    let mut world = World::new(TournamentFormat::Arena { minutes: 2 }, 2);
    let ends_at = |world: &World, elapsed| {
        let view = world.state.view("a", world.now, &|_| elapsed);
        view.people.unwrap().ends_at
    };
    assert_eq!(ends_at(&world, 0), None, "it has not begun");
    world.now = 1_000;
    world.start();
    world.now = 51_000;
    assert_eq!(ends_at(&world, 50_000), Some(121_000));
    assert_eq!(ends_at(&world, 20_000), Some(151_000), "half a minute was lost");
    let view = world.state.view("a", world.now, &|_| 0);
    assert_eq!((view.round, view.rounds, &view.standings[0].rounds), (0, None, &Vec::new()));
}

#[test]
fn a_view_tells_the_conditions_and_a_summary_the_players_who_are_there() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(2) }, 3);
    world.state.settings.starts_at = Some(7);
    world.now = 500;
    world.command(1, TournamentCommand::Withdraw {}).unwrap();
    let view = world.state.view("s", world.now, &|_| 0);
    assert_eq!(
        (view.id.as_str(), view.v, view.name.as_str(), view.game.as_str()),
        ("s", 5, "Club", "tic-tac-toe")
    );
    let people = view.people.unwrap();
    assert_eq!((people.organiser, people.sit_down_s, people.starts_at), (person(ORGANISER), 60, Some(7)));
    assert_eq!((people.guests, people.rated, people.listed, people.ends_at), (false, false, false, None));
    assert_eq!((world.state.organiser(), world.state.version()), ("u:1000", 5));
    let summary = world.state.summary("s");
    assert_eq!((summary.id.as_str(), summary.name.as_str(), summary.players), ("s", "Club", 2));
    assert_eq!(
        (summary.phase, summary.starts_at, summary.updated_at),
        (TournamentPhase::Entry, Some(7), 500)
    );
    assert_eq!(world.state.settings().format, TournamentFormat::Swiss { rounds: Some(2) });
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

/// Everyone leaves in the end: a list once showed "0 players".
#[test]
fn a_finished_tournament_had_the_players_who_played() {
    let mut world = World::new(TournamentFormat::Arena { minutes: 1 }, 5);
    world.command(4, TournamentCommand::Withdraw {}).unwrap();
    assert_eq!(world.state.summary("a").players, 4);
    world.start();
    world.end_all(&[None, None]);
    for player in 0..4 {
        world.command(player, TournamentCommand::Withdraw {}).unwrap();
    }
    world.command(ORGANISER, TournamentCommand::End {}).unwrap();
    assert_eq!(world.state.summary("a").players, 4);
}
