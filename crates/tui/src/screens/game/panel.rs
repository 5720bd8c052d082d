//! The text about a game, beside the board or below it: whose turn it is, the result, the evaluation in words, the best
//! lines, the reasons, the graph of a review, the moves.

use players::Proof;
use ratatui::{layout::Rect, style::Style};
use rules::{AnyGame, Side};
use sentences::{
    headline, how, line_text, mark_sign, mark_text, move_text, result_text, side_name, verdict_text,
};
use study::{Advantage, assessment::Assessment};

use super::{GameScreen, Mode};
use crate::{
    context::{Canvas, Context, Hit},
    engine::Slot,
    local::at_ply,
    text::{width, wrap},
    theme::{Glyphs, Ink},
};

/// A sentence of the panel.
struct Said {
    lines: Vec<String>,
    style: Style,
}

impl GameScreen {
    pub(super) fn draw_panel(&self, cx: &Context, area: Rect, is_wide: bool, canvas: &mut Canvas) {
        let mut said = Vec::new();
        let palette = cx.palette();
        let mut say = |text: &str, style: Style| {
            said.push(Said { lines: wrap(text, area.width.saturating_sub(1)), style });
        };
        if let Some(message) = &self.message {
            say(message, Self::loud(cx));
        }
        self.say_status(cx, &mut say);
        self.say_online(cx, &mut say);
        if is_wide {
            if let Some(tray) = self.tray_text(cx) {
                say(&tray, palette.muted());
            }
            self.say_evaluation(cx, area.width, &mut say);
            self.say_review(cx, &mut say);
            if self.explains {
                self.say_why(cx, &mut say);
            }
        } else if let Some(text) = self.verdict(cx).filter(|_| self.evaluates) {
            say(&text, palette.text());
        } else if self.explains {
            self.say_why(cx, &mut say);
        }
        let least = if is_wide { 5 } else { 0 };
        let room = usize::from(area.height.saturating_sub(least)).max(1).min(usize::from(area.height));
        let bottom = area.y + room as u16;
        let mut y = area.y;
        for (at, Said { lines, style }) in said.iter().enumerate() {
            // A sentence without its end could say something else; only the first one is better than none.
            if at > 0 && y + lines.len() as u16 > bottom {
                break;
            }
            for (y, line) in (y..bottom).zip(lines) {
                canvas.put(area.x, y, area.right(), line, *style);
            }
            y = (y + lines.len() as u16).min(bottom);
        }
        if is_wide {
            y = self.draw_graph(cx, Rect { y, height: area.bottom().saturating_sub(y), ..area }, canvas);
            self.draw_moves(cx, Rect { y, height: area.bottom().saturating_sub(y), ..area }, canvas);
        }
    }

    /// Whose turn it is, or how the game ended.
    fn say_status(&self, cx: &Context, say: &mut dyn FnMut(&str, Style)) {
        let words = &cx.words;
        let info = self.game.info();
        if let Some(result) = &self.snapshot.result
            && (self.is_live() || self.mode == Mode::Play)
        {
            say(&headline(words, info, result, &self.snapshot.you), Self::loud(cx));
            let view = self.game.view();
            // To someone who plays, the opponent has a name.
            let called = |side| match self.you() {
                Some(_) => self.name(side, cx),
                None => side_name(words, info, side),
            };
            say(&how(words, info, &view, result, self.you(), called), cx.palette().text());
            let moves = self.game.moves().len() as u64;
            say(&words.count("result.moves", moves, &[]), cx.palette().muted());
            return;
        }
        if self.shown.outcome().is_some() {
            say(words.t("analysis.over"), cx.palette().text());
            return;
        }
        let turn = self.shown.turn();
        let name = self.name(turn, cx);
        let text = match () {
            () if self.is_sending => words.t("status.sending").to_owned(),
            () if self.is_waiting() => words.t("status.open").to_owned(),
            () if cx.engine.is_busy(Slot::Choose) && self.is_live() => {
                words.fill("tui.thinking", &[("name", &name)])
            }
            () if self.you() == Some(turn) && self.can_move() => words.t("tui.your-move").to_owned(),
            () => words.fill("status.turn-of", &[("name", &name)]),
        };
        say(&text, cx.palette().text());
        self.say_opening(cx, say);
        if !self.is_live() && self.mode == Mode::Play {
            let (ply, all) = (self.ply().to_string(), self.game.moves().len().to_string());
            say(&words.fill("moves.behind", &[("ply", &ply), ("n", &all)]), cx.palette().muted());
        }
    }

    /// The stone that is placed next in an opening, or the words that can be chosen.
    fn say_opening(&self, cx: &Context, say: &mut dyn FnMut(&str, Style)) {
        let words = &cx.words;
        let Some(opening) = self.shown.view().opening else { return };
        if let Some(stone) = opening.stone {
            let side = side_name(words, self.game.info(), stone);
            say(&words.fill("opening.next-stone", &[("side", &side)]), cx.palette().muted());
        }
        for (key, word) in self.words() {
            let text = format!("{key} {}", words.t(&format!("opening.{}", word.text())));
            let is_marked = self.confirm.as_deref() == Some(word.text());
            say(&text, if is_marked { Self::loud(cx) } else { cx.palette().key() });
        }
    }

