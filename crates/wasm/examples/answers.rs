//! The core as a native program: reads a request from each line and writes its answer to one, so that tests and
//! benchmarks in Node can compare it with the core in WebAssembly.

use std::{
    io::{self, BufRead, Write},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use alinea_wasm::{Core, Host};

#[derive(Debug)]
struct System(Instant);

impl Host for System {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn unix_ms(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
    }

    fn report(&self, _: &str) {}
}

fn main() -> io::Result<()> {
    let mut core = Core::new(System(Instant::now()));
    let mut answers = io::stdout().lock();
    for request in io::stdin().lock().lines() {
        writeln!(answers, "{}", core.ask(&request?))?;
        answers.flush()?;
    }
    Ok(())
}
