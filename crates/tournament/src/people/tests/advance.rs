//! Events that follow from the clock and the tables.

use super::*;

/// The due events of a tournament with these tables, if this much time has passed since each moment.
fn due(state: &State, now: u64, table: Option<TableStatus>) -> Vec<TournamentEvent> {
    state.advance(&mut Context {
        now,
        elapsed: &|since| now.saturating_sub(since),
        table: &|_| table,
        new_table: &mut || "new".to_owned(),
    })
}

#[test]
fn a_tournament_begins_at_its_time_if_there_are_players() {
    const HOUR: u64 = 3_600_000;
    let mut world = World::new(TournamentFormat::RoundRobin, 1);
    assert_eq!(due(&world.state, u64::MAX, None), [], "the organiser starts it");
    world.state.settings.starts_at = Some(5_000);
    assert_eq!(due(&world.state, 4_999, None), []);
    assert_eq!(due(&world.state, 5_000 + HOUR, None), [], "it waits for players");
    assert_eq!(due(&world.state, 5_001 + HOUR, None), [TournamentEvent::Ended { by_organiser: false }]);
    world.command(1, TournamentCommand::Enter {}).unwrap();
    assert_eq!(due(&world.state, 4_999, None), []);
    assert_eq!(due(&world.state, 5_000, None), [TournamentEvent::Started]);
    world.command(0, TournamentCommand::Withdraw {}).unwrap();
    assert_eq!(due(&world.state, 5_000, None), []);
    world.command(ORGANISER, TournamentCommand::End {}).unwrap();
    assert_eq!(due(&world.state, 6_000, None), []);
}

#[test]
fn tables_give_results_and_unknown_ones_none() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(1) }, 2);
    world.start();
    for table in [None, Some(TableStatus::Playing), Some(TableStatus::Aborted)] {
        assert_eq!(due(&world.state, u64::MAX, table), [], "{table:?}");
    }
    for winner in [None, Some(Side::Second)] {
        let result = protocol::TournamentResult { winner, by: DecidedBy::Play };
        let ended = Some(TableStatus::Ended { winner });
        assert_eq!(due(&world.state, world.now, ended), [TournamentEvent::Decided { game: 0, result }]);
    }
    world.end_all(&[None]);
    assert_eq!(world.state.closed_tables(), [], "it ended by itself");
    assert_eq!(world.state.phase(), TournamentPhase::Over);
}

/// The time for the first move counts from the pairing, or from the opponent's first move.
#[test]
fn who_does_not_make_the_first_move_forfeits() {
    for (format, is_withdrawn) in [
        (TournamentFormat::Swiss { rounds: Some(3) }, true),
        (TournamentFormat::Arena { minutes: 9 }, true),
        (TournamentFormat::RoundRobin, false),
        (TournamentFormat::Knockout, false),
    ] {
        let mut world = World::new(format, 2);
        world.now = 10_000;
        world.start();
        let [[_, second]] = world.open_games()[..] else { panic!("one game") };
        for (side, since, from) in [(Side::First, 0, 10_000), (Side::Second, 25_000, 25_000)] {
            let table = Some(TableStatus::Waiting { side, since });
            assert_eq!(due(&world.state, from + SIT_DOWN_MS, table), []);
            let events = due(&world.state, from + SIT_DOWN_MS + 1, table);
            let result = protocol::TournamentResult { winner: Some(side.other()), by: DecidedBy::NoShow };
            assert_eq!(events[0], TournamentEvent::Decided { game: 0, result });
            assert_eq!(events.len(), if is_withdrawn { 2 } else { 1 }, "{format:?}");
            if is_withdrawn && side == Side::Second {
                assert_eq!(events[1], TournamentEvent::Withdrew { player: second, by_organiser: false });
            }
        }
        world.command(second, TournamentCommand::Withdraw {}).unwrap();
        let table = Some(TableStatus::Waiting { side: Side::Second, since: 0 });
        assert_eq!(due(&world.state, 99_999, table).len(), 1, "who has withdrawn does not withdraw again");
    }
}

