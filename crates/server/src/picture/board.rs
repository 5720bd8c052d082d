//! The content of a picture of a position: the board, its pieces, the last move or the winning line.

use rules::{AnyGame, Cell, CellStyle, Side, View};

/// The width of the frame around the cells, where a cell is 100 wide.
const FRAME: i32 = 30;

pub(super) const BACKGROUND: Colour = Colour(0x0d0c22);
const FACE: Colour = Colour(0x403aa6);
const HOLE: Colour = Colour(0x121033);
const LIGHT: Colour = Colour(0x2b2870);
const DARK: Colour = Colour(0x191745);
pub(super) const THREAD: Colour = Colour(0xffd166);
const CASING: Colour = Colour(0x1a1030);

/// Red, green and blue, a byte each.
#[derive(Clone, Copy)]
pub(super) struct Colour(pub(super) u32);

impl Colour {
    pub(super) const fn of(side: Side) -> Self {
        match side {
            Side::First => Self(0x3ff5ee),
            Side::Second => Self(0xfb2bff),
        }
    }
}

/// The shapes of a picture, each painted over those before it.
pub(super) struct Board {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) shapes: Vec<Shape>,
}

/// A shape at a place, filled, then stroked. Strokes have a width, and round ends and corners.
pub(super) struct Shape {
    pub(super) at: (i32, i32),
    pub(super) form: Form,
    pub(super) fill: Option<Colour>,
    pub(super) stroke: Option<(Colour, i32)>,
}

pub(super) enum Form {
    Rect {
        width: i32,
        height: i32,
        radius: i32,
    },
    Circle {
        radius: i32,
    },
    /// SVG path data: the commands M, L, H, V, Q, C and Z, each with its letter, numbers separated by spaces.
    Path(String),
}

impl Form {
    const fn square(side: i32, radius: i32) -> Self {
        Self::Rect { width: side, height: side, radius }
    }

    const fn filled(self, at: (i32, i32), fill: Colour) -> Shape {
        Shape { at, form: self, fill: Some(fill), stroke: None }
    }

    const fn stroked(self, at: (i32, i32), stroke: Colour, width: i32) -> Shape {
        Shape { at, form: self, fill: None, stroke: Some((stroke, width)) }
    }
}

impl Board {
    pub(super) fn of(game: &AnyGame) -> Self {
        let (view, info) = (game.view(), game.info());
        let (width, height) =
            (i32::from(view.cols) * 100 + 2 * FRAME, i32::from(view.rows) * 100 + 2 * FRAME);
        let mut shapes = vec![Form::Rect { width, height, radius: 34 }.filled((width / 2, height / 2), FACE)];
        for (index, piece) in view.cells.iter().enumerate() {
            let (col, row) = (index % usize::from(view.cols), index / usize::from(view.cols));
            let at = (centre(col), centre(row));
            shapes.push(match info.cells {
                CellStyle::RoundHoles => Form::Circle { radius: 42 }.filled(at, HOLE),
                CellStyle::SquareHoles => Form::square(84, 14).filled(at, HOLE),
                CellStyle::Chequered => {
                    Form::square(98, 8).filled(at, if (col + row).is_multiple_of(2) { LIGHT } else { DARK })
                }
                _ => Form::square(92, 12).filled(at, HOLE),
            });
            if let Some(piece) = piece {
                let of_kind = info.pieces.iter().find(|of| of.kind == piece.kind);
                let glyph = of_kind.map_or("disc", |of| of.glyphs[usize::from(piece.side == Side::Second)]);
                shapes.push(drawing(glyph, piece.side, at));
            }
        }
        shapes.extend(last_and_line(&view));
        Self { width, height, shapes }
    }
}

fn centre(at: usize) -> i32 {
    FRAME + at as i32 * 100 + 50
}

/// The winning line, or else a ring around the cell where the last move ended.
fn last_and_line(view: &View) -> Vec<Shape> {
    let at = |cell: &Cell| (centre(cell.column.into()), centre((view.rows - 1 - cell.row).into()));
    if let Some([from, .., to]) = view.line.as_deref() {
        let (from, to) = (at(from), at(to));
        let line = || Form::Path(format!("M0 0L{} {}", to.0 - from.0, to.1 - from.1));
        return vec![line().stroked(from, CASING, 20), line().stroked(from, THREAD, 11)];
    }
    let ring = || Form::Circle { radius: 45 };
    view.last
        .last()
        .map(at)
        .map_or_else(Vec::new, |at| vec![ring().stroked(at, CASING, 9), ring().stroked(at, THREAD, 5)])
}

const FOOT: &str = "Q76 76.5 76 81V86Q76 88 74 88H26Q24 88 24 86Z";

/// A picture of a piece by its name; of an unknown one, a disc.
pub(super) fn drawing(glyph: &str, side: Side, at: (i32, i32)) -> Shape {
    let colour = Colour::of(side);
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
        "x" => return Form::Path("M-26 -26L26 26M26 -26L-26 26".into()).stroked(at, colour, 15),
        "o" | "ring" | "round-hollow" => return Form::Circle { radius: 29 }.stroked(at, colour, 16),
        "square" => return Form::square(66, 7).filled(at, colour),
        "square-hollow" => return Form::square(52, 5).stroked(at, colour, 15),
        _ => return Form::Circle { radius: 38 }.filled(at, colour),
    };
    Shape {
        at: (at.0 - 50, at.1 - 51),
        form: Form::Path(format!("{figure}{FOOT}")),
        // A chess piece of the second side is hollow, as everywhere.
        fill: Some(if side == Side::First { colour } else { DARK }),
        stroke: Some((colour, 5)),
    }
}
