//! The requests that the core understands.

use protocol::{Command, GameRecord, NewTable};
use serde::Deserialize;
use table::LogEntry;

use crate::puzzles::PuzzleRequest;

/// A request: an object with its name and its parameters, such as `{"games": {}}`. Not tagged by a field, for which the
/// reading code would be twice as large.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
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
    Puzzle(PuzzleRequest),
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

fn one() -> usize {
    1
}
