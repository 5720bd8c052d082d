//! A live table on this node: its task, who is there, where its events go, and the registry that finds it.

mod actor;
mod presence;
mod registry;
mod sink;

pub(crate) use actor::{FLAG_SOON_MS, Message, damaged, now, unavailable, word};
pub(crate) use registry::lot;
pub use registry::{Tables, Watch};
pub(crate) use sink::{Outlet, Reply};
