//! `alinea dataset verify`: checks that the files are unchanged, and recomputes a sample of the values.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    thread,
};

use ::study::dataset::{PositionRow, Valuer, Values};
use anyhow::{Context, Result, anyhow};
use parking_lot::Mutex;
use rules::Spec;

use super::{
    card::About,
    folder::{ABOUT, CHECKSUMS, POSITIONS, each_line, sha256},
};
use crate::{ExitWith, live, parallel::in_parallel};

/// Verify a data set: check its checksums and counts, and recompute the values of a sample of positions
#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder of the data set
    folder: PathBuf,
    /// The number of positions in the sample
    #[arg(long, value_name = "N", default_value_t = 100)]
    sample: usize,
    /// The seed of the sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// A line of the sample.
struct Sampled {
    number: u64,
    line: String,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let files = check_sums(&args.folder)?;
    let path = args.folder.join(ABOUT);
    let text =
        fs::read_to_string(&path).map_err(|error| anyhow!("cannot read {}: {error}", path.display()))?;
    let about: About = serde_json::from_str(&text)
        .with_context(|| format!("{} does not describe a data set", path.display()))?;
    let (spec, values) = (about.settings.spec()?, about.settings.values()?);
    let sample = draw(args, &about)?;
    let stop = live::stop_on_interrupt()?;
    let cores = || thread::available_parallelism().map_or(1, Into::into);
    let threads = args.threads.map_or_else(cores, usize::from);
    let valuers = Mutex::new(Vec::new());
    let found = in_parallel(&sample, threads, |sampled| {
        let mut valuer = valuers.lock().pop().unwrap_or_else(|| Valuer::new(values));
        let found = again(&mut valuer, spec, &sampled.line, &stop);
        valuers.lock().push(valuer);
        found
    });
    if stop.is_cancelled() {
        return Err(ExitWith { code: 130, message: "interrupted".to_owned() }.into());
    }
    for (sampled, found) in sample.iter().zip(found) {
        if let Err(reason) = found {
            let version = env!("CARGO_PKG_VERSION");
            let made = &about.settings.alinea;
            let other = if values == Values::Exact || made == version {
                String::new()
            } else {
                format!("; it was made by version {made}, whose searches may differ from those of {version}")
            };
            return fail(format!("line {} of {POSITIONS}: {reason}{other}", sampled.number));
        }
    }
    let (count, positions) = (sample.len(), about.positions);
    writeln!(
        io::stdout(),
        "the checksums of {files} files are right, and {count} of {positions} positions have the same values again"
    )?;
    Ok(())
}

fn fail<T>(message: String) -> Result<T> {
    Err(ExitWith { code: 1, message }.into())
}

/// Checks the checksums, and returns how many there are.
fn check_sums(folder: &Path) -> Result<usize> {
    let path = folder.join(CHECKSUMS);
    let text = fs::read_to_string(&path).map_err(|error| {
        anyhow!("cannot read {}: {error}; a data set has this file once it is complete", path.display())
    })?;
    let mut count = 0;
    let mut has_positions = false;
    for line in text.lines() {
        let (sum, name) = line
            .split_once("  ")
            .filter(|(sum, name)| sum.len() == 64 && !name.contains('/'))
            .ok_or_else(|| {
                anyhow!(
                    "{} has an invalid line; expected a checksum and a file name, not {}",
                    path.display(),
                    rules::excerpt(line)
                )
            })?;
        if sha256(&folder.join(name))? != sum {
            return fail(format!("{name} has been changed: its checksum differs"));
        }
        has_positions |= name == POSITIONS;
        count += 1;
    }
    if has_positions { Ok(count) } else { fail(format!("{CHECKSUMS} has no checksum of {POSITIONS}")) }
}

/// Draws a sample of positions with equal probability in one pass over the file, and checks the file on the
/// way.
fn draw(args: &Args, about: &About) -> Result<Vec<Sampled>> {
    let mut rng = fastrand::Rng::with_seed(args.seed);
    let mut sample = Vec::new();
    let mut counted = About::new(about.settings.clone(), about.games);
    let mut number = 0;
    each_line(&args.folder.join(POSITIONS), |line| {
        counted.count(&serde_json::from_str::<PositionRow>(line)?);
        number += 1;
        let sampled = Sampled { number, line: line.to_owned() };
        if sample.len() < args.sample {
            sample.push(sampled);
        } else if let Some(place) = sample.get_mut(rng.u64(..number) as usize) {
            *place = sampled;
        }
        Ok(())
    })?;
    if counted == *about {
        Ok(sample)
    } else {
        fail(format!("the counts in {ABOUT} do not match {POSITIONS}"))
    }
}

/// Checks that the position follows from its moves and that its values can be reproduced.
fn again(valuer: &mut Valuer, spec: Spec, line: &str, stop: &players::Stop) -> Result<(), String> {
    let mut row: PositionRow = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let game = row.text.game(spec)?;
    if let Some(outcome) = game.outcome() {
        return Err(format!("the game is over in this position ({outcome})"));
    }
    let Some(valued) = valuer.value(&game, stop) else {
        return Err("the position cannot be proved".to_owned());
    };
    row.valued = valued;
    // Compared as text: a number may change in its last digit when it is parsed.
    let found = serde_json::to_string(&row).map_err(|error| error.to_string())?;
    if found == line { Ok(()) } else { Err(format!("the values differ from those found now: {found}")) }
}
