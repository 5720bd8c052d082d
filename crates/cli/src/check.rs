//! `alinea check`: tells an author, point by point, whether an engine can play here, and what to fix.

use std::{
    io::{self, Write},
    time::Duration,
};

use anyhow::Result;
use arena::{
    Stderr, External, Failure, Limits,
    ugi::{Command, Go, Query},
};
use players::{Stop, roster};
use rules::{AnyGame, Side, Spec};

use crate::Ended;

/// Check whether an engine speaks UGI and plays legally
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The command that starts the engine, as one would write it in a shell
    command: String,
    /// Which game, such as connect-four:6x7x4
    game: String,
    /// How many games it plays against random
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
        let sentence = format!("{failed} of {points} points failed: see what to fix above");
        return Err(Ended { code: 1, sentence }.into());
    }
    say(&format!("all {points} points are fine: it can play here as external:{}", args.command))
}

impl Check {
    fn all(&mut self, games: u64) -> Result<()> {
        let stop = Stop::default();
        let start = AnyGame::from(self.spec);
        let begun = self.engine.new_game(&start, 1, &stop);
        let name = self.engine.name().unwrap_or("it has no name").to_owned();
        if !self.point(
            &format!("starts, and answers ugi with ugiok and isready with readyok ({name})"),
            begun,
            "read lines from standard input; to ugi answer “id name …” and “ugiok”, to isready “readyok”; \
             flush the output after each line",
        )? {
            // Without that nothing else can be tried.
            return Ok(());
        }
        let readied = self.engine.say("alinea-does-not-exist 1\nisready", "readyok", &stop);
        self.point(
            "ignores a command that it does not know",
            readied,
            "skip lines that you do not understand",
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
                &format!("answers to {text}"),
                moved,
                "stop thinking at the depth, nodes or time that go names: p1time is the first player's clock",
            )?;
        }
        let stopped = self.ready().and_then(|()| {
            let position = Command::position(&start);
            self.engine.say(&format!("{position}\n{}\nstop", Go::default()), "bestmove", &stop)
        });
        self.point(
            "answers to stop",
            stopped,
            "read standard input while thinking, and write bestmove at once when stop comes",
        )?;
        self.play_games(games)?;
        self.ask_questions()?;
        let _ = self.ready();
        let left = self.engine.quit();
        let left = if left { Ok(()) } else { Err("it was still there after half a second".to_owned()) };
        self.tell("leaves after quit", left, "end the program when quit comes, or the end of input")?;
        Ok(())
    }

    /// A fresh game with the limits of before, after whatever went wrong.
    fn ready(&mut self) -> Result<(), Failure> {
        self.engine.new_game(&self.spec.into(), 1, &Stop::default())
    }

    /// A move within limits, by an engine of its own.
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
        self.point(&text, played, "the game above, continued by the move named here, shows the mistake")?;
        Ok(())
    }

    fn play(&mut self, game: &mut AnyGame, side: Side, seed: u64) -> Result<(), Failure> {
        let stop = Stop::default();
        let mut opponent = roster::program(game, "random", seed).expect("every game has random");
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

    /// Other tools ask these; we do not, so an engine that does not answer is fine here.
    fn ask_questions(&mut self) -> Result<()> {
        let start = AnyGame::from(self.spec);
        for query in Query::ALL {
            let text = Command::Query(query).to_string();
            let answer = self.ready().and_then(|()| self.engine.query(&start, query, &Stop::default()));
            let right = query.answer(&start);
            match answer {
                Ok(None) => say(&format!("note  does not answer {text}; other tools may want it"))?,
                Ok(Some(answer)) if answer == right => self.tell(&format!("answers {text}"), Ok(()), "")?,
                Ok(Some(answer)) => self.tell(
                    &format!("answers {text}"),
                    Err(format!("“{answer}” instead of “{right}”")),
                    "answer “response true” or “response false”, or for the result p1win, p2win, draw or none",
                )?,
                Err(failure) => drop(self.point(&text, Err(failure), "skip questions you do not know")?),
            }
        }
        Ok(())
    }

    fn point(&mut self, text: &str, result: Result<(), Failure>, fix: &str) -> Result<bool> {
        let result = result.map_err(|failure| match failure {
            Failure::Stopped => "it was stopped".to_owned(),
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
