//! The database that a command works on: a file, or PostgreSQL.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};

#[derive(clap::Args)]
pub(crate) struct Database {
    /// The SQLite database file
    #[arg(long, value_name = "FILE", default_value = "alinea.db", conflicts_with = "database_url")]
    data: PathBuf,
    /// Use PostgreSQL instead, which several servers may share: postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, value_name = "URL", env = "ALINEA_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
}

/// Checks that this program can use the database with this address.
///
/// # Errors
/// If it is not PostgreSQL, or this program has no PostgreSQL.
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
    /// Its address for the store.
    ///
    /// # Errors
    /// If this program cannot use such a database.
    pub(crate) fn url(&self) -> Result<String> {
        let Some(url) = &self.database_url else { return Ok(format!("sqlite:{}", self.data.display())) };
        check_shared(url)?;
        Ok(url.clone())
    }

    /// Whether several programs may use it at once.
    pub(crate) fn is_shared(&self) -> bool {
        self.database_url.is_some()
    }

    /// Its name in messages.
    pub(crate) fn name(&self) -> String {
        match &self.database_url {
            Some(_) => "the database".to_owned(),
            None => self.data.display().to_string(),
        }
    }

    /// Whether the database exists; for PostgreSQL, only opening it shows that.
    pub(crate) fn exists(&self) -> bool {
        self.database_url.is_some() || self.data.exists()
    }

    /// Keeps servers away from a database file for as long as the result lives: two on one SQLite file would not know
    /// of each other.
    ///
    /// # Errors
    /// If a server is using it.
    pub(crate) fn lock(&self) -> Result<Option<File>> {
        if self.database_url.is_some() { Ok(None) } else { lock_file(&self.data) }
    }
}

/// The runtime of commands that use a database.
///
/// # Errors
/// If the system has no threads left.
pub(crate) fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

/// The lock is on the file itself, so links to it do not avoid it, and of another kind than SQLite's own. Best effort: if
/// the file cannot be opened, the store reports what is wrong with it.
fn lock_file(data: &Path) -> Result<Option<File>> {
    if data.as_os_str() == ":memory:" {
        return Ok(None);
    }
    let whole = File::options().read(true).write(true).create(true).truncate(false).open(data);
    let Ok(lock) = whole.or_else(|_| File::open(data)) else { return Ok(None) };
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("another server is using {}", data.display()),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(lock)),
    }
}
