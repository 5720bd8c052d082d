//! Keys in, screens out: pictures of every screen at four sizes with their styles, in two sets of glyphs and four
//! languages, compared with `tests/screens/`. `UPDATE=1` writes them anew.

use crate::common::{Session, game, picture};
use alinea_tui::{Address, Depth, Glyphs, Language, Start, Theme};
use rules::GAMES;

const SIZES: [(u16, u16); 4] = [(80, 24), (120, 40), (40, 18), (20, 8)];

/// Compares a picture with the one on file.
fn check(name: &str, picture: &str) {
    let path = format!("{}/tests/screens/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, picture).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, picture, "{name} differs from {path}; UPDATE=1 writes it anew");
}

/// A game in which the first side has just moved, at the table of two people.
fn begun(session: Session) -> Session {
    let mut session = session;
    session.keys("1 2 3 4 3");
    session
}

#[test]
fn every_size() {
    for (width, height) in SIZES {
        let size = format!("{width}x{height}");
        let mut session = Session::home(width, height);
        check(&format!("home-{size}"), &picture(&mut session));
        session.press("Enter");
        check(&format!("setup-{size}"), &picture(&mut session));
        let mut session = begun(Session::play("connect-four", width, height));
        check(&format!("game-{size}"), &picture(&mut session));
        session.press("?");
        check(&format!("keys-{size}"), &picture(&mut session));
        let mut session = Session::home(width, height);
        session.press("s");
        check(&format!("settings-{size}"), &picture(&mut session));
        session.press("q");
        session.press("g");
        check(&format!("kept-{size}"), &picture(&mut session));
    }
}

#[test]
fn study_and_online_in_every_size() {
    let mut played = game("tic-tac-toe");
    played.play_all("a1 b2 b1 a3 c1").unwrap();
    for (width, height) in SIZES {
        let size = format!("{width}x{height}");
        // A server's response would arrive as an event; this test handles none.
        let mut session = Session::new(Start::Online(Address::default()), width, height, |_| {});
        check(&format!("lobby-{size}"), &picture(&mut session));
        let mut session = Session::new(Start::Analyse(Box::new(played.clone())), width, height, |_| {});
        check(&format!("analysis-{size}"), &picture(&mut session));
    }
    let mut session = Session::new(Start::Review(Box::new(played)), 100, 30, |_| {});
    session.wait_for("Review finished: 1 move marked.");
    check("review-100x30", &picture(&mut session));
}

#[test]
fn every_game_in_both_sets_of_glyphs() {
    for info in GAMES {
        for (glyphs, name) in [(Glyphs::Unicode, "unicode"), (Glyphs::Ascii, "ascii")] {
            let mut session = Session::with(info.id, 80, 24, |options| options.settings.glyphs = glyphs);
            for _ in 0..6 {
                session.any_move();
            }
            check(&format!("{}-{name}", info.id), &picture(&mut session));
            if glyphs == Glyphs::Ascii {
                let is_ascii = session.text().chars().all(|c| c == '\n' || (' '..='~').contains(&c));
                assert!(is_ascii, "{}", session.text());
            }
        }
    }
}

#[test]
fn every_theme_and_depth_of_colour() {
    for (theme, name) in [(Theme::Neon, "neon"), (Theme::Light, "light"), (Theme::ColourSafe, "colour-safe")]
    {
        for (depth, deep) in
            [(Depth::True, "true"), (Depth::Indexed, "256"), (Depth::Basic, "16"), (Depth::None, "none")]
        {
            let mut session = Session::with("connect-four:4x5x4", 64, 20, |options| {
                options.settings.theme = theme;
                options.depth = depth;
            });
            session.keys("1 2 1 2 1 2 1");
            check(&format!("theme-{name}-{deep}"), &picture(&mut session));
        }
    }
}

/// Nothing is cut off at 80 columns, in any language.
#[test]
fn every_language_fits_80_columns() {
    for language in Language::ALL {
        let mut session = Session::home_in(language, 80, 24);
        check(&format!("home-{}", language.code()), &picture(&mut session));
        session.press("Enter");
        check(&format!("setup-{}", language.code()), &picture(&mut session));
        let mut session = Session::with("chess-five", 80, 24, |options| options.language = Some(language));
        session.any_move();
        check(&format!("game-{}", language.code()), &picture(&mut session));
        session.press("?");
        let text = session.text();
        for row in text.lines() {
            assert!(!row.ends_with(|c: char| c.is_alphanumeric()), "cut off in {}: {row}", language.code());
        }
    }
}

#[test]
fn a_large_board_scrolls_with_the_cursor() {
    let mut session = Session::play("connect-four:64x64x5", 80, 24);
    check("large-middle", &picture(&mut session));
    session.press("End");
    for _ in 0..63 {
        session.press("Up");
    }
    check("large-corner", &picture(&mut session));
}

#[test]
fn a_window_that_is_too_small_says_so() {
    let mut session = Session::home(15, 5);
    let said: String = session.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.starts_with("This window is too small"), "{said}");
    session.resize(80, 24);
    assert!(session.text().contains("Connect Four"));
}
