//! Who somebody is: accounts with a password, their sessions, tokens for programs, and guests.
//!
//! Whoever comes without an account is a guest with a signed cookie. Secrets are kept by those they belong to; the
//! store has hashes of them.

use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Argon2, Params};
use hmac::{Hmac, KeyInit, Mac};
use protocol::{ApiError, ErrorCode, SessionSummary};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::login_throttle::{Key, Tries};
use crate::store::{Account, ApiToken, Session, Store, StoreError};
use crate::{hex, random_hex};

/// A password costs 19 MiB and some hundredths of a second, so only a few are looked at at a time.
const HASHES_AT_ONCE: usize = 2;

/// Who waits longer than this for the turn of a password is sent away.
const HASH_PATIENCE: Duration = Duration::from_secs(5);

/// A session that nobody used for so long is over.
pub(crate) const SESSION_LIFE_MS: u64 = 90 * 24 * 3_600_000;

/// How exactly the last use of a session is known.
const SEEN_STEP_MS: u64 = 60_000;

/// Names that could be taken for us.
const RESERVED: [&str; 12] = [
    "admin",
    "administrator",
    "alinea",
    "anonymous",
    "api",
    "guest",
    "moderator",
    "nobody",
    "root",
    "server",
    "support",
    "system",
];

/// How many tokens an account may have.
const MOST_TOKENS: usize = 20;

/// Why somebody was not let in, or not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The name does not follow the rules.
    #[error("a name has 3 to 20 letters, digits, _ or -")]
    BadName,
    /// The password does not follow the rules.
    #[error("a password has 8 to 128 bytes")]
    BadPassword,
    /// A label does not follow the rules, or there are too many.
    #[error("a token has a label of 1 to 50 characters, and an account at most 20 tokens")]
    BadLabel,
    /// Somebody else has that name.
    #[error("that name is taken")]
    NameTaken,
    /// Name and password do not belong together.
    #[error("the name or the password is wrong")]
    WrongPassword,
    /// Too many attempts.
    #[error("too many attempts; try again later")]
    TooManyTries,
    /// The store is away.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> ApiError {
        let code = match error {
            AccountError::BadName | AccountError::BadPassword | AccountError::BadLabel => {
                ErrorCode::BadMessage
            }
            AccountError::NameTaken => ErrorCode::NameTaken,
            AccountError::WrongPassword => ErrorCode::WrongPassword,
            AccountError::TooManyTries => ErrorCode::TooFast,
            AccountError::Store(_) => ErrorCode::Unavailable,
        };
        code.because(error.to_string())
    }
}

type Result<T> = std::result::Result<T, AccountError>;

/// Who asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The account, if signed in.
    pub account: Option<Account>,
    /// The id of a guest, `g:…`.
    pub guest: Option<String>,
    /// The id of the session or of the token that was shown; when it ends, so must what was opened with it.
    pub session: Option<String>,
}

impl Identity {
    /// The id under which somebody sits at tables; none for strangers.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.account.as_ref().map(|account| account.id.as_str()).or(self.guest.as_deref())
    }

    /// What the others see.
    #[must_use]
    pub fn name(&self) -> &str {
        self.account.as_ref().map_or("Guest", |account| account.name.as_str())
    }
}

/// Somebody who has just signed in.
#[derive(Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// Who it is.
    pub identity: Identity,
    /// For the cookie. Nobody can ask for it again.
    pub token: String,
}

/// Accounts, sessions, tokens and guests, over the store. Addresses are for counting tries.
pub struct Accounts {
    store: Store,
    guest_key: Vec<u8>,
    hashing: Semaphore,
    tries: Mutex<Tries>,
}

/// Compared with when there is no such account, so that the time does not tell. Whether it fits does not matter.
const NO_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

impl Accounts {
    /// Prepares the accounts of a store. The first node to do so draws the key that signs the cookies of guests.
    pub async fn open(store: Store) -> std::result::Result<Accounts, StoreError> {
        let guest_key = store.setting("guest-key", &random_hex::<32>()).await?.into_bytes();
        Ok(Accounts { store, guest_key, hashing: Semaphore::new(HASHES_AT_ONCE), tries: Mutex::default() })
    }

    /// Makes an account and signs it in.
    pub async fn sign_up(
        &self,
        name: &str,
        password: &str,
        agent: &str,
        address: IpAddr,
    ) -> Result<SignedIn> {
        check_name(name)?;
        check_password(password)?;
        self.try_once(&[Key::Address(address)])?;
        if self.store.account_by_name(name).await?.is_some() {
            return Err(AccountError::NameTaken);
        }
        let password = self.hash(password).await?;
        let id = format!("u:{}", random_hex::<16>());
        let account = Account { id, name: name.to_owned(), password, created: self.store.clock().now_ms() };
        self.store.create_account(&account).await.map_err(|error| match error {
            StoreError::Conflict => AccountError::NameTaken,
            away => away.into(),
        })?;
        self.start_session(account, agent).await
    }

