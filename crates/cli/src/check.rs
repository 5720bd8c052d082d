//! `alinea check`: tests an engine against the protocol, point by point, and says what to fix.

use std::{
    io::{self, Write},
    time::Duration,
};

use anyhow::Result;
use arena::{
    External, Failure, Limits, Stderr,
    ugi::{Command, Go, Query},
};
use players::{Stop, roster, system};
use rules::{AnyGame, Side, Spec};

use crate::ExitWith;

/// Check whether an engine speaks UGI and plays legally
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell command that starts the engine
    command: String,
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The number of games against random
    #[arg(long, value_name = "N", default_value_t = 4)]
    games: u64,
    /// Time for a move in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200)]
    movetime: u64,
}

struct Check {
    command: String,
    spec: Spec,
    movetime: u64,
    engine: External,
    points: usize,
    failed: usize,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let limits = Limits::per_move(args.movetime);
    let engine = External::new(&args.command, &limits, Stderr::Inherit);
    let (command, spec, movetime) = (args.command.clone(), args.game.parse()?, args.movetime);
    let mut check = Check { command, spec, movetime, engine, points: 0, failed: 0 };
    check.all(args.games)?;
    let Check { points, failed, .. } = check;
    if failed > 0 {
        let message = format!("{failed} of {points} checks failed; see the fixes above");
        return Err(ExitWith { code: 1, message }.into());
    }
    say(&format!("all {points} checks passed; the engine can play as external:{}", args.command))
}

impl Check {
    fn all(&mut self, games: u64) -> Result<()> {
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
        let _ = self.ready();
        let left = self.engine.quit();
        let left = if left { Ok(()) } else { Err("it was still running after half a second".to_owned()) };
        self.tell("exits after quit", left, "exit on quit and at the end of input")?;
        Ok(())
    }

    /// Starts a new game, restarting the engine if a check killed it.
    fn ready(&mut self) -> Result<(), Failure> {
        self.engine.new_game(&self.spec.into(), 1, &Stop::default())
    }

    /// Asks a fresh engine process for a move within limits.
    fn move_at(&self, game: &AnyGame, limits: &Limits) -> Result<(), Failure> {
        let mut engine = External::new(&self.command, limits, Stderr::Inherit);
        engine.new_game(game, 1, &Stop::default())?;
        let clock = limits.time_ms.map(|ms| {
            let left = Duration::from_millis(ms);
            [arena::ugi::SideClock { left, increment: Duration::from_millis(limits.increment_ms) }; 2]
        });
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
