//! The openings of games: the balanced ones that come with the program, the empty board, random moves without a short
//! forced win, or openings from a file: in order, by weight, or the first moves of games.

pub mod balanced;
pub mod make;

use std::{fs, path::Path};

use fastrand::Rng;
use rules::{AnyGame, AnyPosition, Opening, Spec, excerpt, game_text};
use thiserror::Error;

/// The source of openings, as text: `balanced`, `empty`, `random:PLIES`, `file:PATH`, `book:PATH` or `games:PATH:PLIES`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// The initial position.
    Empty,
    /// This many random plies.
    Random(u16),
    /// These openings, cyclically.
    Listed(Vec<AnyGameText>),
    /// One of these openings at random, by weight.
    Weighted(Vec<(u32, AnyGameText)>),
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
    #[error(
        "“{0}” is not a source of openings; expected balanced, empty, random:PLIES (0 to 40), file:PATH, book:PATH or games:PATH:PLIES"
    )]
    Unknown(String),
    /// The game has no balanced openings.
    #[error(
        "there are no balanced openings for {0}; write random:4, or make a file with alinea openings make {0}"
    )]
    NoneBalanced(Spec),
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
    /// The file contains no game, or no game longer than the requested number of moves.
    #[error("{path} has no openings: {reason}")]
    Games {
        /// The file.
        path: String,
        /// The cause.
        reason: String,
    },
}

/// The source of openings that come with the program.
pub(crate) const BALANCED: &str = "balanced";
/// The source of openings where none come with the program; before version 0.3 everywhere.
pub(crate) const RANDOM: &str = "random:4";

/// The source of openings where the players make the game even, by the pie rule or Swap2.
const EMPTY: &str = "empty";

/// Returns the source of openings for a game if none is given: from the empty board most players would repeat one game.
#[must_use]
pub fn default_source(spec: Spec) -> &'static str {
    match spec.opening() {
        Opening::Free if balanced::text(spec).is_some() => BALANCED,
        Opening::Free => RANDOM,
        _ => EMPTY,
    }
}

impl Openings {
    /// Parses the source of openings and reads its file, if any; the path is relative to `base`. The seed decides the
    /// order of balanced openings.
    ///
    /// # Errors
    /// If the source is unknown, or the file cannot be read or contains no valid openings.
    pub fn parse(text: &str, spec: Spec, base: &Path, seed: u64) -> Result<Self, OpeningsError> {
        if text == EMPTY {
            return Ok(Self::Empty);
        }
        if text == BALANCED {
            return balanced::shuffled(spec, seed).map(Self::Listed).ok_or(OpeningsError::NoneBalanced(spec));
        }
        if let Some(plies) = text.strip_prefix("random:")
            && let Some(plies) = plies.parse().ok().filter(|&plies| plies <= 40)
        {
            return Ok(Self::Random(plies));
        }
        let unknown = || OpeningsError::Unknown(excerpt(text));
        match text.split_once(':').ok_or_else(unknown)? {
            ("file", path) => {
                let lines = read_lines(&base.join(path), spec, false)?;
                Ok(Self::Listed(lines.into_iter().map(|(_, opening)| opening).collect()))
            }
            ("book", path) => Ok(Self::Weighted(read_lines(&base.join(path), spec, true)?)),
            ("games", rest) => {
                let (path, plies) = rest.rsplit_once(':').ok_or_else(unknown)?;
                let plies = plies.parse().map_err(|_| unknown())?;
                Ok(Self::Listed(read_games(&base.join(path), spec, plies)?))
            }
            _ => Err(unknown()),
        }
    }

    /// Returns the opening with this index. The same seed gives the same openings.
    #[must_use]
    pub fn game(&self, spec: Spec, number: usize, seed: u64) -> AnyGame {
        match self {
            Self::Empty => spec.into(),
            Self::Random(plies) => with_random_moves(spec, *plies, &mut rng_of(number, seed)),
            Self::Listed(listed) => valid(&listed[number % listed.len()], spec),
            Self::Weighted(openings) => {
                let sum: u64 = openings.iter().map(|(weight, _)| u64::from(*weight)).sum();
                let mut left = rng_of(number, seed).u64(..sum);
                let drawn = openings.iter().find(|(weight, _)| {
                    let is_here = left < u64::from(*weight);
                    left = left.saturating_sub(u64::from(*weight));
                    is_here
                });
                valid(&drawn.expect("the number is below the sum of the weights").1, spec)
            }
        }
    }
}

