//! The cells that renju forbids, by both implementations of the rules.

use crate::common::start;
use crate::naive::Naive;
use alinea_rules::{AnyGame, Cell, SetupError};

/// Puts the stones of a picture on the board, the first player to move.
fn set_up(game: &mut AnyGame, board: &[Vec<char>]) -> Result<(), SetupError> {
    let row = |letters: &Vec<char>| {
        let mut text: String = letters.iter().collect();
        for length in (1..=letters.len()).rev() {
            text = text.replace(&".".repeat(length), &length.to_string());
        }
        text
    };
    let rows: Vec<String> = board.iter().map(row).collect();
    game.set_position(&format!("{} w", rows.join("/")))
}

/// The forbidden cells of a position with the reasons, by the crate.
fn forbidden(game: &AnyGame) -> Vec<(String, String)> {
    let named = |foul| format!("{foul:?}");
    let mut cells: Vec<_> =
        game.view().forbidden.iter().map(|each| (each.cell.to_string(), named(each.foul))).collect();
    cells.sort();
    cells
}

/// A picture of a board: rows from the top, `x` and `o` stones, a dot for an empty cell, and letters for the cells that
/// the first player must not take: `l` for an overline, `f` for a double four, `t` for a double three.
fn assert_forbidden(rows: [&str; 9]) {
    println!("{}", rows.join("\n"));
    let mut game = start("gomoku:15x15x5:renju");
    let letter = |c| if "xo".contains(c) { c } else { '.' };
    let picture: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let mut board = vec![vec!['.'; 15]; 15];
    let mut expected = Vec::new();
    let mut stones = [0, 0];
    for (down, row) in picture.iter().enumerate() {
        for (column, &c) in row.iter().enumerate() {
            board[down + 3][column + 3] = letter(c);
            let name = Cell::new(column as u8 + 3, 11 - down as u8).to_string();
            match c {
                'x' => stones[0] += 1,
                'o' => stones[1] += 1,
                'l' => expected.push((name, "Overline".to_owned())),
                'f' => expected.push((name, "DoubleFour".to_owned())),
                't' => expected.push((name, "DoubleThree".to_owned())),
                _ => assert_eq!(c, '.'),
            }
        }
    }
    // The second player's other stones are far from all that matters, in the corners of two edges.
    let far = (0..15).step_by(2).map(|i| (0, i)).chain((1..15).step_by(2).map(|i| (14, i)));
    for (row, column) in far {
        if stones[1] < stones[0] {
            board[row][column] = 'o';
            stones[1] += 1;
        }
    }
    assert_eq!(stones[0], stones[1]);
    set_up(&mut game, &board).unwrap();
    expected.sort();
    assert_eq!(forbidden(&game), expected);
    for (name, _) in expected {
        assert!(game.play(&name).is_err());
    }
}

#[test]
fn fouls_are_those_of_the_rules() {
    // Two open threes.
    assert_forbidden([
        ".........",
        ".........",
        ".........",
        "....x....",
        "....x....",
        "..xxt....",
        ".........",
        ".........",
        ".........",
    ]);
    // A three that is closed at one end does not count.
    assert_forbidden([
        ".........",
        ".........",
        "....o....",
        "....x....",
        "....x....",
        "..xx.....",
        ".........",
        ".........",
        ".........",
    ]);
    // A four and a three are allowed.
    assert_forbidden([
        ".........",
        ".........",
        ".........",
        "....x....",
        "....x....",
        ".xxx.....",
        ".........",
        ".........",
        ".........",
    ]);
    // Two fours, open or closed.
    assert_forbidden([
        ".........",
        "....x....",
        "....x....",
        "....x....",
        ".xxxf....",
        ".........",
        ".........",
        ".........",
        ".........",
    ]);
    // Two fours in one line.
    assert_forbidden([
        ".........",
        ".........",
        ".........",
        ".........",
        ".x.xfx.x.",
        ".........",
        ".........",
        ".........",
        ".........",
    ]);
    // Six in a line; five in another line makes up for it.
    assert_forbidden([
        ".........",
        ".........",
        ".........",
        ".........",
        "xxxlxx...",
        ".........",
        ".........",
        ".........",
        ".........",
    ]);
    assert_forbidden([
        "...x.....",
        "...x.....",
        "..tx.....",
        "...x.....",
        "xxx.xx...",
        ".........",
        ".........",
        ".........",
        ".........",
    ]);
}

#[test]
fn random_positions_have_the_same_forbidden_cells() {
    assert_same_in_random_positions(1000);
}

#[test]
#[ignore = "takes long: make test-all"]
fn many_random_positions_have_the_same_forbidden_cells() {
    assert_same_in_random_positions(12_000);
}

/// Compares dense random positions, most of them not near the edges.
fn assert_same_in_random_positions(positions: u64) {
    let mut found = std::collections::BTreeMap::<String, usize>::new();
    let mut compared = 0;
    for seed in 0..positions {
        let mut rng = fastrand::Rng::with_seed(seed);
        let spec = if seed % 4 == 0 { "gomoku:9x8x5:renju" } else { "gomoku:15x15x5:renju" };
        let mut game = start(spec);
        let (rows, cols) = (game.view().rows, game.view().cols);
        let side = rng.u8(5..=rows.min(cols));
        let (right, up) = (rng.u8(0..=cols - side), rng.u8(0..=rows - side));
        let mut cells: Vec<Cell> =
            (0..side).flat_map(|c| (0..side).map(move |r| Cell::new(right + c, up + r))).collect();
        rng.shuffle(&mut cells);
        // The first player has most stones where it matters, the second the rest of them far away.
        let mut board = vec![vec!['.'; cols.into()]; rows.into()];
        let own = rng.usize(4..=cells.len() / 3);
        let near = rng.usize(0..=own);
        for (n, cell) in cells.iter().enumerate().take(own + near) {
            board[usize::from(rows - 1 - cell.row)][usize::from(cell.column)] =
                if n < own { 'x' } else { 'o' };
        }
        let mut left = own - near;
        for (row, column) in
            (0..usize::from(rows)).flat_map(|row| (0..usize::from(cols)).map(move |c| (row, c)))
        {
            let is_sparse = (row * 2 + column) % 5 == 0 && board[row][column] == '.';
            if left > 0 && is_sparse {
                board[row][column] = 'o';
                left -= 1;
            }
        }
        if left > 0 || set_up(&mut game, &board).is_err() || game.outcome().is_some() {
            continue;
        }
        compared += 1;
        let naive = Naive::at_position(spec, &board);
        let position = game.position();
        let mut expected: Vec<_> = naive
            .fouls()
            .into_iter()
            .inspect(|(_, foul)| *found.entry((*foul).to_owned()).or_default() += 1)
            .map(|(cell, foul)| (cell, foul.to_owned()))
            .collect();
        expected.sort();
        assert_eq!(forbidden(&game), expected, "{position}");
    }
    println!("{compared} positions, {found:?}");
    assert!(compared > positions / 2);
    assert!(found.len() == 3 && found.values().all(|&count| count > positions as usize / 20), "{found:?}");
}
