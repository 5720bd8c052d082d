//! Why a move: what can be seen on the board, and how it compares with the next best.
//!
//! Only facts: each can be checked by the rules alone.

use rules::{Outcome, Position};

use super::Line;
use crate::{Change, Reason, eval::Evaluator, search::Root};

/// What a move does about the threats of both sides.
pub(crate) fn threats<P: Position, E: Evaluator<P>>(root: &Root<P, E>, m: P::Move) -> Vec<Reason> {
    let position = root.position();
    let (side, rival) = (position.turn(), position.turn().other());
    let (after, updated) = root.evaluator.step(position, &root.accumulator, m);
    match after.outcome() {
        Some(Outcome::Win(winner)) if winner == side => return vec![Reason::Win],
        Some(_) => return Vec::new(),
        None => {}
    }
    let mut reasons = Vec::new();
    let dangers = root.evaluator.threats(position, rival);
    if !dangers.is_empty() {
        if root.evaluator.threats(&after, rival).is_empty() {
            reasons.push(Reason::Answer { cells: dangers });
        } else if safe_moves(&root.evaluator, position, &root.accumulator).is_empty() {
            reasons.push(Reason::CannotAnswer { cells: dangers });
        }
    }
    let cells = root.evaluator.threats(&after, side);
    if cells.len() > 1 && safe_moves(&root.evaluator, &after, &updated).is_empty() {
        reasons.push(Reason::DoubleThreat { cells });
    } else if !cells.is_empty() {
        reasons.push(Reason::Threat { cells });
    }
    reasons
}

/// The moves after which the side to move has won or the opponent cannot win at once.
fn safe_moves<P: Position, E: Evaluator<P>>(
    evaluator: &E,
    position: &P,
    accumulator: &E::Accumulator,
) -> Vec<P::Move> {
    let is_safe = |&m: &P::Move| {
        let (after, updated) = evaluator.step(position, accumulator, m);
        match after.outcome() {
            Some(outcome) => outcome != Outcome::Win(after.turn()),
            None => evaluator.win(&after, &updated).is_none(),
        }
    };
    position.legal_moves().filter(is_safe).collect()
}

/// The start of a line in which the opponent never has more than one answer that does not lose at once,
/// if there is such an answer to speak of. As far as there is time to look.
pub(crate) fn forced<P: Position, E: Evaluator<P>>(
    root: &Root<P, E>,
    line: &[P::Move],
    is_due: &dyn Fn() -> bool,
) -> Option<Reason> {
    let (mut position, mut accumulator) = (root.position().clone(), root.accumulator.clone());
    let mut length = 0;
    for (i, &m) in line.iter().enumerate() {
        if is_due() {
            break;
        }
        if i % 2 == 1 {
            let safe = safe_moves(&root.evaluator, &position, &accumulator);
            if safe.len() > 1 || safe.first().is_some_and(|&only| only != m) {
                break;
            }
        }
        // A move that nobody is forced to answer forces nothing.
        length = if i % 2 == 1 { i + 1 } else { length };
        (position, accumulator) = root.evaluator.step(&position, &accumulator, m);
        if position.outcome().is_some() {
            length = i + 1;
            break;
        }
    }
    let moves = line[..length].iter().map(ToString::to_string).collect();
    (length > 1).then_some(Reason::Forced { moves })
}

/// How the best move compares with the second best: what the evaluations of the positions that are
/// expected after each differ in most.
pub(crate) fn compare<P: Position, E: Evaluator<P>>(
    root: &Root<P, E>,
    best: &Line<P::Move>,
    second: &Line<P::Move>,
) -> Reason {
    let [kept, given_up] = [best, second].map(|line| points(root, &line.moves));
    let mut changes = match (kept, given_up) {
        (Some(kept), Some(given_up)) => differences(&kept, &given_up),
        _ => Vec::new(),
    };
    changes.sort_by_key(|change| std::cmp::Reverse(change.points.abs()));
    changes.truncate(TOLD_CHANGES);
    Reason::SecondBest {
        moves: second.moves.iter().map(ToString::to_string).collect(),
        score: second.value.into(),
        proven: second.proven(),
        changes,
    }
}

