//! Checks the forced wins and losses that players announce against the games and against the players' own lines.

use std::fmt;

use rules::{AnyGame, Outcome, Side};
use serde::Serialize;

use crate::{Evaluation, Record, Slot};

/// An announced win or loss that is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WrongClaim {
    /// The game.
    pub slot: Slot,
    /// The player that made the claim.
    pub player: String,
    /// The number of the move with the claim, from 1.
    pub ply: usize,
    /// The winner's own moves to the end, negative if the player announced its loss.
    pub mate: i64,
    /// Why it is wrong.
    pub reason: Wrong,
}

/// Why a claim is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Wrong {
    /// The player did not win within the announced number of moves.
    NotWon,
    /// A move of the player's own line is illegal.
    IllegalLine {
        /// The move.
        played: String,
    },
    /// The player's own line does not end as announced.
    OtherEnd,
}

impl fmt::Display for WrongClaim {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { player, ply, mate, reason, .. } = self;
        let result = if *mate > 0 { "a win" } else { "a loss" };
        write!(f, "{player} announced {result} in {} with move {ply}, but ", mate.unsigned_abs())?;
        match reason {
            Wrong::NotWon => f.write_str("did not win by then"),
            Wrong::IllegalLine { played } => write!(f, "its line has the illegal move {played}"),
            Wrong::OtherEnd => f.write_str("its line does not end so"),
        }
    }
}

/// Returns the wrong claims of a game. A claim about a part of the game that was not played, because of a forfeit or an
/// adjudication, is wrong only if the player's own line shows it; a line that is shorter than the claim shows nothing.
#[must_use]
pub fn wrong(record: &Record) -> Vec<WrongClaim> {
    let mut game = AnyGame::from(record.spec);
    if record.position.as_ref().is_some_and(|position| game.set_position(position).is_err()) {
        return Vec::new();
    }
    let moves: Vec<_> = record.moves.split_whitespace().collect();
    let mut claims = Vec::new();
    for (index, m) in moves.iter().enumerate() {
        let said = record.evaluations.get(index);
        if let Some((said, mate)) = said.and_then(|said| Some((said, said.mate.filter(|mate| *mate != 0)?))) {
            let reason = wrong_line(&game, said, mate).or_else(|| {
                let is_missed = mate > 0 && is_missed(record, moves.len() - index, game.turn(), mate);
                is_missed.then_some(Wrong::NotWon)
            });
            claims.extend(reason.map(|reason| WrongClaim {
                slot: record.slot,
                player: record.players[game.turn().index()].clone(),
                ply: index + 1,
                mate,
                reason,
            }));
        }
        // An edited journal may contain illegal moves.
        if game.play(m).is_err() {
            break;
        }
    }
    claims
}

/// The number of plies up to the announced end.
fn plies(mate: i64) -> usize {
    let moves = usize::try_from(mate.unsigned_abs()).unwrap_or(usize::MAX / 2).min(usize::MAX / 2);
    if mate > 0 { 2 * moves - 1 } else { 2 * moves }
}

/// Plays the line of a claim, if it is as long as the claim.
fn wrong_line(game: &AnyGame, said: &Evaluation, mate: i64) -> Option<Wrong> {
    let line = said.pv.get(..plies(mate))?;
    let winner = if mate > 0 { game.turn() } else { game.turn().other() };
    let mut game = game.clone();
    for m in line {
        if game.play(m).is_err() {
            return Some(Wrong::IllegalLine { played: rules::excerpt(m) });
        }
    }
    (game.outcome() != Some(Outcome::Win(winner))).then_some(Wrong::OtherEnd)
}

