//! A player's evaluation of its move: score, depth, nodes, time and expected line. Written as a comment after the move,
//! like in other match tools: `+12/8 0.350s, tl=9.650s, n=3173, sd=14, nps=9065, pv="4 5 3"`.

use std::{
    fmt::{self, Write},
    str::FromStr,
};

use players::{Proof, Proven, Reason, Thought};
use serde::{Deserialize, Serialize};

use crate::answer::Info;

/// A player's evaluation of its move. Values that the player did not report are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Evaluation {
    /// The score for the player, in its own unit; 0 also for a proven draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
    /// A proven result instead of a score: the winner's own moves to the end, negative if the player loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i64>,
    /// Search depth in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The deepest line searched, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Nodes per second, by the player's own clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// Time used for the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Time used by the player's own clock; the rest is the cost of the dialogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_time_ms: Option<u64>,
    /// Time left on the clock after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u64>,
    /// The expected line of play, beginning with the move; at most [`MAX_LINE`] moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
}

/// Maximum number of moves of an expected line that is kept.
pub(crate) const MAX_LINE: usize = 64;

impl Evaluation {
    /// Whether the evaluation has no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the time of the move. A player that reports nothing and answers at once has no evaluation.
    #[must_use]
    pub(crate) fn after_ms(self, time_ms: u64) -> Self {
        let is_told = time_ms > 0 || !self.is_empty();
        Self { time_ms: is_told.then_some(time_ms), ..self }
    }
}

/// A proof takes precedence over points.
impl<M: ToString> From<&Thought<M>> for Evaluation {
    fn from(thought: &Thought<M>) -> Self {
        let proven = thought.reasons.iter().find_map(|reason| match reason {
            Reason::Proven(proven) => Some(Self::from(*proven)),
            _ => None,
        });
        let said = proven.unwrap_or(Self { score: thought.score, ..Self::default() });
        let nodes = Some(thought.nodes).filter(|&nodes| nodes > 0);
        // The move alone is no line.
        let line = if thought.line.len() > 1 { &thought.line[..] } else { &[] };
        let pv = line.iter().take(MAX_LINE).map(ToString::to_string).collect();
        Self { depth: thought.depth, nodes, pv, ..said }
    }
}

impl From<Proven> for Evaluation {
    fn from(proven: Proven) -> Self {
        let moves = i64::from(proven.winners_moves());
        let (score, mate) = match proven.result {
            Proof::Win => (None, Some(moves)),
            Proof::Draw => (Some(0), None),
            Proof::Loss => (None, Some(-moves)),
        };
        Self { score, mate, ..Self::default() }
    }
}

impl From<&Info> for Evaluation {
    fn from(info: &Info) -> Self {
        Self {
            score: info.score,
            mate: info.mate,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            nps: info.nps,
            own_time_ms: info.time_ms,
            pv: info.line.iter().take(MAX_LINE).cloned().collect(),
            ..Self::default()
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = String::new();
        if let Some(score) = self.score {
            write!(text, "{score:+}")?;
        } else if let Some(mate) = self.mate {
            write!(text, "{}M{}", if mate < 0 { '-' } else { '+' }, mate.unsigned_abs())?;
        }
        if let Some(depth) = self.depth {
            write!(text, "/{depth}")?;
        }
        if let Some(ms) = self.time_ms {
            let space = if text.is_empty() { "" } else { " " };
            write!(text, "{space}{}.{:03}s", ms / 1000, ms % 1000)?;
        }
        let seconds = |ms: u64| format!("{}.{:03}s", ms / 1000, ms % 1000);
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        for (name, value) in [
            ("tl", self.left_ms.map(seconds)),
            ("own", self.own_time_ms.map(seconds)),
            ("n", number(self.nodes)),
            ("sd", number(self.seldepth.map(u64::from))),
            ("nps", number(self.nps)),
            ("pv", (!self.pv.is_empty()).then(|| format!("\"{}\"", self.pv.join(" ")))),
        ] {
            let Some(value) = value else { continue };
            let comma = if text.is_empty() { "" } else { ", " };
            write!(text, "{comma}{name}={value}")?;
        }
        f.write_str(&text)
    }
}

/// The comment is not an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoEvaluation;

impl FromStr for Evaluation {
    type Err = NoEvaluation;

