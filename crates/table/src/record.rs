//! Games as clients record them: a starting position and moves.

use protocol::{ApiError, ErrorCode, GameRecord, Replay, ReplayStep};
use rules::AnyGame;

use crate::start_game;

/// Maximum length of the moves of a record, in bytes.
const MAX_MOVES_TEXT: usize = 8 << 10;

/// Replays the game of a record: a spec, a starting position if it is not the initial one, and moves.
///
/// # Errors
/// If the game or the position is unknown, or a move is not legal.
pub fn recorded_game(game: &str, position: Option<&str>, moves: &str) -> Result<AnyGame, ApiError> {
    if moves.len() > MAX_MOVES_TEXT {
        return Err(ErrorCode::BadMessage
            .because(format!("too many moves; their text can have at most {MAX_MOVES_TEXT} bytes")));
    }
    let mut game = start_game(game, position)?;
    game.play_all(moves).map_err(|error| ErrorCode::IllegalMove.because(error.to_string()))?;
    Ok(game)
}

/// Returns the positions of a record from ply `from` on: as many as fit into `max_cells` cells, and at least one.
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
            let (position, view, legal) = (now.position(), now.view(), now.choices());
            plies.push(ReplayStep { ply, text, position, view, legal });
        }
        if plies.len() >= most {
            break;
        }
    }
    Ok(Replay { game: game.spec().to_string(), moves: count, plies })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(moves: &str, from: u32) -> GameRecord {
        GameRecord { game: "tic-tac-toe".to_owned(), position: None, moves: moves.to_owned(), from }
    }

    /// The plies of a replay with their moves.
    fn plies(record: &GameRecord, max_cells: usize) -> Vec<(u32, Option<String>)> {
        let replay = replay(record, max_cells).unwrap();
        replay.plies.into_iter().map(|step| (step.ply, step.text)).collect()
    }

    #[test]
    fn a_replay_has_the_position_after_each_move() {
        let replay = replay(&record("b2 a1", 0), 1_000).unwrap();
        assert_eq!(
            (replay.game, replay.moves),
            (recorded_game("tic-tac-toe", None, "").unwrap().spec().to_string(), 2)
        );
        let shown: Vec<_> =
            replay.plies.iter().map(|step| (step.text.as_deref(), step.legal.len())).collect();
        assert_eq!(shown, [(None, 9), (Some("b2"), 8), (Some("a1"), 7)]);
        let game = recorded_game("tic-tac-toe", None, "b2 a1").unwrap();
        assert_eq!(replay.plies[2].position, game.position());
        assert_eq!(replay.plies[2].view, game.view());
    }

    #[test]
    fn a_replay_begins_where_it_is_asked_to_and_is_bounded() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(plies(&record("b2 a1", 1), 1_000), [(1, text("b2")), (2, text("a1"))]);
        assert_eq!(plies(&record("b2 a1", 2), 1_000), [(2, text("a1"))]);
        assert_eq!(plies(&record("b2 a1", 0), 18), [(0, None), (1, text("b2"))], "two boards of nine cells");
        assert_eq!(plies(&record("b2 a1", 0), 1), [(0, None)], "one at least");
        let error = replay(&record("b2 a1", 3), 1_000).unwrap_err();
        assert_eq!(error.code, ErrorCode::BadMessage);
    }

    #[test]
    fn a_record_has_legal_moves_from_its_start() {
        let code =
            |game, position, moves: &str| recorded_game(game, position, moves).err().map(|error| error.code);
        assert_eq!(code("ludo", None, ""), Some(ErrorCode::UnknownGame));
        assert_eq!(code("tic-tac-toe", Some("nonsense"), ""), Some(ErrorCode::BadMessage));
        assert_eq!(code("tic-tac-toe", Some("3/1x1/3 b"), "b2"), Some(ErrorCode::IllegalMove));
        assert_eq!(code("tic-tac-toe", Some("3/1x1/3 b"), "a1"), None);
        let spaces = " ".repeat(8 * 1_024 - 2);
        assert_eq!(code("tic-tac-toe", None, &format!("b2{spaces}")), None);
        assert_eq!(code("tic-tac-toe", None, &format!("b2{spaces} ")), Some(ErrorCode::BadMessage));
    }
}
