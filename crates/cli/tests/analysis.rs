//! Analysis, review, levels and the signature, run as a user would.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use crate::common::{Run, alinea, finish};
use serde_json::{Value, json};

fn ok(args: &[&str], input: &str) -> Run {
    let run = alinea(args, input);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{args:?}");
    run
}

fn lines(args: &[&str], input: &str) -> Vec<Value> {
    ok(args, input).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The output on a terminal.
fn on_terminal(args: &str) -> String {
    let mut command = Command::new("script");
    let program = env!("CARGO_BIN_EXE_alinea");
    command.args(["--quiet", "--return", "--command"]).arg(format!("'{program}' {args}")).arg("/dev/null");
    let run = finish(command.env("TERM", "xterm").env("NO_COLOR", "1"), b"");
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    run.stdout.replace("\r\n", "\n")
}

#[test]
fn analyse_gives_a_line_of_json_for_each_depth() {
    for game in ["connect-four:8x8x5", "simplexity", "chess-five"] {
        let assessments = lines(&["analyse", game, "--lines", "2", "--depth", "3"], "");
        let depths: Vec<_> = assessments.iter().map(|so_far| so_far["depth"].as_u64().unwrap()).collect();
        assert_eq!(depths, [1, 2, 3], "{game}");
        for field in ["nodes", "time_ms", "nodes_per_second"] {
            assert!(assessments[2][field].is_u64(), "{field}: {}", assessments[2]);
        }
        let best = assessments[2]["moves"].as_array().unwrap();
        assert_eq!(best.len(), 2);
        let [first, second] = [0, 1].map(|i| &best[i]["verdict"]);
        assert!(first["score"].as_i64() >= second["score"].as_i64());
        assert!(first["chance"].is_f64() && first["kind"] == "estimate" && best[0]["line"].is_array());
        assert!(first["advantage"].is_string(), "{first}");
    }
}

#[test]
fn analyse_starts_anywhere_and_proves_what_it_can() {
    let args = ["analyse", "connect-four", "--lines", "1", "--position", "7/7/7/7/3oo2/3xx2 w"];
    let proof = lines(&args, "");
    let last = proof.last().unwrap();
    let best = &last["moves"][0]["verdict"];
    assert_eq!(best, &json!({ "kind": "proven", "result": "win", "plies": 3 }));
    assert_eq!((&last["final"], last["moves"].as_array().unwrap().len()), (&json!(true), 7));
    let same = lines(&["analyse", "connect-four", "--depth", "5", "44", "55"], "");
    assert_eq!(&same.last().unwrap()["moves"][0]["verdict"], best);
}

#[test]
fn analyse_draws_a_table_over_itself() {
    let screen = on_terminal("analyse simplexity --depth 3 --lines 2");
    assert!(screen.contains("White to move.\n"), "{screen:?}");
    assert!(screen.contains("\x1b[4A\x1b[J\n  3 moves ahead, "), "{screen:?}");
    assert!(screen.lines().all(|line| line.chars().count() < 90), "{screen}");
    let proof = on_terminal("analyse connect-four 44556");
    assert!(proof.contains("\n  proved, "), "{proof}");
    assert!(proof.contains("loses in 1  6. "), "{proof}");
}

#[test]
fn an_unlimited_analysis_ends_on_interrupt() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alinea"))
        .args(["analyse", "chess-five"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    output.next().unwrap().unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
    assert!(output.all(|line| serde_json::from_str::<Value>(&line.unwrap()).is_ok()));
}

#[test]
fn review_marks_thrown_results() {
    // A board that is solved at once. The second player allows an open three, the first player overlooks it.
    let moves = lines(&["review", "connect-four:4x6", "4", "4", "5", "5", "1", "1", "6", "1", "3"], "");
    assert_eq!(moves.len(), 9);
    let mark = |number: usize| moves[number - 1]["mark"].clone();
    assert_eq!(mark(3), "throws-draw", "{}", moves[2]);
    assert_eq!(mark(4), "throws-win", "{}", moves[3]);
    assert_eq!(mark(5), "throws-win", "{}", moves[4]);
    assert_eq!(moves[4]["best"]["verdict"], json!({ "kind": "proven", "result": "win", "plies": 3 }));
    assert_eq!(mark(9), json!(null));
    assert_eq!((&moves[8]["loss"], &moves[8]["chance"]), (&json!(0.0), &json!(1.0)));
    assert_eq!((&moves[8]["side"], &moves[8]["number"]), (&json!("first"), &json!(9)));
    for reviewed in &moves {
        assert_eq!(reviewed["loss"].as_f64().unwrap() < 0.1, reviewed["mark"].is_null(), "{reviewed}");
        assert_eq!(reviewed["best"]["line"][0], reviewed["best"]["move"]);
    }
}

#[test]
fn review_shows_bars_and_a_summary() {
    let screen = on_terminal("review connect-four:4x6 445511613");
    assert!(screen.contains("??"), "{screen}");
    assert!(screen.contains(". Throws the win away: 3 was better ("), "{screen}");
    assert!(screen.contains("████████████████████  wins in 1\n"), "{screen}");
    assert!(screen.contains("\n  ●: "), "{screen}");
}

#[test]
fn review_draws_a_graph() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("review.svg");
    let name = path.to_str().unwrap();
    ok(&["review", "tic-tac-toe", "--svg", name, "a1", "b1", "a2", "c3"], "");
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("<circle").count(), 4);
    assert!(svg.contains("class=\"blunder\""), "{svg}");
}

