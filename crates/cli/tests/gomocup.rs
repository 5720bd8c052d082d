//! The protocol of the Gomocup both ways: a manager plays with `alinea engine --gomocup`, and a brain in Python plays in the
//! arena.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::Value;

use crate::common::{Run, alinea};

const SIDE: i32 = 15;

/// An engine, as a manager of the Gomocup runs it.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(player: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alinea"))
            .args(["engine", "--gomocup", "gomoku", player])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn send(&mut self, lines: &str) {
        lines.lines().for_each(|line| write!(self.input, "{line}\r\n").unwrap());
    }

    /// The next line that is not a message.
    fn hear(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine has left");
            if !line.starts_with("MESSAGE ") {
                return line.trim_end().to_owned();
            }
        }
    }

    fn ask(&mut self, lines: &str) -> String {
        self.send(lines);
        self.hear()
    }

    fn end(mut self) {
        self.send("END");
        assert!(self.child.wait().unwrap().success());
    }
}

/// The board of the manager: the owner of each stone, 0 or 1.
#[derive(Default)]
struct Board(BTreeMap<(i32, i32), usize>);

impl Board {
    /// Places a stone; returns whether it makes five.
    fn place(&mut self, text: &str, owner: usize) -> bool {
        let (x, y) = text.split_once(',').unwrap_or_else(|| panic!("“{text}” is not a cell"));
        let (x, y): (i32, i32) = (x.parse().unwrap(), y.parse().unwrap());
        assert!((0..SIDE).contains(&x) && (0..SIDE).contains(&y), "{text} is outside");
        assert_eq!(self.0.insert((x, y), owner), None, "{text} is taken");
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let along = |sign: i32| {
                (1..5)
                    .take_while(|i| self.0.get(&(x + sign * i * dx, y + sign * i * dy)) == Some(&owner))
                    .count()
            };
            along(1) + along(-1) >= 4
        })
    }

    /// The stones for the engine that is this owner.
    fn lines(&self, owner: usize) -> String {
        let stone =
            |(&(x, y), &of): (&(i32, i32), &usize)| format!("{x},{y},{}\n", if of == owner { 1 } else { 2 });
        format!("BOARD\n{}DONE", self.0.iter().map(stone).collect::<String>())
    }
}

#[test]
fn a_manager_plays_a_whole_game() {
    let mut engines = [1, 2].map(|_| Engine::start("engine:nodes=200"));
    for engine in &mut engines {
        assert_eq!(engine.ask("START 15"), "OK");
        engine.send(
            "INFO timeout_turn 600000\nINFO timeout_match 0\nINFO game_type 2\nINFO rule 0\nINFO folder /tmp",
        );
    }
    let mut board = Board::default();
    let (mut turn, mut last) = (0, engines[0].ask("INFO time_left 2147483647\nBEGIN"));
    while !board.place(&last, turn) {
        turn = 1 - turn;
        assert!(board.0.len() < 100, "an engine that sees threats wins or loses earlier");
        // In the middle of the game, one of them gets the whole board in an order that nobody played.
        let request = if board.0.len() == 7 { board.lines(turn) } else { format!("TURN {last}") };
        last = engines[turn].ask(&format!("INFO time_left 2147483647\n{request}"));
    }
    // The next game: the loser begins.
    for engine in &mut engines {
        assert_eq!(engine.ask("RESTART"), "OK");
    }
    let first = engines[1 - turn].ask("BEGIN");
    assert_ne!(engines[turn].ask(&format!("TURN {first}")), first);
    engines.into_iter().for_each(Engine::end);
}

#[test]
fn a_move_can_be_taken_back() {
    let mut engine = Engine::start("engine:nodes=50");
    assert_eq!(engine.ask("START 15"), "OK");
    let own = engine.ask("TURN 7,7");
    assert_eq!(engine.ask("TAKEBACK 7,7"), format!("ERROR the last stone is at {own}, not at 7,7"));
    assert_eq!(engine.ask(&format!("TAKEBACK {own}")), "OK");
    assert_eq!(engine.ask("TAKEBACK 7,7"), "OK");
    assert_eq!(engine.ask("TAKEBACK 7,7"), "ERROR there are no stones on the board");
    assert_eq!(engine.ask("TURN 7,7"), own, "the same position, the same move");
    engine.end();
}

