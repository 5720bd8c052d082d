//! Observations: positions as planes of numbers, the same scheme for every game of the table.
//!
//! A plane has the board's rows from the top and its columns from the left, as the board is drawn. The planes are
//! relative to the side that observes; [`Layout::describe`] lists them.

use rules::{Board, Cell, GameInfo, Kind, Side};

/// The planes of a board.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    info: &'static GameInfo,
    rows: u8,
    cols: u8,
    /// What each side has in hand at the start; empty in games without a limited supply.
    hand: Vec<(Kind, u16)>,
    /// The length of the longest game, if positions can repeat, so that the history of a game matters;
    /// otherwise `None`.
    longest_repeating: Option<u16>,
}

impl Layout {
    /// The planes of a board; `start` is the usual start of the game.
    pub(crate) fn new<P: Board>(start: &P) -> Self {
        let cells = u16::from(start.rows()) * u16::from(start.cols());
        Self {
            info: P::info(),
            rows: start.rows(),
            cols: start.cols(),
            hand: start.hand(Side::First),
            longest_repeating: (start.max_plies() > cells).then_some(start.max_plies()),
        }
    }

    /// What each plane holds, in order.
    pub(crate) fn describe(&self) -> Vec<String> {
        let each = |owner: &str, what: &str| -> Vec<String> {
            self.info.pieces.iter().map(|piece| format!("{owner} {}{what}", piece.kind.id())).collect()
        };
        let mut planes = [each("own", ""), each("opponent's", "")].concat();
        planes.push("1 everywhere if the observer is the first player".to_owned());
        if !self.hand.is_empty() {
            planes.extend(each("own", " pieces in hand, as a share of those at the start"));
            planes.extend(each("opponent's", " pieces in hand, as a share of those at the start"));
        }
        if let Some(longest) = self.longest_repeating {
            planes.push(
                "how often the position occurred before, as a share of the number that draws".to_owned(),
            );
            planes.push(format!("plies played, as a share of {longest}"));
        }
        planes
    }

    /// Planes, rows and columns.
    pub(crate) fn shape(&self) -> [usize; 3] {
        let kinds = self.info.pieces.len();
        let hands = if self.hand.is_empty() { 0 } else { 2 * kinds };
        let course = if self.longest_repeating.is_some() { 2 } else { 0 };
        [2 * kinds + 1 + hands + course, self.rows.into(), self.cols.into()]
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.shape().iter().product()
    }

    /// Whether positions can repeat.
    pub(crate) fn repeats(&self) -> bool {
        self.longest_repeating.is_some()
    }

    /// Writes an observation. `seen` is how often the position occurred before.
    pub(crate) fn write<P: Board>(&self, position: &P, seen: usize, observer: Side, out: &mut [f32]) {
        out.fill(0.0);
        let kinds = self.info.pieces.len();
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        let cells = rows * cols;
        for row in 0..rows {
            for column in 0..cols {
                let cell = Cell::new(column as u8, (rows - 1 - row) as u8);
                if let Some(piece) = position.piece(cell) {
                    let own = if piece.side == observer { 0 } else { kinds };
                    out[(own + self.plane_of(piece.kind)) * cells + row * cols + column] = 1.0;
                }
            }
        }
        let mut planes = out[2 * kinds * cells..].chunks_exact_mut(cells);
        let mut next = |value: f32| {
            if let Some(plane) = planes.next() {
                plane.fill(value);
            }
        };
        next(if observer == Side::First { 1.0 } else { 0.0 });
        if !self.hand.is_empty() {
            for side in [observer, observer.other()] {
                for ((_, left), (_, start)) in position.hand(side).into_iter().zip(&self.hand) {
                    next(f32::from(left) / f32::from((*start).max(1)));
                }
            }
        }
        if let Some(longest) = self.longest_repeating {
            let often = position.draws_when_seen().map_or(f32::INFINITY, |often| (often - 1) as f32);
            next(seen as f32 / often);
            next(f32::from(position.ply()) / f32::from(longest));
        }
    }

    fn plane_of(&self, kind: Kind) -> usize {
        self.info.pieces.iter().position(|piece| piece.kind == kind).expect("a piece of the game")
    }
}
