//! A finished game, as it is kept in the journal and written for people: a text like PGN, one game after
//! the other, which can be read back.

use std::fmt::Write;

use rules::{AnyGame, Outcome, Side, Spec, excerpt};
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

use crate::{Fault, bout::Spent};

/// Which game of a tournament: each is played once, whatever happens in between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Slot {
    /// The round, from 0.
    pub round: usize,
    /// The pairing within the round, from 0.
    pub pairing: usize,
    /// The opening within the pairing, from 0.
    pub pair: usize,
    /// 0, or 1 with sides exchanged.
    pub game: usize,
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Its place in the tournament.
    #[serde(flatten)]
    pub slot: Slot,
    /// The game as a spec.
    #[serde(deserialize_with = "spec")]
    pub spec: Spec,
    /// Who played, in the order of moving.
    pub players: [String; 2],
    /// Where it began, if not at the usual start.
    pub position: Option<String>,
    /// How many of the moves were the opening's.
    pub opening: usize,
    /// All moves, separated by spaces.
    pub moves: String,
    /// Who won.
    #[serde(deserialize_with = "outcome")]
    pub result: Outcome,
    /// What the loser did wrong, if it did not lose by the rules.
    pub forfeit: Option<Fault>,
    /// What each side used.
    pub spent: [Spent; 2],
}

fn spec<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Spec, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

fn outcome<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "first" => Ok(Outcome::Win(Side::First)),
        "second" => Ok(Outcome::Win(Side::Second)),
        "draw" => Ok(Outcome::Draw),
        other => Err(serde::de::Error::custom(format!("“{}” is no result", excerpt(other)))),
    }
}

impl Record {
    /// What a side scored in half points: 2, 1 or 0.
    #[must_use]
    pub fn half_points(&self, side: Side) -> usize {
        match self.result {
            Outcome::Win(winner) => 2 * usize::from(winner == side),
            Outcome::Draw => 1,
        }
    }

    /// The game itself.
    ///
    /// # Errors
    /// If the rules refuse it; then with the sentence.
    pub fn game(&self) -> Result<AnyGame, String> {
        let position = self.position.clone();
        crate::openings::AnyGameText { position, moves: self.moves.clone() }.game(self.spec)
    }

    /// The game as text.
    #[must_use]
    pub fn to_text(&self, event: &str) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(text, "[{name} \"{value}\"]").expect("a string takes any text");
        };
        let Slot { round, pairing, pair, game } = self.slot;
        tag("Event", event);
        tag("Game", &self.spec.to_string());
        tag("Round", &format!("{}.{}.{}.{}", round + 1, pairing + 1, pair + 1, game + 1));
        tag("First", &self.players[0]);
        tag("Second", &self.players[1]);
        if let Some(position) = &self.position {
            tag("Position", position);
        }
        if self.opening > 0 {
            tag("OpeningMoves", &self.opening.to_string());
        }
        tag("Result", result_text(self.result));
        if let Some(fault) = &self.forfeit {
            tag("Termination", &format!("forfeit: {fault}"));
        }
        // The number goes before the first player's moves, and before the first move of all.
        let starts_second = self.position.as_deref().is_some_and(|position| position.ends_with(" b"));
        let mut line = String::new();
        text.push('\n');
        for (i, m) in self.moves.split_whitespace().enumerate() {
            let ply = i + usize::from(starts_second);
            let mut word = match (ply % 2, i) {
                (0, _) => format!("{}. {m}", ply / 2 + 1),
                (_, 0) => format!("{}... {m}", ply / 2 + 1),
                _ => m.to_owned(),
            };
            if line.len() + word.len() > 78 {
                text += line.trim_end();
                text.push('\n');
                line.clear();
            }
            word.push(' ');
            line += &word;
        }
        text + &line + result_text(self.result) + "\n\n"
    }
}

