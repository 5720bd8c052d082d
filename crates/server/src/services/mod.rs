//! What the server does beside its tables: the engine pool and its fair queue, jobs and workers, pairing, tournaments, the cluster of nodes, export and pictures.

pub(crate) mod cluster;
pub mod contests;
pub mod engine_pool;
mod export;
pub(crate) mod fair_queue;
pub(crate) mod job;
pub mod pairing;
pub(crate) mod picture;
pub(crate) mod program_tournaments;
pub(crate) mod tournaments;
pub mod worker;
