//! Clocks: what they show, when they run out, and which lag is compensated.

use super::*;
use crate::clock::{LAG_SLACK_MS, MAX_LAG_MS, quota_gain};

const MINUTE: Clock = Clock::Game { initial_ms: 60_000, increment_ms: 0 };

fn timed(clock: Clock) -> TestTable {
    TestTable::new(settings("connect-four:8x40", clock), [seat("ann"), seat("bob")])
}

/// What the clocks show now.
fn left(table: &TestTable) -> [u64; 2] {
    table.state.clocks(table.now, &[]).unwrap().left_ms
}

/// The side to move thinks for some time, part of it lag: as the side reports it, and as the server measured
/// it. Returns the compensated lag.
fn move_with_lag(table: &mut TestTable, thinking_ms: u64, lag_ms: u64, measured_lag_ms: u64) -> u64 {
    table.now += thinking_ms;
    let ply = table.state.moves.len() as u32 + 1;
    let who = person(["ann", "bob"][table.state.game.turn().index()]);
    let command = Command::MakeMove { ply, text: (ply % 37 + 1).to_string(), lag_ms, seen: None };
    let when = Context { measured_lag_ms, ..table.context() };
    match table.command_in(&who, &command, &when) {
        Ok(Decision::Append(events)) => match &events[..] {
            [Event::Moved { lag_compensation_ms, .. }] => *lag_compensation_ms,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn clocks_are_not_charged_for_downtime() {
    let clock = Clock::Move { ms: 10_000 };
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::new(settings("connect-four", clock), [seat("ann"), seat("bob")]);
    table.play(&ann, "4").unwrap();
    table.play(&bob, "4").unwrap();
    let downtimes = vec![(table.now + 2_000, table.now + 60_000)];
    table.now += 63_000;
    let left = table.state.clocks(table.now, &downtimes).unwrap().left_ms;
    assert_eq!(left, [5_000, 10_000]);
    assert_eq!(table.state.flag(table.now, &downtimes), None);
    let when = Context { downtimes: downtimes.into(), ..table.context() };
    table.command_in(&ann, &move_command(3, "4"), &when).unwrap();
    assert_eq!(table.state.moves.len(), 3);
}

#[test]
fn a_clock_shows_the_time_of_the_side_to_move() {
    let mut table = timed(Clock::Game { initial_ms: 60_000, increment_ms: 1_000 });
    let running = |table: &TestTable| table.state.clocks(table.now, &[]).unwrap().running;
    for _ in 0..2 {
        table.now += 30_000;
        assert_eq!((left(&table), running(&table)), ([60_000; 2], None), "the first move of a side is free");
        move_with_lag(&mut table, 0, 0, 0);
    }
    table.now += 10_000;
    assert_eq!((left(&table), running(&table)), ([50_000, 60_000], Some(Side::First)));
    move_with_lag(&mut table, 0, 0, 0);
    table.now += 2_000;
    assert_eq!((left(&table), running(&table)), ([51_000, 58_000], Some(Side::Second)));
    table.command(&person("ann"), &Command::Resign {}).unwrap();
    table.now += 5_000;
    assert_eq!((left(&table), running(&table)), ([51_000, 58_000], None), "the clocks stop with the game");
    assert_eq!(TestTable::between("tic-tac-toe").state.clocks(START, &[]), None);
}

#[test]
fn a_move_with_the_last_millisecond_is_in_time() {
    for (thinking, left_after) in [(59_999, Some(1_001)), (60_000, Some(1_000)), (60_001, None)] {
        let mut table = timed(Clock::Game { initial_ms: 60_000, increment_ms: 1_000 });
        table.play_all("1 2");
        table.now += thinking;
        table.play(&person("ann"), "3").unwrap();
        match left_after {
            Some(ms) => assert_eq!((table.state.left_ms, table.state.moves.len()), (Some([ms, 60_000]), 3)),
            None => {
                assert_eq!(table.end(), (Some(Side::Second), EndReason::Time));
                assert_eq!((table.state.left_ms, table.state.moves.len()), (Some([0, 60_000]), 2));
            }
        }
    }
}

#[test]
fn a_clock_per_move_restarts_with_every_move() {
    for (clock, ms) in
        [(Clock::Move { ms: 30_000 }, 30_000), (Clock::Correspondence { days: 3 }, 3 * 24 * 3_600_000)]
    {
        let mut table = timed(clock);
        table.play_all("1 2");
        table.now += 20_000;
        assert_eq!(left(&table), [ms - 20_000, ms]);
        table.play_all("3");
        assert_eq!(left(&table), [ms; 2]);
    }
}

#[test]
fn a_flag_falls_when_no_move_can_be_in_transit() {
    // Clock, downtimes, and how long after the second move the flag falls.
    for (clock, downtimes, after) in [
        (MINUTE, vec![], 60_000 + MAX_LAG_MS + 1),
        (Clock::Move { ms: 10_000 }, vec![], 10_000 + MAX_LAG_MS + 1),
        (Clock::Move { ms: 500 }, vec![], 500 + 3 * 230 + 1),
        (Clock::Correspondence { days: 1 }, vec![], 24 * 3_600_000 + 3 * 150 + 1),
        // Half a second of the first outage is before the move.
        (MINUTE, vec![(500, 1_500), (5_000, 6_000)], 60_000 + 500 + 1_000 + MAX_LAG_MS + 1),
        (MINUTE, vec![(0, 900)], 60_000 + MAX_LAG_MS + 1),
    ] {
        let mut table = timed(clock);
        assert_eq!(table.state.flag_at(&[]), None, "the first moves are free");
        table.now += 1_000;
        table.play_all("1 2");
        let downtimes: Vec<_> = downtimes.iter().map(|(from, to)| (START + from, START + to)).collect();
        let at = table.now + after;
        assert_eq!(table.state.flag_at(&downtimes), Some(at), "{clock:?} {downtimes:?}");
        assert_eq!(table.state.flag(at - 1, &downtimes), None);
        let ended = Event::Ended { winner: Some(Side::Second), reason: EndReason::Time, ratings: None };
        assert_eq!(table.state.flag(at, &downtimes), Some(ended));
    }
    assert_eq!(TestTable::between("tic-tac-toe").state.flag_at(&[]), None);
}

#[test]
fn no_flag_falls_before_a_program_answers() {
    let mut table =
        TestTable::new(settings("connect-four", Clock::Move { ms: 10_000 }), [seat("ann"), program()]);
    table.play_all("1 2");
    assert!(table.state.flag_at(&[]).is_some());
    table.play_all("1");
    assert_eq!(table.state.flag_at(&[]), None);
    assert_eq!(table.state.flag(u64::MAX, &[]), None);
}

#[test]
fn longer_games_compensate_more_lag() {
    let game = |initial_ms, increment_ms| Clock::Game { initial_ms, increment_ms };
    for (clock, gain) in [
        (game(10_000, 0), 190),
        (game(60_000, 0), 390),
        (game(60_000, 1_000), 550),
        (game(180_000, 2_000), 1_000),
        (Clock::Move { ms: 500 }, 230),
        (Clock::Move { ms: 1_000 }, 310),
        (Clock::Move { ms: 60_000 }, 1_000),
        (Clock::Correspondence { days: 3 }, 150),
        (Clock::None, 150),
    ] {
        assert_eq!(quota_gain(clock), gain, "{clock:?}");
    }
}

/// A game of a minute compensates 390 ms per move: three times that at first, at most seven times that at once.
#[test]
fn lag_is_compensated_up_to_what_a_side_has_saved() {
    let mut table = timed(MINUTE);
    assert_eq!(move_with_lag(&mut table, 900, 900, 900), 0, "nothing is charged for the first move");
    assert_eq!(move_with_lag(&mut table, 900, 900, 900), 0);
    for (side, lag, compensated) in [
        (Side::First, 1_000, 1_000), // of 1,170
        (Side::Second, 1_170, 1_170),
        (Side::First, 1_000, 560), // 170 + 390
        (Side::Second, 1_000, 390),
        (Side::First, 1_000, 390),
        (Side::Second, 100, 100), // of 390
        (Side::First, 0, 0),
        (Side::Second, 1_000, 680), // 290 + 390
        (Side::First, 1_000, 780),  // two moves of 390
    ] {
        assert_eq!(table.state.game.turn(), side);
        assert_eq!(move_with_lag(&mut table, 2_000, lag, lag), compensated, "{side:?}");
    }
    let used = [5 * 2_000 - (1_000 + 560 + 390 + 780), 4 * 2_000 - (1_170 + 390 + 100 + 680)];
    assert_eq!(left(&table), used.map(|used| 60_000 - used));
    for _ in 0..20 {
        move_with_lag(&mut table, 0, 0, 0);
    }
    assert_eq!(move_with_lag(&mut table, 5_000, 5_000, 5_000), 7 * 390);
}

#[test]
fn a_lag_report_counts_for_what_the_server_measured_and_a_little_more() {
    for (reported, measured, compensated) in [
        (300, 200, 300),
        (340, 200, 340),
        (341, 200, 340),
        (u64::MAX, 200, 200 + LAG_SLACK_MS),
        (u64::MAX, 0, LAG_SLACK_MS),
        (50, 500, 50),
        (0, 500, 0),
    ] {
        let mut table = timed(MINUTE);
        table.play_all("1 2");
        assert_eq!(move_with_lag(&mut table, 5_000, reported, measured), compensated);
        assert_eq!(left(&table), [55_000 + compensated, 60_000]);
    }
}

#[test]
fn no_clock_grows_by_lag() {
    let mut table = timed(MINUTE);
    table.play_all("1 2");
    assert_eq!(move_with_lag(&mut table, 80, 1_000, 1_000), 80);
    assert_eq!(left(&table), [60_000; 2]);
    assert_eq!(move_with_lag(&mut table, 80, 1_000, 1_000), 80);
    assert_eq!(
        move_with_lag(&mut table, 5_000, 2_000, 2_000),
        1_170 - 80 + 390,
        "only what was used is charged"
    );
}

#[test]
fn time_without_a_server_does_not_count() {
    for (downtimes, counted) in [
        (vec![], 1_000),
        (vec![(0, 500)], 1_000),
        (vec![(500, 1_200)], 800),
        (vec![(1_300, 1_400)], 900),
        (vec![(1_300, 1_400), (1_500, 1_600)], 800),
        (vec![(1_900, 2_500)], 900),
        (vec![(500, 2_500)], 0),
        (vec![(2_000, 2_500)], 1_000),
    ] {
        assert_eq!(elapsed(1_000, 2_000, &downtimes), counted, "{downtimes:?}");
    }
    assert_eq!(elapsed(2_000, 1_000, &[]), 0, "a clock that was set back");
}

#[test]
fn a_program_thinks_for_its_share_of_the_clock() {
    let seats = [program(), program()];
    let thinking_ms = |table: &TestTable, after: u64, downtimes: &[(u64, u64)]| {
        table.state.program_turn("t", table.now + after, downtimes).unwrap().time_ms
    };
    for (clock, expected) in [
        // 58.5 s are left: an 18th of them, and three quarters of the increment.
        (Clock::Game { initial_ms: 60_000, increment_ms: 2_000 }, 3_250 + 1_500),
        // 8.5 s are left for this move: half of them.
        (Clock::Move { ms: 10_000 }, 4_250),
    ] {
        let mut table = TestTable::new(settings("connect-four", clock), seats.clone());
        assert_eq!(thinking_ms(&table, 0, &[]), None, "the first move of each side is free");
        table.play_all("1 2");
        let downtimes = [(table.now + 100, table.now + 600)];
        assert_eq!(thinking_ms(&table, 2_000, &downtimes), Some(expected));
    }
    let untimed = TestTable::new(settings("connect-four", Clock::None), seats);
    assert_eq!(thinking_ms(&untimed, 0, &[]), None);
}

/// With a clock per move all time is given back; with a clock for the game, used time stays used.
#[test]
fn moves_taken_back_give_no_time_of_the_game_back() {
    for (clock, expected) in [
        (Clock::Game { initial_ms: 60_000, increment_ms: 1_000 }, [56_000, 58_000]),
        (Clock::Move { ms: 10_000 }, [10_000; 2]),
        (Clock::Correspondence { days: 1 }, [86_400_000; 2]),
    ] {
        let mut table = timed(clock);
        table.play_all("1 2");
        table.now += 5_000;
        table.play_all("3");
        table.command(&person("ann"), &Command::TakeBack {}).unwrap();
        table.now += 2_000;
        table.command(&person("bob"), &Command::TakeBack {}).unwrap();
        assert_eq!((table.state.moves.len(), left(&table)), (2, expected), "{clock:?}");
        table.now += 1_000;
        assert_eq!(left(&table), [expected[0] - 1_000, expected[1]], "the clock runs from then on");
    }
}

#[test]
fn a_table_with_a_clock_or_a_program_needs_an_owner_while_it_is_played() {
    let two = [seat("ann"), seat("bob")];
    for (clock, seats, owned) in [
        (Clock::None, two.clone(), false),
        (Clock::Move { ms: 1_000 }, two.clone(), true),
        (Clock::None, [seat("ann"), program()], true),
        (Clock::None, [program(), seat("ann")], true),
        (Clock::Move { ms: 1_000 }, [seat("ann"), Occupant::Open], false),
    ] {
        let mut table = TestTable::new(settings("connect-four", clock), seats);
        assert_eq!(table.state.needs_owner(), owned);
        table.command(&person("ann"), &Command::Resign {}).unwrap();
        assert!(!table.state.needs_owner());
    }
}

#[test]
fn decisions_depend_on_the_time_if_a_clock_runs_or_a_program_is_to_move() {
    let mut table = timed(MINUTE);
    for is_timed in [false, false, true, true] {
        assert_eq!(table.state.is_timed(), is_timed);
        move_with_lag(&mut table, 0, 0, 0);
    }
    let mut table = TestTable::new(settings("connect-four", Clock::None), [seat("ann"), program()]);
    for is_timed in [false, true, false, true] {
        assert_eq!(table.state.is_timed(), is_timed);
        table.play_all("1");
    }
}
