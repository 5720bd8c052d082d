//! What operators have decided, as this node knows it: bans, mutes, and the message to all players. `alinea admin` writes
//! to the database, so nodes read it every few seconds.

use std::{collections::HashSet, net::IpAddr};

use parking_lot::RwLock;
use play::Connections;
use protocol::{Announcement, ApiError, Command, ErrorCode};
use store::{Restriction, RestrictionKind, Store, StoreError};
use table::Principal;

use crate::config::Network;

/// Bans, mutes and the announcement.
#[derive(Default)]
pub(crate) struct Operations(RwLock<State>);

#[derive(Default)]
struct State {
    banned: Subjects,
    muted: Subjects,
    announcement: Option<Announcement>,
}

/// Ids and networks.
#[derive(Default)]
struct Subjects {
    ids: HashSet<String>,
    networks: Vec<Network>,
}

impl Subjects {
    fn new(restrictions: &[Restriction], kind: RestrictionKind) -> Self {
        let mut subjects = Self::default();
        for Restriction { subject, .. } in restrictions.iter().filter(|one| one.kind == kind) {
            match subject.parse() {
                Ok(network) => subjects.networks.push(network),
                Err(_) => drop(subjects.ids.insert(subject.clone())),
            }
        }
        subjects
    }

    fn contain_address(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(address))
    }

    fn contain(&self, address: IpAddr, ids: &[String]) -> bool {
        self.contain_address(address) || ids.iter().any(|id| self.ids.contains(id))
    }
}

impl Operations {
    /// Reads what operators have decided. A new message goes to all connections.
    ///
    /// # Errors
    /// If the store is unavailable.
    pub(crate) async fn read(&self, store: &Store, connections: &Connections) -> Result<(), StoreError> {
        let now = store.clock().now_ms();
        let restrictions = store.restrictions(now).await?;
        let announcement = store.announcement(now).await?.map(|announcement| Announcement {
            id: announcement.id,
            at: announcement.at,
            text: announcement.message,
        });
        let is_new = {
            let mut state = self.0.write();
            state.banned = Subjects::new(&restrictions, RestrictionKind::Ban);
            state.muted = Subjects::new(&restrictions, RestrictionKind::Mute);
            let is_new = state.announcement != announcement;
            state.announcement.clone_from(&announcement);
            is_new
        };
        if let Some(announcement) = announcement.filter(|_| is_new) {
            connections.emit_to_all("announcement", &announcement);
        }
        Ok(())
    }

    /// Returns the message to all players.
    pub(crate) fn announcement(&self) -> Option<Announcement> {
        self.0.read().announcement.clone()
    }

    /// Checks that an address is not banned.
    ///
    /// # Errors
    /// If it is.
    pub(crate) fn check_address(&self, address: IpAddr) -> Result<(), ApiError> {
        if self.0.read().banned.contain_address(address) { Err(banned()) } else { Ok(()) }
    }

    /// Checks that neither an address nor one of these ids is banned.
    ///
    /// # Errors
    /// If one is.
    pub(crate) fn check(&self, address: IpAddr, ids: &[String]) -> Result<(), ApiError> {
        if self.0.read().banned.contain(address, ids) { Err(banned()) } else { Ok(()) }
    }

    /// Checks that a command is not a message of someone who is muted.
    ///
    /// # Errors
    /// If it is.
    pub(crate) fn check_command(
        &self,
        address: IpAddr,
        principal: &Principal,
        command: &Command,
    ) -> Result<(), ApiError> {
        if matches!(command, Command::Chat { .. }) && self.0.read().muted.contain(address, &principal.ids) {
            return Err(ErrorCode::NotAllowed.because("you cannot chat on this server"));
        }
        Ok(())
    }
}

fn banned() -> ApiError {
    ErrorCode::NotAllowed.because("you are banned from this server")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_and_ids_are_told_apart() {
        let restriction = |subject: &str, kind| Restriction {
            subject: subject.to_owned(),
            kind,
            since: 1,
            ends: 0,
            note: String::new(),
        };
        let (ban, mute) = (RestrictionKind::Ban, RestrictionKind::Mute);
        let all = [restriction("g:7", ban), restriction("192.0.2.0/24", ban), restriction("u:1", mute)];
        let banned = Subjects::new(&all, ban);
        let [inside, outside]: [IpAddr; 2] = ["192.0.2.9", "192.0.3.9"].map(|text| text.parse().unwrap());
        let contains = |address, id: &str| banned.contain(address, &[id.to_owned()]);
        assert!(contains(inside, "g:8") && contains(outside, "g:7") && !contains(outside, "u:1"));
        assert!(Subjects::new(&all, mute).contain(outside, &["u:1".to_owned()]));
    }
}
