//! Games as text, similar to PGN: tags, numbered moves, the result. Written and read, one or many.

use std::fmt::Write;

use thiserror::Error;

use crate::{AnyGame, Outcome, Side, Spec, SpecError};

/// Writes a game. `starts_second` is true if the second side makes the first move. Each move may have a
/// comment, empty if there is none; there may be fewer comments than moves.
#[must_use]
pub fn write<'a>(
    tags: &[(&str, String)],
    starts_second: bool,
    moves: impl IntoIterator<Item = &'a str>,
    comments: &[String],
    outcome: Option<Outcome>,
) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        // A value is one line.
        let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("a string takes any text");
    }
    let mut line = String::new();
    text.push('\n');
    // A number precedes each move of the first player, and the first move of the game.
    for (i, m) in moves.into_iter().enumerate() {
        let ply = i + usize::from(starts_second);
        let word = match (ply % 2, i) {
            (0, _) => format!("{}. {m}", ply / 2 + 1),
            (_, 0) => format!("{}... {m}", ply / 2 + 1),
            _ => m.to_owned(),
        };
        let comment = comments.get(i).filter(|comment| !comment.is_empty());
        let comment = comment.map(|comment| format!("{{{}}}", comment.replace(['{', '}', '\n', '\r'], " ")));
        for mut word in [word].into_iter().chain(comment) {
            if line.len() + word.len() > 78 && !line.is_empty() {
                text += line.trim_end();
                text.push('\n');
                line.clear();
            }
            word.push(' ');
            line += &word;
        }
    }
    text + &line + result(outcome) + "\n\n"
}

