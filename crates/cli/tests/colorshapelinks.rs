//! The ColorShapeLinks competition: its two tracks as tournaments, and an agent in C# that plays through the adapter in
//! `examples/colorshapelinks`.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::common::{Run, alinea};
use rules::{AnyGame, Outcome, Side, Spec};
use serde_json::Value;
use testkit::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn ok(args: &[&str]) -> Run {
    let run = alinea(args, "");
    assert_eq!(run.code, Some(0), "{args:?}: {}{}", run.stdout, run.stderr);
    run
}

/// The report of a track as it stands.
fn track(name: &str) -> Value {
    let (folder, file) = (Folder::new(), root().join("tournaments").join(name));
    let out = folder.path().join("out");
    let args = ["tournament", file.to_str().unwrap(), "--json", "--out", out.to_str().unwrap()];
    serde_json::from_str(&ok(&args).stdout).unwrap()
}

/// Checks that both tracks share: any two players meet twice, and each of them begins once.
fn check(report: &Value, players: usize) {
    let standings = report["standings"].as_array().unwrap();
    assert_eq!(standings.len(), players, "{report}");
    for standing in standings {
        let tally = &standing["all"];
        let [wins, draws, losses] = ["wins", "draws", "losses"].map(|kind| tally[kind].as_f64().unwrap());
        assert_eq!(wins + draws + losses, 2.0 * (players as f64 - 1.0), "{standing}");
        assert_eq!(standing["points"].as_f64().unwrap(), 3.0 * wins + draws, "{standing}");
    }
}

#[test]
fn the_base_track_is_played_with_built_in_players() {
    let report = track("colorshapelinks-base.toml");
    assert_eq!(report["game"], "simplexity:6x7x4:10+11", "{report}");
    check(&report, 4);
}

#[test]
fn the_unknown_track_is_played_on_a_board_by_lottery() {
    let report = track("colorshapelinks-unknown.toml");
    assert_eq!(report["game"], "simplexity:12x27x6:81+81", "{report}");
    check(&report, 3);
}

#[test]
fn an_agent_in_c_sharp_plays() {
    let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !has("mono") || !has("mcs") {
        eprintln!(
            "skipped: mono and mcs are not installed; apt-get install mono-runtime mono-mcs brings them"
        );
        return;
    }
    let folder = Folder::new();
    let program = folder.path().join("stub.exe");
    let source = |name: &str| root().join("examples/colorshapelinks").join(name);
    let compiled = Command::new("mcs")
        .args(["-optimize", "-warnaserror"])
        .arg(format!("-out:{}", program.display()))
        .args(["Common.cs", "Ugi.cs", "StubThinker.cs"].map(source))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let command = |rest: &str| format!("mono '{}'{rest}", program.display());

    // A loaded machine takes long to start a process; the agent itself needs no time.
    let check = ok(&["check", &command(""), "simplexity", "--games", "2", "--movetime", "2000"]);
    assert!(check.stdout.contains("all 13 checks passed"), "{}", check.stdout);
    // Another board, class and Setup.
    let args = [&command(" Alinea.Examples.StubThinker 7"), "simplexity:9x14x5:31+32"];
    ok(&["check", args[0], args[1], "--games", "2", "--movetime", "2000"]);
    let stub = format!("Stub=external:{}", command(""));
    let played =
        ok(&["match", &stub, "random", "simplexity", "--pairs", "4", "--movetime", "2000", "--json"]);
    let report: Value = serde_json::from_str(&played.stdout).unwrap();
    let stub = &report["standings"][0];
    assert_eq!((&stub["name"], &stub["forfeits"]), (&"Stub".into(), &0.into()), "{report}");

    board_agrees_with_the_rules(&program);

    let unknown = alinea(&["check", &command(" Nothing"), "simplexity"], "");
    assert!(
        unknown
            .stderr
            .contains("name one class as the first argument; there are Alinea.Examples.StubThinker")
    );
}

/// Asks the adapter for the result of random games, from the start and from a written position in the middle.
fn board_agrees_with_the_rules(program: &Path) {
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut questions, mut expected) = (String::new(), Vec::new());
    for spec in ["simplexity:6x7x4:10+11", "simplexity:4x4x4:4+4", "simplexity:9x14x5:31+32"] {
        questions += &format!("setoption name Game value {spec}\n");
        for _ in 0..100 {
            let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
            let written_at = rng.u16(..12);
            let mut start = "startpos".to_owned();
            let mut since = Vec::new();
            while let Some(m) = rng.choice(game.legal_moves()) {
                game.play(&m).unwrap();
                since.push(m);
                if game.ply() == written_at {
                    start = format!("fen {}", game.position());
                    since.clear();
                }
            }
            questions += &format!("position {start} moves {}\nquery result\n", since.join(" "));
            expected.push(match game.outcome() {
                Some(Outcome::Win(Side::First)) => "response p1win",
                Some(Outcome::Win(Side::Second)) => "response p2win",
                Some(Outcome::Draw) => "response draw",
                None => "response none",
            });
        }
    }
    let run = crate::common::finish(Command::new("mono").arg(program), questions.as_bytes());
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), expected);
    assert!(
        ["p1win", "p2win", "draw"].iter().all(|result| run.stdout.contains(result)),
        "every result occurs"
    );
}
