//! What decides a puzzle. A theme is computed from the rules alone, so it is true of every puzzle that has it.

use std::{fmt, str::FromStr};

use rules::{AnyGame, AnyPosition, Cell, Outcome, Side, excerpt};

use super::Goal;

/// Defines the themes with their names.
macro_rules! themes {
    ($($(#[doc = $doc:literal])* $Theme:ident = $name:literal,)*) => {
        /// What decides a puzzle.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(rename_all = "kebab-case")
        )]
        #[non_exhaustive]
        pub enum Theme {
            $($(#[doc = $doc])* $Theme,)*
        }

        impl Theme {
            /// All themes.
            pub const ALL: &[Self] = &[$(Self::$Theme),*];

            /// The name in commands and data.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Theme => $name,)*
                }
            }

            /// The meaning of the theme, as a clause.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$Theme => concat!($($doc),*).trim(),)*
                }
            }
        }
    };
}

themes! {
    /// one move completes the line
    WinInOne = "win-in-one",
    /// two lines are threatened at once, and only one can be stopped
    DoubleThreat = "double-threat",
    /// a piece that moves threatens two lines at once
    Fork = "fork",
    /// a single threat that no reply stops
    SingleThreat = "single-threat",
    /// the reply that stops a threat makes room for the next one above it
    Stacked = "stacked",
    /// there is no threat, but every reply loses
    Zugzwang = "zugzwang",
    /// the opponent has to complete the line itself
    ForcedCompletion = "forced-completion",
    /// every other move loses; this one draws
    Draw = "draw",
    /// every other move loses within the stated depth
    Defence = "defence",
    /// a piece moves out of the way of the one that wins
    Discovered = "discovered",
    /// shape wins, with pieces of the opponent's colour in the line
    Shape = "shape",
    /// the last piece fills a gap inside the line
    Gap = "gap",
    /// every move of the solution threatens to win at once
    Fours = "continuous-threats",
    /// the first move threatens nothing at once
    Quiet = "quiet",
    /// the only winning move leads to a win that takes long
    Long = "long",
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Theme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.iter().copied().find(|theme| theme.name() == text).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|theme| theme.name()).collect();
            format!("“{}” is not a theme; themes are {}", excerpt(text), names.join(", "))
        })
    }
}

/// The themes of a puzzle, the main one first. `course` is the solution, continued to the end of the game where best
/// play is known; `steps` is the length of the solution.
pub(super) fn themes(
    start: &AnyGame,
    course: &[String],
    steps: usize,
    goal: Goal,
    is_exact: bool,
) -> Vec<Theme> {
    if goal == Goal::Hold {
        return vec![if is_exact { Theme::Draw } else { Theme::Defence }];
    }
    let solver = start.turn();
    let mut games = vec![start.clone()];
    for m in course {
        let mut next = games[games.len() - 1].clone();
        next.play(m).expect("the moves of a solution are legal");
        games.push(next);
    }
    let end = &games[games.len() - 1];
    let is_over = end.outcome().is_some();
    let mut themes = Vec::new();
    // The solver's last move before the one that ends the game.
    let decisive = match (is_over, course.len()) {
        (true, 1) => return vec![Theme::WinInOne],
        (true, plies) if plies.is_multiple_of(2) => plies - 2,
        (true, plies) => plies - 3,
        (false, plies) => plies - 1,
    };
    let threats = threats(&games[decisive + 1], solver);
    if is_over && course.len().is_multiple_of(2) {
        themes.push(Theme::ForcedCompletion);
    } else if threats.len() > 1 {
        let moves_a_piece = cells_of(&games[decisive + 1]).from.is_some();
        themes.push(if moves_a_piece { Theme::Fork } else { Theme::DoubleThreat });
    } else if threats.is_empty() {
        themes.push(Theme::Zugzwang);
    } else if is_over && is_above(end, &games[games.len() - 2]) {
        themes.push(Theme::Stacked);
    } else {
        themes.push(Theme::SingleThreat);
    }
    if steps < course.len() {
        themes.push(Theme::Long);
    } else if course.len() > 2 {
        let made: Vec<_> =
            (0..=decisive).step_by(2).map(|ply| !self::threats(&games[ply + 1], solver).is_empty()).collect();
        if made.iter().all(|&threatens| threatens) && made.len() > 1 {
            themes.push(Theme::Fours);
        } else if !made[0] {
            themes.push(Theme::Quiet);
        }
    }
    if is_over && steps == course.len() && course.len() % 2 == 1 {
        themes.extend(of_the_last_move(&games, decisive, solver));
    }
    themes
}

