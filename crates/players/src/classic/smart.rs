//! `smart`: the Connect Four player that searches to a fixed depth.
//!
//! Its answers are those of plain minimax; alpha-beta pruning does not change them. The
//! order of moves breaks ties: at the player's nodes from the right, at the opponent's from the left,
//! and only a strictly better value replaces an earlier one.

use rules::{Bits, Cell, Column, ConnectFour, Direction, Game, Geometry, Outcome, Position, Side, runs};

use super::{
    Greedy,
    deepening::{Interrupt, deepen},
};
use crate::{Player, Reason, Stop, Stopped, Thought};

pub(crate) struct Smart {
    pub(crate) depth: u32,
}

/// The value of a won game.
const WIN: i64 = 1000;
/// The value of a row that can be completed at both ends.
const OPEN_ROW: i64 = 500;

impl<G: Geometry> Player<ConnectFour<G>> for Smart {
    fn choose(&mut self, game: &Game<ConnectFour<G>>, stop: &Stop) -> Result<Thought<Column>, Stopped> {
        let position = game.position();
        let interrupt = Interrupt::by_cancel(stop);
        let mut search = Search { heuristic: Heuristic::new(position), interrupt, nodes: 0 };
        let (depth, (value, mut line)) = deepen(self.depth, stop, |depth, interrupt| {
            search.interrupt = interrupt;
            search.value(position, depth, i64::MIN, i64::MAX)
        })?;
        line.reverse();
        let column = *line.first().expect("the game is not over");

        let minimax = Reason::Minimax { depth, value };
        let mut thought = if value == -WIN {
            let mut thought = Greedy.choose(game, stop)?;
            thought.reasons.splice(..0, [minimax, Reason::AllLose]);
            thought
        } else {
            Thought { line, ..Thought::new(column, vec![column], vec![minimax]) }
        };
        thought.score = Some(value);
        thought.nodes = search.nodes;
        thought.depth = Some(depth);
        Ok(thought)
    }
}

struct Search<'a, G: Geometry> {
    heuristic: Heuristic<G>,
    interrupt: Interrupt<'a>,
    nodes: u64,
}

