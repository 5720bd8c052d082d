//! Who sits at a table, and how a game ends before or without its last move.

use super::*;

/// A player with an account, who may have been a guest before.
fn account(id: &str) -> Principal {
    let ids = vec![format!("u:{id}"), format!("g:{id}")];
    Principal { ids, account: Some(format!("u:{id}")), ..person(id) }
}

#[test]
fn a_seat_is_taken_once() {
    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [seat("ann"), Occupant::Open]);
    assert_eq!(code(table.play(&person("ann"), "b2")), ErrorCode::NotStarted);
    assert!(matches!(table.command(&person("ann"), &Command::Sit {}), Ok(Decision::AlreadyDone { .. })));
    table.command(&person("bob"), &Command::Sit {}).unwrap();
    assert_eq!(table.state.status, Status::Playing);
    assert_eq!(code(table.command(&person("eve"), &Command::Sit {})), ErrorCode::SeatTaken);
}

#[test]
fn a_reserved_seat_is_for_the_invited_player() {
    let settings = Settings { invited: Some("g:bob".to_owned()), ..settings("tic-tac-toe", Clock::None) };
    let mut table = TestTable::new(settings, [seat("ann"), Occupant::Open]);
    assert_eq!(code(table.command(&person("eve"), &Command::Sit {})), ErrorCode::SeatTaken);
    assert_eq!(code(table.command(&person("eve"), &Command::Resign {})), ErrorCode::NotStarted);
    let mut declined = TestTable { state: table.state.clone(), log: table.log.clone(), now: table.now };
    declined.command(&person("bob"), &Command::Resign {}).unwrap();
    assert_eq!(declined.end(), (None, EndReason::Declined));
    table.command(&person("bob"), &Command::Sit {}).unwrap();
    assert_eq!(table.state.seats()[1], seat("bob"));
}

#[test]
fn a_seat_of_a_rated_game_is_for_accounts() {
    let settings = Settings { rated: true, ..settings("tic-tac-toe", Clock::Move { ms: 60_000 }) };
    let mut table = TestTable::new(settings, [account("ann").occupant(None), Occupant::Open]);
    assert_eq!(code(table.command(&person("bob"), &Command::Sit {})), ErrorCode::SignInFirst);
    table.command(&account("bob"), &Command::Sit {}).unwrap();
}

#[test]
fn a_guest_keeps_the_seat_after_signing_in() {
    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [seat("ann"), Occupant::Open]);
    assert_eq!(table.state.sides(&account("ann")), [Side::First]);
    table.command(&account("bob"), &Command::Sit {}).unwrap();
    assert!(table.state.seats()[1].is("u:bob"), "new seats are taken with the account");
    assert_eq!(account("bob").id(), "u:bob");
    assert!(account("bob").is("g:bob") && !account("bob").is("g:ann"));
    assert_eq!(table.state.sides(&person("eve")), []);
}

#[test]
fn a_game_begins_when_both_seats_are_taken() {
    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [Occupant::Open, Occupant::Open]);
    table.now += 1;
    table.command(&person("ann"), &Command::Sit {}).unwrap();
    assert_eq!((table.state.status(), table.state.since()), (Status::Open, START));
    table.now += 1;
    table.command(&person("bob"), &Command::Sit {}).unwrap();
    assert_eq!((table.state.status(), table.state.since()), (Status::Playing, START + 2));
    assert_eq!(table.state.seats(), &[seat("ann"), seat("bob")]);
}

#[test]
fn an_open_table_is_aborted_by_its_player_or_its_creator() {
    // Ann has created the table.
    for (seated, who, may_abort) in
        [("ann", "ann", true), ("bob", "bob", true), ("bob", "ann", true), ("bob", "eve", false)]
    {
        let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [seat(seated), Occupant::Open]);
        let resigned = table.command(&person(who), &Command::Resign {});
        match may_abort {
            true => assert_eq!(table.end(), (None, EndReason::Aborted)),
            false => assert_eq!(code(resigned), ErrorCode::NotStarted),
        }
    }
    let mut table = TestTable::between("tic-tac-toe");
    table.state.seats[0] = seat("cat");
    assert_eq!(code(table.command(&person("ann"), &Command::Resign {})), ErrorCode::NotSeated);
}

