//! A position as a picture: SVG to share, and a PNG card for the previews of links, which few sites draw from SVG.

use std::fmt::Write as _;

use resvg::{tiny_skia, usvg};
use rules::{AnyGame, Cell, CellStyle, Side, View};

/// The size that sites expect of a preview.
const CARD: (u32, u32) = (1200, 630);
/// The height of the board on a card.
const CARD_BOARD: f64 = 550.0;
/// The width of the frame around the cells, where a cell is 100 wide.
const FRAME: u32 = 30;

const BACKGROUND: &str = "#0d0c22";
const FACE: &str = "#403aa6";
const HOLE: &str = "#121033";
const LIGHT: &str = "#2b2870";
const DARK: &str = "#191745";
const THREAD: &str = "#ffd166";
const CASING: &str = "#1a1030";

const fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "#3ff5ee",
        Side::Second => "#fb2bff",
    }
}

/// The position on a board, alone.
pub(crate) fn svg(game: &AnyGame) -> String {
    let (width, height, board) = board(game);
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">{board}</svg>"#
    )
}

/// The position as the preview of a link. Takes some ten milliseconds.
pub(crate) fn card(game: &AnyGame) -> Option<Vec<u8>> {
    let (width, height, board) = board(game);
    let (card_width, card_height) = (f64::from(CARD.0), f64::from(CARD.1));
    let scale = (CARD_BOARD / f64::from(height)).min((card_width - 80.0) / f64::from(width));
    let x = (card_width - f64::from(width) * scale) / 2.0;
    let y = (card_height - f64::from(height) * scale) / 2.0;
    let text = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}"><rect width="100%" height="100%" fill="{BACKGROUND}"/><g transform="translate({x} {y}) scale({scale})">{board}</g></svg>"#,
        CARD.0, CARD.1
    );
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default()).ok()?;
    let mut pixels = tiny_skia::Pixmap::new(CARD.0, CARD.1)?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().ok()
}

