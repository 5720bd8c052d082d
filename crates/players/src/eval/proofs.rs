//! What the exact solver proves about Connect Four, in the terms of the players.

use rules::{Column, ConnectFour, Geometry, Small};
use solver::{Bounds, Solver, StopSignal};

use super::evaluator::Solved;
use crate::thought::{Proof, Proven};

/// Whether the solver supports this size and run.
pub(crate) fn can_solve<G: Geometry>(position: &ConnectFour<G>) -> bool {
    position.geometry().run() == solver::RUN && position.on_64_bits().is_some()
}

/// The result that a score of the solver means.
pub(crate) fn proven(position: &ConnectFour<Small>, score: i32) -> Proven {
    let result = match score {
        0 => Proof::Draw,
        1.. => Proof::Win,
        _ => Proof::Loss,
    };
    Proven { result, plies: solver::plies_left(position, score).into() }
}

/// Returns the moves that may be best, given what is proved before the flag is set, and the result if it is
/// proved.
pub(crate) fn possibly_best(
    solver: &mut Solver,
    position: &ConnectFour<Small>,
    stop: &dyn StopSignal,
) -> Option<Solved<Column>> {
    let analysis = solver.analyse(position, stop).ok()?;
    let result = analysis.bounds.exact().map(|score| proven(position, score));
    let certain = analysis.moves.iter().map(|(_, bounds)| bounds.lower).max()?;
    let moves = if result.is_some() || certain > 0 {
        analysis.best().collect()
    } else {
        // Every move that may be better than the best lower bound, or has it.
        let may_be_best = |bounds: &Bounds| bounds.upper > certain || bounds.lower == certain;
        let hopeful = analysis.moves.iter().filter(|(_, bounds)| may_be_best(bounds));
        hopeful.map(|&(column, _)| column).collect()
    };
    Some(Solved { moves, result })
}
