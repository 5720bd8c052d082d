//! The example `learn` from end to end, with few games: the same arguments give the same games and weights, and players can
//! use them.

use std::{fs, path::Path, process::Command};

fn learn(folder: &Path, args: &[&str]) -> Result<String, String> {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().parent().unwrap().join("examples/learn");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    let output = Command::new(program).args(args).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn a_tiny_training_runs_from_end_to_end() {
    let folder = std::env::temp_dir().join(format!("alinea-learn-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let learn = |args: &[&str]| learn(&folder, args);
    let games = || learn(&["games", "60", "60", "1"]).unwrap();
    assert_eq!(games(), games());
    fs::write(folder.join("0.games"), games()).unwrap();

    let report = learn(&["train", "1.bin", "0.games"]).unwrap();
    let loss = |epoch: &str| -> f64 {
        let line = report.lines().find(|line| line.starts_with(epoch)).unwrap();
        line.split(['s', ',']).find_map(|word| word.trim().parse().ok()).expect("a loss")
    };
    assert!(loss("epoch 8") < loss("epoch 1"), "{report}");
    learn(&["train", "again.bin", "0.games"]).unwrap();
    assert_eq!(fs::read(folder.join("1.bin")).unwrap(), fs::read(folder.join("again.bin")).unwrap());

    // The next generation, and a match.
    assert_ne!(learn(&["games", "60", "60", "1", "1.bin"]).unwrap(), games());
    let played = learn(&["match", "2", "nodes=50", "1.bin", "none"]).unwrap();
    assert!(played.contains("2 pairs"), "{played}");

    fs::write(folder.join("bad.games"), "1 h8 z99:x\n").unwrap();
    assert_eq!(learn(&["train", "2.bin", "bad.games"]), Err("bad.games, line 1: not a game\n".into()));
    fs::write(folder.join("bad.bin"), "ALNW").unwrap();
    assert!(learn(&["match", "1", "nodes=50", "bad.bin", "none"]).unwrap_err().starts_with("bad.bin: "));
    fs::remove_dir_all(&folder).unwrap();
}
