//! Everything that faces clients: HTTP, Socket.IO messages and the page.

pub mod http;
mod page;
mod socket;
