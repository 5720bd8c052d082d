//! Reasons of programs as sentences: each typed fact has its words, and the cells it speaks of. Nothing is added to
//! what the program said.

use players::{Proof, Proven, Reason, Thought};
use rules::{Cell, GameInfo, Side, Spec, View};
use solver::{Decision, Parity, Threat};

use crate::{
    phrases::{line_texts, run_of, side_name},
    verdicts::result_text,
    words::{Role, Words},
};

/// A sentence and the cells that it speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// The cells.
    pub cells: Vec<Cell>,
}

/// The context of a sentence besides its own fact.
pub struct About<'a> {
    /// The reader's language.
    pub words: &'a Words,
    /// The game.
    pub spec: Spec,
    /// The board on which the move is played or was just played, to name the pieces.
    pub view: &'a View,
    /// The side whose move it is.
    pub mover: Side,
    /// The name of the player whose move it is.
    pub name: &'a str,
    /// The side that the reader plays; `None` for a reader who plays both sides or neither.
    pub you: Option<Side>,
}

/// The most moves of an expected line in a sentence.
const EXPECTED: usize = 3;

impl About<'_> {
    fn info(&self) -> &'static GameInfo {
        self.spec.info()
    }

    /// The role of the reader in a sentence about this side.
    fn role(&self, side: Side) -> Option<Role> {
        self.you.map(|you| if you == side { Role::You } else { Role::Them })
    }

    /// Moves one after the other: “4, then 3, then 5”.
    fn line(&self, moves: &[String]) -> String {
        let texts = line_texts(self.info(), moves, Some(self.view)).into_iter();
        let then =
            |first: String, next: String| self.words.fill("why.then", &[("first", &first), ("next", &next)]);
        texts.reduce(then).unwrap_or_default()
    }

    /// The beginning of an expected line.
    fn expected(&self, moves: &[String]) -> String {
        self.line(&moves[..moves.len().min(EXPECTED)])
    }

    fn key(&self, key: &str) -> String {
        self.words.addressed(key, self.role(self.mover))
    }
}

/// Everything that a program said, as sentences. A proved result replaces the points that stand for it.
#[must_use]
pub fn sentences(thought: &Thought, about: &About) -> Vec<Sentence> {
    let is_proven = thought.reasons.iter().any(|reason| matches!(reason, Reason::Proven(_)));
    let said: Vec<_> = thought
        .reasons
        .iter()
        .filter(|reason| !(is_proven && matches!(reason, Reason::Minimax { .. })))
        .filter_map(|reason| sentence(thought, reason, about))
        .collect();
    if said.is_empty() {
        let text = if thought.line.len() > 1 {
            about.words.fill("why.expects", &[("line", &about.expected(&thought.line))])
        } else {
            about.words.t("why.none").to_owned()
        };
        return vec![Sentence { text, cells: Vec::new() }];
    }
    said
}

/// How far the program searched and what its evaluation counted, for readers who want details.
#[must_use]
pub fn details(thought: &Thought, words: &Words) -> String {
    let depth = thought.depth.map(|depth| words.count("why.depth", depth.into(), &[]));
    let nodes = (thought.nodes > 0).then(|| words.count("why.nodes", thought.nodes, &[]));
    let terms = thought.reasons.iter().flat_map(|reason| match reason {
        Reason::Evaluation { terms } => terms.as_slice(),
        _ => &[],
    });
    let counted = terms.filter(|term| term.count != 0);
    let terms =
        counted.map(|term| format!("{} {} × {}", term_name(words, &term.name), term.count, term.weight));
    depth.into_iter().chain(nodes).chain(terms).collect::<Vec<_>>().join(", ")
}

/// What a term of an evaluation counts.
fn term_name(words: &Words, name: &str) -> String {
    let key = format!("term.{name}");
    if words.has(&key) { words.t(&key).to_owned() } else { name.to_owned() }
}

