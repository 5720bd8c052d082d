//! External engines that speak the protocol of the Gomocup: the commands they receive, and how each fault ends as a
//! forfeit with its reason. The engines are shell scripts, so that the tests depend on nothing else.

use std::{fs, path::PathBuf};

use alinea_arena::{
    Adjudication, Contestant, External, Failure, Fault, Limits, Protocol, Stderr,
    bout::{self, Ending, Seated},
};
use players::Stop;
use rules::{AnyGame, Outcome, Side, Spec};

/// A file in which engines record their input; removed on drop.
struct Told(PathBuf);

impl Told {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("alinea-gomocup-{test}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }

    fn lines(&self) -> Vec<String> {
        fs::read_to_string(&self.0).unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// An engine that runs `on_start` for `START` and `RESTART`, and `on_move` whenever it is to move.
fn script(on_start: &str, on_move: &str) -> String {
    format!(
        "IFS=$(printf \" \\r\"); while read -r word rest; do case $word in START|RESTART) {on_start};; \
         BEGIN|TURN|DONE) {on_move};; END) exit 0;; esac; done"
    )
}

fn limits() -> Limits {
    Limits { movetime_ms: Some(60_000), timeout_ms: 20_000, ..Limits::default() }
}

fn engine(script: &str, limits: &Limits) -> External {
    External::speaking(Protocol::Gomocup, &format!("sh -c '{script}'"), limits, Stderr::Discard)
}

fn game(spec: &str, moves: &str) -> AnyGame {
    let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
    game.play_all(moves).unwrap();
    game
}

/// The first move of an engine.
fn first_move(script: &str, limits: &Limits) -> Result<String, Failure> {
    let (mut engine, game) = (engine(script, limits), game("gomoku", ""));
    engine.new_game(&game, 1, &Stop::default())?;
    engine.choose(&game, None, &Stop::default()).map(|answer| answer.chosen)
}

/// The fault by which an engine forfeits as the first player.
fn fault(script: &str, limits: &Limits) -> Fault {
    let game = game("gomoku", "");
    let bad: Contestant = format!("Bad=external-gomocup:sh -c '{script}'").parse().unwrap();
    let mut seats = [bad, "random".parse().unwrap()]
        .map(|player| Seated::new(&player, &game, limits, &[], None, 1).unwrap());
    let [bad, other] = &mut seats;
    let (off, stop) = (Adjudication::default(), Stop::default());
    let finished = bout::play(game, [bad, other], [limits; 2], &off, [1, 2], &stop, &mut |_| {}).unwrap();
    assert_eq!(finished.ending.outcome(), Outcome::Win(Side::Second));
    match finished.ending {
        Ending::Forfeit { loser: Side::First, fault } => fault,
        ending => panic!("{script}: {ending:?}"),
    }
}

#[test]
fn an_engine_is_told_its_limits_and_the_moves() {
    let told = Told::new("told");
    let file = told.0.display();
    let record =
        format!("n=0; IFS=$(printf \" \\r\"); while read -r line; do echo $line >> {file}; set -- $line; ");
    let script = format!(
        "{record} case $1 in START|RECTSTART|RESTART) echo OK;; BEGIN|TURN|DONE) echo $n,0; n=$((n+1));; \
         END) exit;; esac; done"
    );
    let limits = Limits {
        movetime_ms: Some(60_000),
        time_ms: Some(600_000),
        depth: Some(4),
        nodes: Some(100),
        memory_mb: Some(512),
        ..Limits::default()
    };
    let options = vec![("thread_num".to_owned(), "1".to_owned())];
    let mut engine = engine(&script, &limits).with_options(options);
    let stop = Stop::default();
    let mut game = game("gomoku", "");
    let clock = Some(
        [alinea_arena::ugi::SideClock { left: limits_of(500), increment: limits_of(0), moves_to_go: None };
            2],
    );

    // From the empty board, then the reply.
    engine.new_game(&game, 1, &stop).unwrap();
    for reply in ["h8", "h9"] {
        let chosen = engine.choose(&game, clock, &stop).unwrap().chosen;
        game.play(&chosen).unwrap();
        game.play(reply).unwrap();
    }
    assert_eq!(game.moves(), ["a15", "h8", "b15", "h9"], "0,0 is the top left cell");
    let infos = [
        "INFO timeout_turn 60000",
        "INFO timeout_match 600000",
        "INFO max_memory 536870912",
        "INFO game_type 1",
        "INFO rule 0",
        "INFO max_depth 4",
        "INFO max_node 100",
        "INFO thread_num 1",
    ];
    let mut expected = vec!["START 15"];
    expected.extend(infos);
    expected.extend(["INFO time_left 500", "BEGIN", "INFO time_left 500", "TURN 7,7"]);
    assert_eq!(told.lines(), expected);

    // Another position: the board is emptied and set up again. Its stones from before the first move come first.
    fs::remove_file(&told.0).unwrap();
    game.set_position("15/15/15/15/15/15/15/15/15/15/15/15/15/ox13/xo13 w").unwrap();
    game.play("o1").unwrap();
    engine.choose(&game, None, &stop).unwrap();
    let mut expected = vec!["RESTART"];
    expected.extend(infos);
    let board = ["BOARD", "1,13,2", "0,13,1", "0,14,2", "1,14,1", "14,14,2", "DONE"];
    expected.push("INFO time_left 2147483647");
    expected.extend(board);
    assert_eq!(told.lines(), expected);

    // A board of another size needs a new process.
    fs::remove_file(&told.0).unwrap();
    let wide = self::game("gomoku:9x12x5", "");
    engine.new_game(&wide, 1, &stop).unwrap();
    assert_eq!(engine.choose(&wide, None, &stop).unwrap().chosen, "a9");
    assert_eq!(told.lines()[..2], ["END", "RECTSTART 12,9"]);
    assert!(engine.quit(std::time::Duration::from_secs(10)));
}

fn limits_of(ms: u64) -> std::time::Duration {
    std::time::Duration::from_millis(ms)
}

#[test]
fn an_engine_without_restart_is_started_anew() {
    let told = Told::new("anew");
    let file = told.0.display();
    let script = format!(
        "echo $$ >> {file}; IFS=$(printf \" \\r\"); while read -r word rest; do case $word in START) echo OK;; \
         RESTART) echo UNKNOWN;; BEGIN) echo 7,7;; END) exit;; esac; done"
    );
    let (mut engine, game, stop) = (engine(&script, &limits()), game("gomoku", ""), Stop::default());
    for _ in 0..3 {
        engine.new_game(&game, 1, &stop).unwrap();
        assert_eq!(engine.choose(&game, None, &stop).unwrap().chosen, "h8");
    }
    assert_eq!(told.lines().len(), 3);
}

#[test]
fn an_engine_that_does_not_answer_restart_is_started_anew() {
    let limits = Limits { timeout_ms: 1500, ..limits() };
    let script = script("[ $word = START ] && echo OK", "echo 7,7");
    let (mut engine, game, stop) = (engine(&script, &limits), game("gomoku", ""), Stop::default());
    for _ in 0..2 {
        engine.new_game(&game, 1, &stop).unwrap();
        assert_eq!(engine.choose(&game, None, &stop).unwrap().chosen, "h8");
    }
}

#[test]
fn messages_are_skipped_and_any_end_of_line_is_understood() {
    let chatter = "printf \"MESSAGE 1,1\\r\\rDEBUG 2,2\\n\\r\\n \\nMESSAGE\\n 7 , 8 \\r\"";
    assert_eq!(
        first_move(&script("echo MESSAGE hello; echo OK - everything is good", chatter), &limits()),
        Ok("h7".to_owned())
    );
}

#[test]
fn a_suggestion_is_played_once() {
    let script = |again: &str| {
        format!(
            "IFS=$(printf \" \\r\"); while read -r word rest; do case $word in START) echo OK;; \
             BEGIN) echo SUGGEST 3,0;; PLAY) echo {again};; END) exit;; esac; done"
        )
    };
    assert_eq!(first_move(&script("$rest"), &limits()), Ok("d15".to_owned()));
    let twice = first_move(&script("SUGGEST 3,0"), &limits());
    assert!(matches!(twice, Err(Failure::Fault(Fault::Malformed { .. }))), "{twice:?}");
}

#[test]
fn malformed_and_illegal_moves_lose() {
    for answer in ["7", "7,7,1", "h8", "OK", "-1,7", "7,7 8,8", "99999999999,0"] {
        let fault = fault(&script("echo OK", &format!("echo {answer}")), &limits());
        let expected = format!("malformed answer “{answer}”; expected a move such as 7,7");
        assert_eq!((fault.to_string(), fault.kind()), (expected, "malformed answer"));
    }
    // An error counts when no move follows.
    let short = Limits { movetime_ms: Some(50), ..limits() };
    for answer in ["UNKNOWN command", "ERROR I resign"] {
        let fault = fault(&script("echo OK", &format!("echo {answer}; echo ERROR again")), &short);
        assert_eq!(fault.to_string(), format!("malformed answer “{answer}”; expected a move such as 7,7"));
    }
    let complains = script("echo OK", "echo ERROR unknown command: TIME_LEFT; echo UNKNOWN; echo 7,7");
    assert_eq!(first_move(&complains, &limits()), Ok("h8".to_owned()));
    for (answer, reason) in [
        ("15,0", "illegal move 15,0: 15,0 is outside the board; cells are 0,0 to 14,14"),
        (
            "0,4294967295",
            "illegal move 0,4294967295: 0,4294967295 is outside the board; cells are 0,0 to 14,14",
        ),
    ] {
        let fault = fault(&script("echo OK", &format!("echo {answer}")), &limits());
        assert_eq!((fault.to_string().as_str(), fault.kind()), (reason, "illegal move"));
    }
    // The second move repeats the first.
    let repeated = fault(&script("echo OK", "echo 7,7"), &limits());
    assert_eq!(repeated.to_string(), "illegal move 7,7: cell h8 is taken; choose an empty one");
}

#[test]
fn an_engine_that_refuses_the_board_does_not_start() {
    let refusal = fault(&script("echo ERROR only 20", ":"), &limits());
    let reason = "it answers START 15 with “ERROR only 20”; expected OK".to_owned();
    assert_eq!(refusal, Fault::NoStart { reason });
    assert!(matches!(fault("exit 4", &limits()), Fault::NoStart { reason } if reason == "exit code 4"));
    let short = Limits { timeout_ms: 300, ..limits() };
    let reason = "no OK within 300 ms".to_owned();
    assert_eq!(fault(&script(":", ":"), &short), Fault::NoStart { reason });
}

#[test]
fn a_crash_a_flood_and_silence_lose() {
    let crash = |status: &str| Fault::Crash { status: status.to_owned() };
    assert_eq!(fault(&script("echo OK", "exit 3"), &limits()), crash("exit code 3"));
    assert_eq!(fault(&script("echo OK", "kill -9 $$"), &limits()), crash("it was killed (signal 9)"));
    for flood in ["exec cat /dev/zero", "while :; do echo MESSAGE I am thinking about it; done"] {
        assert!(matches!(fault(&script("echo OK", flood), &limits()), Fault::Flood { .. }), "{flood}");
    }
    // Silence beyond the time, the margin and half a second; with a fixed depth the timeout counts.
    let short = Limits { movetime_ms: Some(50), ..limits() };
    let silent = fault(&script("echo OK", ":"), &short);
    assert_eq!(silent, Fault::Hang { awaited: "a move such as 7,7".to_owned(), waited_ms: 650 });
    let depth = Limits { movetime_ms: None, depth: Some(2), timeout_ms: 1500, ..limits() };
    assert!(matches!(fault(&script("echo OK", ":"), &depth), Fault::Hang { waited_ms: 1500, .. }));
}

#[test]
fn a_late_move_loses() {
    // Without any time even a move that is already there comes too late.
    let strict = Limits { movetime_ms: Some(0), margin_ms: 0, ..limits() };
    let late = fault(&script("printf \"OK\\n7,7\\n\"", ":"), &strict);
    assert!(matches!(late, Fault::TooSlow { allowed_ms: 0, margin_ms: 0, .. }), "{late}");
}

#[test]
fn too_much_memory_loses() {
    let hog = "{ head -c 150000000 /dev/zero; sleep 600; } | tail -c 140000000 > /dev/null";
    let limited = Limits { memory_mb: Some(100), ..limits() };
    assert!(matches!(fault(&script("echo OK", hog), &limited), Fault::Memory { limit_mb: 100, .. }));
}
