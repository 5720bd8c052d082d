//! Streamed responses: one JSON object per line, and empty lines to keep the connection alive.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use play::{StreamGuard, Subscription};
use protocol::{Done, TableStreamLine, TableUpdate};
use serde::Serialize;
use store::task;
use tokio::{sync::mpsc, time::timeout};

/// Interval between empty lines.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Lines that may wait for a slow reader; then its stream ends.
const MAX_QUEUED: usize = 64;
/// The stream of a reader that accepts nothing for this long ends.
pub(super) const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// A streamed response and the sender of its lines, with which it ends.
pub(super) fn lines() -> (mpsc::Sender<Bytes>, Response) {
    let (sender, lines) = mpsc::channel(MAX_QUEUED);
    let stream = stream::unfold(lines, |mut lines: mpsc::Receiver<Bytes>| async move {
        let line = match timeout(KEEP_ALIVE, lines.recv()).await {
            Ok(line) => line?,
            Err(_) => Bytes::from_static(b"\n"),
        };
        Some((Ok::<_, std::convert::Infallible>(line), lines))
    });
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (sender, (headers, Body::from_stream(stream)).into_response())
}

/// A value as one line of JSON.
pub(super) fn line(value: &impl Serialize) -> Bytes {
    let mut line = serde_json::to_vec(value).expect("messages serialise as JSON");
    line.push(b'\n');
    line.into()
}

/// Streams the updates of a table, after the snapshot or those that were missed.
pub(super) fn table(done: Done, mut subscription: Subscription, guard: StreamGuard) -> Response {
    let (sender, response) = lines();
    task::spawn(async move {
        let first = match (done.snapshot, done.missed) {
            (Some(snapshot), _) => line(&TableStreamLine::Snapshot(snapshot)),
            (None, missed) => line(&TableStreamLine::Missed(missed.unwrap_or_default())),
        };
        if sender.send(first).await.is_err() {
            return;
        }
        loop {
            let update = tokio::select! {
                update = subscription.next() => update,
                () = sender.closed() => return,
                () = guard.closed() => return,
            };
            let line = match update.as_deref() {
                Some(TableUpdate::Move(made)) => line(&TableStreamLine::MoveMade(made.clone())),
                Some(TableUpdate::Event(event)) => line(&TableStreamLine::TableEvent(event.clone())),
                None => return,
            };
            if sender.try_send(line).is_err() {
                return;
            }
        }
    });
    response
}
