//! Puzzles of Connect Four judged by the crate `connect-four-ai`, which shares no code with ours.

use alinea_study::puzzles::{Goal, Puzzle};
use rules::{AnyGame, Outcome};

/// Checks a puzzle of standard Connect Four: at each of the solver's moves exactly that of the solution wins, or holds.
///
/// # Panics
/// If another move does so too.
pub(crate) fn check(solver: &mut connect_four_ai::Solver, puzzle: &Puzzle) {
    let mut game = puzzle.game();
    for (ply, m) in puzzle.solution.iter().enumerate() {
        if ply % 2 == 0 {
            let least = i8::from(puzzle.goal == Goal::Win);
            let legal = game.legal_moves().into_iter();
            let scored: Vec<_> = legal.map(|m| (score(solver, &game, &m), m)).collect();
            let keeping: Vec<_> =
                scored.iter().filter(|(score, _)| *score >= least).map(|(_, m)| m.as_str()).collect();
            assert_eq!(keeping, [m.as_str()], "{puzzle}, ply {ply}: {scored:?}");
            // No win is missed where a draw is the goal.
            let best = scored.iter().map(|(score, _)| score.signum()).max();
            assert_eq!(best, Some(least), "{puzzle}, ply {ply}: {scored:?}");
        }
        game.play(m).expect("the solution is legal");
    }
}

/// The score of a move for the side that plays it.
fn score(solver: &mut connect_four_ai::Solver, game: &AnyGame, m: &str) -> i8 {
    let mut after = game.clone();
    after.play(m).expect("a legal move");
    match after.outcome() {
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(_)) => 1,
        None => {
            let position = connect_four_ai::Position::from_moves(&after.moves().concat());
            -solver.solve(&position.expect("legal moves"))
        }
    }
}
