//! What the server does beside its tables: the engine pool and its fair queue, pairing, the cluster of nodes, and export.

pub(crate) mod cluster;
pub mod engine_pool;
mod export;
pub(crate) mod fair_queue;
pub mod pairing;
