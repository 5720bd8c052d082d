//! The report of a tournament of programs as it is stored: the arena writes it, the server shows it.

use std::fmt;

use rules::Outcome;
use serde::{Deserialize, Serialize};

use crate::{Format, Tally, TieBreak};

/// A tournament of programs. `G` is the type of its games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report<G> {
    /// Its name.
    pub name: String,
    /// The game.
    pub game: String,
    /// [`RUNNING`], or how it ended.
    pub state: String,
    /// The format.
    pub format: Format,
    /// The number of rounds of a Swiss tournament.
    pub rounds: usize,
    /// The conditions of play.
    pub conditions: Vec<Condition>,
    /// The tie-breaks of the standings, in order of priority; empty for two players.
    pub tie_breaks: Vec<TieBreak>,
    /// The standings, best first.
    pub standings: Vec<Standing>,
    /// Results of each player against each other, in the order of the standings.
    pub cross_table: Vec<Vec<Tally>>,
    /// All finished games.
    pub games: Vec<G>,
    /// The games in progress.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub playing: Vec<LiveGame>,
}

/// The state of a tournament that has not ended.
pub const RUNNING: &str = "running";

/// A condition of play in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Condition {
    /// The name of the condition.
    pub name: String,
    /// Its value.
    pub text: String,
}

/// A row of the standings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// The rank; tied players share one.
    pub rank: usize,
    /// The player's name.
    pub name: String,
    /// The index of the player in the settings.
    pub player: usize,
    /// Points by the scoring of the tournament, including byes.
    pub points: f64,
    /// All games.
    pub all: Tally,
    /// Games as first and as second.
    pub sides: [Tally; 2],
    /// Games forfeited.
    pub forfeits: u32,
    /// The tie-breaks, in the order of the settings.
    pub tie_breaks: Vec<f64>,
    /// The rating from all games.
    pub rating: Rating,
    /// Total time of all moves.
    pub time_ms: u64,
    /// Time of the slowest move.
    pub slowest_ms: u64,
    /// CPU time and memory of an external engine.
    pub usage: Option<Usage>,
    /// The cost of the dialogue with an engine that reports its own time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latency>,
}

/// The time of an engine's moves beyond what it measured itself: starting the search, pipes, scheduling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Latency {
    /// Number of moves for which the engine reported its time.
    pub moves: u64,
    /// The sum of all of them.
    pub total_ms: u64,
    /// The largest.
    pub most_ms: u64,
}

impl Latency {
    /// The mean of a move in milliseconds.
    #[must_use]
    pub fn mean_ms(&self) -> f64 {
        self.total_ms as f64 / self.moves.max(1) as f64
    }
}

/// The strength of a player; the mean of all players is 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// The maximum likelihood estimate.
    pub elo: f64,
    /// Half the width of its 95 % confidence interval.
    pub error: f64,
}

/// Resources that a process has used so far, where the operating system reports them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time, including exited children.
    pub cpu_ms: u64,
    /// Peak resident memory of the engine, and of all its processes together where that is limited, in kibibytes.
    pub peak_kb: u64,
}

/// The place of a game in the schedule; each slot is played once, even across restarts.
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

/// The numbers of the round, the pairing, the opening and the game, from 1.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { round, pairing, pair, game } = self;
        write!(f, "{}.{}.{}.{}", round + 1, pairing + 1, pair + 1, game + 1)
    }
}

/// A finished game; `F` is the fault by which a side forfeited it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedGame<F> {
    /// Its place in the tournament.
    #[serde(flatten)]
    pub slot: Slot,
    /// The players, first to move first.
    pub players: [String; 2],
    /// The start, if not the initial position.
    pub position: Option<String>,
    /// All moves, separated by spaces.
    pub moves: String,
    /// The outcome.
    pub result: Outcome,
    /// The fault of the loser, if the game was forfeited.
    pub forfeit: Option<F>,
}

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LiveGame {
    /// The players, first to move first.
    pub players: [String; 2],
    /// The start, if not the initial position.
    pub position: Option<String>,
    /// The moves so far, separated by spaces.
    pub moves: String,
}
