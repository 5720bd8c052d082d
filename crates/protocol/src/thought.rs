//! Why a program plays a move. The reasons are facts; clients turn them into sentences.

use serde::{Deserialize, Deserializer};

/// A thought with moves as text.
#[cfg(not(target_arch = "wasm32"))]
pub type Thought = players::Thought;

/// A thought with moves as text, as tables store it. Its reasons stay unparsed JSON: only the page reads
/// them, and code to parse them would enlarge the core that browsers download.
#[cfg(target_arch = "wasm32")]
pub type Thought = players::Thought<String, serde_json::Map<String, serde_json::Value>>;

/// Reads a stored thought and drops one that this version cannot read: an explanation must not make a game unreadable.
pub(crate) fn if_readable<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Box<Thought>>, D::Error> {
    let stored = Option::<serde_json::Value>::deserialize(deserializer)?;
    Ok(stored.and_then(|thought| serde_json::from_value(thought).ok()))
}
