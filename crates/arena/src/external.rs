//! A program in any language as a player: it runs as a child process and speaks one of the protocols. Any misbehaviour
//! becomes a [`Fault`](crate::Fault) of its side.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use players::{NoMove, Program, Proof, Proven, Reason, Stop, Thought};
use rules::{AnyGame, Spec, excerpt};

use crate::{
    Answer, ContestantError, Failure, Limits, Log, Usage,
    connection::Connection,
    go::SideClock,
    gomocup,
    process::{IoFailure, Stderr},
    session::Session,
    ugi::{self, Command, Query},
};

/// A protocol between the arena and an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Game Interface.
    Ugi,
    /// The protocol of the Gomocup, for Gomoku only.
    Gomocup,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 2] = [Self::Ugi, Self::Gomocup];

    /// The prefix of the command in the text of a contestant.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Ugi => "external:",
            Self::Gomocup => "external-gomocup:",
        }
    }

    /// Checks that the protocol has this game.
    pub(crate) fn check(self, spec: Spec) -> Result<(), ContestantError> {
        let is_known = match self {
            Self::Ugi => true,
            Self::Gomocup => gomocup::board_and_rule(spec).is_some(),
        };
        let prefix = self.prefix();
        is_known.then_some(()).ok_or(ContestantError::Protocol { prefix, spec })
    }

    /// The end of a line that is sent to an engine.
    const fn end_of_line(self) -> &'static str {
        match self {
            Self::Ugi => "\n",
            Self::Gomocup => "\r\n",
        }
    }

    /// The line that tells an engine to exit.
    const fn quit(self) -> &'static str {
        match self {
            Self::Ugi => "quit\n",
            Self::Gomocup => "END\r\n",
        }
    }
}

/// An external engine. It is started when first needed, and restarted after a fault.
pub struct External {
    protocol: Protocol,
    connection: Connection,
    session: Box<dyn Session>,
}

impl External {
    /// A UGI engine started by this shell command.
    #[must_use]
    pub fn new(command: &str, limits: &Limits, stderr: Stderr) -> Self {
        Self::speaking(Protocol::Ugi, command, limits, stderr)
    }

    /// An engine that speaks this protocol, started by this shell command.
    #[must_use]
    pub fn speaking(protocol: Protocol, command: &str, limits: &Limits, stderr: Stderr) -> Self {
        let session: Box<dyn Session> = match protocol {
            Protocol::Ugi => Box::new(ugi::Session::default()),
            Protocol::Gomocup => Box::new(gomocup::Session::default()),
        };
        Self { protocol, connection: Connection::new(command, protocol.quit(), limits, stderr), session }
    }

    /// Options to set at each start of the engine.
    #[must_use]
    pub fn with_options(mut self, options: Vec<(String, String)>) -> Self {
        self.session.set_options(options);
        self
    }

    /// Runs the engine in this directory, instead of that of our process.
    #[must_use]
    pub fn with_directory(mut self, directory: &Path) -> Self {
        self.connection.directory = Some(directory.to_owned());
        self
    }

    /// Logs the dialogue and the standard error of the engine under this name.
    #[must_use]
    pub fn with_log(mut self, log: &Log, name: &str) -> Self {
        self.connection.dialogue = Some(log.of(name));
        self
    }

    /// Lets the engine think on the opponent's time, if it supports that.
    #[must_use]
    pub fn with_ponder(mut self) -> Self {
        self.session.allow_ponder();
        self
    }

    /// The name that the engine gave itself; known once it has been started.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.session.name()
    }

    /// The resources that all processes of the engine have used so far.
    pub fn usage(&mut self) -> Usage {
        self.connection.usage()
    }

    /// Prepares for a game: starts the engine if it is not running, and sends the game and seed.
    ///
    /// # Errors
    /// If it does not start or does not get ready.
    pub fn new_game(&mut self, game: &AnyGame, seed: u64, stop: &Stop) -> Result<(), Failure> {
        self.session.new_game(&mut self.connection, game, seed, stop)
    }

    /// Asks for a move in an unfinished game, within the limits and these clocks.
    ///
    /// # Errors
    /// If the engine commits a fault, after which its process is killed, or if the run is cancelled.
    pub fn choose(
        &mut self,
        game: &AnyGame,
        clock: Option<[SideClock; 2]>,
        stop: &Stop,
    ) -> Result<Answer, Failure> {
        self.session.choose(&mut self.connection, game, clock, stop)
    }

    /// Sends a `query` of UGI about a position. Returns `None` without an answer within a second.
    ///
    /// # Errors
    /// If the engine exits or floods its output.
    pub fn query(&mut self, game: &AnyGame, query: Query, stop: &Stop) -> Result<Option<String>, Failure> {
        let deadline = Instant::now() + Duration::from_secs(1);
        let text = format!("{}\n{}\n", Command::position(game), Command::Query(query));
        self.connection.send(&text, deadline, stop)?;
        let mut response = |line: &str| line.strip_prefix("response ").map(|text| excerpt(text.trim()));
        match self.connection.read(&mut response, deadline, stop) {
            Ok(response) => Ok(Some(response)),
            Err(IoFailure::TimedOut) => Ok(None),
            Err(failure) => Err(self.connection.fail(failure, "response", 1000)),
        }
    }

    /// Sends lines and waits for one that starts with `awaited`, which it returns; used by `alinea check`.
    ///
    /// # Errors
    /// If no such line arrives in time.
    pub fn say(&mut self, lines: &str, awaited: &str, stop: &Stop) -> Result<String, Failure> {
        let end = self.protocol.end_of_line();
        let text: String = lines.lines().map(|line| format!("{line}{end}")).collect();
        let mut read = |line: &str| line.starts_with(awaited).then(|| line.to_owned());
        self.connection.ask(&text, awaited, &mut read, stop)
    }

    /// Tells the engine to exit. Returns true if it exits by itself in time.
    pub fn quit(&mut self, timeout: Duration) -> bool {
        self.connection.quit_within(timeout)
    }

    /// Wraps the engine as a [`Program`], for use where a built-in player is expected.
    #[must_use]
    pub fn into_program(mut self, seed: u64) -> Program {
        let mut has_begun = false;
        Program::from_fn(move |game, stop| {
            let mut choose = || {
                if !has_begun || !self.connection.is_running() {
                    self.new_game(game, seed, stop)?;
                    has_begun = true;
                }
                self.choose(game, self.connection.limits.clock().map(|clock| [clock; 2]), stop)
            };
            match choose() {
                Ok(answer) => Ok(thought(answer)),
                Err(Failure::Stopped) => Err(NoMove::Stopped),
                Err(Failure::Fault(fault)) => Err(NoMove::Failed(fault.to_string())),
            }
        })
    }
}

fn thought(answer: Answer) -> Thought<String> {
    let Answer { chosen, info, .. } = answer;
    let line = if info.line.first() == Some(&chosen) { info.line } else { vec![chosen.clone()] };
    let proven = info.mate.filter(|mate| *mate != 0).map(|mate| {
        let moves = u32::try_from(mate.unsigned_abs()).unwrap_or(u32::MAX / 2).min(u32::MAX / 2);
        let (result, plies) = if mate > 0 { (Proof::Win, 2 * moves - 1) } else { (Proof::Loss, 2 * moves) };
        Reason::Proven(Proven { result, plies })
    });
    Thought {
        candidates: vec![chosen.clone()],
        chosen,
        score: info.score,
        line,
        reasons: proven.into_iter().collect(),
        nodes: info.nodes.unwrap_or(0),
        depth: info.depth,
    }
}
