//! Puzzles in their wire form.

use study::puzzles::{self, Attempt, Goal, Why};

use crate::{Puzzle, PuzzleGoal, PuzzleHelp, PuzzleResult, PuzzleStep, Refutation, WhyWrong};

impl Puzzle {
    /// A puzzle under this id.
    #[must_use]
    pub fn new(id: String, puzzle: &puzzles::Puzzle) -> Self {
        Self {
            id,
            game: puzzle.spec.to_string(),
            moves: puzzle.moves.join(" "),
            goal: match puzzle.goal {
                Goal::Win => PuzzleGoal::Win,
                Goal::Hold => PuzzleGoal::Hold,
            },
            depth: puzzle.depth,
            exact: puzzle.is_exact(),
            steps: puzzle.steps().count() as u32,
            themes: puzzle.themes.iter().map(ToString::to_string).collect(),
            rating: puzzle.rating,
            view: puzzle.game().view().into(),
        }
    }
}

impl PuzzleStep {
    /// The answer to an attempt without a wrong move.
    #[must_use]
    pub fn right(attempt: &Attempt) -> Self {
        let result = if attempt.is_solved() { PuzzleResult::Solved } else { PuzzleResult::Right };
        let course = attempt.course().to_vec();
        Self { result, course, refutation: None, help: None, rating: None }
    }

    /// The answer to an attempt whose last move is wrong.
    #[must_use]
    pub fn wrong(attempt: &Attempt, m: String, refutation: Option<puzzles::Refutation>) -> Self {
        let course = attempt.course().iter().cloned().chain([m]).collect();
        let refutation = refutation.map(Refutation::from);
        Self { result: PuzzleResult::Wrong, course, refutation, help: None, rating: None }
    }
}

impl From<puzzles::Refutation> for Refutation {
    fn from(refutation: puzzles::Refutation) -> Self {
        let (why, moves) = match refutation.why {
            Why::Ends => (WhyWrong::Ends, None),
            Why::Loses(moves) => (WhyWrong::Loses, Some(moves)),
            Why::Draws => (WhyWrong::Draws, None),
            Why::Later(moves) => (WhyWrong::Later, Some(moves)),
            Why::Unclear => (WhyWrong::Unclear, None),
        };
        Self { why, moves, line: refutation.line }
    }
}

impl From<puzzles::Help<'_>> for PuzzleHelp {
    fn from(help: puzzles::Help) -> Self {
        Self {
            theme: help.theme.to_string(),
            from: help.from.map(|cell| cell.to_string()),
            to: help.to.to_string(),
            solution: help.solution.to_vec(),
        }
    }
}
