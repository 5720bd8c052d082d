//! Accounts, sessions, tokens and guests over a store.

use std::net::{IpAddr, Ipv4Addr};

use alinea_server::auth::{AccountError, Accounts, Identity};
use play::Share;
use store::{Account, Hint, Store};

const HOME: Share = Share::of(IpAddr::V4(Ipv4Addr::LOCALHOST));

async fn accounts() -> (Store, Accounts) {
    let store = Store::open("sqlite::memory:").await.unwrap();
    let accounts = Accounts::open(store.clone()).await.unwrap();
    (store, accounts)
}

fn error<T>(result: Result<T, AccountError>) -> AccountError {
    result.map(drop).unwrap_err()
}

#[tokio::test]
async fn accounts_sign_up_sign_out_and_sign_in() {
    let (_, accounts) = accounts().await;
    let up = accounts.sign_up("Ann", "correct horse", "Firefox\n", HOME).await.unwrap();
    let account = up.identity.account.clone().unwrap();
    assert!(account.id.starts_with("u:") && account.name == "Ann");
    assert_eq!(accounts.session(&up.token).await.unwrap(), Some(up.identity.clone()));
    assert_eq!(accounts.sessions(&up.identity).await.unwrap()[0].agent, "Firefox");

    let session = up.identity.session.clone().unwrap();
    assert!(accounts.end_session(&up.identity, &session).await.unwrap());
    assert_eq!(accounts.session(&up.token).await.unwrap(), None);

    let again = accounts.sign_in("aNN", "correct horse", "", HOME).await.unwrap();
    assert_eq!(again.identity.account, Some(account));
    assert_ne!(again.token, up.token);
    let wrong = AccountError::WrongPassword;
    for (name, password) in
        [("Ann", "wrong horse"), ("Bob", "correct horse"), ("Ann", ""), ("", ""), ("\0", "\0")]
    {
        assert_eq!(error(accounts.sign_in(name, password, "", HOME).await), wrong, "{name} {password}");
    }
    let long = "x".repeat(1_000_000);
    assert_eq!(error(accounts.sign_in(&long, &long, "", HOME).await), wrong);
}

