//! An engine that misbehaves, for tests on every operating system: `faulty_engine KIND PORT`.
//!
//! The engine and the processes that it starts connect to `127.0.0.1:PORT`, send one line and keep the connection open:
//! when it closes, the process has ended.

use std::{
    env,
    io::{self, BufRead, Write},
    net::TcpStream,
    process::{Command, Stdio, exit},
    thread,
    time::Duration,
};

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [kind, port] = args.as_slice() else { panic!("usage: faulty_engine KIND PORT") };
    let port: u16 = port.parse().expect("a port");
    let mut life = TcpStream::connect(("127.0.0.1", port))?;
    writeln!(life, "{kind}")?;
    if kind == "child" {
        sleep();
    }
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        match line.split_whitespace().next() {
            Some("ugi") => writeln!(output, "ugiok")?,
            Some("isready") => writeln!(output, "readyok")?,
            Some("quit") => exit(0),
            Some("go") => go(kind, port)?,
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}

/// Misbehaves instead of choosing a move.
fn go(kind: &str, port: u16) -> io::Result<()> {
    match kind {
        "hang" => sleep(),
        "flood" => {
            let mut output = io::stdout().lock();
            loop {
                writeln!(output, "info string {}", "flood ".repeat(100))?;
            }
        }
        "exit" => exit(0),
        "crash" => exit(7),
        "abort" => std::process::abort(),
        // The child of an orphan outlives its parent; it shares nothing with it.
        "parent" | "orphan" => {
            let mut child = Command::new(env::current_exe()?);
            child.args(["child", &port.to_string()]);
            child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            #[allow(clippy::zombie_processes, reason = "that is the fault")]
            child.spawn()?;
            if kind == "orphan" {
                exit(0);
            }
            sleep();
        }
        "memory" => {
            let hoard: Vec<u8> = (0..300 << 20).map(|i| i as u8).collect();
            sleep();
            drop(hoard);
        }
        "busy" => loop {
            std::hint::spin_loop();
        },
        _ => println!("bestmove nonsense"),
    }
    Ok(())
}

fn sleep() {
    loop {
        thread::sleep(Duration::from_secs(60));
    }
}