/// The themes of the move that ends the game.
fn of_the_last_move(games: &[AnyGame], decisive: usize, solver: Side) -> Vec<Theme> {
    let end = &games[games.len() - 1];
    let (view, last) = (end.view(), cells_of(end));
    let line = end.line().unwrap_or_default();
    let mut themes = Vec::new();
    let moved = cells_of(&games[decisive + 1]);
    if let (Some(vacated), Some(from)) = (moved.from, last.from)
        && from != moved.to
        && (last.to == vacated || is_between(vacated, from, last.to))
    {
        themes.push(Theme::Discovered);
    }
    if view.shape.is_some()
        && line.iter().any(|&cell| view.piece(cell).is_some_and(|piece| piece.side != solver))
    {
        themes.push(Theme::Shape);
    }
    if line.first() != Some(&last.to) && line.last() != Some(&last.to) {
        themes.push(Theme::Gap);
    }
    themes
}

/// The cells of a move.
struct MoveCells {
    from: Option<Cell>,
    to: Cell,
}

/// The cells of the last move of a game.
fn cells_of(game: &AnyGame) -> MoveCells {
    let view = game.view();
    let (filled, emptied): (Vec<_>, Vec<_>) = view.last.iter().partition(|&&cell| view.piece(cell).is_some());
    MoveCells { from: emptied.first().copied(), to: filled[0] }
}

/// Whether the last piece of `game` fell onto the last one of `before`.
fn is_above(game: &AnyGame, before: &AnyGame) -> bool {
    let (last, reply) = (cells_of(game), cells_of(before));
    last.from.is_none() && is_on(last.to, reply.to) && game.info().falls
}

fn is_on(upper: Cell, lower: Cell) -> bool {
    upper.column == lower.column && upper.row == lower.row + 1
}

/// Whether a cell lies strictly between two others of a row, a column or a diagonal.
fn is_between(cell: Cell, from: Cell, to: Cell) -> bool {
    let delta =
        |to: Cell| (i16::from(to.column) - i16::from(from.column), i16::from(to.row) - i16::from(from.row));
    let ((columns, rows), (column, row)) = (delta(to), delta(cell));
    let is_straight = columns == 0 || rows == 0 || columns.abs() == rows.abs();
    let (length, distance) = (columns.abs().max(rows.abs()), column.abs().max(row.abs()));
    is_straight
        && (1..length).contains(&distance)
        && (column, row) == (columns.signum() * distance, rows.signum() * distance)
}

