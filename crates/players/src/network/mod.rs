//! A learned evaluation of lines of five: what every window of six cells is worth, added up, and a small network that turns
//! the sums into odds.
//!
//! A window lies on a line of cells; it may reach one cell beyond either end of the line, where nobody can place a stone. Each
//! way in which stones can stand in a window has a row of numbers, the same whether it is read forwards or backwards. The rows
//! of all windows with stones are added up, once as each side sees them. The sums for the side to move go through one hidden
//! layer; what comes out is the logarithm of the odds that it wins. All numbers are integers, so that every machine computes
//! the same.
//!
//! ```text
//!    "ALNW"  version, run, cells of a window, numbers of a row, size of the hidden layer (1 byte each)
//!    the rows, in the order of [`ways`] (1 byte per number)
//!    what is added to the sums (2 bytes each, low first, like all that follows)
//!    the hidden layer: a row of weights per neuron (1 byte each), then what is added to each (4 bytes)
//!    the output: a weight per neuron (2 bytes), then what is added (4 bytes)
//!    checksum (4 bytes)
//! ```

use thiserror::Error;

use rules::Side;

/// The cells of a window.
pub const WINDOW: u8 = 6;
/// The numbers of a row.
pub const WIDTH: usize = 32;
/// The neurons of the hidden layer.
pub const HIDDEN: usize = 16;
/// The run that weights are trained for.
pub const RUN: u8 = 5;

const MAGIC: &[u8; 4] = b"ALNW";
const VERSION: u8 = 1;
const HEADER: [u8; 5] = [VERSION, RUN, WINDOW, WIDTH as u8, HIDDEN as u8];

/// The ways in which stones can stand in a window: the masks of the side's own stones and of its opponent's. A cell beyond
/// the end of the line is in both.
const WAYS: usize = 1 << (2 * WINDOW);
/// The windows of which rows are stored: of two that are mirror images of each other, one.
const ROWS: usize = 619;
const LENGTH: usize = MAGIC.len()
    + HEADER.len()
    + ROWS * WIDTH
    + 2 * WIDTH
    + HIDDEN * WIDTH
    + 4 * HIDDEN
    + 2 * HIDDEN
    + 4
    + CHECKSUM;
const CHECKSUM: usize = 4;

/// The number 1, in the sums, in the hidden layer and in the weights.
pub const ONE: i32 = 64;
/// The greatest number that leaves a neuron.
pub const MOST: i32 = 16 * ONE - 1;
/// Points of an evaluation where the odds are e to 1.
pub const POINTS: i64 = 100;

/// The weights of a learned evaluation; handed to players as part of their [`Resources`](crate::Resources).
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// By way: the numbers of the window; zeros for windows without stones.
    rows: Box<[[i16; WIDTH]]>,
    bias: [i16; WIDTH],
    hidden: [[i16; WIDTH]; HIDDEN],
    hidden_bias: [i32; HIDDEN],
    output: [i16; HIDDEN],
    output_bias: i32,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

/// Why bytes could not be read as the weights of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The magic number is missing.
    #[error("not the weights of an evaluation: missing magic number")]
    Magic,
    /// Another version, or layers of other sizes.
    #[error("the weights of another version of the evaluation")]
    Version,
    /// Truncated, or followed by other data.
    #[error("the weights have {found} bytes; expected {LENGTH}")]
    Length {
        /// The number of bytes.
        found: usize,
    },
    /// The checksum does not match.
    #[error("the weights are corrupt: wrong checksum")]
    Checksum,
}

/// The sums of the rows of all windows, as each side sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sums([[i16; WIDTH]; 2]);

impl Sums {
    pub(crate) const ZERO: Self = Self([[0; WIDTH]; 2]);
}

/// The number of a way, by the masks of the stones in a window as a side sees them: its own and its opponent's.
#[must_use]
pub const fn way(own: u32, others: u32) -> usize {
    (own | others << WINDOW) as usize
}