fn result_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "1-0",
        Outcome::Win(Side::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// A game read back from text.
#[derive(Clone, Debug)]
pub struct Read {
    /// With all its moves, which the rules allow.
    pub game: AnyGame,
    /// Who played, in the order of moving, as far as the text says.
    pub players: [Option<String>; 2],
    /// Who won, as the text says; a forfeit is not on the board.
    pub result: Option<Outcome>,
    /// Why, if it was not by the rules.
    pub termination: Option<String>,
}

/// Why a text holds no games.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReadError {
    /// There are no games in it.
    #[error("there is no game in it: a game begins with tags such as [Game \"connect-four:6x7x4\"]")]
    None,
    /// A game says nothing about what is played.
    #[error("game {0} has no tag [Game \"…\"], so nobody knows what was played")]
    NoGame(usize),
    /// Something in a game is wrong.
    #[error("game {number}: {reason}")]
    Game {
        /// Which, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
}

/// Reads games back. Tags that mean nothing to us, comments in braces and move numbers are skipped.
///
/// # Errors
/// If there are none, or one that the rules do not allow.
pub fn read(text: &str) -> Result<Vec<Read>, ReadError> {
    let mut games = Vec::new();
    let (mut tags, mut moves) = (Vec::new(), String::new());
    let mut in_comment = false;
    for line in text.lines() {
        let line = line.trim();
        if let (false, Some((name, value))) = (in_comment, tag(line)) {
            if !moves.trim().is_empty() {
                games.push((std::mem::take(&mut tags), std::mem::take(&mut moves)));
            }
            tags.push((name.to_owned(), value));
            continue;
        }
        for c in line.chars().chain(['\n']) {
            match c {
                '{' => in_comment = true,
                '}' if in_comment => in_comment = false,
                _ if !in_comment => moves.push(c),
                _ => {}
            }
        }
    }
    if !tags.is_empty() || !moves.trim().is_empty() {
        games.push((tags, moves));
    }
    if games.is_empty() {
        return Err(ReadError::None);
    }
    games.iter().enumerate().map(|(i, (tags, moves))| one(i + 1, tags, moves)).collect()
}

fn one(number: usize, tags: &[(String, String)], moves: &str) -> Result<Read, ReadError> {
    let find = |name: &str| tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let refuse = |reason: String| ReadError::Game { number, reason };
    let spec = find("Game").ok_or(ReadError::NoGame(number))?;
    let spec: Spec = spec.parse().map_err(|error: rules::SpecError| refuse(error.to_string()))?;
    let mut game = AnyGame::from(spec);
    if let Some(position) = find("Position") {
        game.set_position(&position).map_err(|error| refuse(error.to_string()))?;
    }
    let mut result = None;
    for word in moves.split_whitespace() {
        // A number with dots is the number of a move, never a move.
        let is_number = word.ends_with('.') && word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit());
        match word {
            "1-0" => result = Some(Outcome::Win(Side::First)),
            "0-1" => result = Some(Outcome::Win(Side::Second)),
            "1/2-1/2" => result = Some(Outcome::Draw),
            "*" => {}
            _ if is_number => {}
            _ => game.play(word).map_err(|error| refuse(error.to_string()))?,
        }
    }
    if let (Some(written), Some(played)) = (result, game.outcome())
        && written != played
    {
        let played = result_text(played);
        return Err(refuse(format!("it ends with {}, but the moves give {played}", result_text(written))));
    }
    let termination = find("Termination");
    Ok(Read { game, players: [find("First"), find("Second")], result, termination })
}

/// The name and value of a line such as `[First "smart:5"]`.
fn tag(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(spec: &str, position: Option<&str>, moves: &str, result: Outcome) -> Record {
        Record {
            slot: Slot { round: 0, pairing: 1, pair: 2, game: 1 },
            spec: spec.parse().unwrap(),
            players: ["smart:5".to_owned(), "A\"B\\".to_owned()],
            position: position.map(str::to_owned),
            opening: 0,
            moves: moves.to_owned(),
            result,
            forfeit: None,
            spent: [Spent::default(); 2],
        }
    }

    #[test]
    fn games_are_read_back_as_they_were_written() {
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
    fn long_games_are_broken_into_lines() {
        let moves: Vec<_> = (0..120).map(|i| (i % 64 + 1).to_string()).collect();
        let moves = moves.join(" ");
        let text = record("connect-four:64x64x16", None, &moves, Outcome::Draw).to_text("test");
        assert!(text.lines().all(|line| line.len() <= 80));
        assert_eq!(read(&text).unwrap()[0].game.moves().len(), 120);
    }

    #[test]
    fn comments_and_unknown_tags_are_skipped() {
        let text = "[Game \"tic-tac-toe\"]\n[Colour \"blue\"]\n\n1. b2 {the [centre]\n 9} a3 *\n";
        assert_eq!(read(text).unwrap()[0].game.moves(), ["b2", "a3"]);
    }

    #[test]
    fn bad_games_are_refused_with_a_sentence() {
        for (text, sentence) in [
            ("", "there is no game in it"),
            ("1. 4 4", "has no tag"),
            ("[Game \"ludo\"]\n\n1. 4", "there is no game “ludo”"),
            ("[Game \"connect-four\"]\n\n1. 9", "there is no column 9"),
            ("[Game \"connect-four\"]\n[Position \"x\"]\n\n1. 4", "is no position"),
            ("[Game \"connect-four\"]\n\n1. 4 4 2. 5 5 3. 6 6 4. 7 0-1", "the moves give 1-0"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(sentence), "{error}");
        }
    }

    #[test]
    fn a_record_survives_the_journal() {
        let mut record = record("connect-four", None, "4", Outcome::Win(Side::Second));
        record.forfeit = Some(Fault::Crash { status: "exit code 3".to_owned() });
        let line = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }
}
