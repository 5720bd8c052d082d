//! `oizys`: the Simplexity player that searches by negamax and evaluates corridors.

use rules::{Bits, Cell, Direction, Drop, Game, Geometry, Huge, Outcome, Position, Shape, Simplexity, runs};

use super::deepening::{Interrupt, deepen};
use crate::{Player, Proof, Proven, Reason, Stop, Stopped, Term, Thought, any_size::of_any_size};

pub(crate) struct Oizys {
    pub(crate) depth: u32,
}

/// The infinity of the original document: more than any heuristic value.
const WIN: i64 = 1_000_000_000;

impl<G: Geometry> Player<Simplexity<G>> for Oizys {
    fn choose(&mut self, game: &Game<Simplexity<G>>, stop: &Stop) -> Result<Thought<Drop>, Stopped> {
        let position = game.position();
        let interrupt = Interrupt::by_cancel(stop);
        let mut search =
            Search { corridors: Corridors::new(of_any_size(position.geometry())), interrupt, nodes: 0 };
        let (depth, (value, mut line)) = deepen(self.depth, stop, |depth, interrupt| {
            search.interrupt = interrupt;
            search.value(position, depth, -WIN, WIN)
        })?;
        let reason = if line.is_empty() {
            // Every move loses: take the first legal one.
            line.extend(position.legal_moves().next());
            Reason::AllLose
        } else if value == WIN {
            let drop = *line.last().expect("a line is not empty");
            search.interrupt = Interrupt::by_move_now(stop);
            let plies = search.plies_to_win(&position.after(drop), depth);
            Reason::Proven(Proven { result: Proof::Win, plies })
        } else {
            Reason::Minimax { depth, value }
        };
        line.reverse();
        let drop = *line.first().expect("the game is not over");
        let mut reasons = vec![reason];
        let expected = line.iter().fold(position.clone(), |position, &drop| position.after(drop));
        if matches!(reasons[0], Reason::Minimax { .. }) && expected.outcome().is_none() {
            reasons.push(search.corridors.reason(&expected));
        }
        Ok(Thought {
            score: Some(value),
            line,
            nodes: search.nodes,
            depth: Some(depth),
            ..Thought::new(drop, vec![drop], reasons)
        })
    }
}

struct Search<'a> {
    corridors: Corridors,
    interrupt: Interrupt<'a>,
    nodes: u64,
}

