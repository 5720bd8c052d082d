//! The rows of the data: what is known about a game, a position and its moves. Their fields are the columns of the
//! files.

use players::Proof;
use rules::{AnyGame, Spec};

use crate::verdict::Verdict;

/// A game as text: the position that the moves start from, unless that is the initial one, and the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameText {
    /// The start, if it is not the initial position.
    pub start: Option<String>,
    /// The moves, separated by spaces.
    pub moves: String,
}

impl GameText {
    /// Writes a game.
    #[must_use]
    pub fn new(game: &AnyGame) -> Self {
        let mut start = game.clone();
        while start.take_back().is_some() {}
        let start = start.position();
        let is_initial = start == AnyGame::from(game.spec()).position();
        Self { start: (!is_initial).then_some(start), moves: game.moves().join(" ") }
    }

    /// The game itself.
    ///
    /// # Errors
    /// If the position or a move is not legal; the message says why.
    pub fn game(&self, spec: Spec) -> Result<AnyGame, String> {
        let mut game = AnyGame::from(spec);
        if let Some(start) = &self.start {
            game.set_position(start).map_err(|error| error.to_string())?;
        }
        game.play_all(&self.moves).map_err(|error| error.to_string())?;
        Ok(game)
    }
}

/// A game of the data.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameRow {
    /// Its number, from 1.
    pub number: u64,
    /// `train`, `validation` or `test`.
    pub split: String,
    /// The game with all its options.
    pub game: String,
    /// The player who moved first.
    pub first: Option<String>,
    /// The other player.
    pub second: Option<String>,
    /// The start and the moves.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub text: GameText,
    /// `first`, `second` or `draw`.
    pub result: Option<String>,
}

/// A position of the data.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PositionRow {
    /// The number of its game.
    pub number: u64,
    /// The split of its game.
    pub split: String,
    /// The game with all its options.
    pub game: String,
    /// The moves that led to it.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub text: GameText,
    /// The position and what is known about it.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub valued: Valued,
    /// The move that was played.
    pub played: Option<String>,
    /// How its game ended: `first`, `second` or `draw`.
    pub result: Option<String>,
}

/// What is known about a position.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Valued {
    /// The number of moves from the start of the game.
    pub ply: u16,
    /// The position as text.
    pub position: String,
    /// The side to move: `first` or `second`.
    pub turn: String,
    /// The value for the side to move.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub value: Value,
    /// The search depth in plies, if the position was searched.
    pub depth: Option<u32>,
    /// The number of nodes, if the position was searched.
    pub nodes: Option<u64>,
    /// All moves that are as good as the best.
    pub best: Vec<String>,
    /// All legal moves with their values, best first.
    pub policy: Vec<ValuedMove>,
}

/// A move with its value for the side that plays it.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ValuedMove {
    /// The move as text.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub text: String,
    /// Its value.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub value: Value,
}

/// What a position or move is worth for the side to move.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Value {
    /// `win`, `draw` or `loss` if that is proved.
    pub proven: Option<String>,
    /// The number of plies to the end of the game with best play, if the result is proved.
    pub plies: Option<u32>,
    /// The estimate in points, if the result is not proved.
    pub score: Option<i32>,
    /// The expected result, from −1 (loss) to 1 (win), to six digits.
    pub chance: f64,
}

impl From<&Verdict> for Value {
    fn from(verdict: &Verdict) -> Self {
        let proven = verdict.proven();
        let result = proven.map(|proven| match proven.result {
            Proof::Win => "win",
            Proof::Draw => "draw",
            Proof::Loss => "loss",
        });
        Self {
            proven: result.map(str::to_owned),
            plies: proven.map(|proven| proven.plies),
            score: proven.is_none().then(|| verdict.score()),
            // The last digits may differ between machines, and would not survive being read by every reader.
            chance: (verdict.chance() * 1e6).round() / 1e6,
        }
    }
}
