//! The player from outside plays whole games against `random`.

use alinea_outside::Central;
use alinea_players::{Program, Resources, Stop, roster};
use alinea_rules::{AnyGame, ConnectFour, Outcome, Side, Spec, Standard};

#[test]
fn a_player_from_outside_plays_against_random() {
    let start = AnyGame::from("connect-four".parse::<Spec>().unwrap());
    let mut won = 0;
    for seed in 0..20 {
        let mut programs = [
            Program::new::<ConnectFour<Standard>>(Central),
            roster::program(&start, "random", &Resources::new(seed)).unwrap(),
        ];
        let mut game = start.clone();
        while game.outcome().is_none() {
            let thought = programs[game.turn().index()].choose(&game, &Stop::default()).unwrap();
            game.play(&thought.chosen).unwrap();
        }
        won += u32::from(game.outcome() == Some(Outcome::Win(Side::First)));
    }
    assert!(won > 15, "{won} of 20");
}
