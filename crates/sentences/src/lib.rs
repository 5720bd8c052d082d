//! What Alinea says in a terminal and in previews of links: names, reasons, verdicts and results as sentences in the
//! reader's language.
//!
//! The texts are the message files of the page, so that a fact has the same words on the page, full screen
//! and line by line. `i18n/` has the texts that only a terminal needs.

mod guests;
mod phrases;
mod reasons;
mod verdicts;
mod words;

pub use guests::{GUEST_WORDS, guest_numbers, guest_words, person_name};
pub use phrases::{
    clock_face, clock_text, error_text, format_text, game_title, headline, how, kind_name, line_text,
    move_text, occupant_name, points_text, program_name, rules_name, said_text, side_name, size_of, title,
};
pub use reasons::{About, Sentence, details, sentences};
pub use verdicts::{mark_sign, mark_text, result_text, thought_of, verdict_text};
pub use words::{Language, Role, Values, Words, english};
