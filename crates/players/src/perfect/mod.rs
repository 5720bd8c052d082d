//! `perfect`: plays what is proved to be best, where that can be proved.

mod connect_four;
mod tic_tac_toe;

pub(crate) use connect_four::{PerfectConnectFour, can_solve};
pub(crate) use tic_tac_toe::PerfectTicTacToe;
