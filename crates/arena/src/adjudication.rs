//! Adjudication: ends games early, on request, by the players' scores, by proof, or by length.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use players::{Proof, Proven, perfect::Prover};
use rules::{AnyGame, Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::Evaluation;

/// The rules of adjudication. By default there are none.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// A side that reports a lost position resigns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// A game that both sides report as level is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Level>,
    /// A game ends with its proven result if perfect play would end it within this number of plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<u32>,
    /// A game is drawn after this number of plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
}

/// The rule for resignation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// A side resigns if its own scores are at most the negative of this.
    pub score: u32,
    /// Number of consecutive moves of that side with such a score.
    pub moves: u32,
    /// Also requires that the opponent's score is at least this for as many moves.
    #[serde(default)]
    pub both: bool,
}

/// The rule for draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// A game is drawn if the scores of both sides are at most this far from 0.
    pub score: u32,
    /// Number of consecutive moves of each side with such a score.
    pub moves: u32,
    /// The rule applies from this ply on.
    #[serde(default)]
    pub from_ply: u32,
}

/// Why a game was adjudicated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum Adjudicated {
    /// The loser reported a lost position.
    Resign {
        /// `score` of the rule.
        score: u32,
        /// `moves` of the rule.
        moves: u32,
    },
    /// Both sides reported a level position.
    Draw {
        /// `score` of the rule.
        score: u32,
        /// `moves` of the rule.
        moves: u32,
    },
    /// The result is proved.
    Exact {
        /// Plies left with perfect play.
        plies: u32,
    },
    /// The game reached the maximum length.
    Length {
        /// Its length in plies.
        plies: u32,
    },
}

impl fmt::Display for Adjudicated {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Resign { score, moves } => {
                write!(f, "the loser's score was −{score} or less for {moves} moves")
            }
            Self::Draw { score, moves } => write!(f, "both scores were within ±{score} for {moves} moves"),
            Self::Exact { plies } => write!(f, "proven, {plies} plies before the end"),
            Self::Length { plies } => write!(f, "{plies} plies were played"),
        }
    }
}

impl Adjudicated {
    /// A short name of the kind, for counts.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Resign { .. } => "by resignation",
            Self::Draw { .. } => "drawn by the scores",
            Self::Exact { .. } => "by proof",
            Self::Length { .. } => "drawn by length",
        }
    }
}

impl Adjudication {
    /// Whether there are no rules.
    #[must_use]
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// Describes the rules in words; empty if there are none.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(Resign { score, moves, both }) = self.resign {
            let agreed = if both { ", and the other side agrees" } else { "" };
            words.push(format!("lost by a side that reports −{score} or less for {moves} moves{agreed}"));
        }
        if let Some(Level { score, moves, from_ply }) = self.draw {
            words.push(format!(
                "drawn if both report −{score} to {score} for {moves} moves, from ply {from_ply}"
            ));
        }
        if let Some(plies) = self.exact {
            words.push(format!("as proven, if at most {plies} plies are left"));
        }
        if let Some(plies) = self.max_plies {
            words.push(format!("drawn after {plies} plies"));
        }
        words
    }
}

/// Applies the rules to one game.
pub(crate) struct Referee<'a> {
    rules: &'a Adjudication,
    /// For each side, the number of consecutive moves with a losing, winning and level score.
    losing: [u32; 2],
    winning: [u32; 2],
    level: [u32; 2],
    /// Created for each game, so that proofs do not depend on earlier games.
    prover: Option<Prover>,
}

/// Number of polls after which a proof is given up: about a million nodes of the solver, or a tenth of a
/// second.
const POLLS: u64 = 500;

impl<'a> Referee<'a> {
    pub(crate) fn new(rules: &'a Adjudication) -> Self {
        let prover = rules.exact.map(|_| Prover::default());
        Self { rules, losing: [0; 2], winning: [0; 2], level: [0; 2], prover }
    }

    /// Returns the result if a rule ends the unfinished game after this ply. `side` has just moved.
    pub(crate) fn result(
        &mut self,
        game: &AnyGame,
        plies: usize,
        side: Side,
        said: &Evaluation,
    ) -> Option<(Outcome, Adjudicated)> {
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        self.by_scores(plies, side, said).or_else(|| self.by_proof(game)).or_else(|| {
            let is_long = self.rules.max_plies.is_some_and(|most| plies >= most);
            is_long.then_some((Outcome::Draw, Adjudicated::Length { plies }))
        })
    }

    fn by_scores(&mut self, plies: u32, side: Side, said: &Evaluation) -> Option<(Outcome, Adjudicated)> {
        // A forced win is more than any score.
        let forced = said.mate.map(|mate| if mate > 0 { i64::MAX } else { i64::MIN });
        let value = said.score.or(forced);
        // A move without a score interrupts the sequence.
        let count =
            |row: &mut u32, holds: Option<bool>| *row = if holds == Some(true) { *row + 1 } else { 0 };
        if let Some(Resign { score, moves, both }) = self.rules.resign {
            let bound = i64::from(score);
            count(&mut self.losing[side.index()], value.map(|value| value <= -bound));
            count(&mut self.winning[side.index()], value.map(|value| value >= bound));
            for loser in Side::BOTH {
                let agreed = !both || self.winning[loser.other().index()] >= moves;
                if self.losing[loser.index()] >= moves && agreed {
                    return Some((Outcome::Win(loser.other()), Adjudicated::Resign { score, moves }));
                }
            }
        }
        if let Some(Level { score, moves, from_ply }) = self.rules.draw {
            let bound = i64::from(score);
            count(&mut self.level[side.index()], value.map(|value| (-bound..=bound).contains(&value)));
            if plies >= from_ply && self.level.iter().all(|&row| row >= moves) {
                return Some((Outcome::Draw, Adjudicated::Draw { score, moves }));
            }
        }
        None
    }

