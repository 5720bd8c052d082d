//! `alinea review`: a game analysed move by move.

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use ::players::{Stop, system};
use ::study::{
    assessment::Limits,
    review::{Mark, Remark, Reviewed, review},
};
use anyhow::{Context, Result, anyhow, bail};
use arena::record;
use rules::{AnyGame, Side};
use sentences::{mark_sign, mark_text, side_name};
use serde::Serialize;

use crate::{limits::LimitArgs, live, play, query::Query};

/// Review a game: which moves threw a win or a draw away, mistakes, and a graph
///
/// On a terminal it shows one line per move with a bar for the first player's chance, otherwise one line of
/// JSON per move. Results that can be proved are exact; otherwise, without limits, each move is searched for 200 ms.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, such as connect-four:6x7x4
    #[arg(required_unless_present = "games")]
    game: Option<String>,
    /// Review the games in a file written by a match or tournament; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "position"])]
    games: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Write the graph to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON even on a terminal
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    query: Query,
}

/// A line of JSON; with the number of the game if there are several.
#[derive(Serialize)]
struct JsonLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<usize>,
    #[serde(flatten)]
    reviewed: &'a Reviewed,
}

const TIME: Duration = Duration::from_millis(200);

pub(crate) fn run(args: &Args) -> Result<()> {
    let limits = args.limits.limits(1, Some(TIME));
    let games = match (&args.games, &args.game) {
        (Some(path), _) => read_games(path)?,
        (None, game) => {
            let spec = game.as_deref().expect("clap requires a game unless a file is given").parse()?;
            let Some(game) = args.query.one(spec)? else {
                return args.query.answer(spec, |game| {
                    Ok(review(game, &limits, &system::resources(0), &Stop::default(), &mut |_| {}))
                });
            };
            if game.moves().is_empty() {
                bail!(
                    "there is no move to review; give the moves of a game, or --games with a file of games"
                );
            }
            vec![game]
        }
    };
    if args.svg.is_some() && games.len() != 1 {
        bail!("--svg takes one game, not {}", games.len());
    }
    let stop = live::stop_on_interrupt()?;
    for (i, game) in games.iter().enumerate() {
        let number = (games.len() > 1).then_some(i + 1);
        let moves = if live::is_terminal() && !args.json {
            show(game, number, &limits, &stop)?
        } else {
            print(game, number, &limits, &stop)?
        };
        if let Some(path) = &args.svg {
            fs::write(path, svg(game, &moves)).with_context(|| format!("cannot write {}", path.display()))?;
        }
        if stop.is_cancelled() {
            break;
        }
    }
    Ok(())
}

/// Reviews one game for a script.
#[cfg(feature = "full-screen")]
pub(crate) fn print_one(game: &AnyGame) -> Result<()> {
    let limits = Limits { time: Some(TIME), ..Limits::default() };
    print(game, None, &limits, &live::stop_on_interrupt()?).map(drop)
}

fn read_games(path: &Path) -> Result<Vec<AnyGame>> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    // Not an `io::Error`: an unreadable file is a usage error, exit code 2.
    let text = text.map_err(|error| anyhow!("cannot read {}: {error}", path.display()))?;
    let games = record::read(&text).with_context(|| path.display().to_string())?;
    Ok(games.into_iter().map(|read| read.game).collect())
}

/// Output for scripts.
fn print(game: &AnyGame, number: Option<usize>, limits: &Limits, stop: &Stop) -> Result<Vec<Reviewed>> {
    let line = |reviewed: &Reviewed| serde_json::to_string(&JsonLine { game: number, reviewed });
    each(game, limits, stop, |reviewed| Ok(line(reviewed)? + "\n"))
}

/// Output for a terminal.
fn show(game: &AnyGame, number: Option<usize>, limits: &Limits, stop: &Stop) -> Result<Vec<Reviewed>> {
    let names = side_names(game);
    let mut output = io::stdout();
    if let Some(number) = number {
        let title = play::words().fill("line.game-number", &[("n", &number.to_string())]);
        writeln!(output, "\n  {title}: {}", game.spec())?;
    }
    writeln!(output, "\n  {:>21}{:<10}", "", names[0])?;
    let moves = each(game, limits, stop, |reviewed| Ok(line(reviewed, &names[reviewed.side.index()])))?;
    writeln!(output)?;
    for side in Side::BOTH {
        writeln!(output, "  {}: {}", names[side.index()], summary(&moves, side))?;
    }
    Ok(moves)
}

fn side_names(game: &AnyGame) -> [String; 2] {
    Side::BOTH.map(|side| side_name(play::words(), game.info(), side))
}

