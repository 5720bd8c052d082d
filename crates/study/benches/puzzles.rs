//! Verifies the whole collection: puzzles of Connect Four by the crate `connect-four-ai`, the others by plain search
//! on the rules. `cargo bench -p alinea-study --bench puzzles -- [GAME…]`.

#[path = "../tests/common/other_solver.rs"]
mod other_solver;

use std::{env, time::Instant};

use alinea_study::puzzles::{embedded, verify};

fn main() {
    // Cargo adds `--bench` to what the user asked for.
    let games: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let mut solver = connect_four_ai::Solver::empty();
    for collection in embedded() {
        let name = collection.spec.name();
        if !games.is_empty() && !games.iter().any(|game| game == name) {
            continue;
        }
        let start = Instant::now();
        for puzzle in &collection.puzzles {
            if name == "connect-four" {
                other_solver::check(&mut solver, puzzle);
            } else {
                assert_eq!(verify(puzzle), Ok(()), "{name} {puzzle}");
            }
        }
        println!("{name}: {} puzzles verified in {:.1?}", collection.puzzles.len(), start.elapsed());
    }
}
