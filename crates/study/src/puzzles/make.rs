//! Makes puzzles: candidates from games, numbered, and a selection without near duplicates.
//!
//! A candidate depends on the seed and its number alone, so candidates can be searched by any number of threads, in
//! any order, and a selection that adds them in order is always the same.

use std::collections::{HashMap, HashSet};

use players::{Resources, Stop, roster};
use rules::{AnyGame, Spec};

use super::{Puzzle, Theme, pattern::Pattern, proof::Judge, solution};

/// Games to look for puzzles in.
#[derive(Clone, Copy, Debug)]
pub struct Candidates {
    spec: Spec,
    seed: u64,
}

/// One game in this many consists of random moves only.
const RANDOM_GAMES: u64 = 4;
/// A game begins with up to this many random moves.
const MOST_RANDOM_MOVES: u64 = 8;
/// Games are cut after this many plies.
const MOST_PLIES: u16 = 80;
/// Maximum number of puzzles from one game.
const MOST_OF_A_GAME: usize = 2;
/// Minimum number of plies between two puzzles of one game.
const DISTANCE: u16 = 4;

impl Candidates {
    /// The candidates of a game that this seed gives.
    #[must_use]
    pub fn new(spec: Spec, seed: u64) -> Self {
        Self { spec, seed }
    }

    /// The puzzles, without ratings, in the game with this number.
    #[must_use]
    pub fn find(&self, number: u64, stop: &Stop) -> Vec<Puzzle> {
        let mut rng = fastrand::Rng::with_seed(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        let mut game = AnyGame::from(self.spec);
        // The strongest levels make few mistakes and take long.
        let levels = (roster::levels(&game).len() as u64).saturating_sub(2).max(1);
        let is_random = rng.u64(..RANDOM_GAMES) == 0;
        let random_moves = if is_random { u64::MAX } else { rng.u64(..=MOST_RANDOM_MOVES) };
        let mut players = [(); 2].map(|()| {
            let name = format!("level:{}", rng.u64(1..=levels));
            let resources = Resources::new(rng.u64(..));
            roster::program(&game, &name, &resources).expect("the roster lists its levels")
        });
        let mut judge = Judge::default();
        let mut found: Vec<Puzzle> = Vec::new();
        let mut next = 0;
        while game.outcome().is_none() && game.ply() < MOST_PLIES && !stop.is_cancelled() {
            if game.ply() >= next
                && let Some(puzzle) = solution::find(&mut judge, &game)
                && found.iter().all(|earlier| earlier.solution[0] != puzzle.solution[0])
            {
                next = game.ply() + DISTANCE;
                found.push(puzzle);
                if found.len() == MOST_OF_A_GAME {
                    break;
                }
            }
            let m = if u64::from(game.ply()) < random_moves {
                let moves = game.legal_moves();
                moves[rng.usize(..moves.len())].clone()
            } else {
                let player = &mut players[game.turn().index()];
                let Ok(thought) = player.choose(&game, stop) else { break };
                thought.chosen
            };
            game.play(&m).expect("players play legal moves");
        }
        found
    }
}

/// A selection of puzzles without near duplicates and with limits for the most frequent themes.
#[derive(Debug, Default)]
pub struct Selection {
    most: usize,
    patterns: HashSet<Pattern>,
    of_theme: HashMap<Theme, usize>,
    puzzles: Vec<Puzzle>,
}

impl Selection {
    /// An empty selection of at most this many puzzles.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Adds a puzzle unless it nearly repeats another, its theme is frequent enough or the selection is full. Returns
    /// whether it was added.
    pub fn add(&mut self, puzzle: Puzzle) -> bool {
        if self.is_full() || puzzle.themes.iter().any(|theme| self.count(*theme) >= self.limit(*theme)) {
            return false;
        }
        if !self.patterns.insert(solution::pattern_of(&puzzle)) {
            return false;
        }
        for theme in &puzzle.themes {
            *self.of_theme.entry(*theme).or_default() += 1;
        }
        self.puzzles.push(puzzle);
        true
    }

    fn count(&self, theme: Theme) -> usize {
        self.of_theme.get(&theme).copied().unwrap_or_default()
    }

    /// The most puzzles with a theme.
    fn limit(&self, theme: Theme) -> usize {
        let share = match theme {
            Theme::WinInOne => 10,
            Theme::Draw | Theme::Defence => 4,
            Theme::Long => 2,
            _ => 1,
        };
        self.most.div_ceil(share)
    }

    /// Whether there is no room left.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.puzzles.len() >= self.most
    }

    /// The puzzles in the order in which they were added.
    #[must_use]
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }

    /// Rates the puzzles that were added last.
    pub fn set_last_ratings(&mut self, ratings: &[u32]) {
        let from = self.puzzles.len().saturating_sub(ratings.len());
        for (puzzle, &rating) in self.puzzles[from..].iter_mut().zip(ratings) {
            puzzle.rating = rating;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::embedded;

    #[test]
    fn frequent_themes_are_limited() {
        let all = || embedded().iter().flat_map(|collection| &collection.puzzles);
        for (theme, most, limit) in [
            (Theme::WinInOne, 30, 3),
            (Theme::WinInOne, 31, 4),
            (Theme::Draw, 30, 8),
            (Theme::Defence, 30, 8),
            (Theme::Long, 30, 15),
            (Theme::Gap, 30, 30),
        ] {
            let mut selection = Selection::new(most);
            let of_theme = all().filter(|puzzle| puzzle.themes.contains(&theme));
            let added = of_theme.filter(|puzzle| selection.add((*puzzle).clone())).count();
            assert_eq!((added, selection.puzzles().len()), (limit, limit), "{theme} {most}");
            assert_eq!(selection.is_full(), limit == most);
            // There is room for other themes as long as it is not full.
            let mut others = all().filter(|puzzle| puzzle.themes == [Theme::DoubleThreat]);
            assert_eq!(others.any(|puzzle| selection.add(puzzle.clone())), limit < most);
        }
        assert!(Selection::new(0).is_full());
    }

    #[test]
    fn a_puzzle_with_a_theme_too_many_is_refused() {
        let mut selection = Selection::new(2);
        let mut of = |themes: &[Theme]| {
            let mut all = embedded().iter().flat_map(|collection| &collection.puzzles);
            let puzzle = all.find(|puzzle| puzzle.themes == themes).unwrap();
            selection.add(puzzle.clone())
        };
        assert!(of(&[Theme::Zugzwang, Theme::Long]));
        assert!(!of(&[Theme::DoubleThreat, Theme::Long]), "one of two puzzles may be long");
        assert!(of(&[Theme::DoubleThreat]));
    }

    #[test]
    fn the_last_puzzles_get_their_ratings() {
        let mut selection = Selection::new(usize::MAX);
        for puzzle in &embedded()[0].puzzles[..3] {
            assert!(selection.add(Puzzle { rating: 0, ..puzzle.clone() }));
        }
        let ratings =
            |selection: &Selection| selection.puzzles().iter().map(|it| it.rating).collect::<Vec<_>>();
        selection.set_last_ratings(&[700, 800]);
        assert_eq!(ratings(&selection), [0, 700, 800]);
        selection.set_last_ratings(&[1, 2, 3, 4]);
        assert_eq!(ratings(&selection), [1, 2, 3]);
    }
}
