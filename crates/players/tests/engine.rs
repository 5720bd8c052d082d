//! The engine as a player: the same answer for the same question, and answers in time.

use players::{Proof, Reason, Stop, Thought, roster};
use rules::{AnyGame, Spec};

fn game(spec: &str, moves: &str) -> AnyGame {
    let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
    game.play_all(moves).unwrap();
    game
}

fn choose(game: &AnyGame, player: &str) -> Thought<String> {
    roster::program(game, player, 7).unwrap().choose(game, &Stop::default()).unwrap()
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
fn one_thread_repeats_itself() {
    for (spec, moves) in GAMES {
        for player in ["engine:depth=4", "engine:nodes=3000"] {
            let game = game(spec, moves);
            assert_eq!(choose(&game, player), choose(&game, player), "{spec} {player}");
        }
    }
}

#[test]
fn limits_of_nodes_are_kept() {
    for (spec, moves) in GAMES {
        let thought = choose(&game(spec, moves), "engine:nodes=3000");
        // A look at the limit every 64 nodes, and a fiftieth more to tell what would be second best.
        assert!(thought.nodes <= 3000 + 60 + 2 * 64, "{spec}: {}", thought.nodes);
    }
}

#[test]
fn there_is_an_answer_whenever_the_search_ends() {
    for (spec, moves) in GAMES {
        let game = game(spec, moves);
        for nodes in (1..4000).step_by(97) {
            let thought = choose(&game, &format!("engine:nodes={nodes}"));
            assert!(game.legal_moves().contains(&thought.chosen), "{spec}, {nodes} nodes");
        }
    }
}

#[test]
fn a_raised_stop_is_answered_with_a_legal_move() {
    for (spec, moves) in GAMES {
        let game = game(spec, moves);
        let stop = Stop::default();
        stop.raise();
        let thought = roster::program(&game, "engine:60s", 0).unwrap().choose(&game, &stop).unwrap();
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
fn the_book_is_asked_only_when_wanted() {
    for spec in ["simplexity", "chess-five"] {
        let game = game(spec, "");
        let by_book = |player| {
            let thought = choose(&game, player);
            thought.reasons.iter().any(|reason| matches!(reason, Reason::Book { .. }))
        };
        assert!(by_book("engine:nodes=100,book") && !by_book("engine:nodes=100"), "{spec}");
    }
}
