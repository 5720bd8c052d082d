//! The contract of `Position` and `Board`, checked for every game of the table on standard and odd sizes.

use std::collections::{HashMap, HashSet};

use crate::common::{choose, seeds, specs, start};
use alinea_rules::{AnyGame, AnyPosition, Board, Cell, Game, Outcome, Piece, PlayError, Spec, with_game};

/// Plays a random game and checks the promises at every ply.
fn conforms<P: Board>(start: &P, spec: Spec, seed: u64) {
    println!("{spec}, seed {seed}");
    for number in 0..start.move_count() {
        assert_eq!(start.move_number(start.numbered_move(number)), number);
    }
    let mut rng = fastrand::Rng::with_seed(seed);
    let candidates = start.conceivable_moves();
    let mut game = Game::new(start.clone());
    let mut written = AnyGame::from(spec);
    let mut keys = HashMap::new();
    let mut texts = HashMap::new();
    let mut played = Vec::new();
    loop {
        let position = game.position().clone();
        let text = written.position();
        assert_moves_are_consistent(&position, &candidates);
        assert_rewrites(&position, spec, &text);
        assert_eq!(keys.entry(position.key()).or_insert(text.clone()), &text, "same key, other position");
        assert_eq!(texts.entry(text).or_insert(position.key()), &position.key(), "same position, other key");

        let legal: Vec<P::Move> = game.legal_moves().collect();
        assert_eq!(legal.is_empty(), game.outcome().is_some());
        if let Some(outcome) = game.outcome() {
            assert!(game.position().ply() <= start.max_plies());
            assert_ended(&mut game, outcome, &candidates);
            return;
        }
        let refused = candidates[rng.usize(..candidates.len())];
        if !legal.contains(&refused) {
            assert!(game.play(refused).is_err(), "{refused}");
            assert_eq!((game.position(), game.moves().len()), (&position, played.len()), "after {refused}");
        }

        let names: Vec<String> = legal.iter().map(ToString::to_string).collect();
        let m = legal[choose(&mut rng, seed, &played, &names)];
        game.play(m).unwrap();
        assert_eq!(game.take_back(), Some(m));
        assert_eq!((game.position(), game.moves().len()), (&position, played.len()), "after taking {m} back");
        game.play(m).unwrap();
        assert_choices(&written);
        assert_same(&AnyPosition::of(&written), &position, m);
        written.play(&m.to_string()).unwrap();
        played.push(m.to_string());

        let next = game.position();
        assert_eq!(*next, position.after(m));
        assert_eq!(next.turn(), position.turn().other());
        assert_eq!(next.ply(), position.ply() + 1);
        assert_touched(&position, m);
    }
}

/// The position behind the one type of all games is the typed one, also after a move.
fn assert_same<P: Board>(any: &AnyPosition, typed: &P, m: P::Move) {
    let (number, numbered) = (typed.move_number(m), |m| typed.move_number(m));
    assert_eq!(any.info(), P::info());
    assert_eq!(any.size(), (typed.rows(), typed.cols()));
    assert_eq!((any.turn(), any.outcome(), any.key()), (typed.turn(), typed.outcome(), typed.key()));
    assert_eq!(any.legal_moves(), typed.legal_moves().map(numbered).collect::<Vec<_>>());
    let ending = typed.legal_moves().find(|&m| typed.after(m).outcome().is_some());
    assert_eq!(any.find_move(&|outcome| outcome.is_some()), ending.map(numbered));
    assert_eq!(any.move_text(number), m.to_string());
    let (next, after) = (any.after(number), typed.after(m));
    assert_eq!((any.is_legal(number), next.is_legal(number)), (true, after.is_legal(m)));
    assert_eq!((next.turn(), next.outcome(), next.key()), (after.turn(), after.outcome(), after.key()));
    let touched = after.touched(m);
    assert!(touched.iter().all(|&cell| next.piece(cell) == after.piece(cell)));
    assert_eq!(next.touched(number), touched);
    assert!(next != *any && next == next.clone() && next == any.after(number));
}

