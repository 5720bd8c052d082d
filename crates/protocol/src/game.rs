//! The games that can be played, described so that a client can list, name and draw a game it has never heard of.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::PieceKind;

type Text = Cow<'static, str>;

/// A game and its players: an entry of `GET /api/games`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct GameEntry {
    /// What a client needs to draw and name it.
    #[serde(flatten)]
    pub info: GameInfo,
    /// The programs that play it at its standard size: `level:1`, `random`, `engine` …
    pub players: Vec<String>,
    /// The levels among them, from the weakest.
    pub levels: Vec<LevelInfo>,
}

/// A level of a game, as people know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct LevelInfo {
    /// Its number: it plays as `level:3`.
    pub level: u32,
    /// Its name in English; in lower case the last part of the message key.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: Text,
    /// What to expect of it, in English: `casual`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub character: Text,
    /// Its rating, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<i64>,
}

/// The description of a game, the same for all its sizes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct GameInfo {
    /// The name of the game in addresses and messages: `connect-four`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub id: Text,
    /// The name of the game in English.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub title: Text,
    /// The full name at its standard size: `connect-four:6x7x4`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub standard: Text,
    /// Full names that a menu offers, the standard one first; empty if the game has one form only.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub suggested: Vec<Text>,
    /// The limits of the board.
    pub size: SizeInfo,
    /// Whether placed pieces fall to the lowest empty cell of their column.
    pub falls: bool,
    /// How cells are named around the board.
    pub coordinates: Coordinates,
    /// How cells are drawn.
    pub cells: CellStyle,
    /// The kinds of pieces.
    pub pieces: Vec<PieceInfo>,
    /// The sides: first, second.
    pub sides: [SideInfo; 2],
    /// The phases of a game, in order; all but the last end when both hands are empty.
    pub phases: Vec<PhaseInfo>,
    /// Moves as text, one for each form.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub examples: Vec<Text>,
    /// Whether a move can complete a line for the opponent, so that a client may want to warn.
    pub mover_may_lose: bool,
}

/// The limits of a game's board and run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
}

/// A number that can be chosen, or that is fixed where least and most are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Bounds {
    /// The smallest.
    pub least: u8,
    /// The largest.
    pub most: u8,
    /// The standard one.
    pub usual: u8,
}

/// How the cells of a board are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Coordinates {
    /// Columns by letters, rows by numbers from the bottom: moves name cells.
    Cells,
    /// Columns by numbers: moves name columns.
    Columns,
}

/// How the cells of a board are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CellStyle {
    /// Plain squares.
    Plain,
    /// Squares of alternating shade.
    Chequered,
    /// Lines; a cell is where two of them cross.
    Crossings,
    /// A round hole in each cell.
    RoundHoles,
    /// A hole with rounded corners in each cell.
    SquareHoles,
}

/// A kind of piece. What differs by side is given for first and second.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct PieceInfo {
    /// Its id in views.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub kind: PieceKind,
    /// Its short name in English.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: Text,
    /// The names of the pictures to draw.
    #[cfg_attr(feature = "schema", schema(value_type = [String; 2]))]
    pub glyphs: [Text; 2],
    /// The symbols on a text screen.
    #[cfg_attr(feature = "schema", schema(value_type = [String; 2]))]
    pub symbols: [Text; 2],
    /// The letters in written positions and moves.
    #[cfg_attr(feature = "schema", schema(value_type = [String; 2]))]
    pub letters: [char; 2],
    /// How many each side has at the standard size; null if the supply is unlimited.
    #[cfg_attr(feature = "schema", schema(required))]
    pub count: Option<u16>,
}

/// A side of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct SideInfo {
    /// The last part of the message key of its name, such as `outline`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub key: Text,
    /// Its name on a text screen.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: Text,
    /// The kind of piece that stands for the side.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub emblem: PieceKind,
}

/// A phase of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct PhaseInfo {
    /// The last part of its message keys, such as `drop`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub id: Text,
    /// What a move of the phase names, in English.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub asks: Text,
}

fn texts(texts: &[&'static str]) -> Vec<Text> {
    texts.iter().map(|&text| text.into()).collect()
}

impl From<&rules::GameInfo> for GameInfo {
    fn from(info: &rules::GameInfo) -> Self {
        Self {
            id: info.id.into(),
            title: info.title.into(),
            standard: info.standard.into(),
            suggested: texts(info.suggested),
            size: info.size.into(),
            falls: info.falls,
            coordinates: info.coordinates.into(),
            cells: info.cells.into(),
            pieces: info.pieces.iter().map(PieceInfo::from).collect(),
            sides: info.sides.each_ref().map(SideInfo::from),
            phases: info.phases.iter().map(PhaseInfo::from).collect(),
            examples: texts(info.examples),
            mover_may_lose: info.mover_may_lose,
        }
    }
}

impl From<rules::SizeInfo> for SizeInfo {
    fn from(size: rules::SizeInfo) -> Self {
        let [rows, cols, run] = [size.rows, size.cols, size.run].map(Bounds::from);
        Self { rows, cols, run, run_fits: size.run_fits }
    }
}

impl From<rules::Bounds> for Bounds {
    fn from(rules::Bounds { least, most, usual }: rules::Bounds) -> Self {
        Self { least, most, usual }
    }
}

impl From<rules::Coordinates> for Coordinates {
    fn from(coordinates: rules::Coordinates) -> Self {
        match coordinates {
            rules::Coordinates::Columns => Self::Columns,
            // Moves of any other game name cells.
            _ => Self::Cells,
        }
    }
}

impl From<rules::CellStyle> for CellStyle {
    fn from(style: rules::CellStyle) -> Self {
        match style {
            rules::CellStyle::Chequered => Self::Chequered,
            rules::CellStyle::Crossings => Self::Crossings,
            rules::CellStyle::RoundHoles => Self::RoundHoles,
            rules::CellStyle::SquareHoles => Self::SquareHoles,
            _ => Self::Plain,
        }
    }
}

impl From<&rules::PieceInfo> for PieceInfo {
    fn from(piece: &rules::PieceInfo) -> Self {
        Self {
            kind: piece.kind.id().into(),
            name: piece.name.into(),
            glyphs: piece.glyphs.map(Text::from),
            symbols: piece.symbols.map(Text::from),
            letters: piece.letters,
            count: piece.count,
        }
    }
}

impl From<&rules::SideInfo> for SideInfo {
    fn from(side: &rules::SideInfo) -> Self {
        Self { key: side.key.into(), name: side.name.into(), emblem: side.emblem.id().into() }
    }
}

impl From<&rules::PhaseInfo> for PhaseInfo {
    fn from(phase: &rules::PhaseInfo) -> Self {
        Self { id: phase.id.into(), asks: phase.asks.into() }
    }
}
