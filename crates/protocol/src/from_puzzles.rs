//! Puzzles in their wire form.

use rules::AnyGame;
use study::puzzles::{self, Attempt, Goal, Why};

use crate::{
    Puzzle, PuzzleAttempt, PuzzleGoal, PuzzleHelp, PuzzleRecord, PuzzleResult, PuzzleStep, Refutation,
    WhyWrong,
};

impl Puzzle {
    /// A puzzle under this id.
    #[must_use]
    pub fn new(id: String, puzzle: &puzzles::Puzzle) -> Self {
        Self {
            id,
            game: puzzle.spec.to_string(),
            moves: puzzle.moves.join(" "),
            goal: puzzle.goal.into(),
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
    /// The answer to an attempt, after which the game is `wrong` if its last move is wrong; without a refutation.
    #[must_use]
    pub fn of(attempt: &Attempt, wrong: Option<&AnyGame>, asked: &PuzzleAttempt) -> Self {
        let result = match wrong {
            Some(_) => PuzzleResult::Wrong,
            None if attempt.is_solved() => PuzzleResult::Solved,
            None => PuzzleResult::Right,
        };
        let mut course = attempt.course().to_vec();
        course.extend(wrong.and_then(|after| after.moves().pop()));
        let help = if asked.help { attempt.help().map(PuzzleHelp::from) } else { None };
        Self { result, course, refutation: None, help, rating: None }
    }
}

impl PuzzleRecord {
    /// A puzzle with its number in its file.
    #[must_use]
    pub fn new(number: usize, puzzle: &puzzles::Puzzle) -> Self {
        let game = puzzle.game();
        Self {
            game: puzzle.spec.to_string(),
            number: number as u32,
            position: game.position(),
            side: game.turn(),
            moves: puzzle.moves.clone(),
            solution: puzzle.solution.clone(),
            goal: puzzle.goal.into(),
            depth: puzzle.depth,
            themes: puzzle.themes.iter().map(ToString::to_string).collect(),
            rating: puzzle.rating,
        }
    }
}

impl From<Goal> for PuzzleGoal {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::Win => Self::Win,
            Goal::Hold => Self::Hold,
        }
    }
}

impl From<puzzles::Refutation> for Refutation {
    fn from(refutation: puzzles::Refutation) -> Self {
        let (why, moves) = match refutation.why {
            Why::Ends => (WhyWrong::Ends, None),
            Why::Loses(moves) => (WhyWrong::Loses, Some(moves)),
            Why::Draws => (WhyWrong::Draws, None),
            Why::Later(moves) => (WhyWrong::Later, Some(moves)),
            Why::Unclear(moves) => (WhyWrong::Unclear, Some(moves)),
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
