//! The positions that the commands for scripts take: one on the command line, or many on standard input with
//! one answer per line.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Write},
    sync::{Arc, mpsc},
    thread,
};

use anyhow::{Context, Result, bail};
use parking_lot::Mutex;
use rules::{AnyGame, Spec};
use serde::Serialize;
use serde_json::json;

/// The arguments that name a position of a game.
#[derive(clap::Args)]
pub(crate) struct Query {
    /// The starting position, such as "3/1x1/3 b"
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// The moves to play from there; - reads queries from standard input, one per line: moves, `position P`, or
    /// `position P moves M…`
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
}

impl Query {
    /// The position given on the command line; `None` if positions are read from standard input.
    pub(crate) fn one(&self, game: Spec) -> Result<Option<AnyGame>> {
        let is_many = self.moves == ["-"];
        let start = self.start(game)?;
        if is_many { Ok(None) } else { with_moves(&start, &self.moves.join(" ")).map(Some) }
    }

    fn start(&self, game: Spec) -> Result<AnyGame> {
        let mut start = AnyGame::from(game);
        if let Some(position) = &self.position {
            start.set_position(position)?;
        }
        Ok(start)
    }

    /// Answers each position with one line of JSON.
    pub(crate) fn answer<T: Serialize>(
        &self,
        game: Spec,
        answer: impl Fn(&AnyGame) -> Result<T> + Sync,
    ) -> Result<()> {
        match self.one(game)? {
            Some(game) => {
                writeln!(io::stdout(), "{}", serde_json::to_string(&answer(&game)?)?)?;
                Ok(())
            }
            None => self.answer_lines(game, 1, || (), |(), game| answer(game)),
        }
    }

    /// Answers the lines of standard input in order, by this many worker threads.
    pub(crate) fn answer_lines<S, T: Serialize>(
        &self,
        game: Spec,
        workers: usize,
        worker: impl Fn() -> S + Sync,
        answer: impl Fn(&mut S, &AnyGame) -> Result<T> + Sync,
    ) -> Result<()> {
        let start = self.start(game)?;
        // Short queue: a script that waits for an answer before it sends the next line must not stall.
        let (questions, asked) = mpsc::sync_channel::<(usize, Vec<u8>)>(workers);
        // Owned by the workers alone: when the last one exits, sending fails instead of blocking.
        let asked = Arc::new(Mutex::new(asked));
        let (answers, answered) = mpsc::channel();
        thread::scope(|scope| {
            let printer = scope.spawn(move || print_in_order(&answered));
            for _ in 0..workers {
                let (answers, asked) = (answers.clone(), Arc::clone(&asked));
                let (start, worker, answer) = (&start, &worker, &answer);
                scope.spawn(move || {
                    let mut state = worker();
                    loop {
                        let next = asked.lock().recv();
                        let Ok((number, line)) = next else { return };
                        let found = read_line(start, &line).and_then(|game| answer(&mut state, &game));
                        let text = found.and_then(|answer| Ok(serde_json::to_string(&answer)?));
                        let error = |error: anyhow::Error| json!({ "error": error.to_string() }).to_string();
                        if answers.send((number, text.unwrap_or_else(error))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop((answers, asked));
            let mut input = io::stdin().lock();
            for number in 0.. {
                let mut line = Vec::new();
                if input.read_until(b'\n', &mut line).context("cannot read standard input")? == 0 {
                    break;
                }
                // The printer may have failed, and the workers exited with it.
                if printer.is_finished() || questions.send((number, line)).is_err() {
                    break;
                }
            }
            drop(questions);
            Ok(printer.join().expect("the printer does not panic")?)
        })
    }
}

fn print_in_order(answered: &mpsc::Receiver<(usize, String)>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (number, text) in answered {
        waiting.insert(number, text);
        while let Some(text) = waiting.remove(&next) {
            writeln!(output, "{text}")?;
            next += 1;
        }
    }
    Ok(())
}

fn read_line(start: &AnyGame, line: &[u8]) -> Result<AnyGame> {
    let Ok(line) = str::from_utf8(line) else {
        bail!("the line is not UTF-8 text");
    };
    let words: Vec<_> = line.split_whitespace().collect();
    if words.first() != Some(&"position") {
        return with_moves(start, line);
    }
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut game = start.clone();
    game.set_position(&words[1..moves].join(" "))?;
    with_moves(&game, &words[words.len().min(moves + 1)..].join(" "))
}

fn with_moves(start: &AnyGame, moves: &str) -> Result<AnyGame> {
    let mut game = start.clone();
    game.play_all(moves)?;
    Ok(game)
}
