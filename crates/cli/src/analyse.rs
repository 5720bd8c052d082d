//! `alinea analyse`: the best lines of a position by iterative deepening.

use std::io::{self, Write};

use ::players::system;
use ::study::assessment::{Assessed, Assessment, assess};
use anyhow::{Result, bail};
use rules::{AnyGame, PlayError, Spec};
use serde::Serialize;

use crate::{
    limits::LimitArgs,
    live::{self, LiveText},
    play,
    query::Query,
};

/// Assess a position and show the best lines, until all is proved, a limit is reached or Ctrl-C
///
/// On a terminal, the command updates a table as it learns more; otherwise it prints one line of JSON each
/// time. Verdicts are for the side to move. Results that can be proved in a moment are proved regardless of
/// the limits.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The number of lines to show
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    lines: u16,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print JSON even on a terminal
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    query: Query,
}

/// One line of JSON.
#[derive(Serialize)]
struct JsonLine<'a> {
    #[serde(flatten)]
    assessment: &'a Assessment,
    nodes_per_second: u64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec: Spec = args.game.parse()?;
    let Some(game) = args.query.one(spec)? else {
        bail!("analyse takes one position; write its moves instead of -");
    };
    if let Some(outcome) = game.outcome() {
        return Err(PlayError::GameOver(outcome).into());
    }
    let limits = args.limits.limits(args.lines.into(), None);
    let stop = live::stop_on_interrupt()?;
    let is_interactive = live::is_terminal() && !args.json;
    let mut output = io::stdout().lock();
    if is_interactive {
        let turn = play::words().fill("status.turn-of", &[("name", &play::side_name(&game))]);
        writeln!(output, "{}  {turn}", play::board(&game))?;
    }
    let mut live_text = LiveText::default();
    let mut written = Ok(());
    assess(&game, &limits, &system::resources(0), &stop, &mut |assessment| {
        let text = if is_interactive {
            live_text.redrawn(&table(args, &game, assessment))
        } else {
            json(assessment) + "\n"
        };
        written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
        if written.is_err() {
            // The reader has closed the pipe.
            stop.cancel();
        }
    });
    Ok(written?)
}

fn json(assessment: &Assessment) -> String {
    let line = JsonLine { assessment, nodes_per_second: assessment.nodes_per_second() };
    serde_json::to_string(&line).expect("numbers and texts are JSON")
}

/// Maximum line width: a wrapped line could not be redrawn in place.
const WIDTH: usize = 78;

fn table(args: &Args, game: &AnyGame, assessment: &Assessment) -> String {
    let words = play::words();
    let seconds = assessment.time_ms as f64 / 1e3;
    let nodes = words.fill("why.nodes.other", &[("n", &short(assessment.nodes))]);
    let mut text = if assessment.is_final {
        format!("\n  {}, {nodes}, {seconds:.1} s\n", words.t("line.proved"))
    } else {
        let depth = words.count("why.depth", assessment.depth.into(), &[]);
        let speed = short(assessment.nodes_per_second());
        format!("\n  {depth}, {nodes}, {speed}/s, {seconds:.1} s\n")
    };
    for assessed in assessment.moves.iter().take(args.lines.into()) {
        text += &fitted(&format!("  {:>12}  {}", play::verdict(&assessed.verdict), numbered(game, assessed)));
        text.push('\n');
    }
    text
}

/// The moves of a line, numbered from the next ply.
fn numbered(game: &AnyGame, assessed: &Assessed) -> String {
    let number = game.moves().len() + 1;
    format!("{number}. {}", assessed.line.join(" "))
}

fn fitted(text: &str) -> String {
    if text.chars().count() <= WIDTH {
        return text.to_owned();
    }
    let cut: String = text.chars().take(WIDTH - 1).collect();
    // Whole moves only.
    cut.rsplit_once(' ').map_or(cut.clone(), |(whole, _)| whole.to_owned()) + " …"
}

/// A large number in short form, such as 1.2 M.
fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{} k", number / 1000),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}
