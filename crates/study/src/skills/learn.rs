//! From a reviewed game to what it says about one of its players: the same in browsers, on servers and in terminals.

use players::Resources;
use rules::{AnyGame, Side};

use super::{Exercise, Observed, chances, exercises};
use crate::{assessment::Limits, review::Reviewed};

/// The fewest moves of a game that says something about its players.
pub const LEAST_MOVES: u32 = 4;

/// What a finished game says about one of its players.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Learned {
    /// The game with the player's chances.
    pub observed: Observed,
    /// The exercises from the player's mistakes.
    pub exercises: Vec<Exercise>,
}

/// What a game with this id, which ended at a time in Unix milliseconds, says about the player of a side, whose moves were
/// reviewed. `limits` apply to each position that has to be assessed for an exercise.
///
/// ```
/// use alinea_study::{
///     assessment::Limits,
///     players::Resources,
///     review::review_side,
///     rules::{AnyGame, Side, Spec},
///     skills::{Skill, learn},
/// };
///
/// let mut game = AnyGame::from("tic-tac-toe".parse::<Spec>().unwrap());
/// // The second player ignores the threat at c1.
/// game.play_all("a1 b2 b1 a3 c1").unwrap();
/// let (limits, resources) = (Limits::default(), Resources::new(1));
/// let review = review_side(&game, Side::Second, &limits, &resources, &Default::default());
/// let learned = learn((&game, "1"), Side::Second, &review, (&limits, &resources, 0));
/// let miss = learned.observed.chances.iter().find(|chance| chance.miss.is_some()).unwrap();
/// assert_eq!((miss.ply, miss.skill), (3, Skill::StopsThreats));
/// assert_eq!(learned.exercises[0].puzzle().unwrap().solution, ["c1"]);
/// ```
///
/// # Panics
/// If the time is limited and the resources have no clock.
#[must_use]
pub fn learn(
    (game, id): (&AnyGame, &str),
    side: Side,
    review: &[Reviewed],
    (limits, resources, at): (&Limits, &Resources, u64),
) -> Learned {
    let chances = chances(game, side, review);
    let exercises = exercises((game, id), side, review, &chances, (limits, resources, at));
    let observed = Observed { id: id.to_owned(), game: game.spec().to_string(), at, chances };
    Learned { observed, exercises }
}
