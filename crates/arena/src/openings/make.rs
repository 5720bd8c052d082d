//! Makes balanced openings for matches: a few random moves after which the game is undecided and the sides are nearly
//! equal.
//!
//! A candidate depends on the seed and its number alone, so candidates can be searched by any number of threads, in
//! any order, and a selection that adds them in order is always the same.

use std::{collections::HashSet, ops::RangeInclusive};

use players::{Proof, Resources, Stop, engine::win_chance, perfect::Prover, roster};
use rules::{AnyGame, Cell, Piece, Side, Spec};

use crate::Evaluation;

/// Openings to judge.
#[derive(Clone, Debug)]
pub struct Candidates {
    spec: Spec,
    seed: u64,
    plies: RangeInclusive<u16>,
    nodes: u64,
    /// The expected result, from −1 to 1, is nearer to 0 than this.
    within: f64,
}

/// A search with this part of the nodes rejects most candidates.
const FIRST_LOOK: u64 = 10;
/// In an even position the expected result, from −1 to 1, is nearer to 0 than this; assessments draw the same line.
const EVEN: f64 = 0.12;
/// On a board with more moves than this, an opening keeps to the middle: stones far from each other give the right to
/// move to one side and nothing to the other.
const MANY_MOVES: usize = 100;
/// The side of the square that is the middle.
const MIDDLE: u8 = 7;

impl Candidates {
    /// The candidates that this seed gives: openings with a number of plies in this range, each judged by a search of
    /// this many nodes, or by proof where results can be proved.
    #[must_use]
    pub fn new(spec: Spec, seed: u64, plies: RangeInclusive<u16>, nodes: u64) -> Self {
        Self { spec, seed, plies, nodes, within: EVEN }
    }

    /// Allows positions in which one side is better, up to this expected result, from 0 to 1: engines learn from games that
    /// are not all even.
    #[must_use]
    pub fn within(self, expected: f64) -> Self {
        Self { within: expected, ..self }
    }

    /// Returns the candidate with this number if it is balanced: neither side has won or wins by force, as far as the
    /// search sees, and neither is better.
    #[must_use]
    pub fn find(&self, number: u64, stop: &Stop) -> Option<AnyGame> {
        let mut rng = fastrand::Rng::with_seed(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        let plies = rng.u16(self.plies.clone());
        let mut game = AnyGame::from(self.spec);
        while game.ply() < plies {
            let m = rng.choice(moves(&game))?;
            game.play(&m).expect("a legal move");
        }
        (game.outcome().is_none() && self.is_balanced(&game, stop)).then_some(game)
    }

    fn is_balanced(&self, game: &AnyGame, stop: &Stop) -> bool {
        let mut prover = Prover::default();
        if prover.has_book(game) || prover.is_quick(game) {
            return prover
                .result(game, &|| stop.is_cancelled())
                .is_some_and(|proven| proven.result == Proof::Draw);
        }
        [self.nodes / FIRST_LOOK, self.nodes].into_iter().all(|nodes| {
            // Without a clock: the same candidates are balanced on every machine.
            let (engine, resources) = (format!("engine:nodes={}", nodes.max(1)), Resources::new(self.seed));
            let mut engine = roster::program(game, &engine, &resources).expect("every game has the engine");
            engine.choose(game, stop).is_ok_and(|thought| is_even(&Evaluation::from(&thought), self.within))
        })
    }
}

/// Whether neither side wins, and the expected result is near enough to 0.
fn is_even(said: &Evaluation, within: f64) -> bool {
    let chance = |score: i64| win_chance(score.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
    said.mate.is_none() && said.score.is_some_and(|score| chance(score).abs() < within)
}

/// The moves from which an opening is drawn.
fn moves(game: &AnyGame) -> Vec<String> {
    let mut moves = game.legal_moves();
    if moves.len() > MANY_MOVES {
        let view = game.view();
        let is_near = |place: u8, size: u8| {
            let start = size.saturating_sub(MIDDLE) / 2;
            (start..start + MIDDLE).contains(&place)
        };
        let is_middle = |cell: Cell| is_near(cell.column, view.cols) && is_near(cell.row, view.rows);
        moves.retain(|m| m.parse().map_or(true, is_middle));
    }
    moves
}

/// The balanced openings found so far, without repetitions and mirror images.
#[derive(Debug)]
pub struct Selection {
    most: usize,
    seen: HashSet<(Side, Vec<Option<Piece>>)>,
    openings: Vec<String>,
}

impl Selection {
    /// An empty selection for at most this many openings.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { most, seen: HashSet::new(), openings: Vec::new() }
    }

    /// Adds an opening unless it is known or the selection is full. Returns whether it was added.
    pub fn add(&mut self, game: &AnyGame) -> bool {
        let view = game.view();
        let columns = usize::from(view.cols).max(1);
        let mirrored: Vec<_> = view.cells.chunks(columns).flat_map(|row| row.iter().rev().copied()).collect();
        let is_new = !self.is_full()
            && !self.seen.contains(&(game.turn(), mirrored))
            && self.seen.insert((game.turn(), view.cells));
        if is_new {
            self.openings.push(game.moves().join(" "));
        }
        is_new
    }

    /// Whether it has as many openings as wanted.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.openings.len() >= self.most
    }

