//! The book of the standard board: the exact score of every position up to some ply, so that openings
//! need no search. Made by the solver itself; a position and its mirror image share one entry.
//!
//! ```text
//!    "ALNB"  version (1 byte)  plies (1 byte)  number of entries (4 bytes, low first)
//!    per entry, by key: distance from the key before (7 bits a byte, low first; the high bit is set
//!                       if another follows), score (1 byte, signed)
//! ```

use std::{collections::HashMap, sync::OnceLock};

use rules::{ConnectFour, Geometry, Position, Standard};
use thiserror::Error;

use crate::{
    SolveError, Solver, StopSignal,
    board::{self, Stones},
};

const MAGIC: &[u8; 4] = b"ALNB";
const VERSION: u8 = 1;

/// The exact scores of all positions of the standard board up to some ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    plies: u8,
    keys: Vec<u64>,
    scores: Vec<i8>,
}

/// A position of the book and its score; also the record of the journal kept while a book is built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The key shared by the position and its mirror image only.
    pub key: u64,
    /// The score for the side to move.
    pub score: i8,
}

/// The progress of building a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions searched or found in the journal.
    pub done: usize,
    /// Positions to search in all.
    pub total: usize,
    /// Nodes visited so far.
    pub nodes: u64,
}

/// Why bytes could not be read as a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The magic number is missing.
    #[error("not an opening book: missing magic number")]
    Magic,
    /// An unknown version of the format.
    #[error("unsupported book version {0}; expected {VERSION}")]
    Version(u8),
    /// Truncated, followed by other data, or with an invalid entry.
    #[error("the book is corrupt near byte {0}")]
    Damaged(usize),
}

impl Entry {
    /// The size of a journal entry in bytes.
    pub const BYTES: usize = 8;

    /// Encodes the entry for a journal.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        // A key has 49 bits, which leaves a byte.
        (self.key << 8 | u64::from(self.score as u8)).to_le_bytes()
    }

    /// Decodes an entry of a journal.
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let word = u64::from_le_bytes(bytes);
        Self { key: word >> 8, score: word as u8 as i8 }
    }
}

impl Book {
    /// The book embedded in the program.
    #[must_use]
    pub fn embedded() -> &'static Self {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| Self::from_bytes(include_bytes!("book.bin")).expect("the embedded book is whole"))
    }

    /// The ply up to which the book has every position.
    #[must_use]
    pub fn plies(&self) -> u8 {
        self.plies
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The score of a position for the side to move, if it is in the book.
    #[must_use]
    pub fn score<G: Geometry<Bits = u64>>(&self, position: &ConnectFour<G>) -> Option<i8> {
        let geometry = position.geometry();
        let standard = (geometry.rows(), geometry.cols(), geometry.run()) == (6, 7, 4);
        (standard && position.outcome().is_none()).then(|| self.score_of(Stones::of(position)))?
    }

    /// The journal entry of a position, if it is in the book.
    #[must_use]
    pub fn entry<G: Geometry<Bits = u64>>(&self, position: &ConnectFour<G>) -> Option<Entry> {
        let score = self.score(position)?;
        Some(Entry { key: canonical_key(Stones::of(position)), score })
    }

    /// The score of a position of the standard board that is not over.
    pub(crate) fn score_of(&self, stones: Stones) -> Option<i8> {
        if stones.ply() > i32::from(self.plies) {
            return None;
        }
        let at = self.keys.binary_search(&canonical_key(stones)).ok()?;
        Some(self.scores[at])
    }

    fn from_scores(plies: u8, scores: HashMap<u64, i8>) -> Self {
        let mut entries: Vec<_> = scores.into_iter().collect();
        entries.sort_unstable();
        let (keys, scores) = entries.into_iter().unzip();
        Self { plies, keys, scores }
    }

    /// Encodes the book.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.plies]);
        bytes.extend((self.len() as u32).to_le_bytes());
        let mut before = 0;
        for (&key, &score) in self.keys.iter().zip(&self.scores) {
            let mut distance = key - before;
            while distance >= 0x80 {
                bytes.push(distance as u8 | 0x80);
                distance >>= 7;
            }
            bytes.extend([distance as u8, score as u8]);
            before = key;
        }
        bytes
    }

    /// Decodes a book.
    ///
    /// # Errors
    /// If the bytes are not a book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let header = bytes.get(..10).filter(|header| header.starts_with(MAGIC)).ok_or(BookError::Magic)?;
        if header[4] != VERSION {
            return Err(BookError::Version(header[4]));
        }
        let count = u32::from_le_bytes([header[6], header[7], header[8], header[9]]) as usize;
        // Each entry takes at least two bytes: a corrupt count must not cause a huge allocation.
        let room = count.min(bytes.len() / 2);
        let mut book =
            Self { plies: header[5], keys: Vec::with_capacity(room), scores: Vec::with_capacity(room) };
        let mut at = header.len();
        let mut next = || {
            let byte = bytes.get(at).copied().ok_or(BookError::Damaged(at))?;
            at += 1;
            Ok((byte, at))
        };
        let mut key = 0_u64;
        for _ in 0..count {
            let (mut distance, mut shift) = (0, 0);
            loop {
                let (byte, at) = next()?;
                if shift > 49 {
                    return Err(BookError::Damaged(at));
                }
                distance |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            key += distance;
            let (score, at) = next()?;
            if key >> 49 != 0 || (score as i8).unsigned_abs() > 21 {
                return Err(BookError::Damaged(at));
            }
            book.keys.push(key);
            book.scores.push(score as i8);
        }
        if at == bytes.len() { Ok(book) } else { Err(BookError::Damaged(at)) }
    }
}

