//! `alinea check`: tests an engine against the protocol, point by point, and says what to fix.

use std::{
    io::{self, Write},
    time::Duration,
};

use anyhow::{Result, ensure};
use arena::{
    External, Failure, Limits, Protocol, Stderr,
    ugi::{Command, Go, Query},
};
use players::{Stop, roster, system};
use rules::{AnyGame, Side, Spec, excerpt};

use crate::{ExitWith, contestant};

/// Time to exit when told to: longer than in a match, because the end of a runtime such as mono waits for a busy machine.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Check whether an engine speaks UGI, or the protocol of the Gomocup, and plays legally
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell command that starts the engine
    command: String,
    /// The game, such as connect-four:6x7x4
    game: String,
    /// Check the protocol of the Gomocup instead of UGI
    #[arg(long)]
    gomocup: bool,
    /// The number of games against random
    #[arg(long, value_name = "N", default_value_t = 4)]
    games: u64,
    /// Time for a move in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
    /// Tolerance beyond the time limit, in milliseconds; more on a slow or busy machine
    #[arg(long, value_name = "MS", default_value_t = Limits::default().margin_ms, env = "ALINEA_MARGIN_MS")]
    margin: u64,
}

struct Check {
    command: String,
    protocol: Protocol,
    spec: Spec,
    movetime: u64,
    engine: External,
    points: usize,
    failed: usize,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    ensure!(
        !args.command.trim().is_empty(),
        "the command is empty; expected one such as \"python3 mine.py\""
    );
    let limits = Limits { margin_ms: args.margin, ..Limits::per_move(args.movetime) };
    let protocol = if args.gomocup { Protocol::Gomocup } else { Protocol::Ugi };
    let player = format!("{}{}", protocol.prefix(), args.command);
    let (command, spec, movetime): (_, Spec, _) = (args.command.clone(), args.game.parse()?, args.movetime);
    contestant::check(&spec.into(), &player)?;
    let engine = External::speaking(protocol, &command, &limits, Stderr::Inherit);
    let mut check = Check { command, protocol, spec, movetime, engine, points: 0, failed: 0 };
    match protocol {
        Protocol::Ugi => check.ugi(args.games)?,
        Protocol::Gomocup => check.gomocup(args.games)?,
    }
    let Check { points, failed, .. } = check;
    if failed > 0 {
        let message = format!("{failed} of {points} checks failed; see the fixes above");
        return Err(ExitWith { code: 1, message }.into());
    }
    say(&format!("all {points} checks passed; the engine can play as {player}"))
}

impl Check {
    fn ugi(&mut self, games: u64) -> Result<()> {
        let stop = Stop::default();
        let start = AnyGame::from(self.spec);
        let begun = self.engine.new_game(&start, 1, &stop);
        let name = self.engine.name().unwrap_or("no name").to_owned();
        if !self.point(
            &format!("starts, and answers ugi with ugiok and isready with readyok ({name})"),
            begun,
            "read lines from standard input; to ugi answer “id name …” and “ugiok”, to isready “readyok”; \
             flush the output after each line",
        )? {
            // Nothing else can be checked without the handshake.
            return Ok(());
        }
        let ready = self.engine.say("alinea-does-not-exist 1\nisready", "readyok", &stop).map(drop);
        self.point(
            "ignores a command that it does not know",
            ready,
            "ignore lines that you do not understand",
        )?;
        let moved = self.move_at(&start, &Limits::per_move(self.movetime));
        self.point(
            &format!("answers go movetime {} in time with a legal move", self.movetime),
            moved,
            "after position and go write “bestmove M”, two words, M as `alinea inspect` lists it",
        )?;
        let mut later = start.clone();
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2 {
            if let Some(m) = rng.choice(later.legal_moves()) {
                later.play(&m)?;
            }
        }
        let mut written = start.clone();
        written.set_position(&later.position())?;
        if written.outcome().is_none() {
            let moved = self.move_at(&written, &Limits::per_move(self.movetime));
            self.point(
                &format!("understands position fen {}", later.position()),
                moved,
                "read the board after “fen”: rows from the top, numbers are empty cells, then w or b",
            )?;
        }
        for (text, limits) in [
            ("go depth 1", Limits { depth: Some(1), ..Limits::default() }),
            ("go nodes 1000", Limits { nodes: Some(1000), ..Limits::default() }),
            (
                "a clock of 5 s and 0.1 s a move",
                Limits { time_ms: Some(5000), increment_ms: 100, ..Limits::default() },
            ),
        ] {
            let moved = self.move_at(&start, &limits);
            self.point(
                &format!("answers {text}"),
                moved,
                "stop at the depth, nodes or time given to go; p1time is the first player's clock",
            )?;
        }
        let stopped = self.ready().and_then(|()| {
            let position = Command::position(&start);
            self.engine.say(&format!("{position}\n{}\nstop", Go::default()), "bestmove", &stop).map(drop)
        });
        self.point(
            "answers stop",
            stopped,
            "read standard input while thinking, and write bestmove at once on stop",
        )?;
        self.play_games(games)?;
        self.ask_questions()?;
        self.leave("quit")
    }