fn rng_of(number: usize, seed: u64) -> Rng {
    Rng::with_seed(seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn valid(opening: &AnyGameText, spec: Spec) -> AnyGame {
    opening.game(spec).expect("openings are validated when read")
}

fn read_file(path: &Path) -> Result<(String, String), OpeningsError> {
    let name = path.display().to_string();
    match fs::read_to_string(path) {
        Ok(text) => Ok((name, text)),
        Err(source) => Err(OpeningsError::Read { path: name, source }),
    }
}

/// Parses one opening per line, with or without a leading weight; the default weight is 1.
fn read_lines(path: &Path, spec: Spec, have_weights: bool) -> Result<Vec<(u32, AnyGameText)>, OpeningsError> {
    let (name, text) = read_file(path)?;
    let mut listed = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let invalid = |reason| OpeningsError::Line { path: name.clone(), line: i + 1, reason };
        let (weight, line) = if have_weights {
            let (weight, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let weight = weight.parse().ok().filter(|&weight: &u32| weight > 0);
            let missing = || invalid("it does not begin with a weight, a whole number from 1".to_owned());
            (weight.ok_or_else(missing)?, rest.trim())
        } else {
            (1, line)
        };
        let (position, moves) = match line.strip_prefix("position ") {
            Some(rest) => {
                let (position, moves) = rest.split_once(" moves").unwrap_or((rest, ""));
                (Some(position.trim().to_owned()), moves)
            }
            None => (None, line),
        };
        let opening = AnyGameText { position, moves: moves.trim().to_owned() };
        let game = opening.game(spec).map_err(invalid)?;
        if game.outcome().is_some() {
            return Err(invalid("the game is already over".to_owned()));
        }
        listed.push((weight, opening));
    }
    if listed.is_empty() { Err(OpeningsError::None(name)) } else { Ok(listed) }
}

/// Returns the first moves of the games in a file, each opening once.
fn read_games(path: &Path, spec: Spec, plies: usize) -> Result<Vec<AnyGameText>, OpeningsError> {
    let (name, text) = read_file(path)?;
    let because = |reason| OpeningsError::Games { path: name.clone(), reason };
    let mut openings: Vec<AnyGameText> = Vec::new();
    for mut game in
        game_text::read(&text).map_err(|error| because(error.to_string()))?.into_iter().map(|read| read.game)
    {
        if game.spec() != spec {
            return Err(because(format!("its games are of {}, not of {spec}", game.spec())));
        }
        while game.moves().len() > plies && game.take_back().is_some() {}
        let moves = game.moves().join(" ");
        let is_short = game.moves().len() < plies || game.outcome().is_some();
        let mut start = game;
        while start.take_back().is_some() {}
        let position = (start.position() != AnyGame::from(spec).position()).then(|| start.position());
        let opening = AnyGameText { position, moves };
        if !is_short && !openings.contains(&opening) {
            openings.push(opening);
        }
    }
    if openings.is_empty() {
        Err(because(format!("no game is longer than {plies} moves")))
    } else {
        Ok(openings)
    }
}

impl AnyGameText {
    /// Returns the game as text.
    #[must_use]
    pub fn of(game: &AnyGame) -> Self {
        let start = game.start_position();
        let is_usual = start == AnyGame::from(game.spec()).position();
        Self { position: (!is_usual).then_some(start), moves: game.moves().join(" ") }
    }

    /// Returns the game.
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

/// Returns a game after random moves in which neither side has a short forced win. If no such game is found, it plays
/// fewer moves.
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
    if game.outcome().is_some() {
        return false;
    }
    let position = AnyPosition::of(game);
    let mut left = NODE_LIMIT;
    for depth in 1..=6 {
        match value(&position, depth, &mut left) {
            Some(0) => {}
            Some(_) => return false,
            None => break,
        }
    }
    true
}

/// 1 if the side to move forces a win within `depth` plies, -1 if the opponent does, 0 if neither, `None`
/// if the node limit is reached.
fn value(position: &AnyPosition, depth: u32, left: &mut u32) -> Option<i8> {
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
    use std::sync::atomic::{AtomicU32, Ordering};

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
        for text in ["", "full", "balanced", "random:", "random:41", "random:-1", "file:/no/such/file"] {
            assert!(
                Openings::parse(text, "tic-tac-toe".parse().unwrap(), Path::new(""), 1).is_err(),
                "{text}"
            );
        }
    }

    /// Reads a source of openings of Connect Four whose file has this text.
    fn read_from(source: &str, text: &str) -> Result<Openings, OpeningsError> {
        static FILES: AtomicU32 = AtomicU32::new(0);
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("alinea-openings-{}-{number}", std::process::id()));
        fs::write(&path, text).unwrap();
        let source = source.replace("PATH", &path.display().to_string());
        let openings = Openings::parse(&source, "connect-four".parse().unwrap(), Path::new(""), 1);
        fs::remove_file(path).unwrap();
        openings
    }

    #[test]
    fn a_book_is_drawn_from_by_weight() {
        let spec = "connect-four".parse().unwrap();
        let book = read_from("book:PATH", "# weights\n1 1 1\n9 position 7/7/7/7/7/3x3 b moves 4\n").unwrap();
        let moves = |number| book.game(spec, number, 5).moves().join(" ");
        assert_eq!(moves(3), moves(3));
        let heavy = (0..1000).filter(|&number| moves(number) == "4").count();
        assert!((850..950).contains(&heavy), "{heavy} of 1000");
        for wrong in ["0 4", "4x", "many 4"] {
            let sentence = read_from("book:PATH", wrong).unwrap_err().to_string();
            assert!(sentence.contains("a whole number from 1"), "{wrong}: {sentence}");
        }
    }

    #[test]
    fn games_give_their_first_moves() {
        let spec = "connect-four".parse().unwrap();
        let games = "[Game \"connect-four\"]\n\n1. 4 4 2. 5 5 3. 3 6 4. 2 1-0\n\n[Game \"connect-four\"]\n\n1. 4 4 2. 1 2 *\n\n\
                     [Game \"connect-four\"]\n\n1. 4 *\n";
        let openings = read_from("games:PATH:2", games).unwrap();
        assert_eq!(openings, Openings::Listed(vec![AnyGameText { position: None, moves: "4 4".to_owned() }]));
        assert_eq!(read_from("games:PATH:3", games).unwrap().game(spec, 1, 1).moves(), ["4", "4", "1"]);
        for (source, text, sentence) in [
            ("games:PATH:7", games, "no game is longer than 7 moves"),
            (
                "games:PATH:2",
                "[Game \"tic-tac-toe\"]\n\n1. b2 a1 *\n",
                "its games are of tic-tac-toe, not of",
            ),
            ("games:PATH", games, "is not a source of openings"),
            ("games:PATH:x", games, "is not a source of openings"),
        ] {
            let error = read_from(source, text).unwrap_err().to_string();
            assert!(error.contains(sentence), "{source}: {error}");
        }
    }

    #[test]
    fn a_file_lists_openings_one_per_line() {
        let spec = "connect-four".parse().unwrap();
        let read = |text: &str| read_from("file:PATH", text);
        let openings = read("# two\n44\n\nposition 7/7/7/7/7/3x3 b moves 1 2\n").unwrap();
        assert_eq!(openings.game(spec, 0, 1).moves(), ["4", "4"]);
        assert_eq!(openings.game(spec, 1, 1).moves(), ["1", "2"]);
        assert_eq!(openings.game(spec, 2, 1).moves(), ["4", "4"]);
        let sentence = read("44\n9\n").unwrap_err().to_string();
        assert!(sentence.contains("line 2") && sentence.contains("columns are 1 to 7"), "{sentence}");
        assert!(read("").is_err() && read("4455667").is_err());
    }
}