#[test]
fn a_graph_that_cannot_be_written_is_a_failure_of_usage() {
    let run = alinea(&["review", "connect-four", "445", "--svg", "/nowhere/at/all.svg"], "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("alinea: cannot write /nowhere/at/all.svg: "), "{}", run.stderr);
}

#[test]
fn review_reads_the_games_of_a_tournament() {
    let text = "[Game \"tic-tac-toe\"]\n\n1. b2 a1 2. c1 a3 *\n\n[Game \"connect-four:4x4\"]\n\n1. 1 2 *\n";
    let moves = lines(&["review", "--games", "-", "--depth", "4"], text);
    let games: Vec<_> = moves.iter().map(|reviewed| reviewed["game"].as_u64().unwrap()).collect();
    assert_eq!(games, [1, 1, 1, 1, 2, 2]);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("games.txt");
    fs::write(&path, text).unwrap();
    let from_file = lines(&["review", "--games", path.to_str().unwrap(), "--depth", "4"], "");
    assert_eq!(from_file.len(), 6);
}

#[test]
fn review_answers_many_lines() {
    let answers = lines(&["review", "tic-tac-toe", "--depth", "5", "-"], "b2 a1\n\nb2 b2\n");
    assert_eq!(answers[0].as_array().unwrap().len(), 2);
    assert_eq!(answers[1], json!([]));
    assert!(answers[2]["error"].as_str().unwrap().contains("b2 is taken"));
}

/// The nodes of each game in `alinea bench`. A functional change of the search states them here, their total in
/// docs/explanation/engine.md, and both in its commit.
const NODES: [(&str, u64); 6] = [
    ("tic-tac-toe", 1628),
    ("connect-four", 1_030_503),
    ("simplexity", 49_540),
    ("chess-five", 14_106),
    ("gomoku", 9743),
    ("popout", 18_239),
];

#[test]
fn the_signature_is_unchanged() {
    let bench = |args: &[&str]| ok(&[&["bench"], args].concat(), "").stdout;
    let signature = |text: &str| text.lines().find(|line| line.starts_with("signature ")).unwrap().to_owned();
    let first = bench(&[]);
    for info in rules::GAMES.iter().filter(|info| info.id != "dummy") {
        let (game, nodes) = NODES.iter().find(|(id, _)| *id == info.id).expect(info.id);
        assert!(first.contains(&format!("{nodes:>9} nodes  {game}\n")), "{first}");
    }
    let total: u64 = NODES.iter().map(|(_, nodes)| nodes).sum();
    let told =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/explanation/engine.md")).unwrap();
    assert!(told.contains(&format!("`signature {total}`")), "docs/explanation/engine.md tells another");
    let shallow = || signature(&bench(&["--shallower", "3"]));
    assert_eq!(shallow(), shallow());
    assert!(first.contains(" nodes per second\n"));
    let nodes: u64 = first
        .lines()
        .filter(|line| line.contains(" nodes  depth "))
        .map(|line| line.split_whitespace().next().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(signature(&first), format!("signature {nodes}"));
}

#[test]
fn levels_are_listed_with_their_strength() {
    let all = ok(&["players"], "").stdout;
    assert_eq!(all.matches("level:1…").count(), rules::GAMES.len(), "{all}");
    let one = ok(&["players", "connect-four"], "").stdout;
    for level in 2..=8 {
        let name = format!("level:{level}");
        let line = one.lines().find(|line| line.split_whitespace().next() == Some(&name)).unwrap();
        assert!(line.contains(" +"), "{line}");
        assert!(line.ends_with(&format!(" % of 300 games against level:{}", level - 1)), "{line}");
    }
}

#[test]
fn invalid_arguments_are_rejected() {
    for (args, sentence) in [
        (&["analyse", "ludo"][..], "there is no game “ludo”"),
        (&["analyse", "connect-four", "4455667"], "the game is over"),
        (&["analyse", "connect-four", "-"], "one position"),
        (&["analyse", "connect-four", "--lines", "0"], "0 is not in"),
        (&["analyse", "connect-four", "--time", "soon"], "expected a time such as 500ms or 10s"),
        (&["analyse", "connect-four", "--depth", "101"], "101 is not in"),
        (&["analyse", "connect-four", "--threads", "0"], "0 is not in"),
        (&["analyse", "connect-four", "8"], "there is no column 8"),
        (&["review", "connect-four", "8"], "there is no column 8"),
        (&["review"], "<GAME>"),
        (&["review", "--games", "/no/such/file"], "cannot read /no/such/file"),
        (&["bench", "--shallower", "-1"], "-1"),
        (&["choose", "level:9", "connect-four"], "“level:9” is not a player; expected level:1…8"),
    ] {
        let run = alinea(args, "");
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(sentence), "{args:?}: {}", run.stderr);
    }
    let two = "[Game \"tic-tac-toe\"]\n\n1. b2 *\n\n[Game \"tic-tac-toe\"]\n\n1. b2 *\n";
    let run = alinea(&["review", "--games", "-", "--svg", "x.svg"], two);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--svg takes one game, not 2"), "{}", run.stderr);
}
