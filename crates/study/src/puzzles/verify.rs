//! Verifies puzzles independently of the maker, and more slowly: plain searches on the rules, without the solver and
//! without the maker's windows and move order.

use std::{collections::HashMap, fmt};

use rules::{AnyPosition, Cell, Direction, Outcome, Side};

use super::{Goal, Puzzle};

/// A fault of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The ply of the solution, from 0.
    pub ply: usize,
    /// The moves that keep the result there; in a sound puzzle only the move of the solution.
    pub keeping: Vec<String>,
    /// The move of the solution.
    pub expected: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { ply, keeping, expected } = self;
        let keeping = if keeping.is_empty() { "no move".to_owned() } else { keeping.join(" ") };
        write!(f, "at ply {ply} of the solution {keeping} keeps the result; expected {expected} alone")
    }
}

/// Verifies that the solution is the only one at each of the solver's moves.
///
/// # Errors
/// The first flaw.
pub fn verify(puzzle: &Puzzle) -> Result<(), Flaw> {
    let mut game = puzzle.game();
    let solver = game.turn();
    for (ply, m) in puzzle.solution.iter().enumerate() {
        if ply % 2 == 0 {
            let left = puzzle.depth.saturating_sub(ply as u32);
            let to_the_end = left >= game.plies_left().into();
            let by_threats = !game.info().falls && !to_the_end;
            let keeping = keeping(&AnyPosition::of(&game), puzzle.goal, left, to_the_end, by_threats);
            if keeping != [m.as_str()] {
                return Err(Flaw { ply, keeping, expected: m.clone() });
            }
        }
        game.play(m).expect("the moves of a puzzle are legal");
    }
    // A win that ends the game is the solver's.
    match game.outcome() {
        Some(Outcome::Win(side)) if side != solver => {
            let expected = puzzle.solution[puzzle.solution.len() - 1].clone();
            Err(Flaw { ply: puzzle.solution.len(), keeping: Vec::new(), expected })
        }
        _ => Ok(()),
    }
}

/// The moves that reach the goal.
fn keeping(
    position: &AnyPosition,
    goal: Goal,
    plies: u32,
    to_the_end: bool,
    by_threats: bool,
) -> Vec<String> {
    let side = position.turn();
    let mut minimax = Minimax::default();
    let mut plain = Plain { by_threats, decided: vec![None; plies as usize] };
    let mut reaches = |m: usize| {
        let after = position.after(m);
        match (goal, to_the_end) {
            (Goal::Win, true) => minimax.value(after, side, 0, 1) == 1,
            (Goal::Hold, true) => minimax.value(after, side, -1, 0) == 0,
            (Goal::Win, false) => {
                plain.is_attack(&after, m, side, plies) && plain.forces(&after, side, plies - 1)
            }
            (Goal::Hold, false) => !plain.forces(&after, side.other(), plies - 1),
        }
    };
    let mut moves = position.legal_moves();
    moves.retain(|&m| reaches(m));
    moves.into_iter().map(|m| position.move_text(m)).collect()
}

/// A search that tries all moves, or only fours and threes of the attacker.
struct Plain {
    by_threats: bool,
    /// By the number of plies left: the move that decided the last such position, tried first in the next one.
    decided: Vec<Option<usize>>,
}

impl Plain {
    /// Whether a side forces a win within these plies.
    fn forces(&mut self, position: &AnyPosition, attacker: Side, plies: u32) -> bool {
        match position.outcome() {
            Some(outcome) => return outcome == Outcome::Win(attacker),
            None if plies == 0 => return false,
            None => {}
        }
        let attacks = position.turn() == attacker;
        let first = self.decided[plies as usize].filter(|&first| position.is_legal(first));
        let mut decides = |&m: &usize| {
            let after = position.after(m);
            if attacks && !self.is_attack(&after, m, attacker, plies) {
                return false;
            }
            self.forces(&after, attacker, plies - 1) == attacks
        };
        let ends = |outcome| (outcome == Some(Outcome::Win(attacker))) == attacks;
        let decisive = first.filter(&mut decides).or_else(|| match plies {
            1 => position.find_move(&ends),
            _ => position.legal_moves().into_iter().find(decides),
        });
        if decisive.is_some() {
            self.decided[plies as usize] = decisive;
        }
        decisive.is_some() == attacks
    }

    fn is_attack(&self, after: &AnyPosition, m: usize, side: Side, plies: u32) -> bool {
        !self.by_threats || plies < 2 || makes_three(after, m, side)
    }
}

