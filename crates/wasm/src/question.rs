//! What can be asked.

use std::fmt;

use protocol::{Command, GameRecord, NewTable};
use rules::excerpt;
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, Visitor, value},
    forward_to_deserialize_any,
};
use table::LogEntry;

use crate::puzzles::PuzzleQuestion;

/// A question: an object with its name and what it needs, such as `{"games": {}}`. Not tagged by a field, for which the
/// reading code would be twice as large.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// The games with their players and levels: as `GET /api/games` of a server.
    Games {},
    /// The positions of a game: as `POST /api/position`.
    Positions {
        /// The game and its moves.
        record: GameRecord,
    },
    /// The move of a program, with its reasons.
    Choose {
        /// The game and its moves.
        record: GameRecord,
        /// A program of the roster.
        player: String,
        /// The same seed gives the same choice.
        #[serde(default)]
        seed: u64,
        /// The time after which it should move, in milliseconds; a long one by default.
        #[serde(default)]
        time_ms: Option<u64>,
    },
    /// The assessment of a position; better known ones are reported on the way.
    Assess {
        /// The game and its moves.
        record: GameRecord,
        /// How many moves get a line.
        #[serde(default = "one")]
        lines: usize,
        /// The time limit in milliseconds.
        #[serde(default)]
        time_ms: Option<u64>,
        /// The depth limit in plies.
        #[serde(default)]
        depth: Option<u32>,
        /// The node limit.
        #[serde(default)]
        nodes: Option<u64>,
    },
    /// The review of a game; each move is reported on the way.
    Review {
        /// The game and its moves.
        record: GameRecord,
        /// The time limit for each move in milliseconds.
        #[serde(default)]
        time_ms: Option<u64>,
        /// The depth limit in plies.
        #[serde(default)]
        depth: Option<u32>,
    },
    /// The exact scores of a Connect Four position.
    Solve {
        /// The game and its moves.
        record: GameRecord,
    },
    /// The number of move sequences of a length.
    Perft {
        /// The game and its moves.
        record: GameRecord,
        /// The length.
        depth: u32,
    },
    /// Something about puzzles.
    Puzzle(PuzzleQuestion),
    /// A new table.
    Open {
        /// Its id.
        table: String,
        /// What is played, and against whom: programs, or the same person.
        new: NewTable,
        /// Decides who begins, where that is random.
        #[serde(default)]
        seed: u64,
    },
    /// The table of a log, in place of what is known of it.
    Load {
        /// Its id.
        table: String,
        /// All that has happened.
        log: Vec<LogEntry>,
        /// The last version that the page has seen, if it wants to know what came after it.
        #[serde(default)]
        seen: Option<u64>,
    },
    /// A command of the person at this screen.
    Command {
        /// The id of the table.
        table: String,
        /// What is wanted.
        command: Command,
        /// The id of the next game, should the command begin one.
        #[serde(default)]
        next: Option<String>,
    },
    /// The move that a program has chosen; without one it failed, and resigns.
    ProgramMoves {
        /// The id of the table.
        table: String,
        /// Its choice.
        #[serde(default)]
        thought: Option<protocol::Thought>,
    },
    /// Ends the game if a clock has run out.
    Flag {
        /// The id of the table.
        table: String,
    },
}

/// A question as it is read. Flattened, its text is first read into serde's own tree, where the tagged messages below it
/// are read from anyway: otherwise the code that reads a message would exist twice, for the text and for the tree.
#[derive(Deserialize)]
#[serde(expecting = "a question such as {\"games\": {}}")]
pub(crate) struct Asked {
    // Read first, because serde passes over names that it does not know.
    #[serde(flatten)]
    _name: Name,
    #[serde(flatten)]
    pub(crate) question: Question,
}

/// One name of a question, and nothing beside it.
struct Name;

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a question")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut next = || Ok(map.next_entry::<String, IgnoredAny>()?.map(|(name, _)| name));
        let Some(name) = next()? else {
            return Err(A::Error::custom("no question; expected one such as {\"games\": {}}"));
        };
        if let Some(other) = next()? {
            let (name, other) = (excerpt(&name), excerpt(&other));
            return Err(A::Error::custom(format_args!(
                "expected one question, found “{name}” and “{other}”"
            )));
        }
        let mut known = Names(&[]);
        let _ = Question::deserialize(&mut known);
        if !known.0.contains(&&*name) {
            let (name, known) = (excerpt(&name), known.0.join(", "));
            return Err(A::Error::custom(format_args!("unknown question “{name}”; expected one of {known}")));
        }
        Ok(Self)
    }
}

/// The names of all questions: has nothing to read, only listens to which names the derived code asks for.
struct Names(&'static [&'static str]);

impl<'de> Deserializer<'de> for &mut Names {
    type Error = value::Error;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0 = names;
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Error::custom("nothing to read"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}

fn one() -> usize {
    1
}