fn backwards(mask: u32) -> u32 {
    mask.reverse_bits() >> (32 - u32::from(WINDOW))
}

/// The ways of which rows are stored, each with its mirror image: those on the board, then those whose first cell is beyond the
/// edge; both by their numbers.
pub fn ways() -> impl Iterator<Item = [usize; 2]> {
    let masks = || (0..1 << WINDOW).flat_map(|others| (0..1 << WINDOW).map(move |own: u32| (own, others)));
    let pair = |(own, others)| [way(own, others), way(backwards(own), backwards(others))];
    let on_board = masks().filter(|&(own, others): &(u32, u32)| own & others == 0 && own | others != 0);
    let on_board = on_board.map(pair).filter(|[forwards, backwards]| forwards <= backwards);
    let at_edge = masks().filter(|&(own, others)| own & others == 1 && own | others != 1).map(pair);
    on_board.chain(at_edge)
}

impl Network {
    /// Reads weights.
    ///
    /// # Errors
    /// If they are not whole, or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
        let mut reader = Reader(rest.strip_prefix(&HEADER).ok_or(NetworkError::Version)?);
        if bytes.len() != LENGTH {
            return Err(NetworkError::Length { found: bytes.len() });
        }
        let (content, sum) = bytes.split_at(LENGTH - CHECKSUM);
        if sum != checksum(content).to_le_bytes() {
            return Err(NetworkError::Checksum);
        }
        let mut rows = vec![[0; WIDTH]; WAYS].into_boxed_slice();
        for both in ways() {
            let row = reader.narrow();
            both.into_iter().for_each(|way| rows[way] = row);
        }
        Ok(Self {
            rows,
            bias: reader.numbers(),
            hidden: std::array::from_fn(|_| reader.narrow()),
            hidden_bias: std::array::from_fn(|_| reader.long()),
            output: reader.numbers(),
            output_bias: reader.long(),
        })
    }

    /// The weights that come with the program; `None` in WebAssembly, where they are a separate file.
    #[must_use]
    pub fn standard() -> Option<&'static Self> {
        #[cfg(target_arch = "wasm32")]
        return None;
        #[cfg(not(target_arch = "wasm32"))]
        {
            static STANDARD: std::sync::OnceLock<Network> = std::sync::OnceLock::new();
            let read =
                || Self::from_bytes(include_bytes!("weights.bin")).expect("the embedded weights are whole");
            Some(STANDARD.get_or_init(read))
        }
    }

    /// Whether the weights are for this run.
    pub(crate) fn knows(run: u8) -> bool {
        run == RUN
    }

    /// Adds a stone that stands on a line of this length to the sums; `stones` are those of the line with it.
    #[inline]
    pub(crate) fn add(&self, sums: &mut Sums, side: Side, at: u8, length: u8, stones: [u32; 2]) {
        // One cell beyond either end belongs to nobody.
        let beyond = 1 | 1 << (length + 1);
        let after = stones.map(|stones| u64::from(stones) << 1 | beyond);
        let mut before = after;
        before[side.index()] &= !(2 << at);
        let window = (1 << WINDOW) - 1;
        let last = (at + 1).min(length + 2 - WINDOW);
        for first in (at + 2).saturating_sub(WINDOW)..=last {
            let seen = |stones: [u64; 2]| stones.map(|stones| (stones >> first) as u32 & window);
            let ([a, b], [c, d]) = (seen(before), seen(after));
            for (sums, ways) in sums.0.iter_mut().zip([[way(a, b), way(c, d)], [way(b, a), way(d, c)]]) {
                let [less, more] = ways.map(|way| &self.rows[way]);
                for ((sum, less), more) in sums.iter_mut().zip(less).zip(more) {
                    // Sums of trained weights stay far from the limits of their type; those of any others wrap, everywhere
                    // alike.
                    *sum = sum.wrapping_sub(*less).wrapping_add(*more);
                }
            }
        }
    }

    /// The value of the sums for a side that is to move, in points.
    #[inline]
    pub(crate) fn value(&self, sums: &Sums, side: Side) -> i64 {
        let mut seen = [0; WIDTH];
        for ((seen, sum), bias) in seen.iter_mut().zip(&sums.0[side.index()]).zip(&self.bias) {
            *seen = i32::from(sum.wrapping_add(*bias)).clamp(0, MOST) as i16;
        }
        let mut odds = i64::from(self.output_bias);
        for ((weights, bias), output) in self.hidden.iter().zip(&self.hidden_bias).zip(&self.output) {
            let products = weights.iter().zip(&seen).map(|(a, b)| i32::from(*a) * i32::from(*b));
            let active = (products.sum::<i32>().saturating_add(*bias) / ONE).clamp(0, MOST);
            odds += i64::from(active) * i64::from(*output);
        }
        odds * POINTS / i64::from(ONE * ONE)
    }
}

