//! Accounts, sessions and guests: the identity behind a request.

mod accounts;
mod guest;
mod login_throttle;
mod password;
mod principal;
mod sessions;

pub(crate) use accounts::SESSION_LIFE_MS;
pub use accounts::{AccountError, Accounts, Identity, SignedIn};
pub use sessions::Connections;
pub(crate) use sessions::StreamGuard;
pub use table::Principal;