/// A result as it is written; `*` for a game without one.
#[must_use]
pub const fn result(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::First)) => "1-0",
        Some(Outcome::Win(Side::Second)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// A game read back from text.
#[derive(Clone, Debug)]
pub struct Read {
    /// The game with all its moves.
    pub game: AnyGame,
    /// The names of the players in the order of moving, if the text has them.
    pub players: [Option<String>; 2],
    /// The result that the text states: a game may end by forfeit, which the board does not show.
    pub result: Option<Outcome>,
    /// How the game ended, if not by the rules.
    pub termination: Option<String>,
    /// All tags, by name.
    pub tags: Vec<(String, String)>,
    /// The comment on each move, in braces; empty without one.
    pub comments: Vec<String>,
}

impl Read {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Why a text could not be read as games.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text contains no game.
    #[error("the text contains no game; a game begins with tags such as [Game \"connect-four:6x7x4\"]")]
    None,
    /// A game has no tag that names it.
    #[error("game {0} has no tag [Game \"…\"]; add one that names the game")]
    NoGame(usize),
    /// Something in a game is wrong.
    #[error("game {number}: {reason}")]
    Game {
        /// The number of the game, from 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// Reads games. Unknown tags and move numbers are skipped.
///
/// # Errors
/// If there are none, or a move is illegal.
pub fn read(text: &str) -> Result<Vec<Read>, ReadError> {
    let mut reader = Reader::default();
    let mut games = Vec::new();
    for line in text.lines() {
        games.extend(reader.line(line)?);
    }
    games.extend(reader.end()?);
    if games.is_empty() { Err(ReadError::None) } else { Ok(games) }
}

/// Reads games line by line, for texts that are too long to be held as a whole.
#[derive(Debug, Default)]
pub struct Reader {
    tags: Vec<(String, String)>,
    course: Vec<Token>,
    /// The comment in progress, which may span several lines.
    comment: Option<String>,
    /// How many games were read.
    count: usize,
}

impl Reader {
    /// Takes the next line, and returns the game that ended before it, if one did.
    ///
    /// # Errors
    /// If that game has no tag that names it, or a move is illegal.
    pub fn line(&mut self, line: &str) -> Result<Option<Read>, ReadError> {
        let line = line.trim();
        if let (None, Some((name, value))) = (&self.comment, tag(line)) {
            let ended = if self.course.is_empty() { None } else { self.end()? };
            self.tags.push((name.to_owned(), value));
            return Ok(ended);
        }
        let mut word = String::new();
        for c in line.chars().chain(['\n']) {
            match (&mut self.comment, c) {
                (Some(_), '}') => self.course.extend(self.comment.take().map(Token::Comment)),
                (Some(text), c) => text.push(c),
                (None, '{') => self.comment = Some(String::new()),
                (None, c) if !c.is_whitespace() => word.push(c),
                (None, _) => {}
            }
            let has_ended = self.comment.is_some() || c.is_whitespace();
            if has_ended && !word.is_empty() {
                self.course.push(Token::Word(std::mem::take(&mut word)));
            }
        }
        Ok(None)
    }

    /// Returns the last game, if there were lines after the one before it.
    ///
    /// # Errors
    /// As for [`line`](Self::line).
    pub fn end(&mut self) -> Result<Option<Read>, ReadError> {
        let (tags, course) = (std::mem::take(&mut self.tags), std::mem::take(&mut self.course));
        if tags.is_empty() && course.is_empty() {
            return Ok(None);
        }
        self.count += 1;
        one(self.count, &tags, &course).map(Some)
    }
}

/// A part of the text after the tags.
#[derive(Debug)]
enum Token {
    Word(String),
    Comment(String),
}

fn one(number: usize, tags: &[(String, String)], course: &[Token]) -> Result<Read, ReadError> {
    let find = |name: &str| tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let refuse = |reason: String| ReadError::Game { number, reason };
    let spec = find("Game").ok_or(ReadError::NoGame(number))?;
    let spec: Spec = spec.parse().map_err(|error: SpecError| refuse(error.to_string()))?;
    let mut game = AnyGame::from(spec);
    if let Some(position) = find("Position") {
        game.set_position(&position).map_err(|error| refuse(error.to_string()))?;
    }
    let (mut result, mut comments) = (None, Vec::<String>::new());
    for token in course {
        let word = match token {
            Token::Word(word) => word.as_str(),
            Token::Comment(text) => {
                // A comment before the first move belongs to no move.
                if let Some(said) = comments.last_mut() {
                    let space = if said.is_empty() { "" } else { " " };
                    *said += &format!("{space}{}", text.split_whitespace().collect::<Vec<_>>().join(" "));
                }
                continue;
            }
        };
        // A number with dots is the number of a move, never a move.
        let is_number = word.ends_with('.') && word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit());
        match word {
            "1-0" => result = Some(Outcome::Win(Side::First)),
            "0-1" => result = Some(Outcome::Win(Side::Second)),
            "1/2-1/2" => result = Some(Outcome::Draw),
            "*" => {}
            _ if is_number => {}
            _ => {
                game.play(word).map_err(|error| refuse(error.to_string()))?;
                comments.push(String::new());
            }
        }
    }
    if let (Some(written), Some(played)) = (result, game.outcome())
        && written != played
    {
        let played = self::result(Some(played));
        return Err(refuse(format!(
            "it ends with {}, but the moves give {played}",
            self::result(Some(written))
        )));
    }
    let termination = find("Termination");
    Ok(Read {
        game,
        players: [find("First"), find("Second")],
        result,
        termination,
        tags: tags.to_vec(),
        comments,
    })
}

/// The name and value of a line such as `[First "smart:5"]`.
fn tag(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// The day of a Unix time in milliseconds, in UTC, as the tag `Date` has it.
#[must_use]
pub fn date(unix_ms: u64) -> String {
    // Civil from days: years begin in March, so that leap days come last.
    let days = unix_ms / 86_400_000 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_kept_with_their_moves_and_unknown_tags_skipped() {
        let text = "[Game \"tic-tac-toe\"]\n[Colour \"blue\"]\n\n{so} 1. b2{the [centre]\n 9}{ two }a3 2. c1 {x} *\n";
        let read = read(text).unwrap().remove(0);
        assert_eq!(read.game.moves(), ["b2", "a3", "c1"]);
        assert_eq!(read.comments, ["the [centre] 9 two", "", "x"]);
    }

    #[test]
    fn comments_round_trip_and_never_end_early() {
        let tags = [("Game", "connect-four".to_owned())];
        let comments = ["+3/8 0.350s, n=3173", "", "a} {b\nc"].map(str::to_owned);
        let text = write(&tags, false, ["4", "4", "5", "5"], &comments, None);
        assert!(text.contains("1. 4 {+3/8 0.350s, n=3173} 4 2. 5 {a   b c} 5 *"), "{text}");
        assert_eq!(read(&text).unwrap()[0].comments, ["+3/8 0.350s, n=3173", "", "a b c", ""]);
        let long: Vec<_> = (0..40).map(|i| format!("+{i}/8 0.350s, n=3173")).collect();
        let moves: Vec<_> = (0..40).map(|i| (i % 7 + 1).to_string()).collect();
        let text = write(&tags, true, moves.iter().map(String::as_str), &long, None);
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }

    #[test]
    fn bad_games_are_refused_with_a_sentence() {
        for (text, sentence) in [
            ("", "the text contains no game"),
            ("1. 4 4", "has no tag"),
            ("[Game \"ludo\"]\n\n1. 4", "there is no game “ludo”"),
            ("[Game \"connect-four\"]\n\n1. 9", "there is no column 9"),
            ("[Game \"connect-four\"]\n[Position \"x\"]\n\n1. 4", "is not a position"),
            ("[Game \"connect-four\"]\n\n1. 4 4 2. 5 5 3. 6 6 4. 7 0-1", "the moves give 1-0"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(sentence), "{error}");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (unix_ms, day) in [
            (0, "1970-01-01"),
            (951_782_400_000, "2000-02-29"),
            (951_868_799_999, "2000-02-29"),
            (1_735_689_600_000, "2025-01-01"),
            (4_107_542_400_000, "2100-03-01"),
        ] {
            assert_eq!(date(unix_ms), day);
        }
    }
}
