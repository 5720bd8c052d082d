//! Every game against golden data, a second implementation and one conformance suite. One binary, because each is compiled and linked on its own.

mod agreement;
mod bad_input;
mod common;
mod conformance;
mod golden;
mod naive;
mod opening;
mod perft;
mod renju;
