//! Skills and exercises from the games in the data folder.

use crate::{
    common::{Session, picture},
    screens::check,
};
use alinea_tui::{Keep, Language, Options, Start};
use rules::{Outcome, Side, game_text};

/// The second player does not stop the line in the first row.
const MISSED: &str = "a1 b2 b1 a3 c1";
const DAY_S: u64 = 86_400;

/// Keeps lost games of the day before yesterday, against a program.
fn lose(keep: &Keep, count: usize) {
    let tags = [("Game", "tic-tac-toe"), ("First", "level:1"), ("Second", "human"), ("Date", "2026-05-01")];
    let tags = tags.map(|(name, value)| (name, value.to_owned()));
    let text = game_text::write(&tags, false, MISSED.split(' '), &[], Some(Outcome::Win(Side::First)));
    for _ in 0..count {
        let number = keep.add(&text).unwrap();
        let path = keep.folder().join(format!("games/{number:06}.txt"));
        let before = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * DAY_S);
        std::fs::File::options().write(true).open(path).unwrap().set_modified(before).unwrap();
    }
}

fn improve(width: u16, height: u16, change: impl FnOnce(&mut Options)) -> Session {
    Session::new(Start::Improve, width, height, |options| {
        lose(&options.keep, 5);
        change(options);
    })
}

/// Waits until all games are reviewed.
fn reviewed(session: &mut Session) {
    session.resize(120, 40);
    session.wait_until("the review", |text| text.contains('5') && !text.contains("still to be reviewed"));
}

#[test]
fn skills_are_named_with_their_figures_in_every_size() {
    let mut session = improve(120, 40, |_| {});
    reviewed(&mut session);
    let text = session.text();
    assert!(text.contains("0%, 0 of 5, probably between 0% and 52%"), "{text}");
    assert!(text.contains("Stops threats") && text.contains("Start, about 2 minutes"), "{text}");
    for (width, height) in [(80, 24), (120, 40), (40, 18), (20, 8)] {
        session.resize(width, height);
        check(&format!("improve-{width}x{height}"), &picture(&mut session));
    }
    // The positions behind the figure.
    session.resize(80, 24);
    session.press("Enter");
    assert!(session.text().contains("In your game you played a3."), "{}", session.text());
    session.press("q");
    session.press("Right");
    assert!(
        session.text().contains("Play five games, and this page starts to know you."),
        "{}",
        session.text()
    );
}

#[test]
fn games_are_reviewed_once_and_only_those_against_programs() {
    let mut session = improve(120, 40, |options| {
        let of_two = game_text::write(
            &[("Game", "tic-tac-toe".to_owned())],
            false,
            MISSED.split(' '),
            &[],
            Some(Outcome::Win(Side::First)),
        );
        options.keep.add(&of_two).unwrap();
    });
    reviewed(&mut session);
    assert!(session.text().contains("your last 5 games"), "{}", session.text());
    let keep = session.keep.clone();
    let mut again = Session::new(Start::Improve, 120, 40, |options| options.keep = keep);
    assert!(again.text().contains("0%, 0 of 5") && !again.text().contains("reviewed"), "{}", again.text());
}

/// What the folder says of the exercise: its step, and how many days after its answer it is due.
fn kept(session: &Session) -> (u64, u64) {
    let text = std::fs::read_to_string(session.keep.folder().join("improve.json")).unwrap();
    let learned: serde_json::Value = serde_json::from_str(&text).unwrap();
    let exercise = &learned["exercises"][0];
    let answered = exercise["answered"].as_u64().unwrap() / (1000 * DAY_S);
    (exercise["step"].as_u64().unwrap(), exercise["due"].as_u64().unwrap() - answered)
}

#[test]
fn an_exercise_is_solved_on_the_board() {
    let mut session = improve(120, 40, |_| {});
    reviewed(&mut session);
    session.press("t");
    let text = session.text();
    assert!(text.contains("What is the right move?") && text.contains("you played a3."), "{text}");
    // No help before the answer.
    session.keys("e w v u");
    assert!(!session.text().contains("wins"), "{}", session.text());
    session.keys("/ c 1 Enter");
    assert!(session.text().contains("Solved! It comes again tomorrow."), "{}", session.text());
    assert_eq!(kept(&session), (1, 1));
    session.press("n");
    let text = session.text();
    assert!(text.contains("1 of 1") && text.contains("Done for today."), "{text}");
}

#[test]
fn a_wrong_answer_comes_again_tomorrow() {
    let mut session = improve(120, 40, |_| {});
    reviewed(&mut session);
    session.press("t");
    session.keys("/ a 2 Enter");
    let text = session.text();
    assert!(text.contains("Not a2.") && text.contains("It comes again tomorrow."), "{text}");
    session.keys("/ c 1 Enter");
    assert!(session.text().contains("Solved!"), "{}", session.text());
    assert_eq!(kept(&session), (0, 1), "the first try counts");

    let mut session = improve(120, 40, |_| {});
    reviewed(&mut session);
    session.keys("t h");
    assert!(session.text().contains("The solution: c1."), "{}", session.text());
    assert_eq!(kept(&session), (0, 1));
}

#[test]
fn every_language_has_the_words() {
    for language in Language::ALL {
        let mut session = improve(120, 40, |options| options.language = Some(language));
        session.wait_until("the figures", |text| text.contains('5') && text.contains("52"));
        assert!(
            !session.text().contains("improve.") && !session.text().contains("skill."),
            "{}",
            session.text()
        );
    }
}
