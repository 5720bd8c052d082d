//! Reviews of games: which moves changed the result, and how much chance the others lost.

use std::ops::ControlFlow;

use players::{Proof, Resources, Stop};
use rules::{AnyGame, Side, Stage};

use crate::assessment::{Assessed, Assessor, Limits};

/// A move of a game compared with the best one.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "ReviewedMove", optional_fields), schema(as = ReviewedMove))]
pub struct Reviewed {
    /// The number of the move, from 1.
    pub number: u32,
    /// The side that played it.
    pub side: Side,
    /// The move that was played.
    pub played: Assessed,
    /// The best move; the same if the one that was played is as good.
    pub best: Assessed,
    /// How much of its expected result the side lost: 0 nothing, 2 a win turned into a loss.
    pub loss: f64,
    /// What was wrong with the move, if anything.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mark: Option<Mark>,
    /// What could have been better about a move that keeps its result.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub remark: Option<Remark>,
    /// The expected result of the first player after the move, from −1 (loss) to 1 (win).
    pub chance: f64,
    /// The depth in plies to which both moves were searched, if they are estimates.
    pub depth: u32,
}

/// What was wrong with a move: the last two are proven, the others estimates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub enum Mark {
    /// There was a better move.
    Inaccuracy,
    /// There was a clearly better move.
    Mistake,
    /// It may have cost the game.
    Blunder,
    /// It turns a draw into a loss.
    ThrowsDraw,
    /// It turns a win into a draw or a loss.
    ThrowsWin,
}

/// What could have been better about a move that keeps its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub enum Remark {
    /// It wins, but there was a quicker win.
    QuickerWin,
}

impl Mark {
    /// All marks, the worst last.
    pub const ALL: [Self; 5] =
        [Self::Inaccuracy, Self::Mistake, Self::Blunder, Self::ThrowsDraw, Self::ThrowsWin];

    fn of(best: &Assessed, played: &Assessed) -> Option<Self> {
        if let (Some(best), Some(played)) = (best.verdict.proven(), played.verdict.proven()) {
            return match (best.result, played.result) {
                (Proof::Win, Proof::Draw | Proof::Loss) => Some(Self::ThrowsWin),
                (Proof::Draw, Proof::Loss) => Some(Self::ThrowsDraw),
                _ => None,
            };
        }
        match best.verdict.chance() - played.verdict.chance() {
            loss if loss < 0.1 => None,
            loss if loss < 0.2 => Some(Self::Inaccuracy),
            loss if loss < 0.3 => Some(Self::Mistake),
            _ => Some(Self::Blunder),
        }
    }
}

impl Remark {
    fn of(best: &Assessed, played: &Assessed) -> Option<Self> {
        let (best, played) = (best.verdict.proven()?, played.verdict.proven()?);
        let both_win = [best, played].iter().all(|proven| proven.result == Proof::Win);
        (both_win && best.plies < played.plies).then_some(Self::QuickerWin)
    }
}

/// Reviews every move of a game and calls `on_move` after each. The limits apply to each move; the review ends
/// early when stopped.
///
/// ```
/// use alinea_study::{
///     assessment::Limits,
///     players::{Resources, Stop},
///     review::{Mark, review},
///     rules::{AnyGame, Spec},
/// };
///
/// let mut game = AnyGame::from("tic-tac-toe".parse::<Spec>().unwrap());
/// // The second player ignores the threat at c1.
/// game.play_all("a1 b2 b1 a3 c1").unwrap();
/// let moves = review(&game, &Limits::default(), &Resources::new(1), &Stop::default(), &mut |_| {});
/// assert_eq!(moves.len(), 5);
/// assert_eq!(moves[3].mark, Some(Mark::ThrowsDraw));
/// ```
///
/// # Panics
/// If the time is limited and the resources have no clock.
pub fn review(
    game: &AnyGame,
    limits: &Limits,
    resources: &Resources,
    stop: &Stop,
    on_move: &mut dyn FnMut(&Reviewed),
) -> Vec<Reviewed> {
    review_after(game, 0, limits, resources, stop, &mut |reviewed| {
        on_move(reviewed);
        ControlFlow::Continue(())
    })
}

/// Reviews the moves after this number, until `on_move` breaks.
///
/// # Panics
/// If the time is limited and the resources have no clock.
pub fn review_after(
    game: &AnyGame,
    from: usize,
    limits: &Limits,
    resources: &Resources,
    stop: &Stop,
    on_move: &mut dyn FnMut(&Reviewed) -> ControlFlow<()>,
) -> Vec<Reviewed> {
    review_where(game, |number, _| number > from, limits, resources, stop, on_move)
}

/// Reviews the moves of one side.
///
/// # Panics
/// If the time is limited and the resources have no clock.
pub fn review_side(
    game: &AnyGame,
    side: Side,
    limits: &Limits,
    resources: &Resources,
    stop: &Stop,
) -> Vec<Reviewed> {
    let on_move = &mut |_: &Reviewed| ControlFlow::Continue(());
    review_where(game, |_, mover| mover == side, limits, resources, stop, on_move)
}

