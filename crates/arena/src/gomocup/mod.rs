//! The protocol of the Gomocup, which most engines for Gomoku speak: commands, coordinates and rules as text.
//! `docs/reference/gomocup.md` describes it as spoken here.

mod engine;
mod session;
mod swap2;

use std::{fmt, str::FromStr};

use rules::{AnyGame, Cell, Spec, SpecError, excerpt, gomoku};
use thiserror::Error;

pub use self::engine::serve;
pub(crate) use self::session::Session;

/// Value of `INFO time_left` in a match without a time limit.
const UNLIMITED: i64 = i32::MAX as i64;

/// The rules that are supported: their numbers in `INFO rule`, and what follows the size in specs.
const RULES: [(u32, &str); 3] = [(0, ""), (1, ":standard"), (4, ":renju")];

/// Returns the size and the number of the rules of a game; `None` if the protocol does not have the game.
#[must_use]
pub fn board_and_rule(game: Spec) -> Option<(BoardSize, u32)> {
    let view = AnyGame::from(game).view();
    let board = BoardSize { width: view.cols.into(), height: view.rows.into() };
    let (rule, _) = RULES.into_iter().find(|&(rule, _)| spec(board, rule) == Ok(game))?;
    Some((board, rule))
}

/// Returns the game on a board of this size with the rules of this number.
///
/// # Errors
/// If the size or the rules are not supported.
pub fn spec(board: BoardSize, rule: u32) -> Result<Spec, Unsupported> {
    let rules = check_rule(rule)?;
    let BoardSize { width, height } = board;
    Ok(format!("{}:{height}x{width}x5{rules}", gomoku::INFO.id).parse()?)
}

/// What the rules of this number are in specs.
fn check_rule(rule: u32) -> Result<&'static str, Unsupported> {
    let known = RULES.into_iter().find(|&(number, _)| number == rule);
    known.map(|(_, rules)| rules).ok_or(Unsupported::Rule(rule))
}

/// Why a board or rules are not supported.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unsupported {
    /// The rules.
    #[error("rule {0} is not supported; expected 0 (freestyle), 1 (standard) or 4 (renju)")]
    Rule(u32),
    /// The size.
    #[error(transparent)]
    Size(#[from] SpecError),
}

/// The size of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardSize {
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

/// A cell by its distances from the left and the top edge, as in `7,7`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// The number of columns to its left.
    pub x: u32,
    /// The number of rows above it.
    pub y: u32,
}

impl Point {
    /// The point of a cell of a board with this many rows.
    #[must_use]
    pub fn of(cell: Cell, rows: u8) -> Self {
        let y = u32::from(rows.saturating_sub(1)).saturating_sub(u32::from(cell.row));
        Self { x: u32::from(cell.column), y }
    }

    /// The cell of a board of this size.
    ///
    /// # Errors
    /// If the point is outside; the message says where the board ends.
    pub fn cell(self, rows: u8, cols: u8) -> Result<Cell, String> {
        let inside = |number: u32, count: u8| u8::try_from(number).ok().filter(|&number| number < count);
        match (inside(self.x, cols), inside(self.y, rows)) {
            (Some(column), Some(y)) => Ok(Cell::new(column, rows - 1 - y)),
            _ => Err(format!("{self} is outside the board; cells are 0,0 to {},{}", cols - 1, rows - 1)),
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Point {
    type Err = BadLine;

    fn from_str(text: &str) -> Result<Self, BadLine> {
        let point = |(x, y)| Some(Self { x: number(x)?, y: number(y)? });
        text.split_once(',').and_then(point).ok_or_else(|| BadLine::new(text, "a cell such as 7,7"))
    }
}

/// Parses a number without a sign.
fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A line that is not valid in the protocol.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("“{given}” is not {expected}")]
pub struct BadLine {
    given: String,
    expected: &'static str,
}

impl BadLine {
    fn new(given: &str, expected: &'static str) -> Self {
        Self { given: excerpt(given.trim()), expected }
    }
}

/// A command to an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Set up an empty board. Answer `OK`.
    Start(BoardSize),
    /// Empty the board. Answer `OK`.
    Restart,
    /// Play the first move.
    Begin,
    /// The opponent has moved; move.
    Turn(Point),
    /// Take the last move back. Answer `OK`.
    TakeBack(Point),
    /// Play this move.
    Play(Point),
    /// The next lines, up to `DONE`, are the stones on the board; move.
    Board,
    /// The next lines, up to `DONE`, are the stones of a Swap2 opening; place stones or choose a side.
    Swap2Board,
    /// A limit or a rule. No answer.
    Info {
        /// The name of the setting, in lower case.
        key: String,
        /// The value.
        value: String,
    },
    /// Say who you are.
    About,
    /// Exit.
    End,
}

/// Why a line is not a command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotACommand {
    /// The protocol, as spoken here, has no such command.
    #[error("“{0}” is not a command of this engine")]
    Unknown(String),
    /// The arguments of the command are invalid.
    #[error(transparent)]
    Malformed(#[from] BadLine),
}

impl FromStr for Command {
    type Err = NotACommand;

