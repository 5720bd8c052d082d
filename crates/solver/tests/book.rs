//! The embedded book, how a book is built, and that corrupt bytes are rejected.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
};

use crate::common::position;
use alinea_solver::{
    Book, SingleThread, SolveError, Solver,
    book::{self, BookError, Entry},
};
use rules::{Column, ConnectFour, Outcome, Position, Standard};

#[test]
fn the_empty_board_needs_no_search() {
    let stop = AtomicBool::new(true);
    let mut solver = Solver::default().with_book(Book::embedded());
    assert_eq!(solver.score(&position(""), &stop), Ok(1));
    let analysis = solver.analyse(&position(""), &stop).unwrap();
    let scores: Vec<_> = analysis.moves.iter().map(|(_, bounds)| bounds.exact().unwrap()).collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    assert_eq!(analysis.best().map(|column| column.to_string()).collect::<Vec<_>>(), ["4"]);
}

#[test]
fn the_embedded_book_is_consistent() {
    let book = Book::embedded();
    assert_eq!(Book::from_bytes(&book.to_bytes()).as_ref(), Ok(book));
    // Every position up to the last ply has a score, and it is that of the best move.
    let mut layer = vec![position("")];
    for ply in 0..book.plies() {
        let mut next = HashMap::new();
        for position in &layer {
            let score = |child: &ConnectFour<Standard>| match child.outcome() {
                None => -book.score(child).unwrap(),
                Some(Outcome::Win(_)) => ((43 - position.ply()) / 2) as i8,
                Some(Outcome::Draw) => 0,
            };
            let children: Vec<_> = position.legal_moves().map(|column| position.after(column)).collect();
            assert_eq!(book.score(position), children.iter().map(score).max(), "ply {ply}");
            let open = children.into_iter().filter(|child| child.outcome().is_none());
            next.extend(open.map(|child| ((child.stones(child.turn()), child.occupied()), child)));
        }
        layer = next.into_values().collect();
    }
    assert!(layer.iter().all(|position| book.score(position).is_some()));
    let deeper = layer[0].after(layer[0].legal_moves().next().unwrap());
    assert_eq!(book.score(&deeper), None);
}

#[test]
fn the_embedded_book_is_small() {
    let (book, bytes) = (Book::embedded(), Book::embedded().to_bytes().len());
    assert!(bytes <= 4 << 20);
    assert!(bytes <= book.len() + 100, "less than a byte per entry: {bytes}");
}

/// Random positions up to the last ply, with their moves.
fn samples(count: usize) -> impl Iterator<Item = (Vec<Column>, ConnectFour<Standard>)> {
    let mut rng = fastrand::Rng::with_seed(11);
    let games = std::iter::repeat_with(move || {
        let (mut moves, mut position) = (Vec::new(), position(""));
        for _ in 0..rng.u8(..=Book::embedded().plies()) {
            let legal: Vec<_> = position.legal_moves().collect();
            if position.outcome().is_none() {
                moves.push(legal[rng.usize(..legal.len())]);
                position.play(moves[moves.len() - 1]).unwrap();
            }
        }
        (moves, position)
    });
    games.filter(|(_, position)| position.outcome().is_none()).take(count)
}

#[test]
fn mirror_images_have_the_same_score() {
    for (moves, position) in samples(500) {
        let mirrored = moves
            .iter()
            .fold(self::position(""), |image, column| image.after(Column::new(6 - column.index())));
        assert_eq!(Book::embedded().score(&mirrored), Book::embedded().score(&position), "{moves:?}");
    }
}

/// Solving a position takes too long for a test, but the bounds of a short search must agree.
#[test]
fn short_searches_agree_with_the_book() {
    let mut solver = Solver::new(16 << 20);
    let mut narrowed = 0;
    for (moves, position) in samples(40) {
        let polls = AtomicU32::new(0);
        let score = i32::from(Book::embedded().score(&position).unwrap());
        match solver.score(&position, &|| polls.fetch_add(1, Relaxed) >= 100) {
            Ok(exact) => assert_eq!(exact, score, "{moves:?}"),
            Err(SolveError::Stopped(bounds)) => {
                assert!(bounds.lower <= score && score <= bounds.upper, "{moves:?}: {score}, {bounds:?}");
                narrowed += usize::from(bounds.upper - bounds.lower < 30);
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(narrowed > 10, "{narrowed}");
}

/// Solving the last ply takes too long for a test, so it is given as a journal, from the embedded book.
#[test]
fn building_resumes_from_the_journal() {
    let embedded = Book::embedded();
    let plies = embedded.plies().min(3);
    let mut layer = vec![position("")];
    for _ in 0..plies {
        layer = layer.iter().flat_map(|p| p.legal_moves().map(|c| p.after(c)).collect::<Vec<_>>()).collect();
    }
    let journal = layer.iter().filter_map(|position| embedded.entry(position));
    let (mut appended, mut done) = (0, (0, 0));
    let stop = AtomicBool::new(false);
    let mut solvers = [Solver::new(1 << 20), Solver::new(1 << 20)];
    let (append, progress) = (|_| appended += 1, |now: book::Progress| done = (now.done, now.total));
    let made = book::make(plies, &mut solvers, &SingleThread, journal, append, progress, &stop).unwrap();
    assert_eq!(appended, 0);
    assert_eq!(done.0, done.1);
    for position in &layer {
        assert_eq!(made.score(position), embedded.score(position));
    }
    assert_eq!(made.score(&self::position("")), Some(1));
    let (solvers, stop) = (&mut [Solver::new(0)], AtomicBool::new(true));
    let stopped = book::make(1, solvers, &SingleThread, [], |_| (), |_| (), &stop);
    assert!(matches!(stopped, Err(SolveError::Stopped(_))));
}

#[test]
fn journal_entries_round_trip() {
    for entry in [Entry { key: 0, score: 1 }, Entry { key: (1 << 49) - 1, score: -18 }] {
        assert_eq!(Entry::from_bytes(entry.to_bytes()), entry);
    }
}

#[test]
fn corrupt_bytes_are_rejected() {
    let bytes = Book::embedded().to_bytes();
    assert_eq!(Book::from_bytes(b""), Err(BookError::Magic));
    assert_eq!(Book::from_bytes(b"something else"), Err(BookError::Magic));
    let expected = bytes.len();
    for found in [expected - 1, expected + 1] {
        let mut other = bytes.clone();
        other.resize(found, 0);
        assert_eq!(Book::from_bytes(&other), Err(BookError::Length { found, expected: expected as u64 }));
    }
    assert_eq!(Book::from_bytes(&bytes[..7]), Err(BookError::Length { found: 7, expected: 18 }));
    let mut changed = bytes.clone();
    changed[expected / 2] ^= 4;
    assert_eq!(Book::from_bytes(&changed), Err(BookError::Checksum));
    let mut newer = bytes.clone();
    newer[4] = 9;
    assert_eq!(Book::from_bytes(&newer), Err(BookError::Version(9)));
    let mut many = bytes;
    many[6..10].fill(0xff);
    assert!(matches!(Book::from_bytes(&many), Err(BookError::Length { .. })));
}
