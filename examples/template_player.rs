//! A template for a Connect Four player in Rust: it keeps track of the columns and plays near the centre.
//! Improve `choose`. It needs no library: `rustc -O examples/template_player.rs`.

use std::io::stdin;

const ROWS: usize = 6;
const COLS: usize = 7;

/// The pieces of each column from the bottom: 0 are the first player's, 1 the second's.
type Columns = [Vec<usize>; COLS];

/// Chooses a column with room, counted from 0, for the side to move, which is 0 or 1.
fn choose(columns: &Columns, _turn: usize) -> usize {
    let free = (0..COLS).filter(|&col| columns[col].len() < ROWS);
    free.min_by_key(|col| col.abs_diff(COLS / 2)).unwrap_or(0)
}

/// Parses the arguments of `position`: `startpos` or `fen BOARD SIDE`, then optionally `moves M…`.
fn read(words: &[&str]) -> Option<(Columns, usize)> {
    let (mut columns, mut turn) = (Columns::default(), 0);
    if words.first() == Some(&"fen") {
        turn = usize::from(*words.get(2)? == "b");
        // Rows come from the top; a number stands for that many empty cells.
        for row in words.get(1)?.split('/').rev() {
            let mut col = 0;
            for c in row.chars() {
                if !c.is_ascii_digit() {
                    columns.get_mut(col)?.push(usize::from(c == 'o'));
                }
                col += c.to_digit(10).unwrap_or(1) as usize;
            }
        }
    }
    for word in words.iter().skip_while(|word| **word != "moves").skip(1) {
        columns.get_mut(word.parse::<usize>().ok()?.checked_sub(1)?)?.push(turn);
        turn = 1 - turn;
    }
    Some((columns, turn))
}

fn main() {
    let (mut columns, mut turn) = (Columns::default(), 0);
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"ugi") => println!("id name Template in Rust\nugiok"),
            Some(&"isready") => println!("readyok"),
            Some(&"position") => (columns, turn) = read(&words[1..]).unwrap_or((columns, turn)),
            Some(&"go") => println!("bestmove {}", choose(&columns, turn) + 1),
            Some(&"quit") => return,
            _ => {}
        }
    }
}
