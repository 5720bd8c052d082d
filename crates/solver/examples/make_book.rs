//! Makes the book of openings: `make_book PLIES JOURNAL BOOK [MEGABYTES]`. Started again with the same
//! journal, it goes on where it was.

use std::{
    env,
    fs::{self, OpenOptions},
    io::{self, Write},
    sync::atomic::AtomicBool,
    time::Instant,
};

use solver::{
    Solver,
    book::{self, Entry},
};

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [plies, journal_path, book_path, rest @ ..] = &args[..] else {
        return Err(io::Error::other("usage: make_book PLIES JOURNAL BOOK [MEGABYTES]"));
    };
    let plies = plies.parse().map_err(io::Error::other)?;
    let megabytes: usize = rest.first().map_or(Ok(1024), |text| text.parse()).map_err(io::Error::other)?;

    // Without a journal yet, there is nothing to go on from.
    let journal = fs::read(journal_path).unwrap_or_default();
    let known = journal.as_chunks::<{ Entry::BYTES }>().0.iter().map(|&bytes| Entry::from_bytes(bytes));
    let mut file = OpenOptions::new().create(true).append(true).open(journal_path)?;
    let mut written = Ok(());

    let mut solver = Solver::new(megabytes << 20);
    let start = Instant::now();
    let book = book::make(
        plies,
        &mut solver,
        known,
        |entry| {
            if let Err(error) = file.write_all(&entry.to_bytes()) {
                written = Err(error);
            }
        },
        |now| {
            if now.done % 16 == 0 {
                eprint!(
                    "\r{} of {} positions, {:.0} s, {} nodes ",
                    now.done,
                    now.total,
                    start.elapsed().as_secs_f64(),
                    now.nodes
                );
            }
        },
        &AtomicBool::new(false),
    )
    .map_err(io::Error::other)?;
    written?;
    let bytes = book.to_bytes();
    eprintln!("\n{} entries, {} bytes, {:.0} s", book.len(), bytes.len(), start.elapsed().as_secs_f64());
    fs::write(book_path, bytes)
}
