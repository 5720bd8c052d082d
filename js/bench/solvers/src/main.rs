//! Reads `ours MOVES` or `theirs MOVES` from each line; writes the score and the time in milliseconds.

use std::{
    io::{self, BufRead},
    time::Instant,
};

use alinea_bench_solvers::Solvers;

fn main() -> io::Result<()> {
    let mut solvers = Solvers::default();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (name, moves) = line.split_once(' ').expect("a solver and moves");
        let start = Instant::now();
        let score = if name == "ours" { solvers.ours(moves) } else { solvers.theirs(moves) };
        println!("{score} {}", start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}
