//! Forced wins within a number of plies: what it says is proved, never estimated.
//!
//! It remembers positions themselves, not their hashes, so no collision can make a wrong proof. The order of moves
//! changes only how soon an answer is found. Repetitions need no care: a shortest forced win never returns to a
//! position, so a rule against repetitions can only be met by positions of the game before, which are distinct.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hash, Hasher},
};

use rules::{AnyPosition, Outcome, Side};

/// A position as the search sees it.
pub trait Node: Clone + Eq {
    /// A move.
    type Move: Copy + Eq;

    /// Whether attacks and defences are only moves that win at once, if there are any.
    const WINS_FIRST: bool;

    /// The side to move.
    fn turn(&self) -> Side;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of the position.
    fn key(&self) -> u64;

    /// All legal moves.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// Moves of the side to move, among them all that can force a win within this many plies.
    fn attacks(&self, plies: u32) -> Vec<Self::Move>;

    /// Moves of the side to move, among them one that avoids the opponent's forced win if there is one. Not empty.
    fn defences(&self) -> Vec<Self::Move>;

    /// The position after a legal move.
    fn after(&self, m: Self::Move) -> Self;

    /// A move as text.
    fn move_text(&self, m: Self::Move) -> String;
}

/// A position of any game is searched with all its moves.
impl Node for AnyPosition {
    type Move = usize;

    const WINS_FIRST: bool = false;

    fn turn(&self) -> Side {
        self.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn key(&self) -> u64 {
        self.key()
    }

    fn legal_moves(&self) -> Vec<usize> {
        self.legal_moves()
    }

    fn attacks(&self, _plies: u32) -> Vec<usize> {
        self.legal_moves()
    }

    fn defences(&self) -> Vec<usize> {
        self.legal_moves()
    }

    fn after(&self, m: usize) -> Self {
        self.after(m)
    }

    fn move_text(&self, m: usize) -> String {
        self.move_text(m)
    }
}

/// Searches for forced wins of one side, and remembers what it found.
pub struct Forced<N: Node> {
    attacker: Side,
    known: HashMap<Keyed<N>, Known, BuildHasherDefault<KeyHasher>>,
    /// The last move that refuted an attack or won, by the plies left: tried first.
    killers: Vec<Option<N::Move>>,
    /// How many positions the searches visited.
    pub nodes: u64,
}

/// What is proved about a position.
#[derive(Clone, Copy)]
struct Known {
    /// The attacker wins within this many plies...
    wins: u32,
    /// ...and not within this many.
    fails: u32,
}

impl<N: Node> Forced<N> {
    /// A search for wins of this side that knows nothing yet.
    #[must_use]
    pub fn new(attacker: Side) -> Self {
        Self { attacker, known: HashMap::default(), killers: Vec::new(), nodes: 0 }
    }

    /// Whether the attacker forces a win within this many plies.
    pub fn wins(&mut self, node: &N, plies: u32) -> bool {
        self.nodes += 1;
        if let Some(outcome) = node.outcome() {
            return outcome == Outcome::Win(self.attacker);
        }
        if plies < 2 {
            return plies == 1 && self.wins_in_one(node);
        }
        let key = Keyed(node.clone());
        if let Some(known) = self.known.get(&key) {
            if known.wins <= plies {
                return true;
            }
            if known.fails >= plies {
                return false;
            }
        }
        // A short win is found before long failures are searched.
        let wins = plies > 3 && self.wins(node, plies - 2)
            || if node.turn() == self.attacker { self.attack(node, plies) } else { self.defend(node, plies) };
        let known = self.known.entry(key).or_insert(Known { wins: u32::MAX, fails: 0 });
        if wins {
            known.wins = known.wins.min(plies);
        } else {
            known.fails = known.fails.max(plies);
        }
        wins
    }

    fn wins_in_one(&mut self, node: &N) -> bool {
        let wins = |m| node.after(m).outcome() == Some(Outcome::Win(self.attacker));
        if node.turn() == self.attacker {
            node.attacks(1).into_iter().any(wins)
        } else {
            node.defences().into_iter().all(wins)
        }
    }

    fn attack(&mut self, node: &N, plies: u32) -> bool {
        let moves = self.ordered(node.attacks(plies), plies);
        let wins = |&m: &N::Move| node.after(m).outcome() == Some(Outcome::Win(self.attacker));
        if !N::WINS_FIRST && moves.iter().any(wins) {
            return true;
        }
        let winning = moves.into_iter().find(|&m| self.wins(&node.after(m), plies - 1));
        self.keep_killer(plies, winning);
        winning.is_some()
    }

    fn defend(&mut self, node: &N, plies: u32) -> bool {
        let moves = self.ordered(node.defences(), plies);
        let wins = |&m: &N::Move| node.after(m).outcome() == Some(Outcome::Win(self.attacker.other()));
        if !N::WINS_FIRST && moves.iter().any(wins) {
            return false;
        }
        let refuting = moves.into_iter().find(|&m| !self.wins(&node.after(m), plies - 1));
        self.keep_killer(plies, refuting);
        refuting.is_none()
    }

    /// The moves, the killer first.
    fn ordered(&self, mut moves: Vec<N::Move>, plies: u32) -> Vec<N::Move> {
        let killer = self.killers.get(plies as usize).copied().flatten();
        if let Some(place) = killer.and_then(|killer| moves.iter().position(|&m| m == killer)) {
            moves[..=place].rotate_right(1);
        }
        moves
    }

    fn keep_killer(&mut self, plies: u32, m: Option<N::Move>) {
        let place = plies as usize;
        if self.killers.len() <= place {
            self.killers.resize(place + 1, None);
        }
        if m.is_some() {
            self.killers[place] = m;
        }
    }
}

/// Hashes by the position's own key and compares whole positions.
#[derive(PartialEq, Eq)]
struct Keyed<N>(N);

impl<N: Node> Hash for Keyed<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.key());
    }
}

/// Takes a key that is a hash already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("positions are hashed by their key");
    }

    fn write_u64(&mut self, key: u64) {
        // Fibonacci hashing: the table takes its control bits from the top.
        self.0 = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
