//! Accounts with a password, their sessions, the tokens of bots, and guests. The store has only hashes of secrets.

use governor::clock::MonotonicClock;
use play::Share;
use protocol::{ApiError, ErrorCode, SessionSummary};
use sha2::{Digest, Sha256};
use store::{Account, ApiToken, SESSION_LIFE_MS, Session, Store, StoreError, hex, random_hex};

use super::{
    guest::{Guest, GuestKey},
    login_throttle::LoginThrottle,
    password::{self, Hasher, Overloaded},
};

/// Precision of the time at which a session was last used.
const SEEN_PRECISION_MS: u64 = 60_000;

/// Names that look official.
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

/// Tokens that an account may have.
const MAX_TOKENS: usize = 20;

/// Why a request about an account failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The name is not allowed.
    #[error("invalid name; expected 3 to 20 letters, digits, _ or -")]
    BadName,
    /// This is not a guest's name.
    #[error("invalid guest name; expected the numbers of two words from GET /api/guest-names, such as 37.20")]
    BadGuestName,
    /// The password is not allowed.
    #[error("invalid password; expected 8 to 128 characters")]
    BadPassword,
    /// The password is easy to guess.
    #[error("this password is too easy to guess")]
    CommonPassword,
    /// The label is not allowed, or the account has too many tokens.
    #[error("invalid token; expected a label of 1 to 50 characters, and at most 20 tokens per account")]
    BadLabel,
    /// Another account has the name.
    #[error("the name is taken")]
    NameTaken,
    /// No account has this name and password.
    #[error("wrong name or password")]
    WrongPassword,
    /// An operator has banned the account.
    #[error("this account is banned")]
    Banned,
    /// Too many attempts.
    #[error("too many attempts; try again later")]
    TooManyAttempts,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> ApiError {
        let code = match error {
            AccountError::BadName => ErrorCode::BadName,
            AccountError::BadPassword => ErrorCode::BadPassword,
            AccountError::CommonPassword => ErrorCode::CommonPassword,
            AccountError::BadGuestName | AccountError::BadLabel => ErrorCode::BadMessage,
            AccountError::NameTaken => ErrorCode::NameTaken,
            AccountError::WrongPassword => ErrorCode::WrongPassword,
            AccountError::Banned => ErrorCode::NotAllowed,
            AccountError::TooManyAttempts => ErrorCode::TooFast,
            AccountError::Store(error) => return error.into(),
        };
        code.because(error.to_string())
    }
}

impl From<Overloaded> for AccountError {
    fn from(_: Overloaded) -> Self {
        Self::TooManyAttempts
    }
}

type Result<T> = std::result::Result<T, AccountError>;

/// The identity behind a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The account, if signed in.
    pub account: Option<Account>,
    /// The guest, even if the person has signed in since.
    pub guest: Option<Guest>,
    /// The id of the session or token; the connections opened with it end with it.
    pub session: Option<String>,
}

impl Identity {
    /// The id that seats are taken with.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.account
            .as_ref()
            .map(|account| account.id.as_str())
            .or(self.guest.as_ref().map(|guest| guest.id.as_str()))
    }

    /// The name that others see.
    #[must_use]
    pub fn name(&self) -> &str {
        let guest = self.guest.as_ref().map(|guest| guest.name.as_str());
        self.account.as_ref().map(|account| account.name.as_str()).or(guest).unwrap_or_default()
    }
}

/// A new session.
#[derive(Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The account of the session.
    pub identity: Identity,
    /// The secret for the cookie, which cannot be recovered.
    pub token: String,
}

/// The length of a recovery code: 96 random bits, as 24 hexadecimal digits.
const RECOVERY_BYTES: usize = 12;

/// Accounts, sessions, tokens and guests of a store. Addresses are keys for rate limits.
pub struct Accounts {
    store: Store,
    guests: GuestKey,
    hasher: Hasher,
    throttle: LoginThrottle,
}

impl Accounts {
    /// Opens the accounts of a store. The first node creates the key that signs the cookies of guests.
    pub async fn open(store: Store) -> std::result::Result<Accounts, StoreError> {
        let guest_key = store.setting("guest-key", &random_hex::<32>()).await?.into_bytes();
        Ok(Accounts {
            store,
            guests: GuestKey::new(guest_key),
            hasher: Hasher::new(),
            throttle: LoginThrottle::new(MonotonicClock),
        })
    }

