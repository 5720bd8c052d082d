//! A review tells every move, whatever the limits, and compares what was searched equally far.

mod common;

use std::time::Duration;

use alinea_study::{
    analysis::{Limits, analyse},
    review::review,
};
use common::{game, random_games};
use players::Stop;

#[test]
fn every_move_is_told_however_short_the_time() {
    let short = Limits { time: Some(Duration::from_nanos(1)), ..Limits::default() };
    for (spec, moves) in
        [("connect-four:64x64x16", "32 32 32"), ("chess-five", "Q@d Q@e R@d"), ("simplexity", "4r 4s")]
    {
        let game = game(spec, moves);
        let reviewed = review(&game, &short, &native::resources(0), &Stop::default(), &mut |_| {});
        assert_eq!(reviewed.len(), game.moves().len(), "{spec}");
        assert!(
            analyse(&game, &short, &native::resources(0), &Stop::default(), &mut |_| {}).depth > 0,
            "{spec}"
        );
    }
}

#[test]
fn the_best_move_gives_nothing_away() {
    let limits = Limits { nodes: Some(2000), ..Limits::default() };
    for spec in ["connect-four", "simplexity", "chess-five"] {
        for game in random_games(spec, 6, 2) {
            for reviewed in review(&game, &limits, &native::resources(0), &Stop::default(), &mut |_| {}) {
                assert!(reviewed.played.moves[0] != reviewed.best.moves[0] || reviewed.loss == 0.0);
                assert!(reviewed.mark.is_none() || reviewed.loss >= 0.1, "{reviewed:?}");
            }
        }
    }
}
