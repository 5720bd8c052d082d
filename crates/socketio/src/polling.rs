//! Long-polling: one request at a time waits for packets of the server, others bring packets of the client. Browsers
//! start this way and then probe a WebSocket; behind some proxies it remains the only transport.

use std::{
    collections::HashMap,
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::time::{Instant, sleep, sleep_until};

use crate::{
    packet::SEPARATOR,
    session::{Polled, Received, Session},
    shared::Shared,
};

const NOOP: &[u8] = b"6";
const CLOSE: &[u8] = b"1";
/// Interval between the NOOP packets that a poll receives while a WebSocket is being probed.
const NOOP_INTERVAL: Duration = Duration::from_millis(100);

/// The sessions that poll, by id.
#[derive(Clone)]
pub(crate) struct PollingSessions {
    shared: Arc<Shared>,
    sessions: Arc<Mutex<HashMap<String, Arc<PollingSession>>>>,
}

/// A session that polls.
pub(crate) struct PollingSession {
    pub(crate) session: Arc<Session>,
    /// A request waits for packets.
    is_polled: AtomicBool,
    /// The first NOOP of an upgrade was sent.
    was_paused: AtomicBool,
    /// The client has closed the session.
    was_left: AtomicBool,
}

impl PollingSessions {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, sessions: Arc::default() }
    }

    /// The session with this id, unless it has ended or now uses a WebSocket.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<PollingSession>> {
        let polling = self.sessions.lock().get(id).cloned();
        polling.filter(|polling| !polling.session.has_ended() && !polling.session.is_websocket())
    }

    /// Adds a session until it ends or is upgraded; `None` if there are too many.
    pub(crate) fn add(&self, id: String, session: Arc<Session>) -> Option<Arc<PollingSession>> {
        let polling = Arc::new(PollingSession {
            session: session.clone(),
            is_polled: AtomicBool::default(),
            was_paused: AtomicBool::default(),
            was_left: AtomicBool::default(),
        });
        {
            let mut sessions = self.sessions.lock();
            if sessions.len() >= self.shared.config.max_polling_sessions {
                return None;
            }
            sessions.insert(id.clone(), polling.clone());
        }
        let this = self.clone();
        tokio::spawn(async move {
            while let Some(deadline) = session.tick().filter(|_| !session.is_websocket()) {
                // The session may be closed at any time.
                sleep_until(deadline.min(Instant::now() + this.shared.config.shutdown_timeout)).await;
            }
            this.sessions.lock().remove(&id);
            if !session.is_websocket() {
                session.end();
            }
        });
        Some(polling)
    }
}

impl PollingSession {
    /// Waits for packets; `None` if another request already waits. A cancelled request ends the session,
    /// because it is unknown what its client has received.
    pub(crate) async fn next_packets(&self) -> Option<Vec<u8>> {
        if self.is_polled.swap(true, Ordering::Relaxed) {
            return None;
        }
        let guard = PollGuard(self);
        let packets = self.wait_for_packets().await;
        guard.answer();
        Some(packets)
    }

    async fn wait_for_packets(&self) -> Vec<u8> {
        loop {
            return match poll_fn(|context| self.session.poll_packets(context)).await {
                Polled::Packets(packets) => packets,
                Polled::Upgrading if !self.was_paused.swap(true, Ordering::Relaxed) => NOOP.to_vec(),
                // The client polls again and again until it learns that the WebSocket works.
                Polled::Upgrading => {
                    sleep(NOOP_INTERVAL).await;
                    match self.session.is_upgrading() {
                        true => NOOP.to_vec(),
                        false => continue,
                    }
                }
                Polled::Upgraded => NOOP.to_vec(),
                Polled::Closed if self.was_left.load(Ordering::Relaxed) => NOOP.to_vec(),
                Polled::Closed => CLOSE.to_vec(),
            };
        }
    }

    /// Handles the packets of a request body; false if one is malformed.
    pub(crate) async fn receive(&self, body: &str) -> bool {
        for packet in body.split(SEPARATOR) {
            match self.session.receive(packet) {
                Received::Handled => {}
                Received::Connect(auth) => {
                    // In a task of its own, so that it completes even if the request is dropped.
                    let session = self.session.clone();
                    let _ = tokio::spawn(async move { session.connect(auth).await }).await;
                }
                Received::Closed => {
                    let has_left = packet == "1";
                    self.was_left.store(has_left, Ordering::Relaxed);
                    if !self.session.is_closing() {
                        self.session.end();
                    }
                    return has_left;
                }
            }
        }
        true
    }
}

/// A request that waits for packets, until it is answered or cancelled.
struct PollGuard<'a>(&'a PollingSession);

impl PollGuard<'_> {
    /// Allows the next poll.
    fn answer(self) {
        self.0.is_polled.store(false, Ordering::Relaxed);
        std::mem::forget(self);
    }
}

impl Drop for PollGuard<'_> {
    fn drop(&mut self) {
        self.0.is_polled.store(false, Ordering::Relaxed);
        if !self.0.session.is_websocket() {
            self.0.session.end();
        }
    }
}
