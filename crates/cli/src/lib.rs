//! The commands of the program `alinea`: play, analyse and serve alignment games. One module per command.
//!
//! This is a library, so that it compiles while the compiler still generates code for the server.

mod admin;
mod analyse;
mod backup;
mod bench;
mod book;
mod check;
mod choose;
mod contest;
mod contestant;
mod database;
mod dataset;
mod doctor;
mod engine;
mod games;
mod improve;
mod inspect;
mod limits;
mod live;
mod r#match;
mod online;
mod openings;
mod parallel;
mod perft;
mod play;
mod players;
mod puzzles;
mod query;
mod report;
mod review;
mod serve;
mod shell;
mod solve;
mod system;
mod tournament;
mod worker;
mod workers;

use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

/// Play, study and build players for alignment games. Without a command it opens a menu.
#[derive(Parser)]
#[command(name = "alinea", version, after_help = games::help())]
struct Args {
    /// Colours: on a terminal that has them, always, or never
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    color: play::Color,
    /// The language: en, es, pt-PT, pt-BR or ca [default: that of the locale on a terminal, otherwise English]
    #[arg(long, global = true, value_name = "LANG", value_parser = play::read_language)]
    lang: Option<sentences::Language>,
    #[command(flatten)]
    screen: play::ScreenArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Args),
    Online(online::Args),
    Games(games::Args),
    Improve(improve::Args),
    Players(players::Args),
    Inspect(inspect::Args),
    Choose(choose::Args),
    Perft(perft::Args),
    Analyse(analyse::Args),
    Review(review::Args),
    Puzzles(puzzles::Args),
    Bench(bench::Args),
    Solve(solve::Args),
    Book(book::Args),
    Dataset(dataset::Args),
    Openings(openings::Args),
    Match(Box<r#match::Args>),
    Tournament(tournament::Args),
    Report(report::Args),
    Engine(engine::Args),
    Check(check::Args),
    Serve(serve::Args),
    Backup(backup::BackupArgs),
    Restore(backup::RestoreArgs),
    Worker(worker::Args),
    Admin(admin::Args),
    Doctor(doctor::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

/// An exit with a message and its own code that is not a usage error.
#[derive(Debug)]
struct ExitWith {
    code: u8,
    message: String,
}

impl fmt::Display for ExitWith {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExitWith {}

/// Runs the command that the program was called with.
#[must_use]
pub fn main() -> ExitCode {
    system::prepare_console();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return explain(&error),
    };
    play::set_color(args.color);
    play::set_language(args.lang);
    let result = match args.command {
        None => play::menu(args.screen),
        Some(Command::Play(mut command)) => {
            command.screen = command.screen.or(args.screen);
            play::run(command)
        }
        Some(Command::Online(mut command)) => {
            command.screen = command.screen.or(args.screen);
            online::run(command)
        }
        Some(Command::Games(args)) => games::run(&args),
        Some(Command::Improve(mut command)) => {
            command.screen = command.screen.or(args.screen);
            improve::run(command)
        }
        Some(Command::Players(args)) => players::run(&args),
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Choose(args)) => choose::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Review(args)) => review::run(&args),
        Some(Command::Puzzles(args)) => puzzles::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Dataset(args)) => dataset::run(&args),
        Some(Command::Openings(args)) => openings::run(&args),
        Some(Command::Match(args)) => r#match::run(*args),
        Some(Command::Tournament(args)) => tournament::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Backup(args)) => backup::backup(&args),
        Some(Command::Restore(args)) => backup::restore(&args),
        Some(Command::Worker(args)) => worker::run(&args),
        Some(Command::Admin(args)) => admin::run(&args),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Completions(args)) => shell::completions(&args),
        Some(Command::Man(args)) => shell::man(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => match (error.downcast_ref::<io::Error>(), error.downcast_ref::<ExitWith>()) {
            // The reader closed the pipe: not an error.
            (Some(error), _) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            (_, Some(exit)) => report(&error, exit.code),
            _ => report(&error, 2),
        },
    }
}

/// Prints help in full; an error as one line.
fn explain(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    say(&sentence(error));
    ExitCode::from(2)
}

/// What is wrong with the arguments.
fn sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let message: Vec<_> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let message = message.join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    // The standard library's messages for text that is not a whole number, or too large a one.
    let message = [
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
    ]
    .iter()
    .fold(message.to_owned(), |message, (theirs, ours)| message.replace(theirs, ours));
    format!("{message}; see alinea --help")
}

fn report(error: &anyhow::Error, code: u8) -> ExitCode {
    say(&format!("{error:#}"));
    ExitCode::from(code)
}

/// Prints a message to standard error in one write, so that no other output splits it. Best effort: a closed
/// standard error is not a failure. A name may have control characters, which neither break the line nor reach the
/// terminal.
fn say(message: &str) {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let message: String = message.chars().map(escape).collect();
    let _ = io::stderr().write_all(format!("alinea: {message}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// The commands without further commands, with the words that lead to them.
    fn commands(command: &clap::Command, path: &[String]) -> Vec<(Vec<String>, clap::Command)> {
        let further: Vec<_> = command.get_subcommands().filter(|it| it.get_name() != "help").collect();
        if further.is_empty() {
            return vec![(path.to_vec(), command.clone())];
        }
        let path = |it: &clap::Command| [path, &[it.get_name().to_owned()]].concat();
        further.into_iter().flat_map(|it| commands(it, &path(it))).collect()
    }

    #[test]
    fn every_option_refuses_bad_values_in_one_sentence() {
        const BAD: [&str; 14] = [
            "",
            " ",
            "x",
            "-1",
            "0",
            "1e309",
            "NaN",
            "99999999999999999999",
            "-99999999999999999999",
            "1,",
            "=",
            "0+0",
            "\u{e9}\u{2665}",
            "../../etc/passwd",
        ];
        let mut root = Args::command();
        root.build();
        let mut refused = 0;
        for (path, command) in commands(&root, &["alinea".to_owned()]) {
            let options = command.get_arguments().filter(|option| option.get_action().takes_values());
            for option in options.filter_map(|option| option.get_long()) {
                for value in BAD {
                    let args = path.iter().cloned().chain([format!("--{option}={value}")]);
                    let Err(error) = root.try_get_matches_from_mut(args) else { continue };
                    let said = sentence(&error);
                    refused += 1;
                    let words = [
                        "target type",
                        "found in string",
                        "ParseIntError",
                        "ParseFloatError",
                        "error:",
                        "\n",
                    ];
                    assert!(
                        !words.iter().any(|word| said.contains(word)),
                        "{path:?} --{option}={value}: {said}"
                    );
                    assert!(said.ends_with("; see alinea --help"), "{path:?} --{option}={value}: {said}");
                }
            }
        }
        assert!(refused > 1_500, "{refused}");
    }
}
