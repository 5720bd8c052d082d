//! Learns weights from games: gradient descent (Adam) on the difference between the odds that the network sees and what the
//! games say. The module `network` of `players` documents the file and the network.
//!
//! The batches are cut into the same shards on every machine, and their gradients are added in the same order, so the same
//! games give the same weights.

use std::{
    fs,
    io::{BufWriter, Write as _},
    thread,
};

use players::network::{self, HIDDEN, RUN, WIDTH, WINDOW, way, ways};
use rules::{AnyGame, Mark, Side};

use crate::{Done, cores, games::Played};

/// The number 1 in the file, and the greatest number that leaves a neuron.
const ONE: f32 = network::ONE as f32;
const MOST: f32 = network::MOST as f32 / ONE;
/// Weights of one byte are within ± this.
const BYTE: f32 = 127.0 / ONE;
const POINTS: f32 = network::POINTS as f32;

const EPOCHS: usize = 8;
const BATCH: usize = 1024;
const SHARDS: usize = 4;
const RATE: f32 = 2e-3;
const DECAY: f32 = 0.05;
/// The part of the result in what is learned; the rest is the value that the search saw.
const BLEND: f32 = 0.1;
/// One game in this many is not learned from, to measure with.
const KEPT: usize = 20;

/// The windows with stones of a position as the side to move sees them, and what came of it.
struct Sample {
    rows: Vec<u16>,
    /// 1 won, ½ drawn, 0 lost.
    result: f32,
    /// What the search expected.
    expected: f32,
}

/// Which row belongs to a window, by its way.
struct Rows {
    of: Vec<Option<u16>>,
    count: usize,
}

impl Rows {
    fn new() -> Self {
        let mut rows = Self { of: vec![None; 1 << (2 * WINDOW)], count: 0 };
        for both in ways() {
            both.into_iter().for_each(|way| rows.of[way] = Some(rows.count as u16));
            rows.count += 1;
        }
        rows
    }

    /// The rows of all windows with stones on a board.
    fn of(&self, board: &Board, side: Side) -> Vec<u16> {
        let beyond = [true; 2];
        let seen = |&(column, row): &(usize, usize)| {
            board.cells[row * board.cols + column].map_or([false; 2], |owner| [owner == side, owner != side])
        };
        let mut rows = Vec::new();
        for line in &board.lines {
            let cells: Vec<[bool; 2]> =
                std::iter::once(beyond).chain(line.iter().map(seen)).chain([beyond]).collect();
            for window in cells.windows(usize::from(WINDOW)) {
                let mask = |i: usize| (0..).zip(window).map(|(at, has)| u32::from(has[i]) << at).sum();
                rows.extend(self.of[way(mask(0), mask(1))]);
            }
        }
        rows
    }
}

struct Board {
    cols: usize,
    cells: Vec<Option<Side>>,
    /// The cells of each line that is long enough.
    lines: Vec<Vec<(usize, usize)>>,
}

impl Board {
    fn new(game: &AnyGame) -> Self {
        let view = game.view();
        let (rows, cols) = (usize::from(view.rows), usize::from(view.cols));
        let mut lines = Vec::new();
        for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let is_on = |column: isize, row: isize| {
                (0..cols as isize).contains(&column) && (0..rows as isize).contains(&row)
            };
            for (column, row) in
                (0..cols as isize).flat_map(|column| (0..rows as isize).map(move |row| (column, row)))
            {
                if !is_on(column - right, row - up) {
                    let line = (0..).map(|i| (column + i * right, row + i * up));
                    let line = line.take_while(|&(column, row)| is_on(column, row));
                    let line: Vec<_> = line.map(|(column, row)| (column as usize, row as usize)).collect();
                    lines.extend((line.len() >= usize::from(RUN)).then_some(line));
                }
            }
        }
        Self { cols, cells: vec![None; rows * cols], lines }
    }
}

/// All numbers of the network in one vector, so that one loop updates them all.
struct Layout {
    bias: usize,
    hidden: usize,
    hidden_bias: usize,
    output: usize,
    output_bias: usize,
}

impl Layout {
    fn new(rows: usize) -> Self {
        let bias = rows * WIDTH;
        let hidden = bias + WIDTH;
        let hidden_bias = hidden + HIDDEN * WIDTH;
        let output = hidden_bias + HIDDEN;
        Self { bias, hidden, hidden_bias, output, output_bias: output + HIDDEN }
    }

    fn len(&self) -> usize {
        self.output_bias + 1
    }

    /// Whether the number is stored in one byte.
    fn is_narrow(&self, i: usize) -> bool {
        i < self.bias || (self.hidden..self.hidden_bias).contains(&i)
    }

