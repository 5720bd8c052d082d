//! How long to look: what `analyse` and `review` can be told.

use std::time::Duration;

use players::analysis::{self, Limits};

/// Limits of looking at a position.
#[derive(clap::Args)]
pub(crate) struct LimitArgs {
    /// For how long, such as 500ms or 10s
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// How many moves ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// How many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Threads to search with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
}

impl LimitArgs {
    /// What was said; where nothing was, for so long.
    pub(crate) fn limits(&self, lines: usize, otherwise: Option<Duration>) -> Limits {
        let (depth, nodes) = (self.depth, self.nodes);
        let is_unlimited = depth.is_none() && nodes.is_none();
        let time = self.time.or(otherwise.filter(|_| is_unlimited));
        Limits { lines, threads: self.threads.into(), time, nodes, depth }
    }
}

fn time(text: &str) -> Result<Duration, String> {
    analysis::read_time(text).ok_or_else(|| "write a time such as 500ms or 10s".to_owned())
}
