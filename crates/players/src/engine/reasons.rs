//! Reasons of the engine for a move: threats on the board, and the comparison with the second best move.
//!
//! Each reason can be verified by the rules alone.

use std::borrow::Cow;

use rules::{AnyGame, Cell, ConnectFour, Move, Outcome, Small};

use super::{Line, root};
use crate::{
    Change, Proven, Reason,
    eval::with_players,
    search::{BoardRoot, Walk, win_chance},
    sort::sort_by_key,
};

/// Explains why the first move of a line is the best: what it threatens and prevents, what is proved about
/// it, and how the second best move compares after a search to the same depth. The moves of the lines are
/// legal.
#[must_use]
pub fn explain(
    game: &AnyGame,
    best: &Line<String>,
    second: Option<&Line<String>>,
    depth: u32,
) -> Vec<Reason> {
    with_players!(game, typed, kit => {
        let mut reasons = match best.proven().and(solver::solvable(game)) {
            Some(position) => solver_facts(&position, best),
            None => Vec::new(),
        };
        reasons.extend(explain_typed(&*root(&kit, typed, None), best, second, depth, reasons.is_empty()));
        reasons
    })
}

/// The solver's facts about a proved line.
fn solver_facts(position: &ConnectFour<Small>, best: &Line<String>) -> Vec<Reason> {
    let line: Vec<_> = best.moves.iter().map_while(|m| m.parse().ok()).collect();
    let facts = solver::reasons(position, &line).into_iter().map(Reason::Solved);
    best.proven().map(Reason::Proven).into_iter().chain(facts).collect()
}

fn explain_typed<M: Move>(
    root: &dyn BoardRoot<M>,
    best: &Line<String>,
    second: Option<&Line<String>>,
    depth: u32,
    with_facts: bool,
) -> Vec<Reason> {
    let typed = |line: &Line<String>| Line {
        value: line.value,
        moves: line.moves.iter().map_while(|m| m.parse().ok()).collect(),
        to_the_end: line.to_the_end,
    };
    let best = typed(best);
    let mut reasons = Vec::new();
    if with_facts {
        reasons = facts(root, &best, best.proven(), depth, &|| false);
    }
    let here = root.walk();
    let wins_at_once = after(&*here, best.moves[0]).outcome() == Some(Outcome::Win(here.turn()));
    if !wins_at_once && let Some(second) = second {
        reasons.push(compare(root, &best, &typed(second)));
    }
    reasons
}

/// The position after a legal move.
fn after<'a, M>(here: &'a dyn Walk<M>, m: M) -> Box<dyn Walk<M> + 'a> {
    let mut next = here.fork();
    next.step(m);
    next
}

/// The reasons that follow from a line alone, as far as there is time.
pub(super) fn facts<M: Move>(
    root: &dyn BoardRoot<M>,
    line: &Line<M>,
    proven: Option<Proven>,
    depth: u32,
    is_due: &dyn Fn() -> bool,
) -> Vec<Reason> {
    let mut reasons = threats(root, line.moves[0]);
    reasons.extend(proven.map(Reason::Proven));
    reasons.extend(forced(root, &line.moves, is_due));
    reasons.push(Reason::Minimax { depth, value: line.value.into() });
    reasons
}

/// Reasons about the threats of both sides.
pub(crate) fn threats<M: Move>(root: &dyn BoardRoot<M>, m: M) -> Vec<Reason> {
    let here = root.walk();
    let (side, opponent) = (here.turn(), here.turn().other());
    let after = after(&*here, m);
    match after.outcome() {
        Some(Outcome::Win(winner)) if winner == side => return vec![Reason::Win],
        Some(_) => return Vec::new(),
        None => {}
    }
    let mut reasons = Vec::new();
    let dangers = root.threats_after(&[], opponent);
    if !dangers.is_empty() {
        if root.threats_after(&[m], opponent).is_empty() {
            reasons.push(Reason::Answer { lines: winning_lines(root, &dangers), cells: dangers });
        } else if safe_moves(&*here).is_empty() {
            reasons.push(Reason::CannotAnswer { lines: winning_lines(root, &dangers), cells: dangers });
        }
    }
    let cells = root.threats_after(&[m], side);
    if cells.len() > 1 && safe_moves(&*after).is_empty() {
        reasons.push(Reason::DoubleThreat { cells });
    } else if !cells.is_empty() {
        reasons.push(Reason::Threat { cells });
    }
    reasons
}

/// For each of these cells, the line that the side not to move would complete there if it were its turn.
fn winning_lines<M: Move>(root: &dyn BoardRoot<M>, cells: &[Cell]) -> Vec<Vec<Cell>> {
    let here = root.walk();
    let mut missing = cells.to_vec();
    let mut lines = Vec::new();
    // A move that decides the game or stands in the way shows nothing; after most moves all lines show.
    for m in here.legal_moves() {
        let passed = after(&*here, m);
        if missing.is_empty() {
            break;
        }
        for reply in passed.legal_moves() {
            if after(&*passed, reply).outcome() == Some(Outcome::Win(passed.turn()))
                && let Some((to, line)) = root.line_after(&[m, reply])
                && let Some(at) = missing.iter().position(|&cell| cell == to)
            {
                missing.remove(at);
                lines.push(line);
            }
        }
    }
    lines
}