    /// Creates an account without signing in: for operators.
    pub async fn create(&self, name: &str, password: &str) -> Result<Account> {
        check_name(name)?;
        check_new_password(name, password)?;
        let password = self.hasher.hash(password).await?;
        let id = format!("u:{}", random_hex::<16>());
        let created = self.store.clock().now_ms();
        let account = Account { id, name: name.to_owned(), password, created, bot: false, banned: 0 };
        self.store.create_account(&account).await.map_err(|error| match error {
            StoreError::Conflict => AccountError::NameTaken,
            error => error.into(),
        })?;
        Ok(account)
    }

    /// Creates an account and signs in.
    pub async fn sign_up(&self, name: &str, password: &str, agent: &str, address: Share) -> Result<SignedIn> {
        check_name(name)?;
        check_new_password(name, password)?;
        if !self.throttle.check_address(address) {
            return Err(AccountError::TooManyAttempts);
        }
        if self.store.account_by_name(name).await?.is_some() {
            return Err(AccountError::NameTaken);
        }
        let account = self.create(name, password).await?;
        self.start_session(account, agent).await
    }

    /// Signs in.
    pub async fn sign_in(&self, name: &str, password: &str, agent: &str, address: Share) -> Result<SignedIn> {
        let account = self.check(name, password, address).await?;
        self.start_session(account, agent).await
    }

    /// Changes the password, ends all other sessions and revokes all tokens, so that the old password is worthless.
    pub async fn change_password(
        &self,
        identity: &Identity,
        old: &str,
        new: &str,
        address: Share,
    ) -> Result<()> {
        check_new_password(identity.name(), new)?;
        let account = self.check(identity.name(), old, address).await?;
        let hash = self.hasher.hash(new).await?;
        let keep = identity.session.as_deref().unwrap_or_default();
        Ok(self.store.change_password(&account.id, &hash, keep).await?)
    }

    /// Creates a code that can replace a forgotten password once. It makes earlier codes invalid, and cannot
    /// be shown again.
    pub async fn create_recovery_code(
        &self,
        identity: &Identity,
        password: &str,
        address: Share,
    ) -> Result<String> {
        let account = self.check(identity.name(), password, address).await?;
        let code = random_hex::<RECOVERY_BYTES>();
        self.store.set_recovery(&account.id, &token_hash(&code)).await?;
        Ok(in_groups(&code))
    }

    /// Signs in with a recovery code and a new password; all sessions and tokens end, and the code is used up.
    pub async fn recover(
        &self,
        name: &str,
        code: &str,
        new: &str,
        agent: &str,
        address: Share,
    ) -> Result<SignedIn> {
        check_new_password(name, new)?;
        if !self.throttle.check(name, address) {
            return Err(AccountError::TooManyAttempts);
        }
        let code: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
        let account = self.store.account_by_name(name).await?;
        let account = account.filter(|account| account.banned == 0).ok_or(AccountError::WrongPassword)?;
        let code = token_hash(&code.to_ascii_lowercase());
        if !self.store.recover(&account.id, &code, &self.hasher.hash(new).await?).await? {
            return Err(AccountError::WrongPassword);
        }
        self.throttle.refund(name, address);
        self.start_session(account, agent).await
    }

    /// Deletes the account with all data about its owner.
    pub async fn delete(&self, identity: &Identity, password: &str, address: Share) -> Result<()> {
        let account = self.check(identity.name(), password, address).await?;
        Ok(self.store.delete_account(&account).await.map(drop)?)
    }

    /// Gives an account another password without asking for the old one: for operators. Ends all its sessions and revokes
    /// its tokens.
    pub async fn reset_password(&self, account: &Account, new: &str) -> Result<()> {
        check_new_password(&account.name, new)?;
        let hash = self.hasher.hash(new).await?;
        Ok(self.store.change_password(&account.id, &hash, "").await?)
    }

    /// Returns the account with this name and password. An unknown name takes the same time.
    async fn check(&self, name: &str, password: &str, address: Share) -> Result<Account> {
        // The name or password has an impossible form, which reveals nothing.
        if check_name(name).is_err() || check_password(password).is_err() {
            return Err(AccountError::WrongPassword);
        }
        if !self.throttle.check(name, address) {
            return Err(AccountError::TooManyAttempts);
        }
        let account = self.store.account_by_name(name).await?;
        let stored = account.as_ref().map(|account| account.password.as_str());
        let is_right = self.hasher.verify(password, stored).await?;
        let account = account.filter(|_| is_right).ok_or(AccountError::WrongPassword)?;
        self.throttle.refund(name, address);
        if account.banned > 0 { Err(AccountError::Banned) } else { Ok(account) }
    }

    /// Forgets names and addresses without recent attempts.
    pub(crate) fn forget_idle_attempts(&self) {
        self.throttle.shrink();
    }

