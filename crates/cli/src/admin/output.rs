//! The output of a command: text for people, or JSON for programs.

use serde_json::{Value, json};

/// Output in both forms.
pub(super) struct Output {
    text: String,
    value: Value,
}

impl Output {
    pub(super) fn new(text: String, value: Value) -> Self {
        Self { text, value }
    }

    /// One sentence.
    pub(super) fn done(sentence: String) -> Self {
        let value = json!({ "message": sentence });
        Self::new(sentence + "\n", value)
    }

    /// One line and one value for each item.
    pub(super) fn list<T>(items: &[T], line: impl Fn(&T) -> String, value: impl Fn(&T) -> Value) -> Self {
        Self::new(items.iter().map(line).collect(), items.iter().map(value).collect())
    }

    /// The output as it is printed.
    pub(super) fn print(self, as_json: bool) -> String {
        if as_json { format!("{}\n", self.value) } else { self.text }
    }
}

/// Fields on one line, whatever people wrote in them.
pub(super) fn line(fields: &[String]) -> String {
    let fields: Vec<_> = fields.iter().map(|field| field.replace(char::is_control, " ")).collect();
    format!("{}\n", fields.join("\t"))
}
