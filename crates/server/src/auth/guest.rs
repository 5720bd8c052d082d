//! Guests: an id, and the name if it was chosen, in a cookie that we have signed.

use hmac::{Hmac, KeyInit, Mac};
use sentences::guest_numbers;
use sha2::Sha256;
use store::{hex, random_hex};

use super::guest_name::name_of;

/// A person without an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    /// `g:…`
    pub id: String,
    /// The name that others see.
    pub name: String,
}

/// Signs the cookies of guests.
pub(super) struct GuestKey(Vec<u8>);

impl GuestKey {
    pub(super) fn new(key: Vec<u8>) -> Self {
        Self(key)
    }

    /// Creates a guest and its cookie.
    pub(super) fn create(&self) -> (Guest, String) {
        let number = random_hex::<16>();
        let id = format!("g:{number}");
        let name = name_of(&id);
        (Guest { id, name }, self.cookie(&number))
    }

    /// The guest under another name, with its cookie; `None` if guests have no such name.
    pub(super) fn rename(&self, guest: &Guest, name: &str) -> Option<(Guest, String)> {
        let number = guest.id.strip_prefix("g:")?;
        let renamed = Guest { id: guest.id.clone(), name: name.to_owned() };
        guest_numbers(name).map(|_| (renamed, self.cookie(&format!("{number}.{name}"))))
    }

    /// Returns the guest of a cookie, if we have signed the cookie.
    pub(super) fn verify(&self, cookie: &str) -> Option<Guest> {
        let (content, signature) = cookie.strip_prefix("g.")?.rsplit_once('.')?;
        // Compares in constant time.
        self.sign(content).verify_slice(&unhex(signature)?).ok()?;
        let (number, name) = content.split_once('.').map_or((content, None), |(n, name)| (n, Some(name)));
        let id = format!("g:{number}");
        // Up to version 0.2 the cookie had English words, such as `Amber-Otter`.
        let name = name.map_or_else(|| name_of(&id), |name| name.replace('-', " "));
        Some(Guest { id, name })
    }

    fn cookie(&self, content: &str) -> String {
        let signature = hex(&self.sign(content).finalize().into_bytes());
        format!("g.{content}.{signature}")
    }

    fn sign(&self, content: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(b"guest ");
        mac.update(content.as_bytes());
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
        let (guest, cookie) = key.create();
        assert_eq!(guest.name, name_of(&guest.id));
        assert_eq!(key.verify(&cookie), Some(guest));
        assert_eq!(other.verify(&cookie), None);
        for forged in ["", "g.1", "g.1.", "g.1.00", &cookie[..cookie.len() - 2]] {
            assert_eq!(key.verify(forged), None, "{forged}");
        }
    }

    #[test]
    fn a_chosen_name_is_kept_by_the_cookie() {
        let key = GuestKey::new(vec![1; 32]);
        let (guest, old) = key.create();
        let (renamed, cookie) = key.rename(&guest, "0.37").unwrap();
        assert_eq!((renamed.id.as_str(), renamed.name.as_str()), (guest.id.as_str(), "0.37"));
        assert_eq!(key.verify(&cookie), Some(renamed));
        assert_eq!(key.verify(&cookie.replace(".0.37.", ".0.38.")), None);
        for bad in ["Bob", "Amber Otter", "0.60"] {
            assert_eq!(key.rename(&guest, bad), None, "{bad}");
        }
        let old_words = key.cookie(&format!("{}.Amber-Otter", &guest.id[2..]));
        assert_eq!(key.verify(&old_words).unwrap().name, "Amber Otter");
        assert_eq!(key.verify(&old), Some(guest));
    }

    #[test]
    fn hexadecimal_text_is_parsed() {
        assert_eq!(unhex(&hex(&[0, 1, 254, 255])), Some(vec![0, 1, 254, 255]));
        for bad in ["0", "0g", "ä0", "+1"] {
            assert_eq!(unhex(bad), None, "{bad}");
        }
    }
}
