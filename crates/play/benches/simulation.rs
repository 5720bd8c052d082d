//! Nodes with live tables under simulated faults, for many seeds; exits with 1 and names the seed if a guarantee is
//! violated.
//!
//! `cargo bench -p alinea-play --features simulation --bench simulation -- [SEEDS] [FIRST SEED]`

use std::{process::ExitCode, time::Instant};

use alinea_play::simulation::{Figures, run};

const SEEDS: u64 = 1_000;

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let mut numbers = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let (seeds, first) = (numbers.next().unwrap_or(SEEDS), numbers.next().unwrap_or(1));
    let start = Instant::now();
    let (mut sum, mut failed) = (Figures::default(), 0);
    for seed in first..first + seeds {
        match run(seed) {
            Ok(figures) => sum.add(&figures),
            Err(violations) => {
                failed += 1;
                println!("seed {seed}: {violations:#?}");
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{seeds} seeds in {seconds:.1} s, {:.1} seeds/s; {failed} with a violation",
        seeds as f64 / seconds
    );
    println!("{sum:#?}");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
