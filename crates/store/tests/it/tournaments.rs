//! Tournaments of people.

use alinea_store::{Store, TournamentChange};
use protocol::{TournamentEvent, TournamentFormat, TournamentPhase, TournamentSummary};

use crate::Database;

/// Appends the next event, after which the tournament is in a phase.
async fn append(store: &Store, after: u64, phase: TournamentPhase, event: TournamentEvent) {
    let summary = TournamentSummary {
        id: "cup".into(),
        name: "Cup".into(),
        game: "tic-tac-toe".into(),
        format: TournamentFormat::RoundRobin,
        phase,
        players: 2,
        programs: false,
        starts_at: Some(1_000),
        updated_at: 1_000,
    };
    let change = TournamentChange {
        id: "cup",
        after,
        at: 1_000,
        events: &[event],
        tables: Vec::new(),
        summary: &summary,
        organiser: "u:ann",
        is_listed: true,
    };
    store.append_tournament(change).await.unwrap();
}

pub(crate) async fn a_tournament_is_due_until_it_is_closed(database: Database) {
    let store = database.open().await;
    append(&store, 0, TournamentPhase::Entry, TournamentEvent::Withdrew { player: 0, by_organiser: false })
        .await;
    assert_eq!(store.due_tournaments(999).await.unwrap(), [""; 0]);
    assert_eq!(store.due_tournaments(1_000).await.unwrap(), ["cup"]);
    append(&store, 1, TournamentPhase::Running, TournamentEvent::Started).await;
    // Too early: more is due later.
    store.close_tournament("cup").await.unwrap();
    assert_eq!(store.due_tournaments(0).await.unwrap(), ["cup"]);
    append(&store, 2, TournamentPhase::Over, TournamentEvent::Ended { by_organiser: true }).await;
    assert_eq!(store.due_tournaments(0).await.unwrap(), ["cup"]);
    store.close_tournament("cup").await.unwrap();
    assert_eq!(store.due_tournaments(0).await.unwrap(), [""; 0]);
}