    /// The odds of a sample; adds the gradient of its loss.
    fn learn(&self, weights: &[f32], sample: &Sample, gradient: Option<&mut [f32]>) -> f32 {
        let mut sums: [f32; WIDTH] = weights[self.bias..self.hidden].try_into().expect("a row");
        for &row in &sample.rows {
            let row = &weights[usize::from(row) * WIDTH..][..WIDTH];
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
        let seen = sums.map(|sum| sum.clamp(0.0, MOST));
        let mut active = [0.0; HIDDEN];
        let mut sum_of = [0.0; HIDDEN];
        let mut odds = weights[self.output_bias];
        for i in 0..HIDDEN {
            let of = &weights[self.hidden + i * WIDTH..][..WIDTH];
            sum_of[i] = weights[self.hidden_bias + i] + of.iter().zip(&seen).map(|(a, b)| a * b).sum::<f32>();
            active[i] = sum_of[i].clamp(0.0, MOST);
            odds += weights[self.output + i] * active[i];
        }
        if let Some(gradient) = gradient {
            let error = chance(odds) - (BLEND * sample.result + (1.0 - BLEND) * sample.expected);
            let mut back = [0.0; WIDTH];
            gradient[self.output_bias] += error;
            for i in 0..HIDDEN {
                gradient[self.output + i] += error * active[i];
                if sum_of[i] > 0.0 && sum_of[i] < MOST {
                    let error = error * weights[self.output + i];
                    gradient[self.hidden_bias + i] += error;
                    let at = self.hidden + i * WIDTH;
                    for j in 0..WIDTH {
                        gradient[at + j] += error * seen[j];
                        back[j] += error * weights[at + j];
                    }
                }
            }
            for (back, sum) in back.iter_mut().zip(sums) {
                *back *= f32::from(u8::from(sum > 0.0 && sum < MOST));
            }
            let rows = sample.rows.iter().map(|&row| usize::from(row) * WIDTH);
            for at in rows.chain([self.bias]) {
                gradient[at..at + WIDTH].iter_mut().zip(back).for_each(|(sum, back)| *sum += back);
            }
        }
        odds
    }

    /// The file.
    fn bytes(&self, weights: &[f32]) -> Vec<u8> {
        let round = |i: usize, one: f32| (weights[i] * one).round();
        let mut bytes = Vec::new();
        bytes.extend((0..self.bias).map(|i| (round(i, ONE) as i8).cast_unsigned()));
        bytes.extend((self.bias..self.hidden).flat_map(|i| (round(i, ONE) as i16).to_le_bytes()));
        bytes.extend((self.hidden..self.hidden_bias).map(|i| (round(i, ONE) as i8).cast_unsigned()));
        bytes
            .extend((self.hidden_bias..self.output).flat_map(|i| (round(i, ONE * ONE) as i32).to_le_bytes()));
        bytes.extend((self.output..self.output_bias).flat_map(|i| (round(i, ONE) as i16).to_le_bytes()));
        bytes.extend((round(self.output_bias, ONE * ONE) as i32).to_le_bytes());
        network::file(&bytes)
    }
}

fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

pub(crate) fn run(path: &str, files: &[&str]) -> Done {
    let rows = Rows::new();
    let read = read(&rows, files)?;
    let count = read.len();
    let (mut learned, mut kept) = (Vec::new(), Vec::new());
    for (number, samples) in read.into_iter().enumerate() {
        if number % KEPT == 0 { kept.extend(samples) } else { learned.extend(samples) }
    }
    let layout = Layout::new(rows.count);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut weights: Vec<f32> = (0..layout.len())
        .map(|i| match i {
            i if i < layout.bias => (rng.f32() - 0.5) * 0.1,
            i if (layout.hidden..layout.hidden_bias).contains(&i) => (rng.f32() - 0.5) * 0.6,
            i if (layout.output..layout.output_bias).contains(&i) => (rng.f32() - 0.5) * 0.6,
            i if i == layout.output_bias => 0.0,
            _ => 0.25,
        })
        .collect();
    println!("{count} games, {} positions", learned.len() + kept.len());
    report("the search", &kept, |sample| {
        let expected = sample.expected.clamp(0.001, 0.999);
        (expected / (1.0 - expected)).ln()
    });
    let steps = EPOCHS * learned.len().div_ceil(BATCH);
    let mut adam = Adam::new(layout.len());
    for epoch in 1..=EPOCHS {
        rng.shuffle(&mut learned);
        for batch in learned.chunks(BATCH) {
            let gradient = gradient(&layout, &weights, batch);
            adam.step(&layout, &mut weights, &gradient, RATE * (1.0 - adam.steps as f32 / steps as f32));
        }
        report(&format!("epoch {epoch}"), &kept, |sample| layout.learn(&weights, sample, None));
    }
    fs::write(path, layout.bytes(&weights)).map_err(|error| format!("cannot write {path}: {error}"))?;
    Ok(())
}

/// The positions of each game.
fn read(rows: &Rows, files: &[&str]) -> Done<Vec<Vec<Sample>>> {
    let mut games = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
        for (number, line) in (1..).zip(text.lines()) {
            games.push(Played::read(line).ok_or_else(|| format!("{file}, line {number}: not a game"))?);
        }
    }
    let size = games.len().div_ceil(cores()).max(1);
    let read = |games: &[Played]| games.iter().map(|game| samples(rows, game)).collect::<Vec<_>>();
    Ok(thread::scope(|scope| {
        let read = &read;
        let threads: Vec<_> = games.chunks(size).map(|games| scope.spawn(move || read(games))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("the games are legal")).collect()
    }))
}

