//! Arbitrary input for every parser, and engines that write garbage: rejected or skipped, never a panic. A
//! failing assertion prints the seed.

use std::path::Path;

use alinea_arena::{
    Contestant, External, Failure, Fault, Limits, Stderr, Tournament, record,
    ugi::{self, Command, Info},
};
use players::Stop;
use rules::{AnyGame, Spec};

/// Random sequences of words that the parsers know.
fn garbage(rng: &mut fastrand::Rng) -> String {
    let words = [
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "movetime",
        "p1time",
        "depth",
        "info",
        "pv",
        "cp",
        "4",
        "-1",
        "99999999999999999999",
        "7/7/7/7/7/3x3",
        "b",
        "setoption",
        "name",
        "value",
        "external:",
        "=",
        "[Game",
        "\"connect-four\"]",
        "[First \"a\"]",
        "{",
        "}",
        "1.",
        "...",
        "1-0",
        "*",
        "\n",
        "\n\n",
        "game = 'connect-four'\n",
        "players = ['random', 'greedy']\n",
        "pairs = 2\n",
        "[limits]\n",
        "[sprt]\n",
        "elo0 = nan\n",
        "é",
        "\u{2028}",
        "\0",
        "\t",
        "lottery:",
        "1,2,3",
        "random:4",
        "file:/",
    ];
    (0..rng.usize(1..30)).map(|_| format!("{} ", words[rng.usize(..words.len())])).collect()
}

#[test]
fn no_parser_panics() {
    let mut rng = fastrand::Rng::with_seed(7);
    let spec: Spec = "connect-four".parse().unwrap();
    for _ in 0..20_000 {
        let text = garbage(&mut rng);
        if let Ok(command) = Command::parse(&text) {
            let again = Command::parse(&command.to_string()).unwrap();
            assert_eq!(again, command, "{text:?}");
            if let Command::Position { fen, moves } = command {
                let _ = ugi::game(spec, fen.as_deref(), &moves);
            }
        }
        Info::default().update(&text);
        let _ = record::read(&text);
        if let Ok(contestant) = text.parse::<Contestant>() {
            assert!(!contestant.name.contains(['\n', '"']), "{text:?}");
        }
        if let Err(error) = Tournament::read(&text, Path::new("")) {
            assert!(!error.to_string().contains('\n'), "{text:?}: {error}");
        }
    }
}

/// The result for an engine that writes this after `go`.
fn answer(said: &str) -> Result<String, Failure> {
    let script = format!(
        "while read -r w r; do case $w in ugi) echo ugiok;; isready) printf \"\\377\\000\\n\\n  readyok  \\n\";; \
         go) printf \"{said}\";; esac; done"
    );
    let limits = Limits { movetime_ms: Some(60_000), ..Limits::default() };
    let mut engine = External::new(&format!("sh -c '{script}'"), &limits, Stderr::Discard);
    let game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
    engine.new_game(&game, 1, &Stop::default())?;
    engine.choose(&game, None, &Stop::default()).map(|answer| answer.chosen)
}

#[test]
fn unknown_lines_are_skipped_and_a_bad_move_is_a_fault() {
    let chatter = "hello\\n\\n\\377\\376\\ninfo depth x score cp pv\\ninfo\\nresponse true\\nbestmove 4\\n";
    assert_eq!(answer(chatter), Ok("4".to_owned()));
    assert_eq!(answer("\\t bestmove \\t 4 \\r\\n"), Ok("4".to_owned()));
    for said in [
        "bestmove \\377\\n",
        "bestmove 4\\0\\n",
        "bestmove 44\\n",
        "bestmove -1\\n",
        "bestmove 99999999999\\n",
    ] {
        let fault = answer(said);
        assert!(matches!(fault, Err(Failure::Fault(Fault::IllegalMove { .. }))), "{said}: {fault:?}");
    }
}
