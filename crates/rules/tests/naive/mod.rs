//! The rules of the games once more, written with loops over a board of letters and as close to
//! their wording as possible. It shares no code with the crate: text goes in, text comes out.

use std::collections::{HashMap, HashSet};

/// Columns and rows to go along a row, a column and the two diagonals.
const LINES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
const KNIGHT: [(isize, isize); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const STRAIGHT: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Marks on any empty cell.
    Marks,
    ConnectFour,
    Simplexity,
    ChessFive,
    PopOut,
}

/// A column and a row, both from zero.
type Cell = (isize, isize);

#[derive(Clone)]
pub(crate) struct Naive {
    kind: Kind,
    rows: isize,
    cols: isize,
    run: usize,
    /// Of Gomoku: `standard`, `renju`, or nothing.
    rules: String,
    /// The letters of pieces that are all alike, by side.
    stones: [char; 2],
    /// The letters of the pieces as in a written position, by row and column.
    board: Vec<Vec<Option<char>>>,
    /// How many of each letter are still to be placed.
    hand: HashMap<char, usize>,
    plies: usize,
    /// How often each position has occurred, where that matters: in PopOut, and in the chess phase.
    seen: HashMap<String, usize>,
    /// The pieces that have formed a run, and whom they make the winner.
    decision: Option<(&'static str, &'static str)>,
}

impl Naive {
    pub(crate) fn new(spec: &str) -> Self {
        let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
        let numbers: Vec<usize> = options.split(['x', ':', '+']).filter_map(|n| n.parse().ok()).collect();
        let (kind, rows, cols, run) = match (name, &numbers[..]) {
            ("tic-tac-toe", _) => (Kind::Marks, 3, 3, 3),
            ("connect-four", &[rows, cols, run]) => (Kind::ConnectFour, rows, cols, run),
            ("simplexity", &[rows, cols, run, ..]) => (Kind::Simplexity, rows, cols, run),
            ("chess-five", _) => (Kind::ChessFive, 8, 8, 5),
            ("gomoku", &[rows, cols, run]) => (Kind::Marks, rows, cols, run),
            ("popout", &[rows, cols, run]) => (Kind::PopOut, rows, cols, run),
            ("dummy", _) => (Kind::Marks, 2, 4, 3),
            _ => panic!("unknown spec {spec}"),
        };
        let hand: Vec<(char, usize)> = match kind {
            Kind::Marks | Kind::ConnectFour | Kind::PopOut => vec![],
            Kind::Simplexity => {
                let half = (rows * cols).div_ceil(2);
                let round = *numbers.get(3).unwrap_or(&(half / 2));
                let square = *numbers.get(4).unwrap_or(&(half - half / 2));
                vec![('w', round), ('W', square), ('r', round), ('R', square)]
            }
            Kind::ChessFive => {
                "RNBQKrnbqk".chars().map(|c| (c, if "QKqk".contains(c) { 1 } else { 2 })).collect()
            }
        };
        let mut start = Self {
            kind,
            rows: rows as isize,
            cols: cols as isize,
            run,
            rules: if name == "gomoku" {
                options.split(':').nth(1).unwrap_or("").into()
            } else {
                String::new()
            },
            stones: if name == "dummy" { ['p', 'm'] } else { ['x', 'o'] },
            board: vec![vec![None; cols]; rows],
            hand: hand.into_iter().collect(),
            plies: 0,
            seen: HashMap::new(),
            decision: None,
        };
        start.note();
        start
    }

    /// A position of Gomoku, from its rows from the top.
    pub(crate) fn at_position(spec: &str, rows: &[Vec<char>]) -> Self {
        let mut naive = Self::new(spec);
        for (row, letters) in rows.iter().rev().enumerate() {
            for (column, &letter) in letters.iter().enumerate() {
                naive.board[row][column] = "xo".contains(letter).then_some(letter);
                naive.plies += usize::from("xo".contains(letter));
            }
        }
        naive
    }

