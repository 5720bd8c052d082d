//! Thoughts of players, and the roster of a game, in their wire form.

use std::fmt::Display;

use players::roster::{self, Listing, Parameter, Strength};

use crate::{
    CellIndex, GameEntry, GameInfo, LevelInfo, Occupant, Parity, Proven, ProvenResult, Reason,
    SolverDecision, SolverFact, SolverThreat, Term, TermChange, Thought, view::cell_names,
};

impl<M: Display> From<&players::Thought<M>> for Thought {
    fn from(thought: &players::Thought<M>) -> Self {
        let texts = |moves: &[M]| moves.iter().map(ToString::to_string).collect();
        Self {
            text: thought.chosen.to_string(),
            candidates: texts(&thought.candidates),
            score: thought.score,
            line: texts(&thought.line),
            reasons: thought.reasons.iter().filter_map(reason).collect(),
            nodes: thought.nodes,
            depth: thought.depth,
        }
    }
}

impl Occupant {
    /// A program of the roster, with the rating of a level.
    #[must_use]
    pub fn program(game: &rules::AnyGame, name: &str) -> Self {
        let level = name.strip_prefix("level:").and_then(|level| level.parse::<u32>().ok());
        let strength = roster::levels(game).into_iter().find(|strength| Some(strength.level) == level);
        Self::Program { name: name.to_owned(), rating: strength.and_then(|strength| strength.rating()) }
    }
}

/// A reason in its wire form; `None` for one that the protocol does not have.
pub(crate) fn reason(reason: &players::Reason) -> Option<Reason> {
    use players::Reason as R;
    Some(match reason {
        R::Random => Reason::Random,
        R::ChoiceIndex { cells } => {
            let index = |of: &players::CellIndex| CellIndex { cell: of.cell.to_string(), index: of.index };
            Reason::ChoiceIndex { cells: cells.iter().map(index).collect() }
        }
        R::Careless => Reason::Careless,
        R::Win => Reason::Win,
        R::Block => Reason::Block,
        R::Opening => Reason::Opening,
        R::Centre => Reason::Centre,
        R::Corner => Reason::Corner,
        R::Side => Reason::Side,
        &R::Join { length } => Reason::Join { length },
        &R::Minimax { depth, value } => Reason::Minimax { depth, value },
        R::AllLose => Reason::AllLose,
        &R::Proven(proven) => Reason::Proven(proven.into()),
        R::Evaluation { terms } => Reason::Evaluation { terms: terms.iter().map(Term::from).collect() },
        R::Corridors { side, value, terms } => {
            let terms = terms.iter().map(Term::from).collect();
            Reason::Corridors { side: *side, value: *value, terms }
        }
        R::Line { side, cells } => Reason::Line { side: *side, cells: cell_names(cells) },
        R::Solved(fact) => Reason::Solved(solver_fact(fact)?),
        &R::Unproven { lower, upper } => Reason::Unproven { lower, upper },
        R::Answer { cells, lines } => Reason::Answer { cells: cell_names(cells), lines: line_names(lines) },
        R::CannotAnswer { cells, lines } => {
            Reason::CannotAnswer { cells: cell_names(cells), lines: line_names(lines) }
        }
        R::Threat { cells } => Reason::Threat { cells: cell_names(cells) },
        R::DoubleThreat { cells } => Reason::DoubleThreat { cells: cell_names(cells) },
        R::Forced { moves } => Reason::Forced { moves: moves.clone() },
        R::SecondBest { moves, score, proven, chance, changes } => {
            let change =
                |change: &players::Change| TermChange { term: change.term.into(), points: change.points };
            Reason::SecondBest {
                moves: moves.clone(),
                score: *score,
                proven: proven.map(Proven::from),
                chance: Some(*chance),
                changes: changes.iter().map(change).collect(),
            }
        }
        &R::Book { depth } => Reason::Book { depth },
        _ => return None,
    })
}

