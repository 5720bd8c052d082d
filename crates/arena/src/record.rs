//! A finished game, as stored in the journal and exported as text.

use std::ops::Deref;

pub use rules::game_text::{Read, ReadError, read};
use rules::{AnyGame, Outcome, Side, Spec, game_text};
use serde::{Deserialize, Serialize};
use tournament::report::PlayedGame;

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
        let mut tags = vec![
            ("Event", event.to_owned()),
            ("Game", self.spec.to_string()),
            ("Round", self.slot.to_string()),
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
        self.with_moves(tags)
    }

    /// The game as PGN with moves in the notation of its game, on this day if it is known: White is the side that moves
    /// first.
    #[must_use]
    pub fn pgn(&self, event: &str, date: Option<&str>) -> String {
        let mut tags = vec![
            ("Event", event.to_owned()),
            ("Site", "?".to_owned()),
            ("Date", date.map_or("????.??.??".to_owned(), |date| date.replace('-', "."))),
            ("Round", self.slot.to_string()),
            ("White", self.players[0].clone()),
            ("Black", self.players[1].clone()),
            ("Result", game_text::result(Some(self.result)).to_owned()),
            ("Variant", self.spec.to_string()),
        ];
        if let Some(position) = &self.position {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", position.clone())]);
        }
        tags.push(("PlyCount", self.moves.split_whitespace().count().to_string()));
        self.with_moves(tags)
    }

    /// Players and result as PGN without moves.
    pub(crate) fn pgn_result(&self, event: &str) -> String {
        let tags = [
            ("Event", event.to_owned()),
            ("Round", (self.slot.round + 1).to_string()),
            ("White", self.players[0].clone()),
            ("Black", self.players[1].clone()),
            ("Result", game_text::result(Some(self.result)).to_owned()),
        ];
        game_text::write(&tags, false, [], &[], Some(self.result))
    }

    /// The tags, how the game ended if not by the rules, and the moves with the players' comments.
    fn with_moves(&self, mut tags: Vec<(&str, String)>) -> String {
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
    use crate::Slot;

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
    fn a_game_is_pgn_with_moves_and_comments() {
        let mut record = record("connect-four", None, "4 4 5", Outcome::Win(Side::First));
        let said = Evaluation {
            score: Some(7),
            depth: Some(3),
            seldepth: Some(9),
            nodes: Some(120),
            nps: Some(60_000),
            time_ms: Some(2),
            left_ms: Some(998),
            pv: vec!["4".to_owned(), "5".to_owned()],
            ..Evaluation::default()
        };
        record.evaluations = vec![Evaluation::default(), said];
        record.played.forfeit = Some(Fault::Crash { status: "exit code 3".to_owned() });
        assert_eq!(
            record.pgn("cup", Some("2026-11-19")),
            "[Event \"cup\"]\n[Site \"?\"]\n[Date \"2026.11.19\"]\n[Round \"1.2.3.2\"]\n[White \"smart:5\"]\n\
             [Black \"A\\\"B\\\\\"]\n[Result \"1-0\"]\n[Variant \"connect-four:6x7x4\"]\n[PlyCount \"3\"]\n\
             [Termination \"forfeit: crashed: exit code 3\"]\n\n1. 4 4 \
             {+7/3 0.002s, tl=0.998s, n=120, sd=9, nps=60000, pv=\"4 5\"} 2. 5 1-0\n\n"
        );
        record.played.position = Some("7/7/7/7/7/3x3 b".to_owned());
        assert!(record.pgn("cup", None).contains("[SetUp \"1\"]\n[FEN \"7/7/7/7/7/3x3 b\"]"));
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
