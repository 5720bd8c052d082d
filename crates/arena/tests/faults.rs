//! Deliberately bad engines: each forfeits with the right reason, leaves no process behind, and the next game
//! is played. They are shell scripts, so that the tests depend on nothing else.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use alinea_arena::{
    Adjudication, Contestant, External, Failure, Fault, Limits, Stderr,
    bout::{self, Ending, Finished, Seated},
};
use players::Stop;
use rules::{AnyGame, Outcome, Side, Spec};

/// A file to which engines append their process ids; removed on drop.
struct Trace(PathBuf);

impl Trace {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("alinea-{test}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }

    /// Asserts that no process of the engines is left.
    fn assert_nothing_runs(&self, expected: usize) {
        let ids = fs::read_to_string(&self.0).unwrap_or_default();
        assert_eq!(ids.lines().count(), expected, "{ids}");
        for id in ids.lines() {
            // A killed process may take a moment to disappear, and stays listed until its parent has waited.
            let deadline = Instant::now() + Duration::from_secs(20);
            while is_running(id) {
                assert!(Instant::now() < deadline, "process {id} still runs");
                std::thread::yield_now();
            }
        }
    }
}

fn is_running(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or("").trim().chars().next();
    !matches!(state, None | Some('Z' | 'X'))
}

impl Drop for Trace {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// An engine that completes the handshake and runs this code for each `go`.
fn engine(on_go: &str) -> String {
    format!(
        "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
         go) {on_go};; quit) exit 0;; esac; done"
    )
}

fn external(script: &str) -> String {
    // Quoted for the shell.
    format!("Bad=external:sh -c '{script}'")
}

fn limits() -> Limits {
    Limits { movetime_ms: Some(100), margin_ms: 2000, timeout_ms: 20_000, ..Limits::default() }
}

/// Plays the engine as first against `greedy`.
fn play(seat: &mut Seated, limits: &Limits) -> Finished {
    let game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
    let opponent: Contestant = "greedy".parse().unwrap();
    let mut opponent = Seated::new(&opponent, &game, limits, &[], None, 1).unwrap();
    let adjudication = Adjudication::default();
    bout::play(game, [seat, &mut opponent], [limits; 2], &adjudication, [1, 2], &Stop::default(), &mut |_| {})
        .unwrap()
}

fn seat(script: &str, limits: &Limits) -> Seated {
    let game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
    let contestant: Contestant = external(script).parse().unwrap();
    Seated::new(&contestant, &game, limits, &[], None, 1).unwrap()
}

/// The fault by which this engine forfeits.
fn fault(script: &str, limits: &Limits) -> Fault {
    let mut seat = seat(script, limits);
    let finished = play(&mut seat, limits);
    assert_eq!(finished.ending.outcome(), Outcome::Win(Side::Second));
    match finished.ending {
        Ending::Forfeit { loser: Side::First, fault } => fault,
        ending => panic!("{script}: {ending:?}"),
    }
}

#[test]
fn a_crash_loses_with_the_exit_code() {
    let crash = |status: &str| Fault::Crash { status: status.to_owned() };
    assert_eq!(fault(&engine("exit 3"), &limits()), crash("exit code 3"));
    assert_eq!(fault(&engine("kill -11 $$"), &limits()), crash("signal 11"));
    assert_eq!(fault(&engine("kill -9 $$"), &limits()), crash("it was killed (signal 9)"));
}

#[test]
fn an_engine_that_closes_its_pipes_is_told_so() {
    let crash = |status: &str| Fault::Crash { status: status.to_owned() };
    let deaf = fault(&engine("exec <&-; echo bestmove 4; exec sleep 60"), &limits());
    assert_eq!(deaf, crash("it closed its standard input, but keeps running"));
    let mute = fault(&engine("exec >&-; sleep 60"), &limits());
    assert_eq!(mute, crash("it closed its standard output, but keeps running"));
}

#[test]
fn an_engine_that_does_not_start_loses() {
    for script in ["exit 1", "echo hello; exit 0"] {
        assert!(matches!(fault(script, &limits()), Fault::NoStart { .. }), "{script}");
    }
    let short_timeout = Limits { timeout_ms: 300, ..limits() };
    assert!(matches!(fault("while read -r word; do :; done", &short_timeout), Fault::NoStart { .. }));
    let game = AnyGame::from("tic-tac-toe".parse::<Spec>().unwrap());
    let missing: Contestant = "Missing=external:/no/such/engine".parse().unwrap();
    let mut missing = Seated::new(&missing, &game, &limits(), &[], None, 1).unwrap();
    let Ending::Forfeit { fault, .. } = play(&mut missing, &limits()).ending else { panic!() };
    assert_eq!(fault.to_string(), "does not start: exit code 127: there is no such command");
}

