//! Chat: plain text, bounded in length and rate.

use std::collections::VecDeque;

use protocol::{ApiError, Chat, ErrorCode};
use rules::Side;

pub(crate) const MAX_LENGTH: usize = 300;
/// Maximum number of messages per side within this many milliseconds.
pub(crate) const BURST: usize = 5;
pub(crate) const BURST_MS: u64 = 10_000;
pub(crate) const MAX_MESSAGES: u32 = 500;
/// The latest messages, which snapshots contain.
pub(crate) const KEPT: usize = 50;

/// The chat of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChatLog {
    latest: VecDeque<Chat>,
    total: u32,
    /// The times of each side's latest messages, oldest first.
    sent_at: [VecDeque<u64>; 2],
}

impl ChatLog {
    pub(crate) fn latest(&self) -> impl Iterator<Item = &Chat> {
        self.latest.iter()
    }

    /// Returns the cleaned text if it may be sent.
    ///
    /// # Errors
    /// If the text is empty or too long, or the side has sent too many messages.
    pub(crate) fn check(&self, side: Side, text: &str, now: u64) -> Result<String, ApiError> {
        let text = sanitize(text);
        if text.is_empty() || text.chars().count() > MAX_LENGTH {
            return Err(ErrorCode::BadMessage.because(format!("a message has 1 to {MAX_LENGTH} characters")));
        }
        let sent_at = &self.sent_at[side.index()];
        let too_fast = sent_at.len() >= BURST && sent_at[0] + BURST_MS > now;
        if too_fast || self.total >= MAX_MESSAGES {
            return Err(ErrorCode::TooFast.because("too many messages; wait before you send another"));
        }
        Ok(text)
    }

    pub(crate) fn push(&mut self, at: u64, chat: &Chat) {
        self.total += 1;
        if let Some(side) = chat.side {
            push_bounded(&mut self.sent_at[side.index()], at, BURST);
        }
        push_bounded(&mut self.latest, chat.clone(), KEPT);
    }
}

fn push_bounded<T>(queue: &mut VecDeque<T>, item: T, limit: usize) {
    queue.push_back(item);
    if queue.len() > limit {
        queue.pop_front();
    }
}

/// Removes characters that could disturb a screen: control characters, direction marks, stacked accents. Each run of
/// white space becomes one space.
#[must_use]
pub fn sanitize(text: &str) -> String {
    let is_harmful = |c: char| {
        c.is_control()
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    let is_combining = |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
    let mut plain = String::with_capacity(text.len().min(4 * MAX_LENGTH));
    let mut accents = 0;
    for c in text.chars() {
        accents = if is_combining(c) { accents + 1 } else { 0 };
        if is_harmful(c) {
            plain.push(' ');
        } else if accents <= 2 {
            plain.push(c);
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
