//! The requests that the core understands.

use std::{collections::BTreeMap, error, fmt};

use protocol::{Command, GameRecord, NewTable};
use rules::excerpt;
use serde::{
    Deserialize,
    de::{self, IgnoredAny, value::StrDeserializer},
};
use table::LogEntry;

use crate::{puzzles::PuzzleRequest, skills::SkillsRequest};

/// A request: an object with its name and its parameters, such as `{"games": {}}`. Externally tagged: the code that
/// reads an internal tag would be twice as large.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// The games with their players and levels, as from `GET /api/games` of a server.
    Games {},
    /// The positions of a game, as from `POST /api/position`.
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
        /// Time limit in milliseconds; 10,000 by default.
        #[serde(default)]
        time_ms: Option<u64>,
    },
    /// The assessment of a position; intermediate assessments are reported on the way.
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
    Puzzle(PuzzleRequest),
    /// Something about skills and exercises.
    Skills(SkillsRequest),
    /// A new table.
    Open {
        /// Its id.
        table: String,
        /// The game and the opponent: a program, or a person at the same screen.
        new: NewTable,
        /// Decides who begins, where that is random.
        #[serde(default)]
        seed: u64,
    },
    /// Loads a table from its log; replaces the table with this id.
    Load {
        /// Its id.
        table: String,
        /// All that has happened.
        log: Vec<LogEntry>,
        /// The last version that the page has seen; the response then has the later updates.
        #[serde(default)]
        seen: Option<u64>,
    },
    /// A command of the person at this screen.
    Command {
        /// The id of the table.
        table: String,
        /// The command.
        command: Command,
        /// The id of the next game, should the command begin one.
        #[serde(default)]
        next: Option<String>,
    },
    /// The move that a program has chosen; without a move, the program has failed and resigns.
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

/// The form in which a request is parsed. `flatten` parses the text into serde's own tree first. The tagged messages
/// inside are parsed from such a tree anyway, so the core contains the parsing code only once, which saves 12 kB.
#[derive(Deserialize)]
struct Envelope {
    #[serde(flatten)]
    request: Request,
}

impl Request {
    /// Parses a request. Checks its name first, because serde ignores unknown fields of flattened data.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let read = |error: serde_json::Error| {
            // The place in a text that this side of the core has written says nothing to the caller.
            let error = error.to_string();
            format!("invalid request: {}", error.rsplit_once(" at line ").map_or(&*error, |(what, _)| what))
        };
        let names: BTreeMap<String, IgnoredAny> = serde_json::from_str(text).map_err(read)?;
        let mut names = names.keys();
        let (Some(name), None) = (names.next(), names.next()) else {
            return Err(
                "invalid request: expected one name with its parameters, such as {\"games\": {}}".to_owned()
            );
        };
        if let Err(NameError::Unknown(known)) = Self::deserialize(StrDeserializer::new(name)) {
            return Err(format!("unknown request “{}”; expected one of {}", excerpt(name), known.join(", ")));
        }
        serde_json::from_str(text).map(|Envelope { request }| request).map_err(read)
    }
}

/// The error for a name without parameters.
#[derive(Debug)]
enum NameError {
    /// No request has this name; these are the known ones.
    Unknown(&'static [&'static str]),
    /// The parameters are missing.
    Incomplete,
}

impl de::Error for NameError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Incomplete
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        Self::Unknown(known)
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl error::Error for NameError {}

fn one() -> usize {
    1
}
