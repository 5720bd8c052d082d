//! The simulation in short form; `benches/simulation.rs` runs thousands of seeds.

use super::{Figures, run};

/// In these runs a game was rated again when it was replayed, a late heartbeat made a downtime, and twice the players of a
/// tournament's game were lost with their node, while its owner did not have it in memory.
const FAILED: [u64; 4] = [105, 750, 463, 961];

fn check(seeds: impl Iterator<Item = u64>) {
    let (mut sum, mut runs) = (Figures::default(), 0);
    for seed in seeds {
        match run(seed) {
            Ok(figures) => sum.add(&figures),
            Err(violations) => panic!("seed {seed}: {violations:#?}"),
        }
        runs += 1;
    }
    // Otherwise there was nothing to check.
    assert!(sum.faults > 4 * runs && sum.failed_calls > 4 * runs && sum.hints_lost > 4 * runs, "{sum:?}");
    assert!(sum.moves > 40 * runs && sum.games >= runs && sum.replicas > 12 * runs, "{sum:?}");
    assert!(
        sum.tournaments > runs && sum.decisions > runs && sum.rated > 2 * runs && sum.revised > 2 * runs,
        "{sum:?}"
    );
}

#[test]
fn nothing_is_lost_whatever_fails() {
    check((1..=4).chain(FAILED));
}

#[test]
#[ignore = "takes long: make test-all"]
fn nothing_is_lost_in_more_runs() {
    check(5..=20);
}

#[test]
fn a_seed_gives_the_same_run() {
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}
