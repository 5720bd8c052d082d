//! The evaluators against the rules.

use std::{collections::HashSet, fmt::Debug};

use rules::{ChessFive, ConnectFour, Custom, Geometry, Outcome, Position, Simplexity, Size, TicTacToe, Wide};

use super::{
    ChessFiveEvaluator, ConnectFourEvaluator, Evaluator, IMAGE_PLIES, LIMIT, MOVE_NUMBERS, Orientation,
    SimplexityEvaluator, TicTacToeEvaluator, default::LineEvaluator,
};
use crate::{Term, samples::games};

fn wins<P: Position>(position: &P, m: P::Move) -> bool {
    position.after(m).outcome() == Some(Outcome::Win(position.turn()))
}

fn can_win<P: Position>(position: &P) -> bool {
    position.legal_moves().any(|m| wins(position, m))
}

/// Checks that what an evaluator says without a search agrees with the rules.
fn agrees_with_rules<P: Position, E: Evaluator<P, Accumulator: Debug + PartialEq>>(
    start: &P,
    evaluator: &E,
    count: usize,
) {
    for game in games(start, 1, count) {
        let position = game.position().clone();
        let accumulator = evaluator.init(&position);
        let winning = evaluator.win(&position, &accumulator);
        assert_eq!(winning.is_some(), can_win(&position), "{position:?}");
        assert!(winning.is_none_or(|m| wins(&position, m)), "{position:?}");
        for m in position.legal_moves() {
            let next = position.after(m);
            assert_eq!(
                evaluator.update(&accumulator, &position, m, &next),
                evaluator.init(&next),
                "{position:?} {m}"
            );
        }
        if winning.is_some() {
            continue;
        }
        let candidates = evaluator.candidates(&position, &accumulator);
        let legal: Vec<_> = position.legal_moves().collect();
        assert!(!candidates.is_empty() && candidates.iter().all(|m| legal.contains(m)), "{position:?}");
        let loses = |&m: &P::Move| {
            let after = position.after(m);
            after.outcome() == Some(Outcome::Win(after.turn()))
                || after.outcome().is_none() && can_win(&after)
        };
        let left_out: Vec<_> = legal.iter().filter(|m| !candidates.contains(m)).collect();
        assert!(left_out.into_iter().all(loses), "{position:?} {candidates:?}");
        let numbers: HashSet<_> = legal.iter().map(|&m| evaluator.number(&position, m)).collect();
        assert_eq!(numbers.len(), legal.len());
        assert!(numbers.into_iter().all(|number| usize::from(number) < MOVE_NUMBERS));
    }
}

/// Checks that the terms of an evaluation add up to its value, and that every name occurs once.
fn explains_itself<P: Position, E: Evaluator<P>>(start: &P, evaluator: &E) {
    for game in games(start, 4, 100) {
        let position = game.position().clone();
        let terms = evaluator.terms(&position, &evaluator.init(&position));
        let points: i64 = terms.iter().map(Term::points).sum();
        let limit = i64::from(LIMIT);
        assert_eq!(
            points.clamp(-limit, limit),
            i64::from(evaluator.evaluate(&position, &evaluator.init(&position))),
            "{position:?}"
        );
        let names: HashSet<_> = terms.iter().map(|term| &term.name).collect();
        assert_eq!(names.len(), evaluator.weights(&position).len(), "{position:?}");
        assert_eq!(terms.len(), names.len(), "{position:?}");
    }
}

/// Checks that a position and its mirror image share one table entry, and that the numbers of their moves are
/// mirrored.
fn mirrors_rightly<P: Position, E: Evaluator<P>>(start: &P, evaluator: &E) {
    let (mut images, mut symmetric) = (0, 0);
    for game in games(start, 8, 60) {
        let (mut position, mut image) = (start.clone(), start.clone());
        for &m in game.moves() {
            let number = evaluator.number(&position, m);
            let other = evaluator.mirrored(number);
            assert_eq!(evaluator.mirrored(other), number);
            let reflected = image.legal_moves().find(|m| evaluator.number(&image, *m) == other);
            position.play_unchecked(m);
            image.play_unchecked(reflected.expect("what can be played can be played in the mirror"));
            let keys = [evaluator.tt_key(&position), evaluator.tt_key(&image)];
            match keys.map(|key| key.orientation) {
                [Orientation::Symmetric, Orientation::Symmetric] => {
                    assert_eq!(position, image);
                    symmetric += 1;
                }
                [Orientation::Plain, Orientation::Mirrored] | [Orientation::Mirrored, Orientation::Plain] => {
                    assert_eq!(keys[0].key, keys[1].key, "{position:?}");
                    images += 1;
                }
                views => {
                    assert!(views == [Orientation::Plain; 2] && position.ply() > IMAGE_PLIES, "{position:?}");
                }
            }
        }
    }
    assert!(
        images > 60 && evaluator.tt_key(start).orientation == Orientation::Symmetric,
        "{images} {symmetric}"
    );
}

