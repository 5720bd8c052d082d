//! A game without an evaluator of its own has players too: the dummy game of `rules`.

#![cfg(feature = "dummy")]

use alinea_players::{Stop, roster, system};
use rules::{AnyGame, Spec};

#[test]
fn every_game_has_random_engine_and_levels() {
    let start = AnyGame::from("dummy".parse::<Spec>().unwrap());
    let names: Vec<_> = roster::players(&start).iter().map(|listing| listing.name).collect();
    assert_eq!(names, ["level", "even", "random", "engine"]);
    for level in roster::levels(&start) {
        assert_eq!((level.against_below, level.elo), (None, None));
    }
    for player in
        ["level:1", "level:3", "level", "random", "engine:depth=6", "engine:nodes=2000", "engine:50ms"]
    {
        let mut program = roster::program(&start, player, &system::resources(1)).unwrap();
        let mut game = start.clone();
        while game.outcome().is_none() {
            let thought = program.choose(&game, &Stop::default()).unwrap();
            assert!(game.legal_moves().contains(&thought.chosen), "{player}");
            game.play(&thought.chosen).unwrap();
        }
    }
    assert!(roster::adviser(&start, &system::resources(1)).unwrap().choose(&start, &Stop::default()).is_ok());
}

#[test]
fn the_default_engine_beats_random() {
    let start = AnyGame::from("dummy".parse::<Spec>().unwrap());
    let mut lost = 0;
    for seed in 0..20 {
        let mut engine = roster::program(&start, "engine:depth=6", &system::resources(seed)).unwrap();
        let mut random = roster::program(&start, "random", &system::resources(seed)).unwrap();
        let mut game = start.clone();
        let side = rules::Side::BOTH[(seed % 2) as usize];
        while game.outcome().is_none() {
            let program = if game.turn() == side { &mut engine } else { &mut random };
            game.play(&program.choose(&game, &Stop::default()).unwrap().chosen).unwrap();
        }
        lost += u32::from(game.outcome() == Some(rules::Outcome::Win(side.other())));
    }
    assert_eq!(lost, 0);
}