    /// Signs in.
    pub async fn sign_in(
        &self,
        name: &str,
        password: &str,
        agent: &str,
        address: IpAddr,
    ) -> Result<SignedIn> {
        let account = self.check(name, password, address).await?;
        self.start_session(account, agent).await
    }

    /// Sets another password, ends all sessions but the one that asks, and takes all tokens back: whoever knew the
    /// old one is out.
    pub async fn change_password(&self, who: &Identity, old: &str, new: &str, address: IpAddr) -> Result<()> {
        check_password(new)?;
        let account = self.check(who.name(), old, address).await?;
        let hash = self.hash(new).await?;
        let keep = who.session.as_deref().unwrap_or_default();
        Ok(self.store.change_password(&account.id, &hash, keep).await?)
    }

    /// Whose password it is. Takes the same time whether or not there is such an account.
    async fn check(&self, name: &str, password: &str, address: IpAddr) -> Result<Account> {
        // Nobody has such a name or password, which everybody knows.
        if check_name(name).is_err() || check_password(password).is_err() {
            return Err(AccountError::WrongPassword);
        }
        let keys = Key::all(name, address);
        self.try_once(&keys)?;
        let account = self.store.account_by_name(name).await?;
        let stored = account.as_ref().map_or(NO_HASH, |account| &account.password).to_owned();
        let right = {
            let password = password.to_owned();
            let _turn = self.turn().await?;
            in_background(move || is_password(&password, &stored)).await
        };
        let account = account.filter(|_| right).ok_or(AccountError::WrongPassword)?;
        self.tries.lock().expect("no panic while counting").forgive(&keys);
        Ok(account)
    }

    fn try_once(&self, keys: &[Key]) -> Result<()> {
        let mut tries = self.tries.lock().expect("no panic while counting");
        if tries.count(keys, self.store.clock().now_ms()) { Ok(()) } else { Err(AccountError::TooManyTries) }
    }

    async fn hash(&self, password: &str) -> Result<String> {
        let password = password.to_owned();
        let _turn = self.turn().await?;
        Ok(in_background(move || hash(&password)).await)
    }

