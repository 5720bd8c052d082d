//! Shared test fixtures: temporary folders, temporary PostgreSQL clusters, pseudo-terminals, generated files.

mod folder;
mod generated;
mod postgres;
mod system;
mod tmux;

pub use folder::Folder;
pub use generated::{check_generated, regenerate_command};
pub use postgres::Postgres;
pub use tmux::Tmux;
