//! The last known address of each guest and account, so that work for many clients of one
//! address can be shared fairly.

use std::{collections::HashMap, net::IpAddr};

use parking_lot::Mutex;

/// Maximum number of remembered clients. When it is reached, all are forgotten; active clients are soon seen again.
const MAX_CLIENTS: usize = 100_000;

/// The addresses of clients, by the ids of guests and accounts.
#[derive(Default)]
pub struct Addresses(Mutex<HashMap<String, IpAddr>>);

impl Addresses {
    /// Records the address of a client.
    pub fn note(&self, client: &str, address: IpAddr) {
        let mut addresses = self.0.lock();
        if addresses.get(client) == Some(&address) {
            return;
        }
        if addresses.len() >= MAX_CLIENTS {
            addresses.clear();
        }
        addresses.insert(client.to_owned(), address);
    }

    /// The last address of a client, if this node has seen it.
    pub(crate) fn of(&self, client: &str) -> Option<IpAddr> {
        self.0.lock().get(client).copied()
    }
}
