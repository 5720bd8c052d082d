//! TCP connections as they are handed to hyper, and taken back after an upgrade.

use std::{
    any::Any,
    io::{self, Read},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncWrite, Interest, ReadBuf},
    net::TcpStream,
};

/// A value in the extensions of a request that lives as long as the connection, even after the upgrade to a
/// WebSocket: for example, the permit of a semaphore that limits the number of connections.
#[derive(Clone)]
pub struct ConnectionGuard(pub Arc<dyn Any + Send + Sync>);

/// A TCP connection to be served by hyper, from which an upgraded connection can be recovered.
pub struct TcpIo(TcpStream);

impl TcpIo {
    /// Wraps a connection.
    #[must_use]
    pub fn new(stream: TcpStream) -> Self {
        Self(stream)
    }

    /// The connection.
    #[must_use]
    pub fn into_inner(self) -> TcpStream {
        self.0
    }
}

/// Reads without waiting. A short read also clears readiness, which saves the system call that would find the socket
/// empty.
pub(crate) fn try_read(stream: &TcpStream, into: &mut [u8]) -> io::Result<usize> {
    let (size, mut count) = (into.len(), None);
    let done = stream.try_io(Interest::READABLE, || {
        let read = (&*SockRef::from(stream)).read(into)?;
        count = Some(read);
        if read > 0 && read < size { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    });
    count.map_or_else(|| done.map(|()| 0), Ok)
}

impl AsyncRead for TcpIo {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            match try_read(&self.0, into.initialize_unfilled()) {
                Ok(count) => {
                    into.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.0.poll_read_ready(context))?;
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for TcpIo {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
