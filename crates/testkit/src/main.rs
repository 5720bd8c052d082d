//! A temporary PostgreSQL cluster for tests that are not written in Rust: answers the commands `database`, `stop` and
//! `start` with one line each, and exits at the end of standard input.

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
                cluster.restart();
                "started".to_owned()
            }
            other => format!("“{other}” is not a command; expected database, stop or start"),
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}
