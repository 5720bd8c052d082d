//! The engine against the rules.

use std::sync::Arc;

use rules::{ChessFive, ConnectFour, Custom, Fixed, Simplexity, Size, TicTacToe};

use super::*;
use crate::{
    eval::HasPlayers,
    samples::{games, loss_in, win_in},
    search::{MATE, RepetitionHistory, SearchControl, ThreadSearch},
};

#[derive(Debug)]
struct ScopedThreads;

impl Threads for ScopedThreads {
    fn run(&self, count: usize, helper: &(dyn Fn(usize) + Sync), main: &mut dyn FnMut()) {
        std::thread::scope(|scope| {
            (1..=count).for_each(|number| drop(scope.spawn(move || helper(number))));
            main();
        });
    }
}

/// Checks that every forced win and loss of up to `longest` plies is found with its length: by the search,
/// and by the player with one thread and with two. Enough of the positions need a search.
fn finds_proofs<P: HasPlayers>(start: &P, count: usize, longest: u32, enough: [u32; 2]) {
    let evaluator = P::Evaluator::new(start);
    let resources = Resources::new(1).with_threads(Arc::new(ScopedThreads));
    let control = SearchControl::new(&|_| false);
    let (mut won, mut lost) = (0, 0);
    for game in games(start, 3, count) {
        let position = game.position();
        let is_loss = |plies: &u32| plies.is_multiple_of(2);
        let proof = |plies: &u32| {
            if is_loss(plies) { loss_in(position, *plies) } else { win_in(position, *plies) }
        };
        let Some(plies) = (1..=longest).find(proof) else { continue };
        let expected = if is_loss(&plies) { plies as i32 - MATE } else { MATE - plies as i32 };
        let table = Table::new(1 << 20);
        let mut search = ThreadSearch::new(
            &evaluator,
            &table,
            &control,
            RepetitionHistory::new(&game.positions()[..game.moves().len()]),
            evaluator.init(position),
        );
        let value_at =
            |depth| search.root(position, depth, 0, None).ok().expect("the search has no limits").0;
        let values: Vec<_> = (1..=plies + 1).map(value_at).collect();
        // A forced move that completes a line of the opponent loses sooner than the search counts.
        assert_eq!(values.last(), Some(&expected), "{plies} moves: {position:?} {values:?}");
        for threads in [1, 2] {
            let settings = format!("depth={},threads={threads}", plies + 1);
            let mut engine = Engine::with(Settings::read(Some(&settings)).unwrap(), &resources);
            let reasons =
                engine.choose(&Root::<P, P::Evaluator>::new(&game), &Stop::default()).unwrap().reasons;
            let result = if is_loss(&plies) { Proof::Loss } else { Proof::Win };
            let is_it = |reason: &Reason| matches!(reason, Reason::Proven(proven) if proven.result == result && (proven.plies == plies || threads > 1));
            assert!(reasons.iter().any(is_it), "{settings}, {plies} moves: {position:?} {reasons:?}");
        }
        won += u32::from(plies > 1 && !is_loss(&plies));
        lost += u32::from(is_loss(&plies));
    }
    assert!(won >= enough[0] && lost >= enough[1], "{won} wins and {lost} losses needed a search");
}

#[test]
fn forced_wins_and_losses_are_never_missed() {
    finds_proofs(&TicTacToe::default(), 300, 5, [10, 10]);
    finds_proofs(&ConnectFour::new(Fixed::<6, 7, 4>), 300, 5, [10, 10]);
    finds_proofs(&ConnectFour::new(Custom::<u64>::new(Size::new(5, 5, 3).unwrap()).unwrap()), 200, 4, [5, 5]);
    finds_proofs(&Simplexity::new(Fixed::<6, 7, 4>, [10, 11]), 300, 4, [5, 5]);
    finds_proofs(&ChessFive::default(), 400, 3, [10, 1]);
}

/// A small game needs no large table: every thought is the same with the largest one, and another game gets its own.
#[test]
fn the_table_fits_the_game() {
    let settings = Settings { time: None, nodes: Some(300_000), ..Settings::default() };
    let mut engine = Engine::with(settings, &Resources::new(1));
    let mut largest = Engine::with(settings, &Resources::new(1));
    largest.table = Table::new(TABLE_BYTES);
    for game in games(&TicTacToe::default(), 5, 200) {
        let root = Root::<_, <TicTacToe as HasPlayers>::Evaluator>::new(&game);
        let [own, other] = [&mut engine, &mut largest].map(|e| e.choose(&root, &Stop::default()).unwrap());
        assert_eq!((own.line, own.nodes, own.reasons), (other.line, other.nodes, other.reasons), "{game:?}");
    }
    assert!((100 << 10..2 << 20).contains(&engine.table.bytes()), "{}", engine.table.bytes());
    let game = Game::new(ConnectFour::new(Fixed::<6, 7, 4>));
    engine
        .choose(&Root::<_, <ConnectFour<_> as HasPlayers>::Evaluator>::new(&game), &Stop::default())
        .unwrap();
    assert_eq!(engine.table.bytes(), TABLE_BYTES);
}
