//! Searches: a program's move, assessments, reviews, proofs.

use std::{cell::Cell, time::Duration};

use players::{Stop, Thought, roster};
use protocol::{ApiError, Assessment, ErrorCode};
use rules::{AnyGame, PlayError};
use serde::Serialize;
use solver::{Solution, Solver, Unsolvable};
use study::{
    assessment::Limits,
    review::{self, Reviewed},
};

use crate::Core;

/// A program that takes longer answers with the best it knows.
const MOVE_NOW_TIMEOUT: Duration = Duration::from_secs(10);
/// Minimum time between intermediate assessments.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The choice of a program.
#[derive(Serialize)]
pub(crate) struct Choice {
    thought: Thought,
    /// Minimum time until the move is played, so that a person can follow.
    least_ms: u64,
}

pub(crate) fn limits(lines: usize, time_ms: Option<u64>, depth: Option<u32>, nodes: Option<u64>) -> Limits {
    Limits { lines: lines.max(1), threads: 1, time: time_ms.map(Duration::from_millis), nodes, depth }
}

pub(crate) fn choose(
    core: &Core,
    game: &AnyGame,
    player: &str,
    seed: u64,
    time_ms: Option<u64>,
) -> Result<Choice, ApiError> {
    let time = time_ms.map_or(MOVE_NOW_TIMEOUT, Duration::from_millis).min(MOVE_NOW_TIMEOUT);
    let mut program = roster::program(game, player, &core.resources(seed))
        .map_err(|error| ErrorCode::UnknownPlayer.because(error.to_string()))?;
    if let Some(outcome) = game.outcome() {
        return Err(ErrorCode::GameOver.because(PlayError::GameOver(outcome).to_string()));
    }
    let thought = program
        .choose(game, &Stop::after(time, core.clock()))
        .map_err(|error| ErrorCode::GameOver.because(error.to_string()))?;
    let least_ms = program.thinking_time().as_millis() as u64;
    Ok(Choice { thought, least_ms })
}

pub(crate) fn assess(core: &Core, game: &AnyGame, limits: &Limits) -> Assessment {
    let reported = Cell::new(None::<Duration>);
    let on_progress = &mut |known: &study::assessment::Assessment| {
        let now = core.host.now();
        if reported.get().is_none_or(|at| now.saturating_sub(at) >= PROGRESS_INTERVAL) {
            reported.set(Some(now));
            core.report(&Assessment::new(game, known.clone()));
        }
    };
    let last = study::assessment::assess(game, limits, &core.resources(0), &Stop::default(), on_progress);
    Assessment::last(game, last)
}

pub(crate) fn review(core: &Core, game: &AnyGame, limits: &Limits) -> Vec<Reviewed> {
    review::review(game, limits, &core.resources(0), &Stop::default(), &mut |reviewed| core.report(reviewed))
}

pub(crate) fn solve(core: &Core, game: &AnyGame) -> Result<Solution, ApiError> {
    let refuse = |error: &dyn std::error::Error| ErrorCode::NotAllowed.because(error.to_string());
    let position = solver::solvable(game).ok_or_else(|| refuse(&Unsolvable(game.spec())))?;
    let mut solver = Solver::default().with_book(core.book);
    solver.solve(&position, None, &|| false).map_err(|error| refuse(&error))
}
