//! What the players know about each game: one evaluator per game, its levels and its extra opponents.
//!
//! A game adds one file here and implements [`HasPlayers`]. A game without such a file is played with
//! [`LineEvaluator`] and [`DEFAULT_LEVELS`]; [`with_players!`] picks one or the other.

pub mod book;
mod chess_five;
mod connect_four;
mod default;
mod evaluator;
mod gomoku;
mod has_players;
mod lines;
mod popout;
pub(crate) mod proofs;
mod simplexity;
mod skill;
#[cfg(test)]
mod tests;
mod tic_tac_toe;

pub use self::evaluator::{Evaluator, LIMIT, MAX_DEPTH, MOVE_NUMBERS, ScoredMove, TtKey, Urgency, Weight};
#[cfg(test)]
pub(crate) use self::{
    chess_five::ChessFiveEvaluator, evaluator::IMAGE_PLIES, simplexity::SimplexityEvaluator,
    tic_tac_toe::TicTacToeEvaluator,
};
pub(crate) use self::{
    connect_four::ConnectFourEvaluator,
    evaluator::{BoardEvaluator, MAX_EXTENSION, Orientation, Solved},
    has_players::{DefaultKit, HasPlayers, Kit, KitOf, OwnKit, with_players},
    skill::Skill,
};
