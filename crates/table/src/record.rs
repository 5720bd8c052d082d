//! Games as clients record them: a start and moves.

use protocol::{ApiError, Choice, ErrorCode, GameRecord, Replay, ReplayStep};
use rules::AnyGame;

use crate::start_game;

/// The most bytes that the moves of a record may take.
const MAX_MOVES_TEXT: usize = 8 << 10;

/// The game of a record: a spec, a start position if it is not the usual one, and moves.
///
/// # Errors
/// If the game or the position is unknown, or a move is not legal.
pub fn recorded_game(game: &str, position: Option<&str>, moves: &str) -> Result<AnyGame, ApiError> {
    if moves.len() > MAX_MOVES_TEXT {
        return Err(ErrorCode::BadMessage.because(format!("moves are longer than {MAX_MOVES_TEXT} bytes")));
    }
    let mut game = start_game(game, position)?;
    game.play_all(moves).map_err(|error| ErrorCode::IllegalMove.because(error.to_string()))?;
    Ok(game)
}

/// The positions of a record from its ply `from` on: as many as have `max_cells` cells in all, and at least one.
///
/// # Errors
/// If the record is not valid.
pub fn replay(record: &GameRecord, max_cells: usize) -> Result<Replay, ApiError> {
    let game = recorded_game(&record.game, record.position.as_deref(), &record.moves)?;
    let moves = game.moves();
    let count = moves.len() as u32;
    if record.from > count {
        return Err(ErrorCode::BadMessage.because(format!("the game has only {count} moves")));
    }
    let mut now = start_game(&record.game, record.position.as_deref())?;
    let most = (max_cells / now.view().cells.len().max(1)).max(1);
    let mut plies = Vec::new();
    for ply in 0..=count {
        let text = ply.checked_sub(1).map(|before| moves[before as usize].clone());
        if let Some(text) = &text {
            now.play(text).map_err(|error| ErrorCode::IllegalMove.because(error.to_string()))?;
        }
        if ply >= record.from {
            let (view, legal) = (now.view().into(), now.choices().into_iter().map(Choice::from).collect());
            plies.push(ReplayStep { ply, text, position: now.position(), view, legal });
        }
        if plies.len() >= most {
            break;
        }
    }
    Ok(Replay { game: game.spec().to_string(), moves: count, plies })
}
