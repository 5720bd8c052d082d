//! The evaluator of games without one of their own: it knows the rules and counts unbroken lines.

use rules::{Board, Cell, Direction, Side};

use super::{
    evaluator::{BoardEvaluator, Evaluator, ScoredMove, Weight, winning_move},
    lines::{difference, sorted},
};

/// Evaluates any game of lines. Slow, because it asks the rules for everything.
#[allow(dead_code, reason = "unused while every game has an evaluator of its own")]
pub(crate) struct LineEvaluator;

#[allow(dead_code, reason = "as `LineEvaluator`")]
/// Unbroken lines of own pieces with an empty cell at one end, by their length.
const WEIGHTS: [Weight; 4] = [("pairs", 4), ("threes", 16), ("fours", 50), ("longer-lines", 100)];

#[allow(dead_code, reason = "as `LineEvaluator`")]
/// The number of a side's lines of each length; a line with two open ends counts twice.
fn lines<P: Board>(position: &P, side: Side) -> [i32; 4] {
    let at = |column: i16, row: i16| {
        let on_board = (0..i16::from(position.cols())).contains(&column)
            && (0..i16::from(position.rows())).contains(&row);
        on_board.then(|| position.piece(Cell::new(column as u8, row as u8)).map(|piece| piece.side))
    };
    let mut counts = [0; 4];
    for direction in Direction::ALL {
        let (columns, rows) = direction.delta();
        let step =
            |column: i16, row: i16, n: i16| (column + n * i16::from(columns), row + n * i16::from(rows));
        for column in 0..i16::from(position.cols()) {
            for row in 0..i16::from(position.rows()) {
                let own = |n| {
                    let (column, row) = step(column, row, n);
                    at(column, row) == Some(Some(side))
                };
                if !own(0) || own(-1) {
                    continue;
                }
                let length = (1..).find(|&n| !own(n)).expect("the board ends");
                let is_open = |n| {
                    let (column, row) = step(column, row, n);
                    at(column, row) == Some(None)
                };
                let open_ends = i32::from(is_open(-1)) + i32::from(is_open(length));
                if length > 1 {
                    counts[(length as usize - 2).min(3)] += open_ends;
                }
            }
        }
    }
    counts
}

impl<P: Board> Evaluator<P> for LineEvaluator {
    type Accumulator = ();

    fn new(_: &P) -> Self {
        Self
    }

    fn init(&self, _: &P) {}

    fn counts(&self, position: &P, (): &()) -> impl AsRef<[i32]> {
        difference(position.turn(), Side::BOTH.map(|side| lines(position, side)))
    }

    fn weights(&self, _: &P) -> &'static [Weight] {
        &WEIGHTS
    }

    fn generate(&self, position: &P, (): &(), moves: &mut Vec<ScoredMove<P::Move>>) {
        let is_safe = |m: &P::Move| winning_move(&position.after(*m)).is_none();
        moves.extend(position.legal_moves().filter(is_safe).map(ScoredMove::plain));
        if moves.is_empty() {
            moves.extend(position.legal_moves().map(ScoredMove::plain));
        }
    }
}

impl<P: Board> BoardEvaluator<P> for LineEvaluator {
    fn threats(&self, position: &P, side: Side) -> Vec<Cell> {
        if side != position.turn() {
            return Vec::new();
        }
        let after = |m| (m, position.after(m));
        let wins = |(_, after): &(P::Move, P)| after.outcome() == Some(rules::Outcome::Win(side));
        sorted(position.legal_moves().map(after).filter(wins).filter_map(|(m, after)| after.touched(m).pop()))
    }
}
