//! Drawn previews: a link that is shared with many people is drawn once.

use std::collections::HashMap;

use axum::body::Bytes;
use parking_lot::Mutex;
use rules::AnyGame;
use sha2::{Digest, Sha256};

/// Maximum size of all pictures; a picture takes about 30 kB.
const MAX_BYTES: usize = 8 << 20;

/// A hash of what a picture shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PictureKey([u8; 32]);

impl From<&AnyGame> for PictureKey {
    fn from(game: &AnyGame) -> Self {
        let view = game.view();
        let shown = format!("{}\n{}\n{:?}", game.spec(), game.position(), (view.last, view.line));
        Self(Sha256::digest(shown.as_bytes()).into())
    }
}

/// The pictures drawn lately.
pub(crate) struct PictureCache {
    pictures: Mutex<Pictures>,
    max_bytes: usize,
}

#[derive(Default)]
struct Pictures {
    /// Pictures with the number of their last use.
    by_key: HashMap<PictureKey, (Bytes, u64)>,
    bytes: usize,
    uses: u64,
}

impl Default for PictureCache {
    fn default() -> Self {
        Self { pictures: Mutex::default(), max_bytes: MAX_BYTES }
    }
}

impl PictureCache {
    /// Returns a picture that was drawn before.
    pub(crate) fn get(&self, key: PictureKey) -> Option<Bytes> {
        let mut pictures = self.pictures.lock();
        pictures.uses += 1;
        let uses = pictures.uses;
        let (picture, used) = pictures.by_key.get_mut(&key)?;
        *used = uses;
        Some(picture.clone())
    }

    /// Keeps a picture; forgets those used longest ago if there are too many.
    pub(crate) fn insert(&self, key: PictureKey, picture: Bytes) {
        let mut pictures = self.pictures.lock();
        pictures.uses += 1;
        let uses = pictures.uses;
        pictures.bytes += picture.len();
        if let Some((replaced, _)) = pictures.by_key.insert(key, (picture, uses)) {
            pictures.bytes -= replaced.len();
        }
        while pictures.bytes > self.max_bytes {
            let oldest = pictures.by_key.iter().min_by_key(|(_, (_, used))| *used).map(|(key, _)| *key);
            let Some((forgotten, _)) = oldest.and_then(|oldest| pictures.by_key.remove(&oldest)) else {
                return;
            };
            pictures.bytes -= forgotten.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::Spec;

    use super::*;

    fn key(moves: &str) -> PictureKey {
        let mut game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        PictureKey::from(&game)
    }

    #[test]
    fn a_key_tells_pictures_apart() {
        assert_eq!(key("1 2 3 4"), key("3 2 1 4"));
        assert_ne!(key("1 2 3 4"), key("3 4 1 2"), "the last move differs");
        assert_ne!(key("1"), key("2"));
    }

    #[test]
    fn memory_is_bounded_and_the_picture_used_longest_ago_goes_first() {
        let cache = PictureCache { max_bytes: 100, ..PictureCache::default() };
        let picture = Bytes::from(vec![0; 40]);
        let [a, b, c] = ["1", "2", "3"].map(key);
        cache.insert(a, picture.clone());
        cache.insert(a, picture.clone());
        cache.insert(b, picture.clone());
        assert!(cache.get(a).is_some());
        cache.insert(c, picture);
        assert!(cache.get(a).is_some() && cache.get(b).is_none() && cache.get(c).is_some());
        assert_eq!(cache.pictures.lock().bytes, 80);
        cache.insert(b, Bytes::from(vec![0; 101]));
        assert!(cache.pictures.lock().bytes <= 100);
    }
}
