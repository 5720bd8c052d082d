//! What the server does beside its tables: the engine pool, pairing, the cluster of nodes, and export.

pub(crate) mod cluster;
pub mod engine_pool;
mod export;
pub mod pairing;
