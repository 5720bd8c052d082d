//! The board as text.

use std::io::{BufRead, Write};

use rules::{Cell, Coordinates, GameInfo, Kind, PieceInfo, Side, View, column_letters};
use sentences::side_name;

use super::terminal::{Paint, Terminal, words};

/// Draws the board and, below it, the pieces in hand.
pub(super) fn draw<R: BufRead, W: Write>(info: &GameInfo, view: &View, terminal: &Terminal<R, W>) -> String {
    let mut text = String::from("\n    ");
    for column in 0..view.cols {
        text += &format!("{:<4}", column_name(info, column));
    }
    text.push('\n');
    let rule = |ends: [char; 2], crossing: char| {
        let cells = vec!["───"; usize::from(view.cols)].join(&crossing.to_string());
        format!("  {}{cells}{}\n", ends[0], ends[1])
    };
    for row in (0..view.rows).rev() {
        text += &format!("{:<2}│", row_name(info, row));
        for column in 0..view.cols {
            let cell = Cell::new(column, row);
            let piece = view.piece(cell).map_or_else(
                || (if view.foul(cell).is_some() { "×" } else { " " }).to_owned(),
                |piece| {
                    let wins = view.line.as_ref().is_some_and(|line| line.contains(&cell));
                    let paint = if wins { Paint::WinningPiece(piece.side) } else { Paint::Side(piece.side) };
                    terminal.paint(piece_info(info, piece.kind).symbols[piece.side.index()], paint)
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
            let pieces: Vec<_> = hand
                .iter()
                .map(|(kind, count)| format!("{count} {}", piece_info(info, *kind).name))
                .collect();
            let name = terminal.paint(&side_name(words(), info, side), Paint::Side(side));
            text += &format!("  {name}: {}\n", pieces.join(", "));
        }
    }
    text
}

fn column_name(info: &GameInfo, column: u8) -> String {
    match info.coordinates {
        Coordinates::Columns => (u32::from(column) + 1).to_string(),
        _ => column_letters(column),
    }
}

fn row_name(info: &GameInfo, row: u8) -> String {
    match info.coordinates {
        Coordinates::Columns => String::new(),
        _ => (u32::from(row) + 1).to_string(),
    }
}

fn piece_info(info: &GameInfo, kind: Kind) -> &PieceInfo {
    info.piece(kind).expect("a game describes all its pieces")
}
