//! A game looked at again: what each move gave away.

use players::{Proof, Resources, Stop};
use rules::{AnyGame, Side};

use crate::analysis::{Analyst, Limits, Line};

/// A move of a game and what would have been best.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Reviewed {
    /// The number of the move, from 1.
    pub number: usize,
    /// Who played it.
    pub side: Side,
    /// The move, and what should have followed.
    pub played: Line,
    /// The best move, and what should have followed; the same if it was played.
    pub best: Line,
    /// How much of its chance the side gave away: 0 nothing, 2 a win for a loss.
    pub loss: f64,
    /// How bad that was, if it was.
    pub mark: Option<Mark>,
    /// How likely the first player wins after the move, from −1 to 1.
    pub chance: f64,
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Mark {
    /// There was something better.
    Inaccuracy,
    /// There was something clearly better.
    Mistake,
    /// It may have cost the game.
    Blunder,
    /// A proven win was there, and is no longer.
    MissedWin,
}

impl Mark {
    /// All of them, the worst last.
    pub const ALL: [Self; 4] = [Self::Inaccuracy, Self::Mistake, Self::Blunder, Self::MissedWin];

    fn of(loss: f64, best: &Line) -> Option<Self> {
        let had_won = best.proven.is_some_and(|proven| proven.result == Proof::Win);
        match loss {
            _ if loss < 0.1 => None,
            _ if had_won => Some(Self::MissedWin),
            _ if loss < 0.2 => Some(Self::Inaccuracy),
            _ if loss < 0.3 => Some(Self::Mistake),
            _ => Some(Self::Blunder),
        }
    }
}

/// Looks at every move of a game and tells each as it comes. The limits hold for each move; it ends
/// early when stopped.
pub fn review(
    game: &AnyGame,
    limits: &Limits,
    resources: &Resources,
    stop: &Stop,
    on_move: &mut dyn FnMut(&Reviewed),
) -> Vec<Reviewed> {
    let mut position = game.clone();
    while position.take_back().is_some() {}
    let mut analyst = Analyst::new(resources);
    let mut moves = Vec::new();
    for (number, m) in (1..).zip(game.moves()) {
        let Some([best, played]) = analyst.assess(&position, &m, limits, stop) else { break };
        let side = position.turn();
        position.play(&m).expect("it was played before");
        let loss = (best.chance - played.chance).max(0.0);
        let chance = if side == Side::First { played.chance } else { -played.chance };
        let mark = Mark::of(loss, &best);
        let reviewed = Reviewed { number, side, played, best, loss, mark, chance };
        on_move(&reviewed);
        moves.push(reviewed);
        if stop.is_cancelled() {
            break;
        }
    }
    moves
}
