//! A solved position as programs read it: the JSON of `alinea solve`, and the result of `solve` in Python and JavaScript.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rules::{Column, ConnectFour, Geometry};

use crate::{Reason, SolveError, Solver, StopSignal, reasons};

/// Number of polls of the stop signal after which the search for a line without a given length ends: at most
/// 30 ms.
const LINE_POLLS: u32 = 128;

/// The exact value of a position of Connect Four.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Solution {
    /// The score for the side to move: 1 wins with its last piece, 2 with the one before it, and so on; 0 is a draw; -1
    /// loses to the last piece of the opponent, and so on.
    pub score: i32,
    /// The moves with the best score.
    pub best: Vec<String>,
    /// The score of each column from the left; `null` for a full one.
    pub columns: Vec<Option<i32>>,
    /// The first moves of a line of best play.
    pub line: Vec<String>,
    /// What decides the game along the line: threats, zugzwang, and so on.
    pub reasons: Vec<Reason>,
    /// Number of positions searched.
    pub nodes: u64,
}

impl Solution {
    /// A solution with only the score.
    #[must_use]
    pub fn of_score<G: Geometry>(position: &ConnectFour<G>, score: i32, nodes: u64) -> Self {
        let columns = vec![None; usize::from(position.geometry().cols())];
        Self { score, columns, nodes, ..Self::default() }
    }
}

impl Solver {
    /// Solves a position with its moves, a line of best play and the reasons. The line has at most `plies` moves; without a
    /// limit, those that take no noticeable time to find.
    ///
    /// # Errors
    /// As [`Solver::score`].
    pub fn solve<G>(
        &mut self,
        position: &ConnectFour<G>,
        plies: Option<usize>,
        stop: &dyn StopSignal,
    ) -> Result<Solution, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        let analysis = self.analyse(position, stop)?;
        let score = analysis.bounds.exact().ok_or(SolveError::Stopped(analysis.bounds))?;
        let nodes = self.nodes();
        let polls = AtomicU32::new(0);
        let is_noticeable = || stop.is_set() || polls.fetch_add(1, Relaxed) >= LINE_POLLS;
        let line = match plies {
            Some(plies) => self.line_up_to(position, plies, stop),
            None => self.line_up_to(position, usize::MAX, &is_noticeable),
        }?;
        let mut solution = Solution::of_score(position, score, nodes + self.nodes());
        solution.best = analysis.best().map(|column| column.to_string()).collect();
        for (column, bounds) in &analysis.moves {
            solution.columns[usize::from(column.index())] = bounds.exact();
        }
        solution.reasons = reasons(position, &line);
        solution.line = line.iter().map(Column::to_string).collect();
        Ok(solution)
    }
}

#[cfg(test)]
mod tests {
    use rules::{AnyGame, Spec};

    use super::*;

    fn solution(moves: &str, plies: Option<usize>) -> Solution {
        let mut game = AnyGame::from("connect-four:4x7".parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        Solver::default().solve(&crate::solvable(&game).unwrap(), plies, &|| false).unwrap()
    }

    #[test]
    fn a_solution_has_the_scores_a_line_and_its_reasons() {
        let Solution { score, best, columns, line, reasons, nodes } = solution("4455", None);
        assert_eq!((score, best.join(" "), line.join(" ")), (11, "3 6".to_owned(), "3 4 2".to_owned()));
        assert_eq!(columns, [-1, -1, 11, 0, 0, 11, -1].map(Some));
        assert!(matches!(reasons[0], Reason::MakesTwoThreats { .. }), "{reasons:?}");
        assert!(nodes > 0);
    }

    #[test]
    fn the_line_is_as_long_as_wanted() {
        for (plies, expected) in [(Some(0), 0), (Some(2), 2), (Some(40), 3), (None, 3)] {
            assert_eq!(solution("4455", plies).line.len(), expected, "{plies:?}");
        }
    }

    #[test]
    fn full_columns_have_no_score_and_neither_has_a_finished_game() {
        let columns = solution("4444", None).columns;
        assert_eq!(columns.iter().position(Option::is_none), Some(3), "{columns:?}");
        let over = solution("4455667", None);
        assert_eq!((over.score, over.columns, over.best.len(), over.line.len()), (-11, vec![None; 7], 0, 0));
    }

    #[test]
    fn a_stopped_search_has_no_solution() {
        let position = ConnectFour::new(rules::Standard::default());
        let stopped = Solver::default().solve(&position, None, &|| true);
        assert!(matches!(stopped, Err(SolveError::Stopped(_))), "{stopped:?}");
    }
}
