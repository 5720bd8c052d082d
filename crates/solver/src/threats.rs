//! Reasons for a score: typed facts that user interfaces turn into sentences.
//!
//! Connect Four is decided by threats: empty cells where a side would complete four. The opponent cannot play
//! below a threat without losing. Which side runs out of other moves first (zugzwang) depends on whether the
//! threats are on odd or even rows.

use rules::{Board, Cell, Column, ConnectFour, Geometry, Position, Side};

/// Whether a row is odd or even, counted from one at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub enum Parity {
    /// Rows 1, 3, 5…: on boards with an even number of rows, good for the first player.
    Odd,
    /// Rows 2, 4, 6…: on boards with an even number of rows, good for the second player.
    Even,
}

/// An empty cell where a side would complete four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "SolverThreat"), schema(as = SolverThreat))]
pub struct Threat {
    /// The side that would complete four.
    pub side: Side,
    /// The cell.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub cell: Cell,
    /// The parity of its row.
    pub parity: Parity,
    /// Whether a stone dropped now would land there.
    pub playable: bool,
}

/// Why the winner of a line could complete four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "SolverDecision"), schema(as = SolverDecision))]
pub enum Decision {
    /// It was possible at once.
    Immediate,
    /// There were two threats, and the opponent could block only one.
    TwoThreats,
    /// The opponent had to block one threat, and the next was directly above it.
    AboveTheReply,
    /// Every remaining move of the opponent was below a threat.
    Zugzwang,
}

/// A fact about a position of Connect Four and the line of best play from it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "fact", rename_all = "kebab-case")
)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "SolverFact"), schema(as = SolverFact))]
#[non_exhaustive]
pub enum Reason {
    /// The first move of the line completes four.
    CompletesFour {
        /// The cell of the move.
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        cell: Cell,
    },
    /// The opponent would complete four next, and the first move of the line prevents it.
    Blocks {
        /// The cell of the move.
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        cell: Cell,
    },
    /// The opponent will complete four next: there are several threats, or one directly above the only block.
    CannotBlock {
        /// Where the opponent can complete four.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
        cells: Vec<Cell>,
    },
    /// The first move of the line makes two or more threats that can be completed next.
    MakesTwoThreats {
        /// The cells of the threats.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
        cells: Vec<Cell>,
    },
    /// At the start of the line, every move is the only one that does not lose at once.
    ForcedPlies {
        /// The number of such plies.
        plies: u16,
    },
    /// A threat on the board that is not playable yet.
    Standing(Threat),
    /// Every line of four holds a stone of the opponent, so this side can no longer win.
    CannotWin {
        /// The side that cannot win.
        side: Side,
    },
    /// How the line ends.
    Decides {
        /// The threat that is completed by the last stone.
        threat: Threat,
        /// Why the opponent could not prevent it.
        by: Decision,
        /// Whether this threat is already on the board.
        standing: bool,
    },
}

impl Reason {
    /// The same with the sides exchanged.
    #[must_use]
    pub fn exchanged(self) -> Self {
        let other = |threat: Threat| Threat { side: threat.side.other(), ..threat };
        match self {
            Self::Standing(threat) => Self::Standing(other(threat)),
            Self::CannotWin { side } => Self::CannotWin { side: side.other() },
            Self::Decides { threat, by, standing } => Self::Decides { threat: other(threat), by, standing },
            reason => reason,
        }
    }
}

/// The threats of both sides, the first player's first, by column and row.
#[must_use]
pub fn threats<G: Geometry<Bits = u64>>(position: &ConnectFour<G>) -> Vec<Threat> {
    Side::BOTH.into_iter().flat_map(|side| threats_of(position, side)).collect()
}

