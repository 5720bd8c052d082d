//! What can be set: `engine:200ms`, `engine:depth=8`, `engine:nodes=100000,threads=2`,
//! `engine:200ms,book`.

use std::time::Duration;

use crate::eval::MAX_DEPTH;

/// The limits of the engine and how it thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// For how long to think.
    pub time: Option<Duration>,
    /// How deep to search, in plies.
    pub depth: Option<u32>,
    /// How many nodes to search.
    pub nodes: Option<u64>,
    /// With how many threads.
    pub threads: usize,
    /// Whether to play by the opening book.
    pub book: bool,
    /// Whether to ask the solver where its proof comes at once, in spite of a limit of nodes or depth.
    pub proofs: bool,
}

impl Settings {
    /// The greatest depth.
    pub const MAX_DEPTH: u32 = MAX_DEPTH;
    /// The greatest number of threads.
    pub const MAX_THREADS: usize = 64;

    /// How they are written.
    pub const FORM: &'static str = "TIME|depth=N|nodes=N[,threads=N][,book][,proofs]";

    /// Reads settings; one second without any. `None` if they are not understood.
    #[must_use]
    pub fn read(text: Option<&str>) -> Option<Self> {
        let second = Some(Duration::from_secs(1));
        let mut settings = Self::default();
        for word in text.into_iter().flat_map(|text| text.split(',')) {
            match word.split_once('=') {
                Some(("depth", n)) => {
                    settings.depth = Some(number(n).filter(|n| (1..=MAX_DEPTH).contains(n))?);
                }
                Some(("nodes", n)) => settings.nodes = Some(number(n).filter(|&n| n > 0)?),
                Some(("threads", n)) => {
                    settings.threads = number(n).filter(|n| (1..=Self::MAX_THREADS).contains(n))?;
                }
                Some(_) => return None,
                None if word == "book" => settings.book = true,
                None if word == "proofs" => settings.proofs = true,
                None => settings.time = Some(read_time(word)?),
            }
        }
        if settings.time.is_none() && !settings.repeats() {
            settings.time = second;
        }
        Some(settings)
    }

    /// The same, or, where there is no clock, a limit of nodes in place of one of time.
    pub(crate) fn with_clock(self, has_clock: bool) -> Self {
        if has_clock || self.time.is_none() {
            return self;
        }
        let nodes = if self.repeats() { self.nodes } else { Some(NODES_WITHOUT_CLOCK) };
        Self { time: None, nodes, ..self }
    }

    /// Whether something else than time is meant to end the search, so that it is the same each time.
    pub(crate) fn repeats(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some()
    }
}

/// What a search is limited to that should be limited by time, without a clock.
const NODES_WITHOUT_CLOCK: u64 = 300_000;

/// One thread without limits, book or proofs.
impl Default for Settings {
    fn default() -> Self {
        Self { time: None, depth: None, nodes: None, threads: 1, book: false, proofs: false }
    }
}

fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// `200ms`, `2s` or `1.5s`, up to a day.
#[must_use]
pub fn read_time(text: &str) -> Option<Duration> {
    let seconds = match text.strip_suffix("ms") {
        Some(ms) => f64::from(number::<u32>(ms)?) / 1e3,
        None => {
            let digits = text.strip_suffix('s')?;
            digits.bytes().all(|b| b.is_ascii_digit() || b == b'.').then(|| digits.parse().ok()).flatten()?
        }
    };
    (seconds > 0.0 && seconds <= 86_400.0).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let read = |text| Settings::read(Some(text));
        assert_eq!(Settings::read(None).unwrap().time, Some(Duration::from_secs(1)));
        assert_eq!(read("200ms").unwrap().time, Some(Duration::from_millis(200)));
        assert_eq!(read("1.5s").unwrap().time, Some(Duration::from_millis(1500)));
        assert_eq!(read("depth=8").map(|s| (s.depth, s.time)), Some((Some(8), None)));
        assert_eq!(read("depth=100").map(|s| (s.depth, s.time)), Some((Some(100), None)));
        assert_eq!(read("nodes=5,threads=2").map(|s| (s.nodes, s.threads)), Some((Some(5), 2)));
        assert_eq!(read("threads=2").unwrap().time, Some(Duration::from_secs(1)));
        assert!(read("book").is_some_and(|s| s.book && s.time.is_some()) && !read("1s").unwrap().book);
        assert!(read("nodes=5,proofs").unwrap().proofs && !read("nodes=5").unwrap().proofs);
        for text in [
            "",
            "5",
            "0ms",
            "-1s",
            "depth=0",
            "depth=101",
            "depth=",
            "nodes=x",
            "1e3s",
            "infs",
            "speed=1",
            "s",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