    /// The verdict on the position in words: “You win in 7”, “Even”.
    fn verdict(&self, cx: &Context) -> Option<String> {
        let best = self.assessment.as_ref()?.known.best()?;
        let words = &cx.words;
        let turn = self.shown.turn();
        if let Some(proven) = best.verdict.proven() {
            let winner = match proven.result {
                Proof::Draw => return Some(words.t("card.draw").to_owned()),
                Proof::Win => turn,
                Proof::Loss => turn.other(),
            };
            let n = proven.winners_moves().to_string();
            let side = side_name(words, self.game.info(), winner);
            let key = if self.you() == Some(winner) { "tui.you-win-in" } else { "tui.wins-in" };
            return Some(words.fill(key, &[("side", &side), ("n", &n)]));
        }
        let how = match best.verdict.advantage()? {
            Advantage::Even => return Some(words.t("card.even").to_owned()),
            Advantage::Slight => "slight",
            Advantage::Clear => "clear",
            Advantage::Decisive => "decisive",
        };
        let ahead = if best.verdict.chance() > 0.0 { turn } else { turn.other() };
        let who = if self.you() == Some(ahead) { "you" } else { "they" };
        let name = side_name(words, self.game.info(), ahead);
        Some(words.fill(&format!("card.{who}-{how}"), &[("name", &name)]))
    }

    /// How likely the first player wins, from 0 to 1.
    fn share(&self) -> Option<f64> {
        let best = self.assessment.as_ref()?.known.best()?;
        let chance = best.verdict.chance();
        let chance = if self.shown.turn() == Side::First { chance } else { -chance };
        Some(0.5 + chance / 2.0)
    }

    fn say_evaluation(&self, cx: &Context, columns: u16, say: &mut dyn FnMut(&str, Style)) {
        if !self.evaluates || !self.may_help() || self.shown.outcome().is_some() {
            return;
        }
        let palette = cx.palette();
        let Some(text) = self.verdict(cx) else {
            say(cx.words.t("why.thinking"), palette.muted());
            return;
        };
        if let Some(share) = self.share() {
            let all = usize::from(columns.saturating_sub(2)).min(40);
            let first = (share * all as f64).round() as usize;
            let [solid, hollow] =
                if cx.settings.glyphs == Glyphs::Ascii { ["#", "-"] } else { ["█", "░"] };
            say(
                &format!("{}{}", solid.repeat(first), hollow.repeat(all - first)),
                palette.style(Ink::First, Ink::Ground),
            );
        }
        say(&text, palette.text());
        let assessment = &self.assessment.as_ref().expect("there is a verdict").known;
        for assessed in assessment.moves.iter().take(if self.mode == Mode::Study { 3 } else { 1 }) {
            let line = self.line(&assessed.line);
            let verdict = verdict_text(&cx.words, &assessed.verdict, None);
            say(&format!("{verdict}: {line}"), palette.muted());
        }
        say(&self.effort(cx, assessment), palette.muted());
    }

    fn effort(&self, cx: &Context, assessment: &Assessment) -> String {
        let depth = cx.words.count("why.depth", assessment.depth.into(), &[]);
        let nodes = cx.words.count("why.nodes", assessment.nodes, &[]);
        format!("{depth}, {nodes}")
    }

    fn line(&self, moves: &[String]) -> String {
        let shown: Vec<_> = moves.iter().take(8).cloned().collect();
        line_text(self.game.info(), &shown, Some(&self.shown.view()))
    }

    fn say_why(&self, cx: &Context, say: &mut dyn FnMut(&str, Style)) {
        let said = self.why(cx);
        if said.is_empty() {
            say(cx.words.t("why.ask"), cx.palette().muted());
        }
        for sentence in said {
            say(&sentence.text, cx.palette().text());
        }
    }

    /// Adds the mark of the shown move and the progress of the review.
    fn say_review(&self, cx: &Context, say: &mut dyn FnMut(&str, Style)) {
        let words = &cx.words;
        if cx.engine.is_busy(Slot::Review) {
            let done =
                format!("{} {}/{}", words.t("review.busy"), self.review.len(), self.game.moves().len());
            say(&done, cx.palette().muted());
        } else if !self.review.is_empty() {
            let marked = self.review.iter().filter(|reviewed| reviewed.mark.is_some()).count() as u64;
            let text = match marked {
                0 => words.t("tui.no-key-moments").to_owned(),
                _ => words.count("review.done", marked, &[]),
            };
            say(&text, cx.palette().muted());
        }
        let Some(reviewed) = self.reviewed() else { return };
        let before = at_ply(&self.game, self.ply() - 1).view();
        let text = |m: &str| line_text(self.game.info(), &[m.to_owned()], Some(&before));
        if let Some(mark) = reviewed.mark {
            let better = words.fill(
                "review.better",
                &[
                    ("move", &text(&reviewed.best.text)),
                    ("verdict", &verdict_text(words, &reviewed.best.verdict, None)),
                ],
            );
            say(&format!("{}: {}", text(&reviewed.played.text), mark_text(words, mark)), Self::loud(cx));
            say(&better, cx.palette().text());
        } else if reviewed.remark.is_some() {
            say(words.t("remark.quicker-win"), cx.palette().muted());
        } else if let Some(proven) = reviewed.played.verdict.proven() {
            let text = format!("{}: {}", text(&reviewed.played.text), result_text(words, proven, None));
            say(&text, cx.palette().muted());
        }
    }