/// Prints each move as soon as it is reviewed.
fn each(
    game: &AnyGame,
    limits: &Limits,
    stop: &Stop,
    text: impl Fn(&Reviewed) -> Result<String>,
) -> Result<Vec<Reviewed>> {
    let mut output = io::stdout().lock();
    let mut printed: Result<()> = Ok(());
    let moves = review(game, limits, &system::resources(0), stop, &mut |reviewed| {
        let print = |text: String| Ok(output.write_all(text.as_bytes()).and_then(|()| output.flush())?);
        printed = text(reviewed).and_then(print);
        if printed.is_err() {
            stop.cancel();
        }
    });
    printed.map(|()| moves)
}

/// One move with a bar for the first player's chance.
fn line(reviewed: &Reviewed, side: &str) -> String {
    let Reviewed { number, played, best, mark, remark, chance, .. } = reviewed;
    let words = play::words();
    let full = ((chance + 1.0) * 10.0).round() as usize;
    let bar = "█".repeat(full) + &"·".repeat(20 - full);
    let sign = mark.map_or("", |mark| mark_sign(mark));
    let mut text = format!(
        "  {number:>3} {side:<7} {:<6}{sign:<3} {bar}  {}",
        played.text,
        play::verdict(&played.verdict)
    );
    let quicker = |Remark::QuickerWin| words.t("remark.quicker-win");
    if let Some(comment) = mark.map(|mark| mark_text(words, mark)).or(remark.map(quicker)) {
        let values = [("move", &*best.text), ("verdict", &play::verdict(&best.verdict))];
        text += &format!(". {comment}: {}", words.fill("review.better", &values));
    }
    if played.verdict.proven().is_none() {
        text += &format!("  ({})", words.count("why.depth", reviewed.depth.into(), &[]));
    }
    text + "\n"
}

/// The number of each mark of a side, and its average loss per move.
fn summary(moves: &[Reviewed], side: Side) -> String {
    let words = play::words();
    let own: Vec<_> = moves.iter().filter(|reviewed| reviewed.side == side).collect();
    let count = |mark| own.iter().filter(|reviewed| reviewed.mark == Some(mark)).count();
    let mut parts: Vec<_> = Mark::ALL
        .into_iter()
        .map(|mark| (count(mark), mark_text(words, mark)))
        .filter(|&(count, _)| count > 0)
        .map(|(count, name)| format!("{count} × {name}"))
        .collect();
    if parts.is_empty() {
        parts.push(words.t("line.no-mistakes").to_owned());
    }
    // A chance is from −1 to 1, a percentage from 0 to 1.
    let loss = own.iter().map(|reviewed| reviewed.loss / 2.0).sum::<f64>() / own.len().max(1) as f64;
    let loss = words.fill("line.average-loss", &[("percent", &format!("{:.0}", 100.0 * loss))]);
    format!("{}; {loss}", parts.join(", "))
}

const STEP: usize = 16;
const HEIGHT: usize = 200;

/// The graph of the first player's chance after each move, with a dot for each mark.
fn svg(game: &AnyGame, moves: &[Reviewed]) -> String {
    let y = |chance: f64| (1.0 - chance) * HEIGHT as f64 / 2.0;
    let x = |number: usize| number * STEP;
    let width = x(moves.len() + 1);
    let (words, names) = (play::words(), side_names(game));
    let mut points = format!("0,{}", y(0.0));
    let mut dots = String::new();
    for reviewed in moves {
        let (x, y) = (x(reviewed.number as usize), y(reviewed.chance));
        points += &format!(" {x},{y:.1}");
        let title = format!(
            "{}. {} {}{}: {}",
            reviewed.number,
            names[reviewed.side.index()],
            reviewed.played.text,
            reviewed.mark.map_or_else(String::new, |mark| {
                format!(" {} ({})", mark_sign(mark), mark_text(words, mark))
            }),
            play::verdict(&reviewed.played.verdict),
        );
        let (radius, class) = match reviewed.mark {
            None => (2, "move"),
            Some(Mark::Inaccuracy) => (4, "inaccuracy"),
            Some(Mark::Mistake) => (5, "mistake"),
            Some(Mark::Blunder | Mark::ThrowsDraw | Mark::ThrowsWin) => (6, "blunder"),
        };
        dots += &format!(
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y:.1}\" r=\"{radius}\"><title>{title}</title></circle>\n"
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-4 -8 {} {}\" role=\"img\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n\
         <rect width=\"{width}\" height=\"{HEIGHT}\"/>\n\
         <line x2=\"{width}\" y1=\"{middle}\" y2=\"{middle}\"/>\n\
         <polyline points=\"{points}\"/>\n{dots}</svg>\n",
        width + 8,
        HEIGHT + 16,
        words.fill("line.graph", &[("game", &game.spec().to_string()), ("side", &names[0])]),
        middle = HEIGHT / 2,
    )
}

const STYLE: &str = "rect{fill:#f4f4f4}line{stroke:#999}polyline{fill:none;stroke:#333;stroke-width:2}\
                     .move{fill:#333}.inaccuracy{fill:#d9a400}.mistake{fill:#e06c00}.blunder{fill:#c62828}";