/// Whether the game, which went on for this many plies with the announcing move, shows that the win did not come.
fn is_missed(record: &Record, went_on: usize, side: Side, mate: i64) -> bool {
    let is_by_rules = record.forfeit.is_none() && record.adjudicated.is_none();
    let is_won = is_by_rules && record.result == Outcome::Win(side);
    let (announced, has_ended) = (plies(mate), is_by_rules && !is_won);
    went_on > announced || has_ended || (went_on == announced && !is_won)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fault, PlayedGame, bout::TimeUsed};

    /// A game of Connect Four with a claim about one of its moves.
    fn claims(moves: &str, result: Outcome, ply: usize, mate: i64, pv: &str) -> Vec<Wrong> {
        wrong(&record(moves, result, ply, mate, pv)).into_iter().map(|claim| claim.reason).collect()
    }

    fn record(moves: &str, result: Outcome, ply: usize, mate: i64, pv: &str) -> Record {
        let mut evaluations = vec![Evaluation::default(); ply - 1];
        let pv = pv.split_whitespace().map(str::to_owned).collect();
        evaluations.push(Evaluation { mate: Some(mate), pv, ..Evaluation::default() });
        Record {
            played: PlayedGame {
                slot: Slot { round: 0, pairing: 0, pair: 0, game: 0 },
                players: ["A".to_owned(), "B".to_owned()],
                position: None,
                moves: moves.to_owned(),
                result,
                forfeit: None,
            },
            spec: "connect-four".parse().unwrap(),
            opening: 0,
            adjudicated: None,
            spent: [TimeUsed::default(); 2],
            evaluations,
        }
    }

    const FIRST: Outcome = Outcome::Win(Side::First);
    const SECOND: Outcome = Outcome::Win(Side::Second);
    /// The first player has three in a row after its fifth ply and wins with the seventh.
    const GAME: &str = "4 4 5 5 6 6 7";

    #[test]
    fn a_win_in_time_is_no_wrong_claim() {
        for (ply, mate) in [(7, 1), (5, 2), (3, 3), (5, 3)] {
            assert_eq!(claims(GAME, FIRST, ply, mate, ""), [], "{ply} {mate}");
        }
        assert_eq!(claims(GAME, FIRST, 5, 2, "6 6 7"), []);
        // The loser sees it too.
        assert_eq!(claims(GAME, FIRST, 6, -1, "6 7"), []);
        // Its opponent may fail to win.
        assert_eq!(claims("4 4 5 5 6 6 1 7", SECOND, 6, -1, "6 7"), []);
    }

    #[test]
    fn a_win_that_does_not_come_in_time_is_a_wrong_claim() {
        assert_eq!(claims(GAME, FIRST, 5, 1, ""), [Wrong::NotWon]);
        assert_eq!(claims(GAME, FIRST, 1, 3, ""), [Wrong::NotWon]);
        assert_eq!(claims(GAME, FIRST, 2, 9, ""), [Wrong::NotWon], "the other side won");
        assert_eq!(claims("4 4 5 5 6 6 1", Outcome::Draw, 7, 1, ""), [Wrong::NotWon]);
    }

    #[test]
    fn what_was_not_played_refutes_nothing() {
        let mut record = record("4 4 5 5 6 6", SECOND, 5, 2, "");
        record.played.forfeit = Some(Fault::Crash { status: String::new() });
        assert_eq!(wrong(&record), []);
        // But the game went on after the announced end.
        record.evaluations[4].mate = Some(1);
        assert_eq!(wrong(&record).len(), 1);
    }

    #[test]
    fn a_line_must_end_as_announced() {
        assert_eq!(claims(GAME, FIRST, 5, 2, "6 1 1"), [Wrong::OtherEnd]);
        assert_eq!(claims(GAME, FIRST, 6, -1, "6 1"), [Wrong::OtherEnd]);
        assert_eq!(claims(GAME, FIRST, 5, 2, "6 9 7"), [Wrong::IllegalLine { played: "9".to_owned() }]);
        // Shorter than the claim.
        assert_eq!(claims(GAME, FIRST, 5, 2, "6 1"), []);
    }

    #[test]
    fn a_wrong_claim_is_a_sentence() {
        let wrong = wrong(&record(GAME, FIRST, 5, 1, ""));
        assert_eq!(wrong[0].to_string(), "A announced a win in 1 with move 5, but did not win by then");
    }
}
