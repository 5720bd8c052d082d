//! The same seed gives the same game, different seeds different games.

use alinea_players::{Stop, roster, system};
use rules::{AnyGame, Side, Spec};

fn play(spec: &str, players: [&str; 2], seed: u64) -> Vec<String> {
    let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
    let mut programs = Side::BOTH.map(|side| {
        roster::program(&game, players[side.index()], &system::resources(seed + side.index() as u64)).unwrap()
    });
    while game.outcome().is_none() {
        let thought = programs[game.turn().index()].choose(&game, &Stop::default()).unwrap();
        assert!(thought.candidates.contains(&thought.chosen));
        assert_eq!(thought.line.first(), Some(&thought.chosen));
        assert!(!thought.reasons.is_empty());
        game.play(&thought.chosen).unwrap();
    }
    game.moves()
}

#[test]
fn games_repeat_by_seed() {
    for (spec, players) in [
        ("tic-tac-toe", ["choice-index:normal", "oxo"]),
        ("tic-tac-toe", ["perfect", "choice-index:easy"]),
        ("connect-four", ["random", "greedy"]),
        ("connect-four:4x5x3", ["smart:3", "random"]),
        ("connect-four:20x20x5", ["greedy", "random"]),
        ("connect-four", ["engine:depth=5", "random"]),
        ("simplexity", ["random", "engine:depth=3"]),
        ("chess-five", ["engine:depth=2", "random"]),
        ("simplexity", ["random", "oizys:2"]),
        ("simplexity:9x37x5", ["random", "random"]),
        ("chess-five", ["random", "chess-five:easy"]),
        ("chess-five", ["chess-five:medium", "random"]),
    ] {
        let games: Vec<_> = (0..6).map(|seed| play(spec, players, seed)).collect();
        assert_eq!(games[0], play(spec, players, 0), "{spec}");
        assert!(games.iter().any(|game| *game != games[0]), "{spec}: chance plays no part");
    }
}
