//! Parsing of incoming packets: Engine.IO v4, and inside its messages Socket.IO v5.

/// Separates packets in the body of a polling request or response.
pub(crate) const SEPARATOR: char = '\x1e';

/// An Engine.IO packet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Packet<'a> {
    /// The client closes the session.
    Close,
    /// Ping on a WebSocket that is about to replace polling.
    Probe,
    /// Answer to our ping.
    Pong,
    /// The WebSocket replaces polling from here on.
    Upgrade,
    /// A binary attachment, encoded as base64.
    Binary,
    /// A Socket.IO packet.
    Message(Message<'a>),
}

/// A Socket.IO packet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Message<'a> {
    /// CONNECT to a namespace, of which only `/` exists, with the JSON of `auth` or nothing.
    Connect { namespace: &'a str, auth: &'a str },
    /// DISCONNECT from the namespace.
    Disconnect,
    /// EVENT: a JSON array of a name and arguments, with an id if the client expects an acknowledgement.
    Event { id: Option<u64>, payload: &'a str },
    /// BINARY_EVENT, which the given number of attachments follows.
    BinaryEvent { id: Option<u64>, attachments: usize },
    /// ACK of an event of the server, which never requests one.
    Ack,
}

/// Attachments that one event may announce.
const MAX_ATTACHMENTS: usize = 10;

impl<'a> Packet<'a> {
    /// Parses a packet; `None` if it is malformed.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        match text {
            "1" => Some(Self::Close),
            "2probe" => Some(Self::Probe),
            "3" => Some(Self::Pong),
            "5" => Some(Self::Upgrade),
            _ if text.starts_with('b') => Some(Self::Binary),
            _ => Message::parse(text.strip_prefix('4')?).map(Self::Message),
        }
    }
}

impl<'a> Message<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let (kind, rest) = text.split_at_checked(1)?;
        let (attachments, rest) = match kind {
            "5" => rest.split_once('-').and_then(|(count, rest)| Some((count.parse().ok()?, rest)))?,
            _ => (0, rest),
        };
        let (namespace, rest) = match rest.starts_with('/') {
            true => rest.split_once(',').unwrap_or((rest, "")),
            false => ("/", rest),
        };
        let namespace = namespace.split_once('?').map_or(namespace, |(path, _)| path);
        if kind == "0" {
            return Some(Self::Connect { namespace, auth: rest });
        }
        // No client is connected to any other namespace.
        if namespace != "/" {
            return None;
        }
        let (id, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
        let is_array = rest.starts_with('[');
        match kind {
            "1" => Some(Self::Disconnect),
            // An id that overflows gets no acknowledgement.
            "2" if is_array => Some(Self::Event { id: id.parse().ok(), payload: rest }),
            "5" if is_array && (1..=MAX_ATTACHMENTS).contains(&attachments) => {
                Some(Self::BinaryEvent { id: id.parse().ok(), attachments })
            }
            "3" if is_array && id.parse::<u64>().is_ok() => Some(Self::Ack),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_parsed() {
        let event = |id, payload| Packet::Message(Message::Event { id, payload });
        let connect = |namespace, auth| Packet::Message(Message::Connect { namespace, auth });
        for (text, packet) in [
            ("1", Packet::Close),
            ("2probe", Packet::Probe),
            ("3", Packet::Pong),
            ("5", Packet::Upgrade),
            ("40", connect("/", "")),
            ("40{\"token\":\"x\"}", connect("/", "{\"token\":\"x\"}")),
            ("40/,{}", connect("/", "{}")),
            ("40/admin", connect("/admin", "")),
            ("40/admin?a=b,{}", connect("/admin", "{}")),
            ("41", Packet::Message(Message::Disconnect)),
            ("42[\"a\"]", event(None, "[\"a\"]")),
            ("427[\"a\",{}]", event(Some(7), "[\"a\",{}]")),
            ("42/,7[\"a\"]", event(Some(7), "[\"a\"]")),
            ("4299999999999999999999[\"a\"]", event(None, "[\"a\"]")),
            (
                "451-[\"a\",{\"_placeholder\":true,\"num\":0}]",
                Packet::Message(Message::BinaryEvent { id: None, attachments: 1 }),
            ),
            ("4510-7[\"a\"]", Packet::Message(Message::BinaryEvent { id: Some(7), attachments: 10 })),
            ("bAAA=", Packet::Binary),
            ("430[null]", Packet::Message(Message::Ack)),
        ] {
            assert_eq!(Packet::parse(text), Some(packet), "{text}");
        }
    }

    #[test]
    fn malformed_packets_are_rejected() {
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
            assert_eq!(Packet::parse(text), None, "{text}");
        }
    }
}
