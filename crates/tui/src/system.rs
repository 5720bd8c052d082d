//! What depends on the operating system: where it keeps the data of users, and files that only their owner may read. No
//! other module of this crate asks on which system it runs.

use std::{env, path::PathBuf};

pub(crate) use imp::{HAS_TRUE_COLOUR, create_private, user_data};

/// A path in a variable of the environment, unless it is empty.
pub(crate) fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

#[cfg(unix)]
mod imp {
    use std::{
        fs::File,
        io,
        os::unix::fs::OpenOptionsExt,
        path::{Path, PathBuf},
    };

    use super::variable;

    /// Whether a terminal has all colours if no variable says otherwise.
    pub(crate) const HAS_TRUE_COLOUR: bool = false;

    /// The folder in which programs keep the data of the user.
    pub(crate) fn user_data() -> PathBuf {
        let home = || variable("HOME").unwrap_or_default();
        if cfg!(target_os = "macos") {
            home().join("Library/Application Support")
        } else {
            variable("XDG_DATA_HOME").unwrap_or_else(|| home().join(".local/share"))
        }
    }

    /// Creates or truncates a file that only its owner may read.
    pub(crate) fn create_private(path: &Path) -> io::Result<File> {
        File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
    }
}

#[cfg(windows)]
mod imp {
    use std::{
        fs::File,
        io,
        path::{Path, PathBuf},
    };

    use super::variable;

    /// Whether a terminal has all colours if no variable says otherwise: since Windows 10, which sets none.
    pub(crate) const HAS_TRUE_COLOUR: bool = true;

    /// The folder in which programs keep the data of the user.
    pub(crate) fn user_data() -> PathBuf {
        variable("LOCALAPPDATA").unwrap_or_default()
    }

    /// Creates or truncates a file. It has the permissions of its folder, which in the user's profile is private.
    pub(crate) fn create_private(path: &Path) -> io::Result<File> {
        File::options().write(true).create(true).truncate(true).open(path)
    }
}
