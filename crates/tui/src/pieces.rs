//! Pictures of pieces: pixels of a square of any size, and one character for the smallest cells.

use rules::{PieceInfo, Side};

use crate::theme::Glyphs;

/// The smallest square of pixels in which chess pieces can be told apart.
const CHESS_PIXELS: u16 = 8;

const ROOK: [u8; 8] = [0x00, 0x5a, 0x7e, 0x3c, 0x3c, 0x3c, 0x7e, 0x7e];
const KNIGHT: [u8; 8] = [0x08, 0x1c, 0x3e, 0x76, 0x1e, 0x3c, 0x7e, 0x7e];
const BISHOP: [u8; 8] = [0x18, 0x34, 0x76, 0x7e, 0x3c, 0x18, 0x3c, 0x7e];
const QUEEN: [u8; 8] = [0x99, 0xdb, 0xdb, 0xff, 0x7e, 0x3c, 0x7e, 0x7e];
const KING: [u8; 8] = [0x18, 0x3c, 0x18, 0x7e, 0xff, 0xff, 0x7e, 0x7e];

fn bitmap(glyph: &str) -> Option<&'static [u8; 8]> {
    Some(match glyph {
        "rook" => &ROOK,
        "knight" => &KNIGHT,
        "bishop" => &BISHOP,
        "queen" => &QUEEN,
        "king" => &KING,
        _ => return None,
    })
}

/// Whether a piece is drawn by pixels in a square of this size; else by its character.
pub(crate) fn has_pixels(piece: &PieceInfo, side: Side, size: u16) -> bool {
    size >= 4 && (bitmap(piece.glyphs[side.index()]).is_none() || size >= CHESS_PIXELS)
}

/// Whether the pixel belongs to the piece, in a square of `size` pixels.
pub(crate) fn is_piece(piece: &PieceInfo, side: Side, size: u16, x: u16, y: u16) -> bool {
    let glyph = piece.glyphs[side.index()];
    let half = f32::from(size) / 2.0;
    let (dx, dy) = ((f32::from(x) + 0.5 - half).abs(), (f32::from(y) + 0.5 - half).abs());
    let far = dx.hypot(dy);
    let thick = (half / 2.5).max(1.0);
    // The smallest squares fill their cell.
    let inset = if size < 6 { 0.0 } else { 0.9 };
    match glyph {
        "disc" | "round" => in_hole(size, x, y),
        "ring" | "round-hollow" | "o" => in_hole(size, x, y) && far > half - thick,
        "x" => (dx - dy).abs() < thick * 0.8 && dx.max(dy) < half - 0.4,
        "square" => dx.max(dy) < half - inset,
        "square-hollow" => dx.max(dy) < half - inset && dx.max(dy) > half - inset - thick,
        _ => match bitmap(glyph) {
            Some(rows) => is_chess(rows, side, size, x, y),
            // A picture that is not known here: solid and outline, as everywhere.
            None => dx + dy < half && (side == Side::First || dx + dy > half - thick * 1.5),
        },
    }
}

fn is_chess(rows: &[u8; 8], side: Side, size: u16, x: u16, y: u16) -> bool {
    let is_set = |x: i32, y: i32| {
        let (column, row) = (x * 8 / i32::from(size), y * 8 / i32::from(size));
        x >= 0
            && y >= 0
            && usize::try_from(row).is_ok_and(|row| {
                rows.get(row).is_some_and(|bits| column < 8 && bits >> (7 - column) & 1 == 1)
            })
    };
    let (x, y) = (i32::from(x), i32::from(y));
    let inside = [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().all(|(dx, dy)| is_set(x + dx, y + dy));
    // The second side is the outline alone.
    is_set(x, y) && (side == Side::First || !inside)
}

/// Whether the pixel belongs to a round hole.
pub(crate) fn in_hole(size: u16, x: u16, y: u16) -> bool {
    let half = f32::from(size) / 2.0;
    let (dx, dy) = (f32::from(x) + 0.5 - half, f32::from(y) + 0.5 - half);
    dx.hypot(dy) <= if size < 6 { half } else { half - 0.15 }
}

/// Whether the pixel belongs to an empty hole, not to the board around it.
pub(crate) fn in_empty_hole(size: u16, x: u16, y: u16) -> bool {
    let half = f32::from(size) / 2.0;
    let (dx, dy) = (f32::from(x) + 0.5 - half, f32::from(y) + 0.5 - half);
    dx.hypot(dy) <= half - 0.85
}

/// The one character of a piece.
pub(crate) fn character(piece: &PieceInfo, side: Side, glyphs: Glyphs) -> char {
    if glyphs == Glyphs::Ascii {
        return piece.letters[side.index()];
    }
    let [solid, outline] = match piece.glyphs[side.index()] {
        "disc" | "ring" | "round" | "round-hollow" => ['●', '○'],
        "square" | "square-hollow" => ['■', '□'],
        "x" | "o" => ['X', 'O'],
        "rook" => ['♜', '♖'],
        "knight" => ['♞', '♘'],
        "bishop" => ['♝', '♗'],
        "queen" => ['♛', '♕'],
        "king" => ['♚', '♔'],
        _ => ['◆', '◇'],
    };
    if side == Side::First { solid } else { outline }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every piece of every game differs from every other by its pixels and by its character.
    #[test]
    fn pieces_can_be_told_apart_without_colour() {
        for info in rules::GAMES {
            let all: Vec<_> =
                info.pieces.iter().flat_map(|piece| Side::BOTH.map(|side| (piece, side))).collect();
            for size in [4, 6, 8, 10, 16] {
                let pixels: Vec<Vec<bool>> = all
                    .iter()
                    .filter(|(piece, side)| has_pixels(piece, *side, size))
                    .map(|(piece, side)| {
                        (0..size * size).map(|i| is_piece(piece, *side, size, i % size, i / size)).collect()
                    })
                    .collect();
                for (i, picture) in pixels.iter().enumerate() {
                    assert!(picture.contains(&true), "{}", info.id);
                    assert!(!pixels[..i].contains(picture), "{} at {size}", info.id);
                }
            }
            for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
                let characters: Vec<_> =
                    all.iter().map(|(piece, side)| character(piece, *side, glyphs)).collect();
                for (i, character) in characters.iter().enumerate() {
                    assert!(!characters[..i].contains(character), "{}: {character}", info.id);
                }
            }
        }
    }
}
