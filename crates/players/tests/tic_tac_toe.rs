//! Every game of tic-tac-toe that the players can reach.

use std::collections::HashMap;

use alinea_players::{Stop, roster, system};
use rules::{AnyGame, Outcome, Side, Spec};

fn start() -> AnyGame {
    AnyGame::from("tic-tac-toe".parse::<Spec>().unwrap())
}

fn after(game: &AnyGame, m: &str) -> AnyGame {
    let mut next = game.clone();
    next.play(m).unwrap();
    next
}

/// All moves that a player can choose.
fn candidates(player: &str, game: &AnyGame) -> Vec<String> {
    roster::program(game, player, &system::resources(0))
        .unwrap()
        .choose(game, &Stop::default())
        .unwrap()
        .candidates
}

/// How often each outcome occurs when a player has a side and the opponent tries every move.
fn outcomes(player: &str, side: Side) -> HashMap<Outcome, usize> {
    fn visit(player: &str, side: Side, game: &AnyGame, outcomes: &mut HashMap<Outcome, usize>) {
        if let Some(outcome) = game.outcome() {
            *outcomes.entry(outcome).or_default() += 1;
            return;
        }
        let moves = if game.turn() == side { candidates(player, game) } else { game.legal_moves() };
        for m in moves {
            visit(player, side, &after(game, &m), outcomes);
        }
    }
    let mut found = HashMap::new();
    visit(player, side, &start(), &mut found);
    found
}

#[test]
fn perfect_never_loses() {
    for side in Side::BOTH {
        let outcomes = outcomes("perfect", side);
        assert!(outcomes[&Outcome::Win(side)] > 0);
        assert_eq!(outcomes.get(&Outcome::Win(side.other())), None, "as {side}: {outcomes:?}");
    }
}

/// The value for the side to move: 1 if it can force a win, −1 if the opponent can.
fn value(game: &AnyGame, values: &mut HashMap<String, i32>) -> i32 {
    match game.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(_)) => return -1,
        None => {}
    }
    if let Some(&known) = values.get(&game.position()) {
        return known;
    }
    let moves = game.legal_moves();
    let best = moves.iter().map(|m| -value(&after(game, m), values)).max().unwrap();
    values.insert(game.position(), best);
    best
}

#[test]
fn perfect_wins_whenever_it_can() {
    let mut values = HashMap::new();
    value(&start(), &mut values);
    for (position, &best) in &values.clone() {
        let mut game = start();
        game.set_position(position).unwrap();
        for m in candidates("perfect", &game) {
            assert_eq!(-value(&after(&game, &m), &mut values), best, "{m} at {position}");
        }
    }
    assert_eq!(values.len(), 4520);
}

#[test]
fn perfect_takes_the_quickest_win() {
    let mut game = start();
    game.set_position("xx1/oo1/3 w").unwrap();
    assert_eq!(candidates("perfect", &game), ["c3"]);
}

#[test]
fn choice_index_never_loses_when_it_begins() {
    let outcomes = outcomes("choice-index:hard", Side::First);
    assert_eq!(outcomes.get(&Outcome::Win(Side::Second)), None, "{outcomes:?}");
}

#[test]
fn choice_index_can_be_beaten_when_it_answers() {
    let mut game = start();
    for (opponent, answer) in [("b3", "b2"), ("a2", "c1")] {
        game.play(opponent).unwrap();
        assert!(candidates("choice-index:hard", &game).contains(&answer.to_owned()), "{}", game.position());
        game.play(answer).unwrap();
    }
    game.play("a3").unwrap();
    let mut values = HashMap::new();
    assert_eq!(value(&game, &mut values), -1);
}

#[test]
fn levels_differ_in_what_they_might_play() {
    let mut game = start();
    game.set_position("xx1/o2/o2 w").unwrap();
    assert_eq!(candidates("choice-index:hard", &game), ["c3"]);
    assert_eq!(candidates("choice-index:normal", &game), game.legal_moves());
    assert_eq!(candidates("choice-index:easy", &game), game.legal_moves());
}

/// Counts how often a level takes the one cell of highest index in games of different seeds.
#[test]
fn levels_take_the_best_cell_as_often_as_stated() {
    let mut game = start();
    game.set_position("xx1/o2/o2 w").unwrap();
    let share = |player: &str| {
        let best = (0..2000).filter(|&seed| {
            let mut program = roster::program(&game, player, &system::resources(seed)).unwrap();
            program.choose(&game, &Stop::default()).unwrap().chosen == "c3"
        });
        best.count() as f64 / 2000.0
    };
    // One in five of the careless choices is the best cell too.
    assert!((share("choice-index:easy") - 0.2).abs() < 0.04);
    assert!((share("choice-index:normal") - 0.76).abs() < 0.04);
    assert!((share("choice-index:hard") - 1.0).abs() < f64::EPSILON);
}
