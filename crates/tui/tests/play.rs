//! Whole games by keys, by mouse and by typing; hints, reasons, taking back, reviews; what is kept.

use crate::common::{Session, game};
use alinea_tui::Start;
use crossterm::event::{KeyCode, KeyModifiers};
use rules::{Cell, GAMES};

/// Plays to the end by the way of `act`, which makes one of the legal moves: one that ends the game if there is one.
fn to_the_end(
    session: &mut Session,
    spec: &str,
    mut act: impl FnMut(&mut Session, &rules::Choice),
) -> String {
    let mut played = game(spec);
    for ply in 0..2_100 {
        let choices = session.app.choices();
        let ends = |choice: &&rules::Choice| {
            let mut after = played.clone();
            after.play(&choice.text).unwrap();
            after.outcome().is_some()
        };
        let Some(choice) =
            choices.iter().find(ends).or_else(|| choices.get((ply * 7) % choices.len().max(1)))
        else {
            break;
        };
        act(session, choice);
        played.play(&choice.text).unwrap();
    }
    session.text()
}

fn is_over(text: &str) -> bool {
    text.contains(" won.") || text.contains("Draw.")
}

/// Moves the cursor to a cell by the arrow keys.
fn go_to(session: &mut Session, cell: Cell) {
    let at = session.app.cursor().unwrap();
    for _ in at.column..cell.column {
        session.press("Right");
    }
    for _ in cell.column..at.column {
        session.press("Left");
    }
    for _ in at.row..cell.row {
        session.press("Up");
    }
    for _ in cell.row..at.row {
        session.press("Down");
    }
}

#[test]
fn every_game_by_keys() {
    for info in GAMES {
        let mut session = Session::play(info.id, 100, 30);
        let text = to_the_end(&mut session, info.id, |session, choice| {
            if let Some(from) = choice.from {
                go_to(session, from);
                session.press("Enter");
            } else {
                for _ in info.pieces {
                    if session.app.kind() != Some(choice.kind) {
                        session.press("Tab");
                    }
                }
            }
            let before = session.app.moves().len();
            go_to(session, choice.to);
            session.press("Enter");
            if session.app.moves().len() == before {
                // The move gives the game away and must be confirmed.
                session.press("Enter");
            }
            assert_eq!(session.app.moves().last(), Some(&choice.text), "{}", session.text());
        });
        assert!(is_over(&text), "{}: {text}", info.id);
        assert_eq!(session.keep.numbers().unwrap(), [1], "the finished game is kept");
        let kept = session.keep.get(1).unwrap().game.unwrap();
        assert_eq!(kept.game.moves(), session.app.moves());
    }
}

#[test]
fn every_game_by_mouse() {
    for info in GAMES {
        let mut session = Session::play(info.id, 100, 30);
        let text = to_the_end(&mut session, info.id, |session, choice| {
            if let Some(from) = choice.from {
                let at = session.app.position_of(from).unwrap();
                session.click(at.x, at.y);
            }
            for _ in info.pieces {
                if choice.from.is_none() && session.app.kind() != Some(choice.kind) {
                    session.press("Tab");
                }
            }
            let before = session.app.moves().len();
            let at = session.app.position_of(choice.to).unwrap();
            session.click(at.x, at.y);
            if session.app.moves().len() == before {
                session.click(at.x, at.y);
            }
            assert_eq!(session.app.moves().last(), Some(&choice.text), "{}", session.text());
        });
        assert!(is_over(&text), "{}: {text}", info.id);
    }
}

#[test]
fn moves_are_typed_several_at_once() {
    let mut session = Session::play("connect-four", 80, 24);
    session.type_moves("4455667");
    assert!(session.text().contains("Solid won."), "{}", session.text());
    let mut session = Session::play("tic-tac-toe", 80, 24);
    session.paste("a1 b1 a2 b2 a3");
    assert!(session.text().contains("X won."), "{}", session.text());
    let mut session = Session::play("connect-four", 80, 24);
    session.type_moves("44 x");
    assert!(session.text().contains("“x” is not a legal move here."), "{}", session.text());
    assert_eq!(session.app.moves().len(), 2);
}

