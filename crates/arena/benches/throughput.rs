//! Throughput of games in-process, with a journal on disk, and through UGI with the template engine; and the
//! cost per move of an external engine compared with a built-in player.
//!
//! `cargo bench -p alinea-arena`

use std::{path::Path, process::Command, time::Instant};

use alinea_arena::{
    Adjudication, Contestant, External, Journal, Limits, Settings, Stderr, Tournament,
    bout::{self, Seated},
    run,
};
use players::Stop;
use rules::{AnyGame, Spec};

/// The targets.
const GAMES_PER_SECOND: f64 = 20_000.0;
const MOVES_PER_SECOND: f64 = 2_000.0;

fn random_against_random() -> f64 {
    let spec: Spec = "connect-four".parse().expect("a spec");
    let start = AnyGame::from(spec);
    let (limits, adjudication, stop) = (Limits::default(), Adjudication::default(), Stop::default());
    let random: Contestant = "random".parse().expect("a player");
    let games = 40_000;
    let (mut moves, begin) = (0, Instant::now());
    for seed in 0..games {
        let mut seats = [seed, seed + games]
            .map(|seed| Seated::new(&random, &start, &limits, &[], None, seed).expect("a player"));
        let [first, second] = &mut seats;
        let finished = bout::play(
            start.clone(),
            [first, second],
            [&limits; 2],
            &adjudication,
            [0, 0],
            &stop,
            &mut |_| {},
        );
        moves += finished.expect("not cancelled").game.moves().len();
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "random – random    {:9.0} games per second and core, {:.1} times the target; {:.2} µs per move",
        games as f64 / seconds,
        games as f64 / seconds / GAMES_PER_SECOND,
        seconds / moves as f64 * 1e6
    );
    seconds / moves as f64
}

fn with_journal() {
    let random = || "random".parse::<Contestant>().expect("a player");
    let mut settings = Settings::of_match("connect-four", [random(), random()]);
    settings.pairs = 10_000;
    // A random opening is searched for forced wins, which takes longer than such a game.
    settings.openings = Some("empty".to_owned());
    let tournament = Tournament::new(settings, Path::new("")).expect("a match");
    let path = std::env::temp_dir().join(format!("alinea-bench-{}", std::process::id()));
    let (mut journal, _) = Journal::open(&path, &tournament.identity()).expect("a journal");
    let begin = Instant::now();
    let (progress, _) = run::run(&tournament, Some(&mut journal), Vec::new(), &Stop::default(), &mut |_| {})
        .expect("it is written");
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "  with a journal   {:9.0} games per second, each on the disk",
        progress.records.len() as f64 / seconds
    );
    std::fs::remove_file(path).expect("the journal is there");
}

/// The Rust template, compiled as its header says.
fn template() -> Option<std::path::PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/template_player.rs");
    let binary = std::env::temp_dir().join(format!("alinea-template-{}", std::process::id()));
    let compiled =
        Command::new("rustc").args(["-O", "--edition", "2024", "-o"]).arg(&binary).arg(source).status();
    compiled.is_ok_and(|status| status.success()).then_some(binary)
}

fn through_the_protocol(in_process: f64) {
    let Some(binary) = template() else {
        println!("UGI was not measured: rustc is not installed");
        return;
    };
    let (limits, stop) = (Limits::per_move(1000), Stop::default());
    let mut engine = External::new(&binary.display().to_string(), &limits, Stderr::Discard);
    let start = AnyGame::from("connect-four".parse::<Spec>().expect("a spec"));
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut moves, begin) = (0, Instant::now());
    for seed in 0..200 {
        let mut game = start.clone();
        engine.new_game(&game, seed, &stop).expect("it gets ready");
        while game.outcome().is_none() {
            engine.choose(&game, None, &stop).expect("it plays legally");
            moves += 1;
            game.play(&rng.choice(game.legal_moves()).expect("a legal move")).expect("a legal move");
        }
    }
    let per_move = begin.elapsed().as_secs_f64() / f64::from(moves);
    println!(
        "through UGI        {:9.0} moves per second, {:.1} times the target; {:.0} µs per move, {:.0} times a built-in player",
        1.0 / per_move,
        1.0 / per_move / MOVES_PER_SECOND,
        per_move * 1e6,
        per_move / in_process
    );
    drop(engine);
    std::fs::remove_file(binary).expect("the template is there");
}

fn main() {
    let in_process = random_against_random();
    with_journal();
    through_the_protocol(in_process);
}
