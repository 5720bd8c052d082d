//! What is proved about the moves of a position: by the solver where it knows the game, by a search of all moves to
//! a stated depth elsewhere.

use players::{
    Proof, Proven,
    forcing::{Forced, Node, Stones},
    perfect::Prover,
};
use rules::{
    AnyGame, AnyPosition, Outcome, Side,
    gomoku::{self, Gomoku},
};

/// A move and the number of plies within which it forces the end, itself included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Forcing {
    pub(super) text: String,
    pub(super) plies: u32,
}

/// Proves results of moves, of one game.
#[derive(Default)]
pub(super) struct Judge {
    prover: Prover,
    method: Option<Method>,
    /// How many positions the proofs took.
    pub(super) nodes: u64,
}

/// With at most this many plies left the solver proves all moves in a moment.
pub(super) const EXACT_PLIES: u16 = 24;
/// The greatest depth of a search.
const MAX_DEPTH: u32 = 7;
/// With more legal moves than this, wins are searched only to this depth.
const WIDE: usize = 20;
const WIDE_DEPTH: u32 = 5;
/// Other wins are searched to this many plies beyond the solution, up to the greatest depth.
const SLACK: u32 = 2;

/// How results of a game are proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    /// By the solver, to the end of the game.
    Solver,
    /// By continuous fours and threes.
    Threats,
    /// By all moves.
    AllMoves,
}

/// Evaluates an expression with the root of the search that suits the game.
macro_rules! with_root {
    ($game:expr, $root:ident => $body:expr) => {{
        match stones($game) {
            Some($root) => $body,
            None => {
                let $root = AnyPosition::of($game);
                $body
            }
        }
    }};
}

/// The position, if the game is won by continuous fours and threes.
pub(crate) fn stones(game: &AnyGame) -> Option<Stones> {
    let usual = game.typed::<Gomoku<gomoku::Usual>>().map(|game| Stones::of(game.position()));
    usual.or_else(|| game.typed::<Gomoku<gomoku::Large>>().map(|game| Stones::of(game.position())))
}

impl Judge {
    /// Returns how the results of the game are proved. The game must not be over.
    pub(super) fn method(&mut self, game: &AnyGame) -> Method {
        *self.method.get_or_insert_with(|| Self::method_of(&mut self.prover, game))
    }

    fn method_of(prover: &mut Prover, game: &AnyGame) -> Method {
        // An empty search shows whether the solver supports the game.
        if prover.prove(game, &|| true).is_some() {
            Method::Solver
        } else if stones(game).is_some() {
            Method::Threats
        } else {
            Method::AllMoves
        }
    }

    /// The depth to which the maker proves a win within these plies, or a defence for `None`. Returns `None` if there
    /// is no proof at this point of the game.
    pub(super) fn depth(&mut self, game: &AnyGame, win: Option<u32>) -> Option<u32> {
        match (self.method(game), win) {
            (Method::Solver, _) => (game.plies_left() <= EXACT_PLIES).then(|| game.plies_left().into()),
            (Method::Threats, win) => Some(win.unwrap_or(MAX_DEPTH - 1)),
            (Method::AllMoves, Some(win)) => Some((win + SLACK).min(MAX_DEPTH)),
            // The opponent's wins are counted from its move.
            (Method::AllMoves, None) => Some(MAX_DEPTH - 1),
        }
    }

    /// The smallest number of plies in which the side to move forces a win; `None` if it does not within the
    /// depth of the search for wins.
    pub(super) fn shortest_win(&mut self, game: &AnyGame) -> Option<u32> {
        if let Some(moves) = self.exact(game) {
            return shortest(&moves);
        }
        with_root!(game, root => {
            let mut forced = Forced::new(root.turn());
            let is_wide = root.attacks(MAX_DEPTH).len() > WIDE;
            let depth = if is_wide { WIDE_DEPTH } else { MAX_DEPTH };
            let shortest = (1..=depth).find(|&plies| forced.wins(&root, plies));
            self.nodes += forced.nodes;
            shortest
        })
    }

