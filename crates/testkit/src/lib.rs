//! What tests of several crates need: folders that vanish, and a PostgreSQL of their own.

mod folder;
mod postgres;

pub use folder::Folder;
pub use postgres::Postgres;
