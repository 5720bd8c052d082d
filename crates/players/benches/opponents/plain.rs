//! Minimax as the original document describes it: an array of cells, windows counted one by one, every
//! move tried. The baseline of the benchmark.

const ROWS: usize = 6;
const COLS: usize = 7;
const WIN: i64 = 1000;

/// Rows from the top; `b'x'`, `b'o'` or a space.
pub(crate) struct Board([[u8; COLS]; ROWS]);

impl Board {
    pub(crate) fn read(position: &str) -> Self {
        let mut cells = [[b' '; COLS]; ROWS];
        let rows = position.split([' ', '/']);
        for (row, text) in cells.iter_mut().zip(rows) {
            let mut column = 0;
            for byte in text.bytes() {
                if byte.is_ascii_digit() {
                    column += usize::from(byte - b'0');
                } else {
                    row[column] = byte;
                    column += 1;
                }
            }
        }
        Self(cells)
    }

    fn landing(&self, column: usize) -> Option<usize> {
        (0..ROWS).rev().find(|&row| self.0[row][column] == b' ')
    }

    fn windows() -> impl Iterator<Item = [(usize, usize); 4]> {
        let starts = (0..ROWS).flat_map(|row| (0..COLS).map(move |column| (row, column)));
        starts.flat_map(|(row, column)| {
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().filter_map(move |(down, right)| {
                let cell = |i: usize| Some((row + i * down, column.checked_add_signed(right * i as isize)?));
                let (last_row, last_column) = cell(3)?;
                let fits = last_row < ROWS && last_column < COLS;
                fits.then(|| [0, 1, 2, 3].map(|i| cell(i).expect("within the board")))
            })
        })
    }

    fn has_four(&self, piece: u8) -> bool {
        Self::windows().any(|window| window.iter().all(|&(row, column)| self.0[row][column] == piece))
    }

    fn value(&self) -> i64 {
        let mut value = 0;
        for window in Self::windows() {
            let count =
                |piece| window.iter().filter(|&&(row, column)| self.0[row][column] == piece).count() as i64;
            let (own, opponent) = (count(b'o'), count(b'x'));
            if own == 0 || opponent == 0 {
                value += own - opponent;
            }
        }
        value + self.open_row()
    }

    fn open_row(&self) -> i64 {
        for row in 0..ROWS {
            for column in 0..COLS - 4 {
                let ends = [column, column + 4];
                let piece = self.0[row][column + 1];
                let is_row = piece != b' ' && (1..4).all(|i| self.0[row][column + i] == piece);
                if is_row && ends.iter().all(|&end| self.landing(end) == Some(row)) {
                    return if piece == b'o' { 500 } else { -500 };
                }
            }
        }
        0
    }
}

/// The value for the second player, whose turn it is if `is_player`.
pub(crate) fn minimax(board: &mut Board, depth: u32, is_player: bool) -> i64 {
    let moves: Vec<_> = (0..COLS).filter_map(|column| Some((board.landing(column)?, column))).collect();
    if depth == 0 || moves.is_empty() {
        return board.value();
    }
    let piece = if is_player { b'o' } else { b'x' };
    let mut values = Vec::new();
    for &(row, column) in &moves {
        board.0[row][column] = piece;
        let wins = board.has_four(piece);
        board.0[row][column] = b' ';
        if wins {
            return if is_player { WIN } else { -WIN };
        }
    }
    for (row, column) in moves {
        board.0[row][column] = piece;
        values.push(minimax(board, depth - 1, !is_player));
        board.0[row][column] = b' ';
    }
    let best = if is_player { values.into_iter().max() } else { values.into_iter().min() };
    best.expect("there are moves")
}
