//! What a screen needs to list, name and draw a game that it has never heard of.
//!
//! Each game describes itself by one [`GameInfo`]; terminal, server and page read it instead of matching
//! on games.

use crate::{Kind, Piece, Side, Size, SizeError};

/// The description of a game, the same for all its sizes.
#[derive(PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[non_exhaustive]
pub struct GameInfo {
    /// The id of the game in specs, addresses and messages, and the last part of its message keys:
    /// `connect-four`.
    pub id: &'static str,
    /// The name of the game in English: `Connect Four`.
    pub title: &'static str,
    /// How a spec is written: `connect-four[:ROWSxCOLS[xRUN]]`.
    pub form: &'static str,
    /// The spec that the id alone stands for: `connect-four:6x7x4`.
    pub standard: &'static str,
    /// The spec in which games are rated: the standard one, with a fair opening where the first player wins otherwise.
    pub rated: &'static str,
    /// Specs that a menu offers, the standard one first; empty if the game has one form only.
    pub suggested: &'static [&'static str],
    /// The ids of its rule sets, as specs and message keys name them, the one first that a spec may leave out; empty if
    /// there is one only.
    pub rule_sets: &'static [&'static str],
    /// The ids of its openings, as specs and message keys name them, the free one first; empty if it has no other.
    pub openings: &'static [&'static str],
    /// The limits of the board.
    pub size: SizeInfo,
    /// Whether placed pieces fall to the lowest empty cell of their column, so that a whole column is one
    /// target.
    pub falls: bool,
    /// How cells are named around the board.
    pub coordinates: Coordinates,
    /// How cells are drawn.
    pub cells: CellStyle,
    /// The kinds of pieces, in the order in which they are listed.
    pub pieces: &'static [PieceInfo],
    /// The sides, in the order of moving.
    pub sides: [SideInfo; 2],
    /// The phases of a game, in order; all but the last end when both hands are empty.
    pub phases: &'static [PhaseInfo],
    /// Moves as they are written, one for each form.
    pub examples: &'static [&'static str],
    /// Whether a move can complete a line for the opponent, so that a screen may want to warn.
    pub mover_may_lose: bool,
    /// Specs at the limits of the game and of its board types; tests run on these, too.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub odd: &'static [&'static str],
}

/// The limits of a game's board and run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct SizeInfo {
    /// The number of rows.
    pub rows: Bounds,
    /// The number of columns.
    pub cols: Bounds,
    /// How many in a line win.
    pub run: Bounds,
    /// Whether the run must fit the longer side of the board.
    pub run_fits: bool,
    /// Whether a spec may leave the run out; the default run then applies.
    pub run_optional: bool,
}

/// A number that may be chosen; fixed if least and most are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Bounds {
    /// The smallest possible.
    pub least: u8,
    /// The largest possible.
    pub most: u8,
    /// The value of the standard form.
    pub usual: u8,
}

/// How the cells of a board are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[non_exhaustive]
pub enum Coordinates {
    /// Columns by letters from the left and rows by numbers from the bottom: moves name cells.
    Cells,
    /// Columns by numbers from the left, rows not at all: moves name columns.
    Columns,
}

/// How the cells of a board are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[non_exhaustive]
pub enum CellStyle {
    /// Plain squares.
    Plain,
    /// Squares of alternating shade.
    Chequered,
    /// Lines; a cell is where two of them cross.
    Crossings,
    /// A board with a round hole in each cell.
    RoundHoles,
    /// A board with a hole of rounded corners in each cell.
    SquareHoles,
}