#[test]
fn an_opening_of_swap2_is_answered() {
    let mut engine = Engine::start("engine:nodes=300");
    assert_eq!(engine.ask("START 15"), "OK");
    let proposal = engine.ask("SWAP2BOARD\nDONE");
    let mut board = Board::default();
    for stone in proposal.split(' ') {
        board.place(stone, 0);
    }
    assert_eq!(board.0.len(), 3, "{proposal}");
    let opening = |stones: &str| format!("SWAP2BOARD\n{}\nDONE", stones.replace(' ', "\n"));
    // An open three of the first player, who is not to move, against two stones at the edge; then the other way round.
    assert_eq!(engine.ask(&opening("7,7 0,14 8,7 14,14 9,7")), "SWAP");
    let stays = engine.ask(&opening("0,14 7,7 14,14 8,7 0,0"));
    assert!(!Board::default().place(&stays, 1), "{stays}");
    assert!(engine.ask(&opening("7,7 8,8 9,9")).len() >= 3);
    let error = "ERROR an opening of Swap2 has 0, 3 or 5 stones when it is sent, not 2";
    assert_eq!(engine.ask(&opening("7,7 8,8")), error);
    // The game continues from a board.
    let reply = engine.ask("BOARD\n7,7,2\n0,14,1\n8,7,2\nDONE");
    assert!(!["7,7", "0,14", "8,7"].contains(&reply.as_str()), "{reply}");
    engine.end();
}