    /// The moves that force a win within this many plies, each with the smallest number. Ends when more than
    /// `most` are found.
    pub(super) fn wins(&mut self, game: &AnyGame, depth: u32, most: usize) -> Vec<Forcing> {
        if let Some(moves) = self.exact(game) {
            let win = |(text, proven): (String, Proven)| {
                (proven.result == Proof::Win && proven.plies <= depth)
                    .then_some(Forcing { text, plies: proven.plies })
            };
            return moves.into_iter().filter_map(win).collect();
        }
        with_root!(game, root => {
            let mut forced = Forced::new(root.turn());
            let wins = wins(&root, &mut forced, depth, most);
            self.nodes += forced.nodes;
            wins
        })
    }

    /// The moves after which the opponent forces no win within this many plies, the move included. Ends when more
    /// than `most` are found.
    pub(super) fn holds(&mut self, game: &AnyGame, depth: u32, most: usize) -> Vec<String> {
        if let Some(moves) = self.exact(game) {
            let hold = |(text, proven): (String, Proven)| {
                (proven.result != Proof::Loss || proven.plies > depth).then_some(text)
            };
            return moves.into_iter().filter_map(hold).collect();
        }
        with_root!(game, root => {
            let mut forced = Forced::new(root.turn().other());
            let mut holds = Vec::new();
            for m in root.legal_moves() {
                if !forced.wins(&root.after(m), depth.saturating_sub(1)) {
                    holds.push(root.move_text(m));
                    if holds.len() > most {
                        break;
                    }
                }
            }
            self.nodes += forced.nodes;
            holds
        })
    }

    /// Every reply of the side to move, each of which loses within this many plies, with the number of plies
    /// until the loss.
    pub(super) fn defences(&mut self, game: &AnyGame, depth: u32) -> Vec<Forcing> {
        if let Some(moves) = self.exact(game) {
            let defence = |(text, proven): (String, Proven)| Forcing { text, plies: proven.plies };
            return moves.into_iter().map(defence).collect();
        }
        with_root!(game, root => {
            let attacker = root.turn().other();
            let mut forced = Forced::new(attacker);
            let mut lasts = |m| {
                let child = root.after(m);
                let plies = (1..=depth).find(|&plies| forced.wins(&child, plies - 1));
                Forcing { text: root.move_text(m), plies: plies.unwrap_or(depth) }
            };
            let defences = root.legal_moves().into_iter().map(&mut lasts).collect();
            self.nodes += forced.nodes;
            defences
        })
    }

    /// Continues a solution by best play to the end of the game, where best play is known.
    pub(super) fn course(&mut self, game: &AnyGame, solution: &[String]) -> Vec<String> {
        let mut course = solution.to_vec();
        let mut before = game.clone();
        let Some(last) = course.pop() else { return course };
        for m in &course {
            before.play(m).expect("the moves of a solution are legal");
        }
        let rest = self.prover.line(&before, &last, &|| false);
        course.extend(rest);
        course
    }

    /// The proved results of all moves, if the solver knows the game and it is late enough.
    fn exact(&mut self, game: &AnyGame) -> Option<Vec<(String, Proven)>> {
        if self.method(game) != Method::Solver || game.plies_left() > EXACT_PLIES {
            return None;
        }
        let proofs = self.prover.prove(game, &|| false)?;
        self.nodes += proofs.nodes;
        proofs.moves.iter().map(|proved| Some((proved.text.clone(), proved.exact()?))).collect()
    }
}

fn shortest(moves: &[(String, Proven)]) -> Option<u32> {
    moves.iter().filter(|(_, proven)| proven.result == Proof::Win).map(|(_, proven)| proven.plies).min()
}

fn wins<N: Node>(root: &N, forced: &mut Forced<N>, depth: u32, most: usize) -> Vec<Forcing> {
    let mut open: Vec<_> = root.attacks(depth).into_iter().map(|m| (m, root.after(m))).collect();
    let mut found = Vec::new();
    for plies in 1..=depth {
        open.retain(|(m, child)| {
            let wins = forced.wins(child, plies - 1);
            if wins {
                found.push(Forcing { text: root.move_text(*m), plies });
            }
            !wins
        });
        if found.len() > most {
            break;
        }
    }
    found
}

/// Whether a side has won.
pub(super) fn is_won_by(game: &AnyGame, side: Side) -> bool {
    game.outcome() == Some(Outcome::Win(side))
}
