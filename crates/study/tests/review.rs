//! A review tells every move, whatever the limits: marks follow results where they are proved, and chances of
//! searches of equal depth where they are not.

use std::time::Duration;

use crate::common::{game, random_games};
use alinea_study::{
    assessment::{Limits, assess},
    review::{Mark, Remark, Reviewed, review},
};
use players::{Proof, Stop, system};
use rules::AnyGame;

fn reviewed(game: &AnyGame, limits: &Limits) -> Vec<Reviewed> {
    review(game, limits, &system::resources(0), &Stop::default(), &mut |_| {})
}

#[test]
fn every_move_is_told_however_short_the_time() {
    let short = Limits { time: Some(Duration::from_nanos(1)), ..Limits::default() };
    for (spec, moves) in
        [("connect-four:64x64x16", "32 32 32"), ("chess-five", "Q@d Q@e R@d"), ("simplexity", "4r 4s")]
    {
        let game = game(spec, moves);
        assert_eq!(reviewed(&game, &short).len(), game.moves().len(), "{spec}");
        let assessment = assess(&game, &short, &system::resources(0), &Stop::default(), &mut |_| {});
        assert!(assessment.depth > 0, "{spec}");
    }
}

#[test]
fn the_best_move_gives_nothing_away() {
    let limits = Limits { nodes: Some(2000), ..Limits::default() };
    for spec in ["connect-four:8x9x5", "simplexity", "chess-five", "gomoku"] {
        for game in random_games(spec, 6, 2) {
            for reviewed in reviewed(&game, &limits) {
                let is_best = reviewed.played.text == reviewed.best.text;
                assert!(!is_best || reviewed.loss == 0.0 && reviewed.mark.is_none(), "{reviewed:?}");
                assert!(reviewed.mark.is_none() || reviewed.loss >= 0.1, "{reviewed:?}");
            }
        }
    }
}

/// The marks and remarks of a game, by the number of the move.
fn marks(game: &AnyGame) -> Vec<(u32, Option<Mark>, Option<Remark>)> {
    reviewed(game, &Limits::default())
        .into_iter()
        .filter(|reviewed| reviewed.mark.is_some() || reviewed.remark.is_some())
        .map(|reviewed| (reviewed.number, reviewed.mark, reviewed.remark))
        .collect()
}

#[test]
fn marks_follow_proven_results() {
    // The centre wins; 5 turns the win into a loss.
    assert_eq!(marks(&game("connect-four", "445")), [(3, Some(Mark::ThrowsWin), None)]);
    // The second player overlooks three in a row and loses a draw.
    assert_eq!(marks(&game("tic-tac-toe", "a1 b2 b1 a3 c1")), [(4, Some(Mark::ThrowsDraw), None)]);
    // The first player could win at once, and wins later.
    let slow = marks(&game("connect-four:4x7", "4455"));
    assert!(slow.iter().all(|(_, mark, _)| *mark != Some(Mark::ThrowsWin)), "{slow:?}");
    let quicker = marks(&game("connect-four", "44556 1 6"));
    assert_eq!(quicker.last(), Some(&(7, None, Some(Remark::QuickerWin))), "{quicker:?}");
}

/// Moves after the book are solved exactly, whatever the limit.
#[test]
fn reviews_of_the_standard_board_are_exact_whatever_the_limits() {
    let game = game("connect-four", "477132336622255");
    let short = Limits { time: Some(Duration::from_nanos(1)), ..Limits::default() };
    let shallow = Limits { depth: Some(1), ..Limits::default() };
    for limits in [short, shallow] {
        let marked: Vec<_> = reviewed(&game, &limits)
            .into_iter()
            .filter_map(|reviewed| reviewed.mark.map(|mark| (reviewed.number, mark)))
            .collect();
        let (win, draw) = (Mark::ThrowsWin, Mark::ThrowsDraw);
        assert_eq!(marked, [(3, win), (4, draw), (9, win), (10, draw), (15, win)]);
    }
}

/// Over random games: a move is marked if and only if it changes the proven result.
#[test]
fn every_move_that_changes_the_result_is_marked_and_no_other() {
    let games = random_games("tic-tac-toe", 3, 40).into_iter().chain(random_games("connect-four:4x5", 4, 12));
    for game in games {
        for Reviewed { played, best, mark, .. } in reviewed(&game, &Limits::default()) {
            let (played, best) = (played.verdict.proven().unwrap(), best.verdict.proven().unwrap());
            let expected = match (best.result, played.result) {
                (best, played) if best == played => None,
                (Proof::Win, _) => Some(Mark::ThrowsWin),
                _ => Some(Mark::ThrowsDraw),
            };
            assert_eq!(mark, expected, "{}", game.position());
        }
    }
}
