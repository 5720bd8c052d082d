//! The program `alinea`: play alignment games in the terminal, and ask about them from scripts.

mod book;
mod choose;
mod inspect;
mod perft;
mod play;
mod players;
mod query;
mod solve;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

/// Play, study and build players for alignment games: tic-tac-toe, Connect Four of any size,
/// Simplexity and ChessFive. Without a command it opens a menu.
#[derive(Parser)]
#[command(name = "alinea", version, after_help = GAMES)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

const GAMES: &str = "GAME is tic-tac-toe, connect-four[:ROWSxCOLS[xRUN]], \
    simplexity[:ROWSxCOLSxRUN[:ROUND+SQUARE]] or chess-five.";

#[derive(Subcommand)]
enum Command {
    Play(play::Args),
    Players(players::Args),
    Inspect(inspect::Args),
    Choose(choose::Args),
    Perft(perft::Args),
    Solve(solve::Args),
    Book(book::Args),
}

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return explain(&error),
    };
    let result = match args.command {
        None => play::menu(),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Players(args)) => players::run(&args),
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Choose(args)) => choose::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Book(args)) => book::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => match error.downcast_ref::<io::Error>() {
            // Whoever read our output has seen enough.
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Some(_) => report(&error, 1),
            None => report(&error, 2),
        },
    }
}

/// Help goes out whole; of a complaint only what is wrong, in one line.
fn explain(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if !error.use_stderr() {
        // Nobody may be reading any more.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let complaint: Vec<_> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let complaint = complaint.join(" ");
    let complaint = complaint.strip_prefix("error: ").unwrap_or(&complaint);
    say(&format!("{complaint}; see alinea --help"));
    ExitCode::from(2)
}

fn report(error: &anyhow::Error, code: u8) -> ExitCode {
    say(&format!("{error:#}"));
    ExitCode::from(code)
}

/// Nobody may be listening, which is no reason to fail.
fn say(complaint: &str) {
    let _ = writeln!(io::stderr(), "alinea: {complaint}");
}
