//! What a client may say: the packets of Engine.IO 4, and in those that carry messages the packets of Socket.IO 5.

/// Between packets that come or go together.
pub(super) const SEPARATOR: char = '\x1e';

/// A packet of Engine.IO.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Packet<'a> {
    /// The client goes.
    Close,
    /// Does this way work, too?
    Probe,
    /// The answer to a ping.
    Pong,
    /// From now on by this way.
    Upgrade,
    /// Bytes that were announced, written as text.
    Bytes,
    /// A packet of Socket.IO.
    Message(Said<'a>),
}

/// A packet of Socket.IO.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// Hello, to a part of the server. There is but one, `/`.
    Enter(&'a str),
    /// Goodbye.
    Leave,
    /// A message: a JSON list of its name and what it says, with the number under which an answer is awaited.
    Event { id: Option<u64>, parts: &'a str },
    /// A message with so many pieces of bytes, which follow it.
    Bytes { id: Option<u64>, pieces: usize },
    /// The answer to something that we never ask.
    Answer,
}

/// No client sends more pieces with a message.
const MOST_PIECES: usize = 10;

impl<'a> Packet<'a> {
    /// Reads a packet; none if it makes no sense.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        match text {
            "1" => Some(Self::Close),
            "2probe" => Some(Self::Probe),
            "3" => Some(Self::Pong),
            "5" => Some(Self::Upgrade),
            _ if text.starts_with('b') => Some(Self::Bytes),
            _ => Said::read(text.strip_prefix('4')?).map(Self::Message),
        }
    }
}

impl<'a> Said<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (kind, rest) = text.split_at_checked(1)?;
        let (pieces, rest) = match kind {
            "5" => rest.split_once('-').and_then(|(pieces, rest)| Some((pieces.parse().ok()?, rest)))?,
            _ => (0, rest),
        };
        let (part, rest) = match rest.starts_with('/') {
            true => rest.split_once(',').unwrap_or((rest, "")),
            false => ("/", rest),
        };
        let part = part.split_once('?').map_or(part, |(part, _)| part);
        if kind == "0" {
            return Some(Self::Enter(part));
        }
        // Nobody has entered any other.
        if part != "/" {
            return None;
        }
        let (number, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
        let is_list = rest.starts_with('[');
        match kind {
            "1" => Some(Self::Leave),
            // A number that nobody can count up to is not answered.
            "2" if is_list => Some(Self::Event { id: number.parse().ok(), parts: rest }),
            "5" if is_list && (1..=MOST_PIECES).contains(&pieces) => {
                Some(Self::Bytes { id: number.parse().ok(), pieces })
            }
            "3" if is_list && number.parse::<u64>().is_ok() => Some(Self::Answer),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_read() {
        let event = |id, parts| Packet::Message(Said::Event { id, parts });
        for (text, packet) in [
            ("1", Packet::Close),
            ("2probe", Packet::Probe),
            ("3", Packet::Pong),
            ("5", Packet::Upgrade),
            ("40", Packet::Message(Said::Enter("/"))),
            ("40{\"token\":\"x\"}", Packet::Message(Said::Enter("/"))),
            ("40/,{}", Packet::Message(Said::Enter("/"))),
            ("40/admin", Packet::Message(Said::Enter("/admin"))),
            ("40/admin?a=b,{}", Packet::Message(Said::Enter("/admin"))),
            ("41", Packet::Message(Said::Leave)),
            ("42[\"a\"]", event(None, "[\"a\"]")),
            ("427[\"a\",{}]", event(Some(7), "[\"a\",{}]")),
            ("42/,7[\"a\"]", event(Some(7), "[\"a\"]")),
            ("4299999999999999999999[\"a\"]", event(None, "[\"a\"]")),
            (
                "451-[\"a\",{\"_placeholder\":true,\"num\":0}]",
                Packet::Message(Said::Bytes { id: None, pieces: 1 }),
            ),
            ("4510-7[\"a\"]", Packet::Message(Said::Bytes { id: Some(7), pieces: 10 })),
            ("bAAA=", Packet::Bytes),
            ("430[null]", Packet::Message(Said::Answer)),
        ] {
            assert_eq!(Packet::read(text), Some(packet), "{text}");
        }
    }

    #[test]
    fn what_is_no_packet_is_none() {
        for text in [
            "",
            "0{}",
            "2",
            "3probe",
            "4",
            "6",
            "9",
            "ä",
            "4ä",
            "42",
            "42{}",
            "42/admin,[\"a\"]",
            "43[1]",
            "4399999999999999999999[1]",
            "44{}",
            "450-[\"x\"]",
            "4511-[\"x\"]",
            "45[\"x\"]",
            "461-0[]",
            "47x",
            "41/admin,",
            "42-1[\"a\"]",
        ] {
            assert_eq!(Packet::read(text), None, "{text}");
        }
    }
}
