//! The database that a command works on: a file, or PostgreSQL.

use std::{
    env,
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};

use crate::system;

/// The environment variable with the URL: unlike an option, other users of the machine cannot see it. Read
/// here, because clap would report a conflict with `--data`.
const SHARED: &str = "ALINEA_DATABASE_URL";
/// The SQLite file where neither an option nor [`SHARED`] names a database: services set it, and their hosts choose
/// PostgreSQL by setting the other.
const FILE: &str = "ALINEA_DATA";

#[derive(clap::Args)]
pub(crate) struct Database {
    /// The SQLite database file [env: ALINEA_DATA] [default: alinea.db]
    #[arg(long, value_name = "FILE", conflicts_with = "database_url")]
    data: Option<PathBuf>,
    /// Use PostgreSQL instead, which several servers may share: postgres://USER:PASSWORD@HOST/NAME [env:
    /// ALINEA_DATABASE_URL]
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
}

/// Checks that this program can use the database with this address.
///
/// # Errors
/// If it is not PostgreSQL, or this program was built without it.
pub(crate) fn check_shared(url: &str) -> Result<()> {
    // The URL may contain a password, so the message repeats only the scheme.
    let kind = url.split(':').next().unwrap_or_default();
    if !matches!(kind, "postgres" | "postgresql") {
        bail!("--database-url must start with postgres://, not with {kind}");
    }
    if !store::HAS_POSTGRES {
        bail!("this program was built without PostgreSQL; `make release` builds one that has it");
    }
    Ok(())
}

impl Database {
    /// The URL of the shared database. `--data` overrides the variable.
    fn shared(&self) -> Option<String> {
        let variable = || env::var(SHARED).ok().filter(|url| !url.is_empty() && self.data.is_none());
        self.database_url.clone().or_else(variable)
    }

    fn file(&self) -> PathBuf {
        let variable = || env::var_os(FILE).filter(|file| !file.is_empty()).map(PathBuf::from);
        self.data.clone().or_else(variable).unwrap_or_else(|| PathBuf::from("alinea.db"))
    }

    /// The URL of the database for the store.
    ///
    /// # Errors
    /// If this program cannot use such a database.
    pub(crate) fn url(&self) -> Result<String> {
        let Some(url) = self.shared() else { return Ok(format!("sqlite:{}", self.file().display())) };
        check_shared(&url)?;
        Ok(url)
    }

    /// Whether several programs may use it at once.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared().is_some()
    }

    /// Its name in messages.
    pub(crate) fn name(&self) -> String {
        if self.is_shared() { "the database".to_owned() } else { self.file().display().to_string() }
    }

    /// Whether the database exists; for PostgreSQL, only opening it shows that.
    pub(crate) fn exists(&self) -> bool {
        self.is_shared() || self.file().exists()
    }

    /// Keeps servers away from a database file for as long as the result lives: two on one SQLite file would not know
    /// of each other.
    ///
    /// # Errors
    /// If a server is using it.
    pub(crate) fn lock(&self) -> Result<Option<File>> {
        if self.is_shared() { Ok(None) } else { lock_file(&self.file()) }
    }
}

/// The runtime of commands that use a database.
///
/// # Errors
/// If the system has no threads left.
pub(crate) fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

/// Locks a database file. Best effort: if the file cannot be opened, the store reports the reason.
fn lock_file(data: &Path) -> Result<Option<File>> {
    if data.as_os_str() == ":memory:" {
        return Ok(None);
    }
    match system::lock_database(data) {
        Ok(lock) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => bail!("another server is using {}", data.display()),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}
