//! What players and the organiser may do.

use super::*;

#[test]
fn settings_of_a_tournament_are_within_bounds() {
    let swiss = |rounds| settings(TournamentFormat::Swiss { rounds });
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
        (NewTournament { sit_down_s: 4, ..swiss(3) }, false),
        (NewTournament { sit_down_s: 5, ..swiss(3) }, true),
        (NewTournament { sit_down_s: 3 * 24 * 3_600, ..arena(9) }, true),
        (NewTournament { sit_down_s: 3 * 24 * 3_600 + 1, ..arena(9) }, false),
    ] {
        let code = super::super::check(&new).err().map(|error| error.code);
        assert_eq!(code, (!is_valid).then_some(ErrorCode::BadMessage), "{new:?}");
    }
}

#[test]
fn players_enter_once_and_come_back_as_who_they_were() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: 3 }, 3);
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
    let back = world.state.decide(&ids, &person(9), &TournamentCommand::Enter {}, &mut || unreachable!());
    world.apply(back.unwrap());
    assert_eq!(world.state.players().len(), 3);
    let returned = &world.state.players()[1];
    assert_eq!((&returned.occupant, returned.is_withdrawn), (&person(1), false));
}

#[test]
fn a_tournament_is_full_with_two_hundred_players_or_forty_who_all_meet() {
    for (format, most) in [
        (TournamentFormat::Swiss { rounds: 3 }, 200),
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
    let mut world = World::new(TournamentFormat::Swiss { rounds: 3 }, 4);
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
    let mut world = World::new(TournamentFormat::Swiss { rounds: 3 }, 4);
    assert_eq!(
        world.command(ORGANISER, TournamentCommand::Remove { player: 4 }),
        Err(ErrorCode::NotAllowed),
        "there is no such player"
    );
}

#[test]
fn a_tournament_starts_once_with_two_players() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: 3 }, 2);
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
        (TournamentFormat::Swiss { rounds: 3 }, true),
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
        state.decide(&["g:1".to_owned()], &guest, &TournamentCommand::Enter {}, &mut no_table)
    };
    assert_eq!(enter(&world.state).unwrap_err().code, ErrorCode::SignInFirst);
    world.state.settings.guests = true;
    assert_eq!(enter(&world.state).unwrap(), [TournamentEvent::Entered { player: guest.clone() }]);
}

#[test]
fn the_organiser_decides_spoilt_games() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: 2 }, 6);
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
    let mut world = World::new(TournamentFormat::Swiss { rounds: 2 }, 4);
    world.start();
    for result in [Ruling::First, Ruling::Replay] {
        world.now += 100;
        world.command(ORGANISER, TournamentCommand::Decide { game: 0, result }).unwrap();
    }
    let game = &world.state.games()[0];
    assert_eq!((game.result, game.decided_at, game.at), (None, None, world.now));
    assert_eq!(world.open_games(), [[0, 1], [2, 3]]);
}

#[test]
fn a_game_of_players_who_have_left_is_not_replayed() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: 2 }, 4);
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
    let mut world = World::new(TournamentFormat::Swiss { rounds: 2 }, 3);
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
    let mut world = World::new(TournamentFormat::Swiss { rounds: 1 }, 3);
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
    let mut world = World::new(TournamentFormat::Swiss { rounds: 2 }, 2);
    let before = world.state.clone();
    let result = protocol::TournamentResult { winner: None, by: DecidedBy::Play };
    let pairing = |players| protocol::TournamentPairing { players, table: None };
    for event in [
        TournamentEvent::Withdrew { player: 2 },
        TournamentEvent::Decided { game: 0, result },
        TournamentEvent::Replayed { game: 0, table: "t".to_owned() },
        TournamentEvent::Paired { games: vec![pairing([0, 2]), pairing([2, 1])], byes: Vec::new() },
    ] {
        world.state.apply(5, &event);
    }
    assert_eq!((world.state.players(), world.state.games()), (before.players(), before.games()));
    assert_eq!(world.state.version(), before.version() + 4);
    assert!(State::new(0, &TournamentEvent::Started).is_none());
}