    /// Parses comments of this form, including those of other tools: `+1.20/8 0.35s`, with hundredths as the unit. Any
    /// words may follow the score and the time.
    fn from_str(text: &str) -> Result<Self, NoEvaluation> {
        let mut evaluation = Self::default();
        let (text, line) = text.split_once("pv=\"").unwrap_or((text, ""));
        let line = line.split_once('"').map_or("", |(line, _)| line);
        let seconds = |value: &str| value.strip_suffix('s').and_then(thousandths);
        for word in text.split_whitespace() {
            let word = word.trim_end_matches(',');
            if let Some((name, value)) = word.split_once('=') {
                match name {
                    "n" => evaluation.nodes = value.parse().ok(),
                    "sd" => evaluation.seldepth = value.parse().ok(),
                    "nps" => evaluation.nps = value.parse().ok(),
                    "tl" => evaluation.left_ms = seconds(value),
                    "own" => evaluation.own_time_ms = seconds(value),
                    _ => {}
                }
            } else if let Some(ms) = word.strip_suffix('s').and_then(thousandths) {
                evaluation.time_ms = Some(ms);
            } else if evaluation.is_empty() {
                let (score, depth) = word.split_once('/').unwrap_or((word, ""));
                match score.strip_prefix("+M").map(|n| (1, n)).or(score.strip_prefix("-M").map(|n| (-1, n))) {
                    Some((sign, moves)) => {
                        evaluation.mate = moves.parse().ok().map(|n: u32| sign * i64::from(n));
                    }
                    // A number without a sign or depth need not be a score.
                    None if score.starts_with(['+', '-']) || !depth.is_empty() => {
                        evaluation.score = points(score);
                    }
                    None => {}
                }
                evaluation.depth = depth.parse().ok();
            }
        }
        evaluation.pv = line.split_whitespace().take(MAX_LINE).map(str::to_owned).collect();
        if evaluation.is_empty() { Err(NoEvaluation) } else { Ok(evaluation) }
    }
}

/// Parses a score in the player's unit, or in hundredths if it has a decimal point.
fn points(text: &str) -> Option<i64> {
    if text.contains('.') {
        let number: f64 = text.parse().ok()?;
        // Rounded, as 1.15 is not a binary fraction; no tool has more digits than a double.
        (number.abs() < 1e12).then_some((number * 100.0).round() as i64)
    } else {
        text.parse().ok()
    }
}

/// Parses seconds such as `0.350` into milliseconds.
fn thousandths(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..1e12).contains(&seconds).then_some((seconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_round_trip() {
        let mut count = 0;
        for score in [None, Some(0), Some(-7), Some(120), Some(i64::MIN)] {
            for mate in
                [None, Some(3), Some(-21)].into_iter().filter(|mate| mate.is_none() || score.is_none())
            {
                for depth in [None, Some(8)] {
                    for nodes in [None, Some(3173)] {
                        for time_ms in [None, Some(0), Some(350), Some(61_007)] {
                            for is_full in [false, true] {
                                let plain =
                                    Evaluation { score, mate, depth, nodes, time_ms, ..Default::default() };
                                let evaluation = Evaluation {
                                    seldepth: is_full.then_some(14),
                                    nps: is_full.then_some(9065),
                                    own_time_ms: is_full.then_some(349),
                                    left_ms: is_full.then_some(9650),
                                    pv: if is_full {
                                        vec!["4".to_owned(), "R@a".to_owned()]
                                    } else {
                                        Vec::new()
                                    },
                                    ..plain
                                };
                                let text = evaluation.to_string();
                                let read = text.parse().unwrap_or_default();
                                assert_eq!(evaluation, read, "{text}");
                                assert_eq!(evaluation.is_empty(), text.is_empty());
                                count += 1;
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(count, 7 * 2 * 2 * 4 * 2);
    }

    #[test]
    fn comments_of_others_are_read_or_skipped() {
        let read = |text: &str| text.parse::<Evaluation>().ok().map(|evaluation| evaluation.to_string());
        for (text, is) in [
            ("+1.15/8 0.35s", "+115/8 0.350s"),
            ("-0.02/12 1.2s, n=99, White mates", "-2/12 1.200s, n=99"),
            ("+M5/20 0.001s", "+M5/20 0.001s"),
            ("0.00/3 2s", "+0/3 2.000s"),
            (
                "+0.34/12 0.10s, tl=9.9s, latency=0.001s, n=99, sd=15, nps=990, pv=\"4 5\"",
                "+34/12 0.100s, tl=9.900s, n=99, sd=15, nps=990, pv=\"4 5\"",
            ),
        ] {
            assert_eq!(read(text).as_deref(), Some(is), "{text}");
        }
        for text in ["", "book", "the centre / the best", "4", "12 cells are left", "+Mx", "s", "n=many"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_proof_comes_before_points() {
        let said = |reasons, score| {
            let thought = Thought { score, depth: Some(9), ..Thought::new(1, vec![1], reasons) };
            Evaluation::from(&thought).to_string()
        };
        let proven = |result, plies| vec![Reason::Proven(Proven { result, plies })];
        assert_eq!(said(proven(Proof::Win, 5), Some(40)), "+M3/9");
        assert_eq!(said(proven(Proof::Loss, 6), None), "-M3/9");
        assert_eq!(said(proven(Proof::Draw, 6), Some(40)), "+0/9");
        assert_eq!(said(Vec::new(), Some(-40)), "-40/9");
    }

    #[test]
    fn a_player_that_says_nothing_at_once_has_no_evaluation() {
        assert!(Evaluation::default().after_ms(0).is_empty());
        assert_eq!(Evaluation::default().after_ms(7).to_string(), "0.007s");
        let said = Evaluation { depth: Some(1), ..Evaluation::default() };
        assert_eq!(said.after_ms(0).to_string(), "/1 0.000s");
    }
}