    fn gomocup(&mut self, games: u64) -> Result<()> {
        let stop = Stop::default();
        let start = AnyGame::from(self.spec);
        let begun = self.engine.new_game(&start, 1, &stop);
        if !self.point(
            "starts, and answers START with OK",
            begun,
            "read lines from standard input; to START N, or RECTSTART W,H if the sides differ, answer OK; flush \
             the output after each line",
        )? {
            // Nothing else can be checked without a board.
            return Ok(());
        }
        for (command, expected, why) in [
            ("ALINEA-DOES-NOT-EXIST", "UNKNOWN", "the protocol asks for it; INFO is never answered"),
            ("ABOUT", "name=", "managers show a name that it gives as name=\"…\""),
            ("RESTART", "OK", "without it, the engine is started anew for every game"),
        ] {
            let answer = self.ready().and_then(|()| self.engine.say(command, "", &stop));
            match answer {
                Ok(answer) if answer.starts_with(expected) => {
                    self.tell(&format!("answers {command}: {}", excerpt(&answer)), Ok(()), "")?;
                }
                Ok(_) => say(&format!("note  does not answer {command} with {expected}: {why}"))?,
                Err(failure) => {
                    let fix = "answer UNKNOWN to commands that you do not implement";
                    self.point(&format!("answers {command}"), Err(failure), fix)?;
                }
            }
        }
        let mut later = start.clone();
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..5 {
            later.play(&rng.choice(later.legal_moves()).expect("a large board has empty cells"))?;
        }
        let per_move = Limits::per_move(self.movetime);
        let clock = Limits { time_ms: Some(5000), ..Limits::default() };
        for (text, game, limits, fix) in [
            (
                "BEGIN",
                &start,
                &per_move,
                "answer BEGIN with X,Y, counted from 0; INFO timeout_turn limits the time",
            ),
            (
                "BOARD",
                &later,
                &per_move,
                "read lines X,Y,1 (yours) and X,Y,2 until DONE, and answer with X,Y",
            ),
            ("BEGIN with 5 s for the game", &start, &clock, "INFO time_left says how much time is left"),
        ] {
            let moved = self.move_at(game, limits);
            self.point(&format!("answers {text} in time with a legal move"), moved, fix)?;
        }
        self.play_games(games)?;
        self.leave("END")
    }

    fn leave(&mut self, command: &str) -> Result<()> {
        let _ = self.ready();
        let late = || format!("it was still running after {} s", EXIT_TIMEOUT.as_secs());
        let left = self.engine.quit(EXIT_TIMEOUT).then_some(()).ok_or_else(late);
        let fix = format!("exit on {command} and at the end of input");
        self.tell(&format!("exits after {command}"), left, &fix)
    }

    /// Starts a new game, restarting the engine if a check killed it.
    fn ready(&mut self) -> Result<(), Failure> {
        self.engine.new_game(&self.spec.into(), 1, &Stop::default())
    }

    /// Asks a fresh engine process for a move within limits.
    fn move_at(&self, game: &AnyGame, limits: &Limits) -> Result<(), Failure> {
        let mut engine = External::speaking(self.protocol, &self.command, limits, Stderr::Inherit);
        engine.new_game(game, 1, &Stop::default())?;
        let clock = limits.clock().map(|clock| [clock; 2]);
        engine.choose(game, clock, &Stop::default()).map(drop)
    }

    fn play_games(&mut self, games: u64) -> Result<()> {
        let mut played = Ok(());
        for number in 0..games {
            let mut game = AnyGame::from(self.spec);
            let side = if number % 2 == 0 { Side::First } else { Side::Second };
            played = self.play(&mut game, side, number);
            if played.is_err() {
                say(&format!("      in the game {}", game.moves().join(" ")))?;
                break;
            }
        }
        let text = format!("plays {games} games against random legally and in time");
        self.point(&text, played, "the moves above, followed by the move named here, reproduce it")?;
        Ok(())
    }

    fn play(&mut self, game: &mut AnyGame, side: Side, seed: u64) -> Result<(), Failure> {
        let stop = Stop::default();
        let mut opponent =
            roster::program(game, "random", &system::resources(seed)).expect("every game has random");
        self.engine.new_game(game, seed, &stop)?;
        while game.outcome().is_none() {
            let chosen = if game.turn() == side {
                self.engine.choose(game, None, &stop)?.chosen
            } else {
                opponent.choose(game, &stop).expect("random always answers").chosen
            };
            game.play(&chosen).expect("the move was checked");
        }
        Ok(())
    }

    /// Optional: only other tools send these queries.
    fn ask_questions(&mut self) -> Result<()> {
        let start = AnyGame::from(self.spec);
        for query in Query::ALL {
            let text = Command::Query(query).to_string();
            let answer = self.ready().and_then(|()| self.engine.query(&start, query, &Stop::default()));
            let right = query.answer(&start);
            match answer {
                Ok(None) => say(&format!("note  does not answer {text}; other tools may need it"))?,
                Ok(Some(answer)) if answer == right => self.tell(&format!("answers {text}"), Ok(()), "")?,
                Ok(Some(answer)) => self.tell(
                    &format!("answers {text}"),
                    Err(format!("“{answer}” instead of “{right}”")),
                    "answer “response true” or “response false”, or for the result p1win, p2win, draw or none",
                )?,
                Err(failure) => drop(self.point(&text, Err(failure), "ignore unknown queries")?),
            }
        }
        Ok(())
    }

    fn point(&mut self, text: &str, result: Result<(), Failure>, fix: &str) -> Result<bool> {
        let result = result.map_err(|failure| match failure {
            Failure::Stopped => "cancelled".to_owned(),
            Failure::Fault(fault) => fault.to_string(),
        });
        let is_fine = result.is_ok();
        self.tell(text, result, fix)?;
        Ok(is_fine)
    }

    fn tell(&mut self, text: &str, result: Result<(), String>, fix: &str) -> Result<()> {
        self.points += 1;
        match result {
            Ok(()) => say(&format!("ok    {text}")),
            Err(reason) => {
                self.failed += 1;
                say(&format!("FAIL  {text}: {reason}\n      fix: {fix}"))
            }
        }
    }
}

fn say(text: &str) -> Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}")?;
    Ok(output.flush()?)
}