    fn from_str(line: &str) -> Result<Self, NotACommand> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let plain = |command| {
            let is_alone = rest.trim().is_empty();
            is_alone.then_some(command).ok_or_else(|| BadLine::new(line, "a command without arguments"))
        };
        Ok(match word.to_ascii_uppercase().as_str() {
            "START" => {
                let size = number(rest).ok_or_else(|| BadLine::new(rest, "a board size such as 15"))?;
                Self::Start(BoardSize { width: size, height: size })
            }
            "RECTSTART" => {
                let size = rest.parse().map_err(|_| BadLine::new(rest, "a board size such as 15,20"));
                let Point { x: width, y: height } = size?;
                Self::Start(BoardSize { width, height })
            }
            "RESTART" => plain(Self::Restart)?,
            "BEGIN" => plain(Self::Begin)?,
            "TURN" => Self::Turn(rest.parse()?),
            "TAKEBACK" => Self::TakeBack(rest.parse()?),
            "PLAY" => Self::Play(rest.parse()?),
            "BOARD" => plain(Self::Board)?,
            "SWAP2BOARD" => plain(Self::Swap2Board)?,
            "INFO" => {
                let (key, value) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
                Self::Info { key: key.to_ascii_lowercase(), value: value.trim().to_owned() }
            }
            "ABOUT" => plain(Self::About)?,
            "END" => plain(Self::End)?,
            _ => return Err(NotACommand::Unknown(excerpt(line))),
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Start(BoardSize { width, height }) if width == height => write!(f, "START {width}"),
            Self::Start(BoardSize { width, height }) => write!(f, "RECTSTART {width},{height}"),
            Self::Restart => f.write_str("RESTART"),
            Self::Begin => f.write_str("BEGIN"),
            Self::Turn(point) => write!(f, "TURN {point}"),
            Self::TakeBack(point) => write!(f, "TAKEBACK {point}"),
            Self::Play(point) => write!(f, "PLAY {point}"),
            Self::Board => f.write_str("BOARD"),
            Self::Swap2Board => f.write_str("SWAP2BOARD"),
            Self::Info { key, value } => write!(f, "INFO {key} {value}"),
            Self::About => f.write_str("ABOUT"),
            Self::End => f.write_str("END"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_round_trip_through_text() {
        for line in [
            "START 15",
            "RECTSTART 20,15",
            "RESTART",
            "BEGIN",
            "TURN 7,0",
            "TAKEBACK 0,14",
            "PLAY 10,10",
            "BOARD",
            "SWAP2BOARD",
            "INFO timeout_turn 5000",
            "INFO folder /tmp/a b",
            "ABOUT",
            "END",
        ] {
            assert_eq!(line.parse::<Command>().unwrap().to_string(), line);
        }
        assert_eq!(" turn\t7 , 0\r".parse(), Ok(Command::Turn(Point { x: 7, y: 0 })));
        assert_eq!("RECTSTART 15,15".parse::<Command>().unwrap().to_string(), "START 15");
        let info = Command::Info { key: "rule".to_owned(), value: String::new() };
        assert_eq!("INFO RULE".parse(), Ok(info));
    }

    #[test]
    fn malformed_commands_are_rejected_with_a_sentence() {
        let error = |line: &str| line.parse::<Command>().unwrap_err().to_string();
        assert_eq!(error("START"), "“” is not a board size such as 15");
        assert_eq!(error("START -1"), "“-1” is not a board size such as 15");
        assert_eq!(error("RECTSTART 15"), "“15” is not a board size such as 15,20");
        assert_eq!(error("TURN 7;7"), "“7;7” is not a cell such as 7,7");
        assert_eq!(error("TURN 7,99999999999"), "“7,99999999999” is not a cell such as 7,7");
        assert_eq!(error("BEGIN now"), "“BEGIN now” is not a command without arguments");
        assert_eq!(error("7,7"), "“7,7” is not a command of this engine");
        assert!(matches!("YXBOARD".parse::<Command>(), Err(NotACommand::Unknown(_))));
    }

    #[test]
    fn points_are_counted_from_the_top_left() {
        let point: Point = "0,0".parse().unwrap();
        assert_eq!(point.cell(15, 15).unwrap().to_string(), "a15");
        for (x, y) in [(0, 0), (8, 0), (3, 4), (8, 4)] {
            let cell = Point { x, y }.cell(5, 9).unwrap();
            assert_eq!(Point::of(cell, 5), Point { x, y });
        }
        let error = Point { x: 9, y: 0 }.cell(5, 9).unwrap_err();
        assert_eq!(error, "9,0 is outside the board; cells are 0,0 to 8,4");
    }

    #[test]
    fn boards_and_rules_are_those_of_games() {
        let games = [
            ("gomoku", "START 15", 0),
            ("gomoku:5x25x5", "RECTSTART 25,5", 0),
            ("gomoku:15x15x5:standard", "START 15", 1),
            ("gomoku:20x20x5:renju", "START 20", 4),
        ];
        for (name, command, number) in games {
            let (board, rule) = board_and_rule(name.parse().unwrap()).unwrap();
            assert_eq!((Command::Start(board).to_string().as_str(), rule), (command, number));
            assert_eq!(spec(board, rule), Ok(name.parse().unwrap()));
        }
        for other in ["tic-tac-toe", "connect-four:15x15x5", "gomoku:15x15x6"] {
            assert_eq!(board_and_rule(other.parse().unwrap()), None);
        }
        let square = |side| BoardSize { width: side, height: side };
        assert_eq!(
            spec(square(15), 2).unwrap_err().to_string(),
            "rule 2 is not supported; expected 0 (freestyle), 1 (standard) or 4 (renju)"
        );
        for side in [0, 4, 26, u32::MAX] {
            assert!(matches!(spec(square(side), 0), Err(Unsupported::Size(_))), "{side}");
        }
    }
}
