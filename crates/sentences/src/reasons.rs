//! Reasons of programs as sentences: each typed fact has its words, and the cells it speaks of. Nothing is added to
//! what the program said.

use protocol::{
    Parity, Proven, ProvenResult, Reason, SolverDecision, SolverFact, SolverThreat, Thought, View,
};
use rules::{GameInfo, Side};

use crate::{
    phrases::{line_text, side_name},
    verdicts::{chance_text, result_text, winners_moves},
    words::{Role, Words},
};

/// A sentence and the cells that it speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// The cells, such as `c1`.
    pub cells: Vec<String>,
}

/// What a sentence may refer to besides its own fact.
pub struct About<'a> {
    /// The reader's language.
    pub words: &'a Words,
    /// The game.
    pub info: &'a GameInfo,
    /// The board on which the move is played or was just played, to name the pieces.
    pub view: &'a View,
    /// The side whose move it is.
    pub mover: Side,
    /// The reader's own; a reader of both sides or of none has none.
    pub you: Option<Side>,
}

impl About<'_> {
    /// Who the reader is in a sentence about this side.
    fn role(&self, side: Side) -> Option<Role> {
        self.you.map(|you| if you == side { Role::You } else { Role::Them })
    }

    fn line(&self, moves: &[String]) -> String {
        line_text(self.info, moves, Some(self.view))
    }

    fn key(&self, key: &str) -> String {
        self.words.addressed(key, self.role(self.mover))
    }

    fn term(&self, name: &str) -> String {
        let key = format!("term.{name}");
        if self.words.has(&key) { self.words.t(&key).to_owned() } else { name.to_owned() }
    }
}

/// All that a program said, as sentences. A proved result says more than the points that stand for it.
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
            about.words.fill("why.only-line", &[("line", &about.line(&thought.line))])
        } else {
            about.words.t("why.none").to_owned()
        };
        return vec![Sentence { text, cells: Vec::new() }];
    }
    said
}

