//! A client by requests, one after the other: one waits for what the server says, others bring what the client says.
//! Browsers begin so and then try a WebSocket; behind some proxies it remains the only way.

use std::{
    collections::HashMap,
    future::poll_fn,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep, sleep_until};

use super::{
    out::FAREWELL,
    packet::SEPARATOR,
    wire::{Taken, Waiting, Wire},
};
use crate::app::App;

const NOOP: &[u8] = b"6";
const CLOSE: &[u8] = b"1";
/// How often a client is told that nothing comes by this way while a WebSocket is being tried.
const NOOP_PAUSE: Duration = Duration::from_millis(100);
/// How many clients may come by requests at once.
const MOST_POLLED: usize = 10_000;

/// The clients that come by requests, by their secret names.
#[derive(Clone, Default)]
pub(crate) struct Polls(Arc<Mutex<HashMap<String, Arc<Polled>>>>);

/// A client that comes by requests.
pub(super) struct Polled {
    pub(super) wire: Arc<Wire>,
    /// One of its requests waits for what the server says.
    is_asking: AtomicBool,
    /// It was told that it need not, as a WebSocket is being tried.
    is_told: AtomicBool,
}

impl Polls {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Polled>>> {
        self.0.lock().expect("no one panics with it")
    }

    pub(super) fn get(&self, name: &str) -> Option<Arc<Polled>> {
        self.lock().get(name).cloned()
    }

    /// Serves a client until it is gone or has found a better way; false if there are too many.
    pub(super) fn serve(&self, name: String, wire: Arc<Wire>) -> bool {
        {
            let mut polls = self.lock();
            if polls.len() >= MOST_POLLED {
                return false;
            }
            let polled = Polled {
                wire: wire.clone(),
                is_asking: AtomicBool::default(),
                is_told: AtomicBool::default(),
            };
            polls.insert(name.clone(), Arc::new(polled));
        }
        let polls = self.clone();
        tokio::spawn(async move {
            while let Some(deadline) = wire.beat().filter(|_| !wire.is_websocket()) {
                // It may be sent away at any time.
                sleep_until(deadline.min(Instant::now() + FAREWELL)).await;
            }
            polls.lock().remove(&name);
            if !wire.is_websocket() {
                wire.end();
            }
        });
        true
    }
}

impl Polled {
    /// What waits for the client, as soon as something does; none if another request waits for it already.
    pub(super) async fn next(&self) -> Option<Vec<u8>> {
        if self.is_asking.swap(true, Ordering::Relaxed) {
            return None;
        }
        let _asking = Asking(&self.is_asking);
        loop {
            return Some(match poll_fn(|context| self.wire.poll_waiting(context)).await {
                Waiting::Packets(packets) => packets,
                Waiting::Elsewhere if !self.is_told.swap(true, Ordering::Relaxed) => NOOP.to_vec(),
                // It asks again and again until it hears that the WebSocket works.
                Waiting::Elsewhere => {
                    sleep(NOOP_PAUSE).await;
                    match self.wire.is_upgrading() {
                        true => NOOP.to_vec(),
                        false => continue,
                    }
                }
                Waiting::Moved => NOOP.to_vec(),
                Waiting::Over => CLOSE.to_vec(),
            });
        }
    }

    /// Takes what the client says; false if it makes no sense.
    pub(super) async fn take(&self, app: &Arc<App>, body: &str) -> bool {
        for packet in body.split(SEPARATOR) {
            match self.wire.take(packet) {
                Taken::Done => {}
                Taken::Enters => {
                    // Also if the request is given up meanwhile.
                    let (wire, app) = (self.wire.clone(), app.clone());
                    let _ = tokio::spawn(async move { wire.enter(&app).await }).await;
                }
                Taken::Over => {
                    if !self.wire.is_cut() {
                        self.wire.end();
                    }
                    return packet == "1";
                }
            }
        }
        true
    }
}

struct Asking<'a>(&'a AtomicBool);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
