//! The engine's opening books: the first moves of Simplexity and the first drops of ChessFive, searched
//! longer than a person would wait.
//!
//! A line of `books/*.txt` has three columns, separated by tabs: the moves that lead to a position, the move
//! to play there, and its search depth in plies. A position and its mirror image share one line. The files
//! are written by `alinea book engine-simplexity` and `alinea book engine-chess-five`.

use std::sync::LazyLock;

use rules::{AnyGame, Geometry, Position, Spec, with_game};

/// The number of plies that books cover.
pub const PLIES: usize = 4;

/// Keys of a few hundred positions, with the moves as text and the search depths.
pub(super) type Book = Vec<(u64, String, u32)>;

pub(super) static CHESS_FIVE: LazyLock<Book> =
    LazyLock::new(|| read("chess-five", include_str!("books/chess_five.txt")));
pub(super) static SIMPLEXITY: LazyLock<Book> =
    LazyLock::new(|| read("simplexity", include_str!("books/simplexity.txt")));

/// Finds the move of a book and its search depth, if the book has the position.
pub(super) fn find<P: Position>(book: &LazyLock<Book>, position: &P) -> Option<(P::Move, u32)> {
    if usize::from(position.ply()) >= PLIES {
        return None;
    }
    let (m, depth) = at(book, position.key())?;
    let m = m.parse().ok()?;
    position.is_legal(m).then_some((m, depth))
}

fn at(book: &Book, key: u64) -> Option<(&str, u32)> {
    book.iter().find(|entry| entry.0 == key).map(|(_, m, depth)| (&**m, *depth))
}

fn read(game: &str, text: &str) -> Book {
    let spec: Spec = game.parse().expect("a game");
    let mut book = Book::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (moves, m, depth) = entry(line);
        for mirror in [false, true] {
            let text = |m: &str| if mirror { mirrored(spec, m) } else { m.to_owned() };
            let moves: Vec<_> = moves.split_whitespace().map(text).collect();
            // In a symmetric position the first is found, whose move is not mirrored.
            book.push((key(&after(spec, &moves)), text(m), depth));
        }
    }
    book
}

/// A line of a book: moves, move, depth.
fn entry(line: &str) -> (&str, &str, u32) {
    let mut words = line.split('\t');
    let mut next = || words.next().expect("a book line is moves, a move and a depth");
    (next(), next(), next().parse().expect("a depth is a number"))
}

/// The game after these moves.
///
/// # Panics
/// If they cannot be played.
#[must_use]
pub fn after(spec: Spec, moves: &[String]) -> AnyGame {
    let mut game = AnyGame::from(spec);
    game.play_all(&moves.join(" ")).expect("the book holds games");
    game
}

/// The key of the position of a game.
#[must_use]
pub fn key(game: &AnyGame) -> u64 {
    with_game!(&game, game => game.position().key())
}

/// The mirror image of a move.
///
/// # Panics
/// If it is not a move of a game that has a book.
#[must_use]
pub fn mirrored(spec: Spec, m: &str) -> String {
    match spec {
        Spec::ChessFive(_) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_books_answer_every_first_move() {
        for (spec, book) in [("chess-five", &CHESS_FIVE), ("simplexity", &SIMPLEXITY)] {
            let spec: Spec = spec.parse().unwrap();
            let start = AnyGame::from(spec);
            assert!(at(book, key(&start)).is_some());
            for m in start.legal_moves() {
                let game = after(spec, std::slice::from_ref(&m));
                let (answer, _) = at(book, key(&game)).unwrap_or_else(|| panic!("{m} has no answer"));
                assert!(game.legal_moves().iter().any(|m| m == answer), "{m} {answer}");
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
                let (moves, m, _) = entry(line);
                let image: Vec<_> = moves.split_whitespace().map(|m| mirrored(spec, m)).collect();
                let (answer, _) = at(&book, key(&after(spec, &image))).unwrap();
                assert!(answer == mirrored(spec, m) || image.join(" ") == moves || answer == m, "{line}");
            }
        }
    }
}