/// The moves after which the side to move has won or the opponent cannot win at once.
fn safe_moves<M: Move>(here: &dyn Walk<M>) -> Vec<M> {
    let is_safe = |&m: &M| {
        let after = after(here, m);
        match after.outcome() {
            Some(outcome) => outcome != Outcome::Win(after.turn()),
            None => after.win().is_none(),
        }
    };
    here.legal_moves().into_iter().filter(is_safe).collect()
}

/// The start of a line in which the opponent never has more than one reply that does not lose at once, if it
/// contains such a reply. Stops when `is_due`.
pub(crate) fn forced<M: Move>(
    root: &dyn BoardRoot<M>,
    line: &[M],
    is_due: &dyn Fn() -> bool,
) -> Option<Reason> {
    let mut here = root.walk();
    let mut length = 0;
    for (i, &m) in line.iter().enumerate() {
        if is_due() {
            break;
        }
        if i % 2 == 1 {
            let safe = safe_moves(&*here);
            if safe.len() > 1 || safe.first().is_some_and(|&only| only != m) {
                break;
            }
        }
        // The line ends with a forced reply, or with the end of the game.
        length = if i % 2 == 1 { i + 1 } else { length };
        here.step(m);
        if here.outcome().is_some() {
            length = i + 1;
            break;
        }
    }
    let moves = line[..length].iter().map(ToString::to_string).collect();
    (length > 1).then_some(Reason::Forced { moves })
}

/// Compares the best move with the second best: the largest differences between the evaluation terms at the
/// ends of their lines.
pub(crate) fn compare<M: Move>(root: &dyn BoardRoot<M>, best: &Line<M>, second: &Line<M>) -> Reason {
    // Proven results say it all.
    let is_proven = best.proven().is_some() || second.proven().is_some();
    let [kept, given_up] =
        [best, second].map(|line| if is_proven { None } else { points(root, &line.moves) });
    let mut changes = match (kept, given_up) {
        (Some(kept), Some(given_up)) => differences(&kept, &given_up),
        _ => Vec::new(),
    };
    changes.truncate(MAX_CHANGES);
    Reason::SecondBest {
        moves: second.moves.iter().map(ToString::to_string).collect(),
        score: second.value.into(),
        proven: second.proven(),
        chance: Some(win_chance(second.value)),
        changes,
    }
}

/// The number of differences that are reported.
const MAX_CHANGES: usize = 3;

/// The evaluation terms of the position after a line, seen from the side that makes its first move; `None` if
/// the game is over there.
fn points<M: Move>(root: &dyn BoardRoot<M>, line: &[M]) -> Option<Vec<Change>> {
    let mut end = root.walk();
    let side = end.turn();
    for &m in line {
        end.step(m);
    }
    let sign = if end.turn() == side { 1 } else { -1 };
    let change = |term: crate::Term| Change { points: sign * term.points(), term: term.name };
    end.outcome().is_none().then(|| end.terms().into_iter().map(change).collect())
}

/// The terms in which two ends differ, the largest difference first.
fn differences(kept: &[Change], given_up: &[Change]) -> Vec<Change> {
    let of = |changes: &[Change], term: &str| {
        changes.iter().filter(|change| change.term == term).map(|change| change.points).sum::<i64>()
    };
    let mut terms: Vec<_> = kept.iter().chain(given_up).map(|change| &change.term).collect();
    sort_by_key(&mut terms, |&term| term);
    terms.dedup();
    let change =
        |term: &Cow<'static, str>| Change { points: of(kept, term) - of(given_up, term), term: term.clone() };
    let mut changes: Vec<_> = terms.into_iter().map(change).filter(|change| change.points != 0).collect();
    sort_by_key(&mut changes, |change| std::cmp::Reverse(change.points.abs()));
    changes
}

#[cfg(test)]
mod tests {
    use rules::{ChessFive, ConnectFour, Fixed, Simplexity, TicTacToe};

    use super::*;
    use crate::{
        eval::{BoardEvaluator as _, Evaluator as _, HasPlayers},
        samples::games,
        search::Root,
    };

    /// Checks that the threats of the side to move are the destinations of its winning moves.
    fn check_threats<P: HasPlayers>(start: &P) {
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
    fn threats_match_the_rules() {
        check_threats(&TicTacToe::default());
        check_threats(&ConnectFour::new(Fixed::<6, 7, 4>));
        check_threats(&Simplexity::new(Fixed::<6, 7, 4>, [10, 11]));
        check_threats(&Simplexity::new(Fixed::<4, 5, 3>, [2, 12]));
        check_threats(&ChessFive::default());
    }

    /// Checks that the changes add up to the difference of the two evaluations.
    fn check_changes<P: HasPlayers>(start: &P) {
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
        check_changes(&ConnectFour::new(Fixed::<6, 7, 4>));
        check_changes(&Simplexity::new(Fixed::<6, 7, 4>, [10, 11]));
        check_changes(&ChessFive::default());
    }
}
