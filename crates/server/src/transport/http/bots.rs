//! The API of bots, which play over HTTP with a token of their account.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::{extract::State, response::Response};
use play::StreamGuard;
use protocol::{BotEvent, ErrorCode, Paired, Seek, Status};
use store::{StoreError, TableFilter, TableRow, task};
use tokio::{sync::mpsc, time::MissedTickBehavior};

#[cfg(test)]
use super::openapi::{ReadErrors, WriteErrors};
use super::{AppState, client::Client, error::Result, identity::Caller, json::Json, stream, tables::summary};
use crate::rate::RateClass;

/// How often the store is polled for challenges and games.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Maximum number of challenges and games in progress in a bot's stream.
const MAX_GAMES: u32 = 200;

/// Looks for an opponent and answers when one is found. Closing the connection ends the search.
#[cfg_attr(test, utoipa::path(post, path = "/api/bot/seek", tag = "bots", request_body = Seek,
    responses((status = 200, body = Paired), WriteErrors)))]
pub(super) async fn seek(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(seek): Json<Seek>,
) -> Result<Json<Paired>> {
    state.limits.check(RateClass::Create, client.share)?;
    let guard = state.connections.add_stream(state.tables.new_sink_id(), caller.session());
    let table = tokio::select! {
        table = state.pairing.seek(&caller.principal, seek) => table?,
        () = guard.closed() => return Err(ErrorCode::SignInFirst.because("the session has ended").into()),
        () = state.closing.cancelled() => return Err(ErrorCode::Unavailable.because("the server is stopping").into()),
    };
    Ok(Json(Paired { table }))
}

/// Streams the challenges and games of the account, one JSON object per line, starting with those that exist already.
/// Empty lines keep the connection alive.
#[cfg_attr(test, utoipa::path(get, path = "/api/bot/events", tag = "bots",
    responses((status = 200, body = BotEvent, content_type = "application/x-ndjson"), ReadErrors)))]
pub(super) async fn events(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
) -> Result<Response> {
    state.limits.check(RateClass::Read, client.share)?;
    let account = caller.account()?.id.clone();
    let (sender, response) = stream::lines();
    let guard = state.connections.add_stream(state.tables.new_sink_id(), caller.session());
    task::spawn(poll(state, account, sender, guard));
    Ok(response)
}

/// Polls the store, which is correct on every node and after every crash.
async fn poll(
    state: Arc<AppState>,
    account: String,
    sender: mpsc::Sender<axum::body::Bytes>,
    guard: StreamGuard,
) {
    let mut known: HashMap<String, Status> = HashMap::new();
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = sender.closed() => return,
            () = guard.closed() => return,
            () = state.closing.cancelled() => return,
        }
        // While the store is unavailable there is nothing new.
        let Ok(events) = changes(&state, &account, &mut known).await else { continue };
        for event in events {
            if sender.send_timeout(stream::line(&event), stream::SEND_TIMEOUT).await.is_err() {
                return;
            }
        }
    }
}

async fn changes(
    state: &AppState,
    account: &str,
    known: &mut HashMap<String, Status>,
) -> std::result::Result<Vec<BotEvent>, StoreError> {
    let store = &state.store;
    let wanted = |status| TableFilter { status: Some(status), limit: MAX_GAMES, ..TableFilter::default() };
    let challenges = TableFilter { invited: Some(account.to_owned()), ..wanted(Status::Open) };
    let games = TableFilter { player: Some(account.to_owned()), ..wanted(Status::Playing) };
    let now: Vec<TableRow> = [store.tables(&challenges).await?, store.tables(&games).await?].concat();
    let mut events = Vec::new();
    for row in &now {
        if known.insert(row.key.id.clone(), row.status) != Some(row.status) {
            events.push(match row.status {
                Status::Open => BotEvent::Challenge { table: summary(row) },
                _ => BotEvent::GameStart { table: summary(row) },
            });
        }
    }
    let gone: Vec<String> =
        known.keys().filter(|id| !now.iter().any(|row| row.key.id == **id)).cloned().collect();
    for id in gone {
        known.remove(&id);
        if let Some(row) = store.table(&id).await?
            && row.status == Status::Ended
        {
            events.push(BotEvent::GameEnd { table: summary(&row) });
        }
    }
    Ok(events)
}
