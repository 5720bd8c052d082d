//! Training from one's own mistakes: positions with exactly one right move, repeated at growing intervals.

use players::{Resources, Stop, sort::sort_by_key};
use rules::{AnyGame, Side};

use super::{
    Chance, Miss, Skill,
    shallow::{loses, wins},
};
use crate::{
    assessment::{Assessor, Limits},
    puzzles::{Goal, Puzzle, Theme, day_of, from_assessment},
    review::{Mark, Reviewed},
};

/// After how many days an exercise comes again, once for each time in a row that it was solved; then it is known.
pub const INTERVALS: [u32; 4] = [1, 3, 7, 16];
/// Exercises of a day.
const OF_A_DAY: usize = 5;
/// By how much the best move of an estimate must be better than all others, as an expected result.
const CLEARLY: f64 = 0.3;

/// A position that went wrong, to be solved again.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Exercise {
    /// What it is known by: the same position has the same id on every device.
    pub id: String,
    /// The kind of game, as a spec.
    pub game: String,
    /// The puzzle, as a line of the collection.
    pub text: String,
    /// The skill that was needed; `None` in a position that belongs to none.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub skill: Option<Skill>,
    /// Whether the right move is an estimate. Otherwise it is proved to be the only one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub estimate: bool,
    /// The id of the game that it is from.
    pub from: String,
    /// The wrong move.
    pub played: String,
    /// When it was made, in Unix milliseconds.
    pub at: u64,
    /// How many times in a row it was solved.
    pub step: u32,
    /// The day from which it is due, counted from 1970.
    pub due: u64,
    /// When it was last answered, in Unix milliseconds.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub answered: Option<u64>,
}

impl Exercise {
    /// Whether it was solved after every interval, so that it does not come again.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.step as usize > INTERVALS.len()
    }

    /// Its puzzle.
    ///
    /// # Errors
    /// A sentence that says what is wrong: an exercise can come from another device.
    pub fn puzzle(&self) -> Result<Puzzle, String> {
        let spec = self.game.parse().map_err(|error: rules::SpecError| error.to_string())?;
        let puzzle = Puzzle::read(spec, &self.text)?;
        if self.id == id_of(&puzzle.game()) {
            return Ok(puzzle);
        }
        Err(format!("“{}” is not the id of this exercise", rules::excerpt(&self.id)))
    }

    /// The exercise with nothing in the future: the clock of the device that it is from may be wrong.
    #[must_use]
    pub fn until(self, now: u64) -> Self {
        let last = INTERVALS[INTERVALS.len() - 1];
        Self {
            at: self.at.min(now),
            step: self.step.min(INTERVALS.len() as u32 + 1),
            due: self.due.min(day_of(now) + u64::from(last)),
            answered: self.answered.map(|at| at.min(now)),
            ..self
        }
    }

    /// Whether it is due on a day.
    #[must_use]
    pub fn is_due(&self, day: u64) -> bool {
        !self.is_known() && self.due <= day
    }
}

/// The exercises from a side's mistakes in a reviewed game, due from the day after `at`. `limits` apply to each position
/// that has to be assessed.
///
/// # Panics
/// If the time is limited and the resources have no clock.
#[must_use]
pub fn exercises(
    (game, id): (&AnyGame, &str),
    side: Side,
    review: &[Reviewed],
    chances: &[Chance],
    (limits, resources, at): (&Limits, &Resources, u64),
) -> Vec<Exercise> {
    let mut position = game.clone();
    while position.take_back().is_some() {}
    // A puzzle is read with all moves from the start of a game.
    if position.position() != AnyGame::from(game.spec()).position() {
        return Vec::new();
    }
    let mut assessor = Assessor::new(resources);
    let mut found: Vec<Exercise> = Vec::new();
    for (number, m) in (1..).zip(game.moves()) {
        let chance = chances.iter().find(|chance| chance.ply == number - 1);
        let miss = chance.and_then(|chance| chance.miss.as_ref());
        let is_marked =
            |it: &Reviewed| it.number == number && it.side == side && it.mark >= Some(Mark::Mistake);
        if miss.is_some() || review.iter().any(is_marked) {
            let by_rules =
                miss.zip(chance).and_then(|(miss, chance)| by_rules(&position, chance.skill, miss));
            let made = by_rules.map(|puzzle| (puzzle, false)).or_else(|| {
                let limits = Limits { lines: 2, ..*limits };
                let known = assessor.assess(&position, &limits, &Stop::default(), &mut |_| {});
                from_assessment(&position, &known).map(|puzzle| (puzzle, false)).or_else(|| {
                    let [best, second, ..] = &known.moves[..] else { return None };
                    let is_clear = best.verdict.chance() - second.verdict.chance() >= CLEARLY;
                    (is_clear && !known.is_final).then(|| (estimate(&position, &best.text), true))
                })
            });
            let made = made.filter(|(puzzle, _)| puzzle.solution[0] != m);
            if let Some((puzzle, estimate)) = made {
                let id_of = id_of(&position);
                if found.iter().all(|other| other.id != id_of) {
                    found.push(Exercise {
                        id: id_of,
                        game: puzzle.spec.to_string(),
                        text: puzzle.to_string(),
                        skill: chance.map(|chance| chance.skill),
                        estimate,
                        from: id.to_owned(),
                        played: m.clone(),
                        at,
                        step: 0,
                        due: day_of(at) + 1,
                        answered: None,
                    });
                }
            }
        }
        position.play(&m).expect("it was played before");
    }
    found
}

