//! The search limits of `analyse` and `review`.

use std::time::Duration;

use study::assessment::{Limits, read_time};

/// Limits of a search.
#[derive(clap::Args)]
pub(crate) struct LimitArgs {
    /// Time, such as 500ms or 10s
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Depth in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Number of nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
}

impl LimitArgs {
    /// The limits given; without any, `default_time`.
    pub(crate) fn limits(&self, lines: usize, default_time: Option<Duration>) -> Limits {
        let (depth, nodes) = (self.depth, self.nodes);
        let is_unlimited = depth.is_none() && nodes.is_none();
        let time = self.time.or(default_time.filter(|_| is_unlimited));
        Limits { lines, threads: self.threads.into(), time, nodes, depth }
    }
}

fn time(text: &str) -> Result<Duration, String> {
    read_time(text).ok_or_else(|| "expected a time such as 500ms or 10s".to_owned())
}
