//! How hard a puzzle is: the lowest level that finds the solution, and the effort of the proof.

use players::{Program, Resources, Stop, roster};

use super::{Goal, Puzzle, proof::Judge};

/// Number of tries of each level; a level plays some moves at random.
const TRIES: u64 = 3;
/// How often a level must find the solution.
const ENOUGH: usize = 2;
/// The rating of the easiest puzzles, and the range above it.
const LEAST: u32 = 600;
const RANGE: u32 = 1800;

/// Whether a program plays every move of the solution.
pub fn finds(program: &mut Program, puzzle: &Puzzle, stop: &Stop) -> bool {
    let mut game = puzzle.game();
    for (ply, m) in puzzle.solution.iter().enumerate() {
        let is_found = ply % 2 == 1 || program.choose(&game, stop).is_ok_and(|thought| thought.chosen == *m);
        if !is_found {
            return false;
        }
        game.play(m).expect("the moves of a solution are legal");
    }
    true
}

/// The first rating of a puzzle: one step for each level that does not find it, and up to a step for the effort of
/// its proof. The same on every machine.
#[must_use]
pub fn rate(puzzle: &Puzzle) -> u32 {
    let start = puzzle.game();
    let levels = roster::levels(&start).len() as u32;
    let finds_often = |level: u32| {
        let finds = (0..TRIES).filter(|&seed| {
            let name = format!("level:{level}");
            let program = roster::program(&start, &name, &Resources::new(seed));
            let mut program = program.expect("the roster lists its levels");
            finds(&mut program, puzzle, &Stop::default())
        });
        finds.take(ENOUGH).count() == ENOUGH
    };
    let below = (1..=levels).find(|&level| finds_often(level)).map_or(levels, |level| level - 1);
    let step = RANGE / (levels + 1);
    LEAST + below * step + effort(puzzle).min(step - 1)
}

/// Twelve points for each doubling of the number of positions that are searched to find the result.
fn effort(puzzle: &Puzzle) -> u32 {
    let (mut judge, game) = (Judge::default(), puzzle.game());
    if puzzle.goal == Goal::Win {
        judge.shortest_win(&game);
    } else {
        judge.holds(&game, puzzle.depth, 1);
    }
    12 * judge.nodes.max(1).ilog2()
}
