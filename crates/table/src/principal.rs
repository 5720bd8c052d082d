//! The sender of a command.

use protocol::Occupant;

/// The sender of a command: a guest, an account, or an account that was a guest before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Principal {
    /// `u:…` for the account, `g:…` for the guest: every id under which a seat may have been taken. New seats use
    /// the first one.
    pub ids: Vec<String>,
    /// The name that others see.
    pub name: String,
    /// The id of the account, if signed in.
    pub account: Option<String>,
    /// Whether a program plays for the account.
    pub bot: bool,
}

impl Principal {
    /// The id under which new seats are taken.
    ///
    /// # Panics
    /// If there are no ids: a principal has at least one.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.ids[0]
    }

    /// The principal as the occupant of a seat.
    #[must_use]
    pub fn occupant(&self, rating: Option<i64>) -> Occupant {
        Occupant::Person { id: self.id().to_owned(), name: self.name.clone(), rating, bot: self.bot }
    }

    /// Whether this id belongs to the principal.
    #[must_use]
    pub fn is(&self, id: &str) -> bool {
        self.ids.iter().any(|own| own == id)
    }
}
