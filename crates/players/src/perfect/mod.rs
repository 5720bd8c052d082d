//! `perfect`: plays what is proved to be best, where that can be proved.

mod connect_four;
mod tic_tac_toe;

pub(crate) use connect_four::{
    PerfectConnectFour, can_solve, possibly_best, proven_lines as connect_four_lines,
};
pub(crate) use tic_tac_toe::{PerfectTicTacToe, proven_lines as tic_tac_toe_lines};