/// The touched cells tell how pieces went, and all others are as before.
fn assert_touched<P: Board>(position: &P, m: P::Move) {
    let next = position.after(m);
    let touched = next.touched(m);
    assert!(!touched.is_empty(), "{m} touches no cell");
    let cells =
        (0..position.rows()).flat_map(|row| (0..position.cols()).map(move |column| Cell::new(column, row)));
    for cell in cells.filter(|cell| !touched.contains(cell)) {
        assert_eq!(
            next.piece(cell),
            position.piece(cell),
            "{m} changes {cell}, which it does not name as touched"
        );
    }
    for two in touched.windows(2) {
        assert_eq!(
            next.piece(two[1]),
            position.piece(two[0]),
            "{m} moves what was on {} to {}",
            two[0],
            two[1]
        );
    }
    if let (&[cell], Some(piece)) = (&touched[..], next.piece(touched[0])) {
        assert_eq!(
            (position.piece(cell), piece.side),
            (None, position.turn()),
            "{m} places an own piece on {cell}"
        );
    } else {
        assert_eq!(next.piece(touched[0]), None, "{m} leaves {}", touched[0]);
        let moved = touched.iter().rev().find_map(|&cell| position.piece(cell));
        assert_eq!(moved.map(|piece| piece.side), Some(position.turn()), "{m} moves or removes an own piece");
    }
}

/// What a screen offers are the legal moves: from an own piece, if it is on the board, to an empty cell or off the board.
fn assert_choices(game: &AnyGame) {
    let (choices, view) = (game.choices(), game.view());
    assert!(choices.iter().map(|choice| &choice.text).eq(&game.legal_moves()));
    for choice in choices {
        assert!(view.piece(choice.to).is_none() || choice.from == Some(choice.to), "{}", choice.text);
        let taken = choice.from.map(|from| view.piece(from));
        let own = Piece { side: view.turn, kind: choice.kind };
        assert!(taken.is_none_or(|piece| piece == Some(own)), "{}", choice.text);
    }
}

/// Legal means generated means unobjectionable; each move has one text.
fn assert_moves_are_consistent<P: Board>(position: &P, candidates: &[P::Move]) {
    let generated: Vec<P::Move> = position.legal_moves().collect();
    assert_eq!(position.legal_count(), generated.len(), "{position:?}");
    let set: HashSet<P::Move> = generated.iter().copied().collect();
    assert_eq!(set.len(), generated.len(), "a move is generated twice");
    let over = position.outcome().is_some();
    assert_eq!(generated.is_empty(), over);
    for m in &generated {
        assert_eq!(m.to_string().parse(), Ok(*m));
        assert!(candidates.contains(m), "{m}");
        assert!(position.move_number(*m) < position.move_count(), "{m}");
    }
    for &m in candidates {
        assert_eq!(position.is_legal(m), set.contains(&m), "{m}");
        assert!(over || position.check(m).is_ok() == set.contains(&m), "{m}");
    }
}

/// A written position is read as the same one.
fn assert_rewrites<P: Board>(position: &P, spec: Spec, text: &str) {
    let mut again = AnyGame::from(spec);
    again.set_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again.position(), text);
    let again = again.typed::<P>().expect("the same game").position();
    if again.ply() == position.ply() {
        assert_eq!(again, position, "{text}");
        return;
    }
    // ChessFive does not write how long the pieces have been moving, so that only the draw by their
    // number may be lost.
    assert_eq!((again.turn(), again.key(), again.line()), (position.turn(), position.key(), position.line()));
    if position.outcome() != Some(Outcome::Draw) {
        assert_eq!(again.outcome(), position.outcome(), "{text}");
        assert!(again.legal_moves().eq(position.legal_moves()), "{text}");
    }
}

/// After the end nothing can be played, and the game stays as it is.
fn assert_ended<P: Board>(game: &mut Game<P>, outcome: Outcome, candidates: &[P::Move]) {
    let last = game.position().clone();
    let plies = game.moves().len();
    for &m in candidates {
        assert_eq!(game.play(m), Err(PlayError::GameOver(outcome)), "{m}");
    }
    assert_eq!((game.position(), game.moves().len()), (&last, plies));
    for _ in 0..plies {
        assert!(game.take_back().is_some());
    }
    assert_eq!(game.take_back(), None);
    assert_eq!(game.position(), game.start());
}

#[test]
fn every_game_of_the_table_conforms() {
    for spec in specs() {
        for seed in seeds(spec) {
            let game = start(spec);
            with_game!(&game, typed => conforms(typed.start(), game.spec(), seed));
        }
    }
}
