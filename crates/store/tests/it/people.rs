//! Accounts, sessions, tokens and settings.

use alinea_store::{Account, ApiToken, Hint, Session, StoreError};

use crate::{Database, account, received};

pub(crate) async fn names_are_unique_ignoring_case(database: Database) {
    let store = database.open().await;
    let ann = account(&store, "Ann_1").await;
    let other = Account { id: "u:other".into(), name: "aNN_1".into(), ..ann.clone() };
    assert_eq!(store.create_account(&other).await, Err(StoreError::Conflict));
    assert_eq!(store.account_by_name("ANN_1").await.unwrap(), Some(ann.clone()));
    assert_eq!(store.account(&ann.id).await.unwrap(), Some(ann.clone()));
    assert_eq!(store.account("u:other").await.unwrap(), None);
    store.change_password(&ann.id, "better", "").await.unwrap();
    assert_eq!(store.account(&ann.id).await.unwrap().unwrap().password, "better");
}

pub(crate) async fn sessions_can_be_listed_and_ended(database: Database) {
    let (store, remote) = (database.open().await, database.open().await);
    let ann = account(&store, "ann").await;
    account(&store, "bob").await;
    for index in 0..4u64 {
        let id = format!("s{index}");
        let session = Session {
            id: id.clone(),
            account: ann.id.clone(),
            agent: "test".into(),
            created: 10,
            seen: 10 + index,
        };
        store.create_session(&session, &format!("hash of {id}")).await.unwrap();
    }
    let (session, owner) = remote.session("hash of s1").await.unwrap().unwrap();
    assert_eq!((session.id.as_str(), session.seen, owner), ("s1", 11, ann.clone()));
    assert_eq!(store.session("s1").await.unwrap(), None);
    store.touch_session("s0", 50).await.unwrap();
    let listed =
        async || store.sessions(&ann.id).await.unwrap().into_iter().map(|s| s.id).collect::<Vec<_>>();
    assert_eq!(listed().await, ["s0", "s3", "s2", "s1"]);

    let mut hints = store.hints();
    let mut remote_hints = remote.hints();
    assert!(!store.end_session("u:bob", "s1").await.unwrap());
    assert!(store.end_session(&ann.id, "s1").await.unwrap());
    assert!(!store.end_session(&ann.id, "s1").await.unwrap());
    received(&mut hints, &Hint::SessionEnded("s1".into())).await;
    if database.is_postgres() {
        received(&mut remote_hints, &Hint::SessionEnded("s1".into())).await;
    }
    assert_eq!(remote.session("hash of s1").await.unwrap(), None);
    let mut others = store.end_other_sessions(&ann.id, "s3").await.unwrap();
    others.sort();
    assert_eq!(others, ["s0", "s2"]);
    assert_eq!(listed().await, ["s3"]);
    assert_eq!(store.delete_sessions(13).await.unwrap(), 0);
    assert_eq!(store.delete_sessions(14).await.unwrap(), 1);
}

pub(crate) async fn api_tokens_act_for_an_account(database: Database) {
    let store = database.open().await;
    let ann = account(&store, "ann").await;
    let token = ApiToken { id: "k1".into(), account: ann.id.clone(), label: "my bot".into(), created: 3 };
    store.create_api_token(&token, "hash").await.unwrap();
    let marked = Account { bot: true, ..ann.clone() };
    assert_eq!(store.api_token("hash").await.unwrap(), Some(("k1".into(), marked)));
    assert_eq!(store.api_tokens(&ann.id).await.unwrap(), [token]);
    assert!(!store.end_api_token("u:bob", "k1").await.unwrap());
    assert!(store.end_api_token(&ann.id, "k1").await.unwrap());
    assert_eq!(store.api_token("hash").await.unwrap(), None);
}

pub(crate) async fn a_setting_is_set_once(database: Database) {
    let (one, two) = (database.open().await, database.open().await);
    let (here, remote) = tokio::join!(one.setting("key", "a"), two.setting("key", "b"));
    assert_eq!(here, remote);
    assert_eq!(one.setting("key", "c").await, here);
    assert_eq!(one.setting("other", "c").await.unwrap(), "c");
}
