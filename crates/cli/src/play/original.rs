//! What line mode keeps of the original Connect Four program, byte for byte in English.

use players::roster::{self, Listing, Parameter};
use rules::{AnyGame, GameInfo, Illegal, MoveError, PlayError, Side};
use sentences::{Language, Words};

/// Whether this game is shown as by the original program.
fn is_original(info: &GameInfo) -> bool {
    info.id == "connect-four"
}

/// The strategies of the original program, numbered as there.
const ORIGINAL: [&str; 3] = ["random", "greedy", "smart"];

/// The players of a game in the order of the dialogue; in the game of the original program, its own players
/// come first.
pub(super) fn in_order(game: &AnyGame) -> Vec<Listing> {
    let mut players = roster::players(game);
    players.retain(|listing| !matches!(listing.parameter, Parameter::Strength(_)));
    if is_original(game.info()) {
        players.sort_by_key(|listing| {
            ORIGINAL.iter().position(|name| *name == listing.name).unwrap_or(ORIGINAL.len())
        });
    }
    players
}

/// How many players the dialogue before a game lists; the original program knows only its own.
pub(super) fn listed(game: &AnyGame, players: &[Listing]) -> usize {
    if is_original(game.info()) { ORIGINAL.len() } else { players.len() }
}

/// The message for an illegal move, if the original program has one.
pub(super) fn refusal(words: &Words, info: &GameInfo, text: &str, error: &MoveError) -> Option<String> {
    if !is_original(info) || words.language() != Language::En {
        return None;
    }
    let is_number = text.parse::<i128>().is_ok();
    match error {
        MoveError::Play(PlayError::Illegal(Illegal::ColumnFull(column))) => {
            Some(format!("No empty holes in column {column}"))
        }
        MoveError::Play(PlayError::Illegal(_)) => Some("Invalid column ".to_owned()),
        MoveError::Parse(_) if is_number => Some("Invalid column ".to_owned()),
        MoveError::Parse(_) => Some("Should be Integer".to_owned()),
        _ => None,
    }
}

/// The result of a game against a program, if it is one of the original program.
pub(super) fn result(
    words: &Words,
    info: &GameInfo,
    winner: Option<Side>,
    you: Option<Side>,
) -> Option<&'static str> {
    if !is_original(info) || words.language() != Language::En {
        return None;
    }
    let you = you?;
    Some(match winner {
        None => "  It's a TIE\n",
        Some(winner) if winner == you => "\n  Winner!!! Good Job \n\n",
        Some(_) => "\n  Game OVER! - You've lost! \n\n",
    })
}
