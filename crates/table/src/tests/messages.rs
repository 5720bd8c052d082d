//! Messages to clients.

use protocol::{Presence, TableUpdate};

use super::*;

const NO_ONE: Presence = Presence { here: [false; 2], claim_ms: [None; 2], watching: 0 };

#[test]
fn a_move_is_sent_with_the_clocks_and_on_request_with_the_board() {
    let clock = Clock::Game { initial_ms: 60_000, increment_ms: 0 };
    let mut table = TestTable::new(settings("connect-four", clock), [seat("ann"), seat("bob")]);
    table.play_all("4 4");
    let LogEntry { version, at, event } = table.log.last().unwrap().clone();
    // Sent five seconds later, of which the server was away for two.
    let downtimes = [(at + 1_000, at + 3_000)];
    let message = table.state.message("t", version, at, event, at + 5_000, &downtimes);
    let TableUpdate::Move(made) = &message else { panic!("{message:?}") };
    assert_eq!((made.table.as_str(), made.v, made.at, made.ply), ("t", 3, START, 2));
    assert_eq!((made.side, made.text.as_str()), (Side::Second, "4"));
    let clocks = made.clocks.unwrap();
    assert_eq!((clocks.left_ms, clocks.running), ([57_000, 60_000], Some(Side::First)));
    assert!(made.view.is_none() && made.legal.is_none());
    let TableUpdate::Move(with_board) = table.state.with_view(message.clone()) else { panic!("a move") };
    assert_eq!(*with_board.view.unwrap(), table.state.view());
    assert_eq!(with_board.legal.unwrap().len(), 7);
    assert_eq!((with_board.ply, with_board.text), (2, "4".to_owned()));
}

#[test]
fn the_board_is_sent_with_events_that_change_it_or_end_the_game() {
    let table = TestTable::between("tic-tac-toe");
    let created = table.log[0].event.clone();
    let ended = Event::Ended { winner: None, reason: EndReason::Aborted, ratings: None };
    let seated = Event::Seated { side: Side::First, occupant: seat("ann") };
    let taken_back = Event::TakenBack { ply: 0, left_ms: None };
    for (event, is_sent, is_position) in [
        (created, true, true),
        (seated, true, true),
        (taken_back, true, true),
        (ended, true, false),
        (Event::DrawOffered { side: Side::First }, false, false),
        (Event::Paced { paused: true, delay_ms: 0 }, false, false),
    ] {
        assert_eq!(changes_position(&event), is_position, "{event:?}");
        let message = table.state.message("t", 2, START, event, START, &[]);
        let TableUpdate::Event(sent) = table.state.with_view(message.clone()) else { panic!("an event") };
        assert_eq!((sent.view.is_some(), sent.legal.is_some()), (is_sent, is_sent), "{sent:?}");
        let TableUpdate::Event(sent) = table.state.with_board(message) else { panic!("an event") };
        assert!(sent.view.is_some() && sent.legal.is_some_and(|legal| legal.len() == 9));
    }
}

#[test]
fn a_snapshot_shows_the_table_as_its_receiver_sees_it() {
    let (ann, bob) = (person("ann"), person("bob"));
    let clock = Clock::Move { ms: 10_000 };
    let mut table = TestTable::new(settings("tic-tac-toe", clock), [seat("ann"), seat("bob")]);
    table.play_all("b2 a1");
    table.command(&bob, &Command::Chat { text: "hello".to_owned() }).unwrap();
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    let presence = Presence { here: [true, false], claim_ms: [None, Some(9)], watching: 3 };
    let snapshot = table.state.snapshot("t", &ann, Some("CODE"), presence, table.now + 4_000, &[]);
    assert_eq!((snapshot.table.as_str(), snapshot.v, snapshot.status), ("t", 5, Status::Playing));
    assert_eq!((snapshot.you, snapshot.is_creator), (vec![Side::First], true));
    assert_eq!(snapshot.clocks.unwrap().left_ms, [6_000, 10_000]);
    let moves: Vec<_> = snapshot.moves.iter().map(|played| (played.text.as_str(), played.at)).collect();
    assert_eq!(moves, [("b2", START), ("a1", START)]);
    assert_eq!((snapshot.offers.draw, snapshot.chat[0].text.as_str()), (Some(Side::First), "hello"));
    assert_eq!(
        (snapshot.code.as_deref(), snapshot.presence, snapshot.legal.len()),
        (Some("CODE"), presence, 7)
    );

    let others = table.state.snapshot("t", &bob, None, NO_ONE, table.now, &[]);
    assert_eq!((others.you, others.is_creator, others.code), (vec![Side::Second], false, None));
    table.command(&ann, &Command::Resign {}).unwrap();
    table.apply(&Event::Rematch { table: "next".to_owned() });
    let over = table.state.snapshot("t", &person("eve"), None, NO_ONE, table.now, &[]);
    assert_eq!((over.you, over.status, over.legal.len()), (vec![], Status::Ended, 0));
    assert_eq!((over.result.unwrap().winner, over.rematch.as_deref()), (Some(Side::Second), Some("next")));
}
