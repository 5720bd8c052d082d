//! The answer of a player: the move, how it was found, and typed reasons that user interfaces turn into
//! sentences.

use rules::{Cell, Side};

/// A chosen move and how it was found.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Thought<M> {
    /// The move to play.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub chosen: M,
    /// All moves that could have been chosen at random, including the chosen one.
    pub candidates: Vec<M>,
    /// The value of the chosen move for the player, on the player's own scale.
    pub score: Option<i64>,
    /// The expected course of the game, beginning with the chosen move.
    pub line: Vec<M>,
    /// Why it was chosen.
    pub reasons: Vec<Reason>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The search depth in plies.
    pub depth: Option<u32>,
}

impl<M: Copy> Thought<M> {
    /// A choice without search: the move, the equally good moves, and the reasons. The other fields can be
    /// set afterwards.
    #[must_use]
    pub fn new(chosen: M, candidates: Vec<M>, reasons: Vec<Reason>) -> Self {
        Self { chosen, candidates, score: None, line: vec![chosen], reasons, nodes: 0, depth: None }
    }

    /// A random choice among equally good moves.
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

/// A reason for a move.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(tag = "reason", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// Chosen at random among all legal moves.
    Random,
    /// The choice index of each cell, in reading order.
    ChoiceIndex {
        /// Each cell with its index.
        cells: Vec<CellIndex>,
    },
    /// Deliberately chosen at random instead of the best move.
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
    /// The value that a minimax search found for the player.
    Minimax {
        /// The search depth in plies.
        depth: u32,
        /// The value of the game after this move.
        value: i64,
    },
    /// Every move loses within the search depth, so a simpler rule decided.
    AllLose,
    /// The result is proved.
    Proven(Proven),
    /// The terms of the evaluation of the position that the search expects.
    Evaluation {
        /// Each term with its weight.
        terms: Vec<Term>,
    },
    /// What lies along the corridors (the whole rows, columns and diagonals) at the end of the expected line, for
    /// the side to move there.
    Corridors {
        /// The side to move there.
        side: Side,
        /// The value of the corridors for that side: the sum of the terms.
        value: i64,
        /// Each kind of piece and of sequence, with its weight.
        terms: Vec<Term>,
    },
    /// Three or more in a line on the board after the move.
    Line {
        /// Whose pieces.
        side: Side,
        /// The pieces.
        cells: Vec<Cell>,
    },
    /// A fact from the exact solver about the position and the line of best play.
    Solved(solver::Reason),
    /// The time ran out before the score was proved; it lies within these bounds.
    Unproven {
        /// At least this.
        lower: i32,
        /// At most this.
        upper: i32,
    },
    /// Prevents an immediate win of the opponent on these cells.
    Answer {
        /// Where.
        cells: Vec<Cell>,
        /// The lines that the opponent would have completed there, the empty cells included.
        lines: Vec<Vec<Cell>>,
    },
    /// No move prevents an immediate win of the opponent.
    CannotAnswer {
        /// Where the opponent could win before this move.
        cells: Vec<Cell>,
        /// The lines that the opponent could complete there, the empty cells included.
        lines: Vec<Vec<Cell>>,
    },
    /// Threatens to win on these cells with the next move.
    Threat {
        /// Where.
        cells: Vec<Cell>,
    },
    /// Threatens to win on these cells with the next move, and no reply prevents it.
    DoubleThreat {
        /// Where.
        cells: Vec<Cell>,
    },
    /// In this line the opponent never has more than one reply that does not lose at once.
    Forced {
        /// The line, beginning with the chosen move.
        moves: Vec<String>,
    },
    /// The best of the other moves, found by a short search.
    SecondBest {
        /// The move and its expected line.
        moves: Vec<String>,
        /// Its score for the player.
        score: i64,
        /// Its result, if that is proved.
        proven: Option<Proven>,
        /// Its expected result for the player, from −1 (loss) to 1 (win).
        chance: f64,
        /// The differences between the evaluation terms at the end of the best line and of this line, the
        /// largest first; empty if either result is proved or either line ends the game.
        changes: Vec<Change>,
    },
    /// The move is from the opening book.
    Book {
        /// The search depth of the book in plies.
        depth: u32,
    },
}

/// The choice index of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CellIndex {
    /// The cell.
    pub cell: Cell,
    /// Cells with a higher index are preferred.
    pub index: i32,
}

/// A result that can be forced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Proof {
    /// The player wins.
    Win,
    /// Neither side can force a win.
    Draw,
    /// The opponent wins.
    Loss,
}

/// A forced result and its distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Proven {
    /// The result for the player.
    pub result: Proof,
    /// The number of moves to the end, the next one included.
    pub plies: u32,
}

impl Proven {
    /// "In N": how many moves of the winner itself it takes, at least one.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Change {
    /// The name of the term.
    pub term: &'static str,
    /// The difference in points for the player.
    pub points: i64,
}

/// A term of an evaluation: `count × weight` points for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Term {
    /// The name of the term.
    pub name: &'static str,
    /// The count.
    pub count: i64,
    /// Points per count.
    pub weight: i64,
}

impl Term {
    /// The contribution of the term to the evaluation.
    #[must_use]
    pub const fn points(&self) -> i64 {
        self.count * self.weight
    }
}
