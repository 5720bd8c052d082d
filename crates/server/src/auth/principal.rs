//! Who asks, as far as a table cares.

use super::accounts::Identity;

/// Somebody who asks for something: a guest, an account, or an account that was a guest before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Principal {
    /// `u:…` of the account, `g:…` of the guest: whatever seats were taken under. New ones go to the first.
    pub ids: Vec<String>,
    /// What the others see.
    pub name: String,
    /// The account.
    pub account: Option<String>,
    /// The session that vouches for the account.
    pub session: Option<String>,
}

impl Principal {
    /// Under what they sit down.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.ids[0]
    }

    /// Whether they are who is meant.
    #[must_use]
    pub fn is(&self, id: &str) -> bool {
        self.ids.iter().any(|own| own == id)
    }
}

impl From<&Identity> for Principal {
    fn from(identity: &Identity) -> Self {
        let account = identity.account.as_ref().map(|account| account.id.clone());
        let ids: Vec<_> = account.iter().chain(&identity.guest).cloned().collect();
        Self { ids, name: identity.name().to_owned(), account, session: identity.session.clone() }
    }
}