/// The file of weights with this content: the rows, the layers and the output, as the module describes.
#[must_use]
pub fn file(content: &[u8]) -> Vec<u8> {
    let mut bytes = [MAGIC, HEADER.as_slice(), content].concat();
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The FNV-1a hash.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Reads numbers of bytes that are known to be long enough.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *first
    }

    /// A row of numbers of one byte.
    fn narrow(&mut self) -> [i16; WIDTH] {
        self.bytes::<WIDTH>().map(|byte| i16::from(byte.cast_signed()))
    }

    fn numbers<const N: usize>(&mut self) -> [i16; N] {
        std::array::from_fn(|_| i16::from_le_bytes(self.bytes()))
    }

    fn long(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes())
    }
}

#[cfg(test)]
mod tests {
    use rules::{
        Direction, Geometry, Mark, Position, Size,
        gomoku::{Gomoku, Rules, Usual},
        runs,
    };

    use super::*;
    use crate::{
        eval::{BoardEvaluator as _, Evaluator as _, HasPlayers},
        samples::games,
    };

    type OfGomoku = <Gomoku<Usual> as HasPlayers>::Evaluator;

    fn start(rows: u32, cols: u32, run: u32) -> Gomoku<Usual> {
        Gomoku::new(Usual::new(Size::new(rows, cols, run).unwrap()).unwrap(), Rules::Freestyle)
    }