/// The cells where the solver wins at once unless the opponent, who is to move, stops it.
///
/// An immediate win counts as a threat if it does not depend on the reply: it is possible after more than
/// half of the replies that do not take its cell, and its piece does not rest on the reply.
fn threats(game: &AnyGame, solver: Side) -> Vec<Cell> {
    if game.outcome().is_some() {
        return Vec::new();
    }
    let filled =
        |after: &AnyPosition, m| after.touched(m).into_iter().find(|&cell| after.piece(cell).is_some());
    let position = AnyPosition::of(game);
    let mut replies = Vec::new();
    let mut wins: Vec<Cell> = Vec::new();
    for reply in position.legal_moves() {
        let next = position.after(reply);
        let Some(taken) = filled(&next, reply) else { continue };
        replies.push(taken);
        let mut cells = Vec::new();
        for m in next.legal_moves() {
            let end = next.after(m);
            if end.outcome() == Some(Outcome::Win(solver))
                && let Some(cell) = filled(&end, m)
                && !(game.info().falls && end.touched(m).len() == 1 && is_on(cell, taken))
                && !cells.contains(&cell)
            {
                cells.push(cell);
            }
        }
        wins.append(&mut cells);
    }
    let often = |cell| wins.iter().filter(|&&win| win == cell).count();
    let is_threat = |&cell: &Cell| 2 * often(cell) > replies.iter().filter(|&&taken| taken != cell).count();
    let mut cells: Vec<_> = wins.iter().copied().filter(is_threat).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

#[cfg(test)]
mod tests {
    use rules::Spec;

    use super::*;

    fn game(spec: &str, moves: &str) -> AnyGame {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        game
    }

    fn cell(name: &str) -> Cell {
        name.parse().ok().unwrap()
    }

    #[test]
    fn a_cell_is_between_two_others_of_a_line() {
        for (between, from, to, expected) in [
            ("b1", "a1", "c1", true),
            ("b1", "c1", "a1", true),
            ("a2", "a1", "a3", true),
            ("c3", "a1", "d4", true),
            ("c3", "d4", "a1", true),
            ("c3", "d2", "a5", true),
            ("a1", "a1", "c1", false),
            ("c1", "a1", "c1", false),
            ("d1", "a1", "c1", false),
            ("a1", "b1", "d1", false),
            ("b2", "a1", "c1", false),
            ("c2", "a1", "d4", false),
            ("b3", "a1", "d4", false),
            ("b2", "a1", "c4", false),
            ("b2", "a1", "d3", false),
            ("c1", "b2", "d4", false),
        ] {
            assert_eq!(is_between(cell(between), cell(from), cell(to)), expected, "{from} {between} {to}");
        }
    }

    #[test]
    fn a_cell_is_on_the_one_below() {
        for (upper, lower, expected) in [
            ("b3", "b2", true),
            ("b2", "b3", false),
            ("c3", "b2", false),
            ("b4", "b2", false),
            ("b2", "b2", false),
        ] {
            assert_eq!(is_on(cell(upper), cell(lower)), expected, "{upper} {lower}");
        }
    }

    #[test]
    fn a_threat_does_not_depend_on_the_reply() {
        for (spec, moves, expected) in [
            ("connect-four", "4 4 3 3 5", &["b1", "f1"][..]),
            ("connect-four", "1 7 1 7 1", &["a4"]),
            ("connect-four", "4 4", &[]),
            // The win stands on the reply, so it is none for now.
            ("connect-four", "1 2 2 3 4 3 3 4 7", &[]),
            ("tic-tac-toe", "c2 a1 c1 c3 b2", &["a2", "a3"]),
            ("tic-tac-toe", "a1 b2", &[]),
            ("tic-tac-toe", "a1 b2 b1 a3 c1", &[]),
            ("gomoku", "h8 a1 i8 c1 j8 e1 k8", &["g8", "l8"]),
            ("chess-five", "R@a Q@d K@c", &[]),
        ] {
            let game = game(spec, moves);
            let solver = game.turn().other();
            let found: Vec<_> = threats(&game, solver).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{spec} {moves}");
        }
    }

    #[test]
    fn the_last_move_empties_one_cell_or_none() {
        let cells = |moves: &str| {
            let MoveCells { from, to } = cells_of(&game("chess-five", moves));
            (from.map(|cell| cell.to_string()), to.to_string())
        };
        assert_eq!(cells("N@b"), (None, "b1".to_owned()));
        let all = "N@b N@d Q@g B@g B@e B@e K@b N@c R@g R@d R@a R@c N@c Q@g B@b K@g";
        assert_eq!(cells(&format!("{all} g1f2")), (Some("g1".to_owned()), "f2".to_owned()));
    }

    #[test]
    fn themes_have_names_that_are_read_back() {
        for theme in Theme::ALL {
            assert_eq!(theme.to_string().parse(), Ok(*theme));
            assert!(!theme.meaning().is_empty());
        }
        assert!(
            "trick"
                .parse::<Theme>()
                .unwrap_err()
                .starts_with("“trick” is not a theme; themes are win-in-one, ")
        );
    }
}
