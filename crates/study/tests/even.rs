//! Even matches are even: a person of any strength scores about half.

use std::thread;

use alinea_study::even::{Met, next};
use players::{Resources, Stop, roster};
use rules::{AnyGame, Side};

use crate::common::game;

/// Games of a run, and how many of the first ones only look for the strength.
const GAMES: usize = 60;
const SEARCH: usize = 20;
const RUNS: u64 = 20;

/// The mean score after the first games of a person who plays by `play`, over some runs.
fn score(levels: u32, runs: u64, mut play: impl FnMut(&str, u64) -> f64) -> f64 {
    let mut sum = 0.0;
    for run in 0..runs {
        let mut games: Vec<Met> = Vec::new();
        for number in 0..GAMES {
            let program = next(levels, &games).program;
            let points = play(&program, run << 32 | number as u64);
            games.push(Met { program, points });
        }
        sum += games[SEARCH..].iter().map(|met| met.points).sum::<f64>();
    }
    sum / (runs * (GAMES - SEARCH) as u64) as f64
}

/// Each level of each game as a person, where results follow from the measured ratings.
#[test]
fn people_of_any_strength_score_half_by_their_ratings() {
    for spec in ["tic-tac-toe", "connect-four", "simplexity", "chess-five", "gomoku"] {
        let levels = roster::levels(&game(spec, ""));
        let rating = |strength: f64| {
            let at = |level: f64| match level {
                // Random moves, as far below the first level as the second is above it.
                0.0 => -levels[1].elo.unwrap(),
                level => levels[level as usize - 1].elo.unwrap(),
            };
            let (below, part) = (strength.floor(), strength.fract());
            if part == 0.0 { at(below) } else { at(below) * (1.0 - part) + at(below + 1.0) * part }
        };
        for person in 1..=levels.len() as u32 {
            let score = score(levels.len() as u32, RUNS, |program, seed| {
                let eighths: f64 = program.strip_prefix("even:").unwrap().parse().unwrap();
                let difference = rating(f64::from(person)) - rating(eighths / 8.0);
                let expected = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
                let mut rng = fastrand::Rng::with_seed(seed ^ u64::from(person) << 56);
                f64::from(u8::from(rng.f64() < expected))
            });
            assert!((0.4..=0.6).contains(&score), "{spec} {person}: {score}");
        }
    }
}

/// One real game of Connect Four: the points of a level against a program.
fn play(start: &AnyGame, level: u32, program: &str, seed: u64) -> f64 {
    let mut rng = fastrand::Rng::with_seed(seed);
    let side = Side::BOTH[(seed % 2) as usize];
    let mut player = |name: &str| roster::program(start, name, &Resources::new(rng.u64(..))).unwrap();
    let mut players = [player(&format!("level:{level}")), player(program)];
    let mut game = start.clone();
    while game.outcome().is_none() {
        let thought = players[usize::from(game.turn() != side)].choose(&game, &Stop::default()).unwrap();
        game.play(&thought.chosen).unwrap();
    }
    match game.outcome().unwrap() {
        rules::Outcome::Win(winner) if winner == side => 1.0,
        rules::Outcome::Win(_) => 0.0,
        rules::Outcome::Draw => 0.5,
    }
}

/// The scores of these levels of Connect Four as people, in real games.
fn real(people: std::ops::RangeInclusive<u32>, runs: u64) {
    let start = game("connect-four", "");
    thread::scope(|scope| {
        let scores: Vec<_> = people
            .map(|person| {
                let start = &start;
                let of = move || score(8, runs, |program, seed| play(start, person, program, seed));
                (person, scope.spawn(of))
            })
            .collect();
        for (person, score) in scores {
            let score = score.join().unwrap();
            println!("level {person}: {score:.3}");
            assert!((0.4..=0.6).contains(&score), "{person}: {score}");
        }
    });
}

#[test]
fn weak_people_score_half_in_real_games() {
    real(1..=3, 2);
}

#[test]
#[ignore = "plays 600 games, which takes minutes"]
fn strong_people_score_half_in_real_games() {
    real(4..=8, 2);
}

fn met(program: &str, points: f64) -> Met {
    Met { program: program.to_owned(), points }
}

#[test]
fn the_first_games_look_for_the_strength_and_then_it_moves_by_eighths() {
    let mut games = Vec::new();
    let mut seen = Vec::new();
    for points in [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.5] {
        let even = next(8, &games);
        seen.push((even.level, even.eighths, even.found));
        games.push(met(&even.program, points));
    }
    let expected = [
        (4, 0, false),
        (5, 0, false),
        (6, 0, false),
        (5, 4, false),
        (5, 6, false),
        // A loss with more than half of the points lowers nothing.
        (5, 6, true),
        (5, 7, true),
        (5, 7, true),
        (5, 6, true),
    ];
    assert_eq!(seen, expected);
    let last = next(8, &games);
    assert_eq!((last.program.as_str(), last.games, last.points), ("even:46", 9, 4.5));
}

#[test]
fn the_first_strength_follows_from_games_against_levels() {
    let first = |games: &[Met]| next(8, games).program;
    assert_eq!(first(&[]), "even:32");
    assert_eq!(first(&[met("level:1", 1.0), met("level:2", 1.0)]), "even:24");
    assert_eq!(first(&[met("level:2", 1.0), met("level:3", 0.0)]), "even:20");
    // Later games against levels do not count, nor do other programs.
    assert_eq!(first(&[met("even:20", 1.0), met("level:8", 0.0), met("perfect", 0.0)]), "even:28");
}

#[test]
fn a_strength_stays_within_the_levels() {
    let streak = |points| {
        (0..40).fold(Vec::new(), |mut games: Vec<Met>, _| {
            games.push(met(&next(3, &games).program, points));
            games
        })
    };
    assert_eq!(next(3, &streak(1.0)).program, "even:24");
    assert_eq!(next(3, &streak(0.0)).program, "even:1");
    assert_eq!(next(3, &[met("even:99999999999", 1.0), met("even:x", 1.0)]).program, "even:12");
}
