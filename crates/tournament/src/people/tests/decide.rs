//! What players and the organiser may do.

use super::*;

const NOW: u64 = 1_800_000_000_000;
const DAY: u64 = 24 * 3_600_000;

#[test]
fn settings_of_a_tournament_are_within_bounds() {
    let starts = |at| NewTournament { starts_at: Some(at), ..settings(TournamentFormat::Knockout) };
    let places =
        |places_per_address| NewTournament { places_per_address, ..settings(TournamentFormat::Knockout) };
    let swiss = |rounds| settings(TournamentFormat::Swiss { rounds: Some(rounds) });
    let arena = |minutes| settings(TournamentFormat::Arena { minutes });
    let named = |name: &str| NewTournament { name: name.to_owned(), ..swiss(3) };
    for (new, is_valid) in [
        (swiss(0), false),
        (swiss(1), true),
        (swiss(30), true),
        (swiss(31), false),
        (arena(0), false),
        (arena(1), true),
        (arena(480), true),
        (arena(481), false),
        (settings(TournamentFormat::RoundRobin), true),
        (settings(TournamentFormat::Knockout), true),
        (settings(TournamentFormat::Gauntlet), false),
        (named("  "), false),
        (named(&"é".repeat(60)), true),
        (named(&"é".repeat(61)), false),
        (settings(TournamentFormat::Swiss { rounds: None }), true),
        (starts(NOW + 5), true),
        (starts(NOW + 366 * DAY), true),
        (starts(NOW + 367 * DAY), false),
        (starts(u64::MAX), false),
        (starts(NOW - DAY), false),
        (starts(NOW - 60_000), true),
        (places(0), false),
        (places(1), true),
        (places(200), true),
        (places(201), false),
        (NewTournament { sit_down_s: 4, ..swiss(3) }, false),
        (NewTournament { sit_down_s: 5, ..swiss(3) }, true),
        (NewTournament { sit_down_s: 3 * 24 * 3_600, ..arena(9) }, true),
        (NewTournament { sit_down_s: 3 * 24 * 3_600 + 1, ..arena(9) }, false),
    ] {
        let code = super::super::check(&new, NOW).err().map(|error| error.code);
        assert_eq!(code, (!is_valid).then_some(ErrorCode::BadMessage), "{new:?}");
    }
}

#[test]
fn players_enter_once_and_come_back_as_who_they_were() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(3) }, 3);
    let events = world.events();
    world.command(1, TournamentCommand::Enter {}).unwrap();
    assert_eq!(world.events(), events, "player 1 has entered before");
    assert_eq!(world.command(9, TournamentCommand::Withdraw {}), Err(ErrorCode::NotAllowed));
    world.command(1, TournamentCommand::Withdraw {}).unwrap();
    assert!(world.state.players()[1].is_withdrawn);
    world.command(1, TournamentCommand::Withdraw {}).unwrap();
    assert_eq!(world.events(), events + 1, "player 1 has withdrawn before");

    // Under another id and name.
    let ids = ["u:9".to_owned(), "u:1".to_owned()];
    assert_eq!(world.state.player(&ids), Some(1));
    let sender = Sender { ids: &ids, person: &person(9), address: "elsewhere" };
    let back = world.state.decide(&sender, &TournamentCommand::Enter {}, &mut || unreachable!());
    world.apply(back.unwrap());
    assert_eq!(world.state.players().len(), 3);
    let returned = &world.state.players()[1];
    assert_eq!((&returned.occupant, returned.is_withdrawn), (&person(1), false));
}

#[test]
fn a_tournament_is_full_with_two_hundred_players_or_forty_who_all_meet() {
    for (format, most) in [
        (TournamentFormat::Swiss { rounds: Some(3) }, 200),
        (TournamentFormat::Arena { minutes: 5 }, 200),
        (TournamentFormat::Knockout, 200),
        (TournamentFormat::RoundRobin, 40),
    ] {
        let mut world = World::new(format, most - 1);
        world.command(most, TournamentCommand::Enter {}).unwrap();
        assert_eq!(world.command(most + 1, TournamentCommand::Enter {}), Err(ErrorCode::NotAllowed));
        world.command(5, TournamentCommand::Withdraw {}).unwrap();
        assert_eq!(world.command(most + 1, TournamentCommand::Enter {}), Err(ErrorCode::NotAllowed));
        world.command(5, TournamentCommand::Enter {}).unwrap();
    }
}

