//! Streams for programs: one JSON object per line, and an empty line now and then to show that somebody is there.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use protocol::{Done, TableStreamLine, TableUpdate};
use serde::Serialize;
use tokio::{sync::mpsc, time::timeout};

use crate::{auth::StreamGuard, table::Subscription};

/// How long nothing may be said.
const SILENCE: Duration = Duration::from_secs(15);
/// How many lines may wait for a program that reads slowly; then its stream ends.
const ROOM: usize = 64;
/// A program that makes us wait for longer has its stream ended.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The lines of a program's stream; it ends with the sender.
pub(super) fn lines() -> (mpsc::Sender<Bytes>, Response) {
    let (sender, lines) = mpsc::channel(ROOM);
    let stream = stream::unfold(lines, |mut lines: mpsc::Receiver<Bytes>| async move {
        let line = match timeout(SILENCE, lines.recv()).await {
            Ok(line) => line?,
            Err(_) => Bytes::from_static(b"\n"),
        };
        Some((Ok::<_, std::convert::Infallible>(line), lines))
    });
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (sender, (headers, Body::from_stream(stream)).into_response())
}

/// A line.
pub(super) fn line(value: &impl Serialize) -> Bytes {
    let mut line = serde_json::to_vec(value).expect("messages can be written as JSON");
    line.push(b'\n');
    line.into()
}

/// What happened at a table and what happens from now on.
pub(super) fn table(done: Done, mut watch: Subscription, guard: StreamGuard) -> Response {
    let (sender, response) = lines();
    tokio::spawn(async move {
        let first = match (done.snapshot, done.missed) {
            (Some(snapshot), _) => line(&TableStreamLine::Snapshot(snapshot)),
            (None, missed) => line(&TableStreamLine::Missed(missed.unwrap_or_default())),
        };
        if sender.send(first).await.is_err() {
            return;
        }
        loop {
            let happened = tokio::select! {
                happened = watch.next() => happened,
                () = sender.closed() => return,
                () = guard.closed() => return,
            };
            let line = match happened.as_deref() {
                Some(TableUpdate::Move(made)) => line(&TableStreamLine::MoveMade(Box::new(made.clone()))),
                Some(TableUpdate::Event(event)) => {
                    line(&TableStreamLine::TableEvent(Box::new(event.clone())))
                }
                None => return,
            };
            if sender.try_send(line).is_err() {
                return;
            }
        }
    });
    response
}
