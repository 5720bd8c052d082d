//! The profile of skills is true: it names the planted weaknesses of simulated people, and none where there is none.

use alinea_study::{
    assessment::Limits,
    puzzles::{Puzzle, verify},
    review::review_side,
    skills::{
        Chance, Course, Exercise, INTERVALS, Miss, Observed, Place, Skill, Trend, answer, chances, exercises,
        learn, mattered, merge, profile, today,
    },
};
use players::{Program, Proof, Resources, Stop, perfect::Prover, roster};
use rules::{AnyGame, Side, Spec};

use crate::{common::game, puzzles::other_solver};

fn resources(seed: u64) -> Resources {
    Resources::new(seed).with_book(solver::Book::standard())
}

const LIMITS: Limits = Limits { lines: 1, threads: 1, time: None, nodes: Some(5_000), depth: None };

/// What a simulated person never gets right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Weakness {
    None,
    /// Threats of the opponent along diagonals.
    Diagonals,
    /// Wins on a board that is more than half full.
    WonEndgames,
}

/// A level that may have a weakness.
struct Person {
    program: Program,
    weakness: Weakness,
    prover: Prover,
    rng: fastrand::Rng,
}

impl Person {
    fn choose(&mut self, game: &AnyGame) -> String {
        let chosen = self.program.choose(game, &Stop::default()).unwrap().chosen;
        let wrong: Vec<_> = match self.weakness {
            Weakness::None => Vec::new(),
            Weakness::Diagonals if wins_in_one(game, &chosen) => Vec::new(),
            Weakness::Diagonals => self.blind_to_diagonals(game, &chosen),
            Weakness::WonEndgames => self.throws(game),
        };
        if wrong.is_empty() { chosen } else { wrong[self.rng.usize(..wrong.len())].clone() }
    }

    /// The other moves, if the chosen one stops a diagonal that the opponent would complete.
    fn blind_to_diagonals(&self, game: &AnyGame, chosen: &str) -> Vec<String> {
        let open = |m: &str| {
            let after = after(game, m);
            after.legal_moves().into_iter().find_map(|reply| {
                let end = self::after(&after, &reply);
                let &[a, b, ..] = &end.line()?[..] else { return None };
                Some((end.moves().pop()?, a.column != b.column && a.row != b.row))
            })
        };
        let others: Vec<_> = game.legal_moves().into_iter().filter(|m| m != chosen).collect();
        let is_diagonal =
            |m: &String| open(m).is_some_and(|(reply, is_diagonal)| is_diagonal && reply == chosen);
        if open(chosen).is_none() && others.iter().any(is_diagonal) { others } else { Vec::new() }
    }

    /// The moves that throw the win of an endgame.
    fn throws(&mut self, game: &AnyGame) -> Vec<String> {
        if game.moves().len() <= 21 {
            return Vec::new();
        }
        let proofs = self.prover.prove(game, &|| false).unwrap();
        let result = |wanted: bool| {
            let is_wanted = |result: Proof| (result == Proof::Win) == wanted;
            let moves =
                proofs.moves.iter().filter(move |it| it.exact().is_some_and(|it| is_wanted(it.result)));
            moves.map(|it| it.text.clone()).collect::<Vec<_>>()
        };
        if result(true).is_empty() { Vec::new() } else { result(false) }
    }
}

fn after(game: &AnyGame, m: &str) -> AnyGame {
    let mut next = game.clone();
    next.play(m).unwrap();
    next
}

fn wins_in_one(game: &AnyGame, m: &str) -> bool {
    after(game, m).line().is_some()
}

/// The games of a simulated person against levels about as strong.
fn games(weakness: Weakness, seed: u64, count: usize) -> Vec<Observed> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let start = game("connect-four", "");
    let level = rng.u32(3..=5);
    (0..count)
        .map(|number| {
            let side = Side::BOTH[number % 2];
            let played = play(&start, (weakness, level), rng.u32(level - 1..=level + 1), side, &mut rng);
            let review = review_side(&played, side, &LIMITS, &resources(0), &Stop::default());
            let chances = chances(&played, side, &review);
            Observed { id: number.to_string(), game: "connect-four".to_owned(), at: number as u64, chances }
        })
        .collect()
}

fn play(
    start: &AnyGame,
    (weakness, level): (Weakness, u32),
    against: u32,
    side: Side,
    rng: &mut fastrand::Rng,
) -> AnyGame {
    let mut person = |weakness, level: u32| {
        let program = roster::program(start, &format!("level:{level}"), &resources(rng.u64(..))).unwrap();
        Person { program, weakness, prover: Prover::new(solver::Book::standard()), rng: rng.fork() }
    };
    let mut players = [person(weakness, level), person(Weakness::None, against)];
    let mut game = start.clone();
    while game.outcome().is_none() {
        let m = players[usize::from(game.turn() != side)].choose(&game);
        game.play(&m).unwrap();
    }
    game
}

