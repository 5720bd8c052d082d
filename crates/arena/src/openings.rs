//! The openings of games: the empty board, random moves that decide nothing, or positions from a file.

use std::{fs, path::Path};

use fastrand::Rng;
use rules::{AnyGame, Game, Position, Spec, excerpt, with_game};
use thiserror::Error;

/// The source of openings, as text: `empty`, `random:PLIES` or `file:PATH`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// The initial position.
    Empty,
    /// This many random plies.
    Random(u16),
    /// These, cyclically.
    Listed(Vec<AnyGameText>),
}

/// A game as text: its start, if not the initial position, and its moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AnyGameText {
    /// The starting position.
    pub position: Option<String>,
    /// The moves, separated by spaces.
    pub moves: String,
}

/// Why openings cannot be read.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// An unknown source.
    #[error("“{0}” is not a source of openings; expected empty, random:PLIES (0 to 40) or file:PATH")]
    Unknown(String),
    /// The file cannot be read.
    #[error("cannot read the openings in {path}")]
    Read {
        /// The file.
        path: String,
        /// The cause.
        source: std::io::Error,
    },
    /// A line of the file is not an opening.
    #[error("line {line} of {path} is not an opening: {reason}")]
    Line {
        /// The file.
        path: String,
        /// The line number.
        line: usize,
        /// The cause.
        reason: String,
    },
    /// The file contains no opening.
    #[error("{0} contains no openings; expected one per line, as moves or as “position P moves M…”")]
    None(String),
}

impl Openings {
    /// Parses the source of openings and reads its file, if any; the path is relative to `base`.
    ///
    /// # Errors
    /// If the source is unknown, or the file cannot be read or contains no valid openings.
    pub fn parse(text: &str, spec: Spec, base: &Path) -> Result<Self, OpeningsError> {
        if text == "empty" {
            return Ok(Self::Empty);
        }
        if let Some(plies) = text.strip_prefix("random:")
            && let Some(plies) = plies.parse().ok().filter(|&plies| plies <= 40)
        {
            return Ok(Self::Random(plies));
        }
        match text.strip_prefix("file:") {
            Some(path) => Self::read(&base.join(path), spec),
            None => Err(OpeningsError::Unknown(excerpt(text))),
        }
    }

    fn read(path: &Path, spec: Spec) -> Result<Self, OpeningsError> {
        let name = path.display().to_string();
        let text =
            fs::read_to_string(path).map_err(|source| OpeningsError::Read { path: name.clone(), source })?;
        let mut listed = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (position, moves) = match line.strip_prefix("position ") {
                Some(rest) => {
                    let (position, moves) = rest.split_once(" moves").unwrap_or((rest, ""));
                    (Some(position.trim().to_owned()), moves)
                }
                None => (None, line),
            };
            let opening = AnyGameText { position, moves: moves.trim().to_owned() };
            let invalid = |reason| OpeningsError::Line { path: name.clone(), line: i + 1, reason };
            let game = opening.game(spec).map_err(invalid)?;
            if game.outcome().is_some() {
                return Err(invalid("the game is already over".to_owned()));
            }
            listed.push(opening);
        }
        if listed.is_empty() { Err(OpeningsError::None(name)) } else { Ok(Self::Listed(listed)) }
    }

    /// The opening with this index. The same seed gives the same openings.
    #[must_use]
    pub fn game(&self, spec: Spec, number: usize, seed: u64) -> AnyGame {
        match self {
            Self::Empty => spec.into(),
            Self::Random(plies) => {
                let mut rng = Rng::with_seed(seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                with_random_moves(spec, *plies, &mut rng)
            }
            Self::Listed(listed) => {
                listed[number % listed.len()].game(spec).expect("openings are validated when read")
            }
        }
    }
}

impl AnyGameText {
    /// The game itself.
    ///
    /// # Errors
    /// If the position or a move is illegal; the message says why.
    pub fn game(&self, spec: Spec) -> Result<AnyGame, String> {
        let mut game = AnyGame::from(spec);
        if let Some(position) = &self.position {
            game.set_position(position).map_err(|error| error.to_string())?;
        }
        game.play_all(&self.moves).map_err(|error| error.to_string())?;
        Ok(game)
    }
}

/// A game after random moves in which neither side has a short forced win. If no such game is found, fewer
/// moves are played.
fn with_random_moves(spec: Spec, plies: u16, rng: &mut Rng) -> AnyGame {
    for plies in (1..=plies).rev() {
        for _ in 0..50 {
            let mut game = AnyGame::from(spec);
            while game.ply() < plies
                && let Some(m) = rng.choice(game.legal_moves())
            {
                game.play(&m).expect("a legal move");
            }
            if game.ply() == plies && is_balanced(&game) {
                return game;
            }
        }
    }
    spec.into()
}

