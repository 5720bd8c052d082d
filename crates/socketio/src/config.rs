//! Timeouts and limits of a server.

use std::time::Duration;

/// Timeouts and limits of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Interval between pings.
    pub ping_interval: Duration,
    /// A client that does not answer a ping within this time is gone.
    pub ping_timeout: Duration,
    /// A client must send CONNECT within this time.
    pub connect_timeout: Duration,
    /// A client must accept some of its queued bytes within this time.
    pub write_timeout: Duration,
    /// Time for the last packets of a session that the server closes.
    pub shutdown_timeout: Duration,
    /// Time for the upgrade from polling to a WebSocket.
    pub upgrade_timeout: Duration,
    /// Time for the body of a polling request.
    pub body_timeout: Duration,
    /// Longest incoming message, in bytes.
    pub max_payload: usize,
    /// A session with more queued bytes is closed.
    pub max_queued: usize,
    /// While all sessions together have more queued bytes, those with more than [`Config::fair_queued`] are closed.
    pub max_queued_total: usize,
    /// Queued bytes that a session may always have.
    pub fair_queued: usize,
    /// Maximum number of queued bytes with which a closed session still sends its last packets.
    pub max_queued_at_shutdown: usize,
    /// Size of a response to a polling request, in bytes; exceeded by at most one packet.
    pub max_polled: usize,
    /// Sessions that may use polling at the same time.
    pub max_polling_sessions: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            ping_interval: Duration::from_secs(10),
            ping_timeout: Duration::from_secs(5),
            connect_timeout: Duration::from_secs(45),
            write_timeout: Duration::from_secs(8),
            shutdown_timeout: Duration::from_millis(500),
            upgrade_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(20),
            max_payload: 16 << 10,
            max_queued: 2 << 20,
            max_queued_total: 32 << 20,
            fair_queued: 16 << 10,
            max_queued_at_shutdown: 64 << 10,
            max_polled: 64 << 10,
            max_polling_sessions: 10_000,
        }
    }
}
