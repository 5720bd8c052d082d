//! Writes pictures of the screens as SVG into a folder: `make terminal-pictures`.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyModifiers};
use players::{roster, system};
use ratatui::{buffer::Buffer, layout::Rect, style::Color};
use rules::{AnyGame, Spec};
use tui::{App, Depth, Event, Keep, Language, NewGame, Options, Settings, Start, Theme};

/// The usual size of a terminal, in characters.
const SIZE: (u16, u16) = (80, 24);
/// The size of a character in pixels: twice as high as wide.
const CHARACTER: (u32, u32) = (9, 18);

struct Session {
    app: App,
    events: Receiver<Event>,
    size: Rect,
}

fn game(spec: &str, moves: &str) -> anyhow::Result<AnyGame> {
    let mut game = AnyGame::from(spec.parse::<Spec>()?);
    game.play_all(moves)?;
    Ok(game)
}

fn play(spec: &str, moves: &str) -> anyhow::Result<Start> {
    let new = NewGame { start: game(spec, moves)?, seats: [None, None], clock: protocol::Clock::None };
    Ok(Start::Play(Box::new(new)))
}

impl Session {
    fn new(start: Start, theme: Theme) -> anyhow::Result<Self> {
        let (sender, events) = channel();
        let options = Options {
            start,
            settings: Settings { animation: false, theme, ..Settings::default() },
            language: Some(Language::En),
            depth: Depth::True,
            pace: Some(Duration::ZERO),
            seed: 1,
            keep: Keep::at(std::env::temp_dir().join("alinea-pictures")),
            make: |game, name, seed| Ok(roster::program(game, name, &system::resources(seed))?),
        };
        let size = Rect::new(0, 0, SIZE.0, SIZE.1);
        let app = App::new(options, sender, size).map_err(anyhow::Error::msg)?;
        Ok(Self { app, events, size })
    }

    fn press(&mut self, keys: &str) {
        for key in keys.chars() {
            let code = if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) };
            let key = KeyEvent::new(code, KeyModifiers::NONE);
            self.app.update(Event::Input(Input::Key(key)), Instant::now());
        }
    }

    /// Takes answers of thinking threads until the screen says this.
    fn wait_for(&mut self, text: &str) -> anyhow::Result<()> {
        while !self
            .draw()
            .content()
            .iter()
            .map(ratatui::buffer::Cell::symbol)
            .collect::<String>()
            .contains(text)
        {
            let event = self.events.recv_timeout(Duration::from_secs(120))?;
            self.app.update(event, Instant::now());
        }
        Ok(())
    }

    fn draw(&mut self) -> Buffer {
        let mut buffer = Buffer::empty(self.size);
        self.app.draw(&mut buffer, Instant::now());
        buffer
    }
}

fn hex(color: Color, usual: &str) -> String {
    match color {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        _ => usual.to_owned(),
    }
}

/// Half blocks become rectangles, so that a picture needs no font for them.
fn svg(buffer: &Buffer) -> String {
    let (w, h) = CHARACTER;
    let Rect { width, height, .. } = buffer.area;
    let (all_w, all_h) = (u32::from(width) * w, u32::from(height) * h);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all_w} {all_h}\" font-family=\"ui-monospace, \
         DejaVu Sans Mono, monospace\" font-size=\"15\" shape-rendering=\"crispEdges\">\n"
    );
    let mut rect = |x: u32, y: u32, wide: u32, high: u32, fill: &str| {
        let _ =
            writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"{fill}\"/>");
    };
    let mut texts = String::new();
    for y in 0..height {
        let mut x = 0;
        while x < width {
            let cell = &buffer[(x, y)];
            let (fg, bg) = (hex(cell.fg, "#fff"), hex(cell.bg, "#000"));
            let symbol = cell.symbol();
            // Cells in a row that look alike are one rectangle.
            let alike = (x..width).take_while(|&other| buffer[(other, y)] == *cell).count() as u32;
            let blocks = matches!(symbol, " " | "▀" | "█");
            let count = if blocks { alike } else { 1 };
            let (left, top) = (u32::from(x) * w, u32::from(y) * h);
            let back = if symbol == "█" { &fg } else { &bg };
            rect(left, top, count * w, h, back);
            if symbol == "▀" {
                rect(left, top, count * w, h / 2, &fg);
            }
            if !blocks {
                let escaped = symbol.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                let _ =
                    writeln!(texts, "<text x=\"{left}\" y=\"{}\" fill=\"{fg}\">{escaped}</text>", top + 14);
            }
            x += count as u16;
        }
    }
    svg + &texts + "</svg>\n"
}

fn main() -> anyhow::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "docs/screenshots".to_owned());
    let save = |name: &str, session: &mut Session| {
        fs::write(Path::new(&folder).join(format!("terminal-{name}.svg")), svg(&session.draw()))
    };

    save("home", &mut Session::new(Start::Home, Theme::Neon)?)?;

    let mut session = Session::new(play("connect-four", "4 4 3 5 4")?, Theme::Neon)?;
    session.press("e");
    session.wait_for("positions")?;
    save("game", &mut session)?;

    let drops = "R@d N@e Q@c B@f K@d R@e";
    let mut session = Session::new(play("chess-five", drops)?, Theme::Light)?;
    save("chess-five", &mut session)?;

    let won = game("connect-four", "4 4 5 5 6 3 7")?;
    let mut session = Session::new(Start::Review(Box::new(won)), Theme::ColourSafe)?;
    session.wait_for("Review finished")?;
    session.press("m");
    session.wait_for("positions")?;
    save("review", &mut session)?;
    Ok(())
}
