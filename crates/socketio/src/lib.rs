//! An Engine.IO v4 and Socket.IO v5 server for [axum](https://docs.rs/axum): text events with acknowledgements in the
//! namespace `/`, over WebSockets or HTTP long-polling, with upgrades from one to the other.
//!
//! It is made for many mostly idle connections. Events are encoded directly into the queue they are written from, one
//! task per connection reads and writes, and packets are handled in order without another task or allocation; an idle
//! connection takes about 4.5 kB instead of the 20.5 kB that it takes with socketioxide. WebSocket frames are parsed by
//! tungstenite.
//!
//! An application implements [`Handler`] (one per server), [`Peer`] (one per session) and [`Connection`] (one per
//! CONNECT packet), and passes requests for [`PATH`] to [`Server::handle`]. Connections must be served by hyper over
//! [`TcpIo`], because an upgraded connection is read without a buffer in between:
//!
//! ```
//! use std::sync::Arc;
//!
//! use alinea_socketio::{AckSender, Config, Connection, Handler, Peer, Rejection, Server, Session, Transport};
//! use axum::{extract::Request, routing::any};
//!
//! struct Echo;
//!
//! impl Handler for Echo {
//!     fn open(&self, _: &Request, _: Transport) -> Result<Arc<dyn Peer>, Rejection> {
//!         Ok(Arc::new(Guest))
//!     }
//! }
//!
//! struct Guest;
//!
//! impl Peer for Guest {
//!     fn connect(self: Arc<Self>, session: Arc<Session>, _auth: String) -> alinea_socketio::Connecting {
//!         Box::pin(async move { Ok(Arc::new(Chat(session)) as Arc<dyn Connection>) })
//!     }
//! }
//!
//! struct Chat(Arc<Session>);
//!
//! impl Connection for Chat {
//!     fn event(self: Arc<Self>, payload: &str, ack: AckSender) -> bool {
//!         self.0.emit("echo", &payload);
//!         ack.send(&true);
//!         true
//!     }
//! }
//!
//! let server = Server::new(Config::default(), Echo);
//! let router: axum::Router = axum::Router::new().route(
//!     alinea_socketio::PATH,
//!     any(move |request: Request| async move { server.handle(request).await }),
//! );
//! ```

mod config;
mod handler;
mod handshake;
mod packet;
mod polling;
mod random;
mod rejection;
mod send_queue;
mod server;
mod session;
mod shared;
mod tcp;
mod websocket;

pub use config::Config;
pub use handler::Handler;
pub use rejection::Rejection;
pub use send_queue::{Frame, Transport};
pub use server::{PATH, Server};
pub use session::{AckSender, Connecting, Connection, Peer, Session};
pub use tcp::{ConnectionGuard, TcpIo};
