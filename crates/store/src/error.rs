//! Errors of the store.

use std::{error::Error, sync::Arc};

use protocol::{ApiError, ErrorCode};
use sqlx::error::DatabaseError;

type Source = Arc<dyn Error + Send + Sync>;

/// Why the store failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The version, the code or the name is already taken.
    #[error("conflict with an earlier write")]
    Conflict,
    /// An outage: the database is unreachable, full, read-only or too slow. The call may or may not have been
    /// executed; it can be retried.
    #[error("the database is unavailable")]
    Unavailable {
        /// The message of the database or the driver.
        source: Source,
    },
    /// A bug: an invalid statement or invalid stored data. Retrying does not help.
    #[error("internal database error")]
    Internal {
        /// The message of the database or the driver.
        source: Source,
    },
}

impl StoreError {
    /// Creates an outage with a reason.
    pub fn unavailable(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable { source: Arc::from(source.into()) }
    }

    /// Creates a bug with a reason.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Internal { source: Arc::from(source.into()) }
    }

    /// The cause, in one sentence for an administrator.
    #[must_use]
    pub fn reason(&self) -> String {
        let mut error: &dyn Error = self;
        while let Some(source) = error.source() {
            error = source;
        }
        error.to_string()
    }

    /// Whether the call can be retried.
    pub fn is_outage(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }

    /// Logs an event with the error and its sources: an outage is a warning, a bug an error.
    pub fn log(&self, event: &str) {
        let error = self as &dyn Error;
        match self {
            Self::Conflict => tracing::debug!(error, "{event}"),
            Self::Unavailable { .. } => tracing::warn!(error, "{event}"),
            Self::Internal { .. } => tracing::error!(error, "{event}"),
        }
    }
}

/// Two errors are equal if they are of the same kind.
impl PartialEq for StoreError {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl Eq for StoreError {}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(reply) if reply.is_unique_violation() => Self::Conflict,
            sqlx::Error::Database(reply) if is_bug(&**reply) => Self::internal(error),
            sqlx::Error::RowNotFound
            | sqlx::Error::TypeNotFound { .. }
            | sqlx::Error::ColumnIndexOutOfBounds { .. }
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::Encode(_)
            | sqlx::Error::Decode(_)
            | sqlx::Error::InvalidArgument(_) => Self::internal(error),
            _ => Self::unavailable(error),
        }
    }
}

/// Whether the database rejected the statement itself, rather than failing because of its own state.
fn is_bug(reply: &dyn DatabaseError) -> bool {
    let Some(code) = reply.code() else { return false };
    is_bug_code(&code)
}

/// PostgreSQL has codes of five characters; SQLite has numbers with the primary code in the low byte.
fn is_bug_code(code: &str) -> bool {
    match code.parse::<u32>() {
        Ok(number) if code.len() < 5 => {
            // SQLITE_ERROR (the SQL itself), TOOBIG, CONSTRAINT, MISMATCH, MISUSE, RANGE.
            matches!(number & 0xff, 1 | 18 | 19 | 20 | 21 | 25)
        }
        // Missing privileges are the administrator's matter.
        _ if code == "42501" => false,
        // Cardinality and data exceptions, constraints, syntax and unknown names, misuse of the protocol.
        _ => matches!(code.get(..2), Some("0A" | "21" | "22" | "23" | "26" | "34" | "42" | "44")),
    }
}

/// Explains why a database cannot be opened.
pub(super) fn cannot_open(error: sqlx::Error) -> StoreError {
    let code = error.as_database_error().and_then(|reply| Some(reply.code()?.into_owned()));
    let sqlite = code.and_then(|code| code.parse::<u32>().ok()).map(|code| code & 0xff);
    StoreError::unavailable(match (sqlite, error) {
        (Some(5), _) => "another program is using the database".to_owned(),
        (Some(8), _) => "the database is read-only".to_owned(),
        (Some(10), _) => "the file can be neither read nor written; is the disk full?".to_owned(),
        (Some(11), _) => "the database is damaged; restore a backup".to_owned(),
        (Some(13), _) => "the disk is full".to_owned(),
        (Some(14), _) => "the file can neither be opened nor created".to_owned(),
        (Some(26), _) => "the file is not a database".to_owned(),
        (_, sqlx::Error::Io(error)) => format!("the database server does not respond: {error}"),
        (_, sqlx::Error::Database(reply)) => reply.message().to_owned(),
        (_, error) => error.to_string(),
    })
}

/// The response to a request that failed because of the store; the error is logged.
impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        error.log("store_request_failed");
        match error {
            StoreError::Internal { .. } => ErrorCode::Broken.because("internal error"),
            StoreError::Conflict | StoreError::Unavailable { .. } => {
                ErrorCode::Unavailable.because("the database is unavailable; try again")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_are_not_bugs() {
        // BUSY, READONLY, IOERR_WRITE, FULL, CANTOPEN; admin shutdown, disk full, read-only, deadlock, statement timeout.
        for code in
            ["5", "8", "778", "13", "14", "57P01", "53100", "25006", "40P01", "57014", "42501", "28P01"]
        {
            assert!(!is_bug_code(code), "{code}");
        }
    }

    #[test]
    fn mistakes_in_statements_are_bugs() {
        // SQL error, NOT NULL, MISMATCH; syntax error, unknown table, division by zero, NOT NULL.
        for code in ["1", "1299", "20", "42601", "42P01", "22012", "23502"] {
            assert!(is_bug_code(code), "{code}");
        }
    }

    #[tokio::test]
    async fn our_own_sql_mistakes_are_not_outages() {
        let store = crate::Store::open("sqlite::memory:").await.unwrap();
        for sql in ["SELECT nothing FROM nowhere", "SELEKT 1", "INSERT INTO nodes (node) VALUES ('n')"] {
            let error = store.change(sql, |query| query).await.unwrap_err();
            assert!(matches!(error, StoreError::Internal { .. }), "{sql}: {error:?}");
        }
        store.close().await;
        let error = store.ping().await.unwrap_err();
        assert!(error.is_outage(), "{error:?}");
    }

    #[test]
    fn errors_keep_their_source() {
        let error = StoreError::from(sqlx::Error::PoolTimedOut);
        assert!(error.is_outage());
        assert!(error.source().is_some_and(|source| source.to_string().contains("timed out")));
    }
}
