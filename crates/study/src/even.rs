//! Even matches: the strength of the next opponent, so that a person scores about half of the last games.
//!
//! A strength is a number of eighths of a level; the player `even` of the roster plays it. The first games look for the
//! strength in large steps, which become smaller whenever the results change. From then on the strength moves an eighth a
//! game, and only towards a score of one half.

use players::roster::STEPS;

/// How many games count, the latest ones.
pub const WINDOW: usize = 20;
/// The first step, in eighths: a level. Each change of results halves it.
const FIRST_STEP: u32 = STEPS;

/// A game of a person against a program.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "EvenGame"), schema(as = EvenGame))]
pub struct Met {
    /// The program, such as `even:35` or `level:4`.
    pub program: String,
    /// The points of the person: 1, 0.5 or 0.
    pub points: f64,
}

/// The next even match.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "EvenMatch"), schema(as = EvenMatch))]
pub struct Even {
    /// The opponent, as a program of the roster.
    pub program: String,
    /// The level at or below its strength; 0 for random moves.
    pub level: u32,
    /// How many eighths it is above this level, 0 to 7.
    pub eighths: u32,
    /// Whether the strength of the person is found, so that it moves an eighth a game.
    pub found: bool,
    /// How many of the last twenty games were even matches.
    pub games: u32,
    /// The points of the person in them.
    pub points: f64,
}

/// The next even match of a game that has `levels` levels. `games` are a person's games, the oldest first; games other than
/// even matches count only before the first even match.
#[must_use]
pub fn next(levels: u32, games: &[Met]) -> Even {
    let most = levels * STEPS;
    let even = latest(games, |name, number| (name == "even").then_some(number));
    let known = if even.is_empty() {
        latest(games, |name, number| (name == "level").then_some(number * STEPS))
    } else {
        even.clone()
    };
    let step = step(&known);
    let strength = match known.last() {
        None => most.div_ceil(2),
        Some(&(strength, points)) => {
            // Once found, a strength does not move away from even.
            let (score, half) = (score(&known), known.len() as f64 / 2.0);
            let is_towards = |side: f64| step > 1 || side * (score - half) >= 0.0;
            if points > 0.5 && is_towards(1.0) {
                strength.saturating_add(step)
            } else if points < 0.5 && is_towards(-1.0) {
                strength.saturating_sub(step)
            } else {
                strength
            }
        }
    };
    let strength = strength.clamp(1, most);
    Even {
        program: format!("even:{strength}"),
        level: strength / STEPS,
        eighths: strength % STEPS,
        found: step == 1,
        games: even.len() as u32,
        points: score(&even),
    }
}

/// The strengths and points of the latest games against these programs.
fn latest(games: &[Met], strength_of: impl Fn(&str, u32) -> Option<u32>) -> Vec<(u32, f64)> {
    let of = |met: &Met| {
        let (name, number) = met.program.split_once(':')?;
        Some((strength_of(name, number.parse().ok().filter(|&number| number < 1_000)?)?, met.points))
    };
    let known: Vec<_> = games.iter().filter_map(of).collect();
    known[known.len().saturating_sub(WINDOW)..].to_vec()
}

fn score(games: &[(u32, f64)]) -> f64 {
    games.iter().map(|&(_, points)| points).sum()
}

/// The step after these games: half as large after each change of results.
fn step(games: &[(u32, f64)]) -> u32 {
    let changes = games.windows(2).filter(|pair| pair[0].1 != pair[1].1).count();
    (FIRST_STEP >> changes.min(31)).max(1)
}
