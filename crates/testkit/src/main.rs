//! A PostgreSQL cluster for tests that are not written in Rust: answers `database`, `stop` and `start`, a line each,
//! and ends with its standard input.

use std::io::{self, BufRead, Write};

use alinea_testkit::Postgres;

fn main() -> io::Result<()> {
    let mut cluster = Postgres::start();
    for line in io::stdin().lock().lines() {
        let answer = match line?.as_str() {
            "database" => cluster.database(),
            "stop" => {
                cluster.stop();
                "stopped".to_owned()
            }
            "start" => {
                cluster.start_again();
                "started".to_owned()
            }
            other => format!("there is no “{other}”"),
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}