#[test]
fn people_and_bots_play_rated_games_only_where_that_is_wanted() {
    let user = |id: &str, bot| Principal { bot, ..account(id) };
    let clock = Clock::Move { ms: 60_000 };
    for (first_is_bot, second_is_bot, bots, may_sit) in [
        (false, false, false, true),
        (true, true, false, true),
        (false, true, false, false),
        (true, false, false, false),
        (false, true, true, true),
        (true, false, true, true),
    ] {
        for rated in [true, false] {
            let settings = Settings { rated, bots, ..settings("tic-tac-toe", clock) };
            let mut table =
                TestTable::new(settings, [user("ann", first_is_bot).occupant(None), Occupant::Open]);
            let sat = table.command(&user("bob", second_is_bot), &Command::Sit {});
            assert_eq!(sat.is_ok(), may_sit || !rated, "{first_is_bot} {second_is_bot} {bots} {rated}");
        }
    }
}

#[test]
fn resigning_early_aborts_the_game() {
    for (moves, who, end) in [
        ("", "ann", (None, EndReason::Aborted)),
        ("b2", "bob", (None, EndReason::Aborted)),
        ("b2 a1", "bob", (Some(Side::First), EndReason::Resignation)),
        ("b2 a1", "ann", (Some(Side::Second), EndReason::Resignation)),
    ] {
        let mut table = TestTable::between("tic-tac-toe");
        table.play_all(moves);
        table.command(&person(who), &Command::Resign {}).unwrap();
        assert_eq!(table.end(), end);
    }
}

#[test]
fn a_game_of_a_tournament_counts_from_its_first_move() {
    let (ann, bob) = (person("ann"), person("bob"));
    let settings = Settings { tournament: Some("cup".to_owned()), ..settings("connect-four", Clock::None) };
    let mut table = TestTable::new(settings.clone(), [seat("ann"), seat("bob")]);
    assert_eq!(table.state.expire(u64::MAX, u64::MAX), None, "it is not forgotten");
    table.command(&ann, &Command::Resign {}).unwrap();
    assert_eq!(table.end(), (Some(Side::Second), EndReason::Resignation));
    assert_eq!(code(table.command(&bob, &Command::Rematch {})), ErrorCode::NotAllowed);
    assert_eq!(table.state.decided_elsewhere(Some(Side::First)), None, "it is over");
    let absent = TestTable::new(settings, [seat("ann"), seat("bob")]);
    let decided = |winner| match absent.state.decided_elsewhere(winner) {
        Some(Event::Ended { winner, reason, .. }) => (winner, reason),
        other => panic!("{other:?}"),
    };
    assert_eq!(decided(Some(Side::First)), (Some(Side::First), EndReason::Abandoned));
    assert_eq!(decided(None), (None, EndReason::Aborted));
}

#[test]
fn tables_that_everybody_has_left_expire() {
    let later = START + 1;
    let table = |clock, seats| TestTable::new(settings("connect-four", clock), seats).state;
    let aborted = Some(Event::Ended { winner: None, reason: EndReason::Aborted, ratings: None });
    let open = table(Clock::None, [seat("ann"), Occupant::Open]);
    assert_eq!(open.expire(later, 0), aborted);
    assert_eq!(open.expire(START, later), None, "it may still be joined");
    for seats in [[seat("ann"), seat("bob")], [seat("ann"), program()], [program(), program()]] {
        let idle = table(Clock::None, seats.clone());
        assert_eq!(idle.expire(0, later), aborted);
        assert_eq!(idle.expire(later, START), None, "it may go on");
        assert_eq!(table(Clock::Move { ms: 1_000 }, seats).expire(later, later), None, "its clock ends it");
    }
    let with_account = table(Clock::None, [seat("bob"), account("ann").occupant(None)]);
    assert_eq!(with_account.expire(later, later), None);
    let mut over = TestTable::between("connect-four");
    over.command(&person("ann"), &Command::Resign {}).unwrap();
    assert_eq!(over.state.expire(later, later), None);
}
