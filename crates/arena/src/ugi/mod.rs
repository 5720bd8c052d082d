//! Commands and answers of UGI, the Universal Game Interface. `docs/reference/ugi.md` describes the protocol.

mod engine;
mod session;

use std::{fmt, time::Duration};

use rules::{AnyGame, Outcome, Side, Spec, excerpt};
use thiserror::Error;

pub use self::engine::serve;
pub(crate) use self::session::Session;
use crate::go::duration;
pub use crate::{
    answer::Info,
    go::{Go, SideClock},
};

/// A command to an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Identify yourself.
    Ugi,
    /// Answer `readyok` when ready.
    IsReady,
    /// The next position belongs to a new game.
    NewGame,
    /// Set an option.
    SetOption {
        /// The option.
        name: String,
        /// Its value.
        value: String,
    },
    /// Set up a position: the start or a written position, then these moves.
    Position {
        /// The start, if not the initial position.
        fen: Option<String>,
        /// The moves since.
        moves: Vec<String>,
    },
    /// Search for a move.
    Go(Go),
    /// Answer now.
    Stop,
    /// The expected move was played: `go ponder` turns into a search for the player's own move.
    PonderHit,
    /// Answer a question about the position.
    Query(Query),
    /// Exit.
    Quit,
}

/// A question about the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// Is the game over?
    GameOver,
    /// Is the first player to move?
    FirstTurn,
    /// What is the result?
    Result,
}

impl Query {
    /// All questions.
    pub const ALL: [Self; 3] = [Self::GameOver, Self::FirstTurn, Self::Result];

    /// Returns the correct answer.
    #[must_use]
    pub fn answer(self, game: &AnyGame) -> &'static str {
        let truth = |is_so: bool| if is_so { "true" } else { "false" };
        match self {
            Self::GameOver => truth(game.outcome().is_some()),
            Self::FirstTurn => truth(game.turn() == Side::First),
            Self::Result => match game.outcome() {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win(Side::First)) => "p1win",
                Some(Outcome::Win(Side::Second)) => "p2win",
            },
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::GameOver => "gameover",
            Self::FirstTurn => "p1turn",
            Self::Result => "result",
        }
    }
}

/// A line that is not a valid command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("“{}” is not a valid command", excerpt(.0))]
pub struct UnknownCommand(pub String);

impl Command {
    /// Parses a line.
    ///
    /// # Errors
    /// If it is not a complete command.
    pub fn parse(line: &str) -> Result<Self, UnknownCommand> {
        Self::read(line).ok_or_else(|| UnknownCommand(line.to_owned()))
    }

    fn read(line: &str) -> Option<Self> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        Some(match word {
            "ugi" => Self::Ugi,
            "isready" => Self::IsReady,
            "uginewgame" => Self::NewGame,
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            "go" => Self::Go(Go::read(rest)?),
            "query" => Self::Query(Query::ALL.into_iter().find(|query| query.word() == rest.trim())?),
            "setoption" => {
                let (name, value) = rest.trim().strip_prefix("name ")?.split_once(" value ")?;
                Self::SetOption { name: name.trim().to_owned(), value: value.trim().to_owned() }
            }
            "position" => {
                let (start, moves) = rest.split_once("moves").unwrap_or((rest, ""));
                let fen = match start.trim() {
                    "startpos" => None,
                    fen => Some(fen.strip_prefix("fen ")?.trim().to_owned()),
                };
                Self::Position { fen, moves: moves.split_whitespace().map(str::to_owned).collect() }
            }
            _ => return None,
        })
    }

    /// The `position` command for the current state of a game.
    #[must_use]
    pub fn position(game: &AnyGame) -> Self {
        let start = game.start_position();
        let is_usual = start == AnyGame::from(game.spec()).position();
        Self::Position { fen: (!is_usual).then_some(start), moves: game.moves() }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Ugi => f.write_str("ugi"),
            Self::IsReady => f.write_str("isready"),
            Self::NewGame => f.write_str("uginewgame"),
            Self::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Self::Position { fen, moves } => {
                match fen {
                    None => f.write_str("position startpos")?,
                    Some(fen) => write!(f, "position fen {fen}")?,
                }
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|m| write!(f, " {m}"))
            }
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Query(query) => write!(f, "query {}", query.word()),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl Go {
    /// Parses the arguments of `go`; `infinite` and unknown words set no limit.
    fn read(text: &str) -> Option<Self> {
        let mut go = Self::default();
        let mut clock = [None; 2];
        let mut increments = [Duration::ZERO; 2];
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut number = || words.next()?.parse::<u64>().ok();
            match word {
                "ponder" => go.ponder = true,
                "movetime" => go.movetime = Some(duration(number()?)),
                "depth" => go.depth = Some(u32::try_from(number()?).ok()?),
                "nodes" => go.nodes = Some(number()?),
                "p1time" => clock[0] = Some(duration(number()?)),
                "p2time" => clock[1] = Some(duration(number()?)),
                "p1inc" => increments[0] = duration(number()?),
                "p2inc" => increments[1] = duration(number()?),
                "movestogo" => go.moves_to_go = Some(u32::try_from(number()?).ok()?.max(1)),
                _ => {}
            }
        }
        if let [Some(first), Some(second)] = clock {
            let moves_to_go = go.moves_to_go;
            let side = |left, increment| SideClock { left, increment, moves_to_go };
            go.clock = Some([side(first, increments[0]), side(second, increments[1])]);
        }
        Some(go)
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.ponder { "go ponder" } else { "go" })?;
        if let Some(time) = self.movetime {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some([first, second]) = self.clock {
            let [p1time, p2time] = [first, second].map(|side| side.left.as_millis());
            let [p1inc, p2inc] = [first, second].map(|side| side.increment.as_millis());
            write!(f, " p1time {p1time} p2time {p2time} p1inc {p1inc} p2inc {p2inc}")?;
            if let Some(moves) = self.moves_to_go {
                write!(f, " movestogo {moves}")?;
            }
        }
        if (Self { ponder: false, ..*self }) == Self::default() {
            f.write_str(" infinite")?;
        }
        Ok(())
    }
}

