//! Why a program plays a move. The reasons are facts; clients turn them into sentences.

use std::borrow::Cow;

use rules::Side;
use serde::{Deserialize, Deserializer, Serialize};

/// A chosen move with what led to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Thought {
    /// The move to play.
    #[serde(rename = "move")]
    pub text: String,
    /// All moves that a random choice might have picked, the chosen one included.
    #[serde(alias = "among")]
    pub candidates: Vec<String>,
    /// The value of the move for the player, on the player's own scale.
    #[cfg_attr(feature = "schema", schema(required))]
    pub score: Option<i64>,
    /// The expected line of play, beginning with the move.
    pub line: Vec<String>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The depth of the search in plies.
    #[cfg_attr(feature = "schema", schema(required))]
    pub depth: Option<u32>,
}

/// One reason for a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(not(target_arch = "wasm32"), derive(Deserialize))]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Reason {
    /// All candidates were equally good.
    Random,
    /// The choice index of each cell, in reading order.
    ChoiceIndex {
        /// Each cell with its index.
        cells: Vec<CellIndex>,
    },
    /// A deliberate mistake of a weaker level.
    Careless,
    /// Completes a line.
    Win,
    /// Prevents the opponent from completing a line.
    Block,
    /// The first move of the game may go anywhere.
    Opening,
    /// The centre was free.
    Centre,
    /// A corner was free.
    Corner,
    /// Only sides were free.
    Side,
    /// The new piece is part of an unbroken line of the player's pieces.
    Join {
        /// The length of the line, the new piece included.
        length: u32,
    },
    /// A fixed-depth search found this value for the player.
    Minimax {
        /// In plies.
        depth: u32,
        /// The value of the position after the move.
        value: i64,
    },
    /// Every move loses within the search, so a simpler rule decided.
    AllLose,
    /// The result is proven.
    Proven(Proven),
    /// The terms of the evaluation at the end of the expected line.
    Evaluation {
        /// Each term with its weight.
        terms: Vec<Term>,
    },
    /// What lies along the corridors (the whole rows, columns and diagonals) at the end of the expected line.
    Corridors {
        /// The side to move there, for which they are counted.
        #[cfg_attr(feature = "schema", schema(value_type = crate::SideSchema), ts(as = "crate::SideSchema"))]
        side: Side,
        /// The sum of the terms.
        value: i64,
        /// Each kind of piece and of sequence, with its weight.
        terms: Vec<Term>,
    },
    /// Three or more in a line on the board after the move.
    Line {
        /// The side that owns the pieces.
        #[cfg_attr(feature = "schema", schema(value_type = crate::SideSchema), ts(as = "crate::SideSchema"))]
        side: Side,
        /// The cells of the pieces.
        cells: Vec<String>,
    },
    /// A fact found by the exact solver.
    Solved(SolverFact),
    /// There was no time to prove the score; it lies within these bounds.
    Unproven {
        /// The lower bound.
        lower: i32,
        /// The upper bound.
        upper: i32,
    },
    /// The opponent would have won next on one of these cells, and no longer can.
    Answer {
        /// Where.
        cells: Vec<String>,
        /// The lines that the opponent would have completed there, the empty cells included; absent in thoughts of
        /// older versions.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Vec<String>>>"))]
        lines: Vec<Vec<String>>,
    },
    /// The opponent wins next, whatever is played.
    CannotAnswer {
        /// Where the opponent could win before this move.
        cells: Vec<String>,
        /// The lines that the opponent could complete there, the empty cells included; absent in thoughts of older
        /// versions.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Vec<String>>>"))]
        lines: Vec<Vec<String>>,
    },
    /// The player wins next on one of these cells unless it is prevented.
    Threat {
        /// Where.
        cells: Vec<String>,
    },
    /// The player wins next on one of these cells: no answer prevents them all.
    DoubleThreat {
        /// Where.
        cells: Vec<String>,
    },
    /// In this line the opponent never has more than one answer that does not lose at once.
    Forced {
        /// From this move on.
        moves: Vec<String>,
    },
    /// The best of all other moves, after a quick search.
    SecondBest {
        /// The move and its expected line.
        moves: Vec<String>,
        /// Its value for the player.
        score: i64,
        /// Its result, if that is proven.
        #[cfg_attr(feature = "schema", schema(required))]
        proven: Option<Proven>,
        /// Its expected result for the player, from −1 (loss) to 1 (win); absent in thoughts of older versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        chance: Option<f64>,
        /// By how much the terms of the evaluation are better after the expected line than after this one, the
        /// largest differences first; empty where either result is proven or either line ends the game.
        changes: Vec<TermChange>,
    },
    /// The opening book has this position.
    Book {
        /// The depth in plies to which the book was searched.
        depth: u32,
    },
    /// A reason that was read: only the page looks into it, and browsers would download much code to check it.
    #[cfg(target_arch = "wasm32")]
    #[serde(untagged)]
    Read(serde_json::Map<String, serde_json::Value>),
}

