//! CPU affinity as a setting: whether games are pinned to cores, and to which.

use std::str::FromStr;

use rules::excerpt;
use serde::{Deserialize, Deserializer};
use thiserror::Error;

pub(crate) use crate::system::affinity::{cores, pin};

/// Whether games are pinned to cores, and to which.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Affinity {
    /// Not pinned.
    #[default]
    Off,
    /// To any of the available cores.
    Any,
    /// To these cores, in this order.
    Cores(Vec<usize>),
}

/// The text is not a list of cores.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("“{0}” is not a list of cores; expected numbers and ranges, such as 0,2,4-7")]
pub struct NotCores(String);

/// Maximum number of a core.
const MAX_CORE: usize = 4095;

impl Affinity {
    /// The cores for the games, if they are pinned.
    pub(crate) fn cores(&self) -> Option<Vec<usize>> {
        match self {
            Self::Off => None,
            Self::Any => Some(cores()),
            Self::Cores(cores) => Some(cores.clone()),
        }
    }
}

impl FromStr for Affinity {
    type Err = NotCores;

    /// Parses a list such as `0,2,4-7`.
    fn from_str(text: &str) -> Result<Self, NotCores> {
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&core| core <= MAX_CORE);
        let mut cores = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            match number(first).zip(number(last)) {
                Some((first, last)) if first <= last => cores.extend(first..=last),
                _ => return Err(NotCores(excerpt(text))),
            }
        }
        let mut sorted = cores.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() == cores.len() { Ok(Self::Cores(cores)) } else { Err(NotCores(excerpt(text))) }
    }
}

/// `true`, `false`, or a list of cores as text.
impl<'de> Deserialize<'de> for Affinity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "affinity is true, false or a list of cores such as \"0,2,4-7\"")]
        enum Written {
            Truth(bool),
            List(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Truth(false) => Ok(Self::Off),
            Written::Truth(true) => Ok(Self::Any),
            Written::List(list) => list.parse().map_err(serde::de::Error::custom),
        }
    }
}

/// Writes a list of cores as it is read.
pub(crate) fn text(cores: &[usize]) -> String {
    let ranges = cores.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
        [first, .., last] => format!("{first}-{last}"),
        [core] => core.to_string(),
        [] => String::new(),
    });
    ranges.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_listed_by_numbers_and_ranges() {
        let read = |text: &str| text.parse::<Affinity>().ok().and_then(|affinity| affinity.cores());
        assert_eq!(read("3"), Some(vec![3]));
        assert_eq!(read("4-6, 0,2"), Some(vec![4, 5, 6, 0, 2]));
        for wrong in ["", "a", "3-1", "1,1", "0-2,2", "-1", "1-", "9999999"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(text(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }
}
