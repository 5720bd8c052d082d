//! What a node does beside its tables: says that it lives, takes over what dead nodes left, and hears what the
//! others say. Nothing depends on hearing it: whatever was missed is found by looking at the log from time to time.

use std::{collections::HashSet, sync::Arc, time::Duration};

use tokio::{
    sync::broadcast::error::RecvError,
    time::{MissedTickBehavior, interval},
};

use crate::{
    app::App,
    store::{Hint, StoreError},
    table::{FLAG_SOON_MS, Message, now},
};

const HEARTBEAT: Duration = Duration::from_secs(1);
/// A node that has been silent for so long is dead. One that only slept finds its writes refused by the log.
const DEAD_AFTER_MS: u64 = 5_000;
/// How often everything is looked at again, in heartbeats.
const LOOKING_AGAIN: u32 = 5;
/// How often sessions that nobody uses any more are forgotten, in heartbeats.
const FORGETTING: u32 = 3_600;
/// How often tables with a clock are woken, so that flags fall that are days away, in heartbeats: sooner than
/// tables count on.
const WAKING: u32 = 600;
const _: () = assert!(WAKING as u64 * 1_000 < FLAG_SOON_MS);
/// How often it is asked which sessions have ended, in heartbeats.
const LOOKING_AT_SESSIONS: u32 = 60;
/// How many tables are asked about at once.
const ASKED_AT_ONCE: usize = 400;
/// No clock of ours runs for longer.
const LONGEST_CLOCK_MS: u64 = 15 * 24 * 60 * 60 * 1_000;

/// Says for the first time that this node lives, and takes over what nobody looks after.
///
/// # Errors
/// If the store is away.
pub(crate) async fn begin(app: &App) -> Result<(), StoreError> {
    beat(app).await?;
    adopt(app).await
}

/// Does so from now on.
pub(crate) async fn live(app: Arc<App>) {
    let mut ticks = interval(HEARTBEAT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut living = HashSet::new();
    for tick in 1_u32.. {
        ticks.tick().await;
        let done = async {
            beat(&app).await?;
            adopt(&app).await?;
            if tick.is_multiple_of(LOOKING_AT_SESSIONS) {
                close_ended_sessions(&app).await?;
            }
            if tick.is_multiple_of(WAKING) {
                for table in app.store.timed_tables().await? {
                    app.tables.send(&table, Message::Care);
                }
            }
            if tick % FORGETTING == 1 {
                app.accounts.forget_sessions().await?;
            }
            if app.store.is_shared() {
                notice_deaths(&app, &mut living).await?;
                if tick.is_multiple_of(LOOKING_AGAIN) {
                    look_again(&app).await?;
                }
            }
            Ok::<_, StoreError>(())
        };
        if let Err(error) = done.await {
            tracing::warn!(%error, "this node could not say that it lives");
        }
    }
}

/// One heartbeat. Another node may have noticed that nobody could reach the store for a while, so all read it.
async fn beat(app: &App) -> Result<(), StoreError> {
    let now = now();
    app.store.heartbeat(now).await?;
    app.tables.set_downtimes(app.store.downtimes(now.saturating_sub(LONGEST_CLOCK_MS)).await?, now);
    Ok(())
}

async fn adopt(app: &App) -> Result<(), StoreError> {
    for table in app.store.adopt(now() - DEAD_AFTER_MS).await? {
        app.tables.send(&table, Message::Care);
    }
    Ok(())
}

async fn notice_deaths(app: &App, living: &mut HashSet<String>) -> Result<(), StoreError> {
    let now_living: HashSet<_> = app.store.living(now() - DEAD_AFTER_MS).await?.into_iter().collect();
    for node in living.difference(&now_living) {
        for table in app.tables.open_ids() {
            app.tables.send_if_open(&table, Message::NodeGone { node: node.clone() });
        }
    }
    *living = now_living;
    Ok(())
}

/// Ends the connections of sessions of whose end no hint told.
async fn close_ended_sessions(app: &App) -> Result<(), StoreError> {
    for sessions in app.connections.sessions().chunks(ASKED_AT_ONCE) {
        let living = app.store.living_sessions(sessions).await?;
        for ended in sessions.iter().filter(|session| !living.contains(*session)) {
            app.connections.close_session(ended);
        }
    }
    Ok(())
}

/// Finds what no hint told.
async fn look_again(app: &App) -> Result<(), StoreError> {
    for tables in app.tables.open_ids().chunks(ASKED_AT_ONCE) {
        for (table, version) in app.store.versions(tables).await? {
            app.tables.send_if_open(&table, Message::Hint { version });
        }
    }
    Ok(())
}

/// Hears what happens elsewhere, from now on.
pub(crate) async fn listen(app: Arc<App>) {
    let mut hints = app.store.hints();
    loop {
        match hints.recv().await {
            Ok(Hint::Table { table, version }) => {
                app.tables.send_if_open(&table, Message::Hint { version });
            }
            Ok(Hint::SessionEnded(session)) => app.connections.close_session(&session),
            Ok(Hint::Said { node, words }) => app.tables.hear_presence(&node, &words),
            // Whoever seeks listens for itself.
            Ok(Hint::Paired { .. }) => {}
            Ok(Hint::Resync) | Err(RecvError::Lagged(_)) => {
                if let Err(error) = close_ended_sessions(&app).await {
                    tracing::warn!(%error, "nobody knows which sessions have ended");
                }
                for table in app.tables.open_ids() {
                    app.tables.send_if_open(&table, Message::Hint { version: 0 });
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}