impl<G: Geometry> Search<'_, G> {
    /// The value for the player, exact if it is within the bounds, and the line to it, last move first.
    fn value(
        &mut self,
        position: &ConnectFour<G>,
        depth: u32,
        mut alpha: i64,
        mut beta: i64,
    ) -> Result<(i64, Vec<Column>), Stopped> {
        self.interrupt.check()?;
        self.nodes += 1;
        if depth == 0 || position.outcome().is_some() {
            return Ok((self.heuristic.value(position), Vec::new()));
        }
        let side = position.turn();
        let is_player = side == self.heuristic.player;

        let wins = |&column: &Column| position.after(column).outcome() == Some(Outcome::Win(side));
        if let Some(column) = position.legal_moves().find(wins) {
            return Ok((if is_player { WIN } else { -WIN }, vec![column]));
        }

        let mut best = (if is_player { i64::MIN } else { i64::MAX }, Vec::new());
        for index in 0..position.geometry().cols() {
            let column = Column::new(if is_player { position.geometry().cols() - 1 - index } else { index });
            if !position.is_legal(column) {
                continue;
            }
            let (value, mut line) = self.value(&position.after(column), depth - 1, alpha, beta)?;
            let better = if is_player { value > best.0 } else { value < best.0 };
            if better {
                line.push(column);
                best = (value, line);
                if is_player {
                    alpha = alpha.max(value);
                } else {
                    beta = beta.min(value);
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }
}

/// Counts pieces in the windows of RUN cells that only one side holds.
struct Heuristic<G: Geometry> {
    player: Side,
    geometry: G,
    board: G::Bits,
    bottom: G::Bits,
}

impl<G: Geometry> Heuristic<G> {
    /// Creates the heuristic for the side to move.
    fn new(position: &ConnectFour<G>) -> Self {
        let geometry = position.geometry();
        let set = |rows: u8| {
            let cells =
                (0..geometry.cols()).flat_map(|column| (0..rows).map(move |row| Cell::new(column, row)));
            cells.fold(G::Bits::ZERO, |set, cell| set | G::Bits::bit(geometry.index(cell)))
        };
        Self { player: position.turn(), geometry, board: set(geometry.rows()), bottom: set(1) }
    }

    fn value(&self, position: &ConnectFour<G>) -> i64 {
        let own = position.stones(self.player);
        let opponent = position.stones(self.player.other());
        if let Some(Outcome::Win(winner)) = position.outcome() {
            return if winner == self.player { WIN } else { -WIN };
        }
        let windows = i64::from(self.in_windows(own, opponent)) - i64::from(self.in_windows(opponent, own));
        windows + self.open_row(position)
    }

    /// The number of pieces of `set` in each window without pieces of `others`, summed.
    #[inline]
    fn in_windows(&self, set: G::Bits, others: G::Bits) -> u32 {
        let run = self.geometry.run();
        let possible = self.board & !others;
        let in_direction = |direction: Direction| {
            let step = direction.step(self.geometry);
            let windows = runs::starts(possible, step, run);
            (0..u32::from(run)).map(|i| (windows & set >> (i * step)).count()).sum::<u32>()
        };
        let directions = Direction::ALL.into_iter().filter(|direction| direction.fits(self.geometry, run));
        directions.map(in_direction).sum()
    }

    /// The first row of RUN − 1 pieces, from the top and from the left, that either side can complete
    /// at both ends at once.
    fn open_row(&self, position: &ConnectFour<G>) -> i64 {
        let run = self.geometry.run();
        if self.geometry.cols() <= run {
            return 0;
        }
        let step = Direction::Horizontal.step(self.geometry);
        let occupied = position.occupied();
        // Empty cells with a piece, or the floor, below.
        let landings = (occupied << 1 | self.bottom) & self.board & !occupied;
        let ends = landings & landings >> (step * u32::from(run));
        if ends.is_empty() {
            return 0;
        }
        let first = |side: Side| {
            let mut starts = ends & runs::starts(position.stones(side), step, run - 1) >> step;
            let mut first = None;
            while let Some(start) = starts.lowest() {
                starts = starts & !G::Bits::bit(start);
                let cell = self.geometry.cell(start);
                // Columns are visited from the left, so a later one must be higher.
                if first.is_none_or(|first: Cell| cell.row > first.row) {
                    first = Some(cell);
                }
            }
            first
        };
        let rank = |cell: Cell| (cell.row, u8::MAX - cell.column);
        let own = first(self.player).map(rank);
        let opponent = first(self.player.other()).map(rank);
        match own.cmp(&opponent) {
            std::cmp::Ordering::Greater => OPEN_ROW,
            std::cmp::Ordering::Less => -OPEN_ROW,
            std::cmp::Ordering::Equal => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::{AnyGame, Medium, Small, Spec, Standard};
    use serde_json::Value;

    use super::*;

    fn heuristic<G: Geometry>(game: &AnyGame) -> Option<i64> {
        let position = game.typed::<ConnectFour<G>>()?.position();
        Some(Heuristic::new(position).value(position))
    }

    #[test]
    fn the_heuristic_matches_the_original() {
        for line in include_str!("../../tests/golden/connect_four_ratlla.jsonl").lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let mut game = AnyGame::from(case["game"].as_str().unwrap().parse::<Spec>().unwrap());
            game.set_position(case["position"].as_str().unwrap()).unwrap();
            let value = heuristic::<Standard>(&game)
                .or_else(|| heuristic::<Small>(&game))
                .or_else(|| heuristic::<Medium>(&game));
            assert_eq!(value, case["value"].as_i64(), "{line}");
        }
    }
}