    /// The moves of each opening.
    #[must_use]
    pub fn openings(&self) -> &[String] {
        &self.openings
    }
}

#[cfg(test)]
mod tests {
    use rules::GAMES;

    use super::{super::balanced, *};

    fn game(spec: &str, moves: &str) -> AnyGame {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        game
    }

    fn found(spec: &str, plies: RangeInclusive<u16>, numbers: u64) -> Vec<AnyGame> {
        let candidates = Candidates::new(spec.parse().unwrap(), 1, plies, 1000);
        (0..numbers).filter_map(|number| candidates.find(number, &Stop::default())).collect()
    }

    #[test]
    fn openings_of_connect_four_are_drawn() {
        let openings = found("connect-four", 6..=8, 200);
        assert!((5..100).contains(&openings.len()), "{}", openings.len());
        for opening in openings {
            assert!((6..=8).contains(&opening.ply()));
            let proven = Prover::default().result(&opening, &|| false).unwrap();
            assert_eq!(proven.result, Proof::Draw, "{}", opening.moves().join(" "));
        }
    }

    #[test]
    fn openings_of_other_games_are_even_in_a_search() {
        for (spec, numbers) in [("simplexity", 1500), ("chess-five", 60), ("gomoku", 100)] {
            let openings = found(spec, 3..=4, numbers);
            assert!(!openings.is_empty(), "{spec}");
            for opening in openings {
                let mut engine = roster::program(&opening, "engine:nodes=1000", &Resources::new(1)).unwrap();
                let said = Evaluation::from(&engine.choose(&opening, &Stop::default()).unwrap());
                assert!(is_even(&said, EVEN), "{spec}: {}", opening.moves().join(" "));
            }
        }
    }

    /// Four of ten random openings of Simplexity were decided. A stronger engine finds a few of these decided, too; when it
    /// finds more than one in eight, the files must be made again.
    #[test]
    fn openings_of_the_program_are_undecided() {
        for spec in GAMES.iter().map(|info| info.id.parse::<Spec>().unwrap()) {
            let openings = balanced::shuffled(spec, 1).unwrap_or_default();
            let candidates = Candidates::new(spec, 1, 0..=0, 20_000).within(0.4);
            let is_decided = |game: AnyGame| !candidates.is_balanced(&game, &Stop::default());
            let decided =
                openings.iter().take(16).filter(|opening| is_decided(opening.game(spec).unwrap())).count();
            assert!(decided <= 2, "{spec}: {decided} of 16");
        }
    }

    #[test]
    fn a_candidate_depends_on_seed_and_number_alone() {
        let moves = || found("chess-five", 4..=6, 60).iter().map(AnyGame::moves).collect::<Vec<_>>();
        assert_eq!(moves(), moves());
        let other = Candidates::new("chess-five".parse().unwrap(), 2, 4..=6, 1000);
        let other = (0..60).filter_map(|number| other.find(number, &Stop::default()));
        assert_ne!(other.map(|game| game.moves()).collect::<Vec<_>>(), moves());
    }

    #[test]
    fn a_large_board_is_opened_in_the_middle() {
        for m in moves(&game("gomoku", "")) {
            let cell: Cell = m.parse().unwrap();
            assert!((4..11).contains(&cell.column) && (4..11).contains(&cell.row), "{m}");
        }
        assert_eq!(moves(&game("gomoku", "")).len(), 49);
        assert_eq!(moves(&game("connect-four", "")).len(), 7);
    }

    #[test]
    fn a_selection_has_each_position_once() {
        let mut selection = Selection::new(3);
        let added = ["4 4 3", "4 4 5", "3 4 4", "5 4 4", "1 2 3", "3 2 1", "1 1 1"]
            .map(|moves| selection.add(&game("connect-four", moves)));
        // Mirror images, then the same position by other moves; the last one comes too late.
        assert_eq!(added, [true, false, true, false, true, false, false]);
        assert_eq!(selection.openings(), ["4 4 3", "3 4 4", "1 2 3"]);
        assert!(selection.is_full());
    }
}
