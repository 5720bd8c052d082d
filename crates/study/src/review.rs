//! Reviews of games: how much each move lost compared with the best one.

use players::{Proof, Resources, Stop};
use rules::{AnyGame, Side};

use crate::analysis::{Analyst, Limits, Line};

/// A move of a game and the best move.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Reviewed {
    /// The number of the move, from 1.
    pub number: usize,
    /// The side that played it.
    pub side: Side,
    /// The move that was played and its expected line.
    pub played: Line,
    /// The best move and its expected line; the same if it was played.
    pub best: Line,
    /// The loss of winning chance, from 0 (none) to 2 (from a win to a loss).
    pub loss: f64,
    /// The classification of a bad move.
    pub mark: Option<Mark>,
    /// How likely the first player wins after the move, from −1 to 1.
    pub chance: f64,
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Mark {
    /// A slightly better move existed.
    Inaccuracy,
    /// A clearly better move existed.
    Mistake,
    /// It may have cost the game.
    Blunder,
    /// A proven win was available and is lost.
    MissedWin,
}

impl Mark {
    /// All marks, the worst last.
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

/// Reviews every move of a game and calls `on_move` after each. The limits apply to each move; the review ends
/// early when stopped.
///
/// ```
/// use alinea_study::{
///     analysis::Limits,
///     players::{Resources, Stop},
///     review::{Mark, review},
///     rules::{AnyGame, Spec},
/// };
///
/// let mut game = AnyGame::from("tic-tac-toe".parse::<Spec>().unwrap());
/// // The second player ignores the threat at c1.
/// game.play_all("a1 b2 b1 a3 c1").unwrap();
/// let limits = Limits { depth: Some(9), ..Limits::default() };
/// let moves = review(&game, &limits, &Resources::new(1), &Stop::default(), &mut |_| {});
/// assert_eq!(moves.len(), 5);
/// assert_eq!(moves[3].mark, Some(Mark::Blunder));
/// ```
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