/// The sentence of a reason; none for facts that are shown in another way.
fn sentence(thought: &Thought, reason: &Reason, about: &About) -> Option<Sentence> {
    let words = about.words;
    let m = about.line(std::slice::from_ref(&thought.text));
    let plain = |text: String| Some(Sentence { text, cells: Vec::new() });
    let fixed = |key: &str| plain(words.t(key).to_owned());
    let at = |key: &str, cells: &[String]| {
        let text = words.fill(&about.key(key), &[("move", &m), ("cells", &words.list(cells))]);
        Some(Sentence { text, cells: cells.to_vec() })
    };
    match reason {
        Reason::Random => plain(words.count("why.random", thought.candidates.len() as u64, &[("move", &m)])),
        Reason::ChoiceIndex { cells } => {
            let cells = cells.iter().map(|cell| cell.cell.clone()).collect();
            Some(Sentence { text: words.t("why.choice-index").to_owned(), cells })
        }
        Reason::Careless => fixed("why.careless"),
        Reason::Opening => fixed("why.opening"),
        Reason::Centre => fixed("why.centre"),
        Reason::Corner => fixed("why.corner"),
        Reason::Side => fixed("why.side"),
        Reason::AllLose => fixed("why.all-lose"),
        Reason::Win => plain(words.fill(&about.key("why.win"), &[("move", &m)])),
        Reason::Block => plain(words.fill(&about.key("why.block"), &[("move", &m)])),
        Reason::Join { length: 0 | 1 } => plain(words.fill("why.join-none", &[("move", &m)])),
        Reason::Join { length } => plain(words.fill("why.join", &[("move", &m), ("n", &length.to_string())])),
        Reason::Minimax { depth, value } => {
            let values = [("value", &*value.to_string()), ("line", &about.line(&thought.line))];
            plain(words.count("why.minimax", (*depth).into(), &values))
        }
        Reason::Proven(proven) => plain(proven_text(words, *proven, about.role(about.mover))),
        Reason::Corridors { side, value, terms } => {
            let counted = terms.iter().filter(|term| term.count != 0);
            let terms: Vec<_> = counted
                .map(|term| format!("{} {} × {}", about.term(&term.name), term.count, term.weight))
                .collect();
            let key = words.addressed("why.corridors", about.role(*side));
            let (side, value) = (side_name(words, about.info, *side), value.to_string());
            plain(words.fill(&key, &[("side", &side), ("value", &value), ("terms", &terms.join(", "))]))
        }
        Reason::Line { side, cells } => {
            let key = words.addressed("why.line", about.role(*side));
            let (side, n) = (side_name(words, about.info, *side), cells.len().to_string());
            let text = words.fill(&key, &[("side", &side), ("n", &n), ("cells", &words.list(cells))]);
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
        Reason::Solved(fact) => Some(solved(fact, about)),
        Reason::Forced { moves } => plain(words.fill("why.forced", &[("line", &about.line(moves))])),
        Reason::SecondBest { moves, proven, chance, changes, .. } => {
            let role = about.role(about.mover);
            let verdict = match (proven, chance) {
                (Some(proven), _) => result_text(words, *proven, role),
                (None, Some(chance)) => chance_text(words, *chance),
                (None, None) => String::new(),
            };
            let worse = changes.iter().filter(|change| change.points > 0);
            let less = words.list(&worse.map(|change| about.term(&change.term)).collect::<Vec<_>>());
            let key = match (less.is_empty(), verdict.is_empty()) {
                (false, _) => "why.second-best-less",
                (true, false) => "why.second-best",
                (true, true) => "why.second-best-only",
            };
            let verdict = if verdict.is_empty() { "–" } else { &verdict };
            let line = about.line(moves);
            plain(words.fill(key, &[("line", &line), ("verdict", verdict), ("less", &less)]))
        }
        Reason::Answer { cells, .. } => at("why.answer", cells),
        Reason::CannotAnswer { cells, .. } => at("why.cannot-answer", cells),
        Reason::Threat { cells } => at("why.threat", cells),
        Reason::DoubleThreat { cells } => at("why.double-threat", cells),
        // The terms of an evaluation are a table, not a sentence.
        Reason::Evaluation { .. } => None,
    }
}

fn proven_text(words: &Words, proven: Proven, role: Option<Role>) -> String {
    let stem = match proven.result {
        ProvenResult::Draw => return words.t("proven.draw").to_owned(),
        ProvenResult::Win => "proven.win",
        ProvenResult::Loss => "proven.loss",
    };
    words.count(&words.addressed(stem, role), winners_moves(proven), &[])
}

fn solved(fact: &SolverFact, about: &About) -> Sentence {
    let words = about.words;
    let said = |key: &str, cells: &[String]| Sentence {
        text: words.fill(&about.key(key), &[("cells", &words.list(cells))]),
        cells: cells.to_vec(),
    };
    let threat = |key: &str, threat: &SolverThreat, how: &str| {
        let row = match threat.parity {
            Parity::Odd => "row.odd",
            Parity::Even => "row.even",
        };
        let side = side_name(words, about.info, threat.side);
        let values = [("side", &*side), ("cells", &threat.cell), ("row", words.t(row)), ("how", how)];
        let key = words.addressed(key, about.role(threat.side));
        Sentence { text: words.fill(&key, &values), cells: vec![threat.cell.clone()] }
    };
    match fact {
        SolverFact::CompletesFour { cell } => said("fact.completes-four", std::slice::from_ref(cell)),
        SolverFact::Blocks { cell } => said("fact.blocks", std::slice::from_ref(cell)),
        SolverFact::CannotBlock { cells } => said("fact.cannot-block", cells),
        SolverFact::MakesTwoThreats { cells } => said("fact.makes-two-threats", cells),
        SolverFact::ForcedPlies { plies } => {
            Sentence { text: words.count("fact.forced-plies", (*plies).into(), &[]), cells: Vec::new() }
        }
        SolverFact::Standing(standing) => threat("fact.standing", standing, ""),
        SolverFact::CannotWin { side } => {
            let key = words.addressed("fact.cannot-win", about.role(*side));
            let side = side_name(words, about.info, *side);
            Sentence { text: words.fill(&key, &[("side", &side)]), cells: Vec::new() }
        }
        SolverFact::Decides { threat: last, by, .. } => {
            let by = match by {
                SolverDecision::Immediate => "decision.immediate",
                SolverDecision::TwoThreats => "decision.two-threats",
                SolverDecision::AboveTheReply => "decision.above-the-reply",
                SolverDecision::Zugzwang => "decision.zugzwang",
            };
            let how = words.addressed(by, about.role(last.side));
            threat("fact.decides", last, words.t(&how))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[test]
    fn every_reason_is_a_sentence_in_every_language() {
        let game = rules::AnyGame::from(rules::GAMES[1].standard.parse::<rules::Spec>().unwrap());
        let view = View::from(game.view());
        for language in Language::ALL {
            let words = Words::new(language);
            let m = game.legal_moves()[0].clone();
            let thought = players::Thought::new(m.as_str(), vec![m.as_str()], players::Reason::samples());
            let thought = Thought::from(&thought);
            for you in [None, Some(Side::First), Some(Side::Second)] {
                let about = About { words: &words, info: game.info(), view: &view, mover: Side::First, you };
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
