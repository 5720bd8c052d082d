//! The engine as a player: deterministic answers, limits, and answers in time.

use crate::common::{game, random_games};
use alinea_players::{Proof, Reason, Stop, Thought, roster, system};
use rules::AnyGame;

fn choose(game: &AnyGame, player: &str) -> Thought<String> {
    roster::program(game, player, &system::resources(7)).unwrap().choose(game, &Stop::default()).unwrap()
}

const GAMES: [(&str, &str); 6] = [
    ("tic-tac-toe", "b2"),
    ("connect-four", "44"),
    ("connect-four:8x9x5", "5566"),
    ("simplexity", "4r 4s 3r 5s"),
    ("simplexity:9x37x5:83+84", "19r 19s"),
    ("chess-five", "Q@d Q@e R@d R@e"),
];

#[test]
fn one_thread_is_deterministic() {
    for (spec, moves) in GAMES {
        for player in ["engine:depth=4", "engine:nodes=3000"] {
            let game = game(spec, moves);
            assert_eq!(choose(&game, player), choose(&game, player), "{spec} {player}");
        }
    }
}

#[test]
fn node_limits_are_respected() {
    for (spec, moves) in GAMES {
        let thought = choose(&game(spec, moves), "engine:nodes=3000");
        // The limit is polled every 64 nodes; the second best move may take 2 % more.
        assert!(thought.nodes <= 3000 + 60 + 2 * 64, "{spec}: {}", thought.nodes);
    }
}

#[test]
fn every_limit_gives_a_legal_move() {
    for (spec, moves) in GAMES {
        let game = game(spec, moves);
        for nodes in (1..4000).step_by(97) {
            let thought = choose(&game, &format!("engine:nodes={nodes}"));
            assert!(game.legal_moves().contains(&thought.chosen), "{spec}, {nodes} nodes");
        }
    }
}

#[test]
fn a_stopped_engine_returns_a_legal_move() {
    for (spec, moves) in GAMES {
        let game = game(spec, moves);
        let stop = Stop::default();
        stop.cancel();
        let thought = roster::program(&game, "engine:60s", &system::resources(0))
            .unwrap()
            .choose(&game, &stop)
            .unwrap();
        assert!(game.legal_moves().contains(&thought.chosen), "{spec}");
    }
}

#[test]
fn the_solver_decides_where_it_can() {
    let game = game("connect-four", "4444425633");
    let proven = |player| {
        let thought = choose(&game, player);
        thought.reasons.into_iter().find_map(|reason| match reason {
            Reason::Proven(proven) => Some(proven),
            _ => None,
        })
    };
    let exact = proven("perfect:60s");
    assert!(exact.is_some_and(|proven| proven.result != Proof::Draw));
    assert_eq!(proven("engine:10s"), exact);
}

#[test]
fn a_depth_is_reached_with_any_number_of_threads() {
    for (spec, moves) in GAMES {
        for threads in 1..=3 {
            let depth = if spec == "connect-four" { 9 } else { 4 };
            let thought = choose(&game(spec, moves), &format!("engine:depth={depth},threads={threads}"));
            assert_eq!(thought.depth, Some(depth), "{spec} {threads} threads");
        }
    }
}

#[test]
fn an_unreached_time_limit_changes_nothing() {
    for (spec, moves) in GAMES {
        let game = game(spec, moves);
        let timed = choose(&game, "engine:1000s,nodes=20000");
        assert_eq!(timed, choose(&game, "engine:nodes=20000"), "{spec}");
        assert_eq!(timed, choose(&game, "engine:1000s,nodes=20000"), "{spec}");
    }
}

#[test]
fn a_search_to_the_end_of_the_game_proves_draws() {
    for (spec, plies) in [("tic-tac-toe", 9), ("connect-four:4x4", 16), ("connect-four:3x5", 15)] {
        let thought = choose(&game(spec, ""), "engine:depth=100");
        assert!(thought.depth.is_some_and(|depth| depth <= plies), "{spec}: {:?}", thought.depth);
        let is_draw =
            |reason: &Reason| matches!(reason, Reason::Proven(proven) if proven.result == Proof::Draw);
        assert!(thought.reasons.iter().any(is_draw), "{spec}: {:?}", thought.reasons);
    }
}

#[test]
fn the_second_best_is_not_better() {
    let mut told = 0;
    for spec in ["connect-four", "connect-four:8x9", "simplexity", "chess-five"] {
        for game in random_games(spec, 8, 30) {
            let thought = choose(&game, "engine:nodes=5000");
            for reason in &thought.reasons {
                if let Reason::SecondBest { score, .. } = reason {
                    assert!(Some(*score) <= thought.score, "{} {thought:?}", game.position());
                    told += 1;
                }
            }
        }
    }
    assert!(told > 40, "{told}");
}

#[test]
fn proofs_with_a_node_limit_are_optional() {
    let game = game("connect-four", "344443663234336612");
    let proven = |player| {
        let thought = choose(&game, player);
        assert_eq!(thought, choose(&game, player));
        thought.reasons.iter().any(|reason| matches!(reason, Reason::Proven(_)))
    };
    assert!(proven("engine:nodes=64,proofs") && !proven("engine:nodes=64"));
}

#[test]
fn the_book_is_optional() {
    for spec in ["simplexity", "chess-five"] {
        let game = game(spec, "");
        let by_book = |player| {
            let thought = choose(&game, player);
            thought.reasons.iter().any(|reason| matches!(reason, Reason::Book { .. }))
        };
        assert!(by_book("engine:nodes=100,book") && !by_book("engine:nodes=100"), "{spec}");
    }
}
