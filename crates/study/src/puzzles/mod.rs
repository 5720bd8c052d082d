//! Puzzles: positions in which exactly one move keeps the result, at every step, proved.
//!
//! A puzzle states a depth. At each of the solver's moves, exactly one move forces a win within the rest of that
//! depth (or, where there is no win, exactly one does not lose within it); the opponent answers with the longest
//! defence. Where the solver proves the game, the depth is the rest of the game.

mod attempt;
mod collection;
mod make;
mod own;
mod pattern;
mod proof;
mod rate;
mod solution;
mod theme;
mod verify;

use std::{fmt, str::FromStr};

use players::rules::{self, AnyGame, Spec};

pub(crate) use self::proof::stones;
pub use self::{
    attempt::{Attempt, Help, Judged, Refutation, Why, rated},
    collection::{Collection, daily, day_of, embedded, find},
    make::{Candidates, Selection},
    own::from_assessment,
    rate::{finds, rate},
    theme::Theme,
    verify::{Flaw, verify},
};

/// The goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "PuzzleGoal"), schema(as = PuzzleGoal))]
pub enum Goal {
    /// Win.
    Win,
    /// Hold: every other move loses.
    Hold,
}

/// No game is longer.
const MAX_DEPTH: u32 = u16::MAX as u32;

/// A position with one solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The game.
    pub spec: Spec,
    /// The moves from the start of the game to the position.
    pub moves: Vec<String>,
    /// The solver's moves and the opponent's replies, the solver's first. It ends with the game, or where the solver
    /// has a choice of moves that keep the result.
    pub solution: Vec<String>,
    /// The goal.
    pub goal: Goal,
    /// The number of plies within which the solution is the only one.
    pub depth: u32,
    /// The themes, the main one first: what decides the puzzle.
    pub themes: Vec<Theme>,
    /// The difficulty, on the scale of people's ratings.
    pub rating: u32,
}

impl Puzzle {
    /// The game at the position.
    ///
    /// # Panics
    /// If the moves are not legal: those of a puzzle that was made or read are.
    #[must_use]
    pub fn game(&self) -> AnyGame {
        let mut game = AnyGame::from(self.spec);
        for m in &self.moves {
            game.play(m).expect("the moves of a puzzle are legal");
        }
        game
    }

    /// The main theme.
    #[must_use]
    pub fn theme(&self) -> Theme {
        self.themes[0]
    }

    /// Whether the depth is the rest of the game, so that the result is exact.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.depth >= self.game().plies_left().into()
    }

    /// The plies of the solution at which the solver moves.
    pub fn steps(&self) -> impl Iterator<Item = usize> {
        (0..self.solution.len()).step_by(2)
    }

    /// Reads a puzzle of this game from a line as [`fmt::Display`] writes it.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn read(spec: Spec, line: &str) -> Result<Self, String> {
        let fields: Vec<_> = line.split('\t').collect();
        let &[moves, solution, goal, depth, themes, rating] = &fields[..] else {
            return Err(format!(
                "a puzzle has 6 fields separated by tabs (moves, solution, goal, depth, themes, rating), not {}",
                fields.len()
            ));
        };
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let number = |text: &str| {
            text.parse::<u32>().map_err(|_| format!("“{}” is not a number", rules::excerpt(text)))
        };
        let goal = match goal {
            "win" => Goal::Win,
            "hold" => Goal::Hold,
            _ => return Err(format!("“{}” is not a goal; expected win or hold", rules::excerpt(goal))),
        };
        let themes = themes.split(',').map(Theme::from_str).collect::<Result<_, _>>()?;
        let (moves, solution) = (words(moves), words(solution));
        if solution.is_empty() {
            return Err("the puzzle has no solution".to_owned());
        }
        let (least, depth) = (solution.len() as u32, number(depth)?);
        if !(least..=MAX_DEPTH).contains(&depth) {
            return Err(format!(
                "invalid depth {depth}; expected {least} (the length of the solution) to {MAX_DEPTH}"
            ));
        }
        let mut game = AnyGame::from(spec);
        for m in moves.iter().chain(&solution) {
            game.play(m).map_err(|error| error.to_string())?;
        }
        Ok(Self { spec, moves, solution, goal, depth, themes, rating: number(rating)? })
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Win => "win",
            Self::Hold => "hold",
        })
    }
}

/// One line: moves, solution, goal, depth, themes and rating, separated by tabs.
impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { moves, solution, goal, depth, themes, rating, .. } = self;
        let themes: Vec<_> = themes.iter().map(ToString::to_string).collect();
        write!(
            f,
            "{}\t{}\t{goal}\t{depth}\t{}\t{rating}",
            moves.join(" "),
            solution.join(" "),
            themes.join(",")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_knows_its_position_steps_and_whether_it_is_exact() {
        let read = |line: &str| Puzzle::read("tic-tac-toe".parse().unwrap(), line).unwrap();
        let puzzle = read("c2 a1\tc1 c3 b2 a3 a2\twin\t7\tgap,long\t1644");
        assert_eq!(puzzle.game().moves(), ["c2", "a1"]);
        assert_eq!(puzzle.steps().collect::<Vec<_>>(), [0, 2, 4]);
        assert_eq!((puzzle.theme(), puzzle.rating, puzzle.goal), (Theme::Gap, 1644, Goal::Win));
        assert_eq!(puzzle.to_string(), "c2 a1\tc1 c3 b2 a3 a2\twin\t7\tgap,long\t1644");
        for (depth, is_exact) in [(6, false), (7, true), (8, true)] {
            assert_eq!(Puzzle { depth, ..puzzle.clone() }.is_exact(), is_exact, "{depth} of 7 plies");
        }
        assert_eq!([Goal::Win, Goal::Hold].map(|goal| goal.to_string()), ["win", "hold"]);
    }
}
