//! A temporary folder for one test.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A new empty folder, deleted on drop.
pub struct Folder(PathBuf);

impl Folder {
    /// Creates the folder.
    ///
    /// # Panics
    /// If the system's temporary folder is not writable.
    #[must_use]
    pub fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("alinea-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The URL of an SQLite file in it.
    #[must_use]
    pub fn sqlite(&self) -> String {
        format!("sqlite:{}", self.0.join("alinea.db").display())
    }
}

impl Default for Folder {
    fn default() -> Folder {
        Folder::new()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Best effort: leftovers are for the system to clean up.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
