//! The example `own_game`: a game and an evaluator of one's own, written against the public interface.

#[path = "../examples/own_game.rs"]
mod example;

use std::{sync::Arc, time::Duration};

use alinea_players::{
    Proof, Stop,
    rules::{Game, Position},
    search::{Limits, Search},
    system::{SystemClock, SystemThreads},
};
use example::{Domineering, Mobility};

type OwnSearch = Search<Domineering, Mobility>;

fn start(size: u8) -> Game<Domineering> {
    Game::new(Domineering::new(size))
}

/// The values of the square boards are known: the first side wins up to 4 × 4, the second on 5 × 5.
#[test]
fn the_search_proves_the_known_results() {
    for (size, expected) in [(2, Proof::Win), (3, Proof::Win), (4, Proof::Win), (5, Proof::Loss)] {
        for threads in [1, 2] {
            let mut search = OwnSearch::new(1 << 22).with_threads(threads, Arc::new(SystemThreads));
            let found = search.best(&start(size), &Limits::default(), &Stop::default()).unwrap();
            assert_eq!(found.lines[0].proven().map(|proven| proven.result), Some(expected), "size {size}");
        }
    }
}

#[test]
fn every_limit_gives_a_legal_move() {
    let game = start(8);
    let clock = Arc::new(SystemClock::default());
    for limits in [
        Limits::default().depth(3),
        Limits::default().nodes(1),
        Limits::default().nodes(5000),
        Limits::default().time(Duration::ZERO, clock.clone()),
        Limits::default().time(Duration::from_millis(5), clock),
    ] {
        let mut depths = Vec::new();
        let mut search = OwnSearch::new(1 << 20);
        let found = search.deepen(&game, &limits, &Stop::default(), &mut |found| depths.push(found.depth));
        let found = found.unwrap();
        assert!(game.position().is_legal(found.lines[0].moves[0]), "{limits:?}");
        assert!(depths.starts_with(&[1]) && depths.is_sorted(), "{limits:?}");
        assert_eq!(depths.last(), Some(&found.depth));
    }
}

#[test]
fn a_stopped_search_and_a_finished_game_have_no_move() {
    let stop = Stop::default();
    stop.cancel();
    assert!(OwnSearch::new(1 << 20).best(&start(6), &Limits::default(), &stop).is_none());
    assert!(OwnSearch::new(1 << 20).best(&start(1), &Limits::default(), &Stop::default()).is_none());
}

#[test]
fn a_refused_move_names_the_rule() {
    let mut game = start(4);
    game.play("a1".parse().unwrap()).unwrap();
    let error = game.play("a2".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "a domino needs two empty cells; name its left or lower one");
}
