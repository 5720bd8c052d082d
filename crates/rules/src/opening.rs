//! Openings that give both sides an even start: the pie rule and Swap2.
//!
//! An opening is played on the board of its game, before the game. It says who places the first stones, and lets a player
//! choose a side by a word, which is a move like any other. A player keeps the seat and the colour: to take the other
//! side, the stones on the board change colour. The games themselves know nothing of it; [`AnyGame`](crate::AnyGame)
//! keeps the stage of the opening.

use std::fmt;

use crate::{Side, games::AnyKind};

/// How a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Opening {
    /// The sides take turns from the first move.
    #[default]
    Free,
    /// After the first move, the second player may swap instead of moving.
    Pie,
    /// The first player places two own stones and one of the other side. The second player chooses a side, or adds one
    /// stone of each and leaves the choice to the first player.
    Swap2,
}

impl Opening {
    const ALL: [Self; 3] = [Self::Free, Self::Pie, Self::Swap2];

    /// How it is written in specs and message keys.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Pie => "pie",
            Self::Swap2 => "swap2",
        }
    }

    /// The opening at the end of a spec, and what stands before it.
    pub(crate) fn split(spec: &str) -> (&str, Self) {
        let named = |id: &str| Self::ALL.into_iter().find(|opening| opening.id() == id);
        match spec.rsplit_once(':').map(|(plain, id)| (plain, named(id))) {
            Some((plain, Some(opening))) => (plain, opening),
            _ => (spec, Self::Free),
        }
    }
}

/// What a spec ends with: nothing for a free opening.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if *self == Self::Free { Ok(()) } else { write!(f, ":{}", self.id()) }
    }
}

/// A choice in an opening, a move without a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[non_exhaustive]
pub enum Word {
    /// Keeps the own side.
    Stay,
    /// Takes the other side: all stones change colour.
    Swap,
    /// Places two more stones, one of each side, and leaves the choice to the opponent.
    Add,
}

impl Word {
    pub(crate) const ALL: [Self; 3] = [Self::Stay, Self::Swap, Self::Add];

    /// The move as text.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Stay => "stay",
            Self::Swap => "swap",
            Self::Add => "add",
        }
    }
}

/// What comes next in an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// This side places stones, whatever their colour.
    Place {
        /// Who places them.
        side: Side,
        /// How many are left to place.
        left: u8,
    },
    /// This side chooses among words.
    Choose {
        /// Who chooses.
        side: Side,
        /// The choices.
        words: &'static [Word],
        /// Whether an ordinary move is a choice, too.
        may_move: bool,
    },
    /// The opening is over.
    Over,
}

impl Stage {
    /// The words that are legal moves.
    #[must_use]
    pub const fn words(self) -> &'static [Word] {
        match self {
            Self::Choose { words, .. } => words,
            _ => &[],
        }
    }

    /// Whether a move on the board is legal.
    #[must_use]
    pub const fn may_move(self) -> bool {
        !matches!(self, Self::Choose { may_move: false, .. })
    }
}

/// What a screen shows of an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct OpeningView {
    /// The id of the opening: `pie` or `swap2`.
    pub rule: String,
    /// The side whose stone is placed next, while stones are placed.
    #[cfg_attr(feature = "schema", schema(required))]
    pub stone: Option<Side>,
    /// How many stones the player is still to place.
    pub left: u8,
    /// The words that the player may choose.
    pub words: Vec<Word>,
    /// Whether the player may also move on the board.
    pub may_move: bool,
    /// Who places the next stone if the sides stay as they are; after a swap it is the other player.
    pub next: Side,
}

/// A word that was chosen, with the game on the board before it.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub(crate) kind: AnyKind,
    pub(crate) word: Word,
}

/// The course of an opening.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// The words chosen so far. The game on the board begins anew at the same position after each.
    pub(crate) chosen: Vec<Chosen>,
    /// Whether the game began at a written position, and so after its opening.
    pub(crate) is_set_up: bool,
    /// Whether the second player has the stones of the first side there.
    pub(crate) was_exchanged: bool,
}

impl Course {
    /// Whether each player has the stones of the other side.
    pub(crate) fn is_exchanged(&self) -> bool {
        self.was_exchanged || self.chosen.iter().any(|chosen| chosen.word == Word::Swap)
    }

    /// The stage of an opening after this number of moves since the last word.
    pub(crate) fn stage(&self, opening: Opening, moves: usize) -> Stage {
        const SIDES: &[Word] = &[Word::Stay, Word::Swap];
        let place = |side, stones: usize| Stage::Place { side, left: (stones - moves) as u8 };
        let choose = |side, words| Stage::Choose { side, words, may_move: opening == Opening::Pie };
        if self.is_set_up {
            return Stage::Over;
        }
        match (opening, self.chosen.last().map(|chosen| chosen.word)) {
            (Opening::Pie, None) if moves < 1 => place(Side::First, 1),
            (Opening::Pie, None) if moves == 1 => choose(Side::Second, &[Word::Swap]),
            (Opening::Swap2, None) if moves < 3 => place(Side::First, 3),
            (Opening::Swap2, None) => choose(Side::Second, &Word::ALL),
            (Opening::Swap2, Some(Word::Add)) if moves < 2 => place(Side::Second, 2),
            (Opening::Swap2, Some(Word::Add)) => choose(Side::First, SIDES),
            _ => Stage::Over,
        }
    }
}