#[test]
fn each_wrong_line_gets_one_sentence() {
    let dialogue = [
        ("TURN 7,7", "ERROR there is no board; expected START first"),
        ("RESTART", "ERROR there is no board; expected START first"),
        ("START 15x", "ERROR “15x” is not a board size such as 15"),
        ("START 4", "ERROR"),
        ("START 26", "ERROR"),
        ("RECTSTART 20,15", "OK"),
        ("START 15", "OK"),
        ("INFO", ""),
        ("INFO rule x", ""),
        ("", ""),
        ("yxboard", "UNKNOWN “yxboard” is not a command of this engine"),
        ("7,7", "UNKNOWN “7,7” is not a command of this engine"),
        ("DONE", "UNKNOWN “DONE” is not a command of this engine"),
        ("TURN", "ERROR “” is not a cell such as 7,7"),
        ("TURN 15,0", "ERROR 15,0 is outside the board; cells are 0,0 to 14,14"),
        ("PLAY 7,7", "7,7"),
        ("TURN 7,7", "ERROR 7,7: cell h8 is taken; choose an empty one"),
        ("BEGIN", "ERROR there are stones on the board; expected TURN X,Y or RESTART"),
        (
            "BOARD\n7,7,1\n8,8,3\nhello\nDONE",
            "ERROR “8,8,3” is not a stone of the players 1 or 2, such as 7,7,1",
        ),
        ("BOARD\n7,7,2\n7,7,1\n6,6,2\nDONE", "ERROR 7,7: cell h8 is taken; choose an empty one"),
        ("BOARD\n7,7,1\nDONE", "ERROR with 1 stones of your own and 0 of the opponent, it is not your turn"),
        ("INFO rule 1", ""),
        ("INFO max_memory 5", ""),
        ("TURN 8,8", "ERROR the engine needs 72 MiB of memory; max_memory allows 5 bytes"),
        ("INFO max_memory 0", ""),
        ("TURN 8,8", "ERROR rule 1 came after the first stone; expected START or RESTART"),
        ("INFO max_memory 5", ""),
        ("INFO rule 2", ""),
        ("TURN 8,8", "ERROR rule 2 is not supported; expected 0 (freestyle), 1 (standard) or 4 (renju)"),
        ("INFO rule 0", ""),
        ("TURN 8,8", "ERROR the engine needs 72 MiB of memory; max_memory allows 5 bytes"),
        ("ABOUT", "name=\"random\", version="),
        ("END", ""),
        ("TURN 1,1", ""),
    ];
    let input: String = dialogue.iter().map(|(line, _)| format!("{line}\r\n")).collect();
    let run = alinea(&["engine", "--gomocup", "gomoku", "random"], input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let expected: Vec<_> =
        dialogue.iter().map(|(_, reply)| *reply).filter(|reply| !reply.is_empty()).collect();
    let replies: Vec<_> = run.stdout.lines().collect();
    assert_eq!(replies.len(), expected.len(), "{replies:#?}");
    for (reply, expected) in replies.iter().zip(expected) {
        assert!(reply.starts_with(expected), "{reply}\n{expected}");
    }
    let wrong = alinea(&["engine", "--gomocup", "connect-four"], "");
    assert!(
        wrong.stderr.contains("the protocol of the Gomocup supports only gomoku, not connect-four"),
        "{}",
        wrong.stderr
    );
    assert!(alinea(&["engine"], "").stderr.contains("<GAME>"), "without --gomocup the game must be named");
}

#[test]
fn no_line_stops_the_engine() {
    let words = [
        "START",
        "RECTSTART",
        "RESTART",
        "BEGIN",
        "TURN",
        "BOARD",
        "DONE",
        "INFO",
        "TAKEBACK",
        "PLAY",
        "SWAP2BOARD",
        "ABOUT",
        "timeout_turn",
        "time_left",
        "rule",
        "max_memory",
        "15",
        "5",
        "0",
        "-1",
        "3,3",
        "4,4",
        "1,2,1",
        "2,1,2",
        "99999999999999999999",
        ",",
        "\u{0}",
        "ä",
        "\t",
    ];
    let mut rng = fastrand::Rng::with_seed(1);
    let mut input = String::from("START 6\n");
    for _ in 0..3000 {
        let count = rng.usize(1..4);
        let line: Vec<_> = (0..count).map(|_| *rng.choice(&words).unwrap()).collect();
        input += &(line.join(" ") + rng.choice(["\n", "\r\n"]).unwrap());
    }
    let mut input = input.into_bytes();
    input.extend(b"\xff\xfe\n");
    input.extend("x".repeat(3_000_000).bytes());
    let run = alinea(&["engine", "--gomocup", "gomoku", "random"], input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for start in ["OK", "ERROR ", "UNKNOWN ", "name=", "3,"] {
        assert!(run.stdout.lines().any(|line| line.starts_with(start)), "{start}");
    }
}

#[test]
fn end_and_a_new_game_interrupt_a_search() {
    let mut engine = Engine::start("engine");
    assert_eq!(engine.ask("START 15"), "OK");
    let think = "INFO timeout_turn 100000000\nBOARD\n7,7,2\n8,8,1\n7,8,2\nDONE";
    assert_eq!(engine.ask(&format!("{think}\nTURN 0,0\nRESTART")), "OK", "nobody waits for the moves");
    engine.send(think);
    engine.end();
}

/// The brain of the tutorial, as a shell command.
fn brain() -> Option<String> {
    if !Command::new("python3").arg("--version").output().is_ok_and(|run| run.status.success()) {
        eprintln!("skipped: python3 is not installed, and the brain is written in Python");
        return None;
    }
    let brain = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gomocup_brain.py");
    assert!(fs::read_to_string(&brain).unwrap().lines().count() < 50);
    Some(format!("python3 '{}'", brain.display()))
}

fn ok(args: &[&str]) -> Run {
    let run = alinea(args, "");
    assert_eq!(run.code, Some(0), "{args:?}: {}{}", run.stdout, run.stderr);
    run
}

#[test]
fn the_python_brain_plays_a_match() {
    let Some(brain) = brain() else { return };
    let player = format!("Brain=external-gomocup:{brain}");
    let ours =
        format!("Ours=external-gomocup:'{}' engine --gomocup gomoku level:2", env!("CARGO_BIN_EXE_alinea"));
    for (other, pairs) in [("random", "1"), (ours.as_str(), "1")] {
        let args =
            ["match", &player, other, "gomoku:11x9x5", "--pairs", pairs, "--movetime", "60000", "--json"];
        let report: Value = serde_json::from_str(&ok(&args).stdout).unwrap();
        assert_eq!(report["games"].as_array().map(Vec::len), Some(2), "{report}");
        for standing in report["standings"].as_array().unwrap() {
            assert_eq!(standing["forfeits"], 0, "{report}");
        }
        assert!(other != "random" || report["standings"][0]["name"] == "Brain", "{report}");
    }
    let wrong = alinea(&["match", &player, "random", "connect-four"], "");
    assert!(wrong.stderr.contains("plays only Gomoku with five in a row"), "{}", wrong.stderr);
}

#[test]
fn check_tests_a_brain_point_by_point() {
    let ours = format!("'{}' engine --gomocup gomoku level:1", env!("CARGO_BIN_EXE_alinea"));
    for command in brain().into_iter().chain([ours]) {
        let run =
            ok(&["check", "--gomocup", &command, "gomoku:9x9x5", "--movetime", "20000", "--games", "2"]);
        assert!(run.stdout.contains("answers ABOUT: name="), "{}", run.stdout);
        assert!(
            run.stdout.contains("all 9 checks passed; the engine can play as external-gomocup:"),
            "{}",
            run.stdout
        );
    }
    let bad = "sh -c 'while read -r w r; do case $w in START|RESTART*) echo OK;; INFO) ;; \
               BEGIN*) echo 20,20;; *) echo UNKNOWN;; esac; done'";
    let run = alinea(&["check", "--gomocup", bad, "gomoku", "--movetime", "100"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("20,20 is outside the board"), "{}", run.stdout);
    let run = alinea(&["check", "--gomocup", bad, "tic-tac-toe"], "");
    assert!(run.stderr.contains("plays only Gomoku with five in a row"), "{}", run.stderr);
}
