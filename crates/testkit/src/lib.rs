//! Shared test fixtures: temporary folders, temporary PostgreSQL clusters, pseudo-terminals.

mod folder;
mod postgres;
mod tmux;

pub use folder::Folder;
pub use postgres::Postgres;
pub use tmux::Tmux;