    async fn turn(&self) -> Result<tokio::sync::SemaphorePermit<'_>> {
        let turn = tokio::time::timeout(HASH_PATIENCE, self.hashing.acquire()).await;
        Ok(turn.map_err(|_| AccountError::TooManyTries)?.expect("never closed"))
    }

    async fn start_session(&self, account: Account, agent: &str) -> Result<SignedIn> {
        let token = random_hex::<32>();
        let now = self.store.clock().now_ms();
        let agent = agent.chars().filter(|letter| !letter.is_control()).take(200).collect();
        let session =
            Session { id: random_hex::<8>(), account: account.id.clone(), agent, created: now, seen: now };
        self.store.create_session(&session, &token_hash(&token)).await?;
        let identity = Identity { account: Some(account), guest: None, session: Some(session.id) };
        Ok(SignedIn { identity, token })
    }

    /// Whose session a token opens.
    pub async fn session(&self, token: &str) -> Result<Option<Identity>> {
        let Some((session, account)) = self.store.session(&token_hash(token)).await? else { return Ok(None) };
        let idle = self.store.clock().now_ms().saturating_sub(session.seen);
        if idle > SESSION_LIFE_MS {
            return Ok(None);
        }
        if idle > SEEN_STEP_MS {
            self.store.touch_session(&session.id, self.store.clock().now_ms()).await?;
        }
        Ok(Some(Identity { account: Some(account), guest: None, session: Some(session.id) }))
    }

    /// For which account a program's token acts.
    pub async fn bearer(&self, token: &str) -> Result<Option<Identity>> {
        let found = self.store.api_token(&token_hash(token)).await?;
        Ok(found.map(|(id, account)| Identity { account: Some(account), guest: None, session: Some(id) }))
    }

    /// Where an account is signed in.
    pub async fn sessions(&self, who: &Identity) -> Result<Vec<SessionSummary>> {
        let Some(account) = &who.account else { return Ok(Vec::new()) };
        let line = |session: Session| SessionSummary {
            current: who.session.as_ref() == Some(&session.id),
            id: session.id,
            created_at: session.created,
            seen_at: session.seen,
            agent: session.agent,
        };
        Ok(self.store.sessions(&account.id).await?.into_iter().map(line).collect())
    }

    /// Ends one session of the account that asks, maybe the one that asks. False if there is none.
    pub async fn end_session(&self, who: &Identity, id: &str) -> Result<bool> {
        let Some(account) = &who.account else { return Ok(false) };
        Ok(self.store.end_session(&account.id, id).await?)
    }

    /// Makes a token for a program and returns what the program must show. Nobody can ask for it again.
    pub async fn create_token(&self, account: &Account, label: &str) -> Result<(ApiToken, String)> {
        let fits = (1..=50).contains(&label.chars().count()) && !label.chars().any(char::is_control);
        if !fits || self.store.api_tokens(&account.id).await?.len() >= MOST_TOKENS {
            return Err(AccountError::BadLabel);
        }
        let secret = format!("alinea_{}", random_hex::<32>());
        let token = ApiToken {
            id: random_hex::<8>(),
            account: account.id.clone(),
            label: label.to_owned(),
            created: self.store.clock().now_ms(),
        };
        self.store.create_api_token(&token, &token_hash(&secret)).await?;
        Ok((token, secret))
    }

    /// Draws a new guest: who it is, and the cookie that proves it.
    pub fn new_guest(&self) -> (Identity, String) {
        let drawn = random_hex::<16>();
        let signature = hex(&self.sign(&drawn).finalize().into_bytes());
        let guest = Identity { guest: Some(format!("g:{drawn}")), ..Identity::default() };
        (guest, format!("g.{drawn}.{signature}"))
    }

    /// The guest whom a cookie proves, if we signed it.
    pub fn guest(&self, cookie: &str) -> Option<Identity> {
        let (drawn, signature) = cookie.strip_prefix("g.")?.split_once('.')?;
        // Compares in constant time.
        self.sign(drawn).verify_slice(&unhex(signature)?).ok()?;
        Some(Identity { guest: Some(format!("g:{drawn}")), ..Identity::default() })
    }

    fn sign(&self, guest: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.guest_key).expect("a key may have any length");
        mac.update(b"guest ");
        mac.update(guest.as_bytes());
        mac
    }
}

fn check_name(name: &str) -> Result<()> {
    let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if !letters || !(3..=20).contains(&name.len()) {
        return Err(AccountError::BadName);
    }
    if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(AccountError::NameTaken);
    }
    Ok(())
}

fn check_password(password: &str) -> Result<()> {
    if (8..=128).contains(&password.len()) { Ok(()) } else { Err(AccountError::BadPassword) }
}

/// Argon2id as OWASP recommends it: 19 MiB, two passes, one lane.
fn argon2() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).expect("within the limits of argon2");
    Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params)
}

fn hash(password: &str) -> String {
    argon2().hash_password(password.as_bytes()).expect("the password is short enough").to_string()
}

fn is_password(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok())
}

/// A token has 256 random bits, so a plain hash of it tells nothing.
fn token_hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("hashing does not panic")
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|value| value as u8);
    let pairs = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_letters_digits_and_lines() {
        for good in ["Ann", "a-b_c", "123", "abcdefghij0123456789"] {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for bad in ["", "ab", "abcdefghij01234567890", "a b", "änn", "a.b", "ann\n", "<b>"] {
            assert_eq!(check_name(bad), Err(AccountError::BadName), "{bad}");
        }
        assert_eq!(check_name("Admin"), Err(AccountError::NameTaken));
    }

    #[test]
    fn a_hash_knows_its_password() {
        let one = hash("correct horse");
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(one, hash("correct horse"));
        assert!(is_password("correct horse", &one));
        assert!(!is_password("correct house", &one));
        assert!(!is_password("correct horse", "nonsense"));
    }

    #[test]
    fn looking_for_nobody_takes_as_long() {
        let read = |hash: &str| {
            let hash = PasswordHash::new(hash).expect("a hash");
            (
                hash.algorithm.to_string(),
                hash.version,
                hash.params.to_string(),
                hash.salt.map(|salt| salt.len()),
            )
        };
        assert_eq!(read(NO_HASH), read(&hash("correct horse")));
        assert!(!is_password("correct horse", NO_HASH));
    }

    #[test]
    fn hexadecimal_text_is_read_back() {
        assert_eq!(unhex(&hex(&[0, 1, 254, 255])), Some(vec![0, 1, 254, 255]));
        for bad in ["0", "0g", "ä0", "+1"] {
            assert_eq!(unhex(bad), None, "{bad}");
        }
    }
}
