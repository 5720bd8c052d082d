//! The engine's opening books: the first moves of Simplexity and the first drops of ChessFive, searched
//! longer than a person would wait for.
//!
//! A line of `books/*.txt` is the moves that lead to a position, a tab, and the move to play there, made by
//! `alinea book engine-simplexity` and `alinea book engine-chess-five`. A position and its mirror image are
//! one line.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use rules::{AnyGame, Geometry, Position, Spec, with_game};

use crate::{
    Stop,
    analysis::{Limits, analyse},
};

/// How many positions are looked at for a move of the book.
pub const NODES: u64 = 400_000;
/// How deep that is, about.
pub(super) const DEPTH: u32 = 7;
/// Books end here.
const PLIES: usize = 4;
/// Of a rival's moves all are followed at first, then so many.
const BEST_REPLIES: usize = 3;

/// The keys of positions, and the moves as text.
pub(super) type Book = HashMap<u64, String>;

pub(super) static CHESS_FIVE: LazyLock<Book> =
    LazyLock::new(|| read("chess-five", include_str!("books/chess_five.txt")));
pub(super) static SIMPLEXITY: LazyLock<Book> =
    LazyLock::new(|| read("simplexity", include_str!("books/simplexity.txt")));

/// The move of a book, if it has the position.
pub(super) fn find<P: Position>(book: &LazyLock<Book>, position: &P) -> Option<P::Move> {
    if usize::from(position.ply()) >= PLIES {
        return None;
    }
    let m = book.get(&position.key())?.parse().ok()?;
    position.is_legal(m).then_some(m)
}

fn read(game: &str, text: &str) -> Book {
    let spec: Spec = game.parse().expect("a game");
    let mut book = Book::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (moves, m) = line.split_once('\t').expect("a book line is moves, a tab and a move");
        for mirror in [false, true] {
            let text = |m: &str| if mirror { mirrored(spec, m) } else { m.to_owned() };
            let moves: Vec<_> = moves.split_whitespace().map(text).collect();
            // In a position that is its own mirror image the move stays as it was written.
            book.entry(key(&after(spec, &moves))).or_insert_with(|| text(m));
        }
    }
    book
}

fn after(spec: Spec, moves: &[String]) -> AnyGame {
    let mut game = AnyGame::from(spec);
    game.play_all(&moves.join(" ")).expect("the book holds games");
    game
}

fn key(game: &AnyGame) -> u64 {
    with_game!(&game, game => game.position().key())
}

/// The same move seen in a mirror.
fn mirrored(spec: Spec, m: &str) -> String {
    match spec {
        Spec::ChessFive => {
            let m: rules::ChessFiveMove = m.parse().expect("a move of ChessFive");
            m.mirrored().to_string()
        }
        _ => {
            let m: rules::Drop = m.parse().expect("a move of Simplexity");
            let column = rules::Column::new(rules::Standard::default().cols() - 1 - m.column.index());
            rules::Drop { column, ..m }.to_string()
        }
    }
}

/// Makes a book anew, calling `entry` with the moves to each position and its own.
pub fn make(spec: Spec, stop: &Stop, mut entry: impl FnMut(&[String], &str)) {
    let mut seen = HashSet::new();
    let mut lines = vec![Vec::new()];
    for ply in 0..PLIES {
        let mut next = Vec::new();
        for line in lines {
            if stop.is_raised() {
                return;
            }
            let game = after(spec, &line);
            let count = if ply == 0 { usize::MAX } else { BEST_REPLIES };
            let limits =
                Limits { lines: BEST_REPLIES, nodes: Some(NODES * BEST_REPLIES as u64), ..Limits::default() };
            let found = analyse(&game, &limits, stop, &mut |_| {}).lines;
            let Some(best) = found.first() else { continue };
            entry(&line, &best.moves[0]);
            let replies = match count {
                usize::MAX => game.legal_moves(),
                _ => found.iter().map(|line| line.moves[0].clone()).collect(),
            };
            for m in replies {
                let longer = [&line[..], &[m]].concat();
                let image: Vec<_> = longer.iter().map(|m| mirrored(spec, m)).collect();
                let game = after(spec, &longer);
                let is_new = !seen.contains(&key(&after(spec, &image))) && seen.insert(key(&game));
                if is_new && game.outcome().is_none() {
                    next.push(longer);
                }
            }
        }
        lines = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_books_answer_every_first_move() {
        for (spec, book) in [("chess-five", &CHESS_FIVE), ("simplexity", &SIMPLEXITY)] {
            let spec: Spec = spec.parse().unwrap();
            let start = AnyGame::from(spec);
            assert!(book.contains_key(&key(&start)));
            for m in start.legal_moves() {
                let game = after(spec, std::slice::from_ref(&m));
                let answer = book.get(&key(&game)).unwrap_or_else(|| panic!("{m} has no answer"));
                assert!(game.legal_moves().contains(answer), "{m} {answer}");
            }
        }
    }

    #[test]
    fn images_are_answered_by_images() {
        for (spec, text) in [
            ("chess-five", include_str!("books/chess_five.txt")),
            ("simplexity", include_str!("books/simplexity.txt")),
        ] {
            let (book, spec) = (read(spec, text), spec.parse().unwrap());
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                let (moves, m) = line.split_once('\t').unwrap();
                let image: Vec<_> = moves.split_whitespace().map(|m| mirrored(spec, m)).collect();
                let answer = &book[&key(&after(spec, &image))];
                assert!(*answer == mirrored(spec, m) || image.join(" ") == moves || answer == m, "{line}");
            }
        }
    }
}
