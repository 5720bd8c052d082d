//! A finished game, as stored in the journal and exported as text.

use std::ops::Deref;

pub use rules::game_text::{Read, ReadError, read};
use rules::{AnyGame, Outcome, Side, Spec, game_text};
use serde::{Deserialize, Serialize};
use tournament::report::{PlayedGame, Slot};

use crate::{Adjudicated, Evaluation, Fault, bout::TimeUsed};

/// A finished game: the part that reports contain, and the part that only the arena keeps.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Players, moves and result.
    #[serde(flatten)]
    pub played: PlayedGame<Fault>,
    /// The game as a spec.
    pub spec: Spec,
    /// How many of the moves belong to the opening.
    pub opening: usize,
    /// Why the game was adjudicated, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicated: Option<Adjudicated>,
    /// The resources that each side used.
    pub spent: [TimeUsed; 2],
    /// The players' evaluations of their moves, in the order of all moves; shorter if the last moves have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evaluations: Vec<Evaluation>,
}

impl Deref for Record {
    type Target = PlayedGame<Fault>;

    fn deref(&self) -> &Self::Target {
        &self.played
    }
}

/// Parses the evaluations of an imported game; other comments are skipped.
#[must_use]
pub fn evaluations(read: &Read) -> Vec<Evaluation> {
    let mut all: Vec<Evaluation> =
        read.comments.iter().map(|comment| comment.parse().unwrap_or_default()).collect();
    all.truncate(all.iter().rposition(|said| !said.is_empty()).map_or(0, |last| last + 1));
    all
}

impl Record {
    /// The score of a side in half points: 2, 1 or 0.
    #[must_use]
    pub fn half_points(&self, side: Side) -> usize {
        match self.result {
            Outcome::Win(winner) => 2 * usize::from(winner == side),
            Outcome::Draw => 1,
        }
    }

    /// The name of the player that lost; none in a draw.
    #[must_use]
    pub fn loser(&self) -> Option<&str> {
        let loser = self.result.winner()?.other();
        Some(&self.players[loser.index()])
    }

    /// The game itself.
    ///
    /// # Errors
    /// If the position or a move is illegal; the message says why.
    pub fn game(&self) -> Result<AnyGame, String> {
        let position = self.position.clone();
        crate::openings::AnyGameText { position, moves: self.moves.clone() }.game(self.spec)
    }

    /// The game as text.
    #[must_use]
    pub fn to_text(&self, event: &str) -> String {
        let Slot { round, pairing, pair, game } = self.slot;
        let mut tags = vec![
            ("Event", event.to_owned()),
            ("Game", self.spec.to_string()),
            ("Round", format!("{}.{}.{}.{}", round + 1, pairing + 1, pair + 1, game + 1)),
            ("First", self.players[0].clone()),
            ("Second", self.players[1].clone()),
        ];
        if let Some(position) = &self.position {
            tags.push(("Position", position.clone()));
        }
        if self.opening > 0 {
            tags.push(("OpeningMoves", self.opening.to_string()));
        }
        tags.push(("Result", game_text::result(Some(self.result)).to_owned()));
        if let Some(fault) = &self.forfeit {
            tags.push(("Termination", format!("forfeit: {fault}")));
        }
        if let Some(rule) = &self.adjudicated {
            tags.push(("Termination", format!("adjudicated: {rule}")));
        }
        let starts_second = self.position.as_deref().is_some_and(|position| position.ends_with(" b"));
        let comments: Vec<_> = self.evaluations.iter().map(ToString::to_string).collect();
        game_text::write(&tags, starts_second, self.moves.split_whitespace(), &comments, Some(self.result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(spec: &str, position: Option<&str>, moves: &str, result: Outcome) -> Record {
        Record {
            played: PlayedGame {
                slot: Slot { round: 0, pairing: 1, pair: 2, game: 1 },
                players: ["smart:5".to_owned(), "A\"B\\".to_owned()],
                position: position.map(str::to_owned),
                moves: moves.to_owned(),
                result,
                forfeit: None,
            },
            spec: spec.parse().unwrap(),
            opening: 0,
            adjudicated: None,
            spent: [TimeUsed::default(); 2],
            evaluations: Vec::new(),
        }
    }

    #[test]
    fn games_round_trip_through_text() {
        let first = Outcome::Win(Side::First);
        let records = [
            record("connect-four", None, "4 4 5 5 6 6 7", first),
            record("connect-four:6x12", Some("12/12/12/12/12/x11 b"), "12 1 12", first),
            record("simplexity", None, "4r 4s 1s", Outcome::Draw),
            record("chess-five", None, "Q@d K@a", Outcome::Win(Side::Second)),
            record("tic-tac-toe", None, "", Outcome::Draw),
        ];
        let text: String = records.iter().map(|record| record.to_text("test")).collect();
        let games = read(&text).unwrap();
        assert_eq!(games.len(), records.len());
        for (read, record) in games.iter().zip(&records) {
            assert_eq!(read.game.moves().join(" "), record.moves, "{text}");
            assert_eq!(read.game.spec(), record.spec);
            assert_eq!(read.result, Some(record.result));
            assert_eq!(read.players[1].as_deref(), Some("A\"B\\"));
        }
        assert!(text.contains("1... 12 2. 1 12"), "{text}");
    }

    #[test]
    fn long_games_are_wrapped() {
        let moves: Vec<_> = (0..120).map(|i| (i % 64 + 1).to_string()).collect();
        let moves = moves.join(" ");
        let text = record("connect-four:64x64x16", None, &moves, Outcome::Draw).to_text("test");
        assert!(text.lines().all(|line| line.len() <= 80));
        assert_eq!(read(&text).unwrap()[0].game.moves().len(), 120);
    }

    #[test]
    fn evaluations_are_comments_that_are_read_back() {
        let mut record = record("connect-four", None, "4 4 5", Outcome::Draw);
        let said =
            Evaluation { score: Some(-12), depth: Some(8), time_ms: Some(350), ..Evaluation::default() };
        record.evaluations = vec![Evaluation::default(), said];
        let text = record.to_text("test");
        assert!(text.contains("1. 4 4 {-12/8 0.350s} 2. 5 1/2-1/2"), "{text}");
        assert_eq!(evaluations(&read(&text).unwrap()[0]), record.evaluations);
        let line = serde_json::to_string(&record).unwrap();
        assert!(line.ends_with(r#""evaluations":[{},{"score":-12,"depth":8,"time_ms":350}]}"#), "{line}");
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }

    #[test]
    fn nothing_is_kept_where_nothing_was_said() {
        let record = record("connect-four", None, "4 4 5", Outcome::Draw);
        let line = serde_json::to_string(&record).unwrap();
        assert!(!line.contains("evaluations"), "{line}");
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }

    #[test]
    fn a_record_round_trips_through_json() {
        let mut record = record("connect-four", None, "4", Outcome::Win(Side::Second));
        record.played.forfeit = Some(Fault::Crash { status: "exit code 3".to_owned() });
        let line = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }
}