/// Builds the book of all positions up to this ply.
///
/// Only the positions of the last ply are searched; the scores of all others follow from them. Each entry is
/// passed to `append` as soon as it is solved; entries in `journal`, from an interrupted run, are not
/// searched again. The solver keeps its table from position to position, so give it as much memory as
/// possible; it must not itself use a book.
///
/// # Errors
/// If the stop flag was set.
pub fn make(
    plies: u8,
    solver: &mut Solver,
    journal: impl IntoIterator<Item = Entry>,
    mut append: impl FnMut(Entry),
    mut progress: impl FnMut(Progress),
    stop: &dyn StopSignal,
) -> Result<Book, SolveError> {
    let mut layers = vec![Layer::default()];
    layers[0].insert(ConnectFour::new(Standard::default()));
    for ply in 0..usize::from(plies) {
        let mut next = Layer::default();
        for position in &layers[ply].positions {
            for column in position.legal_moves() {
                let after = position.after(column);
                if after.outcome().is_none() {
                    next.insert(after);
                }
            }
        }
        layers.push(next);
    }

    solver.reserve();
    let last = layers.last().expect("the empty board is a layer");
    let mut scores: HashMap<u64, i8> = journal
        .into_iter()
        .filter(|entry| last.seen.contains_key(&entry.key))
        .map(|e| (e.key, e.score))
        .collect();
    let mut now = Progress { done: scores.len(), total: last.positions.len(), nodes: 0 };
    progress(now);
    for position in &last.positions {
        let key = canonical_key(Stones::of(position));
        if scores.contains_key(&key) {
            continue;
        }
        let score = solver.score(position, stop)? as i8;
        scores.insert(key, score);
        append(Entry { key, score });
        now.done += 1;
        now.nodes += solver.nodes();
        progress(now);
    }

    for layer in layers.iter().rev().skip(1) {
        for position in &layer.positions {
            let score = position.legal_moves().map(|column| {
                let after = position.after(column);
                let stones = Stones::of(&after);
                match after.outcome() {
                    Some(rules::Outcome::Draw) => 0,
                    Some(rules::Outcome::Win(_)) => ((43 - i32::from(position.ply())) / 2) as i8,
                    None => -scores[&canonical_key(stones)],
                }
            });
            let best = score.max().expect("a position that is not over has a move");
            scores.insert(canonical_key(Stones::of(position)), best);
        }
    }
    Ok(Book::from_scores(plies, scores))
}

/// The positions of one ply, without mirror images, in the order of their discovery: siblings
/// stay together, so that the table is warm for the next.
#[derive(Default)]
struct Layer {
    positions: Vec<ConnectFour<Standard>>,
    seen: HashMap<u64, ()>,
}

impl Layer {
    fn insert(&mut self, position: ConnectFour<Standard>) {
        if self.seen.insert(canonical_key(Stones::of(&position)), ()).is_none() {
            self.positions.push(position);
        }
    }
}

fn canonical_key(stones: Stones) -> u64 {
    let layout = board::Standard;
    stones.key().min(stones.mirrored(layout).key())
}
