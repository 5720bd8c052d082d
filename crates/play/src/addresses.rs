//! Where clients are: the address that each guest or account was last seen at, so that work for many clients of one
//! address can be shared out fairly.

use std::{collections::HashMap, net::IpAddr};

use parking_lot::Mutex;

/// Clients that are remembered. When there are more, all are forgotten; those that are here are soon seen again.
const MAX_CLIENTS: usize = 100_000;

/// The addresses of clients, by the ids of guests and accounts.
#[derive(Default)]
pub struct Addresses(Mutex<HashMap<String, IpAddr>>);

impl Addresses {
    /// Remembers where a client is.
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

    /// Where a client was last seen, if it was seen by this node.
    pub(crate) fn of(&self, client: &str) -> Option<IpAddr> {
        self.0.lock().get(client).copied()
    }
}
