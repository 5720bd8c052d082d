//! Accounts, sessions and guests: the identity behind a request, and where it was last seen.

mod accounts;
mod addresses;
mod guest;
mod guest_name;
mod login_throttle;
mod password;
mod principal;
mod sessions;

pub(crate) use accounts::SESSION_LIFE_MS;
pub use accounts::{AccountError, Accounts, Identity, SignedIn};
pub(crate) use addresses::Addresses;
pub use guest::Guest;
pub(crate) use guest_name::{ANIMALS, COLOURS};
pub use sessions::Connections;
pub(crate) use sessions::StreamGuard;
pub use table::Principal;