/// The sentence of a reason; none for facts that are shown in another way.
fn sentence(thought: &Thought, reason: &Reason, about: &About) -> Option<Sentence> {
    let words = about.words;
    let m = about.line(std::slice::from_ref(&thought.chosen));
    let plain = |text: String| Some(Sentence { text, cells: Vec::new() });
    let fixed = |key: &str| plain(words.t(key).to_owned());
    let at = |key: &str, n: usize, cells: &[Cell]| {
        let values = [("n", &*words.number(n)), ("cells", &list(words, cells))];
        Some(Sentence { text: words.fill(&about.key(key), &values), cells: cells.to_vec() })
    };
    let run = run_of(about.spec);
    let but_one = run.saturating_sub(1);
    match reason {
        Reason::Random => plain(words.count("why.random", thought.candidates.len() as u64, &[("move", &m)])),
        Reason::ChoiceIndex { cells } => {
            let table: Vec<_> = cells.iter().map(|cell| format!("{} {}", cell.cell, cell.index)).collect();
            let text = words.fill("tui.choice-index", &[("cells", &table.join(", "))]);
            Some(Sentence { text, cells: cells.iter().map(|cell| cell.cell).collect() })
        }
        Reason::Careless => plain(words.fill("why.slip", &[("name", about.name)])),
        Reason::Opening => fixed("why.opening"),
        Reason::Centre => fixed("why.centre"),
        Reason::Corner => fixed("why.corner"),
        Reason::Side => fixed("why.side"),
        Reason::AllLose => fixed("why.all-lose"),
        Reason::Win => at("why.wins", run, &[]),
        Reason::Block => at("why.stops", but_one, &[]),
        Reason::Join { length: 0 | 1 } => fixed("why.three-none"),
        Reason::Join { length } => at("why.three", *length as usize, &[]),
        Reason::Minimax { .. } => {
            plain(words.fill("why.expects", &[("line", &about.expected(&thought.line))]))
        }
        Reason::Proven(proven) => plain(proven_text(words, *proven, about.role(about.mover))),
        Reason::Corridors { side, value, terms } => {
            let counted = terms.iter().filter(|term| term.count != 0);
            let terms: Vec<_> = counted
                .map(|term| format!("{} {} × {}", term_name(words, &term.name), term.count, term.weight))
                .collect();
            let key = words.addressed("why.corridors", about.role(*side));
            let (side, value) = (side_name(words, about.info(), *side), value.to_string());
            plain(words.fill(&key, &[("side", &side), ("value", &value), ("terms", &terms.join(", "))]))
        }
        Reason::Line { side, cells } => {
            let key = words.addressed("why.line", about.role(*side));
            let (side, n) = (side_name(words, about.info(), *side), cells.len().to_string());
            let text = words.fill(&key, &[("side", &side), ("n", &n), ("cells", &list(words, cells))]);
            Some(Sentence { text, cells: cells.clone() })
        }
        Reason::Unproven { lower, upper } => {
            let key = match (*lower, *upper) {
                (1.., _) => &about.key("why.unproven-win"),
                (_, ..=-1) => &about.key("why.unproven-loss"),
                (0, _) => "why.unproven-not-lost",
                (_, 0) => "why.unproven-not-won",
                _ => "why.unproven",
            };
            fixed(key)
        }
        Reason::Book { depth } => plain(words.count("why.book", (*depth).into(), &[])),
        Reason::Solved(fact) => solved(fact, about),
        Reason::Forced { moves } => plain(words.fill("why.forced", &[("line", &about.line(moves))])),
        // Estimates are left out; see `details`.
        Reason::SecondBest { moves, proven, changes, .. } => {
            let line = about.expected(moves);
            let worse = changes.iter().filter(|change| change.points > 0);
            let less = words.list(&worse.map(|change| term_name(words, &change.term)).collect::<Vec<_>>());
            plain(match proven {
                Some(proven) => {
                    let verdict = result_text(words, *proven, about.role(about.mover));
                    words.fill("why.second-best", &[("line", &line), ("verdict", &verdict)])
                }
                None if less.is_empty() => words.fill("why.second-best-only", &[("line", &line)]),
                None => words.fill("why.second-best-less", &[("line", &line), ("less", &less)]),
            })
        }
        Reason::Answer { cells, .. } => at("why.stops-at", but_one, cells),
        Reason::CannotAnswer { cells, .. } => at("why.cannot-answer", but_one, cells),
        Reason::Threat { cells } => at("why.threat", but_one, cells),
        Reason::DoubleThreat { cells } => at("why.double", cells.len(), cells),
        // The terms of an evaluation are a table, not a sentence. A test finds a new kind of reason without words.
        _ => None,
    }
}