/// No screen wants to tell more.
const TOLD_CHANGES: usize = 3;

/// The terms of the evaluation after a line, for the side to move before it; none if the game is then
/// over.
fn points<P: Position, E: Evaluator<P>>(root: &Root<P, E>, line: &[P::Move]) -> Option<Vec<Change>> {
    let here = (root.position().clone(), root.accumulator.clone());
    let (end, updated) =
        line.iter().fold(here, |(position, accumulator), &m| root.evaluator.step(&position, &accumulator, m));
    let sign = if end.turn() == root.position().turn() { 1 } else { -1 };
    let change = |term: crate::Term| Change { term: term.name, points: sign * term.points() };
    end.outcome().is_none().then(|| root.evaluator.terms(&end, &updated).into_iter().map(change).collect())
}

fn differences(kept: &[Change], given_up: &[Change]) -> Vec<Change> {
    let of =
        |changes: &[Change], term| changes.iter().filter(|c| c.term == term).map(|c| c.points).sum::<i64>();
    let mut terms: Vec<_> = kept.iter().chain(given_up).map(|change| change.term).collect();
    terms.sort_unstable();
    terms.dedup();
    let change = |term| Change { term, points: of(kept, term) - of(given_up, term) };
    terms.into_iter().map(change).filter(|change| change.points != 0).collect()
}

#[cfg(test)]
mod tests {
    use rules::{ChessFive, ConnectFour, Fixed, Simplexity, TicTacToe};

    use super::*;
    use crate::{eval::HasPlayers, samples::games};

    /// The threats of the side to move are where its winning moves end.
    fn threatens_rightly<P: HasPlayers>(start: &P) {
        for game in games(start, 1, 300) {
            let position = game.position();
            let mut cells: Vec<_> = position
                .legal_moves()
                .filter(|&m| position.after(m).outcome() == Some(Outcome::Win(position.turn())))
                .filter_map(|m| position.after(m).touched(m).pop())
                .collect();
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(P::Evaluator::new(position).threats(position, position.turn()), cells, "{position:?}");
        }
    }

    #[test]
    fn threats_are_what_the_rules_say() {
        threatens_rightly(&TicTacToe::default());
        threatens_rightly(&ConnectFour::new(Fixed::<6, 7, 4>));
        threatens_rightly(&Simplexity::new(Fixed::<6, 7, 4>, [10, 11]));
        threatens_rightly(&Simplexity::new(Fixed::<4, 5, 3>, [2, 12]));
        threatens_rightly(&ChessFive::default());
    }

    /// All changes together are the difference of the two evaluations.
    fn compares_rightly<P: HasPlayers>(start: &P) {
        for game in games(start, 2, 100) {
            let (position, root) = (game.position(), Root::<P, P::Evaluator>::new(&game));
            let ends: Vec<_> = position.legal_moves().map(|m| (m, position.after(m))).collect();
            let open: Vec<_> = ends.iter().filter(|(_, end)| end.outcome().is_none()).collect();
            let [(kept, a), .., (given_up, b)] = open[..] else { continue };
            let changes =
                differences(&points(&root, &[*kept]).unwrap(), &points(&root, &[*given_up]).unwrap());
            let evaluator = P::Evaluator::new(position);
            let value = |position| evaluator.evaluate(position, &evaluator.init(position));
            let expected = value(b) - value(a);
            assert_eq!(
                changes.iter().map(|change| change.points).sum::<i64>(),
                i64::from(expected),
                "{position:?}"
            );
        }
    }

    #[test]
    fn changes_add_up() {
        compares_rightly(&ConnectFour::new(Fixed::<6, 7, 4>));
        compares_rightly(&Simplexity::new(Fixed::<6, 7, 4>, [10, 11]));
        compares_rightly(&ChessFive::default());
    }
}
