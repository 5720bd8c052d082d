//! Tables whose game has an opening: a side makes several moves in a row, and the players may exchange their stones.

use super::*;

const MINUTE: Clock = Clock::Game { initial_ms: 60_000, increment_ms: 0 };

fn swap2(clock: Clock) -> TestTable {
    TestTable::new(settings("gomoku:swap2", clock), [seat("ann"), seat("bob")])
}

#[test]
fn the_player_who_acts_is_asked_and_no_other() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = swap2(Clock::None);
    for m in ["h8", "i9", "j7"] {
        assert_eq!(table.play(&bob, m).unwrap_err().code, ErrorCode::NotYourTurn);
        table.play(&ann, m).unwrap();
    }
    assert_eq!(table.play(&ann, "stay").unwrap_err().code, ErrorCode::NotYourTurn);
    assert_eq!(table.play(&bob, "h9").unwrap_err().code, ErrorCode::IllegalMove);
    table.play(&bob, "add").unwrap();
    table.play(&bob, "a1").unwrap();
    table.play(&bob, "a2").unwrap();
    table.play(&ann, "swap").unwrap();
    table.play(&ann, "a3").unwrap();
    let movers: Vec<_> = table.state.moves.iter().map(|played| played.side.index()).collect();
    assert_eq!(movers, [0, 0, 0, 1, 1, 1, 0, 0]);
    // The log alone gives the same table.
    let again = State::replay(&table.log).unwrap().unwrap();
    assert_eq!(again.game().view(), table.state.game().view());
    assert_eq!(again.game().turn(), Side::Second);
}

#[test]
fn the_clock_of_who_acts_runs_once_that_side_has_moved() {
    let mut table = swap2(MINUTE);
    let running = |table: &TestTable| table.state.clocks(table.now, &[]).unwrap().running;
    let left = |table: &TestTable| table.state.clocks(table.now, &[]).unwrap().left_ms;
    for (m, runs) in
        [("h8", None), ("i9", None), ("j7", Some(Side::First)), ("stay", None), ("k8", Some(Side::Second))]
    {
        table.now += 5_000;
        assert_eq!(running(&table), runs, "{m}");
        table.play_all(m);
    }
    // The third stone and the stone after the choice cost time; the first moves of both sides did not.
    assert_eq!(left(&table), [55_000, 55_000]);
    assert_eq!(running(&table), Some(Side::First));
    table.now += 200_000;
    assert!(matches!(
        table.state.flag(table.now, &[]),
        Some(Event::Ended { winner: Some(Side::Second), reason: EndReason::Time, .. })
    ));
}

#[test]
fn a_game_counts_once_both_have_acted() {
    for (moves, reason) in [("h8 i9 j7", EndReason::Aborted), ("h8 i9 j7 swap", EndReason::Resignation)] {
        let mut table = swap2(Clock::None);
        table.play_all(moves);
        table.command(&person("ann"), &Command::Resign {}).unwrap();
        assert_eq!(table.end().1, reason, "{moves}");
    }
}

#[test]
fn what_is_taken_back_is_the_last_move_of_who_asks() {
    // Against a program no consent is needed.
    for (moves, left) in
        [("h8 i9 j7", 2), ("h8 i9 j7 swap", 2), ("h8 i9 j7 swap a1 a2", 4), ("h8 i9 j7 add a1 a2 stay", 6)]
    {
        let seats = [seat("ann"), program()];
        let mut table = TestTable::new(settings("gomoku:swap2", Clock::None), seats);
        table.play_all(moves);
        table.command(&person("ann"), &Command::TakeBack {}).unwrap();
        assert_eq!(table.state.moves.len(), left, "{moves}");
        assert_eq!(table.state.game().moves().len(), left, "{moves}");
        assert_eq!(table.state.game().turn(), Side::First, "{moves}");
    }
}

#[test]
fn a_win_belongs_to_the_player_who_took_the_stones() {
    let mut table = TestTable::between("connect-four:pie");
    table.play_all("4 swap 1 4 1 4 1 4");
    assert_eq!(table.end(), (Some(Side::Second), EndReason::Rules));
}

#[test]
fn rated_gomoku_begins_with_swap2() {
    let account = Principal { account: Some("u:ann".to_owned()), ..person("ann") };
    let refused = |game: &str| {
        let settings = Settings { rated: true, ..settings(game, MINUTE) };
        let start = start_game(game, None).unwrap();
        check_rated(&settings, &start, &account, &Occupant::Open).err().map(|error| error.message)
    };
    assert_eq!(refused("gomoku:swap2"), None);
    assert_eq!(refused("connect-four"), None);
    for game in ["gomoku", "gomoku:19x19x5:swap2", "gomoku:15x15x5:standard:swap2", "gomoku:15x15x5:pie"] {
        assert_eq!(
            refused(game).as_deref(),
            Some("only gomoku:15x15x5:swap2 from its start can be rated"),
            "{game}"
        );
    }
    assert_eq!(
        refused("connect-four:pie").as_deref(),
        Some("only connect-four:6x7x4 from its start can be rated")
    );
}