#[tokio::test]
async fn names_and_passwords_are_checked() {
    let (_, accounts) = accounts().await;
    let up = async |name: &str, password: &str| error(accounts.sign_up(name, password, "", HOME).await);
    assert_eq!(up("a b", "correct horse").await, AccountError::BadName);
    assert_eq!(up("Ann", "short").await, AccountError::BadPassword);
    assert_eq!(up("Ann", &"x".repeat(129)).await, AccountError::BadPassword);
    assert_eq!(up("root", "correct horse").await, AccountError::NameTaken);
    accounts.sign_up("Ann", "correct horse", "", HOME).await.unwrap();
    assert_eq!(up("ann", "another horse").await, AccountError::NameTaken);
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions_and_all_tokens() {
    let (store, accounts) = accounts().await;
    let here = accounts.sign_up("Ann", "correct horse", "", HOME).await.unwrap();
    let there = accounts.sign_in("Ann", "correct horse", "", HOME).await.unwrap();
    let bot = here.identity.account.as_ref().unwrap();
    let (token, secret) = accounts.create_token(bot, "bot").await.unwrap();
    let mut hints = store.hints();
    let change = accounts.change_password(&here.identity, "wrong horse", "better horse", HOME).await;
    assert_eq!(error(change), AccountError::WrongPassword);
    let change = accounts.change_password(&here.identity, "correct horse", "short", HOME).await;
    assert_eq!(error(change), AccountError::BadPassword);
    accounts.change_password(&here.identity, "correct horse", "better horse", HOME).await.unwrap();
    let ended = Hint::SessionEnded(there.identity.session.clone().unwrap());
    assert_eq!(hints.recv().await.unwrap(), ended);
    assert_eq!(hints.recv().await.unwrap(), Hint::SessionEnded(token.id));
    assert_eq!(accounts.bearer(&secret).await.unwrap(), None);
    assert_eq!(accounts.session(&there.token).await.unwrap(), None);
    assert!(accounts.session(&here.token).await.unwrap().is_some());
    assert_eq!(error(accounts.sign_in("Ann", "correct horse", "", HOME).await), AccountError::WrongPassword);
    let left = accounts.sessions(&here.identity).await.unwrap();
    assert!(left.len() == 1 && left[0].current);
    accounts.sign_in("Ann", "better horse", "", HOME).await.unwrap();
    // A guest has no password to change.
    let (guest, _) = accounts.new_guest();
    let change = accounts.change_password(&guest, "correct horse", "better horse", HOME).await;
    assert_eq!(error(change), AccountError::WrongPassword);
}

#[tokio::test]
async fn guesses_of_a_password_are_limited() {
    let (_, accounts) = accounts().await;
    accounts.sign_up("Ann", "correct horse", "", HOME).await.unwrap();
    let mut last = AccountError::WrongPassword;
    let mut tries = 0;
    while last == AccountError::WrongPassword {
        last = error(accounts.sign_in("Ann", &format!("horse number {tries}"), "", HOME).await);
        tries += 1;
        assert!(tries < 100);
    }
    assert_eq!(last, AccountError::TooManyAttempts);
    // The right password is rejected as well, so that further guesses reveal nothing.
    assert_eq!(
        error(accounts.sign_in("ANN", "correct horse", "", HOME).await),
        AccountError::TooManyAttempts
    );
}

#[tokio::test]
async fn guests_are_known_by_a_signed_cookie() {
    let (store, accounts) = accounts().await;
    let (guest, cookie) = accounts.new_guest();
    assert!(guest.id().unwrap().starts_with("g:"));
    assert_eq!(accounts.guest(&cookie), Some(guest.clone()));
    // Another node has the same key; another server has not.
    let node = Accounts::open(store).await.unwrap();
    assert_eq!(node.guest(&cookie), Some(guest));
    let (_, other) = self::accounts().await;
    assert_eq!(other.guest(&cookie), None);

    let (id, signature) = cookie[2..].split_once('.').unwrap();
    let mut forged: Vec<String> = vec![
        String::new(),
        "g.".into(),
        "g..".into(),
        format!("g.{id}"),
        format!("g.{id}."),
        format!("g.{}.{signature}", id.replace(&id[..1], "z")),
        format!("g.{id}.{}", &signature[..62]),
        format!("g.{id}.{signature}00"),
        format!("{id}.{signature}"),
        format!("g.{id}.{}", "é".repeat(32)),
    ];
    for at in 0..signature.len() {
        let mut letters = signature.to_owned().into_bytes();
        letters[at] = if letters[at] == b'0' { b'1' } else { b'0' };
        forged.push(format!("g.{id}.{}", String::from_utf8(letters).unwrap()));
    }
    for cookie in forged {
        assert_eq!(accounts.guest(&cookie), None, "{cookie}");
    }
}

#[tokio::test]
async fn bots_authenticate_with_tokens() {
    let (_, accounts) = accounts().await;
    let ann = accounts.sign_up("Ann", "correct horse", "", HOME).await.unwrap();
    let account = ann.identity.account.unwrap();
    let (token, secret) = accounts.create_token(&account, "my bot").await.unwrap();
    let bot = accounts.bearer(&secret).await.unwrap().unwrap();
    let marked = Account { bot: true, ..account.clone() };
    assert_eq!(bot, Identity { account: Some(marked), guest: None, session: Some(token.id) });
    assert_eq!(accounts.session(&secret).await.unwrap(), None, "a token is no session");
    assert_eq!(accounts.bearer(&ann.token).await.unwrap(), None, "a session is no token");
    for bad in ["", "a\nb", &"x".repeat(51)] {
        assert_eq!(error(accounts.create_token(&account, bad).await), AccountError::BadLabel);
    }
    for more in 1..20 {
        accounts.create_token(&account, &format!("bot {more}")).await.unwrap();
    }
    assert_eq!(error(accounts.create_token(&account, "one too many").await), AccountError::BadLabel);
}
