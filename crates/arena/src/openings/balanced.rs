//! The balanced openings that come with the program: undecided positions near equality, one file per game and rule set,
//! written by `alinea openings make`.

use rules::Spec;

use crate::AnyGameText;

/// The files, by the text of their games. Games without a file, and other board sizes, open with random moves.
const FILES: [(&str, &str); 5] = [
    ("connect-four:6x7x4", include_str!("data/connect-four.txt")),
    ("simplexity:6x7x4:10+11", include_str!("data/simplexity.txt")),
    ("chess-five", include_str!("data/chess-five.txt")),
    ("gomoku:15x15x5", include_str!("data/gomoku.txt")),
    ("popout:6x7x4", include_str!("data/popout.txt")),
];

/// Returns the file of a game: one opening per line, and comments that begin with `#`.
#[must_use]
pub fn text(spec: Spec) -> Option<&'static str> {
    FILES.into_iter().find(|(name, _)| *name == spec.to_string()).map(|(_, text)| text)
}

/// Returns the openings of a game in an order that the seed decides; `None` if the game has none.
pub(super) fn shuffled(spec: Spec, seed: u64) -> Option<Vec<AnyGameText>> {
    let opening = |line: &str| AnyGameText { position: None, moves: line.to_owned() };
    let mut openings: Vec<_> =
        text(spec)?.lines().filter(|line| !line.starts_with('#')).map(opening).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut openings);
    Some(openings)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rules::{AnyGame, GAMES};

    use super::*;

    #[test]
    fn every_opening_can_be_played_once() {
        for (name, text) in FILES {
            let spec: Spec = name.parse().unwrap();
            assert_eq!((spec.to_string().as_str(), super::text(spec)), (name, Some(text)));
            let openings = shuffled(spec, 1).unwrap();
            // Few openings of PopOut are even: these of 30,000 candidates.
            assert_eq!(openings.len(), if name.starts_with("popout") { 270 } else { 5000 }, "{name}");
            let mut seen = HashSet::new();
            for opening in &openings {
                let game: AnyGame = opening.game(spec).unwrap();
                assert!(game.outcome().is_none() && game.ply() >= 3, "{name}: {}", opening.moves);
                assert!(seen.insert(game.position()), "{name}: {} comes twice", opening.moves);
            }
        }
    }

    #[test]
    fn every_game_of_the_table_but_the_small_ones_has_openings() {
        let without: Vec<_> =
            GAMES.iter().map(|info| info.id).filter(|id| text(id.parse().unwrap()).is_none()).collect();
        assert!(without.iter().all(|id| ["tic-tac-toe", "dummy"].contains(id)), "{without:?}");
    }

    #[test]
    fn the_seed_decides_the_order() {
        let spec = "connect-four".parse().unwrap();
        assert_eq!(shuffled(spec, 1), shuffled(spec, 1));
        assert_ne!(shuffled(spec, 1), shuffled(spec, 2));
        assert_eq!(shuffled("connect-four:9x9x5".parse().unwrap(), 1), None);
    }
}
