//! Games of the engine against itself.

use std::{
    io::Write,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use alinea_arena::openings::make::Candidates;
use players::{
    Network, Proof, Resources, Stop,
    engine::{Engine, Question, Settings},
};
use rules::{AnyGame, Outcome, Side};

use crate::{Done, cores, number, weights};

/// A game as it is written: a line with the result for the first side (1, 0 or −1), then each move with its value for the
/// side that made it; none for the moves of the opening and for proved results.
pub(crate) struct Played {
    pub(crate) result: i8,
    pub(crate) moves: Vec<(String, Option<i32>)>,
}

impl std::fmt::Display for Played {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}", self.result)?;
        for (m, value) in &self.moves {
            match value {
                Some(value) => write!(f, " {m}:{value}")?,
                None => write!(f, " {m}")?,
            }
        }
        Ok(())
    }
}

impl Played {
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let result = words.next()?.parse().ok()?;
        let read = |word: &str| match word.split_once(':') {
            Some((m, value)) => Some((m.to_owned(), Some(value.parse().ok()?))),
            None => Some((word.to_owned(), None)),
        };
        Some(Self { result, moves: words.map(read).collect::<Option<_>>()? })
    }
}

/// Random moves at the beginning of each game.
const PLIES: std::ops::RangeInclusive<u16> = 2..=10;
/// One side may be better after them, but not win.
const WITHIN: f64 = 0.8;

pub(crate) fn run(count: &str, nodes: &str, seed: &str, path: &str) -> Done {
    let (count, nodes, seed, network) = (number(count)?, number(nodes)?, number(seed)?, weights(path)?);
    let candidates = Candidates::new("gomoku".parse()?, seed, PLIES, nodes).within(WITHIN);
    let next = AtomicU64::new(0);
    let work = || {
        let mut played = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return played;
            }
            if let Some(opening) = candidates.find(number, &Stop::default()) {
                played.push((number, play(opening, nodes, network).to_string()));
            }
        }
    };
    let mut all: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores()).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a game does not panic")).collect()
    });
    all.sort_unstable_by_key(|&(number, _)| number);
    let mut out = std::io::stdout().lock();
    all.iter().try_for_each(|(_, line)| writeln!(out, "{line}"))?;
    Ok(())
}

/// Plays to the end, or to a proof.
fn play(mut game: AnyGame, nodes: u64, network: Option<&'static Network>) -> Played {
    let settings = Settings { nodes: Some(nodes), time: None, threads: 1, ..Settings::default() };
    let resources = Resources::new(1).with_network(network);
    let mut engine = Engine::new(settings, &resources).expect("no time is limited");
    let mut moves: Vec<_> = game.moves().into_iter().map(|m| (m, None)).collect();
    let sign = |side: Side| if side == Side::First { 1 } else { -1 };
    let result = loop {
        match game.outcome() {
            Some(Outcome::Win(winner)) => break sign(winner),
            Some(Outcome::Draw) => break 0,
            None => {}
        }
        let mut best = None;
        let mut keep = |found: &players::engine::Found<String>| best = found.lines.first().cloned();
        engine
            .search(&game, &settings, &Question::Best, &Stop::default(), &mut keep)
            .expect("no time is limited");
        let best = best.expect("the first depth is always searched");
        if let Some(proven) = best.proven() {
            break match proven.result {
                Proof::Win => sign(game.turn()),
                Proof::Loss => sign(game.turn().other()),
                _ => 0,
            };
        }
        game.play(&best.moves[0]).expect("the engine's moves are legal");
        moves.push((best.moves[0].clone(), Some(best.value)));
    };
    Played { result, moves }
}
