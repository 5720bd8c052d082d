//! A match between two sets of weights: both sides of each opening, and the difference in Elo.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use alinea_arena::{elo::Pairs, openings::make::Candidates};
use players::{Network, Program, Stop, roster, system};
use rules::{AnyGame, Outcome, Spec};

use crate::{Done, cores, number, weights};

/// Openings are searched with this many nodes, without learned weights: the same for every match.
const OPENING_NODES: u64 = 20_000;
const OPENING_PLIES: std::ops::RangeInclusive<u16> = 4..=8;

type Weights = Option<&'static Network>;

pub(crate) fn run(pairs: &str, limit: &str, paths: [&str; 2], spec: &str) -> Done {
    let pairs = number(pairs)?;
    let spec: Spec = spec.parse()?;
    let players = [weights(paths[0])?, weights(paths[1])?];
    let name = format!("engine:{limit}");
    roster::program(&AnyGame::from(spec), &name, &system::resources(1))?;
    let candidates = Candidates::new(spec, 20, OPENING_PLIES, OPENING_NODES);
    let openings = (0..).filter_map(|number| candidates.find(number, &Stop::default()));
    let openings: Vec<_> = openings.take(pairs as usize).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut tally = Pairs::default();
        while let Some(opening) = openings.get(next.fetch_add(1, Ordering::Relaxed)) {
            let [a, b] = players;
            tally.add(half_points(opening, [a, b], &name) + 2 - half_points(opening, [b, a], &name));
        }
        tally
    };
    let mut tally = Pairs::default();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores()).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            let more = thread.join().expect("a game does not panic");
            tally.0.iter_mut().zip(more.0).for_each(|(sum, more)| *sum += more);
        }
    });
    let elo = tally.elo().ok_or("a match needs at least one pair")?;
    println!(
        "{} v {}, {spec}, {limit}, {} pairs {:?}: {:+.0} Elo, 95 % interval {:+.0} to {:+.0}",
        paths[0],
        paths[1],
        tally.count(),
        tally.0,
        elo.difference,
        elo.interval[0],
        elo.interval[1]
    );
    Ok(())
}

/// The half points of the player that moves next in the opening: 2, 1 or 0.
fn half_points(opening: &AnyGame, [mover, other]: [Weights; 2], name: &str) -> usize {
    let mut game = opening.clone();
    let side = game.turn();
    let make = |network| {
        let resources = system::resources(1).with_network(network);
        roster::program(&game, name, &resources).expect("the name was checked")
    };
    let mut programs = [make(mover), make(other)];
    while game.outcome().is_none() {
        let program: &mut Program = &mut programs[usize::from(game.turn() != side)];
        let thought = program.choose(&game, &Stop::default()).expect("nobody stops the program");
        game.play(&thought.chosen).expect("programs choose legal moves");
    }
    match game.outcome() {
        Some(Outcome::Win(winner)) => 2 * usize::from(winner == side),
        _ => 1,
    }
}