/// A kind of piece of a game. What differs by side is given for the first and the second.
#[derive(PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[non_exhaustive]
pub struct PieceInfo {
    /// Its id in views.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub kind: Kind,
    /// Its short English name, as in "2 round, 3 square".
    pub name: &'static str,
    /// The names of the pictures that a page draws.
    pub glyphs: [&'static str; 2],
    /// What a text screen draws.
    pub symbols: [&'static str; 2],
    /// Its letters in written positions.
    pub letters: [char; 2],
    /// How many each side has at the standard size; none if the supply is unlimited.
    #[cfg_attr(feature = "schema", schema(required))]
    pub count: Option<u16>,
}

/// A side of a game, as people know it.
#[derive(PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[non_exhaustive]
pub struct SideInfo {
    /// The last part of the message key of its name on a page that draws pieces in its own colours:
    /// `outline` for `side.outline`.
    pub key: &'static str,
    /// What a text screen calls it.
    pub name: &'static str,
    /// The kind of piece that stands for the side, next to its name.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub emblem: Kind,
}

/// A phase of a game.
#[derive(PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[non_exhaustive]
pub struct PhaseInfo {
    /// The last part of its message keys: `place`, `drop` or `move`.
    pub id: &'static str,
    /// What a move of the phase consists of, in English: "piece and column".
    pub asks: &'static str,
}

impl GameInfo {
    /// What is known of a kind of piece; none if the game has no such piece.
    #[must_use]
    pub fn piece(&self, kind: Kind) -> Option<&PieceInfo> {
        self.pieces.iter().find(|piece| piece.kind == kind)
    }

    /// The piece that a letter of a written position stands for.
    #[must_use]
    pub fn piece_of(&self, letter: char) -> Option<Piece> {
        self.pieces.iter().find_map(|piece| {
            let side = Side::BOTH.into_iter().find(|side| piece.letters[side.index()] == letter)?;
            Some(Piece { side, kind: piece.kind })
        })
    }

    /// What a text screen calls a side.
    #[must_use]
    pub fn side_name(&self, side: Side) -> &'static str {
        self.sides[side.index()].name
    }
}

impl SizeInfo {
    /// One size only.
    pub(crate) const fn fixed(rows: u8, cols: u8, run: u8) -> Self {
        Self {
            rows: Bounds::fixed(rows),
            cols: Bounds::fixed(cols),
            run: Bounds::fixed(run),
            run_fits: true,
            run_optional: true,
        }
    }

    /// Whether anything can be chosen.
    #[must_use]
    pub const fn has_choice(&self) -> bool {
        self.rows.has_choice() || self.cols.has_choice() || self.run.has_choice()
    }

    /// A size within the limits.
    ///
    /// # Errors
    /// If a number is out of its limits, or the run too long for the board.
    pub fn size(&self, rows: u32, cols: u32, run: u32) -> Result<Size, SizeError> {
        let out = |number: u32, Bounds { least, most, .. }: Bounds| {
            (!(u32::from(least)..=u32::from(most)).contains(&number)).then_some((number, least, most))
        };
        if let Some((found, least, most)) = out(rows, self.rows) {
            return Err(SizeError::Rows { found, least, most });
        }
        if let Some((found, least, most)) = out(cols, self.cols) {
            return Err(SizeError::Columns { found, least, most });
        }
        if let Some((found, least, most)) = out(run, self.run) {
            return Err(SizeError::Run { found, least, most });
        }
        let size = Size::new(rows, cols, run)?;
        if self.run_fits && size.run() > size.rows().max(size.cols()) {
            return Err(SizeError::RunTooLong { run: size.run(), rows: size.rows(), cols: size.cols() });
        }
        Ok(size)
    }

    /// The usual size.
    #[must_use]
    pub fn usual(&self) -> Size {
        let [rows, cols, run] = [self.rows, self.cols, self.run].map(|bounds| u32::from(bounds.usual));
        self.size(rows, cols, run).expect("the usual size is within the limits")
    }
}

impl Bounds {
    /// One value only.
    pub(crate) const fn fixed(value: u8) -> Self {
        Self { least: value, most: value, usual: value }
    }

    /// Bounds from the least to the most, with the value of the standard form.
    pub(crate) const fn new(least: u8, most: u8, usual: u8) -> Self {
        Self { least, most, usual }
    }

    /// Whether more than one value is possible.
    #[must_use]
    pub const fn has_choice(&self) -> bool {
        self.least < self.most
    }
}
