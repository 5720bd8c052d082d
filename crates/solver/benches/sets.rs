//! Compares the solver with the crate `connect-four-ai` on the golden sets in one run: tables cleared before
//! each position, one thread, no book, every score checked.
//!
//! `cargo bench -p alinea-solver -- [SET…] [limit=N] [alone] [memory=MEGABYTES]`: only these sets, at most N
//! positions of each, without the other solver, with another size of the table (default 64).
//! `cargo bench -p alinea-solver -- empty`: the empty standard board by one thread and by two.
//! `cargo bench -p alinea-solver -- small`: who wins on smaller boards.

use std::{
    env,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use alinea_solver::{Solver, SystemThreads, Value};
use rules::{Column, ConnectFour, Position, Size, Small, Standard};

const GOLDEN: &str = include_str!("../tests/golden/connect_four_solved.txt");
const SETS: [&str; 6] =
    ["end-easy", "middle-easy", "middle-medium", "begin-easy", "begin-medium", "begin-hard"];
static GO: AtomicBool = AtomicBool::new(false);

fn main() {
    // Cargo adds `--bench` to what the user asked for.
    let args: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let number = |name: &str| args.iter().find_map(|arg| arg.strip_prefix(name)?.parse::<usize>().ok());
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let memory = number("memory=").unwrap_or(64) << 20;
    if has("empty") {
        return empty_board(memory);
    }
    if has("small") {
        return small_boards(memory);
    }

    let chosen: Vec<_> = SETS.into_iter().filter(|set| has(set)).collect();
    let sets = if chosen.is_empty() { SETS.to_vec() } else { chosen };
    let limit = number("limit=").unwrap_or(usize::MAX);
    let compare = !has("alone");
    println!("{:14} {:>5}  {:>44}   {:>44}", "", "", "ours", "connect-four-ai");
    let figures = ["mean µs", "median µs", "nodes"].map(|title| format!("{title:>14}")).concat();
    println!("{:14} {:>5}  {figures:>44}   {figures:>44}  ratio of means", "set", "");
    let mut solver = Solver::new(memory);
    // Without its book, as ours.
    let mut other = compare.then(connect_four_ai::Solver::empty);
    for set in sets {
        run(set, limit, &mut solver, other.as_mut());
    }
}

/// Times and nodes of one solver on one set.
#[derive(Default)]
struct Figures {
    times: Vec<Duration>,
    nodes: u64,
}

impl Figures {
    fn add(&mut self, time: Duration, nodes: u64) {
        self.times.push(time);
        self.nodes += nodes;
    }

    fn mean(&self) -> f64 {
        self.times.iter().map(Duration::as_secs_f64).sum::<f64>() / self.times.len() as f64 * 1e6
    }

    fn line(&mut self) -> String {
        self.times.sort_unstable();
        let median = self.times[self.times.len() / 2].as_secs_f64() * 1e6;
        format!("{:14.1}{median:14.1}{:14}", self.mean(), self.nodes / self.times.len() as u64)
    }
}

fn run(set: &str, limit: usize, solver: &mut Solver, mut other: Option<&mut connect_four_ai::Solver>) {
    let (mut ours, mut theirs) = (Figures::default(), Figures::default());
    let lines = GOLDEN.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    for words in lines.filter(|words| words[0] == set).take(limit) {
        let (moves, score) = (words[1], words[2].parse::<i32>().expect("a score"));
        let position = play(moves);
        let start = Instant::now();
        solver.clear();
        let answer = solver.score(&position, &GO);
        ours.add(start.elapsed(), solver.nodes());
        assert_eq!(answer, Ok(score), "{moves}");

        if let Some(other) = other.as_mut() {
            let position = connect_four_ai::Position::from_moves(moves).expect("legal moves");
            let start = Instant::now();
            other.reset();
            let answer = other.solve(&position);
            theirs.add(start.elapsed(), other.explored_positions as u64);
            assert_eq!(i32::from(answer), score, "{moves}");
        }
    }
    let count = ours.times.len();
    print!("{set:14} {count:5}  {:>44}", ours.line());
    if other.is_some() {
        print!("   {:>44}  {:.2}", theirs.line(), theirs.mean() / ours.mean());
    }
    println!();
}

fn play(moves: &str) -> ConnectFour<Standard> {
    let mut position = ConnectFour::new(Standard::default());
    for digit in moves.bytes() {
        position.play(Column::new(digit - b'1')).expect("a legal move");
    }
    position
}

fn empty_board(memory: usize) {
    for threads in [1, 2] {
        let mut solver = Solver::new(memory).with_threads(threads, Arc::new(SystemThreads));
        let start = Instant::now();
        assert_eq!(solver.score(&play(""), &GO), Ok(1));
        println!("empty board, {threads} threads: {:.1?}, {} nodes", start.elapsed(), solver.nodes());
    }
}

fn small_boards(memory: usize) {
    use Value::{Draw, Loss, Win};
    for (cols, rows, value) in [
        (4, 4, Draw),
        (5, 4, Draw),
        (4, 5, Draw),
        (5, 5, Draw),
        (6, 4, Loss),
        (6, 5, Draw),
        (4, 6, Draw),
        (5, 6, Draw),
        (7, 4, Draw),
        (8, 4, Loss),
        (6, 6, Loss),
        (7, 5, Draw),
        (8, 5, Win),
    ] {
        let size = Size::new(rows, cols, 4).expect("a size");
        let position = ConnectFour::new(Small::new(size).expect("a board of 64 bits"));
        let mut solver = Solver::new(memory);
        let start = Instant::now();
        assert_eq!(solver.value(&position, &GO), Ok(value), "{cols} columns, {rows} rows");
        println!("{cols} x {rows}: {value:?}, {:.1?}, {} nodes", start.elapsed(), solver.nodes());
    }
}
