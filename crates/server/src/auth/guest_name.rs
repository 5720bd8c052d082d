//! The names of guests: the numbers of two words, a colour and an animal, such as `37.20` for “Teal Heron”. The id of a
//! guest determines its first name; the guest may choose another. With free text, a guest could impersonate an account or
//! insult people.

use sentences::GUEST_WORDS;
use sha2::{Digest, Sha256};

/// The name of the guest with this id.
pub(super) fn name_of(id: &str) -> String {
    let digest = Sha256::digest(id.as_bytes());
    let number = |at: usize| usize::from(digest[at]) * usize::from(GUEST_WORDS[at]) / 256;
    format!("{}.{}", number(0), number(1))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_guest_always_has_the_same_name_and_most_differ() {
        assert_eq!(name_of("g:1"), name_of("g:1"));
        let names: HashSet<_> = (0..1000).map(|number| name_of(&format!("g:{number}"))).collect();
        assert!(names.len() > 700, "{}", names.len());
        assert!(names.iter().all(|name| sentences::guest_numbers(name).is_some()));
    }
}
