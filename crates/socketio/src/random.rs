//! Ids of sessions and connections.

/// An unpredictable id of 32 characters.
pub(crate) fn random_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system provides randomness");
    format!("{:032x}", u128::from_be_bytes(bytes))
}
