//! Thoughts of players, and the roster of a game, in their wire form.

use std::fmt::Display;

use players::roster::{Listing, Parameter};

use crate::{
    CellIndex, GameEntry, GameInfo, Parity, Proven, ProvenResult, Reason, SolverDecision, SolverFact,
    SolverThreat, Term, TermChange, Thought, view::cell_names,
};

impl<M: Display> From<&players::Thought<M>> for Thought {
    fn from(thought: &players::Thought<M>) -> Self {
        let texts = |moves: &[M]| moves.iter().map(ToString::to_string).collect();
        Self {
            text: thought.chosen.to_string(),
            candidates: texts(&thought.candidates),
            score: thought.score,
            line: texts(&thought.line),
            reasons: thought.reasons.iter().map(Reason::from).collect(),
            nodes: thought.nodes,
            depth: thought.depth,
        }
    }
}

impl From<&players::Reason> for Reason {
    fn from(reason: &players::Reason) -> Self {
        use players::Reason as R;
        match reason {
            R::Random => Self::Random,
            R::ChoiceIndex { cells } => {
                let index =
                    |of: &players::CellIndex| CellIndex { cell: of.cell.to_string(), index: of.index };
                Self::ChoiceIndex { cells: cells.iter().map(index).collect() }
            }
            R::Careless => Self::Careless,
            R::Win => Self::Win,
            R::Block => Self::Block,
            R::Opening => Self::Opening,
            R::Centre => Self::Centre,
            R::Corner => Self::Corner,
            R::Side => Self::Side,
            &R::Join { length } => Self::Join { length },
            &R::Minimax { depth, value } => Self::Minimax { depth, value },
            R::AllLose => Self::AllLose,
            &R::Proven(proven) => Self::Proven(proven.into()),
            R::Evaluation { terms } => Self::Evaluation { terms: terms.iter().map(Term::from).collect() },
            R::Line { side, cells } => Self::Line { side: *side, cells: cell_names(cells) },
            R::Solved(fact) => Self::Solved(fact.into()),
            &R::Unproven { lower, upper } => Self::Unproven { lower, upper },
            R::Answer { cells } => Self::Answer { cells: cell_names(cells) },
            R::CannotAnswer { cells } => Self::CannotAnswer { cells: cell_names(cells) },
            R::Threat { cells } => Self::Threat { cells: cell_names(cells) },
            R::DoubleThreat { cells } => Self::DoubleThreat { cells: cell_names(cells) },
            R::Forced { moves } => Self::Forced { moves: moves.clone() },
            R::SecondBest { moves, score, proven, changes } => {
                let change =
                    |change: &players::Change| TermChange { term: change.term.into(), points: change.points };
                Self::SecondBest {
                    moves: moves.clone(),
                    score: *score,
                    proven: proven.map(Proven::from),
                    changes: changes.iter().map(change).collect(),
                }
            }
            &R::Book { depth } => Self::Book { depth },
        }
    }
}

impl From<players::Proven> for Proven {
    fn from(proven: players::Proven) -> Self {
        let result = match proven.result {
            players::Proof::Win => ProvenResult::Win,
            players::Proof::Draw => ProvenResult::Draw,
            players::Proof::Loss => ProvenResult::Loss,
        };
        Self { result, plies: proven.plies }
    }
}

impl From<&players::Term> for Term {
    fn from(term: &players::Term) -> Self {
        Self { name: term.name.into(), count: term.count, weight: term.weight }
    }
}

impl From<&solver::Reason> for SolverFact {
    fn from(fact: &solver::Reason) -> Self {
        use solver::Reason as R;
        match fact {
            R::CompletesFour { cell } => Self::CompletesFour { cell: cell.to_string() },
            R::Blocks { cell } => Self::Blocks { cell: cell.to_string() },
            R::CannotBlock { cells } => Self::CannotBlock { cells: cell_names(cells) },
            R::MakesTwoThreats { cells } => Self::MakesTwoThreats { cells: cell_names(cells) },
            &R::ForcedPlies { plies } => Self::ForcedPlies { plies },
            R::Standing(threat) => Self::Standing(threat.into()),
            &R::CannotWin { side } => Self::CannotWin { side },
            R::Decides { threat, by, standing } => Self::Decides {
                threat: threat.into(),
                by: match by {
                    solver::Decision::Immediate => SolverDecision::Immediate,
                    solver::Decision::TwoThreats => SolverDecision::TwoThreats,
                    solver::Decision::AboveTheReply => SolverDecision::AboveTheReply,
                    solver::Decision::Zugzwang => SolverDecision::Zugzwang,
                },
                standing: *standing,
            },
        }
    }
}

impl From<&solver::Threat> for SolverThreat {
    fn from(threat: &solver::Threat) -> Self {
        let parity = match threat.parity {
            solver::Parity::Odd => Parity::Odd,
            solver::Parity::Even => Parity::Even,
        };
        Self { side: threat.side, cell: threat.cell.to_string(), parity, playable: threat.playable }
    }
}

impl GameEntry {
    /// A game and the players of its roster.
    #[must_use]
    pub fn new(info: &rules::GameInfo, roster: &[Listing]) -> Self {
        let levels = roster.iter().find_map(|listing| match listing.parameter {
            Parameter::Number(most) if listing.name == "level" => Some(most),
            _ => None,
        });
        let players = roster.iter().flat_map(names).collect();
        Self { info: GameInfo::from(info), players, levels: levels.unwrap_or(0) }
    }
}

/// The names under which a player can be asked for, from the weakest.
fn names(listing: &Listing) -> Vec<String> {
    let name = listing.name;
    match listing.parameter {
        Parameter::Number(most) => (1..=most).map(|number| format!("{name}:{number}")).collect(),
        Parameter::Level(levels) => levels.iter().map(|level| format!("{name}:{level}")).collect(),
        Parameter::None | Parameter::Limits(_) => vec![name.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_listed_one_by_one() {
        let of = |name, parameter| names(&Listing { name, parameter });
        assert_eq!(of("level", Parameter::Number(3)), ["level:1", "level:2", "level:3"]);
        assert_eq!(
            of("five", Parameter::Level(["easy", "normal", "hard"])),
            ["five:easy", "five:normal", "five:hard"]
        );
        assert_eq!(of("random", Parameter::None), ["random"]);
        assert_eq!(of("engine", Parameter::Limits("TIME")), ["engine"]);
    }
}