/// The weaknesses that a profile names after 30 games, the first two.
fn named(weakness: Weakness, seed: u64) -> Vec<Skill> {
    let spec: Spec = "connect-four".parse().unwrap();
    let profile = profile(spec, &games(weakness, seed, 30), 1_000);
    profile.skills.iter().filter(|it| it.weak).map(|it| it.skill).take(2).collect()
}

/// How many runs name each planted weakness, and how many name nothing for a person without one.
fn truth(runs: std::ops::Range<u64>) -> [u64; 3] {
    let mut found = [0; 3];
    for seed in runs {
        found[0] += u64::from(named(Weakness::Diagonals, seed).contains(&Skill::StopsThreats));
        found[1] += u64::from(named(Weakness::WonEndgames, seed).contains(&Skill::Endgame));
        found[2] += u64::from(named(Weakness::None, seed).is_empty());
    }
    found
}

/// One person of each kind. With seed 0 the thrown endgames are not named, as with 13 of 30 people.
#[test]
fn planted_weaknesses_are_named_and_no_others() {
    assert_eq!(truth(1..2), [1, 1, 1]);
}

#[test]
#[ignore = "plays 9,000 games, which takes many minutes"]
fn of_100_people_nearly_all_are_told_the_truth() {
    let found = truth(0..100);
    println!("diagonals {}, won endgames {}, none {} of 100", found[0], found[1], found[2]);
    // In 30 games many people reach too few won endgames to tell.
    assert!(found[0] >= 90 && found[1] >= 40 && found[2] >= 90, "{found:?}");
}

/// The chances of a side in a game, reviewed to a small depth.
fn chances_of(spec: &str, moves: &str, side: Side) -> Vec<Chance> {
    let game = game(spec, moves);
    chances(&game, side, &review_side(&game, side, &LIMITS, &resources(0), &Stop::default()))
}

/// The last chance as text: its ply, its skill, and what was right.
fn last(spec: &str, moves: &str) -> Option<(u32, Skill, Option<String>)> {
    let played = game(spec, moves);
    let side = played.turn().other();
    let chance =
        chances_of(spec, moves, side).pop().filter(|it| it.ply as usize + 1 == played.moves().len())?;
    Some((chance.ply, chance.skill, chance.miss.map(|miss| miss.right)))
}

#[test]
fn the_rules_say_which_skill_a_position_needs() {
    let missed = |m: &str| Some(m.to_owned());
    for (spec, moves, expected) in [
        ("connect-four", "1 7 1 7 1 7 1", Some((6, Skill::OwnWins, None))),
        ("connect-four", "1 7 1 7 1 7 2", Some((6, Skill::OwnWins, missed("1")))),
        ("connect-four", "1 7 1 7 1 1", Some((5, Skill::StopsThreats, None))),
        ("connect-four", "1 7 1 7 1 2", Some((5, Skill::StopsThreats, missed("1")))),
        // Three in the bottom row with both ends open.
        ("connect-four", "4 4 3 3 5", Some((4, Skill::DoubleThreats, None))),
        ("connect-four", "4 4 3 3 6", Some((4, Skill::DoubleThreats, missed("5")))),
        ("connect-four", "4 4 3 2", Some((3, Skill::DoubleThreats, None))),
        ("connect-four", "4 4 3 7", Some((3, Skill::DoubleThreats, missed("5")))),
        // Both ends are open, so nothing helps.
        ("connect-four", "4 4 3 3 5 2", None),
        ("connect-four", "1", Some((0, Skill::Opening, missed("4")))),
        ("connect-four", "4", Some((0, Skill::Opening, None))),
        ("gomoku", "h8 a1 i8 c1 j8 a3 k8", Some((6, Skill::Threes, None))),
        ("gomoku", "h8 a1 i8 c1 j8 a3", Some((5, Skill::Threes, missed("k8")))),
        ("gomoku", "h8 a1 i8 c1 j8 g8", Some((5, Skill::Threes, None))),
    ] {
        let found = last(spec, moves);
        // Where several moves are right, which one is shown does not matter.
        let shown = |it: &Option<(u32, Skill, Option<String>)>| {
            it.clone().map(|(ply, skill, miss)| (ply, skill, miss.is_some()))
        };
        assert_eq!(shown(&found), shown(&expected), "{spec} {moves}: {found:?}");
        if spec == "connect-four" && moves != "4 4 3 7" && moves != "4 4 3 3 6" {
            assert_eq!(found, expected, "{moves}");
        }
    }
}

