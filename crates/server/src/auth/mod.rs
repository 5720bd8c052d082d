//! Accounts, sessions and guests: the identity behind a request, and where it was last seen.

mod accounts;
mod guest;
mod guest_name;
mod login_throttle;
mod password;
mod principal;

pub use accounts::{AccountError, Accounts, Identity, SignedIn};
pub use guest::Guest;
pub use table::Principal;