/// Whether the piece that has just been placed is one of three or more in a stretch of five cells that the other side
/// has no piece in, or blocks the other side's four there.
fn makes_three(after: &AnyPosition, m: usize, side: Side) -> bool {
    let run = usize::from(after.info().size.run.usual);
    let (rows, cols) = after.size();
    let Some(&cell) = after.touched(m).first() else { return false };
    Direction::ALL.into_iter().any(|direction| {
        let (right, up) = direction.delta();
        let steps = 1 - run as i16..run as i16;
        // What is on the cells that share a stretch with this one in the direction; `None` outside the board.
        let line = steps.map(|i| {
            let column = i16::from(cell.column) + i * i16::from(right);
            let row = i16::from(cell.row) + i * i16::from(up);
            let is_inside = (0..i16::from(cols)).contains(&column) && (0..i16::from(rows)).contains(&row);
            is_inside.then(|| after.piece(Cell::new(column as u8, row as u8)).map(|piece| piece.side))
        });
        let line: Vec<_> = line.collect();
        line.windows(run).any(|stretch| {
            let count = |of: Side| stretch.iter().filter(|&&on| on == Some(Some(of))).count();
            let (own, other) = (count(side), count(side.other()));
            !stretch.contains(&None) && (own >= run - 2 && other == 0 || own == 1 && other == run - 1)
        })
    })
}

/// Plain minimax to the end of the game: 1 if a side wins, 0 for a draw, −1 if it loses.
#[derive(Default)]
struct Minimax {
    /// Bounds of the values that are known, for the side to move.
    known: HashMap<AnyPosition, (i8, i8)>,
}

impl Minimax {
    /// The value for a side, exact within the two bounds.
    fn value(&mut self, position: AnyPosition, side: Side, least: i8, most: i8) -> i8 {
        if position.turn() == side {
            self.negamax(position, least, most)
        } else {
            -self.negamax(position, -most, -least)
        }
    }

    fn negamax(&mut self, position: AnyPosition, least: i8, most: i8) -> i8 {
        let wins = |outcome| outcome == Some(Outcome::Win(position.turn()));
        match position.outcome() {
            Some(Outcome::Draw) => return 0,
            outcome @ Some(Outcome::Win(_)) => return if wins(outcome) { 1 } else { -1 },
            None if position.find_move(&wins).is_some() => return 1,
            None => {}
        }
        let (low, high) = self.known.get(&position).copied().unwrap_or((-1, 1));
        let (least_before, most) = (least.max(low), most.min(high));
        let mut least = least_before;
        if least >= most {
            return if low >= most { low } else { high };
        }
        let mut best = -1;
        // From the middle outwards: the first and the last move come last.
        let moves = position.legal_moves();
        let count = moves.len();
        for i in (0..count).rev() {
            let m = moves[if i % 2 == 0 { count - 1 - i / 2 } else { i / 2 }];
            best = best.max(-self.negamax(position.after(m), -most, -least));
            least = least.max(best);
            if least >= most {
                break;
            }
        }
        let bounds = if best <= least_before {
            (low, best.min(high))
        } else if best >= most {
            (best.max(low), high)
        } else {
            (best, best)
        };
        self.known.insert(position, bounds);
        best
    }
}

#[cfg(test)]
mod tests {
    use rules::{AnyGame, Spec};

    use super::*;

    /// The same without any order or memory.
    fn forces(position: &AnyPosition, attacker: Side, plies: u32) -> bool {
        match position.outcome() {
            Some(outcome) => outcome == Outcome::Win(attacker),
            None if plies == 0 => false,
            None => {
                let attacks = position.turn() == attacker;
                let decisive = |m| forces(&position.after(m), attacker, plies - 1) == attacks;
                position.legal_moves().into_iter().any(decisive) == attacks
            }
        }
    }

    /// Checks that both searches agree about which sides force a win; returns how many do.
    fn compare(position: &AnyPosition, plies: u32) -> usize {
        let mut plain = Plain { by_threats: false, decided: vec![None; plies as usize + 1] };
        let wins = |side: &Side| {
            let expected = forces(position, *side, plies);
            assert_eq!(plain.forces(position, *side, plies), expected, "{position:?}, {plies} plies");
            expected
        };
        Side::BOTH.iter().copied().filter(wins).count()
    }

    #[test]
    fn the_order_of_moves_changes_no_result() {
        let mut rng = fastrand::Rng::with_seed(1);
        for spec in ["connect-four:4x4x3", "simplexity:4x4x3", "gomoku:4x4x3"] {
            let spec: Spec = spec.parse().unwrap();
            let mut won = 0;
            for _ in 0..60 {
                let mut game = AnyGame::from(spec);
                for _ in 0..rng.u8(..8) {
                    let moves = game.legal_moves();
                    let Some(m) = rng.choice(moves) else { break };
                    game.play(&m).unwrap();
                }
                let plies = rng.u32(..=4);
                won += compare(&AnyPosition::of(&game), plies);
            }
            assert!((10..110).contains(&won), "{spec}: {won} of 120 are won");
        }
    }

