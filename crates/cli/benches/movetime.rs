//! How late the built-in players answer `go movetime`, as an arena sees it: the time from `go` to `bestmove` beyond
//! the time given, over positions of random games.
//!
//! `cargo bench -p alinea-cli --bench movetime -- [positions=20] [game=connect-four] [player=perfect]`: positions for
//! each game and time; only this game; only this player.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use players::roster::{self, Listing, Parameter};
use rules::{AnyGame, GAMES, Spec};

const MOVETIMES: [u64; 5] = [50, 100, 200, 500, 1000];
/// The longest random opening.
const PLIES: usize = 24;

fn main() {
    let argument = |name: &str| env::args().find_map(|arg| arg.strip_prefix(name).map(str::to_owned));
    let positions = argument("positions=").and_then(|n| n.parse().ok()).unwrap_or(20);
    let (only_game, only_player) = (argument("game="), argument("player="));
    println!("| game | player | movetime | answers | late p50 ms | p99 ms | worst ms |");
    println!("| --- | --- | --: | --: | --: | --: | --: |");
    for spec in GAMES.iter().map(|info| info.standard).filter(|spec| is_wanted(only_game.as_ref(), spec)) {
        let start = AnyGame::from(spec.parse::<Spec>().expect("a standard spec is a spec"));
        for player in
            roster::players(&start).iter().map(slowest).filter(|name| is_wanted(only_player.as_ref(), name))
        {
            let mut engine = Engine::start(spec, &player);
            for movetime in MOVETIMES {
                let mut rng = fastrand::Rng::with_seed(movetime);
                let mut late: Vec<_> = (0..positions)
                    .map(|_| engine.lateness(&random_game(&start, &mut rng), Duration::from_millis(movetime)))
                    .collect();
                late.sort_unstable_by(f64::total_cmp);
                let at = |percent: usize| late[(late.len() * percent / 100).min(late.len() - 1)];
                println!(
                    "| {spec} | {player} | {movetime} | {} | {:.1} | {:.1} | {:.1} |",
                    late.len(),
                    at(50),
                    at(99),
                    at(100)
                );
            }
        }
    }
}

fn is_wanted(only: Option<&String>, name: &str) -> bool {
    only.is_none_or(|only| name == only || name.starts_with(&format!("{only}:")))
}

/// A listed player where it thinks longest.
fn slowest(listing: &Listing) -> String {
    match listing.parameter {
        Parameter::Number(range) => format!("{}:{}", listing.name, range.most),
        Parameter::Strength(most) => format!("{}:{most}", listing.name),
        Parameter::Level([.., hardest]) => format!("{}:{hardest}", listing.name),
        Parameter::Limits(_) => format!("{}:600s", listing.name),
        _ => listing.name.to_owned(),
    }
}

fn random_game(start: &AnyGame, rng: &mut fastrand::Rng) -> AnyGame {
    loop {
        let mut game = start.clone();
        for _ in 0..rng.usize(..PLIES) {
            let moves = game.legal_moves();
            if let Some(m) = rng.choice(&moves) {
                game.play(m).expect("a legal move");
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// `alinea engine` in a process.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(spec: &str, player: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alinea"))
            .args(["engine", spec, player])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("alinea starts");
        let input = child.stdin.take().expect("standard input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let mut engine = Self { child, input, output };
        engine.ask("isready", "readyok");
        engine
    }

    /// Sends a command and waits for the line that begins with a word.
    fn ask(&mut self, command: &str, awaited: &str) -> String {
        writeln!(self.input, "{command}").and_then(|()| self.input.flush()).expect("alinea reads");
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("alinea answers");
            assert!(read > 0, "alinea ended");
            if line.starts_with(awaited) {
                return line;
            }
        }
    }

    /// By how many milliseconds the answer comes after the time given; negative if sooner. It must be legal.
    fn lateness(&mut self, game: &AnyGame, movetime: Duration) -> f64 {
        self.ask(
            &format!("uginewgame\nposition startpos moves {}\nisready", game.moves().join(" ")),
            "readyok",
        );
        let asked = Instant::now();
        let answer = self.ask(&format!("go movetime {}", movetime.as_millis()), "bestmove");
        let late = asked.elapsed().as_secs_f64() - movetime.as_secs_f64();
        let chosen = answer.split_whitespace().nth(1).expect("bestmove names a move").to_owned();
        assert!(game.legal_moves().contains(&chosen), "{chosen} in {game:?}");
        late * 1e3
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}
