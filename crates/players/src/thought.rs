//! What a player answers: the move, what led to it, and typed reasons that screens turn into sentences.

use rules::{Cell, Side};

/// A chosen move with all that led to it.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Thought<M> {
    /// What to play.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub chosen: M,
    /// All moves that chance might have picked instead, with the chosen one.
    pub candidates: Vec<M>,
    /// The value of the chosen move for the player, on the player's own scale.
    pub score: Option<i64>,
    /// The expected course of the game, beginning with the chosen move.
    pub line: Vec<M>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How many moves ahead.
    pub depth: Option<u32>,
}

impl<M: Copy> Thought<M> {
    /// A choice without search: the move, the moves that were as good, and why. The other fields can be set
    /// afterwards.
    #[must_use]
    pub fn new(chosen: M, candidates: Vec<M>, reasons: Vec<Reason>) -> Self {
        Self { chosen, candidates, score: None, line: vec![chosen], reasons, nodes: 0, depth: None }
    }

    /// A choice by chance candidates equally good moves.
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

/// One reason for a move. Screens turn it into a sentence.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(tag = "reason", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// Any move was as good.
    Random,
    /// The choice index of each cell, in reading order.
    ChoiceIndex {
        /// Each cell with its index.
        cells: Vec<CellIndex>,
    },
    /// Chance decided, not what it thought best.
    Careless,
    /// Completes a line.
    Win,
    /// Takes the cell that would complete a line for the opponent, or otherwise prevents that.
    Block,
    /// The first move of the game may go anywhere.
    Opening,
    /// The centre was free.
    Centre,
    /// A corner was free.
    Corner,
    /// Only sides were free.
    Side,
    /// The new piece is part of an unbroken line of own pieces.
    Join {
        /// With the new piece.
        length: u32,
    },
    /// Searching showed this value for the player.
    Minimax {
        /// How many moves ahead.
        depth: u32,
        /// The value of the game after this move.
        value: i64,
    },
    /// Every move loses as far as the search sees, so a simpler rule decided.
    AllLose,
    /// The result is proved.
    Proven(Proven),
    /// The terms of the evaluation of the position that the search expects.
    Evaluation {
        /// Each term with its weight.
        terms: Vec<Term>,
    },
    /// Three or more in a line on the board after the move.
    Line {
        /// Whose pieces.
        side: Side,
        /// The pieces.
        cells: Vec<Cell>,
    },
    /// What the exact solver tells about the position and the line of best play.
    Solved(solver::Reason),
    /// There was no time to prove the score; it lies within these bounds.
    Unproven {
        /// At least this.
        lower: i32,
        /// At most this.
        upper: i32,
    },
    /// The opponent would have won next on one of these cells, and no longer can.
    Answer {
        /// Where.
        cells: Vec<Cell>,
    },
    /// The opponent will win next, here or elsewhere, whatever is played.
    CannotAnswer {
        /// Where it could before this move.
        cells: Vec<Cell>,
    },
    /// The player will win next on one of these cells if it is not prevented.
    Threat {
        /// Where.
        cells: Vec<Cell>,
    },
    /// The player will win next on one of these cells: no answer prevents them all.
    DoubleThreat {
        /// Where.
        cells: Vec<Cell>,
    },
    /// In this line the opponent never has more than one answer that does not lose at once.
    Forced {
        /// From this move on.
        moves: Vec<String>,
    },
    /// What would have been the best of all other moves, after a quick look.
    SecondBest {
        /// It, and what would have been expected to follow.
        moves: Vec<String>,
        /// What it is worth for the player.
        score: i64,
        /// Its result, if that is proved.
        proven: Option<Proven>,
        /// By how much the terms of the evaluation are better after the expected course of the game than
        /// after this line, the largest differences first; none where either ends the game.
        changes: Vec<Change>,
    },
    /// The opening book had this position.
    Book {
        /// How many moves ahead the book was searched.
        depth: u32,
    },
}

/// The choice index of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CellIndex {
    /// Which cell.
    pub cell: Cell,
    /// The higher, the more it is wanted.
    pub index: i32,
}

/// What can be forced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Proof {
    /// The player wins.
    Win,
    /// Nobody can do better than that.
    Draw,
    /// The opponent wins.
    Loss,
}

/// A result that can be forced, and how long that takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Proven {
    /// For the player.
    pub result: Proof,
    /// The number of moves to the end, the next one included.
    pub plies: u32,
}

/// A difference in a term of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Change {
    /// Which term.
    pub term: &'static str,
    /// How many points more for the player.
    pub points: i64,
}

/// A term of an evaluation: `count × weight` points for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Term {
    /// What was counted.
    pub name: &'static str,
    /// How much of it there is.
    pub count: i64,
    /// Points for each.
    pub weight: i64,
}

impl Term {
    /// What the term adds to the evaluation.
    #[must_use]
    pub const fn points(&self) -> i64 {
        self.count * self.weight
    }
}
