//! Changes of the screen over time: pieces fall, clocks run and run out. The test sets the time.

use std::time::Duration;

use crate::common::Session;
use alinea_tui::{Glyphs, Settings};
use protocol::Clock;
use rules::Cell;

const SECOND: Duration = Duration::from_secs(1);

/// A game between two people, drawn with letters.
fn drawn(animation: bool) -> Session {
    Session::with("connect-four", 80, 24, |options| {
        options.settings = Settings { animation, glyphs: Glyphs::Ascii, ..Settings::default() };
    })
}

/// The rows of a column in which a piece of the first side is seen.
fn seen_in(session: &mut Session, column: u8) -> Vec<u8> {
    let picture = session.draw();
    let is_seen = |row: &u8| {
        let corner = session.app.position_of(Cell::new(column, *row)).unwrap();
        // In this window a cell takes six columns and three rows.
        (0..6).any(|x| (0..3).any(|y| picture[(corner.x + x, corner.y + y)].symbol() == "x"))
    };
    (0..6).filter(is_seen).collect()
}

#[test]
fn a_piece_falls_row_by_row() {
    let mut session = drawn(true);
    session.press("4");
    let mut rows = Vec::new();
    while let Some(at) = session.app.deadline() {
        rows.push(seen_in(&mut session, 3));
        session.pass_until(at);
    }
    let expected: Vec<Vec<u8>> = (1..6).rev().map(|row| vec![row]).collect();
    assert_eq!(rows, expected);
    assert_eq!(seen_in(&mut session, 3), [0], "it has landed, and nothing wakes the screen any more");
}

#[test]
fn without_animation_a_piece_is_at_its_place_at_once() {
    let mut session = drawn(false);
    session.press("4");
    assert_eq!(seen_in(&mut session, 3), [0]);
    assert_eq!(session.app.deadline(), None, "an idle screen is not woken");
}

#[test]
fn a_clock_runs_for_the_side_to_move_and_runs_out() {
    let clock = Clock::Game { initial_ms: 60_000, increment_ms: 2_000 };
    let mut session = Session::timed("connect-four", [None, None], clock, (100, 30), |_| {});
    session.pass(5 * SECOND);
    assert_eq!(session.text().matches("1:00").count(), 2, "the clocks wait for the first moves");
    session.keys("4 4");
    session.pass(10 * SECOND);
    let text = session.text();
    assert!(text.contains("0:50") && text.contains("1:00"), "{text}");
    session.press("4");
    session.pass(55 * SECOND);
    let text = session.text();
    assert!(text.contains("0:52"), "two seconds are added for the move:\n{text}");
    assert!(text.contains("0:05.0"), "tenths in the last ten seconds:\n{text}");
    // A table forgives some lag, here as on a server.
    session.pass(10 * SECOND);
    let text = session.text();
    assert!(text.contains("Solid won.") && text.contains("time"), "{text}");
    assert_eq!(session.app.deadline(), None);
}
