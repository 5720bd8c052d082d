//! What is known about a position, in words. Every statement is read off one assessment.

use protocol::{Advantage, Assessment, Mark, Proven, ProvenResult, Thought, Verdict};

use crate::words::{Role, Words};

/// "In N" counts the winner's own moves; in some games the loser may end the game.
#[must_use]
pub fn winners_moves(proven: Proven) -> u64 {
    match proven.result {
        ProvenResult::Loss => u64::from(proven.plies / 2).max(1),
        _ => u64::from(proven.plies.div_ceil(2)),
    }
}

/// The result, if it is proved.
#[must_use]
pub fn proven_of(verdict: &Verdict) -> Option<Proven> {
    match verdict {
        Verdict::Proven(proven) => Some(*proven),
        _ => None,
    }
}

/// The expected result for the side that plays the move, from −1 to 1.
#[must_use]
pub fn chance_of(verdict: &Verdict) -> f64 {
    match verdict {
        Verdict::Proven(proven) => match proven.result {
            ProvenResult::Win => 1.0,
            ProvenResult::Draw => 0.0,
            ProvenResult::Loss => -1.0,
        },
        Verdict::Between { chance, .. } | Verdict::Estimate { chance, .. } => *chance,
    }
}

/// How large the advantage is, if it is estimated.
#[must_use]
pub fn advantage_of(verdict: &Verdict) -> Option<Advantage> {
    match verdict {
        Verdict::Proven(_) => None,
        Verdict::Between { advantage, .. } | Verdict::Estimate { advantage, .. } => *advantage,
    }
}

/// "wins in 5", "you win in 5", "draw".
#[must_use]
pub fn result_text(words: &Words, proven: Proven, role: Option<Role>) -> String {
    let stem = match proven.result {
        ProvenResult::Draw => return words.t("verdict.draw").to_owned(),
        ProvenResult::Win => "verdict.win",
        ProvenResult::Loss => "verdict.loss",
    };
    words.count(&words.addressed(stem, role), winners_moves(proven), &[])
}

/// "about 64 %".
pub(crate) fn chance_text(words: &Words, chance: f64) -> String {
    words.fill("verdict.about", &[("percent", &percent(chance).to_string())])
}

/// From 0 for a loss to 100 for a win.
fn percent(chance: f64) -> u32 {
    (50.0 + 50.0 * chance).round() as u32
}

/// What is known about a move, for the side that plays it, which may be the reader.
#[must_use]
pub fn verdict_text(words: &Words, verdict: &Verdict, role: Option<Role>) -> String {
    let range = |key: &str, from: Proven, to: Proven| {
        let (from, to) = (winners_moves(from).to_string(), winners_moves(to).to_string());
        words.fill(key, &[("from", &from), ("to", &to)])
    };
    match verdict {
        Verdict::Proven(proven) => result_text(words, *proven, role),
        Verdict::Estimate { chance, .. } => chance_text(words, *chance),
        Verdict::Between { least, most, chance, .. } => {
            let about = chance_text(words, *chance);
            match (least.result, most.result) {
                (ProvenResult::Win, _) => range("verdict.win-between", *most, *least),
                (_, ProvenResult::Loss) => range("verdict.loss-between", *least, *most),
                (ProvenResult::Draw, _) => words.fill("verdict.at-least-draw", &[("about", &about)]),
                (_, ProvenResult::Draw) => words.fill("verdict.at-most-draw", &[("about", &about)]),
                _ => about,
            }
        }
    }
}

/// Why the best move is best, in the form in which programs explain theirs.
#[must_use]
pub fn thought_of(assessment: &Assessment) -> Option<Thought> {
    let best = assessment.moves.first()?;
    Some(Thought {
        text: best.text.clone(),
        candidates: vec![best.text.clone()],
        score: None,
        line: best.line.clone(),
        reasons: assessment.reasons.clone()?,
        nodes: assessment.nodes,
        depth: Some(assessment.depth),
    })
}

/// What a mark says about a move: “Throws the win away”.
#[must_use]
pub fn mark_text(words: &Words, mark: Mark) -> &str {
    words.t(match mark {
        Mark::Inaccuracy => "mark.inaccuracy",
        Mark::Mistake => "mark.mistake",
        Mark::Blunder => "mark.blunder",
        Mark::ThrowsDraw => "mark.throws-draw",
        Mark::ThrowsWin => "mark.throws-win",
    })
}

/// The sign of a mark in a list of moves.
#[must_use]
pub fn mark_sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "?!",
        Mark::Mistake => "?",
        Mark::Blunder | Mark::ThrowsDraw | Mark::ThrowsWin => "??",
    }
}