#[test]
fn illegal_and_malformed_moves_lose() {
    let illegal = fault(&engine("echo bestmove 9"), &limits());
    assert_eq!(illegal.to_string(), "illegal move 9: there is no column 9; columns are 1 to 7");
    assert!(matches!(fault(&engine("echo bestmove x"), &limits()), Fault::IllegalMove { .. }));
    for answer in ["bestmove", "bestmove 4 5", "bestmove 4 ponder"] {
        let fault = fault(&engine(&format!("echo {answer}")), &limits());
        let expected = "“bestmove” and one move".to_owned();
        assert_eq!(fault, Fault::Malformed { line: answer.to_owned(), expected });
    }
}

#[test]
fn a_flood_loses_and_does_not_fill_the_memory() {
    for flood in ["while :; do echo info string $rest; done", "exec cat /dev/zero"] {
        let long_timeout = Limits { movetime_ms: Some(60_000), ..limits() };
        assert!(matches!(fault(&engine(flood), &long_timeout), Fault::Flood { .. }), "{flood}");
    }
}

#[test]
fn a_late_move_loses() {
    // It answers only after `stop`, so its move is late.
    let script = engine("read -r stop; echo bestmove 4");
    let strict = Limits { movetime_ms: Some(50), margin_ms: 1500, ..limits() };
    assert!(matches!(fault(&script, &strict), Fault::TooSlow { allowed_ms: 50, margin_ms: 1500, .. }));
    let clock = Limits { movetime_ms: None, time_ms: Some(50), margin_ms: 1500, ..limits() };
    assert!(matches!(fault(&script, &clock), Fault::TooSlow { allowed_ms: 50, .. }));
}

#[test]
fn an_engine_that_ignores_stop_is_killed_with_its_children() {
    let trace = Trace::new("stop");
    // The engine and its long-running child record their process ids.
    let file = trace.0.display();
    let script = engine(&format!("sleep 600 & echo $$ >> {file}; echo $! >> {file}; while :; do wait; done"));
    let strict = Limits { movetime_ms: Some(50), margin_ms: 1500, ..limits() };
    assert!(matches!(fault(&script, &strict), Fault::IgnoresStop { allowed_ms: 50, .. }));
    trace.assert_nothing_runs(2);
}

#[test]
fn a_hang_loses() {
    let short_timeout = Limits { timeout_ms: 1500, ..limits() };
    let deaf = "read -r ugi; echo ugiok; while read -r word; do :; done";
    assert_eq!(fault(deaf, &short_timeout), Fault::Hang { awaited: "readyok".to_owned(), waited_ms: 1500 });
    // With a fixed depth there is no time limit for a move; only the timeout ends the wait.
    let depth = Limits { movetime_ms: None, depth: Some(4), timeout_ms: 1500, ..limits() };
    assert!(matches!(fault(&engine(":"), &depth), Fault::Hang { .. }));
}

#[test]
fn an_engine_that_does_not_read_cannot_block_the_arena() {
    // It never reads, so our writes fill the pipe.
    let blind = "echo ugiok; echo readyok; while :; do echo bestmove 1; done";
    let mut game = AnyGame::from("connect-four:64x64x16".parse::<Spec>().unwrap());
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..2000 {
        game.play(&rng.choice(game.legal_moves()).unwrap()).unwrap();
    }
    let limits = Limits { timeout_ms: 1500, ..limits() };
    let mut engine = External::new(&format!("sh -c '{blind}'"), &limits, Stderr::Discard);
    engine.new_game(&game, 1, &Stop::default()).unwrap();
    let failure = (0..100).find_map(|_| engine.choose(&game, None, &Stop::default()).err());
    let awaited = "read of its input".to_owned();
    assert_eq!(failure, Some(Failure::Fault(Fault::Hang { awaited, waited_ms: 1500 })));
}