    /// Draws the course of a reviewed game: a column for each move, high if the first player stands well.
    fn draw_graph(&self, cx: &Context, area: Rect, canvas: &mut Canvas) -> u16 {
        const ROWS: u16 = 3;
        if self.review.len() < 2 || area.height < ROWS + 4 {
            return area.y;
        }
        let palette = cx.palette();
        let columns = usize::from(area.width.saturating_sub(1)).min(self.review.len());
        let bars = if cx.settings.glyphs == Glyphs::Ascii {
            [" ", ".", ":", "#", "#"]
        } else {
            [" ", "▂", "▄", "▆", "█"]
        };
        for column in 0..columns {
            let index = column * self.review.len() / columns;
            let reviewed = &self.review[index];
            // Four steps in each row.
            let height = ((0.5 + reviewed.chance / 2.0) * f64::from(ROWS) * 4.0).round() as u16;
            let is_shown = reviewed.number as usize == self.ply();
            let style = match () {
                () if is_shown => palette.style(Ink::Thread, Ink::Ground),
                () if reviewed.mark.is_some() => palette.style(Ink::Second, Ink::Ground),
                () => palette.style(Ink::First, Ink::Ground),
            };
            for row in 0..ROWS {
                let filled = height.saturating_sub((ROWS - 1 - row) * 4).min(4);
                let x = area.x + column as u16;
                canvas.put(x, area.y + row, area.right(), bars[usize::from(filled)], style);
                canvas.hit(Rect::new(x, area.y + row, 1, 1), Hit::Ply(reviewed.number as usize));
            }
        }
        area.y + ROWS
    }

    /// Draws the moves in two columns, scrolled to the one that is shown.
    fn draw_moves(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        if area.height < 2 {
            return;
        }
        let palette = cx.palette();
        canvas.put(area.x, area.y, area.right(), cx.words.t("moves.title"), palette.muted());
        let list = Rect { y: area.y + 1, height: area.height - 1, ..area };
        let moves = &self.texts;
        let starts_second = (self.game.turn() == Side::Second) == moves.len().is_multiple_of(2);
        let offset = usize::from(starts_second);
        if moves.is_empty() {
            canvas.put(list.x, list.y, list.right(), cx.words.t("moves.none"), palette.muted());
            return;
        }
        let rows = (moves.len() + offset).div_ceil(2);
        let shown_row = (self.ply().max(1) - 1 + offset) / 2;
        let first = (shown_row + 1).saturating_sub(usize::from(list.height)).min(rows.saturating_sub(1));
        for (y, row) in (list.y..list.bottom()).zip(first..rows) {
            canvas.put(list.x, y, list.right(), &format!("{:>3}.", row + 1), palette.muted());
            for half in 0..2 {
                let Some(index) = (2 * row + half).checked_sub(offset) else { continue };
                let Some(text) = moves.get(index) else { continue };
                let mark = self.review.get(index).and_then(|reviewed| reviewed.mark).map_or("", mark_sign);
                let text = format!(" {text}{mark} ");
                let x = list.x + 5 + 10 * half as u16;
                let style = if index + 1 == self.ply() { palette.chosen() } else { palette.text() };
                canvas.put(x, y, list.right(), &text, style);
                canvas.hit(Rect::new(x, y, width(&text), 1), Hit::Ply(index + 1));
            }
        }
    }
}

/// All moves as they are listed; a step is named by the piece that moves. If the game has one more move than
/// before, only that move is added.
pub(super) fn move_texts(game: &AnyGame, before: &[String]) -> Vec<String> {
    let moves = game.moves();
    let text = |game: &AnyGame, m: &str| {
        let view = game.view();
        let kind = view.last.iter().find_map(|cell| view.piece(*cell)).map(|piece| piece.kind);
        move_text(game.info(), m, kind)
    };
    if let Some(last) = moves.last().filter(|_| moves.len() == before.len() + 1) {
        let mut texts = before.to_vec();
        texts.push(text(game, last));
        return texts;
    }
    let mut replayed = at_ply(game, 0);
    moves
        .iter()
        .map(|m| {
            replayed.play(m).expect("it was played before");
            text(&replayed, m)
        })
        .collect()
}
