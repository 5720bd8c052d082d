//! The names of guests: a colour and an animal, such as “Teal Heron”. The id of a guest determines its first
//! name; the guest may choose another. With free text, a guest could impersonate an account or insult people.

use sha2::{Digest, Sha256};

pub(crate) const COLOURS: [&str; 40] = [
    "Amber", "Aqua", "Ash", "Azure", "Blue", "Brass", "Bronze", "Cedar", "Cherry", "Clay", "Cobalt",
    "Copper", "Coral", "Cream", "Emerald", "Fern", "Gold", "Hazel", "Honey", "Indigo", "Ivory", "Jade",
    "Lemon", "Lilac", "Lime", "Maple", "Mint", "Moss", "Olive", "Opal", "Pearl", "Plum", "Ruby", "Sand",
    "Scarlet", "Silver", "Slate", "Teal", "Umber", "Violet",
];

pub(crate) const ANIMALS: [&str; 60] = [
    "Badger", "Beaver", "Bison", "Crane", "Cricket", "Deer", "Dolphin", "Dove", "Eagle", "Falcon", "Ferret",
    "Finch", "Fox", "Frog", "Gannet", "Gecko", "Goose", "Hare", "Hawk", "Hedgehog", "Heron", "Ibex", "Ibis",
    "Jay", "Kestrel", "Kiwi", "Koala", "Lark", "Lemur", "Lynx", "Magpie", "Marten", "Mole", "Moth", "Newt",
    "Orca", "Osprey", "Otter", "Owl", "Panda", "Pelican", "Penguin", "Puffin", "Quail", "Rabbit", "Raven",
    "Robin", "Salmon", "Seal", "Sparrow", "Stork", "Swallow", "Swan", "Swift", "Tapir", "Tern", "Toad",
    "Turtle", "Weasel", "Wren",
];

/// The name of the guest with this id.
pub(super) fn name_of(id: &str) -> String {
    let digest = Sha256::digest(id.as_bytes());
    let colour = COLOURS[usize::from(digest[0]) * COLOURS.len() / 256];
    let animal = ANIMALS[usize::from(digest[1]) * ANIMALS.len() / 256];
    format!("{colour} {animal}")
}

/// Whether a guest may be called this.
pub(super) fn is_guest_name(name: &str) -> bool {
    name.split_once(' ')
        .is_some_and(|(colour, animal)| COLOURS.contains(&colour) && ANIMALS.contains(&animal))
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
        assert!(names.iter().all(|name| is_guest_name(name)));
    }

    #[test]
    fn other_words_are_no_names_of_guests() {
        for bad in ["", "Teal", "teal heron", "Heron Teal", "Teal  Heron", "Teal Heron ", "Admin Heron"] {
            assert!(!is_guest_name(bad), "{bad}");
        }
    }

    #[test]
    fn each_word_is_listed_once_and_in_order() {
        assert!(COLOURS.is_sorted_by(|a, b| a < b));
        assert!(ANIMALS.is_sorted_by(|a, b| a < b));
    }
}
