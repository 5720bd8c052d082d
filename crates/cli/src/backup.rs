//! `alinea backup` and `alinea restore`: the whole data of a server in one file, for either database.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};

use crate::{
    database::{Database, runtime},
    system,
};

/// Write everything a server keeps into one file, also while it runs
#[derive(clap::Args)]
pub(crate) struct BackupArgs {
    /// The file to write; it must not exist
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

/// Restore a backup into a new database, of the same kind or of the other
#[derive(clap::Args)]
pub(crate) struct RestoreArgs {
    /// A file written by `alinea backup`
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn backup(args: &BackupArgs) -> Result<()> {
    let (url, name) = (args.database.url()?, args.file.display());
    if args.file.exists() {
        bail!("{name} already exists");
    }
    // The file has another name until it is complete.
    let mut part = args.file.clone().into_os_string();
    part.push(".part");
    let part = Path::new(&part);
    // It has the hashes of passwords, so only its owner may read it.
    let file = system::create_private(part);
    let mut output = BufWriter::new(file.with_context(|| part.display().to_string())?);
    let written = runtime()?.block_on(store::backup(&url, &mut output));
    let kept = written.map_err(|error| anyhow!("cannot back up {}: {error}", args.database.name())).and_then(
        |rows| {
            output.get_ref().sync_all()?;
            fs::rename(part, &args.file)?;
            Ok(rows)
        },
    );
    if kept.is_err() {
        let _ = fs::remove_file(part);
    }
    writeln!(io::stdout(), "{} rows in {name}", kept?)?;
    Ok(())
}

pub(crate) fn restore(args: &RestoreArgs) -> Result<()> {
    let (url, name) = (args.database.url()?, args.file.display());
    let file = File::open(&args.file).with_context(|| name.to_string())?;
    let _lock = args.database.lock()?;
    let restored = runtime()?.block_on(store::restore(&url, &mut BufReader::new(file)));
    let rows =
        restored.map_err(|error| anyhow!("cannot restore {name} into {}: {error}", args.database.name()))?;
    writeln!(io::stdout(), "{rows} rows from {name}")?;
    Ok(())
}
