//! Random keys, clicks, pastes and sizes of the window on every screen: nothing panics, and every picture is drawn.

use alinea_tui::{Address, Event, Start};
use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use rules::GAMES;

use crate::common::{Session, game};

fn key(rng: &mut fastrand::Rng) -> Input {
    let named = [
        KeyCode::Enter,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::F(1),
        KeyCode::Null,
    ];
    let code = match rng.u8(..8) {
        0..4 => named[rng.usize(..named.len())],
        // To leave is rare, so that the screens behind the first ones are reached.
        4 if rng.u8(..4) == 0 => KeyCode::Esc,
        4 => KeyCode::Char(['\u{e9}', '\u{265c}', '\u{4e2d}', '\u{0}'][rng.usize(..4)]),
        _ => KeyCode::Char(rng.char(' '..='~')),
    };
    let control = rng.u8(..16) == 0 && code != KeyCode::Char('c');
    Input::Key(KeyEvent::new(code, if control { KeyModifiers::CONTROL } else { KeyModifiers::NONE }))
}

fn mouse(rng: &mut fastrand::Rng) -> Input {
    let kinds = [
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Moved,
        MouseEventKind::ScrollUp,
        MouseEventKind::ScrollDown,
        MouseEventKind::Up(MouseButton::Right),
    ];
    let [column, row] = [130, 45].map(|most| rng.u16(..most));
    Input::Mouse(MouseEvent {
        kind: kinds[rng.usize(..kinds.len())],
        column,
        row,
        modifiers: KeyModifiers::NONE,
    })
}

fn paste(rng: &mut fastrand::Rng) -> Input {
    let texts = [
        "4455667",
        "b2 a1 c3",
        "3/3/3 w",
        "x",
        "",
        "\n\n",
        "/no/such/file",
        "[game connect-four]\n1. 4 4\n",
        "999999999999",
        "\u{1b}[2J",
        "d2e4 Qd",
    ];
    Input::Paste(texts[rng.usize(..texts.len())].to_owned())
}

fn run(start: Start, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut session = Session::new(start, 80, 24, |_| {});
    for _ in 0..250 {
        let input = match rng.u8(..12) {
            0..7 => key(&mut rng),
            7..10 => mouse(&mut rng),
            10 => paste(&mut rng),
            _ => {
                session.resize(rng.u16(..140), rng.u16(..50));
                continue;
            }
        };
        session.update(Event::Input(input));
        if session.app.is_over() {
            return;
        }
    }
}

#[test]
fn garbage_panics_on_no_screen() {
    for seed in 0..4 {
        run(Start::Home, seed);
        let nowhere = Address { server: "http://127.0.0.1:9".to_owned(), target: None };
        run(Start::Online(nowhere), seed);
        for (number, info) in (1..).zip(GAMES) {
            let seed = seed + 100 * number;
            run(Start::Setup(info), seed);
            run(Start::Analyse(Box::new(game(info.id))), seed);
        }
    }
}
