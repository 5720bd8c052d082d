//! The audit log, restrictions and announcements.

use alinea_store::{Announcement, AuditEntry, Restriction, RestrictionKind};

use super::*;

fn entry(at: u64, actor: &str, subject: &str) -> AuditEntry {
    let (action, details) = ("account_banned".to_owned(), String::new());
    AuditEntry { at, actor: actor.to_owned(), action, subject: subject.to_owned(), details }
}

pub(crate) async fn the_audit_log_is_kept_for_a_while(database: Database) {
    let store = database.open().await;
    for at in 1..=5 {
        store.audit(&entry(at, "operator", "u:ann")).await.unwrap();
    }
    let at = |entries: Vec<AuditEntry>| entries.iter().map(|entry| entry.at).collect::<Vec<_>>();
    assert_eq!(at(store.audit_log(2, 3).await.unwrap()), [5, 4, 3]);
    store.forget_operations(4, 0).await.unwrap();
    assert_eq!(at(store.audit_log(0, 100).await.unwrap()), [5, 4]);
}

pub(crate) async fn a_deleted_account_leaves_the_audit_log(database: Database) {
    let store = database.open().await;
    let ann = account(&store, "ann").await;
    store.audit(&entry(1, "u:ann", "u:bob")).await.unwrap();
    store.audit(&entry(2, "operator", "u:ann")).await.unwrap();
    store.audit(&entry(3, "operator", "u:bob")).await.unwrap();
    store.delete_account(&ann).await.unwrap();
    assert_eq!(store.audit_log(0, 100).await.unwrap(), [entry(3, "operator", "u:bob")]);
}

pub(crate) async fn restrictions_end_or_are_lifted(database: Database) {
    let store = database.open().await;
    let restriction = |subject: &str, kind, since, ends| Restriction {
        subject: subject.to_owned(),
        kind,
        since,
        ends,
        note: "why".to_owned(),
    };
    let (ban, mute) = (RestrictionKind::Ban, RestrictionKind::Mute);
    let [network, guest] = [restriction("192.0.2.0/24", ban, 1, 10), restriction("g:7", mute, 2, 0)];
    store.restrict(&network).await.unwrap();
    store.restrict(&guest).await.unwrap();
    assert_eq!(store.restrictions(9).await.unwrap(), [guest.clone(), network]);
    assert_eq!(store.restrictions(10).await.unwrap(), std::slice::from_ref(&guest));
    let longer = Restriction { since: 3, ..guest };
    store.restrict(&longer).await.unwrap();
    assert_eq!(store.restrictions(10).await.unwrap(), [longer]);
    assert!(!store.lift_restriction("g:7", ban).await.unwrap());
    assert!(store.lift_restriction("g:7", mute).await.unwrap());
    assert!(store.restrictions(10).await.unwrap().is_empty());
}

pub(crate) async fn the_last_announcement_counts_until_it_ends(database: Database) {
    let store = database.open().await;
    let announcement =
        |id: &str, at, ends| Announcement { id: id.to_owned(), at, ends, message: "restart at 8".to_owned() };
    store.announce_to_all(Some(&announcement("a", 1, 10))).await.unwrap();
    store.announce_to_all(Some(&announcement("b", 2, 10))).await.unwrap();
    assert_eq!(store.announcement(9).await.unwrap(), Some(announcement("b", 2, 10)));
    assert_eq!(store.announcement(10).await.unwrap(), None);
    store.announce_to_all(None).await.unwrap();
    assert_eq!(store.announcement(9).await.unwrap(), None);
}
