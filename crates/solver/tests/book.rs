//! The embedded book, how a book is built, and that corrupt bytes are rejected.

mod common;

use std::sync::atomic::AtomicBool;

use alinea_solver::{
    Book, SolveError, Solver,
    book::{self, BookError, Entry},
};
use common::position;
use rules::Position;

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
    // The score of a position is that of its best move.
    let mut layer = vec![position("")];
    for ply in 0..book.plies() {
        let mut next = Vec::new();
        for position in &layer {
            let children: Vec<_> = position.legal_moves().map(|column| position.after(column)).collect();
            let best = children.iter().map(|child| -book.score(child).unwrap()).max();
            assert_eq!(book.score(position), best, "ply {ply}");
            next.extend(children);
        }
        layer = next;
    }
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
    let mut solver = Solver::new(1 << 20);
    let made =
        book::make(plies, &mut solver, journal, |_| appended += 1, |now| done = (now.done, now.total), &stop)
            .unwrap();
    assert_eq!(appended, 0);
    assert_eq!(done.0, done.1);
    for position in &layer {
        assert_eq!(made.score(position), embedded.score(position));
    }
    assert_eq!(made.score(&self::position("")), Some(1));
    let stopped = book::make(1, &mut Solver::new(0), [], |_| (), |_| (), &AtomicBool::new(true));
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
    assert_eq!(Book::from_bytes(&bytes[..bytes.len() - 1]), Err(BookError::Damaged(bytes.len() - 1)));
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(Book::from_bytes(&longer), Err(BookError::Damaged(bytes.len())));
    let mut newer = bytes.clone();
    newer[4] = 9;
    assert_eq!(Book::from_bytes(&newer), Err(BookError::Version(9)));
    let mut many = bytes;
    many[6..10].fill(0xff);
    assert!(matches!(Book::from_bytes(&many), Err(BookError::Damaged(_))));
}
