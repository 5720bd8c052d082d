//! Random play: uniformly random legal moves to the end of a game, without allocation.

use std::thread;

use fastrand::Rng;
use rules::{AnyGame, Board, Outcome, Side, with_game};

/// Number of random move numbers tried before the legal moves are counted.
const TRIES: usize = 4;

/// A uniformly random legal move of a position that is not over. On most boards most moves are legal, so it
/// draws numbers until one is a legal move; after some tries it counts the legal moves instead. Either way,
/// all legal moves are equally likely.
#[inline]
pub(crate) fn random_move<P: Board>(position: &P, rng: &mut Rng) -> P::Move {
    let count = position.move_count();
    for _ in 0..TRIES {
        let m = position.numbered_move(rng.usize(..count));
        if position.check(m).is_ok() {
            return m;
        }
    }
    let legal = position.legal_moves().count();
    position.legal_moves().nth(rng.usize(..legal)).expect("a game that is not over has a legal move")
}

/// How a game ends if its last position is `position`: by the rules or by repetition. `keys` has the keys of
/// all positions so far, in games with repetitions.
#[inline]
pub(crate) fn outcome<P: Board>(position: &P, keys: &[u64]) -> Option<Outcome> {
    position.outcome().or_else(|| {
        let often = position.draws_when_seen()?;
        let key = position.key();
        (keys.iter().filter(|&&earlier| earlier == key).count() >= often).then_some(Outcome::Draw)
    })
}

/// The keys of all positions of a game, in games with repetitions.
pub(crate) fn keys<P: Board>(game: &rules::Game<P>, repeats: bool) -> Vec<u64> {
    if repeats { game.positions().iter().map(rules::Position::key).collect() } else { Vec::new() }
}

/// Plays random moves to the end.
#[inline]
pub(crate) fn play<P: Board>(position: &mut P, keys: &mut Vec<u64>, repeats: bool, rng: &mut Rng) -> Outcome {
    loop {
        if let Some(outcome) = outcome(position, keys) {
            return outcome;
        }
        position.play_unchecked(random_move(position, rng));
        if repeats {
            keys.push(position.key());
        }
    }
}

/// The index of an outcome in the counts: wins of the first side, draws, wins of the second.
const fn place(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Win(Side::First) => 0,
        Outcome::Draw => 1,
        Outcome::Win(Side::Second) => 2,
    }
}

/// Number of playouts with one seed, so that the counts do not depend on the number of threads.
const BLOCK: u64 = 4096;

/// Plays a game to the end at random many times, and counts the outcomes.
pub(crate) fn count(game: &AnyGame, playouts: u64, seed: u64, threads: usize) -> [u64; 3] {
    let blocks = playouts.div_ceil(BLOCK);
    let threads = (threads as u64).clamp(1, blocks.max(1));
    let work = |thread: u64| {
        let mut counts = [0; 3];
        for block in (thread..blocks).step_by(threads as usize) {
            let mut rng = Rng::with_seed(crate::seed(seed, block));
            let size = BLOCK.min(playouts - block * BLOCK);
            with_game!(&game, game => block_counts(game, size, &mut rng, &mut counts));
        }
        counts
    };
    thread::scope(|scope| {
        let work = &work;
        let helpers: Vec<_> = (1..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        let own = work(0);
        let others = helpers.into_iter().map(|helper| helper.join().expect("random play does not panic"));
        others.fold(own, |sum, counts| std::array::from_fn(|i| sum[i] + counts[i]))
    })
}

fn block_counts<P: Board>(game: &rules::Game<P>, size: u64, rng: &mut Rng, counts: &mut [u64; 3]) {
    let repeats = crate::observe::Layout::new(game.start()).repeats();
    let start = keys(game, repeats);
    let mut seen = start.clone();
    for _ in 0..size {
        seen.truncate(start.len());
        let mut position = game.position().clone();
        counts[place(play(&mut position, &mut seen, repeats, rng))] += 1;
    }
}
