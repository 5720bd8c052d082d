//! What is known about a position, in words. Every statement is read off one assessment.

use players::{Proof, Proven, Reason, Thought};
use study::{Verdict, assessment::Assessment, review::Mark};

use crate::words::{Role, Words};

/// "wins in 5", "you win in 5", "draw".
#[must_use]
pub fn result_text(words: &Words, proven: Proven, role: Option<Role>) -> String {
    let stem = match proven.result {
        Proof::Draw => return words.t("verdict.draw").to_owned(),
        Proof::Win => "verdict.win",
        Proof::Loss => "verdict.loss",
    };
    words.count(&words.addressed(stem, role), proven.winners_moves().into(), &[])
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
        let (from, to) = (from.winners_moves().to_string(), to.winners_moves().to_string());
        words.fill(key, &[("from", &from), ("to", &to)])
    };
    match verdict {
        Verdict::Proven(proven) => result_text(words, *proven, role),
        Verdict::Estimate { chance, .. } => chance_text(words, *chance),
        Verdict::Between { least, most, chance, .. } => {
            let about = chance_text(words, *chance);
            match (least.result, most.result) {
                (Proof::Win, _) => range("verdict.win-between", *most, *least),
                (_, Proof::Loss) => range("verdict.loss-between", *least, *most),
                (Proof::Draw, _) => words.fill("verdict.at-least-draw", &[("about", &about)]),
                (_, Proof::Draw) => words.fill("verdict.at-most-draw", &[("about", &about)]),
                _ => about,
            }
        }
    }
}

/// Why the best move is best, in the form in which programs explain theirs.
#[must_use]
pub fn thought_of(assessment: &Assessment, reasons: &[Reason]) -> Option<Thought> {
    let best = assessment.best()?;
    Some(Thought {
        chosen: best.text.clone(),
        candidates: vec![best.text.clone()],
        score: None,
        line: best.line.clone(),
        reasons: reasons.to_vec(),
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