#[test]
fn only_the_organiser_starts_removes_decides_and_ends() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(3) }, 4);
    let decide = TournamentCommand::Decide { game: 0, result: Ruling::Draw };
    let commands = [
        TournamentCommand::Start {},
        TournamentCommand::Remove { player: 1 },
        decide,
        TournamentCommand::End {},
    ];
    for command in &commands {
        assert_eq!(world.command(0, command.clone()), Err(ErrorCode::NotAllowed), "{command:?}");
    }
    for command in commands {
        world.command(ORGANISER, command).unwrap();
        world.settle();
    }
    assert_eq!(world.state.phase(), TournamentPhase::Over);
    assert!(world.state.players()[1].is_withdrawn);
    assert_eq!(world.command(1, TournamentCommand::Enter {}), Err(ErrorCode::GameOver));
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(3) }, 4);
    assert_eq!(
        world.command(ORGANISER, TournamentCommand::Remove { player: 4 }),
        Err(ErrorCode::NotAllowed),
        "there is no such player"
    );
}

#[test]
fn a_tournament_starts_once_with_two_players() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(3) }, 2);
    let start = TournamentCommand::Start {};
    world.command(0, TournamentCommand::Withdraw {}).unwrap();
    assert_eq!(world.command(ORGANISER, start.clone()), Err(ErrorCode::NotAllowed));
    world.command(0, TournamentCommand::Enter {}).unwrap();
    world.command(ORGANISER, start.clone()).unwrap();
    assert_eq!(world.state.phase(), TournamentPhase::Running);
    let events = world.events();
    world.command(ORGANISER, start).unwrap();
    assert_eq!(world.events(), events);
}

#[test]
fn players_come_late_where_pairings_are_not_fixed() {
    for (format, may_enter) in [
        (TournamentFormat::Swiss { rounds: Some(3) }, true),
        (TournamentFormat::Arena { minutes: 5 }, true),
        (TournamentFormat::RoundRobin, false),
        (TournamentFormat::Knockout, false),
    ] {
        let mut world = World::new(format, 3);
        world.start();
        let expected = if may_enter { Ok(()) } else { Err(ErrorCode::NotAllowed) };
        assert_eq!(world.command(3, TournamentCommand::Enter {}), expected, "{format:?}");
        world.command(0, TournamentCommand::Withdraw {}).unwrap();
        assert_eq!(world.command(0, TournamentCommand::Enter {}), expected, "{format:?}");
    }
}

#[test]
fn guests_enter_where_they_may() {
    let mut world = World::new(TournamentFormat::RoundRobin, 2);
    let guest =
        Occupant::Person { id: "g:1".to_owned(), name: "Teal Heron".to_owned(), rating: None, bot: false };
    let enter = |state: &State| {
        let mut no_table = || unreachable!();
        let sender = Sender { ids: &["g:1".to_owned()], person: &guest, address: "home" };
        state.decide(&sender, &TournamentCommand::Enter {}, &mut no_table)
    };
    assert_eq!(enter(&world.state).unwrap_err().code, ErrorCode::SignInFirst);
    world.state.settings.guests = true;
    assert_eq!(
        enter(&world.state).unwrap(),
        [TournamentEvent::Entered { player: guest.clone(), address: Some("home".to_owned()) }]
    );
}

#[test]
fn the_organiser_decides_spoilt_games() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(2) }, 6);
    world.start();
    let tables = world.open_tables();
    for table in &tables {
        world.tables.insert(table.clone(), TableStatus::Aborted);
    }
    world.settle();
    assert_eq!(world.open_tables(), tables, "without a result the round waits");
    let decide = |game, result| TournamentCommand::Decide { game, result };
    assert_eq!(world.command(ORGANISER, decide(3, Ruling::Draw)), Err(ErrorCode::NotAllowed), "no such game");
    world.now += 500;
    world.command(ORGANISER, decide(0, Ruling::Replay)).unwrap();
    world.command(ORGANISER, decide(1, Ruling::Draw)).unwrap();
    world.command(ORGANISER, decide(2, Ruling::First)).unwrap();
    assert_eq!(
        world.state.closed_tables(),
        [(tables[0].clone(), None), (tables[1].clone(), None), (tables[2].clone(), Some(Side::First))],
        "their tables must not go on"
    );
    let games = world.state.games();
    assert_eq!(games[1].half_points(), Some([1, 1]));
    assert_eq!(games[2].half_points(), Some([2, 0]));
    assert_eq!((games[2].result.unwrap().by, games[2].decided_at), (DecidedBy::Organiser, Some(world.now)));
    let replayed = world.open_tables();
    assert_eq!(world.state.open_tables().collect::<Vec<_>>(), [(replayed[0].as_str(), world.now)]);
    assert!(!tables.contains(&replayed[0]));
    world.end_all(&[Some(Side::Second)]);
    assert_eq!(world.state.byes.len(), 2, "the next round is paired");
    world.command(ORGANISER, decide(0, Ruling::Second)).unwrap();
    assert_eq!(world.state.games()[0].half_points(), Some([0, 2]), "also games of rounds before");
}

