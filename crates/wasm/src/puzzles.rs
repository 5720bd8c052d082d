//! Puzzles. The collection is not part of the core: the page loads it as files and hands it over once. A
//! puzzle is returned with its line of the file, so that any other core can judge moves.

use std::str::FromStr;

use players::Stop;
use protocol::{ApiError, ErrorCode, GameRecord, PuzzleAttempt, PuzzleStep};
use rules::Spec;
use serde::{Deserialize, Serialize};
use study::{
    glicko::Rating,
    puzzles::{self, Attempt, Collection, Puzzle, Theme},
};

use crate::{Core, response::ok, think};

/// The time to prove that a position is a puzzle, in milliseconds.
const MAKE_MS: u64 = 2_000;

/// A request about puzzles.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PuzzleRequest {
    /// Loads the collection; the response has its counts.
    Load {
        /// The puzzles of each game.
        files: Vec<File>,
    },
    /// The puzzle of the day.
    Daily {
        /// The time in Unix milliseconds.
        at: u64,
        /// The game; without one, another one each day.
        #[serde(default)]
        game: Option<String>,
    },
    /// The puzzle to solve next.
    Next {
        /// The game.
        game: String,
        /// The theme, if only one is wanted.
        #[serde(default)]
        theme: Option<String>,
        /// The rating of the person.
        rating: f64,
        /// The numbers of those already seen.
        #[serde(default)]
        seen: Vec<usize>,
        /// Decides between puzzles that are about as hard.
        seed: u64,
    },
    /// The puzzle with an id.
    Find {
        /// The id of the puzzle, such as `connect-four-54`.
        id: String,
    },
    /// A puzzle that the page stores itself.
    Show {
        /// Its id there.
        id: String,
        /// Its line.
        of: File,
    },
    /// The puzzle in a position of a game, if it is proved that a single move is right: its line, without a rating.
    Make {
        /// The game and its moves.
        record: GameRecord,
    },
    /// Judges moves.
    Attempt {
        /// The line of the puzzle.
        of: File,
        /// The moves to judge, and whether to help or to refute.
        attempt: PuzzleAttempt,
    },
    /// The rating of a person after a puzzle.
    Rate {
        /// The line of the puzzle.
        of: File,
        /// The rating before it; a new person has none.
        #[serde(default)]
        person: Option<PersonRating>,
        /// The time since the last puzzle, in milliseconds.
        #[serde(default)]
        idle_ms: u64,
        /// Whether the person solved it.
        solved: bool,
    },
}

/// Puzzles of a game, as in the files of the collection.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The game, such as `connect-four`.
    game: String,
    /// A line for each puzzle.
    text: String,
}

/// The rating of a person.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonRating {
    rating: f64,
    deviation: f64,
    volatility: f64,
}

/// A puzzle with its line.
#[derive(Debug, Serialize)]
struct Told {
    puzzle: protocol::Puzzle,
    of: File,
}

