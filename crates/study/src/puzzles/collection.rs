//! The collection of puzzles that comes with the program, and the puzzle of the day.

use std::sync::LazyLock;

use rules::{GAMES, Spec};

use super::{Puzzle, Theme};

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

    /// The puzzle with a number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&Puzzle> {
        self.puzzles.get(number.checked_sub(1)?)
    }

    /// The id of a puzzle, such as `connect-four-54`.
    #[must_use]
    pub fn id(&self, number: usize) -> String {
        format!("{}-{number}", self.spec.name())
    }

    /// The number of the next puzzle: with this theme, not seen yet, of a difficulty near the person's rating. When all
    /// have been seen, they start again. The seed chooses among puzzles of similar difficulty. `None` if no puzzle has
    /// the theme.
    pub fn next(
        &self,
        theme: Option<Theme>,
        rating: f64,
        is_seen: impl Fn(usize) -> bool,
        seed: u64,
    ) -> Option<usize> {
        let distance = |puzzle: &Puzzle| (f64::from(puzzle.rating) - rating).abs();
        let of_theme = (1..).zip(&self.puzzles);
        let of_theme = of_theme.filter(|(_, it)| theme.is_none_or(|theme| it.themes.contains(&theme)));
        let (seen, new): (Vec<_>, Vec<_>) = of_theme.partition(|(number, _)| is_seen(*number));
        let mut nearest = Vec::new();
        for (number, puzzle) in if new.is_empty() { seen } else { new } {
            let distance = distance(puzzle);
            nearest.insert(nearest.partition_point(|&(other, _)| other <= distance), (distance, number));
            nearest.truncate(CHOICE);
        }
        (!nearest.is_empty()).then(|| nearest[fastrand::Rng::with_seed(seed).usize(..nearest.len())].1)
    }
}

/// The puzzle with an id, such as `connect-four-54`, with its number.
#[must_use]
pub fn find<'a>(collections: &'a [Collection], id: &str) -> Option<(&'a Collection, usize)> {
    let (game, number) = id.rsplit_once('-')?;
    let number = number.parse().ok()?;
    let collection = collections.iter().find(|collection| collection.spec.name() == game)?;
    // The canonical form alone, so that an id is an address.
    (collection.get(number).is_some() && collection.id(number) == id).then_some((collection, number))
}

/// Number of puzzles near a person's rating from which the next one is chosen.
const CHOICE: usize = 12;

/// The files of the collection, by the ids of their games.
const FILES: [(&str, &str); 6] = [
    ("tic-tac-toe", include_str!("data/tic-tac-toe.txt")),
    ("connect-four", include_str!("data/connect-four.txt")),
    ("simplexity", include_str!("data/simplexity.txt")),
    ("chess-five", include_str!("data/chess-five.txt")),
    ("gomoku", include_str!("data/gomoku.txt")),
    ("popout", include_str!("data/popout.txt")),
];

/// The collections that come with the program: one for each game that has puzzles, in the order of the games.
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
/// there is no collection for the game, or no puzzle in it.
#[must_use]
pub fn daily(collections: &[Collection], day: u64, game: Option<Spec>) -> Option<(&Collection, usize)> {
    let collection = match game {
        Some(spec) => collections.iter().find(|collection| collection.spec == spec)?,
        None => collections.get(day as usize % collections.len().max(1))?,
    };
    // A step without a common divisor visits every puzzle before one comes again.
    let count = collection.puzzles.len() as u64;
    let step = (count * 5 / 8..).find(|&step| greatest_common_divisor(step, count) == 1)?;
    let place = (u128::from(day) * u128::from(step)).checked_rem(u128::from(count))?;
    Some((collection, place as usize + 1))
}

const fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_file() {
        for info in GAMES.iter().filter(|info| info.id != "dummy") {
            let has_file = FILES.iter().any(|(game, _)| *game == info.id);
            assert!(has_file, "FILES misses {0}; `alinea puzzles make {0}` makes its puzzles", info.id);
        }
    }

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
            let mut days: Vec<_> = (20_000..)
                .take(count)
                .map(|day| daily(embedded(), day, Some(collection.spec)).unwrap().1)
                .collect();
            days.sort_unstable();
            assert_eq!(days, (1..=count).collect::<Vec<_>>(), "{}", collection.spec);
        }
    }

    #[test]
    fn an_id_finds_its_puzzle_and_nothing_else_does() {
        for collection in embedded() {
            let last = collection.puzzles.len();
            for number in [1, last] {
                let (found, place) = find(embedded(), &collection.id(number)).unwrap();
                assert_eq!((found.spec, place), (collection.spec, number));
            }
            assert!(find(embedded(), &collection.id(last + 1)).is_none());
        }
        for id in ["", "-", "connect-four", "connect-four-0", "connect-four-01", "connect-four-+1", "chess-1"]
        {
            assert!(find(embedded(), id).is_none(), "{id}");
        }
    }

    #[test]
    fn the_next_puzzle_is_new_and_about_as_hard_as_the_person_is_strong() {
        let (collection, _) = find(embedded(), "connect-four-1").unwrap();
        let mut seen = Vec::new();
        for seed in 0..200 {
            let number = collection.next(None, 1500.0, |number| seen.contains(&number), seed).unwrap();
            assert!(!seen.contains(&number));
            seen.push(number);
        }
        let hardest = seen.iter().map(|&number| collection.get(number).unwrap().rating.abs_diff(1500)).max();
        let all_within =
            collection.puzzles.iter().filter(|it| it.rating.abs_diff(1500) < hardest.unwrap()).count();
        assert!(all_within <= 200 + CHOICE, "{all_within}");
        assert_eq!(collection.next(None, 1500.0, |_| false, 7), collection.next(None, 1500.0, |_| false, 7));
        let draw = collection.next(Some(Theme::Draw), 1500.0, |_| false, 1).unwrap();
        assert!(collection.get(draw).unwrap().themes.contains(&Theme::Draw));
        // Everything was seen: it begins again; a theme that the game does not have.
        assert!(collection.next(None, 1500.0, |_| true, 1).is_some());
        assert_eq!(collection.next(Some(Theme::Fork), 1500.0, |_| false, 1), None);
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
            (
                "a1\tb2\twin\t0\tfork\t900",
                "line 2: invalid depth 0; expected 1 (the length of the solution) to 65535",
            ),
            (
                "a1\tb2\twin\t4294967295\tfork\t900",
                "line 2: invalid depth 4294967295; expected 1 (the length of the solution) to 65535",
            ),
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

    fn three() -> Collection {
        let spec = "tic-tac-toe".parse().unwrap();
        let lines = "# three\n\na1\tb2\thold\t8\tdraw\t1000\nc3\tb2\thold\t8\tdraw,long\t1400\na3\tb2\thold\t8\tdraw\t1900\n";
        Collection::read(spec, lines).unwrap()
    }

    #[test]
    fn puzzles_are_numbered_from_one() {
        let collection = three();
        assert_eq!(collection.puzzles.len(), 3);
        assert_eq!(collection.get(0), None);
        assert_eq!(collection.get(2).unwrap().rating, 1400);
        assert_eq!(collection.get(4), None);
        assert_eq!(collection.id(2), "tic-tac-toe-2");
    }

    #[test]
    fn the_next_puzzle_has_the_theme_and_is_one_of_the_nearest() {
        let collection = three();
        let numbers = |theme, seen: &[usize]| {
            let next = |seed| collection.next(theme, 1450.0, |number| seen.contains(&number), seed);
            (0..40).map(next).collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(numbers(None, &[]), [Some(1), Some(2), Some(3)]);
        assert_eq!(numbers(None, &[2]), [Some(1), Some(3)]);
        assert_eq!(numbers(None, &[1, 2, 3]), [Some(1), Some(2), Some(3)], "all have been seen");
        assert_eq!(numbers(Some(Theme::Long), &[]), [Some(2)]);
        assert_eq!(numbers(Some(Theme::Long), &[2]), [Some(2)]);
        assert_eq!(numbers(Some(Theme::Fork), &[]), [None]);
        // With many puzzles, the twelve nearest ones, easier or harder.
        let connect_four = find(embedded(), "connect-four-1").unwrap().0;
        for rating in [700.0, 1500.0, 2300.0] {
            let mut ratings: Vec<_> =
                connect_four.puzzles.iter().map(|it| (f64::from(it.rating) - rating).abs()).collect();
            ratings.sort_by(f64::total_cmp);
            for seed in 0..40 {
                let number = connect_four.next(None, rating, |_| false, seed).unwrap();
                let distance = (f64::from(connect_four.get(number).unwrap().rating) - rating).abs();
                assert!(distance <= ratings[CHOICE - 1], "{number}");
            }
        }
    }

    #[test]
    fn the_puzzle_of_a_day_moves_on_by_a_step() {
        let spec: Spec = "tic-tac-toe".parse().unwrap();
        let places = |collection: &Collection, days: std::ops::Range<u64>| {
            let collections = std::slice::from_ref(collection);
            days.map(|day| daily(collections, day, Some(spec)).unwrap().1).collect::<Vec<_>>()
        };
        // Three puzzles: one eighth of five times three is one. Eight: five.
        assert_eq!(places(&three(), 0..5), [1, 2, 3, 1, 2]);
        let puzzles = three().puzzles.iter().cycle().take(8).cloned().collect();
        assert_eq!(places(&Collection { spec, puzzles }, 0..9), [1, 6, 3, 8, 5, 2, 7, 4, 1]);
        // Ten: six has a common divisor with it, seven has none.
        let puzzles = three().puzzles.iter().cycle().take(10).cloned().collect();
        assert_eq!(places(&Collection { spec, puzzles }, 0..4), [1, 8, 5, 2]);
        let empty = Collection { spec, puzzles: Vec::new() };
        assert!(daily(&[empty], 7, Some(spec)).is_none());
        assert!(daily(&[], 7, None).is_none());
        assert!(daily(&[three()], 7, Some("gomoku".parse().unwrap())).is_none());
    }

    #[test]
    fn the_game_of_the_day_changes_daily() {
        let collections = embedded();
        let names: Vec<_> = collections.iter().map(|collection| collection.spec.name()).collect();
        assert_eq!(names, ["tic-tac-toe", "connect-four", "simplexity", "chess-five", "gomoku", "popout"]);
        for day in 0..12 {
            let (collection, number) = daily(collections, day, None).unwrap();
            assert_eq!(collection.spec.name(), names[day as usize % names.len()]);
            assert_eq!(
                Some(number),
                daily(collections, day, Some(collection.spec)).map(|(_, number)| number)
            );
        }
    }
}
