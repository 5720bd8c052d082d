//! Maps an authenticated identity to the principal that acts at a table.

use table::Principal;

use super::accounts::Identity;

impl From<&Identity> for Principal {
    fn from(identity: &Identity) -> Self {
        let account = identity.account.as_ref().map(|account| account.id.clone());
        let bot = identity.account.as_ref().is_some_and(|account| account.bot);
        let ids: Vec<_> =
            account.iter().chain(identity.guest.as_ref().map(|guest| &guest.id)).cloned().collect();
        Self { ids, name: identity.name().to_owned(), account, bot }
    }
}