    pub(crate) fn turn(&self) -> &'static str {
        if self.plies.is_multiple_of(2) { "first" } else { "second" }
    }

    pub(crate) fn plies(&self) -> usize {
        self.plies
    }

    pub(crate) fn outcome(&self) -> Option<&'static str> {
        if let Some((_, winner)) = self.decision {
            return Some(winner);
        }
        let chess_phase = self.kind == Kind::ChessFive && self.plies >= 16;
        let too_often = self.seen.get(&self.position()).is_some_and(|&often| often >= 3);
        let too_long = chess_phase && self.plies - 16 >= 200;
        (too_often || too_long || self.possible_moves().is_empty()).then_some("draw")
    }

    pub(crate) fn legal_moves(&self) -> Vec<String> {
        if self.outcome().is_some() { vec![] } else { self.possible_moves() }
    }

    pub(crate) fn play(&mut self, m: &str) {
        assert!(self.legal_moves().iter().any(|legal| legal == m), "{m} is not legal");
        let first = self.turn() == "first";
        let stone = self.stones[usize::from(!first)];
        match self.kind {
            Kind::Marks => self.put(parse_cell(m), Some(stone)),
            Kind::PopOut if m.ends_with('p') => {
                let column = m.trim_end_matches('p').parse::<isize>().unwrap() - 1;
                for row in 0..self.rows {
                    self.put((column, row), self.at((column, row + 1)));
                }
            }
            Kind::ConnectFour | Kind::PopOut => self.drop(m.parse::<isize>().unwrap() - 1, stone),
            Kind::Simplexity => {
                let (column, shape) = m.split_at(m.len() - 1);
                let letter = match (first, shape) {
                    (true, "r") => 'w',
                    (true, _) => 'W',
                    (false, "r") => 'r',
                    (false, _) => 'R',
                };
                self.drop(column.parse::<isize>().unwrap() - 1, letter);
                *self.hand.get_mut(&letter).unwrap() -= 1;
            }
            Kind::ChessFive if self.plies < 16 => {
                let letter = self.own(m.chars().next().unwrap());
                self.drop(column_number(&m[2..]), letter);
                *self.hand.get_mut(&letter).unwrap() -= 1;
            }
            Kind::ChessFive => {
                let (from, to) = (parse_cell(&m[..2]), parse_cell(&m[2..]));
                self.put(to, self.at(from));
                self.put(from, None);
            }
        }
        self.plies += 1;
        self.decision = self.decide();
        self.note();
    }

    fn note(&mut self) {
        if self.kind == Kind::PopOut || self.kind == Kind::ChessFive && self.plies >= 16 {
            *self.seen.entry(self.position()).or_default() += 1;
        }
    }

    /// The position, written down.
    pub(crate) fn position(&self) -> String {
        let mut rows = Vec::new();
        for row in (0..self.rows).rev() {
            let mut text = String::new();
            let mut empty = 0;
            for column in 0..self.cols {
                match self.at((column, row)) {
                    None => empty += 1,
                    Some(letter) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.push(letter);
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            rows.push(text);
        }
        let mut text = rows.join("/");
        if self.kind == Kind::ChessFive {
            let hand: String = "RNBQKrnbqk".chars().flat_map(|c| vec![c; self.hand[&c]]).collect();
            text += &format!("[{hand}]");
        }
        text + if self.turn() == "first" { " w" } else { " b" }
    }

    /// Whether these cells, in this order, are the winning line: the whole line of at least a run of
    /// pieces that belong together, in Simplexity just a run of it.
    pub(crate) fn confirms_line(&self, line: &[String]) -> bool {
        let Some((group, _)) = self.decision else { return false };
        let cells: Vec<Cell> = line.iter().map(|cell| parse_cell(cell)).collect();
        let belongs = |cell: &Cell| self.at(*cell).is_some_and(|letter| group.contains(letter));
        let straight = LINES.iter().any(|&way| cells.windows(2).all(|two| step(two[0], way, 1) == two[1]));
        let long_enough = match self.kind {
            Kind::Simplexity => cells.len() == self.run,
            _ if self.rules == "standard" || self.rules == "renju" && group == "xp" => {
                cells.len() == self.run && self.ends_beyond(&cells, belongs)
            }
            _ => cells.len() >= self.run && self.ends_beyond(&cells, belongs),
        };
        straight && long_enough && cells.iter().all(belongs)
    }

    /// Whether the line ends at both ends.
    fn ends_beyond(&self, cells: &[Cell], belongs: impl Fn(&Cell) -> bool) -> bool {
        let (first, second, last) = (cells[0], cells[1], cells[cells.len() - 1]);
        let way = (second.0 - first.0, second.1 - first.1);
        !belongs(&step(first, way, -1)) && !belongs(&step(last, way, 1))
    }

    /// Looks for a run of each group of pieces: shapes before colours, the side that has just moved before the other.
    fn decide(&self) -> Option<(&'static str, &'static str)> {
        let groups: &[(&str, &str)] = match self.kind {
            // The side that has just moved comes first.
            Kind::PopOut if self.turn() == "first" => &[("o", "second"), ("x", "first")],
            Kind::Marks | Kind::ConnectFour | Kind::PopOut => &[("xp", "first"), ("om", "second")],
            Kind::Simplexity => &[("wr", "first"), ("WR", "second"), ("wW", "first"), ("rR", "second")],
            Kind::ChessFive => &[("RNBQK", "first"), ("rnbqk", "second")],
        };
        groups.iter().copied().find(|(group, _)| {
            let belongs = |cell| self.at(cell).is_some_and(|letter| group.contains(letter));
            let is_exact = self.rules == "standard" || self.rules == "renju" && *group == "xp";
            let is_whole = |cell, way| {
                let line: Vec<Cell> = (0..self.run as isize).map(|n| step(cell, way, n)).collect();
                line.iter().all(|&cell| belongs(cell)) && self.ends_beyond(&line, |&cell| belongs(cell))
            };
            if is_exact {
                self.cells().any(|cell| LINES.iter().any(|&way| is_whole(cell, way)))
            } else {
                has_run(self.rows, self.cols, self.run, belongs)
            }
        })
    }

    /// The moves, were the game not over.
    fn possible_moves(&self) -> Vec<String> {
        let open = (0..self.cols).filter(|&column| self.is_empty((column, self.rows - 1)));
        let first = self.turn() == "first";
        match self.kind {
            Kind::Marks => {
                let forbidden = self.fouls();
                let names = self.cells().filter(|cell| self.is_empty(*cell)).map(cell_name);
                names.filter(|name| forbidden.iter().all(|(cell, _)| cell != name)).collect()
            }
            Kind::ConnectFour => open.map(|column| (column + 1).to_string()).collect(),
            Kind::PopOut => {
                let own = Some(self.stones[usize::from(!first)]);
                let pops = (0..self.cols).filter(|&column| self.at((column, 0)) == own);
                let names = open.map(|column| (column + 1).to_string());
                names.chain(pops.map(|column| format!("{}p", column + 1))).collect()
            }
            Kind::Simplexity => {
                let shapes = if first { [('w', 'r'), ('W', 's')] } else { [('r', 'r'), ('R', 's')] };
                let left: Vec<char> = shapes
                    .iter()
                    .filter(|(letter, _)| self.hand[letter] > 0)
                    .map(|&(_, shape)| shape)
                    .collect();
                open.flat_map(|column| left.iter().map(move |shape| format!("{}{shape}", column + 1)))
                    .collect()
            }
            Kind::ChessFive if self.plies < 16 => {
                let men: Vec<char> = "RNBQK".chars().filter(|&man| self.hand[&self.own(man)] > 0).collect();
                open.flat_map(|column| men.iter().map(move |man| format!("{man}@{}", column_name(column))))
                    .collect()
            }
            Kind::ChessFive => self
                .cells()
                .filter_map(|from| Some((from, self.at(from)?)))
                .filter(|(_, letter)| letter.is_uppercase() == first)
                .flat_map(|(from, letter)| {
                    let to = self.reached(from, letter.to_ascii_uppercase());
                    to.into_iter().map(move |to| cell_name(from) + &cell_name(to))
                })
                .collect(),
        }
    }

    /// What the first player must not make with a stone on an empty cell, in the words of the rules; `more` are stones of
    /// the first player besides those on the board.
    fn foul(&self, more: &[Cell], cell: Cell) -> Option<&'static str> {
        // Any foul takes four other stones that are in line with the cell and near.
        let near = || {
            LINES
                .into_iter()
                .flat_map(|way| (1..=5).flat_map(move |n| [step(cell, way, n), step(cell, way, -n)]))
        };
        if near().filter(|near| self.is_own(more, *near)).count() < 4 {
            return None;
        }
        let with = [more, &[cell]].concat();
        let lengths = LINES.map(|way| self.unbroken(&with, cell, way).len());
        if lengths.contains(&5) {
            return None;
        }
        if lengths.iter().any(|&length| length > 5) {
            return Some("Overline");
        }
        let mut fours = HashSet::new();
        let mut threes = HashSet::new();
        for next in near().filter(|next| self.is_empty(*next) && !with.contains(next)) {
            let then = [&with[..], &[next]].concat();
            let others =
                |line: &[Cell]| line.iter().copied().filter(|cell| *cell != next).collect::<Vec<_>>();
            let lines = LINES.map(|way| (way, self.unbroken(&then, next, way)));
            for (_, line) in &lines {
                if line.len() == 5 && line.contains(&cell) {
                    fours.insert(others(line));
                }
            }
            let open_fours: Vec<_> = lines
                .iter()
                .filter(|(way, line)| {
                    line.len() == 4 && line.contains(&cell) && self.is_open(&then, line, *way)
                })
                .map(|(_, line)| others(line))
                .collect();
            let makes_five = lines.iter().any(|(_, line)| line.len() == 5);
            if !open_fours.is_empty() && !makes_five && self.foul(&with, next).is_none() {
                threes.extend(open_fours);
            }
        }
        match (fours.len(), threes.len()) {
            (2.., _) => Some("DoubleFour"),
            (_, 2..) => Some("DoubleThree"),
            _ => None,
        }
    }

    /// The forbidden cells of the side to move.
    pub(crate) fn fouls(&self) -> Vec<(String, &'static str)> {
        let is_bound = self.rules == "renju" && self.turn() == "first";
        let empty = self.cells().filter(|cell| is_bound && self.is_empty(*cell));
        empty.filter_map(|cell| Some((cell_name(cell), self.foul(&[], cell)?))).collect()
    }

    /// Whether a stone of the first player at either end of a four makes exactly five.
    fn is_open(&self, more: &[Cell], four: &[Cell], way: (isize, isize)) -> bool {
        let ends = [step(four[0], way, -1), step(four[3], way, 1)];
        ends.into_iter().all(|end| {
            let then = [more, &[end]].concat();
            self.is_empty(end) && !more.contains(&end) && self.unbroken(&then, end, way).len() == 5
        })
    }

    fn is_own(&self, more: &[Cell], cell: Cell) -> bool {
        more.contains(&cell) || self.at(cell) == Some('x')
    }

    /// The whole line of the first player's stones through this one, from its beginning.
    fn unbroken(&self, more: &[Cell], cell: Cell, way: (isize, isize)) -> Vec<Cell> {
        let is_own = |cell: &Cell| self.is_own(more, *cell);
        let behind = (1..).map(|n| step(cell, way, -n)).take_while(is_own).count() as isize;
        (-behind..).map(|n| step(cell, way, n)).take_while(is_own).collect()
    }

    fn reached(&self, from: Cell, man: char) -> Vec<Cell> {
        let (ways, furthest): (Vec<_>, _) = match man {
            'R' => (STRAIGHT.to_vec(), 7),
            'B' => (DIAGONAL.to_vec(), 7),
            'Q' => ([STRAIGHT, DIAGONAL].concat(), 7),
            'K' => ([STRAIGHT, DIAGONAL].concat(), 1),
            _ => (KNIGHT.to_vec(), 1),
        };
        let ray = |way| (1..=furthest).map(move |n| step(from, way, n)).take_while(|to| self.is_empty(*to));
        ways.into_iter().flat_map(ray).collect()
    }

    /// The letter of the mover's piece of this kind.
    fn own(&self, man: char) -> char {
        if self.turn() == "first" { man } else { man.to_ascii_lowercase() }
    }

    fn drop(&mut self, column: isize, letter: char) {
        let row = (0..self.rows).find(|&row| self.is_empty((column, row))).expect("the column is open");
        self.put((column, row), Some(letter));
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.rows).flat_map(move |row| (0..self.cols).map(move |column| (column, row)))
    }

    fn put(&mut self, (column, row): Cell, letter: Option<char>) {
        self.board[row as usize][column as usize] = letter;
    }

    /// The piece on a cell; nothing is outside the board.
    fn at(&self, (column, row): Cell) -> Option<char> {
        let row = self.board.get(usize::try_from(row).ok()?)?;
        *row.get(usize::try_from(column).ok()?)?
    }

    /// Whether the board has this cell and nothing is on it.
    fn is_empty(&self, cell: Cell) -> bool {
        (0..self.cols).contains(&cell.0) && (0..self.rows).contains(&cell.1) && self.at(cell).is_none()
    }
}

/// Whether somewhere on the board `run` cells in a line all have a property.
pub(crate) fn has_run(rows: isize, cols: isize, run: usize, has: impl Fn(Cell) -> bool) -> bool {
    let on_board = |(column, row): Cell| (0..cols).contains(&column) && (0..rows).contains(&row);
    (0..rows).any(|row| {
        (0..cols).any(|column| {
            LINES.iter().any(|&way| {
                let mut line = (0..run as isize).map(|n| step((column, row), way, n));
                line.all(|cell| on_board(cell) && has(cell))
            })
        })
    })
}

fn step(from: Cell, way: (isize, isize), times: isize) -> Cell {
    (from.0 + times * way.0, from.1 + times * way.1)
}

fn cell_name((column, row): Cell) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// Boards on which moves name cells have at most 26 columns.
fn column_name(column: isize) -> String {
    char::from(b'a' + column as u8).to_string()
}

fn parse_cell(name: &str) -> Cell {
    let (letters, row) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap());
    (column_number(letters), row.parse::<isize>().unwrap() - 1)
}

/// a = 0 … z = 25, aa = 26 …
fn column_number(letters: &str) -> isize {
    letters.bytes().fold(0, |number, letter| number * 26 + isize::from(letter - b'a') + 1) - 1
}
