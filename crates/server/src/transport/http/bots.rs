//! What programs need that play over HTTP with a token of their account.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::{Json, extract::State, response::Response};
use protocol::{BotEvent, ErrorCode, Paired, Seek, Status};
use tokio::{sync::mpsc, time::MissedTickBehavior};

use super::{
    Door,
    client::Client,
    error::{CannotDo, CannotTell, Result},
    extract::Sent,
    limits::Costly,
    people::Caller,
    stream,
    tables::line,
};
use crate::{
    auth::StreamGuard,
    store::{StoreError, TableFilter, TableRow},
};

/// How soon a program hears of a challenge or a game.
const LOOKING: Duration = Duration::from_millis(500);
/// How many games a program hears of at once.
const MOST_GAMES: u32 = 200;

/// Looks for somebody to play with, and answers when somebody was found. Who closes the connection looks no more.
#[utoipa::path(post, path = "/api/bot/seek", tag = "bots", request_body = Seek,
    responses((status = 200, body = Paired), CannotDo))]
pub(super) async fn seek(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Sent(seek): Sent<Seek>,
) -> Result<Json<Paired>> {
    door.limits.take(Costly::Table, client.counted())?;
    let guard = door.app.connections.add_stream(door.app.tables.new_sink_id(), caller.session());
    let table = tokio::select! {
        table = door.app.pairing.seek(&caller.who, seek) => table?,
        () = guard.closed() => return Err(ErrorCode::SignInFirst.because("the session has ended").into()),
        () = door.closing.cancelled() => return Err(ErrorCode::Unavailable.because("the server is stopping").into()),
    };
    Ok(Json(Paired { table }))
}

/// Tells what concerns the account, one JSON object per line: challenges, games that go on, games that ended.
/// Whatever waits is told first. Empty lines show that the connection lives.
#[utoipa::path(get, path = "/api/bot/events", tag = "bots",
    responses((status = 200, body = BotEvent, content_type = "application/x-ndjson"), CannotTell))]
pub(super) async fn events(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
) -> Result<Response> {
    door.limits.take(Costly::Look, client.counted())?;
    let person = caller.account()?.id.clone();
    let (sender, response) = stream::lines();
    let guard = door.app.connections.add_stream(door.app.tables.new_sink_id(), caller.session());
    tokio::spawn(tell(door, person, sender, guard));
    Ok(response)
}

/// The log is the truth, so looking at it from time to time is right on every node and after every crash.
async fn tell(door: Arc<Door>, person: String, sender: mpsc::Sender<axum::body::Bytes>, guard: StreamGuard) {
    let mut known: HashMap<String, Status> = HashMap::new();
    let mut looks = tokio::time::interval(LOOKING);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = sender.closed() => return,
            () = guard.closed() => return,
            () = door.closing.cancelled() => return,
        }
        // While the store is away there is no news.
        let Ok(events) = news(&door, &person, &mut known).await else { continue };
        for event in events {
            if sender.send_timeout(stream::line(&event), stream::PATIENCE).await.is_err() {
                return;
            }
        }
    }
}

async fn news(
    door: &Door,
    person: &str,
    known: &mut HashMap<String, Status>,
) -> std::result::Result<Vec<BotEvent>, StoreError> {
    let store = &door.app.store;
    let wanted = |status| TableFilter { status: Some(status), limit: MOST_GAMES, ..TableFilter::default() };
    let challenges = TableFilter { invited: Some(person.to_owned()), ..wanted(Status::Open) };
    let games = TableFilter { player: Some(person.to_owned()), ..wanted(Status::Playing) };
    let now: Vec<TableRow> = [store.tables(&challenges).await?, store.tables(&games).await?].concat();
    let mut events = Vec::new();
    for row in &now {
        if known.insert(row.key.id.clone(), row.status) != Some(row.status) {
            events.push(match row.status {
                Status::Open => BotEvent::Challenge { table: line(row) },
                _ => BotEvent::GameStart { table: line(row) },
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
            events.push(BotEvent::GameEnd { table: line(&row) });
        }
    }
    Ok(events)
}
