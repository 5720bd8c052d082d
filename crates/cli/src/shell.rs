//! `alinea completions` and `alinea man`: completions and manual pages, generated from the arguments that the program declares.

use std::{fs, io, path::PathBuf};

use anyhow::{Context, Result};
use clap::{Command, CommandFactory, builder::PossibleValuesParser};
use clap_complete::Shell;
use players::roster::{self, Parameter};
use rules::{AnyGame, GAMES, Spec};
use study::puzzles::Theme;

/// Print the completions of a shell
#[derive(clap::Args)]
pub(crate) struct CompletionsArgs {
    /// bash, zsh, fish, powershell or elvish
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the manual pages, one for each command
#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// The folder to write them to
    folder: PathBuf,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    let mut command = with_values(crate::Args::command(), &players());
    clap_complete::generate(args.shell, &mut command, "alinea", &mut script);
    // Not written directly: a closed pipe is not a failure of the program.
    Ok(io::Write::write_all(&mut io::stdout(), &script)?)
}

/// The command with the names of games, players and themes as the values that a shell offers.
fn with_values(command: Command, players: &[&'static str]) -> Command {
    let command = command.mut_args(|arg| {
        let values = match arg.get_value_names() {
            // The themes of the full screen are known.
            _ if !arg.get_possible_values().is_empty() => return arg,
            Some([name]) => match name.as_str() {
                "GAME" => GAMES.iter().map(|info| info.id).collect(),
                "PLAYER" | "FIRST" | "SECOND" => players.to_vec(),
                "THEME" => Theme::ALL.iter().map(|theme| theme.name()).collect(),
                _ => return arg,
            },
            _ => return arg,
        };
        arg.value_parser(PossibleValuesParser::new(values))
    });
    command.mut_subcommands(|command| with_values(command, players))
}

/// The players of all games as they can be typed, for the rest of this run.
fn players() -> Vec<&'static str> {
    let mut names = vec!["human".to_owned()];
    for info in GAMES {
        let game = AnyGame::from(info.standard.parse::<Spec>().expect("a standard spec is a spec"));
        for listing in roster::players(&game) {
            match listing.parameter {
                Parameter::Number(range) => {
                    names.extend((1..=range.offered).map(|n| format!("{}:{n}", listing.name)));
                }
                Parameter::Strength(_) => {}
                Parameter::Level(levels) => {
                    names.extend(levels.map(|level| format!("{}:{level}", listing.name)));
                }
                _ => names.push(listing.name.to_owned()),
            }
        }
    }
    names.sort();
    names.dedup();
    names.into_iter().map(|name| &*name.leak()).collect()
}

pub(crate) fn man(args: &ManArgs) -> Result<()> {
    let folder = &args.folder;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    clap_mangen::generate_to(crate::Args::command(), folder)
        .with_context(|| format!("cannot write to {}", folder.display()))
}
