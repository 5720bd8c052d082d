//! One judge per game.

mod chess_five;
mod connect_four;
mod simplexity;
mod tic_tac_toe;

pub(crate) use chess_five::ChessFiveJudge;
pub(crate) use connect_four::ConnectFourJudge;
pub(crate) use simplexity::SimplexityJudge;
pub(crate) use tic_tac_toe::TicTacToeJudge;