impl Info {
    /// Updates from an `info` line; unknown fields are skipped.
    pub fn update(&mut self, line: &str) {
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "depth" => self.depth = words.next().and_then(|n| n.parse().ok()).or(self.depth),
                "seldepth" => self.seldepth = words.next().and_then(|n| n.parse().ok()).or(self.seldepth),
                "nodes" => self.nodes = words.next().and_then(|n| n.parse().ok()).or(self.nodes),
                "nps" => self.nps = words.next().and_then(|n| n.parse().ok()).or(self.nps),
                "time" => self.time_ms = words.next().and_then(|n| n.parse().ok()).or(self.time_ms),
                "cp" | "mate" => {
                    let Some(number) = words.next().and_then(|n| n.parse().ok()) else { continue };
                    // A bound is not a score.
                    if words.next_if(|&word| word == "lowerbound" || word == "upperbound").is_none() {
                        (self.score, self.mate) =
                            if word == "cp" { (Some(number), None) } else { (None, Some(number)) };
                    }
                }
                // Bounded, so that an engine cannot exhaust our memory; no game is longer.
                "pv" => self.line = words.by_ref().take(256).map(excerpt).collect(),
                "string" => return,
                _ => {}
            }
        }
    }
}

/// The game described by a `position` command.
///
/// # Errors
/// If the position or a move is illegal; the message says why.
pub fn game(spec: Spec, fen: Option<&str>, moves: &[String]) -> Result<AnyGame, String> {
    let mut game = AnyGame::from(spec);
    if let Some(fen) = fen {
        game.set_position(fen).map_err(|error| error.to_string())?;
    }
    for m in moves {
        game.play(m).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_round_trip_through_text() {
        for line in [
            "ugi",
            "isready",
            "uginewgame",
            "stop",
            "quit",
            "setoption name Seed value 7",
            "position startpos",
            "position startpos moves 4 4 5",
            "position fen 7/7/7/7/7/3x3 b",
            "position fen 7/7/7/7/7/3x3 b moves 1 2",
            "go infinite",
            "go movetime 200",
            "go ponder movetime 200",
            "go ponder infinite",
            "ponderhit",
            "go depth 4",
            "go nodes 1000",
            "go p1time 1000 p2time 900 p1inc 10 p2inc 20",
            "go p1time 1000 p2time 900 p1inc 10 p2inc 20 movestogo 7",
            "query gameover",
            "query p1turn",
            "query result",
        ] {
            assert_eq!(Command::parse(line).unwrap().to_string(), line);
        }
    }

    #[test]
    fn incomplete_commands_are_rejected() {
        for line in
            ["", "go movetime", "go depth x", "position", "position 3/3/3 w", "query who", "setoption x"]
        {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn position_command_starts_at_the_start_of_the_game() {
        let mut game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
        game.play_all("44").unwrap();
        assert_eq!(Command::position(&game).to_string(), "position startpos moves 4 4");
        game.set_position("7/7/7/7/7/3x3 b").unwrap();
        game.play("1").unwrap();
        assert_eq!(Command::position(&game).to_string(), "position fen 7/7/7/7/7/3x3 b moves 1");
    }

    #[test]
    fn info_keeps_the_latest_values() {
        let mut info = Info::default();
        info.update("info depth 1 score cp -7 nodes 16 pv 4 4");
        info.update("info depth 2 seldepth 7 nodes 99 time 12 nps 8250 tthits 0");
        info.update("info string depth 9");
        assert_eq!((info.depth, info.score, info.nodes, info.line.len()), (Some(2), Some(-7), Some(99), 2));
        assert_eq!((info.seldepth, info.time_ms, info.nps), (Some(7), Some(12), Some(8250)));
    }

    #[test]
    fn a_score_is_points_or_a_forced_win_but_not_a_bound() {
        let mut info = Info::default();
        info.update("info score cp 12 nodes 1");
        info.update("info score mate 3 lowerbound nodes 2");
        info.update("info score cp 0 upperbound nodes 3");
        assert_eq!((info.score, info.mate, info.nodes), (Some(12), None, Some(3)));
        info.update("info score mate -2");
        assert_eq!((info.score, info.mate), (None, Some(-2)));
        info.update("info score cp x nodes 4");
        assert_eq!((info.mate, info.nodes), (Some(-2), Some(4)));
    }
}