#[test]
fn who_does_not_come_may_return() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(3) }, 4);
    world.start();
    let tables = world.open_tables();
    world.tables.insert(tables[0].clone(), TableStatus::Playing);
    world.now += SIT_DOWN_MS + 1;
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
    let events = world.state.advance(&mut Context {
        now: world.now,
        // The server was down all the time.
        elapsed: &|_| 0,
        table: &|table| world.tables.get(table).copied(),
        new_table: &mut || unreachable!("both are playing"),
    });
    assert_eq!(events, []);
}

#[test]
fn a_game_with_one_who_has_left_is_won_without_a_table() {
    let mut world = World::new(TournamentFormat::RoundRobin, 4);
    world.start();
    assert_eq!(world.open_games(), [[0, 3], [1, 2]]);
    world.command(1, TournamentCommand::Withdraw {}).unwrap();
    world.end_all(&[None, None]);
    // The second round is 0–1 and 2–3.
    let walkover = &world.state.games()[2];
    assert_eq!((walkover.players.contains(&1), &walkover.table), (true, &None));
    let result = walkover.result.unwrap();
    assert_eq!((walkover.players[result.winner.unwrap().index()], result.by), (0, DecidedBy::Withdrawal));
    assert_eq!(world.state.games()[3].result, None, "the other game is played");
    world.command(3, TournamentCommand::Withdraw {}).unwrap();
    world.end_all(&[None]);
    // The third round is 0–2 and 1–3, of whom both have left.
    assert_eq!(world.open_games().len(), 1);
    assert_eq!(world.state.games().len(), 5);
}

#[test]
fn a_knockout_has_a_winner_where_both_have_left() {
    let mut world = World::new(TournamentFormat::Knockout, 8);
    world.start();
    // By rating: 7–0, 4–3, 6–1, 5–2.
    assert_eq!(world.open_games(), [[7, 0], [4, 3], [6, 1], [5, 2]]);
    let first = Some(Side::First);
    world.end_all(&[first, first, first, None]);
    assert_eq!(world.open_games(), [[2, 5]], "a drawn game is replayed with sides exchanged");
    for player in [4, 7] {
        world.command(player, TournamentCommand::Withdraw {}).unwrap();
    }
    world.end_all(&[Some(Side::First)]);
    let walkover = &world.state.games()[5];
    assert_eq!((walkover.players, &walkover.table), ([7, 4], &None));
    let result = walkover.result.unwrap();
    assert_eq!((result.winner, result.by), (Some(Side::First), DecidedBy::Withdrawal));
    assert_eq!(world.open_games().len(), 1);
}

#[test]
fn a_tournament_ends_without_two_players() {
    for format in [TournamentFormat::Swiss { rounds: Some(5) }, TournamentFormat::RoundRobin] {
        let mut world = World::new(format, 4);
        world.start();
        for player in [0, 1, 2] {
            world.command(player, TournamentCommand::Withdraw {}).unwrap();
        }
        world.end_all(&[None, None]);
        assert_eq!(world.state.phase(), TournamentPhase::Over, "{format:?}");
    }
}

/// The player who was first less often moves first, or else the one who was first longer ago; otherwise sides
/// alternate by round.
#[test]
fn sides_are_about_equal() {
    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(4) }, 4);
    world.start();
    assert_eq!(world.open_games(), [[0, 1], [2, 3]]);
    world.end_all(&[Some(Side::First), Some(Side::First)]);
    assert_eq!(world.open_games(), [[2, 0], [3, 1]], "both were first once, both were second once");
    // Points: 0 and 1 one, 2 two, 3 none.
    world.end_all(&[Some(Side::First), Some(Side::Second)]);
    assert_eq!(world.open_games(), [[1, 2], [0, 3]], "1 was never first, 0 was second last");
    world.end_all(&[Some(Side::First), Some(Side::Second)]);
    assert_eq!(world.open_games(), [[1, 2], [3, 0]], "1 and 3 were first once, 2 and 0 twice");

    let mut world = World::new(TournamentFormat::Swiss { rounds: Some(4) }, 4);
    world.start();
    world.end_all(&[Some(Side::First), Some(Side::Second)]);
    assert_eq!(world.open_games(), [[3, 0], [1, 2]], "3 and 1 were second before");
}