#[test]
fn a_game_is_open_again_when_it_is_replayed() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(2) }, 4);
    world.start();
    for result in [Ruling::First, Ruling::Replay] {
        world.now += 100;
        world.command(ORGANISER, TournamentCommand::Decide { game: 0, result }).unwrap();
    }
    let game = &world.state.games()[0];
    assert_eq!((game.result, game.decided_at, game.at), (None, None, world.now));
    assert_eq!(world.open_games(), [[0, 1], [2, 3]]);
    // The organiser had decided a game that ended by play at the same time, and was rated.
    assert!(!game.was_played);
    let (table, by_server) = ("next".to_owned(), false);
    let replayed =
        |was_rated| TournamentEvent::Replayed { game: 0, table: table.clone(), by_server, was_rated };
    world.state.apply(world.now, &replayed(true));
    world.state.apply(world.now, &replayed(false));
    assert!(world.state.games()[0].was_played);
}

#[test]
fn a_game_of_players_who_have_left_is_not_replayed() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(2) }, 4);
    world.start();
    world.command(1, TournamentCommand::Withdraw {}).unwrap();
    let replay = |game| TournamentCommand::Decide { game, result: Ruling::Replay };
    assert_eq!(world.open_games(), [[0, 1], [2, 3]]);
    assert_eq!(world.command(ORGANISER, replay(0)), Err(ErrorCode::NotAllowed));
    world.command(ORGANISER, replay(1)).unwrap();
}

#[test]
fn results_that_have_paired_the_next_round_of_a_knockout_stay() {
    let mut world = World::new(TournamentFormat::Knockout, 4);
    world.start();
    world.end_all(&[Some(Side::First), Some(Side::First)]);
    let decide = |game| TournamentCommand::Decide { game, result: Ruling::Second };
    for game in [0, 1] {
        assert_eq!(world.command(ORGANISER, decide(game)), Err(ErrorCode::NotAllowed));
    }
    world.command(ORGANISER, decide(2)).unwrap();
    assert_eq!(world.state.games()[2].half_points(), Some([0, 2]));
}

/// Organisers decided their own games without a move: 15 rated wins in 12 seconds.
#[test]
fn organisers_decide_no_game_of_their_own() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(2) }, 3);
    world.command(ORGANISER, TournamentCommand::Enter {}).unwrap();
    world.start();
    assert_eq!(world.open_games(), [[0, 1], [2, 3]]);
    for result in [Ruling::First, Ruling::Second, Ruling::Draw, Ruling::Replay] {
        let decide = |game| TournamentCommand::Decide { game, result };
        assert_eq!(world.command(ORGANISER, decide(1)), Err(ErrorCode::NotAllowed), "{result:?}");
        world.command(ORGANISER, decide(0)).unwrap();
    }
}

/// Nobody can wait for a decision that nobody may make.
#[test]
fn a_game_of_the_organiser_that_an_operator_ended_is_replayed() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(1) }, 3);
    world.command(ORGANISER, TournamentCommand::Enter {}).unwrap();
    world.start();
    let tables = world.open_tables();
    for table in &tables {
        world.tables.insert(table.clone(), TableStatus::Aborted);
    }
    world.settle();
    let games = world.state.games();
    assert_eq!(games[0].table.as_ref(), Some(&tables[0]), "the organiser decides it");
    assert_ne!(games[1].table.as_ref(), Some(&tables[1]));
    assert_eq!(world.state.closed_tables(), [(tables[1].clone(), None)]);
}

#[test]
fn events_of_unknown_players_and_games_change_nothing() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(2) }, 2);
    let before = world.state.clone();
    let result = protocol::TournamentResult { winner: None, by: DecidedBy::Play };
    let pairing = |players| protocol::TournamentPairing { players, table: None };
    for event in [
        TournamentEvent::Withdrew { player: 2, by_organiser: false },
        TournamentEvent::Decided { game: 0, result },
        TournamentEvent::Replayed { game: 0, table: "t".to_owned(), by_server: false, was_rated: false },
        TournamentEvent::Paired { games: vec![pairing([0, 2]), pairing([2, 1])], byes: Vec::new() },
    ] {
        world.state.apply(5, &event);
    }
    assert_eq!((world.state.players(), world.state.games()), (before.players(), before.games()));
    assert_eq!(world.state.version(), before.version() + 4);
    assert!(State::new(0, &TournamentEvent::Started).is_none());
}

