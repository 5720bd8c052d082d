//! How a board looks in lines of text.

use std::io::{BufRead, Write};

use rules::{Cell, Kind, Piece, Side, Spec, View, column_letters};

use super::{
    terminal::{Paint, Terminal},
    words,
};

/// Draws the board, and under it what the players have in hand.
pub(super) fn draw<R: BufRead, W: Write>(spec: Spec, view: &View, terminal: &Terminal<R, W>) -> String {
    let mut text = String::from("\n    ");
    for column in 0..view.cols {
        text += &format!("{:<4}", column_name(spec, column));
    }
    text.push('\n');
    let rule = |ends: [char; 2], crossing: char| {
        let cells = vec!["───"; usize::from(view.cols)].join(&crossing.to_string());
        format!("  {}{cells}{}\n", ends[0], ends[1])
    };
    for row in (0..view.rows).rev() {
        text += &format!("{:<2}│", row_name(spec, row));
        for column in 0..view.cols {
            let cell = Cell::new(column, row);
            let piece = view.piece(cell).map_or_else(
                || " ".to_owned(),
                |piece| {
                    let wins = view.line.as_ref().is_some_and(|line| line.contains(&cell));
                    let paint = if wins { Paint::WinningPiece(piece.side) } else { Paint::Side(piece.side) };
                    terminal.paint(glyph(spec, piece), paint)
                },
            );
            text += &format!(" {piece} │");
        }
        text.push('\n');
        text += &if row > 0 { rule(['├', '┤'], '┼') } else { rule(['╰', '╯'], '┴') };
    }
    for side in Side::BOTH {
        let hand: Vec<_> = view.hands[side.index()].iter().filter(|&&(_, count)| count > 0).collect();
        if !hand.is_empty() {
            let pieces: Vec<_> =
                hand.iter().map(|(kind, count)| format!("{count} {}", kind_name(*kind))).collect();
            let name = terminal.paint(words::side_name(spec, side), Paint::Side(side));
            text += &format!("  {name}: {}\n", pieces.join(", "));
        }
    }
    text
}

/// Cells are named by letter and number where moves name cells, columns by number where they are all.
fn names_cells(spec: Spec) -> bool {
    matches!(spec, Spec::TicTacToe | Spec::ChessFive)
}

fn column_name(spec: Spec, column: u8) -> String {
    if names_cells(spec) { column_letters(column) } else { (u32::from(column) + 1).to_string() }
}

fn row_name(spec: Spec, row: u8) -> String {
    if names_cells(spec) { (u32::from(row) + 1).to_string() } else { String::new() }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Stone => "stones",
        Kind::Round => "round",
        Kind::Square => "square",
        Kind::Rook => "R",
        Kind::Knight => "N",
        Kind::Bishop => "B",
        Kind::Queen => "Q",
        Kind::King => "K",
    }
}

fn glyph(spec: Spec, piece: Piece) -> &'static str {
    let [first, second] = match piece.kind {
        Kind::Stone if spec == Spec::TicTacToe => ["X", "O"],
        Kind::Stone | Kind::Round => ["○", "●"],
        Kind::Square => ["□", "■"],
        Kind::Rook => ["R", "r"],
        Kind::Knight => ["N", "n"],
        Kind::Bishop => ["B", "b"],
        Kind::Queen => ["Q", "q"],
        Kind::King => ["K", "k"],
    };
    match piece.side {
        Side::First => first,
        Side::Second => second,
    }
}
