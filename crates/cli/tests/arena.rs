//! Matches, tournaments and engines, run as a user would.

use std::{
    collections::HashSet,
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::common::{Run, alinea};
use serde_json::Value;

/// A directory that is removed on drop.
struct Place(PathBuf);

impl Place {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("alinea-cli-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `alinea engine` as an external player.
fn engine(game: &str, player: &str) -> String {
    format!("external:'{}' engine {game} {player}", env!("CARGO_BIN_EXE_alinea"))
}

fn ok(args: &[&str]) -> Run {
    let run = alinea(args, "");
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
    run
}

#[test]
fn a_match_reports_the_stronger_player() {
    let run = ok(&["match", "smart:3", "random", "connect-four", "--pairs", "10", "--seed", "3"]);
    assert!(run.stdout.contains("| 1 | smart:3 |"), "{}", run.stdout);
    assert!(run.stderr.contains("20 of 20 games"), "{}", run.stderr);
    let same = ok(&["match", "smart:3", "random", "connect-four", "--pairs", "10", "--seed", "3"]);
    assert_eq!(same.stdout, run.stdout);
    let json = ok(&["match", "smart:3", "random", "connect-four", "--pairs", "10", "--seed", "3", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["standings"][0]["name"], "smart:3");
    assert_eq!(report["games"].as_array().map(Vec::len), Some(20));
}

#[test]
fn a_match_is_about_its_first_player() {
    let run = ok(&["match", "random", "smart:3", "connect-four", "--pairs", "10", "--seed", "3"]);
    let row = run.stdout.lines().find(|line| line.starts_with("| random | smart:3 |")).unwrap();
    assert!(row.contains("| −") || row.contains("| -"), "random is the weaker one: {row}");
}

#[test]
fn a_player_that_never_starts_ends_the_match() {
    let folder = Place::new("never-starts");
    let out = folder.path("out");
    let args =
        ["match", "X=external:no-such-engine", "random", "connect-four", "--pairs", "50", "--out", &out];
    let run = alinea(&args, "");
    assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""), "{}", run.stderr);
    assert!(
        run.stderr.contains("X does not start: exit code 127: there is no such command"),
        "{}",
        run.stderr
    );
    let journal = fs::read_to_string(format!("{out}/journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 1, "no forfeit is recorded: {journal}");
}

#[test]
fn one_folder_has_one_run_at_a_time() {
    let folder = Place::new("one-run");
    let out = folder.path("out");
    let args = ["match", "random", "greedy", "connect-four", "--pairs", "2", "--out", &out];
    let first = ok(&args);
    let journal = fs::File::open(format!("{out}/journal.jsonl")).unwrap();
    journal.lock().unwrap();
    let second = alinea(&args, "");
    assert_eq!(second.code, Some(2));
    assert!(second.stderr.contains("another run uses the journal"), "{}", second.stderr);
    journal.unlock().unwrap();
    assert_eq!(ok(&args).stdout, first.stdout);
}

#[test]
fn repeated_games_are_evidence_once() {
    let args = ["match", "greedy", "smart:4", "connect-four", "--pairs", "5", "--openings", "empty"];
    let run = ok(&args);
    assert!(run.stdout.contains("8 of the 10 games repeat earlier ones"), "{}", run.stdout);
    let row = run.stdout.lines().find(|line| line.starts_with("| greedy | smart:4 |")).unwrap();
    let pairs: u32 =
        row.split('|').nth(3).unwrap().split_whitespace().map(|n| n.parse::<u32>().unwrap()).sum();
    assert_eq!(pairs, 1, "{row}");
}

#[test]
fn a_short_file_of_openings_is_named() {
    let folder = Place::new("short-file");
    let file = folder.path("openings.txt");
    fs::write(&file, "4 4\n4 5\n").unwrap();
    let openings = format!("file:{file}");
    let run = ok(&["match", "random", "greedy", "connect-four", "--pairs", "3", "--openings", &openings]);
    assert!(run.stderr.contains("there are 2 openings for 3 pairs"), "{}", run.stderr);
}

#[test]
fn the_dialogue_with_an_engine_is_logged_on_request() {
    let place = Place::new("dialogue");
    let script = "while read -r word rest; do case $word in ugi) echo id name Test; echo ugiok;; isready) echo readyok;; \
                  go) echo thinking >&2; echo bestmove 1;; quit) exit;; esac; done";
    let player = format!("Mine=external:sh -c '{script}'");
    let log = place.path("dialogue.txt");
    ok(&["match", &player, "greedy", "connect-four", "--pairs", "1", "--movetime", "10000", "--log", &log]);
    let log = fs::read_to_string(log).unwrap();
    for part in
        ["Mine > ugi\n", "Mine < ugiok\n", "Mine > go movetime", "Mine < bestmove 1\n", "Mine ! thinking\n"]
    {
        assert!(log.contains(part), "{part}: {log}");
    }
    let place = place.path("none/dialogue.txt");
    let run = alinea(&["match", "random", "greedy", "connect-four", "--log", &place], "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("cannot create"), "{}", run.stderr);
}

#[test]
fn an_engine_takes_its_own_defaults() {
    let run = alinea(&["engine", "connect-four"], "ugi\nisready\n");
    let option =
        run.stdout.lines().find_map(|line| line.strip_prefix("option name Player type string default "));
    let input = format!("setoption name Player value {}\nisready\n", option.unwrap());
    let run = alinea(&["engine", "connect-four", "random"], &input);
    assert_eq!(run.stdout, "readyok\n");
}

/// The runtime of an engine may need a while to end, above all on a busy machine.
#[test]
fn a_check_waits_for_an_engine_that_exits_slowly() {
    let engine = format!("'{}' engine tic-tac-toe random; sleep 1", env!("CARGO_BIN_EXE_alinea"));
    let check = ok(&["check", &engine, "tic-tac-toe", "--games", "1", "--movetime", "2000"]);
    assert!(check.stdout.contains("ok    exits after quit"), "{}", check.stdout);
}

#[test]
fn alinea_engine_plays_as_an_external_player_in_every_game() {
    for (game, player) in [
        ("tic-tac-toe", "perfect"),
        ("connect-four:7x9x5", "greedy"),
        ("simplexity", "random"),
        ("chess-five", "random"),
    ] {
        let external = format!("Outside={}", engine(game, player));
        let run = ok(&["match", &external, "random", game, "--pairs", "2", "--movetime", "10000"]);
        assert!(run.stdout.contains("| Outside |") && !run.stdout.contains("Forfeits"), "{}", run.stdout);
    }
}

#[test]
fn a_player_plays_the_same_built_in_and_external() {
    let place = Place::new("same");
    let external = format!("Outside={}", engine("connect-four", "smart:2"));
    for (name, player) in [("in", "Outside=smart:2"), ("out", external.as_str())] {
        ok(&[
            "match",
            player,
            "greedy",
            "connect-four",
            "--pairs",
            "3",
            "--movetime",
            "10000",
            "--out",
            &place.path(name),
        ]);
    }
    // The moves with the engine's evaluations, except the times.
    let games = |name: &str| -> Vec<(Value, Vec<[Value; 3]>)> {
        let games = ok(&["inspect", "--games", &place.path(&format!("{name}/games.txt"))]).stdout;
        let games = games.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let said = |said: &Value| ["score", "depth", "nodes"].map(|field| said[field].clone());
        games
            .map(|game| {
                let said = game["evaluations"].as_array().unwrap().iter().map(said);
                (game["moves"].clone(), said.filter(|said| !said[0].is_null()).collect())
            })
            .collect()
    };
    assert_eq!(games("in"), games("out"));
}

/// Whether a process runs.
fn is_running(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    !matches!(stat.rsplit(')').next().unwrap_or("").trim().chars().next(), None | Some('Z' | 'X'))
}

#[test]
fn engines_end_when_the_arena_is_killed() {
    let place = Place::new("arena-killed");
    let ids = place.path("ids");
    // It does not look at its input, and has a child in a session of its own.
    let script = format!(
        "echo ugiok; echo readyok; echo $$ >> {ids}; ( setsid sh -c \"echo \\$\\$ >> {ids}; exec sleep 600\" & ); \
         while :; do sleep 1; done"
    );
    let player = format!("X=external:sh -c '{script}'");
    let mut arena = Command::new(env!("CARGO_BIN_EXE_alinea"))
        .args(["match", &player, "random", "connect-four", "--movetime", "600000"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let started = loop {
        let text = fs::read_to_string(&ids).unwrap_or_default();
        if text.lines().count() == 2 && text.ends_with('\n') {
            break text;
        }
        assert!(Instant::now() < deadline, "the engine does not start");
        std::thread::yield_now();
    };
    assert!(started.lines().all(is_running), "{started}");
    // SIGKILL: it cannot clean up.
    arena.kill().unwrap();
    arena.wait().unwrap();
    while started.lines().any(is_running) {
        assert!(Instant::now() < deadline, "a process of {started} still runs");
        std::thread::yield_now();
    }
}

#[test]
fn our_engine_plays_within_little_memory() {
    let player = format!("Mine={}", engine("connect-four", "engine:nodes=2000"));
    let run = ok(&["match", &player, "random", "connect-four", "--pairs", "1", "--memory", "256"]);
    assert!(!run.stdout.contains("Forfeits"), "{}", run.stdout);
}

#[test]
fn finished_games_are_reported_on() {
    let place = Place::new("report");
    let out = place.path("out");
    let played = ok(&["match", "smart:2", "greedy", "connect-four", "--pairs", "4", "--out", &out, "--json"]);
    let again = ok(&["report", &format!("{out}/games.txt"), "--json", "--out", &place.path("again")]);
    let read = |run: &Run| serde_json::from_str::<Value>(&run.stdout).unwrap();
    for field in ["cross_table", "duels", "first_side", "repeated"] {
        assert_eq!(read(&again)[field], read(&played)[field], "{field}");
    }
    assert!(fs::read_to_string(place.path("again/report.html")).unwrap().contains("replayed from"));
    let bad = place.file("bad.txt", "[Game \"connect-four\"]\n\n1. 4 4 4 4 4 4 4 1-0\n");
    let run = alinea(&["report", &bad], "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("game 1: column 4 is full"), "{}", run.stderr);
}

#[test]
fn our_engine_ponders() {
    let moves = "4 4 4";
    let commands = format!(
        "setoption name Ponder value true\nposition startpos moves {moves}\ngo ponder movetime 50\nisready\nponderhit\n"
    );
    let run = alinea(&["engine", "connect-four", "smart:4"], &commands);
    let lines: Vec<_> = run.stdout.lines().collect();
    let (ready, best) = (
        lines.iter().position(|line| *line == "readyok").unwrap(),
        lines.iter().position(|line| line.starts_with("bestmove ")).unwrap(),
    );
    // It may have been ready long before, but says nothing until the move is played.
    assert!(ready < best, "{}", run.stdout);
    let words: Vec<_> = lines[best].split(' ').collect();
    assert!(matches!(words[..], ["bestmove", _, "ponder", _]), "{}", run.stdout);
    let game = ["match", "X", "greedy", "connect-four", "--pairs", "2", "--movetime", "2000", "--ponder"];
    let player = format!("X={}", engine("connect-four", "smart:4"));
    let game = game.map(|word| if word == "X" { player.as_str() } else { word });
    let run = ok(&game);
    assert!(!run.stdout.contains("Forfeits"), "{}", run.stdout);
}

#[test]
fn games_end_early_on_request() {
    let game = ["match", "smart:3", "greedy", "connect-four", "--pairs", "3"];
    let run = ok(&[&game[..], &["--resign", "1000,2,both", "--draw", "0,2,30", "--exact", "8"]].concat());
    assert!(run.stdout.contains("games were adjudicated: "), "{}", run.stdout);
    assert!(run.stdout.contains("for 2 moves, and the other side agrees; drawn if both"), "{}", run.stdout);
    for (option, value) in [("--resign", "400"), ("--draw", "1,2"), ("--exact", "x"), ("--resign", "1,2,x")] {
        assert_eq!(alinea(&[&game[..], &[option, value]].concat(), "").code, Some(2), "{option} {value}");
    }
}

#[test]
fn external_players_choose_and_play() {
    let player = engine("connect-four", "smart:5");
    let inside: Value =
        serde_json::from_str(&ok(&["choose", "smart:5", "connect-four", "44"]).stdout).unwrap();
    let outside: Value =
        serde_json::from_str(&ok(&["choose", &player, "connect-four", "44"]).stdout).unwrap();
    for field in ["move", "score", "line", "nodes", "depth"] {
        assert_eq!(inside[field], outside[field], "{field}");
    }
    let named = format!("Mine={player}");
    let run = ok(&["play", "connect-four", "--first", &named, "--second", "greedy", "--pace", "0"]);
    assert!(run.stdout.contains("(Mine)") && run.stdout.contains(" won. "), "{}", run.stdout);
}

#[test]
fn a_failing_external_player_forfeits_in_play_and_is_an_error_in_choose() {
    let run = ok(&["play", "tic-tac-toe", "--first", "X=external:false", "--second", "oxo"]);
    assert!(run.stdout.contains("X gave no move: does not start"), "{}", run.stdout);
    let run = alinea(&["choose", "external:false", "tic-tac-toe"], "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("does not start: exit code 1"), "{}", run.stderr);
}

#[test]
fn an_engine_answers_every_command() {
    let input = "ugi\nisready\nuginewgame\nsetoption name Seed value 3\nposition startpos moves 4 4 5 5 6 6\n\
                 query p1turn\nquery gameover\nquery result\nnonsense\ngo depth 4\n";
    let run = alinea(&["engine", "connect-four", "smart:4"], input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<_> = run.stdout.lines().collect();
    for line in ["ugiok", "readyok", "response true", "response false", "response none"] {
        assert!(lines.contains(&line), "{line}: {}", run.stdout);
    }
    assert!(matches!(lines.last(), Some(&"bestmove 3" | &"bestmove 7")), "{}", run.stdout);
}

#[test]
fn an_engine_tells_proofs_and_bounds() {
    let proved =
        alinea(&["engine", "connect-four", "perfect"], "position startpos moves 4 4 5 5 6 6\ngo\n").stdout;
    assert!(proved.contains(" score mate 1 ") && proved.contains("bestmove "), "{proved}");
    let lost =
        alinea(&["engine", "connect-four", "perfect"], "position startpos moves 4 1 5 1 6\ngo\n").stdout;
    assert!(lost.contains(" score mate -1 "), "{lost}");
    // Stopped at once, on a board that takes hours to solve.
    let open =
        alinea(&["engine", "connect-four:7x8", "perfect"], "position startpos moves 4 4\ngo\nstop\n").stdout;
    let bounds = ["lowerbound", "upperbound"].map(|bound| open.lines().find(|line| line.contains(bound)));
    for line in bounds {
        assert!(line.is_some_and(|line| line.contains(" score ") && line.contains(" pv ")), "{open}");
    }
    assert!(
        open.lines().any(|line| line.starts_with("bestmove ")) && !open.contains("info string"),
        "{open}"
    );
}

#[test]
fn an_engine_survives_invalid_input() {
    let input = b"ugi\n\xff\xfe\n\ngo movetime x\nposition fen x w\nposition startpos moves 9\nsetoption name Game \
                  value ludo\nsetoption name Player value nobody\nsetoption name Seed value -1\ngo p1time 1 p2time \
                  18446744073709551615 p1inc 18446744073709551615 p2inc 0\nstop\nstop\nisready\n";
    let run = alinea(&["engine", "connect-four", "greedy"], input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(
        run.stdout.contains("there is no game “ludo”") && run.stdout.contains("bestmove "),
        "{}",
        run.stdout
    );
}

/// Starts an engine with pipes to send and receive lines.
fn talk(args: &[&str]) -> (Child, impl FnMut(&str), impl FnMut(&str) -> String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alinea"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let send = move |line: &str| writeln!(input, "{line}").unwrap();
    let await_line =
        move |word: &str| output.by_ref().map(Result::unwrap).find(|line| line.starts_with(word)).unwrap();
    (child, send, await_line)
}

#[test]
fn a_thinking_engine_handles_stop_and_quit() {
    let (mut child, mut send, mut await_line) = talk(&["engine", "connect-four:20x20", "smart:8"]);
    send("go infinite");
    send("isready");
    await_line("readyok");
    send("stop");
    let answer = await_line("bestmove");
    assert_eq!(answer.split_whitespace().count(), 2, "{answer}");
    send("go infinite");
    send("quit");
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_engine_can_change_its_game() {
    let (mut child, mut send, mut await_line) = talk(&["engine", "tic-tac-toe"]);
    send("setoption name Game value connect-four:8x9x5");
    send("position startpos moves 9 9");
    send("go movetime 5000");
    await_line("bestmove");
    send("quit");
    assert!(child.wait().unwrap().success());
}

#[test]
fn check_reports_each_point_and_its_fix() {
    let good = engine("connect-four", "greedy");
    let run = ok(&["check", good.strip_prefix("external:").unwrap(), "connect-four", "--movetime", "5000"]);
    assert!(run.stdout.contains("checks passed") && !run.stdout.contains("FAIL"), "{}", run.stdout);
    assert!(run.stdout.contains("answers query result"), "{}", run.stdout);

    let run = alinea(&["check", "false", "connect-four"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("FAIL  starts") && run.stdout.contains("fix: read lines"), "{}", run.stdout);

    let bad = "sh -c 'while read -r w r; do case $w in ugi) echo ugiok;; isready) echo readyok;; \
               go) echo bestmove 1;; quit) exit;; esac; done'";
    let run = alinea(&["check", bad, "connect-four", "--movetime", "5000"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("column 1 is full"), "{}", run.stdout);
    assert!(run.stdout.contains("in the game 1 "), "{}", run.stdout);
    assert!(run.stderr.contains("1 of 10 checks failed"), "{}", run.stderr);
}

#[test]
fn the_python_template_passes_the_check() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|run| run.status.success()) {
        eprintln!("python3 is not here: its template was not checked");
        return;
    }
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/template_player.py");
    assert!(fs::read_to_string(&template).unwrap().lines().count() < 60);
    let command = format!("python3 '{}'", template.display());
    let run = ok(&["check", &command, "connect-four", "--movetime", "5000"]);
    assert!(run.stdout.contains("checks passed"), "{}", run.stdout);
}

#[test]
fn the_rust_template_passes_the_check() {
    let place = Place::new("template");
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/template_player.rs");
    assert!(fs::read_to_string(&template).unwrap().lines().count() < 60);
    let binary = place.path("template");
    let compiled = Command::new("rustc").args(["--edition", "2024", "-o", &binary]).arg(&template).status();
    assert!(compiled.unwrap().success());
    let run = ok(&["check", &binary, "connect-four", "--movetime", "5000"]);
    assert!(run.stdout.contains("checks passed"), "{}", run.stdout);
}

const CUP: &str = "game = 'connect-four'\nplayers = ['greedy', 'smart:5', 'Old=smart:4']\npairs = 120\n\
                   openings = 'random:4'\nconcurrency = 2\n";

/// The slots in a journal; each line but the first is a complete record.
fn slots(journal: &Path) -> Vec<[u64; 4]> {
    let text = fs::read_to_string(journal).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let slot = |line: &str| {
        let game: Value = serde_json::from_str(line).unwrap();
        ["round", "pairing", "pair", "game"].map(|field| game[field].as_u64().unwrap())
    };
    whole.lines().skip(1).map(slot).collect()
}

/// Runs a tournament until its journal has this many more games, then sends this signal.
fn interrupt(file: &str, journal: &Path, more: usize, signal: &str) -> Option<i32> {
    let before = slots(journal).len();
    let mut child = Command::new(env!("CARGO_BIN_EXE_alinea"))
        .args(["tournament", file])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while slots(journal).len() < before + more {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::yield_now();
    }
    let killed = Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap();
    assert!(killed.success());
    child.wait().unwrap().code()
}

#[test]
fn a_killed_tournament_resumes_and_counts_every_game_once() {
    let place = Place::new("killed");
    let file = place.file("cup.toml", CUP);
    let journal = place.0.join("cup.results/journal.jsonl");
    let mut kept: Vec<[u64; 4]> = Vec::new();
    for signal in ["-9", "-9", "-INT"] {
        let code = interrupt(&file, &journal, 20, signal);
        assert_eq!(code, if signal == "-INT" { Some(130) } else { None });
        let now = slots(&journal);
        assert_eq!(now[..kept.len()], kept, "finished games stay");
        kept = now;
    }
    assert!(kept.len() < 720);
    let run = ok(&["tournament", &file, "--each-game"]);
    assert!(run.stderr.contains("resuming: "), "{}", run.stderr);
    let all = slots(&journal);
    assert_eq!(all[..kept.len()], kept);
    assert_eq!((all.len(), all.iter().collect::<HashSet<_>>().len()), (720, 720));
    let report: Value =
        serde_json::from_str(&fs::read_to_string(place.0.join("cup.results/report.json")).unwrap()).unwrap();
    assert_eq!(report["games"].as_array().unwrap().len(), 720);
    let played: u64 = report["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            ["wins", "draws", "losses"].map(|field| line["all"][field].as_u64().unwrap()).iter().sum::<u64>()
        })
        .sum();
    assert_eq!(played, 2 * 720, "each game counts once for each of its players");
    assert_eq!(fs::read_dir(place.0.join("cup.results/games")).unwrap().count(), 720);

    let inspected = ok(&["inspect", "--games", &place.path("cup.results/games.txt")]);
    assert_eq!(inspected.stdout.lines().count(), 720);
    let first: Value = serde_json::from_str(inspected.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["result"], first["outcome"]);

    fs::write(&file, CUP.replace("pairs = 120", "pairs = 121")).unwrap();
    let other = alinea(&["tournament", &file], "");
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("other settings"), "{}", other.stderr);
}

#[test]
fn bad_input_gives_one_line_and_exit_code_2() {
    let place = Place::new("bad");
    let file = |name: &str, text: &str| place.file(name, text);
    let nonsense = file("nonsense.toml", "players = 3");
    let unknown = file("unknown.toml", "game = 'ludo'\nplayers = ['random', 'greedy']");
    let empty = file("empty.txt", "");
    let broken = place.0.join("broken.toml");
    fs::write(&broken, b"\xff\xfe").unwrap();
    let broken = broken.display().to_string();
    for (args, sentence) in [
        (&["match", "random", "nobody", "connect-four"][..], "connect-four has no player “nobody”"),
        (&["match", "random", "greedy", "ludo"], "there is no game “ludo”"),
        (&["match", "random", "external:", "connect-four"], "is not a player"),
        (&["match", "random", "greedy", "connect-four", "--pairs", "0"], "pairs must be from 1"),
        (&["match", "random", "greedy", "connect-four", "--concurrency", "0"], "concurrency must be from 1"),
        (
            &["match", "random", "greedy", "connect-four", "--openings", "some"],
            "“some” is not a source of openings",
        ),
        (
            &["match", "random", "greedy", "connect-four", "--openings", "file:/no/file"],
            "cannot read the openings",
        ),
        (&["match", "random", "greedy", "connect-four", "--sprt", "5"], "expected two numbers"),
        (&["match", "random", "greedy", "connect-four", "--sprt", "5,0"], "elo0 below elo1"),
        (
            &["match", "random", "greedy", "connect-four", "--sprt", "0,5", "--alpha", "0.9"],
            "between 0 and 0.5",
        ),
        (&["match", "random", "greedy", "connect-four", "--clock", "fast"], "expected seconds"),
        (&["match", "random", "random", "lottery:1,2,3"], "five different numbers"),
        (
            &["match", "random", "greedy", "connect-four", "--out", "/dev/null/x"],
            "cannot create the directory",
        ),
        (&["tournament", "/no/such/file.toml"], "cannot read /no/such/file.toml"),
        (&["tournament", &nonsense], "line 1"),
        (&["tournament", &unknown], "there is no game “ludo”"),
        (&["tournament", &broken], "cannot read"),
        (&["engine", "ludo"], "there is no game “ludo”"),
        (&["engine", "connect-four", "nobody"], "has no player “nobody”"),
        (&["check", "true"], "<GAME>"),
        (&["inspect", "--games", "/no/such/file"], "cannot read /no/such/file"),
        (&["inspect", "--games", &empty], "the text contains no game"),
        (&["inspect", "--games", &nonsense], "has no tag"),
    ] {
        let run = alinea(args, "");
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(sentence), "{args:?}: {}", run.stderr);
    }
}
