//! The shell of one page: its commands run in order, in a folder and terminals of their own, as a reader would type
//! them.
//!
//! Only what a test cannot have is replaced: the address of a server by that of the server which the page has started,
//! the database of the examples by a temporary one, and `cargo run` by the programs that the tests have built.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use testkit::{Folder, Postgres};

use super::page::Command;

/// Timeout; only a failing test reaches it.
const TIMEOUT: Duration = Duration::from_secs(120);
/// How long a command is silent before its terminal is looked at again.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The database server of the examples.
const DATABASE: &str = "postgres://alinea@db/alinea";
/// The server of the examples, as commands and clients write it.
const ADDRESSES: [&str; 2] = ["127.0.0.1:8080", "localhost:8080"];
/// A reader's answer to a prompt that the page does not show.
const ANSWER: &str = "quit";

/// `cargo run` starts what `make test` has built.
const CARGO: &str = r#"#!/bin/sh
[ "$1" = run ] || { echo "the tests run only cargo run, not cargo $1"; exit 2; }
while [ $# -gt 0 ]; do
    case $1 in
        --bin) program=$BUILT/$2 ;;
        --example) program=$BUILT/examples/$2 ;;
        --) shift; break ;;
    esac
    shift
done
exec "$program" "$@"
"#;

pub(crate) struct Shell {
    folder: Folder,
    bash: Child,
    input: ChildStdin,
    jobs: Receiver<String>,
    commands: usize,
    /// Servers and workers, which run on.
    running: Vec<Job>,
    /// Where the server listens.
    address: Option<String>,
    database: Option<String>,
}

/// A running command in a terminal of its own.
struct Job {
    command: String,
    /// Its process group.
    group: String,
    /// What a person sees and types.
    terminal: File,
    output: Receiver<Vec<u8>>,
    printed: Vec<u8>,
    deadline: Instant,
    /// A terminal that no program has open counts as closed.
    _open: File,
}

/// What a command has printed, and its exit code.
pub(crate) struct Printed {
    pub(crate) lines: Vec<String>,
    pub(crate) code: String,
}