impl From<Proven> for players::Proven {
    fn from(proven: Proven) -> Self {
        let result = match proven.result {
            ProvenResult::Win => players::Proof::Win,
            ProvenResult::Draw => players::Proof::Draw,
            ProvenResult::Loss => players::Proof::Loss,
        };
        Self { result, plies: proven.plies }
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

fn line_names(lines: &[Vec<rules::Cell>]) -> Vec<Vec<String>> {
    lines.iter().map(|line| cell_names(line)).collect()
}

/// A fact of the solver in its wire form; `None` for one that the protocol does not have.
fn solver_fact(fact: &solver::Reason) -> Option<SolverFact> {
    use solver::Reason as R;
    Some(match fact {
        R::CompletesFour { cell } => SolverFact::CompletesFour { cell: cell.to_string() },
        R::Blocks { cell } => SolverFact::Blocks { cell: cell.to_string() },
        R::CannotBlock { cells } => SolverFact::CannotBlock { cells: cell_names(cells) },
        R::MakesTwoThreats { cells } => SolverFact::MakesTwoThreats { cells: cell_names(cells) },
        &R::ForcedPlies { plies } => SolverFact::ForcedPlies { plies },
        R::Standing(threat) => SolverFact::Standing(threat.into()),
        &R::CannotWin { side } => SolverFact::CannotWin { side },
        R::Decides { threat, by, standing } => SolverFact::Decides {
            threat: threat.into(),
            by: match by {
                solver::Decision::Immediate => SolverDecision::Immediate,
                solver::Decision::TwoThreats => SolverDecision::TwoThreats,
                solver::Decision::AboveTheReply => SolverDecision::AboveTheReply,
                solver::Decision::Zugzwang => SolverDecision::Zugzwang,
            },
            standing: *standing,
        },
        _ => return None,
    })
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
    /// All games with their players, in the order of the table of games.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let entry = |info: &&rules::GameInfo| {
            let spec: rules::Spec = info.standard.parse().expect("a standard spec is a spec");
            let game = rules::AnyGame::from(spec);
            Self::new(info, &roster::players(&game), &roster::levels(&game))
        };
        rules::GAMES.iter().map(entry).collect()
    }

    /// A game and the players of its roster.
    #[must_use]
    pub fn new(info: &rules::GameInfo, roster: &[Listing], levels: &[Strength]) -> Self {
        let players = roster.iter().flat_map(names).collect();
        Self { info: GameInfo::from(info), players, levels: levels.iter().map(LevelInfo::from).collect() }
    }
}

impl From<&Strength> for LevelInfo {
    fn from(strength: &Strength) -> Self {
        let &Strength { level, name, character, .. } = strength;
        Self { level, name: name.into(), character: character.into(), rating: strength.rating() }
    }
}

/// The names under which a player is offered, from the weakest.
fn names(listing: &Listing) -> Vec<String> {
    let name = listing.name;
    match listing.parameter {
        Parameter::Number(range) => (1..=range.offered).map(|number| format!("{name}:{number}")).collect(),
        Parameter::Level(levels) => levels.iter().map(|level| format!("{name}:{level}")).collect(),
        _ => vec![name.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use players::roster::Range;

    use super::*;

    #[test]
    fn every_reason_has_a_wire_form() {
        for sample in players::Reason::samples() {
            assert!(reason(&sample).is_some(), "{sample:?}");
        }
    }

    #[test]
    fn players_are_listed_one_by_one() {
        let of = |name, parameter| names(&Listing { name, parameter });
        let range = Range { offered: 3, most: 9 };
        assert_eq!(of("level", Parameter::Number(range)), ["level:1", "level:2", "level:3"]);
        assert_eq!(
            of("five", Parameter::Level(["easy", "normal", "hard"])),
            ["five:easy", "five:normal", "five:hard"]
        );
        assert_eq!(of("random", Parameter::None), ["random"]);
        assert_eq!(of("engine", Parameter::Limits("TIME")), ["engine"]);
    }
}
