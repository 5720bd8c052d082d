//! A list in groups, and texts in the room that a small window leaves: what does not fit is left out or ends with a
//! sign, so that no number is cut.

use ratatui::layout::Rect;

use super::scrolled;
use crate::{
    context::{Canvas, Context, Hit},
    text::{cut, width},
    theme::Glyphs,
};

/// A row of a list.
pub(crate) struct ListRow {
    /// The title of the group that begins with this row.
    pub(crate) heading: Option<String>,
    /// The text, for a number of columns.
    pub(crate) text: String,
    pub(crate) is_muted: bool,
}

/// Draws the rows such that the chosen one is visible. A click reports a row by its number plus `first_hit`.
pub(crate) fn draw_list(
    cx: &Context,
    area: Rect,
    canvas: &mut Canvas,
    rows: &[ListRow],
    chosen: Option<usize>,
    first_hit: usize,
) {
    let palette = cx.palette();
    // The line of each row, with those of the headings.
    let mut lines = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        lines.extend(row.heading.as_ref().map(|heading| (None, heading)));
        lines.push((Some(at), &row.text));
    }
    let line = chosen.and_then(|chosen| lines.iter().position(|(row, _)| *row == Some(chosen)));
    let first = scrolled(line.unwrap_or(0), usize::from(area.height));
    for (y, (row, text)) in (area.y..area.bottom()).zip(lines.into_iter().skip(first)) {
        let Some(row) = row else {
            canvas.put(area.x + 1, y, area.right(), text, palette.muted());
            continue;
        };
        let style = match () {
            () if chosen == Some(row) => palette.chosen(),
            () if rows[row].is_muted => palette.muted(),
            () => palette.text(),
        };
        let line = Rect::new(area.x, y, area.width, 1);
        if chosen == Some(row) {
            canvas.fill(line, style);
        }
        canvas.put(area.x + 1, y, area.right(), text, style);
        canvas.hit(line, Hit::Row(first_hit + row));
    }
}

/// A text in at most this many columns; one that is too long ends with a sign.
pub(crate) fn shortened(cx: &Context, text: &str, columns: u16) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let sign = if cx.settings.glyphs == Glyphs::Ascii { '.' } else { '…' };
    let mut text = cut(text, columns.saturating_sub(1)).trim_end().to_owned();
    text.push(sign);
    text
}

/// As many of the parts as fit, the first ones first; only the first may be shortened.
pub(crate) fn joined(cx: &Context, parts: &[String], between: &str, columns: u16) -> String {
    let Some((first, rest)) = parts.split_first() else { return String::new() };
    let mut text = shortened(cx, first, columns);
    for part in rest {
        if width(&text) + width(between) + width(part) > columns {
            break;
        }
        text = format!("{text}{between}{part}");
    }
    text
}

/// Two names; if both do not fit, the longer one is shortened first.
pub(crate) fn pair(cx: &Context, names: &[String; 2], columns: u16) -> String {
    let room = columns.saturating_sub(3);
    let [first, second] = names.each_ref().map(|name| width(name));
    let half = room / 2;
    let [first, second] = match () {
        () if first + second <= room => [first, second],
        () if first <= half => [first, room - first],
        () if second <= room - half => [room - second, second],
        () => [half, room - half],
    };
    format!("{} – {}", shortened(cx, &names[0], first), shortened(cx, &names[1], second))
}
