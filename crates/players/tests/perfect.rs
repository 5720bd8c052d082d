//! `perfect` in Connect Four plays the moves that the solver proves best, and reports when the proof is
//! missing.

use alinea_players::{Proof, Proven, Reason, Stop, Thought, roster, system};
use rules::{AnyGame, Spec};
use solver::Solver;

fn game(spec: &str, moves: &str) -> AnyGame {
    let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
    game.play_all(moves).unwrap();
    game
}

fn choose(player: &str, game: &AnyGame) -> Thought<String> {
    roster::program(game, player, &system::resources(1)).unwrap().choose(game, &Stop::default()).unwrap()
}

fn score(game: &AnyGame) -> i64 {
    let position = solver::solvable(game).unwrap();
    Solver::new(1 << 20).score(&position, &|| false).unwrap().into()
}

#[test]
fn every_move_it_might_play_keeps_the_score() {
    let sets = include_str!("../../solver/tests/golden/connect_four_solved.txt");
    let late = sets.lines().filter(|line| line.starts_with("end-easy") || line.starts_with("middle-easy"));
    for line in late.step_by(4) {
        let [_, moves, expected] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let game = game("connect-four", moves);
        let thought = choose("perfect", &game);
        assert_eq!(thought.score, expected.parse().ok(), "{line}");
        assert!(thought.candidates.contains(&thought.chosen));
        for m in &thought.candidates {
            let mut after = game.clone();
            after.play(m).unwrap();
            assert_eq!(-score(&after), thought.score.unwrap(), "{m} at {line}");
        }
        assert_eq!(thought.line[0], thought.chosen);
    }
}

#[test]
fn it_takes_the_quickest_win_and_gives_reasons() {
    let thought = choose("perfect", &game("connect-four:4x7", "4455"));
    assert_eq!(thought.candidates, ["3", "6"]);
    assert_eq!(thought.reasons[0], Reason::Proven(Proven { result: Proof::Win, plies: 3 }));
    let makes_two_threats =
        |reason: &Reason| matches!(reason, Reason::Solved(solver::Reason::MakesTwoThreats { .. }));
    assert!(thought.reasons.iter().any(makes_two_threats), "{:?}", thought.reasons);
}

#[test]
fn openings_come_from_the_book() {
    let thought = choose("perfect", &game("connect-four", ""));
    assert_eq!((thought.chosen.as_str(), thought.score), ("4", Some(1)));
}

#[test]
fn without_time_the_score_is_unproven() {
    let game = game("connect-four:7x8x4", "");
    let thought = choose("perfect:1ms", &game);
    assert!(matches!(thought.reasons[0], Reason::Unproven { .. }), "{:?}", thought.reasons);
    assert!(game.legal_moves().contains(&thought.chosen));
    assert_eq!(thought.score, None);
}

#[test]
fn unsolvable_boards_have_no_perfect_player() {
    for spec in ["connect-four:8x8x4", "connect-four:6x7x5", "connect-four:10x10x4"] {
        let error = roster::program(&game(spec, ""), "perfect", &system::resources(1)).err().unwrap();
        assert!(error.to_string().starts_with("connect-four has no player “perfect”"), "{error}");
    }
}
