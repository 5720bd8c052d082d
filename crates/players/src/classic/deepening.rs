//! Iterative deepening, so that opponents with a fixed search depth can be stopped: they answer from the last
//! completed depth. At full depth they answer like the original programs.

use crate::{Stop, Stopped};

/// What ends a search early.
#[derive(Clone, Copy)]
pub(super) struct Interrupt<'a> {
    stop: &'a Stop,
    /// Whether "move now" also ends the search; a cancellation always does.
    by_move_now: bool,
}

impl<'a> Interrupt<'a> {
    /// Ends a search only if its answer is no longer wanted.
    pub(super) fn by_cancel(stop: &'a Stop) -> Self {
        Self { stop, by_move_now: false }
    }

    /// Ends a search as soon as an answer is wanted.
    pub(super) fn by_move_now(stop: &'a Stop) -> Self {
        Self { stop, by_move_now: true }
    }

    /// Returns an error if the search must end, so that `?` leaves it.
    #[inline]
    pub(super) fn check(self) -> Result<(), Stopped> {
        let is_ended = if self.by_move_now { self.stop.must_move_now() } else { self.stop.is_cancelled() };
        if is_ended { Err(Stopped) } else { Ok(()) }
    }
}

/// Searches depth after depth up to the last; returns the deepest completed one and its result. The first is
/// completed in any case: it takes a moment.
///
/// # Errors
/// If the answer is no longer wanted.
pub(super) fn deepen<'a, T>(
    last: u32,
    stop: &'a Stop,
    mut search: impl FnMut(u32, Interrupt<'a>) -> Result<T, Stopped>,
) -> Result<(u32, T), Stopped> {
    let mut found = (1, search(1, Interrupt::by_cancel(stop))?);
    for depth in 2..=last {
        match search(depth, Interrupt::by_move_now(stop)) {
            Ok(deeper) => found = (depth, deeper),
            Err(Stopped) => {
                stop.check()?;
                break;
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks as often as the depth says whether to stop.
    fn poll(depth: u32, interrupt: Interrupt) -> Result<&'static str, Stopped> {
        (0..depth).try_for_each(|_| interrupt.check())?;
        Ok("an answer")
    }

    #[test]
    fn the_last_completed_depth_answers() {
        let deepest = |polls| deepen(5, &Stop::after_polls(polls), poll).unwrap().0;
        // The first depth asks only about a cancellation; 2, 3 and 4 more make nine.
        assert_eq!([0, 1, 2, 5, 8, 9, 13, 14].map(deepest), [1, 1, 2, 3, 3, 4, 4, 5]);
        assert_eq!(deepen(5, &Stop::default(), poll).unwrap().0, 5);
    }

    #[test]
    fn a_cancelled_search_has_no_answer() {
        let stop = Stop::default();
        stop.cancel();
        assert!(deepen(5, &stop, poll).is_err());
        let stop = Stop::default();
        let cancelled_at_three = |depth, interrupt| {
            if depth == 3 {
                stop.cancel();
            }
            poll(depth, interrupt)
        };
        assert!(deepen(5, &stop, cancelled_at_three).is_err());
    }
}
