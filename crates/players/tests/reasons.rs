//! The reasons of the engine, verified by the rules alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::random_games;
use alinea_players::{Reason, Stop, roster, system};
use rules::{AnyGame, Cell, Outcome};

fn after(game: &AnyGame, m: &str) -> AnyGame {
    let mut game = game.clone();
    game.play(m).unwrap_or_else(|error| panic!("{m}: {error}"));
    game
}

fn continuations(game: &AnyGame) -> Vec<AnyGame> {
    game.legal_moves().iter().map(|m| after(game, m)).collect()
}

/// Where a winning line was completed: on the last cell that was touched, or above it, where its column fell.
fn completed_on(won: &AnyGame) -> Cell {
    let view = won.view();
    let last = *view.last.last().expect("a move touches a cell");
    let line = view.line.unwrap_or_default();
    let fallen = line.iter().find(|cell| cell.column == last.column);
    if line.contains(&last) { last } else { fallen.copied().unwrap_or(last) }
}

/// Where the side to move wins at once.
fn wins(game: &AnyGame) -> Vec<Cell> {
    let won = Some(Outcome::Win(game.turn()));
    continuations(game).iter().filter(|next| next.outcome() == won).map(completed_on).collect()
}

/// Whether a move loses at once: the move itself, or the opponent's next one.
fn loses(next: &AnyGame) -> bool {
    match next.outcome() {
        Some(outcome) => outcome == Outcome::Win(next.turn()),
        None => !wins(next).is_empty(),
    }
}

/// Whether each cell can still be won on after some move of the other side. With fewer than two moves the
/// answer is yes.
fn each_is_open(before: &AnyGame, cells: &[Cell]) -> bool {
    let next = continuations(before);
    let won: Vec<_> = next.iter().filter(|next| next.outcome().is_none()).map(wins).collect();
    next.len() < 2 || cells.iter().all(|cell| won.iter().any(|won| won.contains(cell)))
}

/// Whether the lines are the ones that the opponent could complete on these cells after some move, one for each cell
/// where it can still win.
fn lines_lead(before: &AnyGame, cells: &[Cell], lines: &[Vec<Cell>]) -> bool {
    let passed: Vec<_> = continuations(before).into_iter().filter(|next| next.outcome().is_none()).collect();
    let completed: Vec<_> = passed
        .iter()
        .flat_map(|next| {
            continuations(next).into_iter().filter(|won| won.outcome() == Some(Outcome::Win(next.turn())))
        })
        .filter(|won| cells.contains(&completed_on(won)))
        .collect();
    let ends: BTreeSet<_> = completed.iter().map(completed_on).collect();
    lines.len() == ends.len()
        && lines.iter().all(|line| completed.iter().any(|won| won.view().line.as_ref() == Some(line)))
}

/// Checks a reason for a move and returns its name.
fn check(game: &AnyGame, chosen: &str, line: &[String], reason: &Reason) -> &'static str {
    let next = after(game, chosen);
    let told = || format!("{} {} {chosen} {reason:?}", game.spec(), game.position());
    match reason {
        Reason::Win => {
            assert_eq!(next.outcome(), Some(Outcome::Win(game.turn())), "{}", told());
            "win"
        }
        Reason::Answer { cells, lines } => {
            assert!(lines_lead(game, cells, lines), "{}", told());
            assert!(!cells.is_empty() && each_is_open(game, cells), "{}", told());
            assert!(wins(&next).is_empty(), "{}", told());
            "answer"
        }
        Reason::CannotAnswer { cells, lines } => {
            assert!(lines_lead(game, cells, lines), "{}", told());
            assert!(!cells.is_empty(), "{}", told());
            assert!(continuations(game).iter().all(loses), "{}", told());
            "cannot-answer"
        }
        Reason::Threat { cells } => {
            assert!(!cells.is_empty() && each_is_open(&next, cells), "{}", told());
            "threat"
        }
        Reason::DoubleThreat { cells } => {
            assert!(cells.len() > 1, "{}", told());
            assert!(continuations(&next).iter().all(loses), "{}", told());
            "double-threat"
        }
        Reason::Forced { moves } => {
            assert!(moves.len() > 1 && line.starts_with(moves), "{}", told());
            let mut position = game.clone();
            for (i, m) in moves.iter().enumerate() {
                if i % 2 == 1 {
                    let others = position.legal_moves().into_iter().filter(|other| other != m);
                    assert!(
                        others.map(|other| after(&position, &other)).all(|next| loses(&next)),
                        "{}",
                        told()
                    );
                }
                position.play(m).unwrap();
            }
            "forced"
        }
        Reason::SecondBest { moves, changes, .. } => {
            assert_ne!(moves[0], chosen, "{}", told());
            let end = moves.iter().fold(game.clone(), |game, m| after(&game, m));
            assert!(end.outcome().is_none() || changes.is_empty(), "{}", told());
            assert!(changes.is_sorted_by_key(|change| -change.points.abs()), "{}", told());
            "second-best"
        }
        _ => "other",
    }
}

#[test]
fn every_reason_is_a_fact() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for (spec, player, count) in [
        ("tic-tac-toe", "engine:depth=4", 120),
        ("connect-four", "engine:depth=5", 200),
        ("connect-four:7x9x5", "engine:depth=3", 60),
        ("simplexity", "engine:depth=4", 150),
        ("simplexity:6x7x4:3+18", "engine:depth=3", 80),
        ("chess-five", "engine:depth=2", 60),
        ("popout", "engine:depth=3", 80),
        ("connect-four", "level:2", 60),
        ("chess-five", "level:1", 40),
    ] {
        let games = random_games(spec, 9, count);
        let mut program = roster::program(&games[0], player, &system::resources(4)).unwrap();
        for game in games {
            let thought = program.choose(&game, &Stop::default()).unwrap();
            for reason in &thought.reasons {
                *seen.entry(check(&game, &thought.chosen, &thought.line, reason)).or_default() += 1;
            }
        }
    }
    for name in ["win", "answer", "cannot-answer", "threat", "double-threat", "forced", "second-best"] {
        assert!(seen.get(name).is_some_and(|&count| count > 5), "{name}: {seen:?}");
    }
}

/// No threat is missing from the reasons.
#[test]
fn forcing_threats_are_reported() {
    let mut game = AnyGame::from("connect-four".parse::<rules::Spec>().unwrap());
    game.play_all("4455").unwrap();
    let thought = roster::program(&game, "engine:depth=6", &system::resources(0))
        .unwrap()
        .choose(&game, &Stop::default())
        .unwrap();
    let cells = |names: [&str; 2]| names.map(|name| name.parse().unwrap()).to_vec();
    let double = [
        Reason::DoubleThreat { cells: cells(["b1", "f1"]) },
        Reason::DoubleThreat { cells: cells(["c1", "g1"]) },
    ];
    assert!(thought.reasons.iter().any(|reason| double.contains(reason)), "{:?}", thought.reasons);
}
