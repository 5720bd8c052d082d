//! Puzzles, attempts at them, and the progress of an account.

use rules::{AnyGame, Side, View};
use serde::{Deserialize, Serialize};
use study::puzzles::{self, Attempt, Goal, Help, Refutation};

use crate::RatingChange;

/// A puzzle without its solution: `GET /api/puzzles/daily`, `/next` and `/{id}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Puzzle {
    /// The id of the puzzle, such as `connect-four-54`.
    pub id: String,
    /// The game, such as `connect-four`.
    pub game: String,
    /// The moves from the start of the game to the position, separated by spaces.
    pub moves: String,
    /// The goal.
    pub goal: Goal,
    /// The number of plies within which the solution is the only one.
    pub depth: u32,
    /// Whether these plies are the rest of the game, so that no other move reaches the goal at all.
    pub exact: bool,
    /// The number of moves to find.
    pub steps: u32,
    /// The themes, the main one first: what decides the puzzle.
    pub themes: Vec<String>,
    /// The difficulty, on the scale of people's ratings.
    pub rating: u32,
    /// The board.
    pub view: View,
}

/// The body of `POST /api/puzzles/{id}/attempt`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    /// The moves of the solver so far, without the opponent's.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Whether to help with the next move. The puzzle then does not count as solved.
    #[serde(default)]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub help: bool,
    /// Whether the response explains why a wrong move fails, which takes up to two seconds.
    #[serde(default)]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub refute: bool,
}

/// The answer to an attempt.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct PuzzleStep {
    /// The verdict on the last move.
    pub result: PuzzleResult,
    /// The moves on the board since the beginning of the puzzle, with the opponent's replies, up to the first wrong one.
    pub course: Vec<String>,
    /// Why the wrong move fails, if the request asked for it and the server is not too busy to find out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refutation: Option<Refutation>,
    /// Help, if the request asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<Help>,
    /// The change of the account's rating, if this attempt decided it: an account is rated once for each puzzle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingChange>,
}

/// The verdict on a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleResult {
    /// All moves are right, and more have to be found.
    Right,
    /// The whole solution was found.
    Solved,
    /// The last move on the board is wrong.
    Wrong,
}

/// A puzzle with its solution: a line of `GET /api/puzzles.jsonl`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct PuzzleRecord {
    /// The game, such as `connect-four`.
    pub game: String,
    /// The number in the collection of the game.
    pub number: u32,
    /// The position in its written form.
    pub position: String,
    /// The side of the solver.
    pub side: Side,
    /// The moves from the start of the game to the position.
    pub moves: Vec<String>,
    /// The solver's moves and the opponent's replies, the solver's first.
    pub solution: Vec<String>,
    /// The goal.
    pub goal: Goal,
    /// The number of plies within which the solution is the only one.
    pub depth: u32,
    /// The themes, the main one first: what decides the puzzle.
    pub themes: Vec<String>,
    /// The difficulty, on the scale of people's ratings.
    pub rating: u32,
}

/// The puzzles and ratings of an account: `GET /api/puzzles/progress`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct PuzzleProgress {
    /// The ratings, by game.
    pub ratings: Vec<PuzzleRating>,
    /// The puzzles that were decided, oldest first.
    pub tried: Vec<PuzzleTried>,
}

/// The rating of an account against the puzzles of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct PuzzleRating {
    /// The game, such as `connect-four`.
    pub game: String,
    /// The Glicko-2 rating.
    pub rating: f64,
    /// The rating deviation.
    pub deviation: f64,
    /// The number of puzzles.
    pub puzzles: u64,
}

/// A puzzle that an account has decided.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct PuzzleTried {
    /// The id of the puzzle, such as `connect-four-54`.
    pub id: String,
    /// What decides it.
    pub themes: Vec<String>,
    /// How hard it is.
    pub rating: u32,
    /// Whether it was solved at the first try, without help.
    pub solved: bool,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

impl Puzzle {
    /// A puzzle under this id.
    #[must_use]
    pub fn new(id: String, puzzle: &puzzles::Puzzle) -> Self {
        Self {
            id,
            game: puzzle.spec.to_string(),
            moves: puzzle.moves.join(" "),
            goal: puzzle.goal,
            depth: puzzle.depth,
            exact: puzzle.is_exact(),
            steps: puzzle.steps().count() as u32,
            themes: puzzle.themes.iter().map(ToString::to_string).collect(),
            rating: puzzle.rating,
            view: puzzle.game().view(),
        }
    }
}

impl PuzzleStep {
    /// The response to an attempt, without a refutation. `wrong` is the game after a wrong last move.
    #[must_use]
    pub fn of(attempt: &Attempt, wrong: Option<&AnyGame>, asked: &PuzzleAttempt) -> Self {
        let result = match wrong {
            Some(_) => PuzzleResult::Wrong,
            None if attempt.is_solved() => PuzzleResult::Solved,
            None => PuzzleResult::Right,
        };
        let mut course = attempt.course().to_vec();
        course.extend(wrong.and_then(|after| after.moves().pop()));
        let help = if asked.help { attempt.help() } else { None };
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
            goal: puzzle.goal,
            depth: puzzle.depth,
            themes: puzzle.themes.iter().map(ToString::to_string).collect(),
            rating: puzzle.rating,
        }
    }
}