    async fn start_session(&self, account: Account, agent: &str) -> Result<SignedIn> {
        let token = random_hex::<32>();
        let now = self.store.clock().now_ms();
        let agent = agent.chars().filter(|character| !character.is_control()).take(200).collect();
        let session =
            Session { id: random_hex::<8>(), account: account.id.clone(), agent, created: now, seen: now };
        self.store.create_session(&session, &token_hash(&token)).await?;
        let identity = Identity { account: Some(account), guest: None, session: Some(session.id) };
        Ok(SignedIn { identity, token })
    }

    /// The identity of a session.
    pub async fn session(&self, token: &str) -> Result<Option<Identity>> {
        let Some((session, account)) = self.store.session(&token_hash(token)).await? else { return Ok(None) };
        let idle = self.store.clock().now_ms().saturating_sub(session.seen);
        if idle > SESSION_LIFE_MS {
            return Ok(None);
        }
        if idle > SEEN_PRECISION_MS {
            self.store.touch_session(&session.id, self.store.clock().now_ms()).await?;
        }
        Ok(Some(Identity { account: Some(account), guest: None, session: Some(session.id) }))
    }

    /// The identity of a bot's token.
    pub async fn bearer(&self, token: &str) -> Result<Option<Identity>> {
        let found = self.store.api_token(&token_hash(token)).await?;
        Ok(found.map(|(id, account)| Identity { account: Some(account), guest: None, session: Some(id) }))
    }

    /// The sessions of an account.
    pub async fn sessions(&self, identity: &Identity) -> Result<Vec<SessionSummary>> {
        let Some(account) = &identity.account else { return Ok(Vec::new()) };
        let summary = |session: Session| SessionSummary {
            current: identity.session.as_ref() == Some(&session.id),
            id: session.id,
            created_at: session.created,
            seen_at: session.seen,
            agent: session.agent,
        };
        Ok(self.store.sessions(&account.id).await?.into_iter().map(summary).collect())
    }

    /// Ends a session of the account; false if it has no such session.
    pub async fn end_session(&self, identity: &Identity, id: &str) -> Result<bool> {
        let Some(account) = &identity.account else { return Ok(false) };
        Ok(self.store.end_session(&account.id, id).await?)
    }

    /// Creates a token for a bot. Returns it with its secret, which cannot be recovered.
    pub async fn create_token(&self, account: &Account, label: &str) -> Result<(ApiToken, String)> {
        let fits = (1..=50).contains(&label.chars().count()) && !label.chars().any(char::is_control);
        if !fits || self.store.api_tokens(&account.id).await?.len() >= MAX_TOKENS {
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

    /// Creates a guest and its cookie.
    pub fn new_guest(&self) -> (Identity, String) {
        let (guest, cookie) = self.guests.create();
        (Identity { guest: Some(guest), ..Identity::default() }, cookie)
    }

    /// Returns the guest of a cookie, if we have signed the cookie.
    pub fn guest(&self, cookie: &str) -> Option<Identity> {
        let guest = self.guests.verify(cookie)?;
        Some(Identity { guest: Some(guest), ..Identity::default() })
    }

    /// Gives a guest another guest name. Returns it with its new cookie.
    pub fn rename_guest(&self, guest: &Guest, name: &str) -> Result<(Identity, String)> {
        let (guest, cookie) = self.guests.rename(guest, name).ok_or(AccountError::BadGuestName)?;
        Ok((Identity { guest: Some(guest), ..Identity::default() }, cookie))
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
    if password::is_allowed(password) { Ok(()) } else { Err(AccountError::BadPassword) }
}

fn check_new_password(name: &str, password: &str) -> Result<()> {
    check_password(password)?;
    if password::is_common(name, password) { Err(AccountError::CommonPassword) } else { Ok(()) }
}

/// A code as people copy it.
fn in_groups(code: &str) -> String {
    let groups: Vec<_> = code.as_bytes().chunks(4).map(String::from_utf8_lossy).collect();
    groups.join("-")
}

/// A token has 256 random bits, so an unsalted hash is safe.
fn token_hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_consist_of_letters_digits_and_dashes() {
        for good in ["Ann", "a-b_c", "123", "abcdefghij0123456789"] {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for bad in ["", "ab", "abcdefghij01234567890", "a b", "änn", "a.b", "ann\n", "<b>"] {
            assert_eq!(check_name(bad), Err(AccountError::BadName), "{bad}");
        }
        assert_eq!(check_name("Admin"), Err(AccountError::NameTaken));
    }
}
