//! The players of the original programs, and `random`.

pub mod chess_five;
mod choice_index;
mod deepening;
mod greedy;
mod oizys;
mod oxo;
mod random;
mod smart;
pub(crate) mod tic_tac_toe_lines;

pub(crate) use self::{
    choice_index::{Accuracy, ChoiceIndex},
    greedy::Greedy,
    oizys::Oizys,
    oxo::Oxo,
    random::Random,
    smart::Smart,
};
