//! Guests: an id in a cookie that we have signed.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{hex, random_hex};

/// Signs the cookies of guests.
pub(super) struct GuestKey(Vec<u8>);

impl GuestKey {
    pub(super) fn new(key: Vec<u8>) -> Self {
        Self(key)
    }

    /// Creates a guest: its id and its cookie.
    pub(super) fn create(&self) -> (String, String) {
        let number = random_hex::<16>();
        let signature = hex(&self.sign(&number).finalize().into_bytes());
        (format!("g:{number}"), format!("g.{number}.{signature}"))
    }

    /// The id in a cookie, if we have signed it.
    pub(super) fn verify(&self, cookie: &str) -> Option<String> {
        let (number, signature) = cookie.strip_prefix("g.")?.split_once('.')?;
        // Compares in constant time.
        self.sign(number).verify_slice(&unhex(signature)?).ok()?;
        Some(format!("g:{number}"))
    }

    fn sign(&self, number: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(b"guest ");
        mac.update(number.as_bytes());
        mac
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|value| value as u8);
    let pairs = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_signed_cookies_are_accepted() {
        let (key, other) = (GuestKey::new(vec![1; 32]), GuestKey::new(vec![2; 32]));
        let (id, cookie) = key.create();
        assert_eq!(key.verify(&cookie), Some(id));
        assert_eq!(other.verify(&cookie), None);
        for forged in ["", "g.1", "g.1.", "g.1.00", &cookie[..cookie.len() - 2]] {
            assert_eq!(key.verify(forged), None, "{forged}");
        }
    }

    #[test]
    fn hexadecimal_text_is_parsed() {
        assert_eq!(unhex(&hex(&[0, 1, 254, 255])), Some(vec![0, 1, 254, 255]));
        for bad in ["0", "0g", "ä0", "+1"] {
            assert_eq!(unhex(bad), None, "{bad}");
        }
    }
}