/// The content of a collection.
#[derive(Debug, Serialize)]
struct Summary {
    game: &'static str,
    puzzles: usize,
    /// How many puzzles have each theme, in the order of the themes.
    themes: Vec<(&'static str, usize)>,
}

/// The collection, once it is loaded.
#[derive(Debug, Default)]
pub(crate) struct Puzzles(Vec<Collection>);

/// The response as JSON.
pub(crate) fn respond(core: &mut Core, request: PuzzleRequest) -> Result<String, ApiError> {
    match request {
        PuzzleRequest::Load { files } => {
            let read = |file: &File| Collection::read(spec(&file.game)?, &file.text).map_err(bad);
            let all = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            // In the order of the games, as the server has them: the puzzle of the day depends on it.
            let mut all: Vec<_> = all.into_iter().filter(|it| !it.puzzles.is_empty()).collect();
            let mut of_game = |id| all.extract_if(.., |it| it.spec.name() == id).collect::<Vec<_>>();
            core.puzzles = Puzzles(rules::GAMES.iter().flat_map(|info| of_game(info.id)).collect());
            ok(&core.puzzles.0.iter().map(summary).collect::<Vec<_>>())
        }
        PuzzleRequest::Daily { at, game } => {
            let game = game.as_deref().map(spec).transpose()?;
            let found = puzzles::daily(&core.puzzles.0, puzzles::day_of(at), game);
            ok(&found
                .map(|(collection, number)| told(collection.id(number), &collection.puzzles[number - 1])))
        }
        PuzzleRequest::Next { game, theme, rating, seen, seed } => {
            let (spec, theme) =
                (spec(&game)?, theme.as_deref().map(Theme::from_str).transpose().map_err(bad)?);
            let collection = core.puzzles.0.iter().find(|it| it.spec == spec);
            let found = collection.and_then(|it| {
                let number = it.next(theme, rating, |number| seen.contains(&number), seed)?;
                Some(told(it.id(number), it.get(number)?))
            });
            ok(&found)
        }
        PuzzleRequest::Find { id } => {
            let found = puzzles::find(&core.puzzles.0, &id);
            ok(&found.map(|(collection, number)| told(id, &collection.puzzles[number - 1])))
        }
        PuzzleRequest::Show { id, of } => ok(&told(id, &puzzle(&of)?)),
        PuzzleRequest::Make { record } => {
            let game = table::recorded_game(&record.game, record.position.as_deref(), &record.moves)?;
            let limits = think::limits(1, Some(MAKE_MS), None, None);
            let (resources, stop) = (core.resources(0), Stop::default());
            let known = study::assessment::assess(&game, &limits, &resources, &stop, &mut |_| {});
            let puzzle = puzzles::from_assessment(&game, &known);
            ok(&puzzle.map(|it| File { game: it.spec.to_string(), text: it.to_string() }))
        }
        PuzzleRequest::Attempt { of, attempt } => ok(&judge(core, &puzzle(&of)?, &attempt)?),
        PuzzleRequest::Rate { of, person, idle_ms, solved } => {
            let person = person.map_or_else(Rating::default, |it| Rating {
                rating: it.rating,
                deviation: it.deviation,
                volatility: it.volatility,
            });
            let Rating { rating, deviation, volatility } =
                puzzles::rated(person.after_idle(idle_ms), &puzzle(&of)?, solved);
            ok(&PersonRating { rating, deviation, volatility })
        }
    }
}

fn judge(core: &Core, puzzle: &Puzzle, asked: &PuzzleAttempt) -> Result<PuzzleStep, ApiError> {
    let (attempt, wrong) =
        Attempt::replay(puzzle, &asked.moves).map_err(|error| ErrorCode::IllegalMove.because(error))?;
    let refute = |after| attempt.refute(after, &core.resources(0), &Stop::default());
    let refutation = wrong.as_ref().filter(|_| asked.refute).map(refute);
    Ok(PuzzleStep { refutation, ..PuzzleStep::of(&attempt, wrong.as_ref(), asked) })
}

fn summary(collection: &Collection) -> Summary {
    let count = |theme| collection.puzzles.iter().filter(|puzzle| puzzle.themes.contains(theme)).count();
    let counted = Theme::ALL.iter().map(|theme| (theme.name(), count(theme)));
    let themes = counted.filter(|&(_, count)| count > 0).collect();
    Summary { game: collection.spec.name(), puzzles: collection.puzzles.len(), themes }
}

fn told(id: String, puzzle: &Puzzle) -> Told {
    let of = File { game: puzzle.spec.to_string(), text: puzzle.to_string() };
    Told { puzzle: protocol::Puzzle::new(id, puzzle), of }
}

fn puzzle(of: &File) -> Result<Puzzle, ApiError> {
    Puzzle::read(spec(&of.game)?, &of.text).map_err(bad)
}

fn spec(game: &str) -> Result<Spec, ApiError> {
    game.parse().map_err(|error: rules::SpecError| ErrorCode::UnknownGame.because(error.to_string()))
}

fn bad(error: String) -> ApiError {
    ErrorCode::BadMessage.because(error)
}