/// The puzzle of a position whose only right move follows from the rules within a few plies.
fn by_rules(game: &AnyGame, skill: Skill, miss: &Miss) -> Option<Puzzle> {
    let only = |moves: Vec<String>| <[String; 1]>::try_from(moves).ok().map(|[m]| m);
    let holds = |plies| {
        let legal = game.legal_moves().into_iter();
        only(legal.filter(|m| !loses(game, m, plies)).take(2).collect())
    };
    let (goal, depth, theme, right) = match skill {
        Skill::OwnWins => (Goal::Win, 1, Theme::WinInOne, only(wins(game, 1))?),
        Skill::StopsThreats => (Goal::Hold, 2, Theme::Defence, holds(2)?),
        // The right move makes the threats, unless the opponent makes them after the wrong one.
        Skill::Threes | Skill::DoubleThreats if wins(game, 3).contains(&miss.right) => {
            (Goal::Win, 3, Theme::DoubleThreat, only(wins(game, 3))?)
        }
        Skill::Threes | Skill::DoubleThreats => (Goal::Hold, 4, Theme::Defence, holds(4)?),
        Skill::Opening | Skill::Endgame | Skill::Moves => return None,
    };
    Some(Puzzle {
        spec: game.spec(),
        moves: game.moves(),
        solution: vec![right],
        goal,
        depth,
        themes: vec![theme],
        rating: 0,
    })
}

/// The puzzle of a position whose best move is estimated.
fn estimate(game: &AnyGame, best: &str) -> Puzzle {
    Puzzle {
        spec: game.spec(),
        moves: game.moves(),
        solution: vec![best.to_owned()],
        goal: Goal::Hold,
        depth: 1,
        themes: vec![Theme::Quiet],
        rating: 0,
    }
}

/// A hash of the position, the same on every device.
fn id_of(game: &AnyGame) -> String {
    let text = format!("{} {}", game.spec(), game.position());
    // FNV-1a.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// The exercise after an answer: solved, it comes again after the next interval; otherwise tomorrow. An answer before it
/// is due changes nothing.
pub fn answer(exercise: &mut Exercise, is_solved: bool, now: u64) {
    let day = day_of(now);
    if !exercise.is_due(day) {
        return;
    }
    let interval = if is_solved { INTERVALS.get(exercise.step as usize).copied() } else { Some(1) };
    exercise.step = if is_solved { exercise.step + 1 } else { 0 };
    exercise.due = day + u64::from(interval.unwrap_or_default());
    exercise.answered = Some(now);
}

/// The exercises of a day: those answered on it, then those that have been due longest, five in all.
#[must_use]
pub fn today(exercises: &[Exercise], now: u64) -> Vec<&Exercise> {
    let day = day_of(now);
    let (mut answered, mut due) = (Vec::new(), Vec::new());
    for exercise in exercises {
        if exercise.answered.is_some_and(|at| day_of(at) == day) {
            answered.push(exercise);
        } else if exercise.is_due(day) {
            due.push(exercise);
        }
    }
    sort_by_key(&mut answered, |it| it.answered);
    sort_by_key(&mut due, |it| (it.due, it.at));
    let left = OF_A_DAY.saturating_sub(answered.len());
    answered.extend(due.into_iter().take(left));
    answered
}

/// The exercises of two devices of one person: none is lost, and of two states of one, that of the later answer counts.
#[must_use]
pub fn merge(mine: Vec<Exercise>, theirs: Vec<Exercise>) -> Vec<Exercise> {
    let mut merged: Vec<Exercise> = Vec::new();
    // Where nothing else decides, the text does, so that both devices agree.
    let rank = |it: &Exercise| {
        (it.answered, it.step, it.due, std::cmp::Reverse(it.at), it.from.clone(), it.text.clone())
    };
    for exercise in mine.into_iter().chain(theirs) {
        match merged.iter_mut().find(|other| other.id == exercise.id) {
            Some(other) if rank(other) < rank(&exercise) => *other = exercise,
            Some(_) => {}
            None => merged.push(exercise),
        }
    }
    sort_by_key(&mut merged, |it| (it.at, it.id.clone()));
    merged
}
