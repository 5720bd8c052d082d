//! Password hashes: Argon2id with the parameters that OWASP recommends.

use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Argon2, Params};
use tokio::sync::{Semaphore, SemaphorePermit};

/// A hash takes 19 MiB and some hundredths of a second, so only a few run at once.
const MAX_CONCURRENT: usize = 2;
/// Time to wait for a permit.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The hash to compare passwords of unknown accounts with, so that the time does not reveal that the account
/// is unknown. Whether the password matches does not matter.
const DUMMY_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Too many passwords wait to be hashed.
#[derive(Debug)]
pub(super) struct Overloaded;

/// Hashes passwords outside the event loop, a few at a time.
pub(super) struct Hasher {
    permits: Semaphore,
}

impl Hasher {
    pub(super) fn new() -> Self {
        Self { permits: Semaphore::new(MAX_CONCURRENT) }
    }

    /// Hashes a password.
    pub(super) async fn hash(&self, password: &str) -> Result<String, Overloaded> {
        let password = password.to_owned();
        let _permit = self.permit().await?;
        Ok(in_background(move || hash(&password)).await)
    }

    /// Whether a password matches a stored hash. Without a hash it takes the same time and returns false.
    pub(super) async fn verify(&self, password: &str, stored: Option<&str>) -> Result<bool, Overloaded> {
        let is_known = stored.is_some();
        let (password, stored) = (password.to_owned(), stored.unwrap_or(DUMMY_HASH).to_owned());
        let _permit = self.permit().await?;
        Ok(in_background(move || matches(&password, &stored)).await && is_known)
    }

    async fn permit(&self) -> Result<SemaphorePermit<'_>, Overloaded> {
        let permit = tokio::time::timeout(PERMIT_TIMEOUT, self.permits.acquire()).await;
        Ok(permit.map_err(|_| Overloaded)?.expect("the semaphore is never closed"))
    }
}

/// Whether a password has an allowed length.
pub(super) fn is_allowed(password: &str) -> bool {
    (8..=128).contains(&password.chars().count())
}

/// The passwords that attackers try first, in lower case.
const COMMON: &str = include_str!("common_passwords.txt");

/// Whether a password is easy to guess: a common one, or the name itself, perhaps with a number behind it.
pub(super) fn is_common(name: &str, password: &str) -> bool {
    let (name, password) = (name.to_lowercase(), password.to_lowercase());
    let rest = password.strip_prefix(&name);
    COMMON.lines().any(|common| common == password)
        || rest.is_some_and(|rest| rest.chars().all(|character| character.is_ascii_digit()))
}

/// 19 MiB, two passes, one lane.
fn argon2() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).expect("within the limits of Argon2");
    Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params)
}

fn hash(password: &str) -> String {
    argon2().hash_password(password.as_bytes()).expect("the password is short enough").to_string()
}

fn matches(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok())
}

async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("hashing does not panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easy_passwords_are_common() {
        for easy in ["password", "12345678", "Password1", "Catherine", "catherine1999"] {
            assert!(is_common("Catherine", easy), "{easy}");
        }
        for fine in ["correct horse", "catherine wheel", "12345679"] {
            assert!(!is_common("Catherine", fine), "{fine}");
        }
        assert!(COMMON.lines().all(|common| is_allowed(common) && common == common.to_lowercase()));
    }

    #[test]
    fn a_hash_matches_its_password_only() {
        let one = hash("correct horse");
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(one, hash("correct horse"));
        assert!(matches("correct horse", &one));
        assert!(!matches("correct house", &one));
        assert!(!matches("correct horse", "nonsense"));
    }

    #[test]
    fn unknown_accounts_take_as_long() {
        let parameters = |hash: &str| {
            let hash = PasswordHash::new(hash).expect("a hash");
            (
                hash.algorithm.to_string(),
                hash.version,
                hash.params.to_string(),
                hash.salt.map(|salt| salt.len()),
            )
        };
        assert_eq!(parameters(DUMMY_HASH), parameters(&hash("correct horse")));
        assert!(!matches("correct horse", DUMMY_HASH));
    }

    #[tokio::test]
    async fn unknown_accounts_never_match() {
        assert!(!Hasher::new().verify("correct horse", None).await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn unknown_accounts_wait_for_a_permit_like_others() {
        let hasher = Hasher::new();
        let _all = hasher.permits.acquire_many(MAX_CONCURRENT as u32).await.unwrap();
        for stored in [None, Some(DUMMY_HASH)] {
            assert!(hasher.verify("correct horse", stored).await.is_err(), "{stored:?}");
        }
    }
}
