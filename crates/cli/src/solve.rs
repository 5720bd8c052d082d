//! `alinea solve`: the exact value of Connect Four positions.

use std::{
    io::{self, IsTerminal, Write},
    sync::atomic::AtomicBool,
    thread,
    time::Instant,
};

use ::players::{Proof, Proven, Reason, Thought, system};
use ::study::Verdict;
use anyhow::Result;
use rules::{AnyGame, ConnectFour, Small, Spec};
use serde::Serialize;
use solver::{Book, Solution, Solver, Unsolvable, Value};

use crate::{play, query::Query};

/// Solve Connect Four: the exact score of a position and of every move
///
/// Runs of 4 on boards of up to 64 bits: (rows + 1) × columns. The score is 0 for a draw; k > 0 if the
/// side to move wins with its k-th stone counted from its last on a full board; negative likewise for
/// the opponent.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, such as connect-four:6x7x4
    game: String,
    #[command(flatten)]
    query: Query,
    /// Solve weakly: score 1, 0 or -1, without the moves
    #[arg(long)]
    weak: bool,
    /// Only the score, without the moves and the line
    #[arg(long, conflicts_with_all = ["weak", "line"])]
    score: bool,
    /// How many moves of the line of best play to find [default: those that take no noticeable time]
    #[arg(long, value_name = "PLIES", conflicts_with = "weak")]
    line: Option<u16>,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
    /// Number of threads; many positions are solved one per thread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Do not use the opening book
    #[arg(long)]
    no_book: bool,
    /// Print JSON even on a terminal
    #[arg(long)]
    json: bool,
}

/// A solution and the time it took: one line of JSON.
#[derive(Serialize)]
struct Solved {
    #[serde(flatten)]
    solution: Solution,
    time_ms: f64,
}

/// Never set: Ctrl-C ends the process.
static NEVER: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec: Spec = args.game.parse()?;
    check(&AnyGame::from(spec))?;
    let threads =
        args.threads.map_or_else(|| thread::available_parallelism().map_or(1, Into::into), usize::from);
    let Some(game) = args.query.one(spec)? else {
        // The workers share the memory limit.
        let solver = || args.solver(threads);
        return args.query.answer_lines(spec, threads, solver, |solver, game| args.solve(solver, game));
    };
    let mut solver = args.solver(1).with_threads(threads, std::sync::Arc::new(system::SystemThreads));
    let solved = args.solve(&mut solver, &game)?;
    let mut output = io::stdout().lock();
    if output.is_terminal() && !args.json {
        write!(output, "{}", args.text(&game, &solved)?)?;
    } else {
        writeln!(output, "{}", serde_json::to_string(&solved)?)?;
    }
    Ok(())
}

/// Converts the position for the solver.
fn check(game: &AnyGame) -> Result<ConnectFour<Small>> {
    solver::solvable(game).ok_or_else(|| Unsolvable(game.spec()).into())
}

impl Args {
    /// One of `count` solvers that share the memory limit.
    fn solver(&self, count: usize) -> Solver {
        let solver = Solver::new(((self.memory as usize) << 20) / count);
        if self.no_book { solver } else { solver.with_book(Book::embedded()) }
    }

    fn solve(&self, solver: &mut Solver, game: &AnyGame) -> Result<Solved> {
        let position = check(game)?;
        let start = Instant::now();
        let solution = if self.weak {
            let score = match solver.value(&position, &NEVER)? {
                Value::Win => 1,
                Value::Draw => 0,
                Value::Loss => -1,
            };
            Solution::of_score(&position, score, solver.nodes())
        } else if self.score {
            let score = solver.score(&position, &NEVER)?;
            Solution::of_score(&position, score, solver.nodes())
        } else {
            solver.solve(&position, self.line.map(usize::from), &NEVER)?
        };
        Ok(Solved { solution, time_ms: (start.elapsed().as_secs_f64() * 1e6).round() / 1e3 })
    }

    /// Output for a terminal: the board, the verdict of each column, and the reasons.
    fn text(&self, game: &AnyGame, Solved { solution: solved, time_ms }: &Solved) -> Result<String> {
        let position = check(game)?;
        let mut text = play::board(game);
        let result = |score: i32| {
            let result = match score {
                0 => Proof::Draw,
                1.. => Proof::Win,
                _ => Proof::Loss,
            };
            let plies = solver::plies_left(&position, score).into();
            play::verdict(&Verdict::Proven(Proven { result, plies }))
        };
        let side = play::side_name(game);
        let words = play::words();
        if game.outcome().is_some() {
            text += &format!("  {}\n", words.t("analysis.over"));
            return Ok(text);
        }
        let verdict = if self.weak {
            words.t(["line.loses", "line.draws", "line.wins"][(solved.score + 1) as usize]).to_owned()
        } else {
            result(solved.score)
        };
        text += &format!("  {side}: {verdict}\n");
        if !self.weak && !self.score {
            text += "\n";
            for (number, score) in (1..).zip(&solved.columns) {
                if let Some(score) = score {
                    let is_best = solved.best.contains(&number.to_string());
                    let mark = if is_best { format!("  {}", words.t("line.best")) } else { String::new() };
                    text += &format!("  {number:>3}  {}{mark}\n", result(*score));
                }
            }
            if !solved.line.is_empty() {
                let line = words.fill("line.line", &[("line", &solved.line.join(" "))]);
                text += &format!("\n  {line}\n");
                let reasons = solved.reasons.iter().cloned().map(Reason::Solved).collect();
                let thought = Thought::new(solved.line[0].as_str(), Vec::new(), reasons);
                for sentence in play::reasons(game, &thought.to_text()) {
                    text += &format!("  {sentence}\n");
                }
            }
        }
        let nodes = words.count("why.nodes", solved.nodes, &[]);
        text += &format!("  {nodes}, {time_ms:.1} ms\n");
        Ok(text)
    }
}