#[test]
fn a_program_answers_and_says_why() {
    let mut session = Session::against("connect-four", [None, Some("smart:3")], 100, 30, |_| {});
    session.press("4");
    session.wait_for("Your turn.");
    assert_eq!(session.app.moves().len(), 2);
    session.press("w");
    assert!(session.text().contains("It expects this: 4, then "), "{}", session.text());
    session.press("u");
    assert_eq!(session.app.moves().len(), 0, "both moves are taken back");
}

#[test]
fn a_hint_shows_first_where_then_what() {
    let mut session = Session::against("connect-four", [None, Some("random")], 100, 30, |_| {});
    session.press("h");
    session.wait_for("Look here. Press again to see the move.");
    session.press("h");
    assert!(session.text().contains("Try 4."), "{}", session.text());
}

#[test]
fn the_evaluation_is_in_words() {
    let mut session = Session::play("connect-four", 100, 30);
    session.press("e");
    session.wait_for("Solid wins in 21");
    session.press("1");
    session.wait_for("Outline wins in");
    session.press("[");
    session.wait_for("Solid wins in 21");
}

#[test]
fn resigning_is_asked_for_twice() {
    let mut session = Session::against("connect-four", [None, Some("random")], 80, 24, |_| {});
    session.press("4");
    session.wait_for("Your turn.");
    session.press("x");
    assert!(session.text().contains("Resign?"), "{}", session.text());
    session.press("x");
    assert!(session.text().contains("You lost."), "{}", session.text());
    session.press("n");
    session.wait_until("the next game", |text| !text.contains("You lost."));
}

#[test]
fn an_unfinished_game_is_continued() {
    let mut session = Session::play("tic-tac-toe", 80, 24);
    session.type_moves("b2 a1");
    session.press("q");
    assert!(session.text().contains("Continue"), "{}", session.text());
    // The row appears above the one that is chosen.
    while !session.text().contains("Moves") {
        session.press("Up");
        session.press("Enter");
        if !session.text().contains("Moves") {
            session.press("q");
        }
    }
    assert_eq!(session.app.moves(), ["b2", "a1"]);
}

#[test]
fn a_game_is_reviewed_with_its_key_moments() {
    let mut played = game("tic-tac-toe");
    played.play_all("a1 b2 b1 a3 c1").unwrap();
    let mut session = Session::new(Start::Review(Box::new(played)), 100, 30, |_| {});
    session.wait_for("Review finished: 1 move marked.");
    session.press("m");
    assert!(session.text().contains("Throws the draw away"), "{}", session.text());
    assert!(session.text().contains("a3??"), "{}", session.text());
}

#[test]
fn a_study_opens_moves_positions_and_games() {
    let mut session = Session::new(Start::Analyse(Box::new(game("connect-four"))), 100, 30, |_| {});
    session.paste("4 4 3");
    assert_eq!(session.app.moves(), ["4", "4", "3"]);
    session.paste("[Game \"tic-tac-toe\"]\n\n1. b2 a1 *\n");
    assert_eq!(session.app.moves(), ["b2", "a1"]);
    session.paste("nonsense");
    assert!(session.text().contains("No game found in this text."), "{}", session.text());
    session.press("[");
    session.press("/");
    session.keys("a 3 Enter");
    assert_eq!(session.app.moves(), ["b2", "a3"], "another course replaces the first");
}

#[test]
fn a_move_that_gives_the_game_away_is_asked_for_twice() {
    let mut session = Session::play("simplexity", 100, 30);
    // Round pieces of the second side complete four rounds for the first.
    session.type_moves("1r 2r 3r");
    let before = session.app.moves().len();
    session.key(KeyCode::Home, KeyModifiers::NONE);
    for _ in 0..3 {
        session.press("Right");
    }
    session.press("Enter");
    assert_eq!(session.app.moves().len(), before);
    assert!(session.text().contains("completes a line for your opponent"), "{}", session.text());
    session.press("Enter");
    assert!(session.text().contains("Solid won."), "{}", session.text());
}
