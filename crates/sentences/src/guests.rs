//! The names of guests. On the wire and in the store, the name is the numbers of its two words, such as `37.20`; readers
//! see the words in their language. Numbers count from zero and never change their words.

use crate::words::Words;

/// How many words there are to choose the first and the second from.
pub const GUEST_WORDS: [u8; 2] = [40, 60];

/// The numbers of the words of a guest's name; `None` for other names.
#[must_use]
pub fn guest_numbers(name: &str) -> Option<[u8; 2]> {
    let (first, second) = name.split_once('.')?;
    let numbers = [first.parse().ok()?, second.parse().ok()?];
    let [first, second] = numbers;
    let is_guest = first < GUEST_WORDS[0] && second < GUEST_WORDS[1] && name == format!("{first}.{second}");
    is_guest.then_some(numbers)
}

/// The words to choose the first and the second from, in the order of their numbers.
#[must_use]
pub fn guest_words(words: &Words) -> [Vec<&str>; 2] {
    ["guest.word-first", "guest.word-second"].map(|key| words.t(key).split(' ').collect())
}

/// The name of a person: that of a guest in the language of the reader, others as they are.
#[must_use]
pub fn person_name(words: &Words, name: &str) -> String {
    let Some([first, second]) = guest_numbers(name) else { return name.to_owned() };
    let [firsts, seconds] = guest_words(words);
    words.fill(
        "guest.name",
        &[("first", firsts[usize::from(first)]), ("second", seconds[usize::from(second)])],
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::words::Language;

    #[test]
    fn guests_are_named_in_the_language_of_the_reader() {
        let names = Language::ALL.map(|language| person_name(&Words::new(language), "37.20"));
        assert_eq!(
            names,
            ["Teal Heron", "Garza Turquesa", "Garça Turquesa", "Garça Turquesa", "Martinet Turquesa"]
        );
    }

    #[test]
    fn other_names_stay_as_they_are() {
        let words = Words::new(Language::Es);
        for name in ["", "ada", "Teal Heron", "40.0", "0.60", "+1.2", "01.2", "1.2.3", "1.", ".1", "1.-2"] {
            assert_eq!(person_name(&words, name), name);
        }
    }

    #[test]
    fn every_language_has_all_words_once() {
        for language in Language::ALL {
            for (list, count) in guest_words(&Words::new(language)).iter().zip(GUEST_WORDS) {
                assert_eq!(list.len(), usize::from(count), "{language:?}");
                assert_eq!(list.iter().collect::<HashSet<_>>().len(), list.len(), "{language:?}");
                assert!(list.iter().all(|word| !word.is_empty()), "{language:?}");
            }
        }
    }
}
