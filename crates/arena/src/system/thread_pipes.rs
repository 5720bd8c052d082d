//! Pipes of a child process on a system that cannot wait for several pipes, or for one with a deadline: one thread reads,
//! another writes. Both end when the process does, or its pipes.

use std::{
    io::{self, ErrorKind, Read, Write},
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use parking_lot::{Condvar, Mutex};

use super::Pipe;

/// Size of a chunk of output.
const CHUNK: usize = 4096;
/// Maximum number of chunks that were read and not yet taken: a flood fills the pipe and not our memory.
const MAX_CHUNKS: usize = 16;

/// Both pipes of a process.
pub(crate) struct ThreadPipes {
    input: Arc<Input>,
    output: Receiver<Vec<u8>>,
    /// The chunk that is being read, and how much of it was.
    chunk: (Vec<u8>, usize),
    has_ended: bool,
}

#[derive(Default)]
struct Input {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Accepted, but not yet taken by the thread that writes.
    text: Vec<u8>,
    is_closed: bool,
}

impl ThreadPipes {
    pub(crate) fn new(
        stdin: impl Write + Send + 'static,
        mut stdout: impl Read + Send + 'static,
    ) -> io::Result<Self> {
        let input = Arc::new(Input::default());
        let (sender, output) = mpsc::sync_channel(MAX_CHUNKS);
        let writer = input.clone();
        thread::Builder::new().name("engine input".to_owned()).spawn(move || writer.write_all(stdin))?;
        thread::Builder::new().name("engine output".to_owned()).spawn(move || {
            let mut chunk = [0; CHUNK];
            loop {
                match stdout.read(&mut chunk) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Ok(0) | Err(_) => return,
                    Ok(read) => {
                        if sender.send(chunk[..read].to_vec()).is_err() {
                            return;
                        }
                    }
                }
            }
        })?;
        Ok(Self { input, output, chunk: (Vec::new(), 0), has_ended: false })
    }

    /// Accepts all bytes, or fails with `WouldBlock` if earlier ones wait to be written.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.input.state.lock();
        if state.is_closed {
            return Err(ErrorKind::BrokenPipe.into());
        }
        if !state.text.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        state.text.extend_from_slice(bytes);
        self.input.changed.notify_all();
        Ok(bytes.len())
    }

    /// Reads what is there, or fails with `WouldBlock`; 0 at the end of the output.
    pub(crate) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let (chunk, taken) = &mut self.chunk;
        let rest = &chunk[*taken..];
        if rest.is_empty() {
            return if self.has_ended { Ok(0) } else { Err(ErrorKind::WouldBlock.into()) };
        }
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        *taken += count;
        Ok(count)
    }

    /// Waits until the pipe is readable or writable, or closed. Returns false after the timeout.
    pub(crate) fn wait(&mut self, pipe: Pipe, timeout: Duration) -> bool {
        match pipe {
            Pipe::Input => {
                let mut state = self.input.state.lock();
                let is_full = |state: &mut State| !state.text.is_empty() && !state.is_closed;
                !self.input.changed.wait_while_for(&mut state, is_full, timeout).timed_out()
            }
            Pipe::Output if self.has_ended || self.chunk.1 < self.chunk.0.len() => true,
            Pipe::Output => match self.output.recv_timeout(timeout) {
                Ok(chunk) => {
                    self.chunk = (chunk, 0);
                    true
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => {
                    self.has_ended = true;
                    true
                }
            },
        }
    }
}

impl Input {
    /// Writes what is accepted until the pipe is closed, here or by the process.
    fn write_all(&self, mut stdin: impl Write) {
        loop {
            let mut state = self.state.lock();
            self.changed.wait_while(&mut state, |state| state.text.is_empty() && !state.is_closed);
            let text = std::mem::take(&mut state.text);
            if text.is_empty() {
                return;
            }
            self.changed.notify_all();
            drop(state);
            if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
                self.close();
                return;
            }
        }
    }

    fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_all();
    }
}

/// Ends the thread that writes; the one that reads ends with the process.
impl Drop for ThreadPipes {
    fn drop(&mut self) {
        self.input.close();
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(20);

    #[test]
    fn text_passes_both_ways_until_an_end_is_closed() {
        let ((theirs_in, ours_in), (ours_out, mut theirs_out)) = (io::pipe().unwrap(), io::pipe().unwrap());
        let mut pipes = ThreadPipes::new(ours_in, ours_out).unwrap();
        let mut theirs_in = BufReader::new(theirs_in);
        assert!(!pipes.wait(Pipe::Output, SHORT));
        assert!(pipes.wait(Pipe::Input, LONG));
        assert_eq!(pipes.write(b"hello\n").unwrap(), 6);
        let mut line = String::new();
        theirs_in.read_line(&mut line).unwrap();
        assert_eq!(line, "hello\n");
        theirs_out.write_all(b"answer").unwrap();
        assert!(pipes.wait(Pipe::Output, LONG));
        let mut some = [0; 4];
        assert_eq!((pipes.read(&mut some).unwrap(), &some), (4, b"answ"));
        assert_eq!((pipes.read(&mut some).unwrap(), &some[..2]), (2, &b"er"[..]));
        assert_eq!(pipes.read(&mut some).unwrap_err().kind(), ErrorKind::WouldBlock);
        drop(theirs_out);
        assert!(pipes.wait(Pipe::Output, LONG));
        assert_eq!(pipes.read(&mut some).unwrap(), 0);
        // Dropping our end closes their input.
        drop(pipes);
        line.clear();
        assert_eq!(theirs_in.read_line(&mut line).unwrap(), 0);
    }

    #[test]
    fn a_process_that_does_not_read_blocks_nobody() {
        let ((theirs_in, ours_in), (ours_out, _theirs_out)) = (io::pipe().unwrap(), io::pipe().unwrap());
        let mut pipes = ThreadPipes::new(ours_in, ours_out).unwrap();
        let text = vec![b'x'; 1 << 20];
        let is_full = |error: &io::Error| error.kind() == ErrorKind::WouldBlock;
        // One text fills the pipe, the next one waits.
        let mut accepted = 0;
        while pipes.write(&text).is_ok() {
            accepted += 1;
            pipes.wait(Pipe::Input, SHORT);
        }
        assert_eq!(accepted, 2);
        assert!(pipes.write(&text).is_err_and(|error| is_full(&error)));
        // Then it closes its input.
        drop(theirs_in);
        assert!(pipes.wait(Pipe::Input, LONG));
        let closed = (0..100).find_map(|_| {
            pipes.wait(Pipe::Input, SHORT);
            pipes.write(&text).err().filter(|error| !is_full(error))
        });
        assert_eq!(closed.unwrap().kind(), ErrorKind::BrokenPipe);
    }
}