impl Shell {
    /// Starts a shell in a folder with the examples and tournaments of the source tree.
    pub(crate) fn start(tree: &Path) -> Shell {
        let folder = Folder::new();
        let [bin, home, work] = ["bin", "home", "work"].map(|name| folder.path().join(name));
        for folder in [&bin, &home, &work] {
            fs::create_dir(folder).expect("a new folder");
        }
        for name in ["examples", "tournaments"] {
            copy(&tree.join(name), &work.join(name));
        }
        let program = Path::new(env!("CARGO_BIN_EXE_alinea"));
        symlink(program, bin.join("alinea")).expect("a link");
        fs::write(bin.join("cargo"), CARGO).expect("a script");
        fs::set_permissions(bin.join("cargo"), PermissionsExt::from_mode(0o755)).expect("a script");
        let path = std::env::var("PATH").expect("a path");
        // A test that runs in the background of a script ignores Ctrl-C, and so would every command here.
        let mut bash = std::process::Command::new("env")
            .args(["--default-signal=INT", "bash"])
            .current_dir(&work)
            .env_clear()
            .envs([("PATH", format!("{}:{path}", bin.display())), ("HOME", home.display().to_string())])
            .env("BUILT", program.parent().expect("a folder"))
            // Engines are judged by what they do, not by how busy this machine is.
            .envs([("LC_ALL", "C.UTF-8"), ("NO_COLOR", "1"), ("ALINEA_MARGIN_MS", "20000")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("bash runs");
        let mut input = bash.stdin.take().expect("piped");
        // Each command is a job: a process group of its own, which Ctrl-C reaches.
        writeln!(input, "set -m").expect("bash reads its input");
        let lines = BufReader::new(bash.stdout.take().expect("piped")).lines();
        let (sender, jobs) = mpsc::channel();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let (running, address, database) = (Vec::new(), None, None);
        Shell { folder, bash, input, jobs, commands: 0, running, address, database }
    }

    /// Writes a file of the page.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join("work").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file of the page");
    }

    /// Runs a command until it ends, or, if the reader stops it, until it has printed enough.
    pub(crate) fn run(&mut self, command: &Command, is_enough: impl Fn(&[String]) -> bool) -> Printed {
        let is_server = command.text.starts_with("alinea serve");
        if is_server {
            self.stop_servers();
        }
        let mut job = self.begin(command);
        let mut shown = command.expected.iter().flat_map(|(shown, _)| shown);
        while !job.has_ended() {
            if !job.read() {
                continue;
            }
            if let Some(question) = job.question() {
                let answer =
                    shown.find_map(|line| line.strip_prefix(&question).filter(|answer| !answer.is_empty()));
                job.type_line(answer.unwrap_or(ANSWER));
            } else if command.is_stopped() && is_enough(&self.lines(&job)) {
                if !command.runs_on() {
                    return self.stop(job);
                }
                if let Some((_, address)) = job.text().trim_end().split_once("http://") {
                    self.address = Some(address.to_owned());
                }
                let printed = Printed { lines: self.lines(&job), code: "0".to_owned() };
                self.running.push(job);
                return printed;
            }
        }
        Printed { lines: self.lines(&job), code: job.code() }
    }

    fn begin(&mut self, command: &Command) -> Job {
        self.commands += 1;
        let script = self.folder.path().join(format!("{}.sh", self.commands));
        fs::write(&script, self.for_the_test(&command.text) + "\n").expect("a script");
        let (mut job, terminal) = Job::new(&command.text);
        // Without results to show, a program that can use the whole screen asks line by line.
        let kind = if command.expected.is_some() { "xterm" } else { "dumb" };
        let run = format!("export TERM={kind}; . {}; printf '\\0%s\\0' $?", script.display());
        if command.is_stopped() {
            let run = format!("(trap : INT; {run}) > {terminal} 2>&1 < {terminal} & echo $!");
            writeln!(self.input, "{run}").expect("bash reads its input");
            job.group = self.jobs.recv_timeout(TIMEOUT).expect("bash names the job");
        } else {
            writeln!(self.input, "{{ {run}; }} > {terminal} 2>&1 < {terminal}")
                .expect("bash reads its input");
        }
        job
    }

    /// Presses Ctrl-C and waits for the end.
    fn stop(&mut self, mut job: Job) -> Printed {
        writeln!(self.input, "kill -INT -- -{} 2> /dev/null", job.group).expect("bash reads its input");
        job.deadline = Instant::now() + TIMEOUT;
        while !job.has_ended() {
            job.read();
        }
        Printed { lines: self.lines(&job), code: job.code() }
    }

    /// Stops servers and workers, as the reader does before the next server and at the end.
    pub(crate) fn stop_servers(&mut self) {
        for job in std::mem::take(&mut self.running) {
            let stopped = self.stop(job);
            assert!(
                stopped.code == "0",
                "a server ended with exit code {}:\n{:?}",
                stopped.code,
                stopped.lines
            );
        }
        self.address = None;
    }

    /// Replaces what a test cannot have.
    fn for_the_test(&mut self, text: &str) -> String {
        let mut text = text.replace("/var/lib/alinea/", "./");
        if text.contains(DATABASE) {
            let database = self.database.get_or_insert_with(|| Postgres::shared().database());
            text = text.replace(DATABASE, &format!("'{database}'"));
        }
        if let Some(rest) = text.strip_prefix("alinea serve") {
            let words: Vec<&str> = rest.split(' ').collect();
            let is_kept = |at: &usize| words[*at] != "--listen" && (*at == 0 || words[at - 1] != "--listen");
            let kept: Vec<&str> = (0..words.len()).filter(is_kept).map(|at| words[at]).collect();
            return format!("alinea serve --listen 127.0.0.1:0{}", kept.join(" "));
        }
        match &self.address {
            Some(address) => ADDRESSES.iter().fold(text, |text, known| text.replace(known, address)),
            None => text,
        }
    }

    /// The lines on a terminal, with the address of the page.
    fn lines(&self, job: &Job) -> Vec<String> {
        let text = match &self.address {
            Some(address) => job.text().replace(address.as_str(), ADDRESSES[0]),
            None => job.text(),
        };
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines() {
            // Overwritten text is dropped.
            let (above, line) = line.split_once("A\x1b[J").unwrap_or(("", line));
            if let Some(above) = above.strip_prefix("\x1b[").and_then(|above| above.parse().ok()) {
                lines.truncate(lines.len().saturating_sub(above));
            }
            lines.push(line.trim_end().to_owned());
        }
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        // Stops the running jobs; each is a process group.
        let kill = r#"for pid in $(ps -o pid= --ppid "$1"); do kill -9 -- "-$pid"; done; kill -9 "$1""#;
        let id = self.bash.id().to_string();
        let _ = std::process::Command::new("sh").args(["-c", kill, "sh", &id]).stderr(Stdio::null()).status();
        let _ = self.bash.wait();
    }
}

impl Job {
    /// A new terminal and its path.
    fn new(command: &str) -> (Job, String) {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).expect("a terminal");
        unlockpt(&terminal).expect("a terminal");
        tcsetwinsize(&terminal, Winsize { ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 })
            .expect("a terminal");
        let path = ptsname(&terminal, Vec::new()).expect("a terminal").into_string().expect("a path");
        let terminal = File::from(terminal);
        let mut screen = terminal.try_clone().expect("a terminal");
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length) = screen.read(&mut buffer)
                && sender.send(buffer[..length].to_vec()).is_ok()
            {}
        });
        let open = File::options().read(true).write(true).open(&path).expect("a terminal");
        let (command, deadline) = (command.to_owned(), Instant::now() + TIMEOUT);
        let (group, printed) = (String::new(), Vec::new());
        (Job { command, group, terminal, output, printed, deadline, _open: open }, path)
    }

    /// Waits a little for more output. Returns whether the command is silent.
    fn read(&mut self) -> bool {
        let is_late = Instant::now() > self.deadline;
        assert!(!is_late, "`{}` did not end within {TIMEOUT:?}:\n{}", self.command, self.text());
        match self.output.recv_timeout(POLL_INTERVAL) {
            Ok(more) => {
                self.printed.extend(more);
                false
            }
            Err(_) => true,
        }
    }

    /// Whether its exit code stands at the end, between two zeros.
    fn has_ended(&self) -> bool {
        self.printed.iter().filter(|&&byte| byte == 0).count() >= 2
    }

    fn code(&self) -> String {
        let printed = String::from_utf8_lossy(&self.printed);
        printed.split('\0').nth(1).expect("an exit code").to_owned()
    }

    fn text(&self) -> String {
        let printed = String::from_utf8_lossy(&self.printed);
        printed.split('\0').next().unwrap_or_default().replace('\r', "")
    }

    /// The question that the command asks at the end of its output.
    fn question(&self) -> Option<String> {
        let text = self.text();
        let last = text.rsplit('\n').next().unwrap_or_default();
        last.ends_with(": ").then(|| last.to_owned())
    }

    /// Types a line and waits for its echo.
    fn type_line(&mut self, line: &str) {
        let before = self.printed.len();
        writeln!(self.terminal, "{line}").expect("a terminal takes input");
        while !self.printed[before..].contains(&b'\n') && !self.has_ended() {
            self.read();
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a new folder");
    for entry in fs::read_dir(from).expect("a folder of the tree") {
        let entry = entry.expect("a file of the tree");
        let name = entry.file_name();
        if entry.file_type().expect("a file of the tree").is_dir() {
            copy(&entry.path(), &to.join(name));
        } else {
            fs::copy(entry.path(), to.join(name)).expect("a copy");
        }
    }
}
