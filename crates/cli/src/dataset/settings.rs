//! What determines the bytes of a data set. It is the first line of the journal and part of `dataset.json`, so that a
//! run resumes only what it would have made itself, and a data set can be verified.

use std::fmt;

use ::study::dataset::{Shares, Values};
use anyhow::{Result, anyhow};
use rules::Spec;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    /// The version of the program.
    pub(super) alinea: String,
    pub(super) game: String,
    pub(super) from: From,
    /// The number of games; of a file, all if not given.
    pub(super) count: Option<u64>,
    /// The first and last ply of positions.
    pub(super) plies: [u16; 2],
    pub(super) values: String,
    pub(super) split: String,
    pub(super) seed: u64,
    pub(super) parquet: bool,
}

/// From the first position to the last.
pub(super) const ALL_PLIES: [u16; 2] = [0, u16::MAX];

/// Where the games come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum From {
    /// Two players who take turns to begin, after random moves.
    Players { players: [String; 2], opening_plies: u16 },
    /// Random games, with one position of each.
    Random {},
    /// A file of games.
    File { name: String, sha256: String },
}

impl Settings {
    pub(super) fn spec(&self) -> Result<Spec> {
        Ok(self.game.parse()?)
    }

    pub(super) fn values(&self) -> Result<Values> {
        self.values.parse().map_err(|error: String| anyhow!("invalid values “{}”: {error}", self.values))
    }

    pub(super) fn shares(&self) -> Result<Shares> {
        self.split.parse().map_err(|error: String| anyhow!("invalid split “{}”: {error}", self.split))
    }
}

/// The command that makes the same data.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "alinea dataset make {}", self.game)?;
        match &self.from {
            From::Players { players: [first, second], opening_plies } => {
                write!(f, " --players {first} {second} --opening-plies {opening_plies}")?;
            }
            From::Random {} => f.write_str(" --random")?,
            From::File { name, .. } => write!(f, " --games '{}'", name.replace('\'', r"'\''"))?,
        }
        if let Some(count) = self.count {
            write!(f, " --count {count}")?;
        }
        if let [least, most] = self.plies
            && self.plies != ALL_PLIES
        {
            write!(f, " --plies {least}-{most}")?;
        }
        write!(f, " --values {} --split {} --seed {}", self.values, self.split, self.seed)?;
        f.write_str(if self.parquet { " --parquet" } else { "" })
    }
}
