//! The board, as large as its area allows. A cell is a square of pixels, two of which make the height of a
//! character. A board that does not fit is scrolled.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Color, Modifier, Style},
};
use rules::{Cell, CellStyle, Coordinates, GameInfo, Kind, Piece, Side, View, column_letters};

use crate::{
    pieces,
    theme::{Depth, Glyphs, Ink, Palette},
};

/// The largest height of a cell in characters.
const MAX_HEIGHT: u16 = 6;

/// The content of the picture.
pub(crate) struct Board<'a> {
    pub(crate) info: &'a GameInfo,
    pub(crate) view: View,
    pub(crate) palette: Palette,
    pub(crate) glyphs: Glyphs,
    pub(crate) flipped: bool,
    pub(crate) cursor: Option<Cell>,
    pub(crate) picked: Option<Cell>,
    /// Where the chosen piece may go.
    pub(crate) legal: Vec<Cell>,
    /// Where the chosen piece would come to rest.
    pub(crate) ghost: Option<(Cell, Piece)>,
    /// The cells highlighted by a reason or a hint.
    pub(crate) lit: Vec<Cell>,
    /// A falling piece: its destination and its current row.
    pub(crate) falling: Option<(Cell, u8)>,
    /// The verdict of each column, beneath its name: a sign and perhaps a number.
    pub(crate) columns: Vec<(u8, String)>,
    /// Whether columns and rows are named.
    pub(crate) has_names: bool,
}

/// Where the cells of a board are on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Grid {
    area: Rect,
    height: u16,
    width: u16,
    first_column: u8,
    columns: u8,
    /// From the top as shown.
    first_row: u8,
    rows: u8,
    of_rows: u8,
    of_columns: u8,
    flipped: bool,
}

impl Grid {
    /// The cell at a position of the screen.
    pub(crate) fn cell_at(&self, position: Position) -> Option<Cell> {
        if !self.area.contains(position) || self.height == 0 {
            return None;
        }
        let column = self.first_column + ((position.x - self.area.x) / self.width) as u8;
        let from_top = self.first_row + ((position.y - self.area.y) / self.height) as u8;
        Some(self.turned(column, self.of_rows - 1 - from_top))
    }

    /// Converts a cell to its column and row on the screen, and back.
    fn turned(&self, column: u8, row: u8) -> Cell {
        if self.flipped {
            Cell::new(self.of_columns - 1 - column, self.of_rows - 1 - row)
        } else {
            Cell::new(column, row)
        }
    }

    /// A position of the screen where the cell is.
    pub(crate) fn position_of(&self, cell: Cell) -> Option<Position> {
        (self.area.y..self.area.bottom())
            .flat_map(|y| (self.area.x..self.area.right()).map(move |x| Position::new(x, y)))
            .find(|position| self.cell_at(*position) == Some(cell))
    }
}