/// Writes the positions for `train.py`: for each position how often each row occurs (1 byte per row), then the result, what
/// the search expected, and 1 if its game is kept to measure with (4 bytes each, floating point).
pub(crate) fn export(path: &str, files: &[&str]) -> Done {
    let rows = Rows::new();
    let mut out =
        BufWriter::new(fs::File::create(path).map_err(|error| format!("cannot write {path}: {error}"))?);
    for (number, samples) in read(&rows, files)?.into_iter().enumerate() {
        let is_kept = f32::from(u8::from(number % KEPT == 0));
        for sample in samples {
            let mut counts = vec![0_u8; rows.count];
            for &row in &sample.rows {
                let count = &mut counts[usize::from(row)];
                *count = count.saturating_add(1);
            }
            out.write_all(&counts)?;
            for number in [sample.result, sample.expected, is_kept] {
                out.write_all(&number.to_le_bytes())?;
            }
        }
    }
    Ok(out.flush()?)
}

/// The positions of a game in which a move was searched.
fn samples(rows: &Rows, played: &Played) -> Vec<Sample> {
    let mut game = AnyGame::from("gomoku".parse::<rules::Spec>().expect("a game of the table"));
    let mut board = Board::new(&game);
    let mut samples = Vec::new();
    for (m, value) in &played.moves {
        let side = game.turn();
        if let Some(value) = value {
            let won = if side == Side::First { played.result } else { -played.result };
            let (result, expected) = (f32::from(1 + won) / 2.0, chance(*value as f32 / POINTS));
            samples.push(Sample { rows: rows.of(&board, side), result, expected });
        }
        game.play(m).expect("the games are legal");
        let Mark(cell) = m.parse().expect("a move of Gomoku is a cell");
        board.cells[usize::from(cell.row) * board.cols + usize::from(cell.column)] = Some(side);
    }
    samples
}

/// The mean gradient of a batch.
fn gradient(layout: &Layout, weights: &[f32], batch: &[Sample]) -> Vec<f32> {
    let shard = |samples: &[Sample]| {
        let mut gradient = vec![0.0; layout.len()];
        for sample in samples {
            layout.learn(weights, sample, Some(&mut gradient));
        }
        gradient
    };
    let shard = &shard;
    let shards: Vec<_> = thread::scope(|scope| {
        let cut = batch.chunks(batch.len().div_ceil(SHARDS));
        let threads: Vec<_> = cut.map(|samples| scope.spawn(move || shard(samples))).collect();
        threads.into_iter().map(|thread| thread.join().expect("arithmetic does not panic")).collect()
    });
    let mut mean = vec![0.0; layout.len()];
    for shard in shards {
        mean.iter_mut().zip(shard).for_each(|(mean, more)| *mean += more / batch.len() as f32);
    }
    mean
}

/// The optimiser Adam, with weights that decay towards zero.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: u32,
}

impl Adam {
    fn new(len: usize) -> Self {
        Self { mean: vec![0.0; len], square: vec![0.0; len], steps: 0 }
    }

    fn step(&mut self, layout: &Layout, weights: &mut [f32], gradient: &[f32], rate: f32) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        self.steps += 1;
        let steps = self.steps as i32;
        let (of_mean, of_square) = (1.0 - MEAN.powi(steps), 1.0 - SQUARE.powi(steps));
        for i in 0..weights.len() {
            self.mean[i] = MEAN * self.mean[i] + (1.0 - MEAN) * gradient[i];
            self.square[i] = SQUARE * self.square[i] + (1.0 - SQUARE) * gradient[i] * gradient[i];
            let step = self.mean[i] / of_mean / ((self.square[i] / of_square).sqrt() + 1e-8);
            weights[i] -= rate * (step + DECAY * weights[i]);
            if layout.is_narrow(i) {
                weights[i] = weights[i].clamp(-BYTE, BYTE);
            }
        }
    }
}

/// Prints the loss (of predicting results) and the share of results that are predicted rightly.
fn report(name: &str, samples: &[Sample], odds: impl Fn(&Sample) -> f32) {
    let (mut loss, mut right, mut decided) = (0.0, 0, 0);
    for sample in samples {
        let odds = odds(sample);
        let chance = f64::from(chance(odds)).clamp(1e-6, 1.0 - 1e-6);
        let result = f64::from(sample.result);
        loss -= result * chance.ln() + (1.0 - result) * (1.0 - chance).ln();
        decided += usize::from(sample.result != 0.5);
        right += usize::from(sample.result != 0.5 && (sample.result > 0.5) == (odds > 0.0));
    }
    let percent = 100.0 * right as f64 / decided.max(1) as f64;
    println!("{name}: loss {:.4}, {percent:.1} % right", loss / samples.len().max(1) as f64);
}
