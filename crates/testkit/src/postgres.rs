//! A PostgreSQL cluster in a temporary folder. It listens on a Unix socket in that folder, so it needs no port.
//!
//! A shell script supervises the cluster. When its standard input is closed, which happens even if the test is killed,
//! it stops the cluster and deletes the folder.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::system;

/// The supervisor script. Arguments: the folder of PostgreSQL's programs, the folder of the cluster, settings.
const SUPERVISOR: &str = r#"
trap : INT TERM HUP
bin=$1 dir=$2 settings=$3
start() { "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -t 60 -o "-k $dir -c listen_addresses= $settings" start >/dev/null; }
stop() { "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null; }
answer() { if "$1"; then echo done; else tail -n 5 "$dir/log" | tr '\n' ' '; echo; fi; }
cd "$dir" || exit 1
"$bin/initdb" -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >log 2>&1
answer start
while read -r word; do answer "$word"; done
stop
rm -rf "$dir"
"#;

/// A temporary PostgreSQL cluster, stopped and deleted on drop.
pub struct Postgres {
    folder: PathBuf,
    programs: PathBuf,
    supervisor: Child,
    commands: Option<ChildStdin>,
    answers: Lines<BufReader<ChildStdout>>,
    databases: AtomicU32,
}

impl Postgres {
    /// Starts a cluster without fsync: data survives a killed process, but not a power failure.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    #[must_use]
    pub fn start() -> Postgres {
        Postgres::start_with("-F")
    }

    /// Starts a cluster with fsync, for measurements.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    #[must_use]
    pub fn start_synced() -> Postgres {
        Postgres::start_with("")
    }

    /// The cluster shared by the tests of one process. It stops with the process.
    pub fn shared() -> &'static Postgres {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(Postgres::start)
    }

    fn start_with(settings: &str) -> Postgres {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("alinea-pg-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        system::let_others_read(&folder).expect("the folder was just created");
        let programs = programs();
        let mut command = Command::new("sh");
        command.args(["-c", SUPERVISOR, "supervisor"]).arg(&programs).arg(&folder).arg(settings);
        as_postgres(&mut command, &folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut supervisor = command.spawn().expect("sh runs");
        let commands = supervisor.stdin.take();
        let answers = BufReader::new(supervisor.stdout.take().expect("piped")).lines();
        let mut postgres =
            Postgres { folder, programs, supervisor, commands, answers, databases: AtomicU32::new(0) };
        postgres.expect_done("start");
        postgres
    }

    /// The URL of a database of the cluster.
    fn url(&self, database: &str) -> String {
        format!("postgres://postgres@localhost/{database}?host={}", self.folder.display())
    }

    /// Creates an empty database and returns its URL.
    ///
    /// # Panics
    /// If the cluster is stopped.
    pub fn database(&self) -> String {
        let name = format!("alinea{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut create = Command::new(self.programs.join("createdb"));
        let status = create.arg("-h").arg(&self.folder).args(["-U", "postgres", &name]).status();
        assert!(status.expect("createdb runs").success(), "createdb {name}");
        self.url(&name)
    }

    /// Stops the cluster in immediate mode, like a crash.
    ///
    /// # Panics
    /// If it does not stop.
    pub fn stop(&mut self) {
        self.command("stop");
    }

    /// Restarts the cluster on the same data.
    ///
    /// # Panics
    /// If it does not start.
    pub fn restart(&mut self) {
        self.command("start");
    }

    fn command(&mut self, word: &str) {
        let supervisor = self.commands.as_mut().expect("present until drop");
        writeln!(supervisor, "{word}").expect("the supervisor reads its input");
        self.expect_done(word);
    }

    fn expect_done(&mut self, word: &str) {
        let answer = self.answers.next().expect("the supervisor answers").expect("in text");
        assert_eq!(answer, "done", "PostgreSQL: {word}");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.commands = None;
        // The supervisor exits by itself; an error leaves nothing to do.
        let _ = self.supervisor.wait();
    }
}

/// PostgreSQL refuses to run as root; in that case it runs as Debian's user postgres.
fn as_postgres(command: &mut Command, folder: &Path) {
    let id = |arguments: &[&str]| -> Option<u32> {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if id(&["-u"]) == Some(0) {
        let user = id(&["-u", "postgres"]).expect("the user postgres comes with the package postgresql");
        let group = id(&["-g", "postgres"]).expect("the group postgres comes with the package postgresql");
        system::run_as(command, folder, user, group).expect("root may change the owner");
    }
}

/// The folder with PostgreSQL's programs, which Debian does not put on the path.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = versions.map(|version| version.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = debian.chain(std::env::split_paths(&path)).collect();
    places.retain(|place| place.join("initdb").exists() && place.join("pg_ctl").exists());
    places.into_iter().next().expect("PostgreSQL is installed: apt-get install postgresql")
}
