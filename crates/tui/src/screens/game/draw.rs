//! Draws a game: the players' bars, the board, the panel beside or below it, the keys.

use crossterm::event::KeyCode;
use players::Proof;
use protocol::Status;
use ratatui::{
    layout::Rect,
    style::{Modifier, Style},
};
use rules::{Coordinates, Side};
use sentences::{clock_face, game_title, kind_name, side_name};

use super::{GameScreen, Mode};
use crate::{
    board::{Board, piece_of},
    context::{Canvas, Context, Hit},
    host::is_demo,
    pieces,
    text::{cut, width},
    theme::{Glyphs, Ink},
};

/// Minimum width of the panel beside the board.
const PANEL: u16 = 26;

impl GameScreen {
    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let is_tiny = area.height < 12 || area.width < 30;
        let keys = u16::from(!is_tiny);
        let top = u16::from(!is_tiny);
        if !is_tiny {
            self.draw_title(cx, area, canvas);
            self.draw_keys(cx, area, canvas);
        }
        let inner = Rect::new(area.x, area.y + top, area.width, area.height - top - keys);
        let board = self.board(cx);
        let is_wide = area.width >= 64;
        let (board_area, panel) = if is_wide {
            let most = area.width - PANEL - 3;
            // The bars above and below the board need some width of their own.
            let width = board.width_in(inner.height.saturating_sub(2), most).max(36).min(most);
            let bars = Rect::new(inner.x + 1, inner.y, width, inner.height);
            (bars, Rect::new(inner.x + width + 3, inner.y, area.width - width - 3, inner.height))
        } else {
            let lines = if is_tiny { 1 } else { (inner.height / 8).clamp(2, 6) };
            let lines = lines.min(inner.height.saturating_sub(1));
            (
                Rect { height: inner.height - lines, ..inner },
                Rect { y: inner.bottom() - lines, height: lines, ..inner },
            )
        };
        // The bars of the players stay with the board.
        // In a small window they give way to larger cells, unless they show the pieces in hand.
        let width_at = |height: u16| board.width_in(height, board_area.width);
        let cost_nothing = width_at(board_area.height) == width_at(board_area.height.saturating_sub(2));
        let have_hands = self.game.info().pieces.len() > 1;
        let bars = u16::from(!is_tiny && board_area.height >= 8 && (is_wide || have_hands || cost_nothing));
        let (upper, lower) = self.ends();
        if bars > 0 {
            self.draw_bar(cx, upper, Rect { height: 1, ..board_area }, canvas);
            self.draw_bar(cx, lower, Rect { y: board_area.bottom() - 1, height: 1, ..board_area }, canvas);
        }
        let place = Rect { y: board_area.y + bars, height: board_area.height - 2 * bars, ..board_area };
        let grid = board.draw(place, canvas.buffer);
        canvas.hit(place, Hit::Board(grid));
        self.draw_panel(cx, panel, is_wide, canvas);
        if let Some(prompt) = &self.prompt {
            prompt.draw(cx, area, canvas);
        }
        if self.helps {
            self.draw_help(cx, area, canvas);
        }
    }

    /// The side at the upper end and at the lower end of the board.
    fn ends(&self) -> (Side, Side) {
        let lower = match self.you() {
            Some(you) => you,
            None if self.flipped => Side::Second,
            None => Side::First,
        };
        (lower.other(), lower)
    }

    fn board<'a>(&'a self, cx: &Context) -> Board<'a> {
        let view = self.shown.view();
        let is_open = self.can_move();
        let picks = self.choices().iter().any(|choice| choice.from == Some(self.cursor));
        // In an opening, a player may place stones of either side.
        let stone = view.opening.as_ref().and_then(|opening| opening.stone).unwrap_or(self.shown.turn());
        let ghost = self
            .placement(self.cursor)
            .filter(|_| is_open && !picks)
            .map(|choice| (choice.to, piece_of(stone, choice.kind)));
        Board {
            info: self.game.info(),
            view,
            palette: cx.palette(),
            glyphs: cx.settings.glyphs,
            flipped: self.flipped,
            cursor: Some(self.cursor),
            picked: self.picked,
            legal: if is_open { self.targets() } else { Vec::new() },
            ghost,
            lit: self.lit(cx),
            falling: self.falling.as_ref().map(|falling| (falling.cell, falling.row(cx.now))),
            columns: self.column_results(),
            has_names: true,
        }
    }

    /// The result of every column for the side to move, if moves are columns and all results are proved.
    fn column_results(&self) -> Vec<(u8, String)> {
        let info = self.game.info();
        let Some(assessment) = self.assessment.as_ref().filter(|_| self.evaluates) else { return Vec::new() };
        if info.coordinates != Coordinates::Columns || info.pieces.len() > 1 {
            return Vec::new();
        }
        let result = |choice: rules::Choice| {
            let proven = assessment.known.of(&choice.text)?.verdict.proven()?;
            let n = proven.winners_moves();
            let text = match proven.result {
                Proof::Draw => "=".to_owned(),
                Proof::Win => format!("+{n}"),
                Proof::Loss => format!("-{n}"),
            };
            Some((choice.to.column, text))
        };
        let results: Option<Vec<_>> =
            self.shown.choices().into_iter().filter(|choice| choice.from.is_none()).map(result).collect();
        results.unwrap_or_default()
    }

    fn draw_title(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        canvas.fill(Rect { height: 1, ..area }, palette.bar());
        let style = palette.key().add_modifier(Modifier::BOLD);
        let x = canvas.put(area.x + 1, area.y, area.right(), "Alinea", style);
        let title = game_title(&cx.words, self.game.spec());
        let mode = match self.mode {
            Mode::Play => title,
            Mode::Study if self.drill.is_some() => format!("{title} · {}", cx.words.t("improve.training")),
            Mode::Study => format!("{title} · {}", cx.words.t("nav.analysis")),
        };
        let x = canvas.put(x, area.y, area.right(), &format!("  {mode}"), palette.bar());
        let phase = self.phase(cx);
        if x + width(&phase) + 2 < area.right() {
            canvas.put(area.right() - width(&phase) - 1, area.y, area.right(), &phase, palette.bar());
        }
    }

    /// The phase, in games that have several.
    fn phase(&self, cx: &Context) -> String {
        let info = self.game.info();
        if info.phases.len() < 2 {
            return String::new();
        }
        let view = self.shown.view();
        let left: u32 = view.hands.iter().flatten().map(|(_, count)| u32::from(*count)).sum();
        let all: u32 = 2 * info.pieces.iter().filter_map(|piece| piece.count).map(u32::from).sum::<u32>();
        let placed = all.saturating_sub(left);
        let phase = if left > 0 { &info.phases[0] } else { &info.phases[info.phases.len() - 1] };
        let values = [("placed", &*placed.to_string()), ("all", &all.to_string())];
        cx.words.fill(&format!("phase.{}", phase.id), &values)
    }

    /// Draws a player: the piece, the name, the pieces in hand, the clock. The name gives way to the others.
    fn draw_bar(&self, cx: &Context, side: Side, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let info = self.game.info();
        let is_turn = self.shown.turn() == side
            && self.shown.outcome().is_none()
            && !(self.is_over() && self.is_live());
        let emblem = info.piece(info.sides[side.index()].emblem);
        let symbol = emblem.map_or(' ', |piece| pieces::character(piece, side, cx.settings.glyphs));
        let mut x = canvas.put(area.x, area.y, area.right(), &format!("{symbol} "), palette.side(side));
        let name = self.name(side, cx);
        let style = if is_turn { palette.text().add_modifier(Modifier::BOLD) } else { palette.muted() };
        let own = side_name(&cx.words, info, side);
        let label =
            if name == own { name } else { cx.words.fill("bar.label", &[("side", &own), ("name", &name)]) };
        let ascii = cx.settings.glyphs == Glyphs::Ascii;
        let hand: Vec<_> = self.shown.view().hands[side.index()]
            .iter()
            .filter_map(|(kind, count)| {
                let symbol = pieces::character(info.piece(*kind)?, side, cx.settings.glyphs);
                Some((*kind, *count, format!(" {symbol}{count} ")))
            })
            .collect();
        let clock = self.left_ms(side, cx.now).map(|left| (left, clock_face(&cx.words, left)));
        let others = hand.iter().map(|(_, _, text)| width(text)).sum::<u16>()
            + clock.as_ref().map_or(0, |(_, face)| width(face) + 2)
            + 3;
        let room = (area.right() - x).saturating_sub(others);
        let label = if width(&label) > room {
            cut(&label, room.saturating_sub(1)) + if ascii { "." } else { "…" }
        } else {
            label
        };
        x = canvas.put(x, area.y, area.right(), &label, style);
        if is_turn {
            let mark = if ascii { " <" } else { " ◂" };
            x = canvas.put(x, area.y, area.right(), mark, palette.style(Ink::Thread, Ink::Ground));
        }
        x += 1;
        let chosen = self.chosen_kind().filter(|_| side == self.shown.turn() && self.can_move());
        for (kind, count, text) in hand {
            let style = match () {
                () if chosen == Some(kind) => palette.chosen(),
                () if count == 0 => palette.muted(),
                () => palette.side(side),
            };
            let start = x;
            x = canvas.put(x, area.y, area.right(), &text, style);
            canvas.hit(Rect::new(start, area.y, x - start, 1), Hit::Kind(kind));
        }
        if let Some((left, face)) = clock {
            let style = if left < 20_000 { palette.chosen() } else { style };
            let at = area.right().saturating_sub(width(&face) + 1);
            if at > x {
                canvas.put(at, area.y, area.right(), &face, style);
            }
        }
    }

    fn draw_keys(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let t = |key| cx.words.t(key);
        let mut keys: Vec<(&str, KeyCode, &str)> = Vec::new();
        let mut add = |name, code, text| keys.push((name, code, text));
        let char = KeyCode::Char;
        match self.mode {
            Mode::Play if self.is_over() => {
                add("n", char('n'), t("action.rematch"));
                add("v", char('v'), t("tui.review"));
                add("[ ]", char('['), t("moves.title"));
                add("s", char('s'), t("tui.save"));
            }
            Mode::Play if is_demo(&self.snapshot) => {
                add("p", char('p'), t(if self.snapshot.pace.paused { "pace.go" } else { "pace.pause" }));
                add(".", char('.'), t("pace.step"));
                add("e", char('e'), t("eval.label"));
                add("w", char('w'), t("why.title"));
            }
            Mode::Play if self.may_chat() => {
                add("c", char('c'), t("chat.title"));
                add("/", char('/'), t("type.label"));
                add("d", char('d'), t("action.draw"));
                add("u", char('u'), t("action.ask-back"));
                add("x", char('x'), t("action.resign"));
            }
            Mode::Play => {
                add("/", char('/'), t("type.label"));
                add("h", char('h'), t("action.hint"));
                add("u", char('u'), t("action.undo"));
                add("w", char('w'), t("why.title"));
                add("e", char('e'), t("eval.label"));
            }
            Mode::Study if self.is_drilling() => {
                add("/", char('/'), t("type.label"));
                add("h", char('h'), t("puzzle.show"));
            }
            Mode::Study if self.drill.is_some() => {
                add("n", char('n'), t("improve.next"));
                add("[ ]", char('['), t("moves.title"));
                add("e", char('e'), t("eval.label"));
            }
            Mode::Study => {
                add("[ ]", char('['), t("moves.title"));
                add("e", char('e'), t("analysis.deeper"));
                add("v", char('v'), t("tui.review"));
                add("m", char('m'), t("tui.key-moments"));
                add("o", char('o'), t("tui.open"));
                add("s", char('s'), t("tui.save"));
            }
        }
        add("?", char('?'), t("action.keys"));
        add("q", char('q'), t("tui.back"));
        // The last two are always there: the others give way.
        while keys.len() > 2
            && keys.iter().map(|(name, _, text)| width(name) + width(text) + 3).sum::<u16>() > area.width
        {
            keys.remove(keys.len() - 3);
        }
        canvas.keys(area, cx.palette(), &keys);
    }

    fn draw_help(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let t = |key| cx.words.t(key);
        let is_online = self.host.online().is_some();
        let is_study = self.mode == Mode::Study;
        let rows = [
            ("←↑↓→", "tui.keys.move", true),
            ("Enter", "keys.act", true),
            ("1–9", "keys.column", true),
            ("Tab", "keys.piece", true),
            ("/", "keys.type", true),
            ("[ ]", "keys.step", true),
            ("{ }", "keys.ends", true),
            ("u", "keys.undo", true),
            ("h", "keys.hint", true),
            ("w", "tui.keys.why", true),
            ("e", "keys.eval", true),
            ("f", "keys.flip", true),
            ("d", "tui.keys.draw", !is_study),
            ("x", "tui.keys.resign", !is_study),
            ("n", "tui.keys.new", !is_study),
            ("c", "tui.keys.chat", is_online),
            ("-", "tui.keys.decline", is_online),
            ("+ =", "tui.keys.claim", is_online),
            ("a", "tui.keys.analyse", true),
            ("v", "tui.keys.review", true),
            ("m", "tui.keys.moment", is_study),
            ("s y", "tui.keys.save", true),
            ("o", "tui.keys.open", is_study),
            ("p .", "tui.keys.pause", is_demo(&self.snapshot)),
            ("q", "tui.keys.back", true),
        ];
        let rows: Vec<_> = rows.iter().filter(|row| row.2).map(|(key, text, _)| (*key, t(text))).collect();
        let palette = cx.palette();
        let wide = rows.iter().map(|(_, text)| width(text)).max().unwrap_or(0) + 10;
        let size = Rect::new(0, 0, wide.min(area.width), (rows.len() as u16 + 2).min(area.height));
        let x = area.x + (area.width - size.width) / 2;
        let y = area.y + (area.height - size.height) / 2;
        let place = Rect { x, y, ..size };
        canvas.fill(place, palette.bar());
        canvas.put(x + 1, y, place.right(), t("keys.title"), palette.key().add_modifier(Modifier::BOLD));
        for (row, (key, text)) in (y + 1..place.bottom()).zip(rows) {
            let ascii: String = key.chars().map(|c| if c == '–' { '-' } else { c }).collect();
            let key =
                if cx.settings.glyphs == Glyphs::Ascii && key == "←↑↓→" { "arrow" } else { &ascii };
            canvas.put(x + 1, row, place.right(), key, palette.key());
            canvas.put(x + 8, row, place.right(), text, palette.bar());
        }
    }

    /// The pieces in hand in words, where there is room in the panel.
    pub(super) fn tray_text(&self, cx: &Context) -> Option<String> {
        let kind = self.chosen_kind().filter(|_| self.game.info().pieces.len() > 1)?;
        let hand = self.shown.view().hands[self.shown.turn().index()].clone();
        let n = hand.iter().find(|(of, _)| *of == kind).map_or(0, |(_, count)| *count);
        let name = kind_name(&cx.words, kind);
        Some(cx.words.fill("tray.piece", &[("kind", &name), ("n", &n.to_string())]))
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.snapshot.status == Status::Open
    }

    /// The style of messages to the reader.
    pub(super) fn loud(cx: &Context) -> Style {
        cx.palette().style(Ink::Thread, Ink::Ground).add_modifier(Modifier::BOLD)
    }
}
