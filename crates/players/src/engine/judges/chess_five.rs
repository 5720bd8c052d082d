//! ChessFive: the 96 windows of five cells, who can still fill them, and how freely the pieces move.

use std::sync::LazyLock;

use rules::{
    Cell, ChessFive, ChessFiveMove, Chessboard, Chessman, Direction, Geometry, Position, Side, members, runs,
};

use crate::engine::{
    judge::{Judge, Urgency, Weight},
    lines::difference,
};

pub(crate) struct ChessFiveJudge;

/// All sets of five cells in a line.
static WINDOWS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut windows = Vec::new();
    for start in (0..64).map(|bit| Chessboard.cell(bit)) {
        for direction in Direction::ALL {
            let next = |&cell: &Cell| runs::neighbour(Chessboard, cell, direction.delta());
            let cells: Vec<_> = std::iter::successors(Some(start), next).take(5).collect();
            if cells.len() == 5 {
                windows.push(cells.iter().map(|&cell| 1 << Chessboard.index(cell)).sum());
            }
        }
    }
    windows
});

/// Windows of five cells without rival pieces, by how many are missing; then how many moves there are.
const WEIGHTS: [Weight; 5] =
    [("one-missing", 90), ("two-missing", 26), ("three-missing", 6), ("more-missing", 1), ("mobility", 1)];

impl ChessFiveJudge {
    /// The empty cells that would complete a line of a side, each with the pieces already in it.
    fn gaps(position: &ChessFive, side: Side) -> impl Iterator<Item = (u32, u64)> {
        let own = position.pieces(side);
        let occupied = position.occupied();
        WINDOWS.iter().filter_map(move |&window| {
            let gap = window & !own;
            let is_gap = gap.is_power_of_two() && gap & occupied == 0;
            is_gap.then(|| (gap.trailing_zeros(), window & own))
        })
    }

    /// A move with which a side would win if it were its turn.
    fn win(position: &ChessFive, side: Side) -> Option<ChessFiveMove> {
        let occupied = position.occupied();
        Self::gaps(position, side).find_map(|(gap, line)| {
            let to = Chessboard.cell(gap);
            if !position.is_chess_phase() {
                let man = Chessman::ALL.into_iter().find(|&man| position.in_hand(side, man) > 0)?;
                let falls_there = Chessboard.height(occupied, to.column) == to.row;
                return falls_there.then_some(ChessFiveMove::Drop { man, column: to.column });
            }
            // The fifth piece is not one of the four.
            Chessman::ALL.into_iter().find_map(|man| {
                let others = position.men(man) & position.pieces(side) & !line;
                // Who reaches the gap is who could be reached from there.
                let from = members(others & man.attacks(gap, occupied)).next()?;
                Some(ChessFiveMove::Step { from: Chessboard.cell(from), to })
            })
        })
    }

    fn counts_of(position: &ChessFive, side: Side) -> [i32; 5] {
        let (own, rival) = (position.pieces(side), position.pieces(side.other()));
        let mut counts = [0, 0, 0, 0, position.mobility(side) as i32];
        for window in WINDOWS.iter().filter(|&&window| window & rival == 0) {
            if let Some(missing @ 1..=4) = 5_u32.checked_sub((window & own).count_ones()) {
                counts[missing as usize - 1] += 1;
            }
        }
        counts
    }
}

impl Judge<ChessFive> for ChessFiveJudge {
    #[inline]
    fn counts(&self, position: &ChessFive) -> impl AsRef<[i32]> {
        let side = position.turn();
        difference(Self::counts_of(position, side), Self::counts_of(position, side.other()))
    }

    #[inline]
    fn weights(&self, _: &ChessFive) -> &'static [Weight] {
        &WEIGHTS
    }

    fn winning_move(&self, position: &ChessFive) -> Option<ChessFiveMove> {
        Self::win(position, position.turn())
    }

    fn candidates(&self, position: &ChessFive, moves: &mut Vec<ChessFiveMove>) -> Urgency {
        let rival = position.turn().other();
        moves.extend(position.legal_moves());
        if Self::win(position, rival).is_none() {
            return Urgency::Quiet;
        }
        let holds = |m: &ChessFiveMove| Self::win(&position.after(*m), rival).is_none();
        let holding: Vec<_> = moves.iter().copied().filter(holds).collect();
        if !holding.is_empty() {
            *moves = holding;
        }
        Urgency::Forced
    }

    fn number(&self, m: ChessFiveMove) -> u16 {
        match m {
            ChessFiveMove::Drop { man, column } => 4096 + man as u16 * 8 + u16::from(column),
            ChessFiveMove::Step { from, to } => (Chessboard.index(from) * 64 + Chessboard.index(to)) as u16,
        }
    }
}
