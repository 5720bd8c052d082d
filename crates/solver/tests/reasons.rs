//! Reasons for well-known positions.

use std::sync::atomic::AtomicBool;

use crate::common::position;
use alinea_solver::{Decision, Parity, Reason, Solver, reasons, threats};
use rules::{Position, Side};

fn reasons_of(moves: &str) -> Vec<Reason> {
    let position = position(moves);
    let line = Solver::default().line(&position, &AtomicBool::new(false)).unwrap();
    reasons(&position, &line)
}

#[test]
fn a_win_at_once() {
    let facts = reasons_of("121212");
    assert!(matches!(facts[0], Reason::CompletesFour { cell } if cell.to_string() == "a4"), "{facts:?}");
    assert!(facts.contains(&Reason::ForcedPlies { plies: 1 }));
    let decides = facts.iter().find_map(|reason| match reason {
        Reason::Decides { threat, by, standing } => Some((threat.side, threat.parity, *by, *standing)),
        _ => None,
    });
    assert_eq!(decides, Some((Side::First, Parity::Even, Decision::Immediate, true)));
}

#[test]
fn a_block() {
    let facts = reasons_of("12121");
    assert!(matches!(facts[0], Reason::Blocks { cell } if cell.to_string() == "a4"), "{facts:?}");
}

#[test]
fn two_threats() {
    // Three in the middle of the bottom row.
    let facts = reasons_of("4455");
    assert!(
        facts.iter().any(|reason| matches!(reason, Reason::MakesTwoThreats { cells } if cells.len() == 2)),
        "{facts:?}"
    );
    let by = facts.iter().find_map(|reason| match reason {
        Reason::Decides { by, .. } => Some(*by),
        _ => None,
    });
    assert_eq!(by, Some(Decision::TwoThreats));
    let facts = reasons_of("44553");
    assert!(matches!(&facts[0], Reason::CannotBlock { cells } if cells.len() == 2), "{facts:?}");
}

/// The line of every decided golden position ends with a four that has a reason.
#[test]
fn every_decided_line_has_a_reason() {
    let mut zugzwang = 0;
    for (moves, score) in crate::common::golden("middle-medium").chain(crate::common::golden("end-easy")) {
        let start = position(moves);
        let facts = reasons_of(moves);
        let decides = facts.iter().find_map(|reason| match reason {
            Reason::Decides { threat, by, .. } => Some((threat, *by)),
            _ => None,
        });
        assert_eq!(decides.is_some(), score != 0, "{moves}");
        if let Some((threat, by)) = decides {
            let winner = if score > 0 { start.turn() } else { start.turn().other() };
            assert_eq!(threat.side, winner, "{moves}");
            zugzwang += usize::from(by == Decision::Zugzwang);
        }
        for threat in threats(&start) {
            assert_eq!(threat.parity == Parity::Odd, threat.cell.row % 2 == 0);
        }
    }
    assert!(zugzwang > 10, "{zugzwang} lines end in zugzwang");
}