/// The facts about a position and a line of best play from it, such as that of
/// [`Solver::line`](crate::Solver::line): the first move, the course of the line, its end, and the other
/// threats on the board, in this order.
#[must_use]
pub fn reasons<G: Geometry<Bits = u64>>(position: &ConnectFour<G>, line: &[Column]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if position.outcome().is_some() {
        return reasons;
    }
    let standing = threats(position);
    let (side, opponent) = (position.turn(), position.turn().other());

    if let Some(&first) = line.first().filter(|&&column| position.is_legal(column)) {
        let cell = position.landing(first);
        let wins = |side| playable(&standing, side).any(|threat| threat.cell == cell);
        let dangers: Vec<_> = playable(&standing, opponent).map(|threat| threat.cell).collect();
        if wins(side) {
            reasons.push(Reason::CompletesFour { cell });
        } else if safe_columns(position).is_empty() && !dangers.is_empty() {
            reasons.push(Reason::CannotBlock { cells: dangers });
        } else if wins(opponent) {
            reasons.push(Reason::Blocks { cell });
        }
        let after = position.after(first);
        let next: Vec<_> =
            threats_of(&after, side).filter(|threat| threat.playable).map(|threat| threat.cell).collect();
        if next.len() > 1 && after.outcome().is_none() {
            reasons.push(Reason::MakesTwoThreats { cells: next });
        }
    }

    let forced = forced_plies(position, line);
    if forced > 0 {
        reasons.push(Reason::ForcedPlies { plies: forced });
    }
    if let Some((threat, by)) = decision(position, line) {
        let known = standing.iter().any(|other| (other.side, other.cell) == (threat.side, threat.cell));
        reasons.push(Reason::Decides { threat, by, standing: known });
    }
    reasons.extend(
        Side::BOTH
            .into_iter()
            .filter(|&side| cannot_win(position, side))
            .map(|side| Reason::CannotWin { side }),
    );
    reasons.extend(standing.into_iter().filter(|threat| !threat.playable).map(Reason::Standing));
    reasons
}

fn threats_of<G>(position: &ConnectFour<G>, side: Side) -> impl Iterator<Item = Threat>
where
    G: Geometry<Bits = u64>,
{
    let geometry = position.geometry();
    let stones = position.stones(side);
    let occupied = position.occupied();
    let cells = (0..geometry.cols()).flat_map(move |column| {
        (geometry.height(occupied, column)..geometry.rows()).map(move |row| Cell::new(column, row))
    });
    cells.filter(move |&cell| rules::runs::has_run(geometry, stones | 1 << geometry.index(cell))).map(
        move |cell| Threat {
            side,
            cell,
            parity: if cell.row % 2 == 0 { Parity::Odd } else { Parity::Even },
            playable: cell.row == geometry.height(occupied, cell.column),
        },
    )
}

fn playable(threats: &[Threat], side: Side) -> impl Iterator<Item = &Threat> {
    threats.iter().filter(move |threat| threat.side == side && threat.playable)
}

/// The moves that win, or if there are none, those after which the opponent cannot win at once.
fn safe_columns<G: Geometry<Bits = u64>>(position: &ConnectFour<G>) -> Vec<Column> {
    let wins = |position: &ConnectFour<G>| -> Vec<Column> {
        threats_of(position, position.turn())
            .filter(|t| t.playable)
            .map(|t| Column::new(t.cell.column))
            .collect()
    };
    let winning = wins(position);
    if !winning.is_empty() {
        return winning;
    }
    position.legal_moves().filter(|&column| wins(&position.after(column)).is_empty()).collect()
}

fn forced_plies<G: Geometry<Bits = u64>>(position: &ConnectFour<G>, line: &[Column]) -> u16 {
    let mut position = position.clone();
    for (ply, &column) in line.iter().enumerate() {
        if position.outcome().is_some() || safe_columns(&position) != [column] {
            return ply as u16;
        }
        position.play_unchecked(column);
    }
    line.len() as u16
}

/// The last stone of a line that ends with four, and why it could not be prevented.
fn decision<G: Geometry<Bits = u64>>(
    position: &ConnectFour<G>,
    line: &[Column],
) -> Option<(Threat, Decision)> {
    let mut positions = vec![position.clone()];
    for &column in line {
        let mut next = positions.last()?.clone();
        next.play(column).ok()?;
        positions.push(next);
    }
    let (over, before) = (positions.pop()?, positions.pop()?);
    let winner = over.outcome()?.winner()?;
    let cell = *over.touched(*line.last()?).first()?;
    let threat = threats_of(&before, winner).find(|threat| threat.cell == cell)?;
    let Some(reply) = positions.pop() else {
        return Some((threat, Decision::Immediate));
    };
    let by = match threats_of(&reply, winner).filter(|threat| threat.playable).count() {
        0 if safe_columns(&reply).is_empty() => Decision::Zugzwang,
        0 => Decision::Immediate,
        1 => Decision::AboveTheReply,
        _ => Decision::TwoThreats,
    };
    Some((threat, by))
}

fn cannot_win<G: Geometry<Bits = u64>>(position: &ConnectFour<G>, side: Side) -> bool {
    let geometry = position.geometry();
    let free = (0..geometry.cols())
        .flat_map(|column| (0..geometry.rows()).map(move |row| Cell::new(column, row)))
        .map(|cell| 1 << geometry.index(cell))
        .filter(|cell| position.stones(side.other()) & cell == 0)
        .fold(0, |cells, cell: u64| cells | cell);
    !rules::runs::has_run(geometry, free)
}
