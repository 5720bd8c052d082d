//! Players against golden data, fixed positions and each other. One binary, because each is compiled and linked on its own.

mod chess_five;
mod common;
mod default_players;
mod engine;
mod golden;
mod gomoku;
mod levels;
mod own_game;
mod perfect;
mod popout;
mod reasons;
mod roster;
mod seeds;
mod stop;
mod tic_tac_toe;
