//! The book of the standard board: the exact score of every position up to some ply, so that openings need no
//! search. The solver generates it. A position and its mirror image share one entry, and positions that the
//! next two stones decide have none.
//!
//! ```text
//!    "ALNB"  version (1 byte)  plies (1 byte)
//!    number of entries, seed, checksum (4 bytes each, low first)
//!    the scores, packed without their keys
//! ```

mod make;

#[cfg(not(target_arch = "wasm32"))]
use std::sync::OnceLock;
use std::{borrow::Cow, collections::HashSet};

use rules::{ConnectFour, Geometry, Position};
use thiserror::Error;

use crate::{
    board::{Layout, Standard, Stones},
    packed,
    search::Node,
};

pub use make::{Progress, make};

const MAGIC: &[u8; 4] = b"ALNB";
const VERSION: u8 = 2;
const HEADER: usize = 18;
/// Added to scores, so that they are packed as numbers from zero.
const BIAS: i8 = 21;

/// The exact scores of all positions of the standard board up to some ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    plies: u8,
    count: u32,
    seed: u32,
    cells: Cow<'static, [u8]>,
}

/// A position of the book and its score; also the record of the journal kept while a book is built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The key shared by the position and its mirror image only.
    pub key: u64,
    /// The score for the side to move.
    pub score: i8,
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
    /// Truncated, or followed by other data.
    #[error("the book has {found} bytes; expected {expected}")]
    Length {
        /// The number of bytes.
        found: usize,
        /// The length expected for the number of entries.
        expected: u64,
    },
    /// The checksum does not match.
    #[error("the book is corrupt: wrong checksum")]
    Checksum,
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
    /// The book embedded in the program; `None` in WebAssembly, where the book is a separate file.
    #[must_use]
    pub fn standard() -> Option<&'static Self> {
        #[cfg(target_arch = "wasm32")]
        return None;
        #[cfg(not(target_arch = "wasm32"))]
        Some(Self::embedded())
    }

    /// The book embedded in the program.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn embedded() -> &'static Self {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| {
            let bytes = include_bytes!("book.bin");
            Self::decode(bytes, Cow::Borrowed).expect("the embedded book is whole")
        })
    }

    /// The ply up to which the book has every position.
    #[must_use]
    pub fn plies(&self) -> u8 {
        self.plies
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The score of a position for the side to move, if a game can reach it within the book's plies.
    #[must_use]
    pub fn score<G: Geometry<Bits = u64>>(&self, position: &ConnectFour<G>) -> Option<i8> {
        let geometry = position.geometry();
        let standard = (geometry.rows(), geometry.cols(), geometry.run()) == (6, 7, 4);
        (standard && position.outcome().is_none()).then(|| self.score_of(Stones::of(position)))?
    }

    /// The journal entry of a position, if the book has its score.
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
        decided(stones).or_else(|| {
            // The scores have no keys, so a position outside the book would get any score.
            let is_in_book = is_reachable(stones, &mut HashSet::new());
            is_in_book
                .then(|| packed::get(&self.cells, self.count, self.seed, canonical_key(stones)) as i8 - BIAS)
        })
    }

    /// A book with the scores of all positions up to this ply that are not decided.
    fn from_scores(plies: u8, scores: impl IntoIterator<Item = (u64, i8)>) -> Self {
        let mut entries: Vec<_> =
            scores.into_iter().map(|(key, score)| (key, (score + BIAS) as u8)).collect();
        entries.sort_unstable();
        let (seed, cells) = packed::build(&entries);
        Self { plies, count: entries.len() as u32, seed, cells: cells.into() }
    }

    /// Encodes the book.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.plies]);
        for number in [self.count, self.seed, checksum(&self.cells)] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(&*self.cells);
        bytes
    }

    /// Decodes a book.
    ///
    /// # Errors
    /// If the bytes are not a book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        Self::decode(bytes, |cells| Cow::Owned(cells.to_vec()))
    }

    fn decode<'a>(
        bytes: &'a [u8],
        keep: impl FnOnce(&'a [u8]) -> Cow<'static, [u8]>,
    ) -> Result<Self, BookError> {
        if !bytes.starts_with(MAGIC) {
            return Err(BookError::Magic);
        }
        let length = |expected| BookError::Length { found: bytes.len(), expected };
        let (header, cells) = bytes.split_at_checked(HEADER).ok_or(length(HEADER as u64))?;
        if header[4] != VERSION {
            return Err(BookError::Version(header[4]));
        }
        let [count, seed, sum] = [6, 10, 14]
            .map(|at| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]));
        let expected = HEADER as u64 + packed::size(count);
        if bytes.len() as u64 != expected {
            return Err(length(expected));
        }
        if checksum(cells) != sum {
            return Err(BookError::Checksum);
        }
        Ok(Self { plies: header[5], count, seed, cells: keep(cells) })
    }
}

/// The FNV-1a hash of the packed scores.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The key that a position shares with its mirror image.
fn canonical_key(stones: Stones) -> u64 {
    stones.key().min(stones.mirrored(Standard).key())
}

/// The score of a position that one of the next two stones decides.
fn decided(stones: Stones) -> Option<i8> {
    let rest = Standard.cells() - stones.ply();
    if stones.winning_landings(Standard) != 0 {
        Some(((rest + 1) / 2) as i8)
    } else if Node::new(Standard, stones).is_none() {
        Some((-(rest / 2)) as i8)
    } else {
        None
    }
}

/// Whether a game can reach a position. This is so if its stones can be taken back one after the other,
/// always the topmost of a column, with the sides taking turns. `dead` collects the positions for which that
/// fails.
fn is_reachable(stones: Stones, dead: &mut HashSet<u64>) -> bool {
    let Stones { own, occupied } = stones;
    if occupied == 0 {
        return true;
    }
    let tops = occupied & !(occupied >> 1);
    let mut last = tops & (own ^ occupied);
    while last != 0 {
        let cell = last & last.wrapping_neg();
        last ^= cell;
        let before = Stones { own: (own ^ occupied) & !cell, occupied: occupied & !cell };
        if !dead.contains(&before.key()) && is_reachable(before, dead) {
            return true;
        }
    }
    dead.insert(stones.key());
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positions_of_games_are_reachable() {
        let reachable = |own, occupied| is_reachable(Stones { own, occupied }, &mut HashSet::new());
        // One column, from below: first, second; then the wrong way round.
        assert!(reachable(0b01, 0b11));
        assert!(!reachable(0b10, 0b11));
        // The same with a stone of each side beside it, which the first player may have begun with.
        assert!(reachable(0b10 | 0b01 << 7, 0b11 | 0b11 << 7));
        assert!(!reachable(0b10 | 0b10 << 7, 0b11 | 0b11 << 7));
    }
}