    /// Any weights, so small that values rarely reach the limit.
    fn any_file(seed: u64) -> Vec<u8> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut bytes = Vec::new();
        bytes.extend(std::iter::repeat_with(|| rng.i8(-8..8).cast_unsigned()).take(ROWS * WIDTH));
        bytes.extend([0; 2 * WIDTH]);
        bytes.extend(std::iter::repeat_with(|| rng.u8(..)).take(HIDDEN * WIDTH));
        bytes.extend([0; 4 * HIDDEN]);
        (0..HIDDEN).for_each(|_| bytes.extend(rng.i16(-64..64).to_le_bytes()));
        bytes.extend([0; 4]);
        file(&bytes)
    }

    fn any_network(seed: u64) -> &'static Network {
        Box::leak(Box::new(Network::from_bytes(&any_file(seed)).unwrap()))
    }

    /// The value by the definition of the sums: every window of every line.
    fn by_definition(network: &Network, position: &Gomoku<Usual>) -> i64 {
        let geometry = position.geometry();
        let side = position.turn();
        let stones = [side, side.other()].map(|side| position.stones(side));
        let mut sums = Sums::ZERO;
        for direction in Direction::ALL {
            let (columns, rows) = direction.delta();
            let columns_of = 0..geometry.cols();
            let cells = columns_of.flat_map(|c| (0..geometry.rows()).map(move |r| rules::Cell::new(c, r)));
            for cell in cells {
                if runs::neighbour(geometry, cell, (-columns, -rows)).is_some() {
                    continue;
                }
                let next = |&cell: &rules::Cell| runs::neighbour(geometry, cell, (columns, rows));
                let line: Vec<_> = std::iter::successors(Some(cell), next).collect();
                if line.len() < usize::from(geometry.run()) {
                    continue;
                }
                let seen =
                    |cell: &rules::Cell| stones.map(|set| rules::Bits::has(&set, geometry.index(*cell)));
                let mut seen: Vec<_> = line.iter().map(seen).collect();
                seen.insert(0, [true; 2]);
                seen.push([true; 2]);
                for window in seen.windows(usize::from(WINDOW)) {
                    let mask = |i: usize| (0..).zip(window).map(|(at, has)| u32::from(has[i]) << at).sum();
                    let row = network.rows[way(mask(0), mask(1))];
                    for (sum, number) in sums.0[side.index()].iter_mut().zip(row) {
                        *sum = sum.wrapping_add(number);
                    }
                }
            }
        }
        network.value(&sums, side)
    }

    #[test]
    fn the_sums_follow_every_stone() {
        let network = any_network(1);
        for start in [start(15, 15, 5), start(5, 5, 5), start(6, 9, 5), start(9, 15, 5)] {
            let evaluator = OfGomoku::new(&start).learned(network);
            for game in games(&start, 1, 4) {
                let mut position = start.clone();
                let mut kept = evaluator.init(&position);
                for &m in game.moves() {
                    let settled = evaluator.settled(&kept).into_owned();
                    let next: Gomoku<Usual> = position.after(m);
                    let [step, again] =
                        [&kept, &settled].map(|before| evaluator.update(before, &position, m, &next));
                    let limit = i64::from(crate::eval::LIMIT);
                    let expected = by_definition(network, &next).clamp(-limit, limit) as i32;
                    for lines in [&step, &again, &evaluator.init(&next)] {
                        assert_eq!(evaluator.evaluate(&next, lines), expected, "{next:?}");
                    }
                    (position, kept) = (next, step);
                }
            }
        }
    }

    #[test]
    fn a_window_is_worth_the_same_backwards() {
        let network = any_network(2);
        let values = |moves: &[&str]| {
            let start = start(15, 15, 5);
            let evaluator = OfGomoku::new(&start).learned(network);
            let position = moves.iter().fold(start, |position, m| position.after(m.parse::<Mark>().unwrap()));
            evaluator.evaluate(&position, &evaluator.init(&position))
        };
        assert_eq!(values(&["h8", "i9", "h9", "k8"]), values(&["h8", "g9", "h9", "e8"]));
        assert_ne!(values(&["h8", "i9", "h9", "k8"]), values(&["h8", "i9", "h10", "k8"]));
    }

    #[test]
    fn other_runs_keep_the_simpler_evaluation() {
        for (start, is_learned) in [(start(6, 7, 4), false), (start(9, 9, 6), false), (start(9, 9, 5), true)]
        {
            let (simple, learned) = (OfGomoku::new(&start), OfGomoku::new(&start).learned(any_network(3)));
            let values = |of: &OfGomoku| -> Vec<i32> {
                let values = games(&start, 1, 20).into_iter();
                values.map(|game| of.evaluate(game.position(), &of.init(game.position()))).collect()
            };
            assert_eq!(values(&simple) != values(&learned), is_learned);
            assert_eq!(learned.has_terms(), !is_learned);
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = any_file(4);
        assert!(Network::from_bytes(&whole).is_ok());
        for at in (0..LENGTH).step_by(97).chain([0, 4, LENGTH - 1]) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            let expected = match at {
                0..4 => NetworkError::Magic,
                4..9 => NetworkError::Version,
                _ => NetworkError::Checksum,
            };
            assert_eq!(Network::from_bytes(&damaged), Err(expected));
        }
        assert_eq!(Network::from_bytes(&[]), Err(NetworkError::Magic));
        assert_eq!(Network::from_bytes(&whole[..99]), Err(NetworkError::Length { found: 99 }));
        let longer = [&whole[..], b"!"].concat();
        assert_eq!(Network::from_bytes(&longer), Err(NetworkError::Length { found: LENGTH + 1 }));
    }
}