fn proven_text(words: &Words, proven: Proven, role: Option<Role>) -> String {
    let stem = match proven.result {
        Proof::Draw => return words.t("proven.draw").to_owned(),
        Proof::Win => "proven.win",
        Proof::Loss => "proven.loss",
    };
    words.count(&words.addressed(stem, role), proven.winners_moves().into(), &[])
}

fn list(words: &Words, cells: &[Cell]) -> String {
    words.list(&cells.iter().map(Cell::to_string).collect::<Vec<_>>())
}

fn solved(fact: &solver::Reason, about: &About) -> Option<Sentence> {
    use solver::Reason as Fact;
    let words = about.words;
    let said = |key: &str, cells: &[Cell]| Sentence {
        text: words
            .fill(&about.key(key), &[("n", &words.number(cells.len())), ("cells", &list(words, cells))]),
        cells: cells.to_vec(),
    };
    let threat = |key: &str, threat: &Threat, how: &str| {
        let row = match threat.parity {
            Parity::Odd => "row.odd",
            Parity::Even => "row.even",
        };
        let (side, cell) = (side_name(words, about.info(), threat.side), threat.cell.to_string());
        let values = [("side", &*side), ("cells", &cell), ("row", words.t(row)), ("how", how)];
        let key = words.addressed(key, about.role(threat.side));
        Sentence { text: words.fill(&key, &values), cells: vec![threat.cell] }
    };
    Some(match fact {
        &Fact::CompletesFour { cell } => said("fact.completes-four", &[cell]),
        &Fact::Blocks { cell } => said("why.takes", &[cell]),
        Fact::CannotBlock { cells } => said("fact.cannot-block", cells),
        Fact::MakesTwoThreats { cells } => said("why.double", cells),
        Fact::ForcedPlies { plies } => {
            Sentence { text: words.count("fact.forced-plies", (*plies).into(), &[]), cells: Vec::new() }
        }
        Fact::Standing(standing) => threat("fact.standing", standing, ""),
        Fact::CannotWin { side } => {
            let key = words.addressed("fact.cannot-win", about.role(*side));
            let side = side_name(words, about.info(), *side);
            Sentence { text: words.fill(&key, &[("side", &side)]), cells: Vec::new() }
        }
        Fact::Decides { threat: last, by, .. } => {
            let by = match by {
                Decision::Immediate => "decision.immediate",
                Decision::TwoThreats => "decision.two-threats",
                Decision::AboveTheReply => "decision.above-the-reply",
                Decision::Zugzwang => "decision.zugzwang",
            };
            let how = words.addressed(by, about.role(last.side));
            threat("fact.decides", last, words.t(&how))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[test]
    fn every_reason_is_a_sentence_in_every_language() {
        let game = rules::AnyGame::from(rules::GAMES[1].standard.parse::<rules::Spec>().unwrap());
        let view = game.view();
        for language in Language::ALL {
            let words = Words::new(language);
            let m = game.legal_moves()[0].clone();
            let thought = Thought::new(m.as_str(), vec![m.as_str()], Reason::samples()).to_text();
            for you in [None, Some(Side::First), Some(Side::Second)] {
                let (spec, mover) = (game.spec(), Side::First);
                let about = About { words: &words, spec, view: &view, mover, name: "Dot", you };
                for reason in &thought.reasons {
                    if let Some(said) = sentence(&thought, reason, &about) {
                        let is_code = said.text.contains(['{', '}']) || !said.text.contains(' ');
                        assert!(!is_code && said.text.ends_with('.'), "{}: {}", language.code(), said.text);
                    } else {
                        assert!(matches!(reason, Reason::Evaluation { .. }));
                    }
                }
            }
        }
    }
}
