//! Skills and exercises. The page keeps games and exercises; the core says what they mean.

use players::{Stop, roster};
use protocol::{ApiError, ErrorCode, GameRecord};
use rules::{AnyGame, Side, Spec, SpecError};
use serde::Deserialize;
use study::{
    even::{self, Met},
    review::review_side,
    skills::{self, Exercise, Observed},
};

use crate::{Core, response::ok, think};

/// Time for each move of a review, in milliseconds.
const MOVE_MS: u64 = 100;

/// A request about skills.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SkillsRequest {
    /// Reviews the moves of one side; the response has its chances, and exercises from its mistakes.
    Learn {
        /// The game and its moves.
        record: GameRecord,
        /// The side of the person.
        side: Side,
        /// The id of the game.
        id: String,
        /// When it ended, in Unix milliseconds.
        at: u64,
    },
    /// The profile of a person.
    Profile {
        /// The kind of game.
        game: String,
        /// The games of the person.
        games: Vec<Observed>,
        /// The time in Unix milliseconds.
        now: u64,
    },
    /// What mattered most in a game, if anything went wrong.
    Mattered {
        /// The games of the person, of one kind.
        games: Vec<Observed>,
        /// The id of the game.
        id: String,
        /// The number of moves before the one that decided it, if that is known.
        #[serde(default)]
        decided: Option<u32>,
    },
    /// The next even match.
    Even {
        /// The kind of game.
        game: String,
        /// The games of the person against programs, the oldest first.
        games: Vec<Met>,
    },
    /// An exercise after an answer.
    Answer {
        /// The exercise.
        exercise: Exercise,
        /// Whether it was solved.
        solved: bool,
        /// The time in Unix milliseconds.
        now: u64,
    },
    /// The exercises of a day.
    Today {
        /// All exercises.
        exercises: Vec<Exercise>,
        /// The time in Unix milliseconds.
        now: u64,
    },
}

fn spec(game: &str) -> Result<Spec, ApiError> {
    game.parse().map_err(|error: SpecError| ErrorCode::UnknownGame.because(error.to_string()))
}

/// The response as JSON.
pub(crate) fn respond(core: &Core, request: SkillsRequest) -> Result<String, ApiError> {
    match request {
        SkillsRequest::Learn { record, side, id, at } => {
            let game = table::recorded_game(&record.game, record.position.as_deref(), &record.moves)?;
            let limits = think::limits(1, Some(MOVE_MS), None, None);
            let resources = core.resources(0);
            let review = review_side(&game, side, &limits, &resources, &Stop::default());
            ok(&skills::learn((&game, &id), side, &review, (&limits, &resources, at)))
        }
        SkillsRequest::Profile { game, games, now } => ok(&skills::profile(spec(&game)?, &games, now)),
        SkillsRequest::Mattered { games, id, decided } => ok(&skills::mattered(&games, &id, decided)),
        SkillsRequest::Even { game, games } => {
            let levels = roster::levels(&AnyGame::from(spec(&game)?)).len() as u32;
            ok(&even::next(levels, &games))
        }
        SkillsRequest::Answer { mut exercise, solved, now } => {
            skills::answer(&mut exercise, solved, now);
            ok(&exercise)
        }
        SkillsRequest::Today { exercises, now } => ok(&skills::today(&exercises, now)),
    }
}
