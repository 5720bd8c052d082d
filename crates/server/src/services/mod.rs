//! What the server does beside its tables: programs that think, pairing, the cluster of nodes, games as text.

pub(crate) mod cluster;
pub mod engine_pool;
mod export;
pub mod pairing;