/// Node limit of the search that judges an opening.
const NODE_LIMIT: u32 = 20_000;

/// Whether a short search finds a forced win for neither side. Both games of a pair start from the same
/// opening, so a small advantage for one side does no harm; a decided opening would waste the pair.
#[must_use]
pub fn is_balanced(game: &AnyGame) -> bool {
    fn has_no_forced_win<P: Position>(game: &Game<P>) -> bool {
        if game.outcome().is_some() {
            return false;
        }
        let mut left = NODE_LIMIT;
        for depth in 1..=6 {
            match value(game.position(), depth, &mut left) {
                Some(0) => {}
                Some(_) => return false,
                None => break,
            }
        }
        true
    }
    with_game!(&game, game => has_no_forced_win(game))
}

/// 1 if the side to move forces a win within `depth` plies, -1 if the opponent does, 0 if neither, `None`
/// if the node limit is reached.
fn value<P: Position>(position: &P, depth: u32, left: &mut u32) -> Option<i8> {
    *left = left.checked_sub(1)?;
    if let Some(outcome) = position.outcome() {
        return Some(outcome.winner().map_or(0, |winner| if winner == position.turn() { 1 } else { -1 }));
    }
    if depth == 0 {
        return Some(0);
    }
    let mut best = -1;
    for m in position.legal_moves() {
        best = best.max(-value(&position.after(m), depth - 1, left)?);
        if best == 1 {
            break;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(spec: &str, moves: &str) -> AnyGame {
        AnyGameText { position: None, moves: moves.to_owned() }.game(spec.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_forced_win_is_not_balanced() {
        assert!(is_balanced(&game("connect-four", "")));
        // Three in a row, open on both sides, cannot be stopped.
        assert!(!is_balanced(&game("connect-four", "4 4 3 3")));
        assert!(is_balanced(&game("connect-four", "4 1 4 1 4")), "the second player can block");
        assert!(!is_balanced(&game("connect-four", "4 1 4 1 4 2")));
        assert!(!is_balanced(&game("tic-tac-toe", "b2 a2 a3")), "the first player has two threats");
        assert!(is_balanced(&game("tic-tac-toe", "b2 a3")));
    }

    #[test]
    fn random_openings_depend_on_seed_and_index() {
        for spec in ["connect-four", "simplexity", "chess-five", "tic-tac-toe", "connect-four:9x9x5"] {
            let spec = spec.parse().unwrap();
            let openings = Openings::Random(4);
            let moves = |number, seed| openings.game(spec, number, seed).moves();
            assert_eq!(moves(3, 7), moves(3, 7));
            assert!((0..8).any(|number| moves(number, 7) != moves(0, 7)));
            assert!((0..8).all(|number| is_balanced(&openings.game(spec, number, 7))));
        }
    }

    #[test]
    fn a_tiny_board_gets_fewer_random_moves() {
        let game = Openings::Random(40).game("connect-four:1x2x3".parse().unwrap(), 0, 1);
        assert!(game.outcome().is_none());
    }

    #[test]
    fn unknown_openings_are_rejected() {
        for text in ["", "full", "random:", "random:41", "random:-1", "file:/no/such/file"] {
            assert!(Openings::parse(text, "tic-tac-toe".parse().unwrap(), Path::new("")).is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_lists_openings_one_per_line() {
        let path = std::env::temp_dir().join(format!("alinea-openings-{}", std::process::id()));
        let spec = "connect-four".parse().unwrap();
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            Openings::parse(&format!("file:{}", path.display()), spec, Path::new(""))
        };
        let openings = read("# two\n44\n\nposition 7/7/7/7/7/3x3 b moves 1 2\n").unwrap();
        assert_eq!(openings.game(spec, 0, 1).moves(), ["4", "4"]);
        assert_eq!(openings.game(spec, 1, 1).moves(), ["1", "2"]);
        assert_eq!(openings.game(spec, 2, 1).moves(), ["4", "4"]);
        let sentence = read("44\n9\n").unwrap_err().to_string();
        assert!(sentence.contains("line 2") && sentence.contains("columns are 1 to 7"), "{sentence}");
        assert!(read("").is_err() && read("4455667").is_err());
        fs::remove_file(path).unwrap();
    }
}
