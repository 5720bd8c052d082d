//! The collection of puzzles that comes with the program, and the puzzle of the day.

use std::sync::LazyLock;

use rules::{GAMES, Spec};

use super::Puzzle;

/// The puzzles of one game.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The game.
    pub spec: Spec,
    /// Its puzzles, numbered from 1.
    pub puzzles: Vec<Puzzle>,
}

impl Collection {
    /// Reads a file: a line for each puzzle; lines that begin with `#` are comments.
    ///
    /// # Errors
    /// A sentence with the number of the line that is wrong.
    pub fn read(spec: Spec, text: &str) -> Result<Self, String> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let read =
            |(number, line)| Puzzle::read(spec, line).map_err(|error| format!("line {number}: {error}"));
        Ok(Self { spec, puzzles: lines.map(read).collect::<Result<_, String>>()? })
    }
}

/// The files of the collection, by the ids of their games.
const FILES: [(&str, &str); 5] = [
    ("tic-tac-toe", include_str!("data/tic-tac-toe.txt")),
    ("connect-four", include_str!("data/connect-four.txt")),
    ("simplexity", include_str!("data/simplexity.txt")),
    ("chess-five", include_str!("data/chess-five.txt")),
    ("gomoku", include_str!("data/gomoku.txt")),
];

/// The collection that comes with the program: one for each game that has puzzles, in the order of the games.
#[must_use]
pub fn embedded() -> &'static [Collection] {
    static COLLECTIONS: LazyLock<Vec<Collection>> = LazyLock::new(|| {
        let collection = |id: &str| {
            let (_, text) = FILES.iter().find(|(game, _)| *game == id)?;
            let spec = id.parse().expect("the id of a game is a spec");
            Some(Collection::read(spec, text).expect("the files are tested"))
        };
        GAMES.iter().filter_map(|info| collection(info.id)).filter(|it| !it.puzzles.is_empty()).collect()
    });
    &COLLECTIONS
}

/// The number of the day in UTC, from the time since 1970 in milliseconds.
#[must_use]
pub const fn day_of(unix_ms: u64) -> u64 {
    unix_ms / 86_400_000
}

/// The puzzle of a day, the same for everyone, with its number: of this game, or of another game each day. `None` if
/// there is no collection for the game.
#[must_use]
pub fn daily(day: u64, game: Option<Spec>) -> Option<(&'static Collection, usize)> {
    let collections = embedded();
    let collection = match game {
        Some(spec) => collections.iter().find(|collection| collection.spec == spec)?,
        None => collections.get(day as usize % collections.len().max(1))?,
    };
    // A step without a common divisor visits every puzzle before one comes again.
    let count = collection.puzzles.len() as u64;
    let step = (count * 5 / 8..).find(|&step| greatest_common_divisor(step, count) == 1)?;
    let place = u128::from(day) * u128::from(step) % u128::from(count);
    Some((collection, place as usize + 1))
}

const fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_can_be_read() {
        for (id, text) in FILES {
            let spec: Spec = id.parse().unwrap();
            let collection = Collection::read(spec, text).unwrap();
            for puzzle in &collection.puzzles {
                assert_eq!(Puzzle::read(spec, &puzzle.to_string()).as_ref(), Ok(puzzle));
            }
        }
    }

    #[test]
    fn every_puzzle_has_its_day() {
        for collection in embedded() {
            let count = collection.puzzles.len();
            let mut days: Vec<_> =
                (20_000..).take(count).map(|day| daily(day, Some(collection.spec)).unwrap().1).collect();
            days.sort_unstable();
            assert_eq!(days, (1..=count).collect::<Vec<_>>(), "{}", collection.spec);
        }
    }

    #[test]
    fn a_day_begins_at_midnight() {
        assert_eq!([0, 86_399_999, 86_400_000].map(day_of), [0, 0, 1]);
    }

    #[test]
    fn bad_files_are_refused_with_a_sentence() {
        let spec = "tic-tac-toe".parse().unwrap();
        for (line, sentence) in [
            ("a1", "line 2: a puzzle has 6 fields"),
            ("a1\tb2\tlose\t3\tfork\t900", "line 2: “lose” is not a goal; expected win or hold"),
            ("a1\tb2\twin\tx\tfork\t900", "line 2: “x” is not a number"),
            ("a1\tb2\twin\t3\ttrick\t900", "line 2: “trick” is not a theme"),
            ("a1\ta1\twin\t3\tfork\t900", "line 2: cell a1 is taken"),
            ("a1\t\twin\t3\tfork\t900", "line 2: the puzzle has no solution"),
        ] {
            let error = Collection::read(spec, &format!("# comment\n{line}\n")).unwrap_err();
            assert!(error.starts_with(sentence), "{error}");
        }
    }
}
