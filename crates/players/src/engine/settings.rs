//! The settings of the engine, as in `engine:200ms`, `engine:depth=8`, `engine:nodes=100000,threads=2` or
//! `engine:200ms,book`.

use std::time::Duration;

use crate::{control::NoClock, eval::MAX_DEPTH};

/// The limits and options of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The time per move; it needs a clock.
    pub time: Option<Duration>,
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes to search.
    pub nodes: Option<u64>,
    /// The number of threads.
    pub threads: usize,
    /// Whether to use the opening book.
    pub book: bool,
    /// Whether to ask the solver even with a limit of nodes or depth, where a proof takes no noticeable time.
    pub proofs: bool,
}

impl Settings {
    /// The greatest depth.
    pub const MAX_DEPTH: u32 = MAX_DEPTH;
    /// The greatest number of threads.
    pub const MAX_THREADS: usize = 64;

    /// How settings are written.
    pub const FORM: &'static str = "TIME|depth=N|nodes=N[,threads=N][,book][,proofs]";

    /// Reads settings; without a limit the time is one second. `None` if the text is not valid.
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

    /// Checks that there is a clock if the time is limited.
    pub(crate) fn check_clock(&self, has_clock: bool) -> Result<(), NoClock> {
        if has_clock || self.time.is_none() { Ok(()) } else { Err(NoClock) }
    }

    /// Whether nodes or depth limit the search, so that its result is reproducible.
    pub(crate) fn repeats(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some()
    }
}

/// One thread without limits, book or proofs.
impl Default for Settings {
    fn default() -> Self {
        Self { time: None, depth: None, nodes: None, threads: 1, book: false, proofs: false }
    }
}

fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// `200ms`, `2s` or `1.5s`, up to a day. Parsed as whole numbers, because exact parsing of fractions would
/// add 10 kB to what browsers download.
#[must_use]
pub fn read_time(text: &str) -> Option<Duration> {
    const DAY: Duration = Duration::from_secs(86_400);
    let time = match text.strip_suffix("ms") {
        Some(ms) => Duration::from_millis(number::<u32>(ms)?.into()),
        None => {
            let seconds = text.strip_suffix('s')?;
            let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
            let is_number = fraction.bytes().all(|b| b.is_ascii_digit());
            let nanoseconds = is_number.then(|| number(&format!("{fraction:0<9.9}"))).flatten()?;
            Duration::new(number(&format!("0{whole}"))?, nanoseconds)
        }
    };
    (!time.is_zero() && time <= DAY).then_some(time)
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
        assert_eq!(read(".05s").unwrap().time, Some(Duration::from_millis(50)));
        assert_eq!(read("86400.0000000000s").unwrap().time, Some(Duration::from_secs(86_400)));
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
            ".s",
            "1.5.0s",
            "1.000000000xs",
            "86400.1s",
            "99999999999999999999s",
            "speed=1",
            "s",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