impl Board<'_> {
    /// The size of the whole board with its names, for cells of this height.
    fn size_at(&self, height: u16) -> (u16, u16) {
        let (left, below) = self.margins();
        let (cols, rows) = (u16::from(self.view.cols), u16::from(self.view.rows));
        (left + cols * width_at(height), rows * height + below)
    }

    /// The width of the board in an area of this height, and at most this width.
    pub(crate) fn width_in(&self, height: u16, most: u16) -> u16 {
        let widths = (1..=MAX_HEIGHT).rev().map(|cell| self.size_at(cell));
        widths.filter(|size| size.1 <= height).map(|size| size.0).find(|width| *width <= most).unwrap_or(most)
    }

    /// Characters reserved to the left for the names of rows, and below for the names and verdicts of columns.
    fn margins(&self) -> (u16, u16) {
        let left = match self.info.coordinates {
            _ if !self.has_names => 0,
            Coordinates::Columns => 0,
            _ => self.view.rows.to_string().len() as u16 + 1,
        };
        (left, u16::from(self.has_names) + u16::from(!self.columns.is_empty()))
    }

    /// The grid in an area: with the largest cells with which the whole board fits, or with as many of the
    /// smallest cells as fit.
    pub(crate) fn grid(&self, area: Rect) -> Grid {
        let fits = |height: &u16| {
            let (width, height) = self.size_at(*height);
            width <= area.width && height <= area.height
        };
        let height = (1..=MAX_HEIGHT).rev().find(fits).unwrap_or(1);
        let width = width_at(height);
        let (left, below) = self.margins();
        let shown = |room: u16, size: u16, all: u8| ((room / size).min(all.into()) as u8).max(1);
        let columns = shown(area.width.saturating_sub(left), width, self.view.cols);
        let rows = shown(area.height.saturating_sub(below), height, self.view.rows);
        let mut grid = Grid {
            area: Rect::default(),
            height,
            width,
            first_column: 0,
            columns,
            first_row: 0,
            rows,
            of_rows: self.view.rows,
            of_columns: self.view.cols,
            flipped: self.flipped,
        };
        // Without a cursor, the last move is in sight.
        if let Some(cursor) = self.cursor.or(self.view.last.first().copied()) {
            let shown = grid.turned(cursor.column, cursor.row);
            let from_top = self.view.rows - 1 - shown.row;
            let start = |at: u8, shown: u8, all: u8| at.saturating_sub(shown / 2).min(all - shown);
            grid.first_column = start(shown.column, columns, self.view.cols);
            grid.first_row = start(from_top, rows, self.view.rows);
        }
        let (whole_width, whole_height) =
            (u16::from(columns) * width + left, u16::from(rows) * height + below);
        let x = area.x + left + area.width.saturating_sub(whole_width) / 2;
        let y = area.y + area.height.saturating_sub(whole_height) / 2;
        let size = Rect::new(x, y, u16::from(columns) * width, u16::from(rows) * height);
        grid.area = size.intersection(area);
        grid
    }

    pub(crate) fn draw(&self, area: Rect, buffer: &mut Buffer) -> Grid {
        let grid = self.grid(area);
        for from_top in grid.first_row..grid.first_row + grid.rows {
            for column in grid.first_column..grid.first_column + grid.columns {
                let x = grid.area.x + u16::from(column - grid.first_column) * grid.width;
                let y = grid.area.y + u16::from(from_top - grid.first_row) * grid.height;
                let rect = Rect::new(x, y, grid.width, grid.height).intersection(area);
                self.draw_cell(grid.turned(column, grid.of_rows - 1 - from_top), rect, &grid, buffer);
            }
        }
        if self.has_names {
            self.draw_names(area, &grid, buffer);
        }
        grid
    }

    fn draw_names(&self, area: Rect, grid: &Grid, buffer: &mut Buffer) {
        let below = grid.area.bottom();
        // A number that is cut would be a wrong one: if one has no room, only the signs are shown.
        let has_numbers = self.columns.iter().all(|(_, text)| text.len() < usize::from(grid.width));
        for column in grid.first_column..grid.first_column + grid.columns {
            let shown = grid.turned(column, 0).column;
            let name = column_name(self.info, shown);
            let x = grid.area.x + u16::from(column - grid.first_column) * grid.width;
            let is_chosen = self.cursor.is_some_and(|cursor| cursor.column == shown);
            let style = if is_chosen {
                self.palette.style(Ink::Thread, Ink::Ground).add_modifier(Modifier::BOLD)
            } else {
                self.palette.muted()
            };
            // In narrow columns a name of two characters takes the place of its neighbour's.
            let has_room = name.len() < usize::from(grid.width) || column % 2 == 0;
            if below < area.bottom() && has_room {
                let inset = (grid.width.saturating_sub(name.len() as u16)) / 2;
                buffer.set_stringn(x + inset, below, &name, usize::from(grid.width.max(2)), style);
            }
            let verdict = self.columns.iter().find(|(of, _)| *of == shown);
            if let Some((_, text)) = verdict.filter(|_| below + 1 < area.bottom()) {
                let text = if has_numbers { text } else { &text[..1] };
                let inset = (grid.width.saturating_sub(text.chars().count() as u16)) / 2;
                let style = self.palette.text();
                buffer.set_stringn(x + inset, below + 1, text, usize::from(grid.width), style);
            }
        }
        let (left, _) = self.margins();
        if left > 0 && grid.area.x >= left {
            for from_top in grid.first_row..grid.first_row + grid.rows {
                let row = grid.turned(0, grid.of_rows - 1 - from_top).row;
                let y =
                    grid.area.y + u16::from(from_top - grid.first_row) * grid.height + (grid.height - 1) / 2;
                let name = format!("{:>width$}", row + 1, width = usize::from(left) - 1);
                if y < area.bottom() {
                    buffer.set_string(grid.area.x - left, y, name, self.palette.muted());
                }
            }
        }
    }

    /// The piece drawn on a cell; a falling piece is drawn elsewhere.
    fn piece_on(&self, cell: Cell) -> Option<(Piece, bool)> {
        if let Some((target, row)) = self.falling {
            if cell == Cell::new(target.column, row) && row != target.row {
                return self.view.piece(target).map(|piece| (piece, false));
            }
            if cell == target && row != target.row {
                return None;
            }
        }
        let ghost = self.ghost.filter(|(at, _)| *at == cell).map(|(_, piece)| (piece, true));
        self.view.piece(cell).map(|piece| (piece, false)).or(ghost)
    }

    fn draw_cell(&self, cell: Cell, rect: Rect, grid: &Grid, buffer: &mut Buffer) {
        let palette = self.palette;
        let size = grid.width;
        let piece = self.piece_on(cell);
        let wins = self.view.line.as_ref().is_some_and(|line| line.contains(&cell)) && self.falling.is_none();
        let loses = self.view.line.is_some() && !wins && self.falling.is_none();
        let is_last = self.view.last.contains(&cell) && self.view.line.is_none();
        let is_lit = self.lit.contains(&cell);
        let tile = self.tile(cell);
        let ground = if wins {
            palette.color(Ink::Thread)
        } else if is_lit {
            palette.mix(Ink::Thread, 45, tile)
        } else {
            palette.color(tile)
        };
        let ink = piece.map(|(piece, is_ghost)| {
            let ink = Ink::of(piece.side);
            let color = match (is_ghost, loses) {
                (true, _) => palette.mix(ink, 45, Ink::Hole),
                (_, true) => palette.mix(ink, 34, Ink::Hole),
                // On the thread a pale piece would be lost.
                _ if wins => palette.mix(ink, 70, Ink::OnThread),
                _ => palette.color(ink),
            };
            (piece, color)
        });
        let by_pixels = self.glyphs == Glyphs::Unicode && size >= 4;
        if !by_pixels {
            buffer.set_style(rect, Style::new().fg(palette.color(Ink::Muted)).bg(ground));
            self.draw_character(cell, rect, piece, ink.map(|(_, color)| color), buffer);
            self.draw_marks(cell, rect, wins, is_last, is_lit, buffer);
            return;
        }
        let has_holes = matches!(self.info.cells, CellStyle::RoundHoles | CellStyle::SquareHoles);
        let is_legal = self.legal.contains(&cell) && self.view.piece(cell).is_none();
        let is_cursor = self.cursor == Some(cell);
        let is_picked = self.picked == Some(cell);
        let pixel = |x: u16, y: u16| -> (Color, bool) {
            let edge = x == 0 || y == 0 || x == size - 1 || y == size - 1;
            let corner =
                (x < size / 3 || x >= size - size / 3) && (y < size / 3 || y >= size - size / 3) && edge;
            if let Some((piece, color)) = ink
                && let Some(info) = self.info.piece(piece.kind)
                && pieces::has_pixels(info, piece.side, size)
                && pieces::is_piece(info, piece.side, size, x, y)
            {
                return (color, true);
            }
            if is_picked && edge {
                return (palette.color(Ink::Thread), true);
            }
            if is_cursor && corner {
                return (palette.color(Ink::Text), true);
            }
            if is_last && corner {
                return (palette.color(Ink::Thread), false);
            }
            let middle = size / 2;
            if is_legal
                && piece.is_none()
                && (middle - 1..=middle).contains(&x)
                && (middle - 1..=middle).contains(&y)
            {
                return (palette.color(Ink::Thread), true);
            }
            let is_hole = match self.info.cells {
                CellStyle::RoundHoles if piece.is_some() => pieces::in_hole(size, x, y),
                CellStyle::RoundHoles => pieces::in_empty_hole(size, x, y),
                _ => x > 0 && y > 0 && x < size - 1 && y < size - 1,
            };
            if has_holes && !wins && !is_lit && !is_hole {
                return (palette.color(Ink::Face), false);
            }
            (ground, false)
        };
        for dy in 0..rect.height {
            for dx in 0..rect.width {
                let (top, is_top) = pixel(dx, 2 * dy);
                let (bottom, is_bottom) = pixel(dx, 2 * dy + 1);
                let at = &mut buffer[(rect.x + dx, rect.y + dy)];
                if palette.depth == Depth::None {
                    at.set_char(match (is_top, is_bottom) {
                        (true, true) => '█',
                        (true, false) => '▀',
                        (false, true) => '▄',
                        (false, false) => ' ',
                    });
                } else if top == bottom {
                    at.set_char(' ').set_style(Style::new().fg(top).bg(bottom));
                } else {
                    at.set_char('▀').set_style(Style::new().fg(top).bg(bottom));
                }
            }
        }
        let drawn = ink.is_some_and(|(piece, _)| {
            self.info.piece(piece.kind).is_some_and(|info| pieces::has_pixels(info, piece.side, size))
        });
        let is_forbidden = piece.is_none() && self.view.foul(cell).is_some();
        if !drawn && (piece.is_some() || is_forbidden || palette.depth == Depth::None) {
            self.draw_character(cell, rect, piece, ink.map(|(_, color)| color), buffer);
        }
        if palette.depth == Depth::None {
            self.draw_marks(cell, rect, wins, is_last, is_lit, buffer);
        }
    }

    /// The colour of an empty cell.
    fn tile(&self, cell: Cell) -> Ink {
        match self.info.cells {
            CellStyle::RoundHoles | CellStyle::SquareHoles => Ink::Hole,
            _ if (cell.column + cell.row).is_multiple_of(2) => Ink::TileDark,
            _ => Ink::TileLight,
        }
    }

    fn draw_character(
        &self,
        cell: Cell,
        rect: Rect,
        piece: Option<(Piece, bool)>,
        color: Option<Color>,
        buffer: &mut Buffer,
    ) {
        let ascii = self.glyphs == Glyphs::Ascii;
        let (character, color) = match (piece, color) {
            (Some((piece, _)), Some(color)) => {
                let info = self.info.piece(piece.kind).expect("a game describes all its pieces");
                (pieces::character(info, piece.side, self.glyphs), color)
            }
            _ if self.legal.contains(&cell) => {
                (if ascii { '+' } else { '•' }, self.palette.color(Ink::Thread))
            }
            _ if self.view.foul(cell).is_some() => {
                (if ascii { 'x' } else { '×' }, self.palette.color(Ink::Thread))
            }
            _ => (if ascii { '.' } else { '·' }, self.palette.color(Ink::Muted)),
        };
        let is_ghost = piece.is_some_and(|(_, is_ghost)| is_ghost);
        // Without colours a ghost is written in the other case, or dim.
        let modifier = if is_ghost { Modifier::DIM | Modifier::UNDERLINED } else { Modifier::BOLD };
        let x = rect.x + (rect.width - 1) / 2;
        let y = rect.y + (rect.height - 1) / 2;
        if rect.contains(Position::new(x, y)) {
            buffer[(x, y)].set_char(character).set_style(Style::new().fg(color).add_modifier(modifier));
        }
        if self.cursor == Some(cell) && rect.height == 1 {
            buffer.set_style(rect, Style::new().add_modifier(Modifier::REVERSED));
        }
    }

    /// Marks beside the character of a cell, for screens without colours or pixels.
    fn draw_marks(&self, cell: Cell, rect: Rect, wins: bool, last: bool, lit: bool, buffer: &mut Buffer) {
        let marks = match () {
            () if wins => ['*', '*'],
            () if self.picked == Some(cell) => ['{', '}'],
            () if self.cursor == Some(cell) => ['>', '<'],
            () if lit => ['!', '!'],
            () if last => ['[', ']'],
            () => return,
        };
        let y = rect.y + (rect.height - 1) / 2;
        let middle = rect.x + (rect.width - 1) / 2;
        let style = Style::new().fg(self.palette.color(Ink::Thread)).add_modifier(Modifier::BOLD);
        if rect.width >= 3 {
            buffer[(middle - 1, y)].set_char(marks[0]).set_style(style);
        }
        if rect.width >= 2 {
            buffer[(middle + 1, y)].set_char(marks[1]).set_style(style);
        }
    }
}

/// A character is about twice as high as it is wide.
const fn width_at(height: u16) -> u16 {
    2 * height
}

/// A column as moves name it: by its number, or by its letters.
pub(crate) fn column_name(info: &GameInfo, column: u8) -> String {
    match info.coordinates {
        Coordinates::Columns => (u32::from(column) + 1).to_string(),
        _ => column_letters(column),
    }
}

/// The piece that a side would place.
pub(crate) const fn piece_of(side: Side, kind: Kind) -> Piece {
    Piece { side, kind }
}
