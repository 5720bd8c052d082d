//! The answer of a player: the move, how it was found, and typed reasons that user interfaces turn into
//! sentences.

use std::borrow::Cow;

use rules::{AnyGame, Cell, Side};

/// A chosen move and what led to it. Programs that only pass a thought on can keep its reasons in another
/// form `R`.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(concrete(M = String, R = Reason)))]
pub struct Thought<M = String, R = Reason> {
    /// The move to play.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub chosen: M,
    /// All moves that a random choice might have picked, the chosen one included.
    #[cfg_attr(feature = "serde", serde(alias = "among"))]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub candidates: Vec<M>,
    /// The value of the move for the player, on the player's own scale.
    #[cfg_attr(feature = "schema", schema(required))]
    pub score: Option<i64>,
    /// The expected line of play, beginning with the move.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub line: Vec<M>,
    /// The reasons for the move.
    pub reasons: Vec<R>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The depth of the search in plies.
    #[cfg_attr(feature = "schema", schema(required))]
    pub depth: Option<u32>,
}

impl<M: Copy> Thought<M> {
    /// A choice without search: the move, the equally good moves, and the reasons. The other fields can be
    /// set afterwards.
    #[must_use]
    pub fn new(chosen: M, candidates: Vec<M>, reasons: Vec<Reason>) -> Self {
        Self { chosen, candidates, score: None, line: vec![chosen], reasons, nodes: 0, depth: None }
    }

    /// Chooses at random among equally good moves.
    pub(crate) fn at_random(candidates: Vec<M>, rng: &mut fastrand::Rng, reasons: Vec<Reason>) -> Self {
        let chosen = candidates[rng.usize(..candidates.len())];
        Self::new(chosen, candidates, reasons)
    }
}

impl<M: ToString> Thought<M> {
    /// The same with moves as text.
    #[must_use]
    pub fn to_text(&self) -> Thought<String> {
        let texts = |moves: &[M]| moves.iter().map(ToString::to_string).collect();
        Thought {
            chosen: self.chosen.to_string(),
            candidates: texts(&self.candidates),
            score: self.score,
            line: texts(&self.line),
            reasons: self.reasons.clone(),
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}

impl Thought {
    /// The same with the players of a game in which they may have exchanged their stones.
    pub(crate) fn seen_in(self, game: &AnyGame) -> Self {
        let reasons = self.reasons.into_iter().map(|reason| reason.seen_in(game)).collect();
        Self { reasons, ..self }
    }
}

impl Reason {
    /// The same with the players of a game in which they may have exchanged their stones.
    #[must_use]
    pub fn seen_in(self, game: &AnyGame) -> Self {
        match self {
            reason if !game.is_exchanged() => reason,
            Self::Line { side, cells } => Self::Line { side: side.other(), cells },
            Self::Corridors { side, value, terms } => Self::Corridors { side: side.other(), value, terms },
            Self::Solved(reason) => Self::Solved(reason.exchanged()),
            reason => reason,
        }
    }
}

/// One reason for a move.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "reason", rename_all = "kebab-case")
)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[non_exhaustive]
pub enum Reason {
    /// Chosen at random among all legal moves.
    Random,
    /// The choice index of each cell, in reading order.
    ChoiceIndex {
        /// Each cell with its index.
        cells: Vec<CellIndex>,
    },
    /// A deliberate mistake of a weaker level: chosen at random instead of the best move.
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
    /// What the corridors (the whole rows, columns and diagonals) contain at the end of the expected line.
    Corridors {
        /// The side to move there, for which they are counted.
        side: Side,
        /// The sum of the terms.
        value: i64,
        /// Each kind of piece and of sequence, with its weight.
        terms: Vec<Term>,
    },
    /// Three or more in a line on the board after the move.
    Line {
        /// The side that owns the pieces.
        side: Side,
        /// The cells of the pieces.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
        cells: Vec<Cell>,
    },
    /// A fact found by the exact solver.
    Solved(solver::Reason),
    /// There was no time to prove the score; it lies within these bounds.
    Unproven {
        /// The lower bound.
        lower: i32,
        /// The upper bound.
        upper: i32,
    },
    /// The opponent would have won next on one of these cells, and no longer can.
    Answer {
        /// The cells.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
        cells: Vec<Cell>,
        /// The lines that the opponent would have completed there, the empty cells included; absent in thoughts of
        /// older versions.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
        #[cfg_attr(feature = "schema", schema(value_type = Vec<Vec<String>>), ts(optional, as = "Option<Vec<Vec<String>>>"))]
        lines: Vec<Vec<Cell>>,
    },
    /// The opponent wins next, whatever is played.
    CannotAnswer {
        /// Where the opponent could win before this move.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
        cells: Vec<Cell>,
        /// The lines that the opponent could complete there, the empty cells included; absent in thoughts of older
        /// versions.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
        #[cfg_attr(feature = "schema", schema(value_type = Vec<Vec<String>>), ts(optional, as = "Option<Vec<Vec<String>>>"))]
        lines: Vec<Vec<Cell>>,
    },
    /// The player wins next on one of these cells unless it is prevented.
    Threat {
        /// The cells.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
        cells: Vec<Cell>,
    },
    /// The player wins next on one of these cells: no answer prevents them all.
    DoubleThreat {
        /// The cells.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
        cells: Vec<Cell>,
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
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        #[cfg_attr(feature = "schema", ts(optional))]
        chance: Option<f64>,
        /// By how many points each term of the evaluation is better after the expected line than after this
        /// one, the largest differences first; empty if either result is proven or either line ends the game.
        changes: Vec<Change>,
    },
    /// The opening book has this position.
    Book {
        /// The depth in plies to which the book was searched.
        depth: u32,
    },
}

/// The choice index of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct CellIndex {
    /// The cell.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub cell: Cell,
    /// The higher, the better.
    pub index: i32,
}