/// One address entered 131 guests into a tournament of 200 places.
#[test]
fn an_address_has_so_many_places_also_for_players_who_come_and_go() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: None }, 0);
    for player in 0..10 {
        world.command_from("school", player, TournamentCommand::Enter {}).unwrap();
        world.command_from("school", player, TournamentCommand::Withdraw {}).unwrap();
    }
    assert_eq!(world.command_from("school", 10, TournamentCommand::Enter {}), Err(ErrorCode::NotAllowed));
    world.command_from("school", 3, TournamentCommand::Enter {}).unwrap();
    world.command_from("home", 10, TournamentCommand::Enter {}).unwrap();
    world.command_from("school", 10, TournamentCommand::Enter {}).unwrap();
    world.command_from("home", 2, TournamentCommand::Enter {}).unwrap();

    let mut school = World::new(TournamentFormat::Swiss { rounds: None }, 0);
    school.state.settings.places_per_address = 30;
    for player in 0..30 {
        school.command_from("school", player, TournamentCommand::Enter {}).unwrap();
    }
    assert_eq!(school.command_from("school", 30, TournamentCommand::Enter {}), Err(ErrorCode::NotAllowed));
}

#[test]
fn all_entries_of_an_address_are_removed_at_once_and_leave_their_places() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: None }, 70);
    world.state.settings.places_per_address = 200;
    for player in 70..200 {
        world.command_from("attacker", player, TournamentCommand::Enter {}).unwrap();
    }
    assert_eq!(world.command(200, TournamentCommand::Enter {}), Err(ErrorCode::NotAllowed), "it is full");
    let remove = |player| TournamentCommand::RemoveAddress { player };
    for (by, player) in [(3, 70), (ORGANISER, 999)] {
        assert_eq!(world.command(by, remove(player)), Err(ErrorCode::NotAllowed));
    }
    world.command(ORGANISER, remove(150)).unwrap();
    let events = world.events();
    world.command(ORGANISER, remove(151)).unwrap();
    assert_eq!(world.events(), events, "they are removed already");
    let view = world.state.view("s", 0, &|_| 0);
    assert_eq!((view.standings.len(), world.state.summary("s").players), (70, 70));
    let [change] = &view.changes[..] else { panic!("{:?}", view.changes) };
    assert_eq!(change.action, OrganiserAction::Removed { players: (70..200).collect() });
    for player in [75, 300] {
        let enter = TournamentCommand::Enter {};
        assert_eq!(world.command_from("attacker", player, enter), Err(ErrorCode::NotAllowed));
    }
    for player in 200..330 {
        world.command(player, TournamentCommand::Enter {}).unwrap();
    }
    assert_eq!(world.command(330, TournamentCommand::Enter {}), Err(ErrorCode::NotAllowed), "full again");
}

/// Nobody but the organiser knew what the organiser had changed.
#[test]
fn what_the_organiser_changes_is_shown_to_all() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(2) }, 6);
    world.command(5, TournamentCommand::Withdraw {}).unwrap();
    world.command(ORGANISER, TournamentCommand::Remove { player: 4 }).unwrap();
    world.start();
    let table = world.open_tables()[0].clone();
    world.end(&table, Some(Side::First));
    world.settle();
    world.now = 7;
    for (game, result) in [(0, Ruling::Second), (1, Ruling::Draw), (0, Ruling::Replay)] {
        world.command(ORGANISER, TournamentCommand::Decide { game, result }).unwrap();
    }
    assert!(world.state.games()[0].was_played && !world.state.games()[1].was_played);
    world.command(ORGANISER, TournamentCommand::End {}).unwrap();
    let [first, second] = [0, 1].map(|game| world.state.games()[game].players);
    let played = |winner, by| Some(TournamentResult { winner, by });
    let changes = world.state.view("s", 9, &|_| 0).changes;
    assert!(changes[1..].iter().all(|change| change.at == 7));
    let actions: Vec<_> = changes.into_iter().map(|change| change.action).collect();
    let expected = [
        OrganiserAction::Removed { players: vec![4] },
        OrganiserAction::Decided {
            game: 0,
            players: first,
            before: played(Some(Side::First), DecidedBy::Play),
            winner: Some(Side::Second),
        },
        OrganiserAction::Decided { game: 1, players: second, before: None, winner: None },
        OrganiserAction::Replayed {
            game: 0,
            players: first,
            before: played(Some(Side::Second), DecidedBy::Organiser),
        },
        OrganiserAction::Ended,
    ];
    assert_eq!(actions, expected);
}
