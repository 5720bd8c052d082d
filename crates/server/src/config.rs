//! The settings of a server.

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many programs may think at once.
    pub programs: usize,
    /// Grace period before the opponent of a disconnected player may claim the game, in milliseconds.
    pub grace_ms: u64,
    /// Sustained rate of messages per socket and second.
    pub messages_per_second: u32,
    /// Messages that a socket may send at once.
    pub message_burst: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            programs: std::thread::available_parallelism().map_or(1, Into::into),
            grace_ms: 60_000,
            messages_per_second: 20,
            message_burst: 100,
        }
    }
}
