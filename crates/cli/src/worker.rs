//! `alinea worker`: runs searches for the servers that share a PostgreSQL database, and plays games of
//! tournaments on it, until a signal stops it.

use std::{
    io::{self, Write},
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail};
use play::Worker;
use store::Store;

use crate::{
    database::{Database, runtime},
    serve::{LogFormat, prepare_process},
    system,
    workers::open_contest,
};

/// Run searches for the servers that share a PostgreSQL database, and play games of tournaments on it
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    database: Database,
    /// Maximum number of concurrent searches and games; by default the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    programs: Option<u16>,
    /// Also run external engines of tournaments: their commands come from the database, and run with the rights of this
    /// program
    #[arg(long)]
    engines: bool,
    /// The format of the log on standard error
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    log: LogFormat,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let url = args.database.url()?;
    if !args.database.is_shared() {
        bail!("a worker needs the PostgreSQL database of its servers; add --database-url");
    }
    prepare_process(args.log);
    let runtime = runtime()?;
    let worked = runtime.block_on(work(args, &url));
    // Does not wait for running searches.
    runtime.shutdown_background();
    worked
}

async fn work(args: &Args, url: &str) -> Result<()> {
    let stop = system::stop_signal()?;
    let store = Store::open_for_worker(url).await;
    let store = store.map_err(|error| anyhow!("cannot open {}: {}", args.database.name(), error.reason()))?;
    let cores = || std::thread::available_parallelism().map_or(1, Into::into);
    let places = args.programs.map_or_else(cores, usize::from);
    // Flushed: a parent process may wait for this line through a pipe.
    let mut output = io::stdout();
    writeln!(output, "thinking in {places} places")
        .and_then(|()| output.flush())
        .context("cannot write to standard output")?;
    let engines = args.engines;
    let open = Arc::new(move |settings: &str| open_contest(settings, engines));
    Worker::playing(store.clone(), places, open, engines).run(Box::pin(stop)).await;
    store.close().await;
    Ok(())
}