/// A result that can be forced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "ProvenResult"), schema(as = ProvenResult))]
pub enum Proof {
    /// The player wins.
    Win,
    /// Neither side can do better.
    Draw,
    /// The opponent wins.
    Loss,
}

/// A result that can be forced, and how long that takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Proven {
    /// For the player, or for the side to move in an analysis.
    pub result: Proof,
    /// The number of moves to the end, the next one included.
    pub plies: u32,
}

impl Proven {
    /// The N of "wins in N": the number of the winner's own moves to the end, at least one.
    ///
    /// ```
    /// use alinea_players::{Proof::{Loss, Win}, Proven};
    ///
    /// let moves = |result, plies| Proven { result, plies }.winners_moves();
    /// assert_eq!([moves(Win, 1), moves(Win, 5), moves(Loss, 2), moves(Loss, 8)], [1, 3, 1, 4]);
    /// // Where a piece can complete a line for the opponent, the loser may end the game.
    /// assert_eq!([moves(Win, 4), moves(Loss, 3), moves(Loss, 1)], [2, 1, 1]);
    /// ```
    #[must_use]
    pub const fn winners_moves(self) -> u32 {
        match self.result {
            Proof::Loss if self.plies > 1 => self.plies / 2,
            _ => self.plies.div_ceil(2),
        }
    }
}

/// A difference in a term of an evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "TermChange"), schema(as = TermChange))]
pub struct Change {
    /// The name of the term.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub term: Cow<'static, str>,
    /// How many points more for the player.
    pub points: i64,
}

/// A term of an evaluation: `count × weight` points for the player.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Term {
    /// The name of the term.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: Cow<'static, str>,
    /// How often the term occurs.
    pub count: i64,
    /// Points for each.
    pub weight: i64,
}

impl Term {
    /// The contribution of the term to the evaluation.
    #[must_use]
    pub const fn points(&self) -> i64 {
        self.count * self.weight
    }
}