/// Reviews the moves that are wanted by their number and side, until `on_move` breaks.
///
/// # Panics
/// If the time is limited and the resources have no clock.
pub fn review_where(
    game: &AnyGame,
    is_wanted: impl Fn(usize, Side) -> bool,
    limits: &Limits,
    resources: &Resources,
    stop: &Stop,
    on_move: &mut dyn FnMut(&Reviewed) -> ControlFlow<()>,
) -> Vec<Reviewed> {
    let mut position = game.clone();
    while position.take_back().is_some() {}
    let mut assessor = Assessor::new(resources);
    let mut moves = Vec::new();
    for (number, m) in (1..).zip(game.moves()) {
        if !is_wanted(number as usize, position.turn()) || position.stage() != Stage::Over {
            position.play(&m).expect("it was played before");
            continue;
        }
        let Some(assessment) = assessor.compare(&position, &m, limits, stop) else { break };
        let (Some(best), Some(played)) = (assessment.best(), assessment.of(&m)) else { break };
        // Of equally good moves, the one that was played.
        let best = if played.verdict.order(&best.verdict).is_lt() { best } else { played };
        let side = position.turn();
        position.play(&m).expect("it was played before");
        let chance = played.verdict.chance();
        let reviewed = Reviewed {
            number,
            side,
            loss: (best.verdict.chance() - chance).max(0.0),
            mark: Mark::of(best, played),
            remark: Remark::of(best, played),
            // Not −0 for a draw.
            chance: if side == Side::First { chance } else { 0.0 - chance },
            depth: assessment.depth,
            played: played.clone(),
            best: best.clone(),
        };
        let next = on_move(&reviewed);
        moves.push(reviewed);
        if next.is_break() || stop.is_cancelled() {
            break;
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use players::Proven;

    use super::*;
    use crate::verdict::Verdict;

    fn assessed(verdict: Verdict) -> Assessed {
        Assessed { text: "a1".to_owned(), verdict, line: Vec::new() }
    }

    fn proven(result: Proof, plies: u32) -> Assessed {
        assessed(Verdict::Proven(Proven { result, plies }))
    }

    fn estimate(chance: f64) -> Assessed {
        assessed(Verdict::Estimate { score: 0, chance, advantage: None })
    }

    #[test]
    fn a_mark_tells_how_much_chance_a_move_lost() {
        use Mark::{Blunder, Inaccuracy, Mistake};
        for (best, played, mark) in [
            (0.5, 0.5, None),
            (0.1_f64.next_down(), 0.0, None),
            (0.1, 0.0, Some(Inaccuracy)),
            (0.0, -0.2_f64.next_down(), Some(Inaccuracy)),
            (0.2, 0.0, Some(Mistake)),
            (0.3_f64.next_down(), 0.0, Some(Mistake)),
            (0.3, 0.0, Some(Blunder)),
            (1.0, -1.0, Some(Blunder)),
        ] {
            assert_eq!(Mark::of(&estimate(best), &estimate(played)), mark, "{best} {played}");
        }
        // Where only one of the moves is proved, the chances decide.
        assert_eq!(Mark::of(&estimate(0.9), &proven(Proof::Loss, 4)), Some(Blunder));
        assert_eq!(Mark::of(&proven(Proof::Win, 9), &estimate(0.95)), None);
    }

    #[test]
    fn a_proven_result_that_changes_is_thrown_away() {
        use Mark::{ThrowsDraw, ThrowsWin};
        use Proof::{Draw, Loss, Win};
        for (best, played, mark) in [
            (Win, Win, None),
            (Win, Draw, Some(ThrowsWin)),
            (Win, Loss, Some(ThrowsWin)),
            (Draw, Draw, None),
            (Draw, Loss, Some(ThrowsDraw)),
            (Loss, Loss, None),
        ] {
            assert_eq!(Mark::of(&proven(best, 3), &proven(played, 8)), mark, "{best:?} {played:?}");
        }
    }

    #[test]
    fn a_review_continues_after_any_move() {
        let mut game = AnyGame::from("tic-tac-toe".parse::<rules::Spec>().unwrap());
        game.play_all("a1 b2 b1 a3 c1").unwrap();
        let after = |from| {
            let (limits, resources) = (Limits::default(), Resources::new(1));
            review_after(&game, from, &limits, &resources, &Stop::default(), &mut |_| {
                ControlFlow::Continue(())
            })
        };
        let all = after(0);
        assert_eq!(all.len(), 5);
        for from in 0..=6 {
            assert_eq!(after(from), all[from.min(5)..], "{from}");
        }
    }

    #[test]
    fn only_a_slower_win_is_remarked() {
        let slower = |best, played| Remark::of(&best, &played);
        let won = |plies| proven(Proof::Win, plies);
        assert_eq!(slower(won(3), won(5)), Some(Remark::QuickerWin));
        assert_eq!(slower(won(5), won(5)), None);
        assert_eq!(slower(won(7), won(5)), None);
        assert_eq!(slower(won(3), proven(Proof::Draw, 9)), None);
        assert_eq!(slower(proven(Proof::Loss, 2), proven(Proof::Loss, 4)), None);
        assert_eq!(slower(won(3), estimate(0.9)), None);
        assert_eq!(slower(estimate(0.9), won(3)), None);
    }
}