/// Width, height and elements of the board.
fn board(game: &AnyGame) -> (u32, u32, String) {
    let (view, info) = (game.view(), game.info());
    let (width, height) = (u32::from(view.cols) * 100 + 2 * FRAME, u32::from(view.rows) * 100 + 2 * FRAME);
    let mut picture = format!(r#"<rect width="{width}" height="{height}" rx="34" fill="{FACE}"/>"#);
    for (at, piece) in view.cells.iter().enumerate() {
        let (col, row) = (at % usize::from(view.cols), at / usize::from(view.cols));
        let (x, y) = (centre(col), centre(row));
        let cell = match info.cells {
            CellStyle::RoundHoles => format!(r#"<circle cx="{x}" cy="{y}" r="42" fill="{HOLE}"/>"#),
            CellStyle::SquareHoles => square(x, y, 42, 14, HOLE),
            CellStyle::Chequered => {
                square(x, y, 49, 8, if (col + row).is_multiple_of(2) { LIGHT } else { DARK })
            }
            _ => square(x, y, 46, 12, HOLE),
        };
        picture += &cell;
        if let Some(piece) = piece {
            let of_kind = info.pieces.iter().find(|of| of.kind == piece.kind);
            let glyph = of_kind.map_or("disc", |of| of.glyphs[usize::from(piece.side == Side::Second)]);
            let _ =
                write!(picture, r#"<g transform="translate({x} {y})">{}</g>"#, drawing(glyph, piece.side));
        }
    }
    picture += &last_and_line(&view);
    (width, height, picture)
}

fn centre(at: usize) -> u32 {
    FRAME + at as u32 * 100 + 50
}

fn square(x: u32, y: u32, half: u32, radius: u32, fill: &str) -> String {
    let (left, top, side) = (x - half, y - half, 2 * half);
    format!(r#"<rect x="{left}" y="{top}" width="{side}" height="{side}" rx="{radius}" fill="{fill}"/>"#)
}

/// The winning line, or else a ring around the cell where the last move ended.
fn last_and_line(view: &View) -> String {
    let at = |cell: &Cell| (centre(cell.column.into()), centre((view.rows - 1 - cell.row).into()));
    if let Some([from, .., to]) = view.line.as_deref() {
        let ((x1, y1), (x2, y2)) = (at(from), at(to));
        let line = |width: u32, stroke: &str| {
            format!(
                r#"<path d="M{x1} {y1}L{x2} {y2}" stroke="{stroke}" stroke-width="{width}" stroke-linecap="round"/>"#
            )
        };
        return line(20, CASING) + &line(11, THREAD);
    }
    view.last.last().map(at).map_or_else(String::new, |(x, y)| {
        let ring = |width: u32, stroke: &str| {
            format!(
                r#"<circle cx="{x}" cy="{y}" r="45" fill="none" stroke="{stroke}" stroke-width="{width}"/>"#
            )
        };
        ring(9, CASING) + &ring(5, THREAD)
    })
}

const FOOT: &str = "Q76 76.5 76 81V86Q76 88 74 88H26Q24 88 24 86Z";

/// A picture of a piece by its name, around the origin of a cell of 100; of an unknown one, a disc.
fn drawing(glyph: &str, side: Side) -> String {
    let colour = colour(side);
    let outline = |path: &str, width: u32| {
        format!(
            r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>"#
        )
    };
    let figure = match glyph {
        "rook" => {
            "M24 86V81Q24 76.5 29 75.5Q33 74 34 69L36.5 45L30.5 40Q28 38 28 35V20Q28 18 30 18H37Q39 18 39 20V26H45V20Q45 18 47 18H53Q55 18 55 20V26H61V20Q61 18 63 18H70Q72 18 72 20V35Q72 38 69.5 40L63.5 45L66 69Q67 74 71 75.5"
        }
        "bishop" => {
            "M24 86V81Q24 76.5 29 75.5L37 73Q43 70 43.5 66H40Q37 66 37 63Q37 60 40 60H41C34 56 32 50 33 44C34.5 35 42 28 50 21C58 28 65.5 35 67 44C68 50 66 56 59 60H60Q63 60 63 63Q63 66 60 66H56.5Q57 70 63 73L71 75.5"
        }
        "queen" => {
            "M24 86V81Q24 76.5 29 75.5L31 73L18.5 41L33 55L35 30L44.5 53L50 26L55.5 53L65 30L67 55L81.5 41L69 73L71 75.5"
        }
        "king" => {
            "M24 86V81Q24 76.5 29 75.5L32 73C18 62 16 46 29 42C38 39.5 46 44 48 51L46.5 36V31H40V24H46.5V16H53.5V24H60V31H53.5V36L52 51C54 44 62 39.5 71 42C84 46 82 62 68 73L71 75.5"
        }
        "knight" => {
            "M24 86V81Q24 76.5 29 75.5C30 65 38 60 45 54C47.5 52 48.5 49.5 48 47.5C44 50.5 40 51 37 54.5L32 59.5Q29 62 26 59.5L21.5 55.5Q19 53 20.5 50L29.5 35C30.5 32 32 30 35 27.5L35.5 18.5Q36 15.5 38.5 17.5L46 23C64 24.5 75 40 73 62L70.5 75.5"
        }
        "x" => return outline("M-26 -26L26 26M26 -26L-26 26", 15),
        "o" | "ring" | "round-hollow" => {
            return format!(r#"<circle r="29" fill="none" stroke="{colour}" stroke-width="16"/>"#);
        }
        "square" => {
            return format!(r#"<rect x="-33" y="-33" width="66" height="66" rx="7" fill="{colour}"/>"#);
        }
        "square-hollow" => {
            return format!(
                r#"<rect x="-26" y="-26" width="52" height="52" rx="5" fill="none" stroke="{colour}" stroke-width="15"/>"#
            );
        }
        _ => return format!(r#"<circle r="38" fill="{colour}"/>"#),
    };
    // A chess piece of the second side is hollow, as everywhere.
    let fill = if side == Side::First { colour } else { DARK };
    format!(
        r#"<path transform="translate(-50 -51)" d="{figure}{FOOT}" fill="{fill}" stroke="{colour}" stroke-width="5" stroke-linejoin="round"/>"#
    )
}

#[cfg(test)]
mod tests {
    use rules::{GAMES, Spec};

    use super::*;

    fn games() -> impl Iterator<Item = AnyGame> {
        GAMES.iter().map(|info| {
            let mut game = AnyGame::from(info.standard.parse::<Spec>().unwrap());
            for _ in 0..5 {
                let Some(first) = game.legal_moves().first().cloned() else { break };
                game.play(&first).unwrap();
            }
            game
        })
    }

    #[test]
    fn every_game_has_a_card_of_the_size_that_sites_expect() {
        for game in games() {
            let card = card(&game).unwrap();
            assert!(card.starts_with(b"\x89PNG"), "{}", game.spec());
            assert_eq!(card[16..24], [1200_u32.to_be_bytes(), 630_u32.to_be_bytes()].concat());
        }
    }

    #[test]
    fn a_picture_shows_the_pieces_and_the_last_move() {
        let mut game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
        let empty = svg(&game);
        game.play_all("4 4 3").unwrap();
        let played = svg(&game);
        assert_eq!(played.matches(colour(Side::First)).count(), 2);
        assert_eq!(played.matches(colour(Side::Second)).count(), 1);
        assert!(!empty.contains(THREAD) && played.contains(THREAD));
    }
}
