//! Makes the weights of the learned evaluation: plays games, learns from them, and measures what was learned.
//!
//! ```text
//! cargo run --release -p alinea-arena --example learn -- games COUNT NODES SEED [WEIGHTS] > games.txt
//! cargo run --release -p alinea-arena --example learn -- train WEIGHTS GAMES…
//! cargo run --release -p alinea-arena --example learn -- export POSITIONS GAMES…
//! cargo run --release -p alinea-arena --example learn -- match PAIRS LIMIT WEIGHTS OTHER [GAME]
//! ```
//!
//! `export` writes the positions of games for `train.py` beside this file, which trains on a GPU.
//!
//! WEIGHTS is a file, or `none` for the evaluation without learning; LIMIT is `nodes=1000` or `50ms`. All cores are used; the
//! number of cores changes no result that is not limited by time. `docs/explanation/evaluation.md` has the recipe with its
//! figures.

mod games;
mod matches;
mod train;

use std::{env, fs, process::ExitCode, thread};

use players::Network;

const USAGE: &str = "usage: learn games COUNT NODES SEED [WEIGHTS], learn train WEIGHTS GAMES…, \
     learn export POSITIONS GAMES…, or learn match PAIRS LIMIT WEIGHTS OTHER [GAME]";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["games", count, nodes, seed] => games::run(count, nodes, seed, "none"),
        ["games", count, nodes, seed, weights] => games::run(count, nodes, seed, weights),
        ["train", weights, ref games @ ..] if !games.is_empty() => train::run(weights, games),
        ["export", path, ref games @ ..] if !games.is_empty() => train::export(path, games),
        ["match", pairs, limit, weights, other] => matches::run(pairs, limit, [weights, other], "gomoku"),
        ["match", pairs, limit, weights, other, game] => matches::run(pairs, limit, [weights, other], game),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn number(text: &str) -> Done<u64> {
    text.parse().map_err(|_| format!("“{text}” is not a number").into())
}

/// The weights in a file; `None` for `none`.
fn weights(path: &str) -> Done<Option<&'static Network>> {
    if path == "none" {
        return Ok(None);
    }
    let bytes = fs::read(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    let network = Network::from_bytes(&bytes).map_err(|error| format!("{path}: {error}"))?;
    Ok(Some(Box::leak(Box::new(network))))
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