    fn by_proof(&mut self, game: &AnyGame) -> Option<(Outcome, Adjudicated)> {
        let (prover, most) = (self.prover.as_mut()?, self.rules.exact?);
        // Counted, not timed: the same game ends at the same place on every machine.
        let polls = AtomicU64::new(0);
        let stop = || polls.fetch_add(1, Ordering::Relaxed) >= POLLS;
        let Proven { result, plies } = prover.result(game, &stop)?;
        let side = game.turn();
        let outcome = match result {
            Proof::Win => Outcome::Win(side),
            Proof::Draw => Outcome::Draw,
            Proof::Loss => Outcome::Win(side.other()),
        };
        (plies <= most).then_some((outcome, Adjudicated::Exact { plies }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Side = Side::First;

    /// Returns the ply after which a game with these scores is adjudicated, and its outcome.
    fn ended(rules: &Adjudication, scores: &[Option<i64>]) -> Option<(usize, Outcome)> {
        let game = AnyGame::from("gomoku".parse::<rules::Spec>().unwrap());
        let mut referee = Referee::new(rules);
        scores.iter().enumerate().find_map(|(i, &score)| {
            let said = Evaluation { score, ..Evaluation::default() };
            let (outcome, _) = referee.result(&game, i + 1, Side::BOTH[i % 2], &said)?;
            Some((i + 1, outcome))
        })
    }

    #[test]
    fn a_side_resigns_after_bad_scores_in_a_row() {
        let resign = |both| Adjudication {
            resign: Some(Resign { score: 400, moves: 2, both }),
            ..Adjudication::default()
        };
        let lost = |ply| Some((ply, Outcome::Win(Side::Second)));
        let scores = |scores: &[i64]| scores.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(ended(&resign(false), &scores(&[-400, 0, -400])), lost(3));
        assert_eq!(ended(&resign(false), &scores(&[-400, 0, -399, 0, -400, 0, -500])), lost(7));
        assert_eq!(ended(&resign(true), &scores(&[-400, 0, -400, 400, -400, 400])), lost(6));
        assert_eq!(ended(&resign(true), &scores(&[-400, 0, -400, 0, -400, 399])), None);
        // A move without a score breaks the row.
        assert_eq!(ended(&resign(false), &[Some(-400), None, None, None, Some(-400)]), None);
    }

    #[test]
    fn a_forced_loss_is_worse_than_any_score() {
        let rules = Adjudication {
            resign: Some(Resign { score: u32::MAX, moves: 1, both: false }),
            ..Adjudication::default()
        };
        let game = AnyGame::from("gomoku".parse::<rules::Spec>().unwrap());
        let said = |mate| Evaluation { mate: Some(mate), ..Evaluation::default() };
        assert_eq!(Referee::new(&rules).result(&game, 1, FIRST, &said(3)), None);
        let result = Referee::new(&rules).result(&game, 1, FIRST, &said(-3));
        assert_eq!(result.map(|(outcome, _)| outcome), Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn a_level_game_is_drawn_after_its_ply() {
        let draw = |from_ply| Adjudication {
            draw: Some(Level { score: 10, moves: 2, from_ply }),
            ..Adjudication::default()
        };
        let level = [Some(10), Some(-10), Some(0), Some(3), Some(1), Some(1)];
        assert_eq!(ended(&draw(0), &level), Some((4, Outcome::Draw)));
        assert_eq!(ended(&draw(6), &level), Some((6, Outcome::Draw)));
        assert_eq!(ended(&draw(0), &[Some(0), Some(11), Some(0), Some(0), Some(0)]), None);
    }

    #[test]
    fn a_long_game_is_drawn() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        assert_eq!(ended(&rules, &[None; 9]), Some((3, Outcome::Draw)));
        assert_eq!(ended(&Adjudication::default(), &[None; 9]), None);
    }

    #[test]
    fn exact_knowledge_ends_games_near_their_end() {
        let result = |exact, spec: &str, moves: &str| {
            let mut game = AnyGame::from(spec.parse::<rules::Spec>().unwrap());
            game.play_all(moves).unwrap();
            let rules = Adjudication { exact: Some(exact), ..Adjudication::default() };
            Referee::new(&rules).result(&game, 1, FIRST, &Evaluation::default())
        };
        let won = |plies| Some((Outcome::Win(FIRST), Adjudicated::Exact { plies }));
        // Three in a row, open on both sides, with the second player to move.
        assert_eq!(result(2, "connect-four", "44335"), won(2));
        assert_eq!(result(1, "connect-four", "44335"), None);
        // The empty board is won too, at the very end.
        assert_eq!(result(40, "connect-four", ""), None);
        assert_eq!(result(41, "connect-four", ""), won(41));
        let drawn = Some((Outcome::Draw, Adjudicated::Exact { plies: 9 }));
        assert_eq!(result(9, "tic-tac-toe", ""), drawn);
    }
}
