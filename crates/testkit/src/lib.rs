//! Shared test fixtures: temporary folders and temporary PostgreSQL clusters.

mod folder;
mod postgres;

pub use folder::Folder;
pub use postgres::Postgres;
