//! `alinea completions` and `alinea man`: completions and manual pages, generated from the arguments that the program declares.

use std::{fs, io, path::PathBuf};

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

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
    clap_complete::generate(args.shell, &mut crate::Args::command(), "alinea", &mut script);
    // Not written directly: a closed pipe is not a failure of the program.
    Ok(io::Write::write_all(&mut io::stdout(), &script)?)
}

pub(crate) fn man(args: &ManArgs) -> Result<()> {
    let folder = &args.folder;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    clap_mangen::generate_to(crate::Args::command(), folder)
        .with_context(|| format!("cannot write to {}", folder.display()))
}
