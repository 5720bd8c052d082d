//! The solver against solved positions, small boards and its limits. One binary, because each is compiled and linked on its own.

mod book;
mod common;
mod golden;
mod limits;
mod reasons;
mod small_boards;
