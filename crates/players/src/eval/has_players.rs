//! Which players a game has, and the choice between a game's own evaluator and the default one.

use std::marker::PhantomData;

use rules::{Board, Game};

use super::{
    default::LineEvaluator,
    evaluator::BoardEvaluator,
    skill::{DEFAULT_LEVELS, Skill},
};
use crate::entry::Entry;

/// A game with its own evaluator. Everything else has a default.
pub(crate) trait HasPlayers: Board {
    /// Evaluates positions for the engine.
    type Evaluator: BoardEvaluator<Self>;

    /// The player that answers where none is named.
    const ADVISER: &'static str = ENGINE_ADVISER;

    /// The levels, weakest first.
    const LEVELS: &'static [Skill] = DEFAULT_LEVELS;

    /// The players of this board besides `level`, `random`, `engine` and `perfect`, weakest first.
    fn opponents(&self) -> Vec<Entry<Self>> {
        Vec::new()
    }
}

/// Gives good hints on any board within two seconds. Reproducible, except on the largest boards, where the
/// time limit is reached first.
const ENGINE_ADVISER: &str = "engine:2s,nodes=300000,proofs";

/// What the roster and the engine need to know about a game, from [`HasPlayers`] or from the defaults.
pub(crate) struct Kit<P, E> {
    pub(crate) adviser: &'static str,
    pub(crate) levels: &'static [Skill],
    pub(crate) opponents: Vec<Entry<P>>,
    /// A type, because the search is compiled for each evaluator.
    pub(crate) evaluator: PhantomData<fn() -> E>,
}

/// Finds the [`Kit`] of a game by autoref specialisation: a method of `KitOf` is found before one of
/// `&KitOf`. It works on concrete types only, as in the arms of [`rules::with_game!`].
pub(crate) struct KitOf<'a, P: Board>(pub(crate) &'a Game<P>);

pub(crate) trait OwnKit {
    type Kit;
    fn kit(&self) -> Self::Kit;
}

impl<P: HasPlayers> OwnKit for KitOf<'_, P> {
    type Kit = Kit<P, P::Evaluator>;

    fn kit(&self) -> Self::Kit {
        let opponents = self.0.position().opponents();
        Kit { adviser: P::ADVISER, levels: P::LEVELS, opponents, evaluator: PhantomData }
    }
}

#[allow(dead_code, reason = "unused while every game has an evaluator of its own")]
pub(crate) trait DefaultKit {
    type Kit;
    fn kit(&self) -> Self::Kit;
}

impl<P: Board> DefaultKit for &KitOf<'_, P> {
    type Kit = Kit<P, LineEvaluator>;

    fn kit(&self) -> Self::Kit {
        Kit { adviser: ENGINE_ADVISER, levels: DEFAULT_LEVELS, opponents: Vec::new(), evaluator: PhantomData }
    }
}

/// Evaluates an expression with the typed game in an [`AnyGame`](rules::AnyGame) and its [`Kit`].
macro_rules! with_players {
    ($any:expr, $game:ident, $kit:ident => $body:expr) => {{
        #[allow(unused_imports)]
        use $crate::eval::{DefaultKit as _, OwnKit as _};
        rules::with_game!(&$any, $game => {
            let $kit = (&$crate::eval::KitOf($game)).kit();
            $body
        })
    }};
}
pub(crate) use with_players;