    /// Whether the first player's last stone makes a three or blocks a four, on a board with these other stones.
    fn makes_three_at(own: &str, others: &str, last: &str) -> bool {
        let mut game = AnyGame::from("gomoku".parse::<Spec>().unwrap());
        // Stones that share no stretch with any other make the numbers equal.
        let [own, others]: [Vec<_>; 2] = [own, others].map(|cells| cells.split(' ').collect());
        let far = ["a15", "c13", "f15", "i14", "l15", "o13"];
        let (mut spare, count) = (far.iter(), own.len().max(others.len()));
        for i in 0..count {
            for stones in [&own, &others] {
                let stone = stones.get(i).or_else(|| spare.next()).unwrap();
                game.play(stone).unwrap();
            }
        }
        let position = AnyPosition::of(&game);
        let m = position.legal_moves().into_iter().find(|&m| position.move_text(m) == last).unwrap();
        makes_three(&position.after(m), m, Side::First)
    }

    #[test]
    fn a_three_is_in_a_stretch_of_five_without_the_other_side() {
        for (own, others, last, expected) in [
            ("h8 i8", "b1 d1", "j8", true),
            ("h8 i8", "b1 d1", "l8", true),
            ("h8 l8", "b1 d1", "j8", true),
            ("i8 l8", "b1 d1", "h8", true),
            ("h8 i8", "b1 d1", "m8", false),
            ("h8 m8", "b1 d1", "j8", false),
            ("h8", "b1", "j8", false),
            ("h8 i8", "j8 b1", "k8", false),
            ("a8 b8", "o1 m1", "c8", true),
            ("a8 b8", "d8 o1", "c8", false),
            ("m8 n8", "l8 b1", "o8", false),
            ("h7 h9", "b1 d1", "h8", true),
            ("h1 h2", "o5 o7", "h3", true),
            ("h1 h2", "h4 o7", "h3", false),
            ("h8 i9", "b1 d1", "k11", true),
            ("h8 i7", "b1 d1", "k5", true),
            ("h8 i7", "b1 d1", "m3", false),
            ("a5 c5 c6", "b1 d1 o9", "b6", false),
            // Four stones of the other side, open at one cell or both, or with a gap.
            ("b1", "h8 i8 j8 k8", "l8", true),
            ("b1", "h8 i8 k8 l8", "j8", true),
            ("b1", "h8 i8 j8 k8", "m8", false),
            ("b1", "h8 i8 j8", "k8", false),
            ("g8", "h8 i8 j8 k8", "l8", true),
            ("b1", "a1 c2 d3 e4", "f5", false),
            ("a9", "b2 c3 d4 e5", "f6", true),
        ] {
            assert_eq!(makes_three_at(own, others, last), expected, "{own} – {others}: {last}");
        }
    }

    #[test]
    fn minimax_is_exact_within_its_bounds() {
        let value = |moves: &str, least, most| {
            let mut game = AnyGame::from("tic-tac-toe".parse::<Spec>().unwrap());
            game.play_all(moves).unwrap();
            let position = AnyPosition::of(&game);
            Side::BOTH.map(|side| Minimax::default().value(position.clone(), side, least, most))
        };
        for (moves, first) in
            [("", 0), ("a1 b1", 1), ("a1 c3 a3 a2 c1", 1), ("b2 b1 c3 a1", 1), ("a1 b2 c3 a3 b1", -1)]
        {
            assert_eq!(value(moves, -1, 1), [first, -first], "{moves}");
        }
        // A narrow window tells on which side of it the value lies.
        assert_eq!(value("a1 b1", 0, 1)[0], 1);
        assert!(value("a1 b1", -1, 0)[0] >= 0);
        assert!(value("a1 b2 c3 a3 b1", -1, 0)[0] <= -1);
    }

    #[test]
    fn a_flaw_names_the_moves_that_keep_the_result() {
        for (keeping, text) in [
            (&[][..], "at ply 2 of the solution no move keeps the result; expected b2 alone"),
            (&["a1", "c3"], "at ply 2 of the solution a1 c3 keeps the result; expected b2 alone"),
        ] {
            let keeping = keeping.iter().copied().map(str::to_owned).collect();
            let flaw = Flaw { ply: 2, keeping, expected: "b2".to_owned() };
            assert_eq!(flaw.to_string(), text);
        }
    }
}