#[test]
fn a_fault_restarts_the_engine_for_the_next_game() {
    let trace = Trace::new("again");
    // Crashes on the first `go`, afterwards plays the first column that is not full.
    let file = trace.0.display();
    let on_go = format!(
        "if [ -e {file} ]; then c=1; n=0; for m in $moves; do [ $m = $c ] && n=$((n+1)); \
         [ $n = 6 ] && {{ c=$((c+1)); n=0; }}; done; echo bestmove $c; else echo $$ >> {file}; exit 9; fi"
    );
    let script = engine(&on_go).replace("quit)", "position) moves=${rest#*moves};; quit)");
    let limits = limits();
    let mut seat = seat(&script, &limits);
    assert!(matches!(play(&mut seat, &limits).ending, Ending::Forfeit { fault: Fault::Crash { .. }, .. }));
    let second = play(&mut seat, &limits);
    assert!(!second.game.moves().is_empty(), "{:?}", second.ending);
    drop(seat);
    trace.assert_nothing_runs(1);
}

#[test]
fn resource_usage_is_measured_and_limited() {
    let busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo bestmove 9";
    let long_timeout = Limits { movetime_ms: Some(60_000), ..limits() };
    let mut seat = seat(&engine(busy), &long_timeout);
    let usage = play(&mut seat, &long_timeout).spent[0].usage.unwrap();
    assert!(usage.cpu_ms > 0 && usage.peak_kb > 100, "{usage:?}");
    let limited = Limits { cpu_s: Some(1), ..long_timeout.clone() };
    let endless = fault(&engine("while :; do :; done"), &limited);
    assert!(matches!(&endless, Fault::Crash { status } if status.contains("signal")), "{endless:?}");
}

#[test]
fn memory_counts_what_is_resident_in_all_processes() {
    let limits = Limits { movetime_ms: Some(60_000), memory_mb: Some(100), ..limits() };
    // 140 MB in a child, held until it is killed; its parent has left the tree.
    let hog = "{ head -c 150000000 /dev/zero; sleep 600; } | tail -c 140000000 > /dev/null";
    for script in [hog.to_owned(), format!("( setsid sh -c \"{hog}\" & ); sleep 600")] {
        let fault = fault(&engine(&script), &limits);
        let Fault::Memory { used_mb, limit_mb: 100 } = fault else { panic!("{fault:?}") };
        assert!((101..300).contains(&used_mb), "{fault}");
        assert_eq!(fault.to_string(), format!("too much memory: used {used_mb} MiB of 100"));
    }
    // An engine within the limit plays on.
    assert!(matches!(fault(&engine("echo bestmove 9"), &limits), Fault::IllegalMove { .. }));
}

#[test]
fn children_that_leave_the_group_are_killed_with_the_engine() {
    let trace = Trace::new("detached");
    let file = trace.0.display();
    // One in a session of its own, one that has lost its parent too, and one without an environment.
    let child = format!("echo \\$\\$ >> {file}; exec sleep 600");
    let script = engine(&format!(
        "setsid sh -c \"{child}\" & ( setsid sh -c \"{child}\" & ); setsid env -i sh -c \"{child}\" & \
         while [ \"$(cat {file} | wc -l)\" -lt 3 ]; do :; done; echo bestmove 9; wait"
    ));
    let long_timeout = Limits { movetime_ms: Some(60_000), ..limits() };
    assert!(matches!(fault(&script, &long_timeout), Fault::IllegalMove { .. }));
    trace.assert_nothing_runs(3);
}

#[test]
fn cancelling_the_arena_kills_its_engines() {
    let trace = Trace::new("stopped");
    let file = trace.0.display();
    let script = engine(&format!("echo $$ >> {file}; while :; do :; done"));
    let long_timeout = Limits { movetime_ms: Some(60_000), ..limits() };
    let stop = Stop::default();
    let mut seat = seat(&script, &long_timeout);
    let game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
    let mut opponent = Seated::new(&"random".parse().unwrap(), &game, &long_timeout, &[], None, 1).unwrap();
    let path = trace.0.clone();
    let raiser = stop.clone();
    let watcher = std::thread::spawn(move || {
        // The file appears when the engine has started to think.
        while fs::read_to_string(&path).map_or(true, |text| !text.ends_with('\n')) {
            std::thread::yield_now();
        }
        raiser.cancel();
    });
    let (seats, off) = ([&mut seat, &mut opponent], Adjudication::default());
    assert!(bout::play(game, seats, [&long_timeout; 2], &off, [1, 2], &stop, &mut |_| {}).is_none());
    watcher.join().unwrap();
    trace.assert_nothing_runs(1);
}
