//! Assessments, reviews and puzzles. One binary, because each is compiled and linked on its own.

mod assessment;
mod common;
mod even;
mod puzzles;
mod review;
mod skills;
mod truth;
