//! Which results count for ratings.

use super::*;

fn ended_after(moves: &str, rated: bool, reason: EndReason) -> TestTable {
    let settings = Settings { rated, ..settings("connect-four", Clock::Move { ms: 60_000 }) };
    let mut table = TestTable::new(settings, [seat("ann"), seat("bob")]);
    table.play_all(moves);
    let winner = (reason != EndReason::Agreement).then_some(Side::First);
    table.apply(&Event::Ended { winner, reason, ratings: None });
    table
}

/// Two absent players in a tournament with a first-move limit of 5 s: 1500→1338 and 1500→1662 without a move.
#[test]
fn a_result_counts_when_both_sides_have_made_two_moves() {
    let ends = [EndReason::Rules, EndReason::Resignation, EndReason::Time, EndReason::Agreement];
    for (moves, counts) in [("", false), ("4", false), ("4 4", false), ("4 4 4", false), ("4 4 4 4", true)] {
        for reason in ends {
            for is_claimed in [false, true] {
                let table = ended_after(moves, true, reason);
                assert_eq!(table.state.counts_for_ratings(is_claimed), counts, "{moves:?}: {reason:?}");
            }
            assert!(!ended_after(moves, false, reason).state.counts_for_ratings(true), "not a rated game");
        }
        let left = ended_after(moves, true, EndReason::Abandoned);
        assert_eq!(left.state.counts_for_ratings(true), counts, "{moves:?}");
        assert!(!left.state.counts_for_ratings(false), "decided by an organiser or for a no-show");
        for reason in [EndReason::Aborted, EndReason::Declined] {
            assert!(!ended_after(moves, true, reason).state.counts_for_ratings(true), "{moves:?}");
        }
    }
    let playing = TestTable::between("connect-four");
    assert!(!playing.state.counts_for_ratings(true), "it is not over");
}
