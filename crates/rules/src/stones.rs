//! What the games with one kind of piece share: whose piece is on a cell, the winning line, written positions.

use crate::{Bits, Board, Cell, Geometry, Kind, Outcome, Piece, Setup, SetupError, Side, notation, runs};

/// The piece on a cell.
pub(crate) fn piece<G: Geometry>(geometry: G, stones: &[G::Bits; 2], cell: Cell) -> Option<Piece> {
    let index = geometry.index(cell);
    let side = Side::BOTH.into_iter().find(|side| stones[side.index()].has(index))?;
    Some(Piece { side, kind: Kind::Stone })
}

/// The cells of the winning line, in their order.
pub(crate) fn line<G: Geometry>(
    geometry: G,
    stones: &[G::Bits; 2],
    outcome: Option<Outcome>,
) -> Option<Vec<Cell>> {
    let winner = outcome?.winner()?;
    runs::find_run(geometry, stones[winner.index()])
}

/// The pieces of a written position. Their numbers agree with the side to move.
pub(crate) fn read<P: Board, G: Geometry>(geometry: G, setup: &Setup) -> Result<[G::Bits; 2], SetupError> {
    let stones = placed::<P, G>(geometry, setup)?;
    let [first, second] = stones.map(|stones| stones.count() as usize);
    notation::check_turn(first, second, setup.turn)?;
    Ok(stones)
}

/// The same whatever their numbers.
pub(crate) fn placed<P: Board, G: Geometry>(geometry: G, setup: &Setup) -> Result<[G::Bits; 2], SetupError> {
    let mut stones = [G::Bits::ZERO; 2];
    for &(cell, letter) in &setup.letters {
        let stones = &mut stones[notation::piece_of(P::info(), letter)?.side.index()];
        *stones = *stones | G::Bits::bit(geometry.index(cell));
    }
    Ok(stones)
}
