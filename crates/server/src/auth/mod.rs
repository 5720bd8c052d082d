//! Accounts, sessions and guests: the identity behind a request.

mod accounts;
mod login_throttle;
mod principal;

pub use accounts::{AccountError, Accounts, Identity, SignedIn};
pub use table::Principal;
