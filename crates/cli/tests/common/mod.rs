//! Runs the program as a user would.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

/// The output and exit status of the program.
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

/// Runs `alinea` with arguments and standard input.
pub(crate) fn alinea(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    finish(Command::new(env!("CARGO_BIN_EXE_alinea")).args(args), input.as_ref())
}

pub(crate) fn finish(command: &mut Command, input: &[u8]) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // The program may exit without reading all input.
    let input = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    Run {
        stdout: String::from_utf8(stdout).expect("the program prints UTF-8"),
        stderr: String::from_utf8(stderr).expect("the program prints UTF-8"),
        code: status.code(),
    }
}
