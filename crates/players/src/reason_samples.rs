//! One reason of each kind, so that tests can check that every kind has a text.

use std::iter;

use rules::{Cell, Side};
use solver::{Decision, Parity, Threat};

use crate::{CellIndex, Change, Proof, Proven, Reason, Term};

const CELL: Cell = Cell::new(2, 1);
const PROVEN: Proven = Proven { result: Proof::Win, plies: 5 };

impl Reason {
    /// One reason of each kind, for tests of code that turns reasons into words: [`Reason`] is
    /// non-exhaustive, so the compiler does not find a kind that such code leaves out.
    #[must_use]
    pub fn samples() -> Vec<Self> {
        let kinds = iter::successors(Some(Self::Random), next);
        kinds.chain(facts().map(Self::Solved)).collect()
    }
}

/// The sample after this one. No wildcard: a new kind of reason does not compile without a sample.
fn next(sample: &Reason) -> Option<Reason> {
    let cells = || vec![CELL, Cell::new(6, 1)];
    let moves = || vec!["4".to_owned(), "3".to_owned()];
    Some(match sample {
        Reason::Random => Reason::ChoiceIndex { cells: vec![CellIndex { cell: CELL, index: 3 }] },
        Reason::ChoiceIndex { .. } => Reason::Careless,
        Reason::Careless => Reason::Win,
        Reason::Win => Reason::Block,
        Reason::Block => Reason::Opening,
        Reason::Opening => Reason::Centre,
        Reason::Centre => Reason::Corner,
        Reason::Corner => Reason::Side,
        Reason::Side => Reason::Join { length: 3 },
        Reason::Join { .. } => Reason::Minimax { depth: 4, value: -7 },
        Reason::Minimax { .. } => Reason::AllLose,
        Reason::AllLose => Reason::Proven(PROVEN),
        Reason::Proven(_) => {
            Reason::Evaluation { terms: vec![Term { name: "lines".into(), count: 2, weight: 10 }] }
        }
        Reason::Evaluation { .. } => {
            let terms = vec![Term { name: "corridor-own".into(), count: 3, weight: 2 }];
            Reason::Corridors { side: Side::First, value: 6, terms }
        }
        Reason::Corridors { .. } => Reason::Line { side: Side::First, cells: cells() },
        Reason::Line { .. } => Reason::Unproven { lower: -1, upper: 1 },
        Reason::Unproven { .. } => Reason::Answer { cells: cells(), lines: vec![cells()] },
        Reason::Answer { .. } => Reason::CannotAnswer { cells: cells(), lines: vec![cells()] },
        Reason::CannotAnswer { .. } => Reason::Threat { cells: cells() },
        Reason::Threat { .. } => Reason::DoubleThreat { cells: cells() },
        Reason::DoubleThreat { .. } => Reason::Forced { moves: moves() },
        Reason::Forced { .. } => Reason::SecondBest {
            moves: moves(),
            score: 12,
            proven: Some(PROVEN),
            chance: Some(1.0),
            changes: vec![Change { term: "lines".into(), points: -20 }],
        },
        Reason::SecondBest { .. } => Reason::Book { depth: 10 },
        Reason::Book { .. } => Reason::Solved(solver::Reason::CompletesFour { cell: CELL }),
        Reason::Solved(_) => return None,
    })
}

/// The other facts of the solver.
fn facts() -> impl Iterator<Item = solver::Reason> {
    use solver::Reason;
    let threat = Threat { side: Side::Second, cell: CELL, parity: Parity::Even, playable: false };
    [
        Reason::Blocks { cell: CELL },
        Reason::CannotBlock { cells: vec![CELL] },
        Reason::MakesTwoThreats { cells: vec![CELL, Cell::new(6, 1)] },
        Reason::ForcedPlies { plies: 3 },
        Reason::Standing(threat),
        Reason::CannotWin { side: Side::First },
        Reason::Decides { threat, by: Decision::Zugzwang, standing: true },
    ]
    .into_iter()
}
