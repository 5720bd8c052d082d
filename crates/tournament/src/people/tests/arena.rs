//! Pairings of an arena.

use super::*;
use crate::people::arena::pair;

/// An arena in which all entered at 0, with drawn games that ended at these times, or are open.
fn arena(players: usize, games: &[([usize; 2], Option<u64>)]) -> State {
    let settings = settings(TournamentFormat::Arena { minutes: 5 });
    let mut state =
        State::new(0, &TournamentEvent::Opened { settings, organiser: person(ORGANISER) }).unwrap();
    for player in 0..players {
        state.apply(0, &TournamentEvent::Entered { player: person(player), address: None });
    }
    state.apply(0, &TournamentEvent::Started);
    for (game, &(players, ended)) in games.iter().enumerate() {
        let table = Some(format!("t{game}"));
        let pairing = protocol::TournamentPairing { players, table };
        state.apply(0, &TournamentEvent::Paired { games: vec![pairing], byes: Vec::new() });
        if let Some(at) = ended {
            let result = protocol::TournamentResult { winner: None, by: DecidedBy::Play };
            state.apply(at, &TournamentEvent::Decided { game, result });
        }
    }
    state
}

#[test]
fn players_are_paired_by_points_then_by_waiting_then_by_entry() {
    assert_eq!(pair(&arena(5, &[]), 0), [[0, 1], [2, 3]], "one is left over");
    // 0 and 1 have half a point, 2 and 3 have played on, 4 has none.
    let games = [([0, 1], Some(1_000)), ([2, 3], None)];
    assert_eq!(pair(&arena(5, &games), 1_000), [[0, 4]], "0 and 1 have just met");
    // All have half a point; 2 and 3 have waited longer than 0 and 1.
    let games = [([2, 3], Some(1_000)), ([0, 1], Some(2_000))];
    assert_eq!(pair(&arena(4, &games), 2_000), [[2, 0], [3, 1]]);
    // 2 and 3 have a point, 0 and 1 half of one and have waited longer.
    let games = [([0, 1], Some(1_000)), ([2, 3], Some(2_000)), ([2, 3], Some(3_000))];
    assert_eq!(pair(&arena(4, &games), 3_000), [[2, 0], [3, 1]]);
}

#[test]
fn who_has_withdrawn_or_plays_is_not_paired() {
    let mut state = arena(5, &[([1, 2], None)]);
    state.apply(0, &TournamentEvent::Withdrew { player: 0, by_organiser: false });
    assert_eq!(pair(&state, 0), [[3, 4]]);
}

#[test]
fn two_who_have_just_met_wait_ten_seconds_for_another_opponent() {
    let mut state = arena(4, &[([0, 1], Some(1_000)), ([2, 3], None)]);
    assert_eq!(pair(&state, 10_999), [[0; 2]; 0]);
    assert_eq!(pair(&state, 11_000), [[0, 1]]);
    // Player 0 goes and comes back.
    state.apply(4_000, &TournamentEvent::Withdrew { player: 0, by_organiser: false });
    state.apply(5_000, &TournamentEvent::Entered { player: person(0), address: None });
    assert_eq!(pair(&state, 14_999), [[0; 2]; 0], "both have to wait");
    assert_eq!(pair(&state, 15_000), [[1, 0]]);
}

#[test]
fn two_who_are_alone_meet_again_at_once() {
    assert_eq!(pair(&arena(2, &[([0, 1], Some(1_000))]), 1_000), [[0, 1]]);
    let mut state = arena(3, &[([0, 2], Some(1_000))]);
    state.apply(1_000, &TournamentEvent::Withdrew { player: 1, by_organiser: false });
    assert_eq!(pair(&state, 1_000), [[0, 2]]);
}

#[test]
fn the_last_opponent_of_either_counts() {
    // 1 has played on with 2, but was the last opponent of 0.
    let state = arena(3, &[([0, 1], Some(1_000)), ([1, 2], Some(2_000))]);
    assert_eq!(pair(&state, 2_000), [[0, 2]]);
    // 0 and 1 have met, but both have had another opponent since.
    let games = [([0, 1], Some(1_000)), ([0, 2], Some(2_000)), ([1, 3], Some(2_000))];
    assert_eq!(pair(&arena(4, &games), 2_000), [[0, 1], [2, 3]]);
}

#[test]
fn an_arena_pairs_those_who_are_free_until_time_is_up() {
    let mut world = World::new(TournamentFormat::Arena { minutes: 3 }, 4);
    world.start();
    let minutes = |world: &World, elapsed| {
        world.state.advance(&mut Context {
            now: world.now,
            elapsed: &|_| elapsed,
            table: &|table| world.tables.get(table).copied(),
            new_table: &mut || "new".to_owned(),
        })
    };
    let [one, other] = &world.open_tables()[..] else { panic!("two games") };
    let other = other.clone();
    world.end(one, None);
    world.tables.insert(other.clone(), TableStatus::Playing);
    world.settle();
    world.now += 20_000;
    let paired = minutes(&world, 179_999);
    assert!(matches!(&paired[..], [TournamentEvent::Paired { games, .. }] if games.len() == 1), "{paired:?}");
    assert_eq!(minutes(&world, 180_000), [], "the last games are played");
    world.end(&other, None);
    assert!(matches!(minutes(&world, 180_000)[..], [TournamentEvent::Decided { .. }]));
    let result = protocol::TournamentResult { winner: None, by: DecidedBy::Play };
    world.state.apply(world.now, &TournamentEvent::Decided { game: 1, result });
    assert_eq!(minutes(&world, 180_000), [TournamentEvent::Ended { by_organiser: false }]);
}

#[test]
fn an_arena_of_seven_pairs_as_games_end() {
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
            let opponent = |game: &crate::people::Match| game.players.into_iter().find(|&it| it != two);
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