impl Search<'_> {
    /// Number of plies in which the move that led to this position wins, at most `within`. The line of the search is
    /// too short for that: it ends where every reply loses.
    fn plies_to_win<G: Geometry>(&mut self, after: &Simplexity<G>, within: u32) -> u32 {
        let wins =
            |plies: &u32| matches!(self.value(after, plies - 1, -WIN, WIN), Ok((value, _)) if value == -WIN);
        (1..within).find(wins).unwrap_or(within)
    }

    /// The value for the side to move, exact if it is within the bounds, and the line to it, last move
    /// first. The first of equal values is kept.
    fn value<G: Geometry>(
        &mut self,
        position: &Simplexity<G>,
        depth: u32,
        alpha: i64,
        beta: i64,
    ) -> Result<(i64, Vec<Drop>), Stopped> {
        self.interrupt.check()?;
        self.nodes += 1;
        match position.outcome() {
            Some(Outcome::Draw) => return Ok((0, Vec::new())),
            Some(Outcome::Win(winner)) => {
                return Ok((if winner == position.turn() { WIN } else { -WIN }, Vec::new()));
            }
            None if depth == 0 => return Ok((self.corridors.value(position), Vec::new())),
            None => {}
        }
        let mut best = (alpha, Vec::new());
        for drop in position.legal_moves() {
            let (value, mut line) = self.value(&position.after(drop), depth - 1, -beta, -best.0)?;
            if -value > best.0 {
                line.push(drop);
                best = (-value, line);
                if best.0 >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }
}

/// Every whole row, column and diagonal of at least RUN cells, as bit indices.
struct Corridors(Vec<Vec<u32>>);

impl Corridors {
    fn new(geometry: Huge) -> Self {
        let (rows, cols) = (geometry.rows(), geometry.cols());
        let bottom = (0..cols).map(|column| Cell::new(column, 0));
        let left = (0..rows).map(|row| Cell::new(0, row));
        let right = (0..rows).map(|row| Cell::new(cols - 1, row));
        let walk = |delta| {
            move |start| {
                let next = move |&cell: &Cell| runs::neighbour(geometry, cell, delta);
                std::iter::successors(Some(start), next).map(|cell| geometry.index(cell)).collect()
            }
        };
        // Falling diagonals are walked upwards, to the left.
        let (columns, rows) = Direction::Falling.delta();
        let upwards = (-columns, -rows);
        let corridors = (left.clone().map(walk(Direction::Horizontal.delta())))
            .chain(bottom.clone().map(walk(Direction::Vertical.delta())))
            .chain(bottom.clone().chain(left.skip(1)).map(walk(Direction::Rising.delta())))
            .chain(bottom.chain(right.skip(1)).map(walk(upwards)));
        let run = usize::from(geometry.run());
        Self(corridors.filter(|corridor: &Vec<u32>| corridor.len() >= run).collect())
    }

    /// The heuristic of the original document for the side to move.
    fn value<G: Geometry>(&self, position: &Simplexity<G>) -> i64 {
        self.counts(position).into_iter().zip(TERMS).map(|(count, (_, weight))| count * weight).sum()
    }

    /// The heuristic, term by term.
    fn reason<G: Geometry>(&self, position: &Simplexity<G>) -> Reason {
        let counted = self.counts(position).into_iter().zip(TERMS);
        let terms: Vec<_> =
            counted.map(|(count, (name, weight))| Term { name: name.into(), count, weight }).collect();
        let value = terms.iter().map(Term::points).sum();
        Reason::Corridors { side: position.turn(), value, terms }
    }

    /// How often each of the [`TERMS`] occurs, for the side to move. A piece counts once in each corridor.
    fn counts<G: Geometry>(&self, position: &Simplexity<G>) -> [i64; TERMS.len()] {
        let side = position.turn();
        let run = u32::from(position.geometry().run());
        let (occupied, colour) = (position.occupied(), position.colour(side));
        let shape = position.shape(Shape::of(side));
        let [mut own, mut own_shape, mut own_colour, mut other, mut one_missing, mut two_missing] = [0; 6];
        for corridor in &self.0 {
            let (mut sequence, mut range) = (0, 0);
            for &cell in corridor {
                range += 1;
                if !occupied.has(cell) {
                    continue;
                }
                match (shape.has(cell), colour.has(cell)) {
                    (true, true) => {
                        own += 1;
                        sequence += 1;
                    }
                    (true, false) => own_shape += 1,
                    (false, true) => own_colour += 1,
                    (false, false) => {
                        other += 1;
                        if range < run {
                            sequence = 0;
                        }
                        range = 0;
                    }
                }
                if range == run {
                    if sequence == run - 1 {
                        one_missing += 1;
                    } else if sequence == run - 2 {
                        two_missing += 1;
                    }
                }
            }
        }
        [own, own_shape, own_colour, other, one_missing, two_missing]
    }
}

/// What the heuristic counts along a corridor, and its points: pieces of own shape and colour, of own shape only,
/// of own colour only, of neither; own pieces in a range of RUN cells with one missing, with two missing.
const TERMS: [(&str, i64); 6] = [
    ("corridor-own", 2),
    ("corridor-shape", 1),
    ("corridor-colour", -1),
    ("corridor-other", -2),
    ("corridor-one-missing", 10),
    ("corridor-two-missing", 5),
];

#[cfg(test)]
mod tests {
    use rules::{AnyGame, Large, Medium, Small, Spec, Standard};
    use serde_json::Value;

    use super::*;
    use crate::samples::{games, loss_in};

    fn heuristic<G: Geometry>(game: &AnyGame) -> Option<i64> {
        let position = game.typed::<Simplexity<G>>()?.position();
        Some(Corridors::new(of_any_size(position.geometry())).value(position))
    }

    #[test]
    fn the_heuristic_matches_the_document() {
        for line in include_str!("../../tests/golden/simplexity_oizys.jsonl").lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let mut game = AnyGame::from(case["game"].as_str().unwrap().parse::<Spec>().unwrap());
            game.play_all(case["moves"].as_str().unwrap()).unwrap();
            let value = heuristic::<Standard>(&game)
                .or_else(|| heuristic::<Small>(&game))
                .or_else(|| heuristic::<Medium>(&game))
                .or_else(|| heuristic::<Large>(&game));
            assert_eq!(value, case["heuristic"].as_i64(), "{line}");
        }
    }

    /// The value of the search is that of the corridors at the end of its line, and a proved win comes true.
    #[test]
    fn the_reasons_explain_the_value() {
        let (mut explained, mut won) = (0, 0);
        for game in games(&Simplexity::new(Standard::default(), [10, 11]), 4, 60) {
            let position = game.position();
            for depth in 1..=4 {
                let thought = Oizys { depth }.choose(&game, &Stop::default()).unwrap();
                match &thought.reasons[..] {
                    [Reason::Minimax { value, .. }, Reason::Corridors { side, value: of_side, terms }] => {
                        let sign = if *side == position.turn() { 1 } else { -1 };
                        assert_eq!(*value, sign * of_side, "{thought:?}");
                        assert_eq!(*of_side, terms.iter().map(Term::points).sum::<i64>());
                        assert_eq!(thought.line.len(), depth as usize);
                        explained += 1;
                    }
                    [Reason::Proven(Proven { result: Proof::Win, plies })] => {
                        let after = position.after(thought.chosen);
                        let wins = match after.outcome() {
                            Some(outcome) => *plies == 1 && outcome == Outcome::Win(position.turn()),
                            None => loss_in(&after, plies - 1) && !loss_in(&after, plies - 2),
                        };
                        assert!(wins, "{thought:?} of {position:?}");
                        won += 1;
                    }
                    _ => {}
                }
            }
        }
        assert!(explained > 20 && won > 20, "{explained} explained, {won} won");
    }
}
