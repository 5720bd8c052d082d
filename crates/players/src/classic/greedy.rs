//! `greedy`: the Connect Four player that makes its longest line, or blocks.

use rules::{Bits, Cell, Column, ConnectFour, Direction, Game, Geometry, Position, Side, runs::neighbour};

use crate::{Player, Reason, Stop, Stopped, Thought};

pub(crate) struct Greedy;

impl<G: Geometry> Player<ConnectFour<G>> for Greedy {
    fn choose(&mut self, game: &Game<ConnectFour<G>>, _stop: &Stop) -> Result<Thought<Column>, Stopped> {
        let position = game.position();
        let own = longest(position, position.turn());
        let opponent = longest(position, position.turn().other());
        let run = u32::from(position.geometry().run());
        let (column, reason) = if opponent.length >= run && own.length < run {
            (opponent.column, Reason::Block)
        } else if own.length >= run {
            (own.column, Reason::Win)
        } else {
            (own.column, Reason::Join { length: own.length })
        };
        Ok(Thought::new(column, vec![column], vec![reason]))
    }
}

struct Joined {
    column: Column,
    length: u32,
}

/// The leftmost column where a side's next piece joins the longest line.
fn longest<G: Geometry>(position: &ConnectFour<G>, side: Side) -> Joined {
    position
        .legal_moves()
        .map(|column| Joined { column, length: joined_length(position, side, position.landing(column)) })
        .reduce(|best, next| if next.length > best.length { next } else { best })
        .expect("the game is not over")
}

/// The length of the longest unbroken line of a side's pieces through a cell, if it had one there.
fn joined_length<G: Geometry>(position: &ConnectFour<G>, side: Side, cell: Cell) -> u32 {
    let geometry = position.geometry();
    let stones = position.stones(side) | G::Bits::bit(geometry.index(cell));
    let reached = |delta| {
        let next =
            |&cell: &Cell| neighbour(geometry, cell, delta).filter(|&cell| stones.has(geometry.index(cell)));
        std::iter::successors(Some(cell), next).count() as u32
    };
    let through = |direction: Direction| {
        let (columns, rows) = direction.delta();
        reached((columns, rows)) + reached((-columns, -rows)) - 1
    };
    Direction::ALL.into_iter().map(through).max().expect("there are directions")
}