fn custom(rows: u32, cols: u32, run: u32) -> Custom<u64> {
    Custom::new(Size::new(rows, cols, run).unwrap()).unwrap()
}

#[test]
fn evaluators_agree_with_the_rules() {
    agrees_with_rules(&TicTacToe::default(), &TicTacToeEvaluator, 200);
    agrees_with_rules(&ChessFive::default(), &ChessFiveEvaluator, 400);
    for (rows, cols, run) in [(6, 7, 4), (4, 5, 3), (7, 7, 5), (3, 10, 4), (9, 4, 4), (2, 2, 3)] {
        let geometry = custom(rows, cols, run);
        agrees_with_rules(
            &ConnectFour::new(geometry),
            &ConnectFourEvaluator::new(&ConnectFour::new(geometry)),
            300,
        );
        let pieces = [geometry.cells().div_ceil(4), geometry.cells().div_ceil(4)];
        for pieces in [pieces, [2, 30], [30, 2]] {
            agrees_with_rules(
                &Simplexity::new(geometry, pieces),
                &SimplexityEvaluator::new(&Simplexity::new(geometry, pieces)),
                300,
            );
        }
    }
}

#[test]
fn evaluations_explain_themselves() {
    explains_itself(&TicTacToe::default(), &TicTacToeEvaluator);
    explains_itself(&ChessFive::default(), &ChessFiveEvaluator);
    for (rows, cols, run) in [(6, 7, 4), (4, 5, 3), (7, 7, 5), (3, 10, 4), (9, 4, 4), (2, 2, 3)] {
        let geometry = custom(rows, cols, run);
        explains_itself(&ConnectFour::new(geometry), &ConnectFourEvaluator::new(&ConnectFour::new(geometry)));
        explains_itself(
            &Simplexity::new(geometry, [8, 9]),
            &SimplexityEvaluator::new(&Simplexity::new(geometry, [8, 9])),
        );
    }
    let wide = Custom::<Wide<8>>::new(Size::new(9, 37, 5).unwrap()).unwrap();
    explains_itself(
        &Simplexity::new(wide, [83, 84]),
        &SimplexityEvaluator::new(&Simplexity::new(wide, [83, 84])),
    );
}

#[test]
fn mirror_images_share_a_key() {
    mirrors_rightly(&TicTacToe::default(), &TicTacToeEvaluator);
    mirrors_rightly(&ChessFive::default(), &ChessFiveEvaluator);
    for (rows, cols, run) in [(6, 7, 4), (5, 4, 4), (4, 10, 4)] {
        let geometry = custom(rows, cols, run);
        mirrors_rightly(&ConnectFour::new(geometry), &ConnectFourEvaluator::new(&ConnectFour::new(geometry)));
        mirrors_rightly(
            &Simplexity::new(geometry, [8, 9]),
            &SimplexityEvaluator::new(&Simplexity::new(geometry, [8, 9])),
        );
    }
    let wide = Custom::<Wide<8>>::new(Size::new(9, 37, 5).unwrap()).unwrap();
    mirrors_rightly(
        &Simplexity::new(wide, [83, 84]),
        &SimplexityEvaluator::new(&Simplexity::new(wide, [83, 84])),
    );
}

#[test]
fn the_default_evaluator_plays_any_game() {
    agrees_with_rules(&TicTacToe::default(), &LineEvaluator, 100);
    agrees_with_rules(&ChessFive::default(), &LineEvaluator, 20);
    let geometry = custom(4, 5, 3);
    agrees_with_rules(&ConnectFour::new(geometry), &LineEvaluator, 100);
    agrees_with_rules(&Simplexity::new(geometry, [8, 9]), &LineEvaluator, 100);
    explains_itself(&TicTacToe::default(), &LineEvaluator);
    explains_itself(&ConnectFour::new(geometry), &LineEvaluator);
}