#[cfg(target_arch = "wasm32")]
impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_json::Map::deserialize(deserializer).map(Self::Read)
    }
}

/// The choice index of a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct CellIndex {
    /// Which cell.
    pub cell: String,
    /// The higher, the better.
    pub index: i32,
}

/// A result that can be forced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProvenResult {
    /// The player wins.
    Win,
    /// Neither side can do better.
    Draw,
    /// The opponent wins.
    Loss,
}

/// A result that can be forced, and how long that takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Proven {
    /// For the player, or for the side to move in an analysis.
    pub result: ProvenResult,
    /// The number of moves to the end, the next one included.
    pub plies: u32,
}

/// A term of an evaluation: `count × weight` points for the player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Term {
    /// What was counted.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: Cow<'static, str>,
    /// How many.
    pub count: i64,
    /// Points for each.
    pub weight: i64,
}

/// A difference in a term of an evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct TermChange {
    /// Which term.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub term: Cow<'static, str>,
    /// How many points more for the player.
    pub points: i64,
}

/// A fact about a position of Connect Four and the line of best play from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(tag = "fact", rename_all = "kebab-case")]
pub enum SolverFact {
    /// The first move of the line completes four.
    CompletesFour {
        /// Where.
        cell: String,
    },
    /// The opponent would complete four next, and the first move of the line prevents it.
    Blocks {
        /// Where.
        cell: String,
    },
    /// The opponent completes four next: there is more than one way, or one above the only defence.
    CannotBlock {
        /// Where the opponent can.
        cells: Vec<String>,
    },
    /// After the first move of the line there are two cells or more to complete four next.
    MakesTwoThreats {
        /// Where.
        cells: Vec<String>,
    },
    /// The moves of the line, from its start, that were the only ones not to lose at once.
    ForcedPlies {
        /// How many.
        plies: u16,
    },
    /// A threat on the board that cannot be carried out yet.
    Standing(SolverThreat),
    /// Every line of four holds a stone of the opponent, so this side can no longer win.
    CannotWin {
        /// Which side.
        #[cfg_attr(feature = "schema", schema(value_type = crate::SideSchema), ts(as = "crate::SideSchema"))]
        side: Side,
    },
    /// How the line ends.
    Decides {
        /// The four that is completed, and where the last stone falls.
        threat: SolverThreat,
        /// Why the opponent could not prevent it.
        by: SolverDecision,
        /// Whether this threat is already on the board.
        standing: bool,
    },
}

/// An empty cell where a side would complete four.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct SolverThreat {
    /// The side that would complete four.
    #[cfg_attr(feature = "schema", schema(value_type = crate::SideSchema), ts(as = "crate::SideSchema"))]
    pub side: Side,
    /// Where.
    pub cell: String,
    /// The parity of its row.
    pub parity: Parity,
    /// Whether a stone would come to rest there now.
    pub playable: bool,
}

/// Whether a row is odd or even, counted from one at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Parity {
    /// Rows 1, 3, 5…
    Odd,
    /// Rows 2, 4, 6…
    Even,
}

/// How the winner of a line came to its four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SolverDecision {
    /// The cell was free to be played at once.
    Immediate,
    /// There were two cells to complete four, and the opponent could fill only one.
    TwoThreats,
    /// The opponent had to fill one cell, and above it was the next.
    AboveTheReply,
    /// Nothing threatened, but every move left to the opponent was below a threat.
    Zugzwang,
}

/// Reads a stored thought and drops one that this version cannot read: an explanation must not make a game unreadable.
pub(crate) fn if_readable<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Box<Thought>>, D::Error> {
    let stored = Option::<serde_json::Value>::deserialize(deserializer)?;
    Ok(stored.and_then(|thought| serde_json::from_value(thought).ok()))
}
