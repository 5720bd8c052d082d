//! Alinea's solver and the crate `connect-four-ai`, each without a book and with a cleared table for every position, as
//! in the solver's own benchmark.

use std::cell::RefCell;

use rules::{Column, ConnectFour, Position as _, Standard};
use solver::Solver;

/// Both solvers.
pub struct Solvers {
    ours: Solver,
    theirs: connect_four_ai::Solver,
}

impl Default for Solvers {
    fn default() -> Self {
        Self { ours: Solver::new(64 << 20), theirs: connect_four_ai::Solver::empty() }
    }
}

impl Solvers {
    /// The score of a position, given by columns as digits.
    pub fn ours(&mut self, moves: &str) -> i32 {
        let mut position = ConnectFour::new(Standard::default());
        for digit in moves.bytes() {
            position.play(Column::new(digit - b'1')).expect("a legal move");
        }
        self.ours.clear();
        self.ours.score(&position, &|| false).expect("nothing stops it")
    }

    /// The same by the other solver.
    pub fn theirs(&mut self, moves: &str) -> i32 {
        let position = connect_four_ai::Position::from_moves(moves).expect("legal moves");
        self.theirs.reset();
        self.theirs.solve(&position).into()
    }
}

thread_local! {
    static SOLVERS: RefCell<Solvers> = RefCell::default();
    static MOVES: RefCell<[u8; 64]> = const { RefCell::new([0; 64]) };
}

/// Room for the moves of the next position.
#[unsafe(no_mangle)]
extern "C" fn room() -> *mut u8 {
    MOVES.with_borrow_mut(|moves| moves.as_mut_ptr())
}

fn solve(length: usize, solve: fn(&mut Solvers, &str) -> i32) -> i32 {
    let moves = MOVES.with_borrow(|moves| String::from_utf8_lossy(&moves[..length]).into_owned());
    SOLVERS.with_borrow_mut(|solvers| solve(solvers, &moves))
}

/// The score of the position in the room.
#[unsafe(no_mangle)]
extern "C" fn ours(length: usize) -> i32 {
    solve(length, Solvers::ours)
}

/// The same by the other solver.
#[unsafe(no_mangle)]
extern "C" fn theirs(length: usize) -> i32 {
    solve(length, Solvers::theirs)
}

/// Nothing here is random.
#[cfg(target_arch = "wasm32")]
#[unsafe(no_mangle)]
extern "Rust" fn __getrandom_v03_custom(_: *mut u8, _: usize) -> Result<(), getrandom::Error> {
    unreachable!("no solver asks for random numbers")
}
