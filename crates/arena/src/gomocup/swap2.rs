//! Swap2 openings as a program plays them for a Gomocup manager: it proposes three stones, or chooses its side.

use players::{NoMove, Program, Stop};
use rules::{AnyGame, Cell, Opening, Word};

/// The program's answer to an opening.
pub(super) enum Answer {
    /// Places these stones: the three of a proposal, or the move by which it takes the side to move.
    Stones(Vec<String>),
    /// Takes the side that has just moved.
    Swap,
}

/// Answers an opening of no, three or five stones, as the program plays the opening at any table.
pub(super) fn answer(program: &mut Program, game: &AnyGame, stop: &Stop) -> Result<Answer, NoMove> {
    let failed = |error: &dyn ToString| NoMove::Failed(error.to_string());
    let spec = game.spec().with_opening(Opening::Swap2).map_err(|error| failed(&error))?;
    let mut opening = AnyGame::from(spec);
    for m in game.moves() {
        if opening.stage().words().contains(&Word::Add) {
            opening.play(Word::Add.text()).map_err(|error| failed(&error))?;
        }
        opening.play(&m).map_err(|error| failed(&error))?;
    }
    let program_side = opening.turn();
    let mut stones = Vec::new();
    while opening.turn() == program_side && opening.outcome().is_none() {
        let chosen = program.choose(&opening, stop)?.chosen;
        opening.play(&chosen).map_err(|error| failed(&error))?;
        // A word is no stone.
        stones.extend(chosen.parse::<Cell>().is_ok().then_some(chosen));
    }
    Ok(if stones.is_empty() { Answer::Swap } else { Answer::Stones(stones) })
}

#[cfg(test)]
mod tests {
    use players::{roster, system};
    use rules::Spec;

    use super::*;

    fn game(moves: &str) -> AnyGame {
        let mut game = AnyGame::from("gomoku".parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        game
    }

    fn answered(moves: &str, seed: u64) -> Answer {
        let game = game(moves);
        let mut engine = roster::program(&game, "engine:nodes=300", &system::resources(seed)).unwrap();
        answer(&mut engine, &game, &Stop::default()).unwrap()
    }

    #[test]
    fn a_proposal_is_three_stones_that_the_seed_decides() {
        let stones = |seed| match answered("", seed) {
            Answer::Stones(stones) => stones,
            Answer::Swap => panic!("there is nothing to swap"),
        };
        assert_eq!(stones(1).len(), 3);
        assert_eq!(stones(1), stones(1));
        assert!((2..9).any(|seed| stones(seed) != stones(1)));
        assert_eq!(game(&stones(1).join(" ")).moves(), stones(1));
    }

    #[test]
    fn the_better_side_is_chosen() {
        // The first side threatens to make an open four, or has only stones at the edge.
        let choice = |moves| match answered(moves, 1) {
            Answer::Swap => "SWAP".to_owned(),
            Answer::Stones(stones) => stones.len().to_string(),
        };
        assert_eq!(choice("h8 a1 i9 o15 j10"), "SWAP");
        assert_eq!(choice("a1 h8 o1 h9 a15"), "1");
    }
}
