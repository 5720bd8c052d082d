//! Breaks text into lines of a given width.

use unicode_width::UnicodeWidthStr;

/// The width of a text in columns.
pub(crate) fn width(text: &str) -> u16 {
    text.width() as u16
}

/// Breaks a text into lines; a word that is too long is cut.
pub(crate) fn wrap(text: &str, columns: u16) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word = word.to_owned();
        loop {
            let line = lines.last_mut().expect("there is a line");
            let space = u16::from(!line.is_empty());
            if width(line) + space + width(&word) <= columns {
                if space == 1 {
                    line.push(' ');
                }
                line.push_str(&word);
                break;
            }
            if !line.is_empty() {
                lines.push(String::new());
                continue;
            }
            let mut head = cut(&word, columns);
            if head.is_empty() {
                // A character wider than the line.
                head = word.chars().take(1).collect();
            }
            word = word[head.len()..].to_owned();
            line.push_str(&head);
            if word.is_empty() {
                break;
            }
            lines.push(String::new());
        }
    }
    lines
}

/// As much of a text as fits.
pub(crate) fn cut(text: &str, columns: u16) -> String {
    let mut cut = String::new();
    for c in text.chars() {
        let longer = format!("{cut}{c}");
        if width(&longer) > columns {
            break;
        }
        cut = longer;
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_long_as_they_may_be() {
        assert_eq!(wrap("four in a line", 7), ["four in", "a line"]);
        assert_eq!(wrap("constellation", 5), ["const", "ellat", "ion"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(cut("●●●", 2), "●●");
    }
}
