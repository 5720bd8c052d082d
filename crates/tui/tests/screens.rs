//! Keys in, screens out: pictures of every screen at four sizes with their styles, in two sets of glyphs, and in
//! five windows and all languages without styles, compared with `tests/screens/`. `UPDATE=1` writes them anew.

use crate::common::{Session, game, picture};
use alinea_tui::{Address, Depth, Glyphs, Language, Start, Theme};
use players::{Proof, Stop, system};
use protocol::Clock;
use rules::{AnyGame, GAMES};
use sentences::{Words, line_text, side_name, verdict_text};
use study::{
    Advantage, Verdict,
    assessment::{Limits, assess},
};

const SIZES: [(u16, u16); 4] = [(80, 24), (120, 40), (40, 18), (20, 8)];

/// Compares a picture with the one on file.
pub(crate) fn check(name: &str, picture: &str) {
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

/// The terminals of `every_screen_in_every_language`.
pub(crate) const WINDOWS: [(u16, u16); 5] = [(30, 10), (40, 15), (60, 20), (80, 24), (120, 40)];

/// A position of standard Connect Four, whose results are known at once.
fn proven() -> Box<AnyGame> {
    let mut game = game("connect-four");
    game.play_all("4 4 3 5 4").unwrap();
    Box::new(game)
}

/// The screens of a language, in every window, without styles.
fn screens(language: Language) -> String {
    let new = |start| Session::new(start, 80, 24, |options| options.language = Some(language));
    let play = |spec| Session::with(spec, 80, 24, |options| options.language = Some(language));
    let pressed = |mut session: Session, keys: &str| {
        session.keys(keys);
        session
    };
    let clock = Clock::Game { initial_ms: 600_000, increment_ms: 0 };
    let drops = Session::timed("chess-five", [None, Some("level:7")], clock, (80, 24), |options| {
        options.language = Some(language);
    });
    // On this board the lines end early, so that they are as long on every machine.
    let mut short = game("connect-four:4x5x4");
    short.play_all("3 3 2 2 4").unwrap();
    let mut analysis = new(Start::Analyse(Box::new(short)));
    analysis.wait_for_end();
    let mut lost = game("tic-tac-toe");
    lost.play_all("a1 b2 b1 a3 c1").unwrap();
    let mut review = new(Start::Review(Box::new(lost)));
    review.wait_for_end();
    review.press("m");
    review.wait_for_end();
    let mut screens = [
        ("home", new(Start::Home)),
        ("setup", pressed(new(Start::Home), "Enter")),
        ("drops", drops),
        ("analysis", analysis),
        ("review", review),
        ("keys", pressed(play("connect-four"), "?")),
        ("settings", pressed(new(Start::Home), "s")),
        ("kept", pressed(new(Start::Home), "g")),
        // A server's response would arrive as an event; this test handles none.
        ("lobby", new(Start::Online(Address::default()))),
    ];
    let mut text = String::new();
    for (name, session) in &mut screens {
        for (width, height) in WINDOWS {
            session.resize(width, height);
            text += &format!("{name}, {width} × {height}\n");
            for row in session.text().lines() {
                text += &format!("|{}\n", row.trim_end());
            }
        }
    }
    text
}

#[test]
fn every_screen_in_every_language() {
    for language in Language::ALL {
        check(&format!("all-{}", language.code()), &screens(language));
    }
}

/// In no language is a key's explanation cut off at 80 columns.
#[test]
fn every_language_fits_80_columns() {
    for language in Language::ALL {
        let mut session = Session::with("chess-five", 80, 24, |options| options.language = Some(language));
        session.press("?");
        let text = session.text();
        for row in text.lines() {
            assert!(!row.ends_with(|c: char| c.is_alphanumeric()), "cut off in {}: {row}", language.code());
        }
    }
}

/// Beside the longest name and a clock, both hands are whole.
#[test]
fn hands_are_not_cut() {
    let clock = Clock::Game { initial_ms: 600_000, increment_ms: 0 };
    let mut session = Session::timed("chess-five", [None, Some("level:7")], clock, (80, 24), |_| {});
    for (width, height) in WINDOWS.into_iter().skip(1) {
        session.resize(width, height);
        let text = session.text();
        for hand in ["♖2  ♘2  ♗2  ♕1  ♔1", "♜2  ♞2  ♝2  ♛1  ♚1"] {
            assert!(text.contains(hand), "{width} × {height}, {hand}:\n{text}");
        }
        assert_eq!(text.matches("10:00").count(), 2, "{width} × {height}:\n{text}");
    }
}

/// Every evaluation is that of `alinea analyse`, in every window: what has no room is left out, not cut.
#[test]
fn evaluations_are_those_of_analyse() {
    let game = proven();
    let limits = Limits { lines: 3, threads: 1, time: None, nodes: None, depth: None };
    let known = assess(&game, &limits, &system::resources(0), &Stop::default(), &mut |_| {});
    let results: Vec<_> = game
        .choices()
        .iter()
        .map(|choice| {
            let proven = known.of(&choice.text).unwrap().verdict.proven().unwrap();
            match proven.result {
                Proof::Win => format!("+{}", proven.winners_moves()),
                Proof::Draw => "=".to_owned(),
                Proof::Loss => format!("-{}", proven.winners_moves()),
            }
        })
        .collect();
    let signs: Vec<_> = results.iter().map(|result| result[..1].to_owned()).collect();
    for language in Language::ALL {
        let mut session =
            Session::new(Start::Analyse(game.clone()), 80, 24, |options| options.language = Some(language));
        session.wait_for_end();
        for (width, height) in WINDOWS {
            session.resize(width, height);
            let text = session.text();
            let is_result = |word: &&str| results.iter().chain(&signs).any(|result| result == word);
            let shown =
                text.lines().map(|row| row.split_whitespace().take_while(is_result).collect::<Vec<_>>());
            let shown = shown.max_by_key(Vec::len).unwrap();
            assert!(shown == results || shown == signs, "{width} × {height}: {shown:?}\n{text}");
            assert!(width < 80 || shown == results, "{text}");
        }
    }
}

/// The numbers before a percent sign.
fn percents(text: &str) -> Vec<String> {
    let words: Vec<_> = text.split_whitespace().collect();
    let is_number = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let before = |at: usize| match words[at].split_once('%')? {
        ("", _) => words[at.checked_sub(1)?].to_owned().into(),
        (number, _) => Some(number.to_owned()),
    };
    (0..words.len()).filter_map(before).filter(|word| is_number(&word.as_str())).collect()
}

/// Estimates, too, are those of `alinea analyse`: in no window is one cut, made up or beside the line of another move.
#[test]
fn estimates_are_those_of_analyse() {
    for id in ["simplexity", "chess-five", "gomoku", "popout"] {
        let game = game(id);
        for language in Language::ALL {
            let words = Words::new(language);
            let start = Start::Analyse(Box::new(game.clone()));
            let mut session = Session::new(start, 120, 40, |options| options.language = Some(language));
            let known = session.wait_for_assessment();
            let best: Vec<_> = known.moves.iter().take(3).collect();
            let verdicts = best.iter().map(|assessed| verdict_text(&words, &assessed.verdict, None));
            let expected = percents(&verdicts.clone().collect::<Vec<_>>().join(" "));
            assert!(!expected.is_empty(), "{id}: {known:?}");
            // Beside the estimate is the beginning of its line.
            let line = line_text(game.info(), &best[0].line[..1], Some(&game.view()));
            let first = format!("{}: {line}", verdict_text(&words, &best[0].verdict, None));
            assert!(
                session.text().contains(&first),
                "{id}, {}, {first}:\n{}",
                language.code(),
                session.text()
            );
            let advantage = headline(&words, &game, &best[0].verdict);
            for (width, height) in WINDOWS {
                session.resize(width, height);
                let text = session.text();
                let shown = percents(&text);
                assert!(expected.starts_with(&shown), "{id}, {width} × {height}, {expected:?}:\n{text}");
                assert!(width < 80 || !shown.is_empty(), "{id}, {width} × {height}:\n{text}");
                assert!(width < 80 || text.contains(&advantage), "{advantage}, {width} × {height}:\n{text}");
                // Below a board a sentence is whole or not there.
                let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let begins = advantage.rsplit_once(' ').is_some_and(|(begin, _)| said.contains(begin));
                assert!(width >= 64 || said.contains(&advantage) || !begins, "{advantage}:\n{text}");
            }
        }
    }
}

/// Who stands better, and how much.
fn headline(words: &Words, game: &AnyGame, verdict: &Verdict) -> String {
    let how = match verdict.advantage().unwrap() {
        Advantage::Even => return words.t("card.even").to_owned(),
        Advantage::Slight => "card.they-slight",
        Advantage::Clear => "card.they-clear",
        Advantage::Decisive => "card.they-decisive",
    };
    let ahead = if verdict.chance() > 0.0 { game.turn() } else { game.turn().other() };
    words.fill(how, &[("name", &side_name(words, game.info(), ahead))])
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
