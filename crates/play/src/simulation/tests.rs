//! The simulation in short form; `benches/simulation.rs` runs thousands of seeds.

use super::{Figures, run};

/// In these runs a game was rated again when it was replayed, a late heartbeat made a downtime, and twice the players of a
/// tournament's game were lost with their node, while its owner did not have it in memory.
const FAILED: [u64; 4] = [105, 750, 463, 961];

#[test]
fn nothing_is_lost_whatever_fails() {
    let mut sum = Figures::default();
    for seed in (1..=20).chain(FAILED) {
        match run(seed) {
            Ok(figures) => sum.add(&figures),
            Err(violations) => panic!("seed {seed}: {violations:#?}"),
        }
    }
    // Otherwise there was nothing to check.
    assert!(sum.faults > 100 && sum.failed_calls > 100 && sum.hints_lost > 100, "{sum:?}");
    assert!(sum.moves > 1_000 && sum.games > 20 && sum.replicas > 300, "{sum:?}");
    assert!(sum.tournaments >= 40 && sum.decisions > 40 && sum.rated > 50 && sum.revised > 50, "{sum:?}");
}

#[test]
fn a_seed_gives_the_same_run() {
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}