#[test]
fn a_miss_shows_the_lines_that_decide() {
    let miss = |moves: &str| {
        chances_of("connect-four", moves, game("connect-four", moves).turn().other())
            .pop()
            .unwrap()
            .miss
            .unwrap()
    };
    let cells = |lines: &[Vec<rules::Cell>]| {
        lines
            .iter()
            .map(|line| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let open = miss("1 7 1 7 1 2");
    assert_eq!((cells(&open.lines), open.course()), (vec!["a1 a2 a3 a4".to_owned()], Some(Course::Column)));
    assert!(open.proven);
    let double = miss("4 4 3 7");
    assert_eq!(double.lines.len(), 2);
    assert_eq!(double.course(), Some(Course::Row));
}

/// Exercises from games of levels and random moves have one right move, by the check that the puzzles have.
#[test]
fn exercises_have_exactly_one_right_move() {
    let mut count = 0;
    for (spec, games) in [("tic-tac-toe", 12), ("connect-four", 6), ("gomoku:9x9x5", 1), ("simplexity", 2)] {
        for seed in 0..games {
            count += sound_exercises(&game(spec, ""), seed);
        }
    }
    assert!(count > 20, "{count}");
}

/// Plays a game at random, verifies its exercises and returns how many there are.
fn sound_exercises(start: &AnyGame, seed: u64) -> usize {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut program = roster::program(start, "level:2", &resources(seed)).unwrap();
    let mut game = start.clone();
    while game.outcome().is_none() && game.ply() < 40 {
        let legal = game.legal_moves();
        let is_random = game.turn() == Side::First && rng.bool();
        let m = if is_random {
            legal[rng.usize(..legal.len())].clone()
        } else {
            program.choose(&game, &Stop::default()).unwrap().chosen
        };
        game.play(&m).unwrap();
    }
    let review = review_side(&game, Side::First, &LIMITS, &resources(0), &Stop::default());
    let chances = chances(&game, Side::First, &review);
    let made = exercises((&game, "g"), Side::First, &review, &chances, (&LIMITS, &resources(0), 0));
    let mut solver = connect_four_ai::Solver::empty();
    for exercise in made.iter().filter(|it| !it.estimate) {
        let puzzle = Puzzle::read(exercise.game.parse().unwrap(), &exercise.text).unwrap();
        assert_ne!(puzzle.solution[0], exercise.played);
        // A plain search to the end of a long game takes too long.
        if puzzle.depth <= 9 {
            assert_eq!(verify(&puzzle), Ok(()), "{} {}", exercise.game, exercise.text);
        } else if puzzle.depth <= 20 && exercise.game.starts_with("connect") {
            other_solver::check(&mut solver, &puzzle);
        }
    }
    made.len()
}

fn exercise(id: &str) -> Exercise {
    let [game, text, from, played] =
        ["tic-tac-toe", "a1\tb2\thold\t8\tdraw\t0", "g", "a2"].map(str::to_owned);
    Exercise {
        id: id.to_owned(),
        game,
        text,
        skill: None,
        estimate: false,
        from,
        played,
        at: 0,
        step: 0,
        due: 1,
        answered: None,
    }
}

const DAY: u64 = 86_400_000;

#[test]
fn a_solved_exercise_comes_again_after_1_3_7_and_16_days_and_a_failed_one_tomorrow() {
    let mut it = exercise("a");
    answer(&mut it, true, 0);
    assert_eq!(it, exercise("a"), "not due before tomorrow");
    let mut day = 1;
    for (step, days) in (1..).zip(INTERVALS) {
        answer(&mut it, true, day * DAY + 5);
        assert_eq!((it.step, it.due, it.answered), (step, day + u64::from(days), Some(day * DAY + 5)));
        answer(&mut it, true, day * DAY + 9);
        assert_eq!(it.step, step, "once a day");
        day = it.due;
    }
    let mut failed = it.clone();
    answer(&mut failed, false, (day + 2) * DAY);
    assert_eq!((failed.step, failed.due), (0, day + 3));
    answer(&mut it, true, day * DAY);
    assert!(it.is_known() && !it.is_due(day + 1000));
}

#[test]
fn a_day_has_five_exercises_those_answered_first() {
    let mut all: Vec<_> =
        (0..8).map(|i| Exercise { at: 8 - i, due: 1 + i % 3, ..exercise(&i.to_string()) }).collect();
    let ids = |all: &[Exercise], now: u64| today(all, now).iter().map(|it| it.id.clone()).collect::<String>();
    assert_eq!(ids(&all, 0), "");
    assert_eq!(ids(&all, DAY), "630");
    assert_eq!(ids(&all, 3 * DAY), "63074");
    answer(&mut all[6], false, 3 * DAY + 2);
    answer(&mut all[3], true, 3 * DAY + 1);
    assert_eq!(ids(&all, 3 * DAY + 3), "36074");
    for id in [0, 7, 4] {
        answer(&mut all[id], true, 3 * DAY + 3);
    }
    assert_eq!(ids(&all, 3 * DAY + 4).len(), 5, "no sixth");
}

#[test]
fn two_devices_lose_no_exercise_and_the_later_answer_decides() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut device = || -> Vec<Exercise> {
        let state = |i: u32, rng: &mut fastrand::Rng| {
            let answered = rng.bool().then(|| rng.u64(..4));
            Exercise {
                step: rng.u32(..3),
                due: rng.u64(..3),
                at: rng.u64(..2),
                answered,
                ..exercise(&i.to_string())
            }
        };
        (0..6)
            .filter_map(|i| {
                rng.clone()
                    .bool()
                    .then(|| state(i, &mut rng))
                    .or_else(|| rng.bool().then(|| exercise(&i.to_string())))
            })
            .collect()
    };
    for _ in 0..500 {
        let (a, b, c) = (device(), device(), device());
        let merged = merge(a.clone(), b.clone());
        assert_eq!(merged, merge(b.clone(), a.clone()));
        assert_eq!(merge(merged.clone(), c.clone()), merge(a.clone(), merge(b.clone(), c)));
        assert_eq!(merge(merged.clone(), a.clone()), merged);
        for it in a.iter().chain(&b) {
            let kept = merged.iter().find(|kept| kept.id == it.id).expect("it is kept");
            assert!(kept.answered >= it.answered);
        }
    }
}

fn observed(at: u64, skill: Skill, right: usize, wrong: usize) -> Observed {
    let miss = Miss { played: "1".to_owned(), right: "4".to_owned(), proven: true, lines: Vec::new() };
    let chance = |miss| Chance { ply: 3, skill, miss };
    let chances =
        (0..right).map(|_| chance(None)).chain((0..wrong).map(|_| chance(Some(miss.clone())))).collect();
    Observed { id: at.to_string(), game: "connect-four".to_owned(), at, chances }
}

#[test]
fn a_profile_counts_the_last_fifty_games_and_needs_five_chances() {
    let spec: Spec = "connect-four".parse().unwrap();
    let skill = |games: &[Observed], now: u64, skill| {
        profile(spec, games, now).skills.into_iter().find(|it| it.skill == skill).unwrap()
    };
    let few = [observed(DAY, Skill::Endgame, 4, 0)];
    let endgame = skill(&few, DAY, Skill::Endgame);
    assert_eq!((endgame.rate, endgame.tally.of, endgame.weak), (None, 4, false));
    // The oldest of 51 games is too old.
    let many: Vec<_> =
        (0..51).map(|at| observed(at, Skill::Endgame, usize::from(at > 0), usize::from(at == 0))).collect();
    let endgame = skill(&many, DAY, Skill::Endgame);
    assert_eq!((endgame.rate, endgame.tally.of, endgame.evidence.len()), (Some(1.0), 50, 0));
    assert_eq!(profile(spec, &many, DAY).games, 50);
    // Another board does not count, and a game without a fact about a theme shows it as open.
    let mut other = observed(1, Skill::Endgame, 9, 0);
    other.game = "connect-four:8x9x5".to_owned();
    assert_eq!(skill(&[other], DAY, Skill::Endgame).tally.of, 0);
}

#[test]
fn a_trend_is_named_only_where_it_is_clear() {
    let spec: Spec = "connect-four".parse().unwrap();
    let trend = |(right, wrong): (usize, usize), (later, later_wrong): (usize, usize)| {
        let games: Vec<_> = [observed(1, Skill::Endgame, right, wrong)]
            .into_iter()
            .chain((0..50).map(|i| observed(100 * DAY + i, Skill::Endgame, later, later_wrong)))
            .collect();
        let endgame = profile(spec, &games, 101 * DAY)
            .skills
            .into_iter()
            .find(|it| it.skill == Skill::Endgame)
            .unwrap();
        (endgame.before, endgame.trend)
    };
    assert_eq!(trend((2, 2), (1, 0)), (None, None), "too few chances then");
    assert_eq!(trend((5, 5), (1, 1)), (Some(0.5), None));
    assert_eq!(trend((5, 15), (1, 0)), (Some(0.25), Some(Trend::Better)));
    assert_eq!(trend((20, 0), (1, 1)), (Some(1.0), Some(Trend::Worse)));
}

#[test]
fn an_exercise_of_another_device_is_checked() {
    let game = game("tic-tac-toe", "a1 b2 b1 a3 c1");
    let review = review_side(&game, Side::Second, &LIMITS, &resources(0), &Stop::default());
    let learned = learn((&game, "g"), Side::Second, &review, (&LIMITS, &resources(0), 5));
    let [made] = &learned.exercises[..] else { panic!("{:?}", learned.exercises) };
    assert_eq!(made.puzzle().unwrap().solution, ["c1"]);
    for (wrong, error) in [
        (Exercise { id: "0".repeat(16), ..made.clone() }, "is not the id of this exercise"),
        (Exercise { game: "chess".to_owned(), ..made.clone() }, "chess"),
        (Exercise { text: made.text.replacen("a1 ", "a9 ", 1), ..made.clone() }, "a9"),
        (Exercise { text: String::new(), ..made.clone() }, "6 fields"),
    ] {
        let found = wrong.puzzle().unwrap_err();
        assert!(found.contains(error), "{found}");
    }
    let late = Exercise { at: 9 * DAY, step: 99, due: 9_999, answered: Some(8 * DAY), ..made.clone() };
    let now = late.until(DAY + 1);
    assert_eq!((now.at, now.step, now.due, now.answered), (DAY + 1, 5, 17, Some(DAY + 1)));
    assert_eq!(made.clone().until(5), *made);
}

/// A game with misses: the ply, the skill, whether it is proved, and the cells of the lines.
fn missed(id: &str, at: u64, misses: &[(u32, Skill, bool, &[&str])]) -> Observed {
    let chance = |&(ply, skill, proven, lines): &(u32, Skill, bool, &[&str])| {
        let line = |text: &&str| text.split(' ').map(|cell| cell.parse().unwrap()).collect();
        let lines = lines.iter().map(line).collect();
        let miss = Miss { played: "1".to_owned(), right: "4".to_owned(), proven, lines };
        Chance { ply, skill, miss: Some(miss) }
    };
    let right = Chance { ply: 0, skill: Skill::OwnWins, miss: None };
    let chances = [right].into_iter().chain(misses.iter().map(chance)).collect();
    Observed { id: id.to_owned(), game: "connect-four".to_owned(), at, chances }
}

#[test]
fn the_move_that_decided_a_game_mattered_most_or_else_the_most_urgent() {
    let game = missed(
        "a",
        0,
        &[
            (6, Skill::DoubleThreats, true, &[]),
            (8, Skill::Opening, false, &[]),
            (12, Skill::DoubleThreats, true, &[]),
            (14, Skill::Endgame, true, &[]),
        ],
    );
    let ply = |decided| mattered(std::slice::from_ref(&game), "a", decided).unwrap().ply;
    assert_eq!(ply(Some(14)), 14);
    assert_eq!(ply(Some(13)), 12, "no miss");
    assert_eq!(ply(None), 12);
    assert_eq!(mattered(&[missed("a", 0, &[])], "a", None), None);
    assert_eq!(mattered(&[game], "b", None), None);
}

#[test]
fn a_pattern_is_named_as_narrowly_as_most_of_its_misses_allow() {
    const RIGHT: &[&str] = &["d1 e2 f3 g4"];
    const LEFT: &[&str] = &["a1 b2 c3 d4"];
    let told = |games: &[(u64, &'static [&'static str])]| {
        let games: Vec<_> = games
            .iter()
            .enumerate()
            .map(|(id, &(at, lines))| missed(&id.to_string(), at, &[(9, Skill::StopsThreats, true, lines)]))
            .collect();
        let last = (games.len() - 1).to_string();
        let told = mattered(&games, &last, None).unwrap();
        (told.times, told.course, told.place)
    };
    let now = 20 * DAY;
    assert_eq!(told(&[(now, RIGHT)]), (1, None, None));
    let right = (2, Some(Course::Diagonal), Some(Place::Right));
    assert_eq!(told(&[(now - DAY, RIGHT), (now, RIGHT)]), right);
    assert_eq!(told(&[(now - DAY, LEFT), (now, RIGHT)]), (2, Some(Course::Diagonal), None));
    // Another line is the same skill, but no longer the same pattern.
    assert_eq!(told(&[(now - DAY, &["d1 d2 d3 d4"]), (now, RIGHT)]), (2, None, None));
    // More than a week ago, and after the game.
    assert_eq!(told(&[(now - 7 * DAY, RIGHT), (now + 1, RIGHT), (now, RIGHT)]), (1, None, None));
}
