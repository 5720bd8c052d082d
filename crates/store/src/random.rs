//! Identifiers and secrets from the operating system's random source.

/// Unpredictable bytes.
pub fn random<const BYTES: usize>() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the operating system provides randomness");
    bytes
}

/// Unpredictable bytes as hexadecimal text.
pub fn random_hex<const BYTES: usize>() -> String {
    hex(&random::<BYTES>())
}

/// Bytes as hexadecimal text.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
