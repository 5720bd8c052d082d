//! TCP connections as they are handed to hyper, and taken back after an upgrade.

use std::{
    any::Any,
    io::{self, Read},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncWrite, Interest, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};

/// A value in the extensions of a request that lives as long as the connection, even after the upgrade to a
/// WebSocket: for example, the permit of a semaphore that limits the number of connections.
#[derive(Clone)]
pub struct ConnectionGuard(pub Arc<dyn Any + Send + Sync>);

/// A TCP connection to be served by hyper, from which an upgraded connection can be recovered. A write fails if the peer
/// reads nothing for too long.
pub struct TcpIo {
    stream: TcpStream,
    write_timeout: Duration,
    /// Ends the write that waits for the peer.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl TcpIo {
    /// Wraps a connection.
    #[must_use]
    pub fn new(stream: TcpStream, write_timeout: Duration) -> Self {
        Self { stream, write_timeout, alarm: None }
    }

    /// The connection.
    #[must_use]
    pub fn into_inner(self) -> TcpStream {
        self.stream
    }

    /// Passes on the result of a write, or fails if the peer has read nothing for too long.
    fn bounded(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.alarm = None;
            return written;
        }
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep(self.write_timeout)));
        alarm.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
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
            match try_read(&self.stream, into.initialize_unfilled()) {
                Ok(count) => {
                    into.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.stream.poll_read_ready(context))?;
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
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.bounded(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.bounded(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (ours, theirs) =
            tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        (ours.unwrap(), theirs.unwrap().0)
    }

    #[tokio::test]
    async fn a_write_to_a_peer_that_does_not_read_fails() {
        let (ours, theirs) = pair().await;
        let mut ours = TcpIo::new(ours, Duration::from_millis(50));
        let part = vec![0; 1 << 20];
        let error = loop {
            if let Err(error) = ours.write_all(&part).await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(theirs);
    }

    #[tokio::test]
    async fn a_peer_that_reads_gets_all() {
        let (ours, mut theirs) = pair().await;
        let mut ours = TcpIo::new(ours, Duration::from_secs(60));
        let part = vec![7; 1 << 24];
        let written = async {
            ours.write_all(&part).await.unwrap();
            drop(ours);
        };
        let mut all = Vec::new();
        let ((), read) = tokio::join!(written, theirs.read_to_end(&mut all));
        assert_eq!(read.unwrap(), 1 << 24);
        assert!(all.iter().all(|&byte| byte == 7));
    }
}
