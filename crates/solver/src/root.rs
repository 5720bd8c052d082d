//! The root of the search: chooses the next null window, grows the table, and starts further threads for
//! long searches.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use rules::Column;

use crate::{
    Analysis, Book, Bounds, StopSignal, Threads,
    board::{Layout, Stones},
    search::{Interrupt, Node, Search},
    table::{FAR_REST, Table, Tables},
};

/// The search stopped before the question was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interrupted;

/// A question about a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    /// Its exact value.
    Exact,
    /// Its sign, which says who wins.
    Sign,
}

impl Question {
    /// Whether these bounds answer it.
    pub(crate) fn is_answered(self, bounds: Bounds) -> bool {
        bounds.lower == bounds.upper || self == Self::Sign && (bounds.lower > 0 || bounds.upper < 0)
    }

    /// The next `alpha` to ask for.
    fn window(self, Bounds { lower, upper }: Bounds) -> i32 {
        let alpha = if self == Self::Sign || lower < 0 && upper > 0 && upper.max(-lower) <= 7 {
            // The sign first: the deepest search, but it excludes most scores.
            if upper > -lower { 0 } else { -1 }
        } else if lower < 0 && upper > 0 {
            // A quick win or loss is found by a shallow search.
            if upper > -lower { upper / 2 } else { lower / 2 }
        } else {
            lower + (upper - lower) / 2
        };
        alpha.clamp(lower, upper - 1)
    }
}

/// Below this number of nodes per window, further threads cost more than they gain.
const SINGLE_THREAD_NODES: u64 = 1 << 20;

/// Positions up to this ply share their entries with their mirror images, if the search starts early enough.
const MIRROR_PLY: i32 = 14;
/// The last ply at which such a search may start: later positions rarely transpose into their mirror images.
const MIRROR_ROOT_PLY: i32 = 8;

/// A search of one board size.
pub(crate) struct RootSearch<'a, L> {
    pub layout: L,
    pub tables: &'a mut Tables,
    pub threads: (&'a dyn Threads, usize),
    pub stop: &'a dyn StopSignal,
    /// The opening book, if there is one for this size.
    pub book: Option<&'static Book>,
    pub nodes: u64,
}

impl<L: Layout> RootSearch<'_, L> {
    /// The bounds of a position that is not won, without search.
    fn first_bounds(&self, stones: Stones) -> Bounds {
        let rest = self.layout.cells() - stones.ply();
        if rest == 0 {
            return Bounds::exactly(0);
        }
        if stones.winning_landings(self.layout) != 0 {
            return Bounds::exactly((rest + 1) / 2);
        }
        if Node::new(self.layout, stones).is_none() {
            return Bounds::exactly(-(rest / 2));
        }
        if let Some(score) = self.book.and_then(|book| book.score_of(stones)) {
            return Bounds::exactly(score.into());
        }
        // The table may have an entry under the key of the position or of its mirror image.
        let keys = [stones.key(), stones.mirrored(self.layout).key()];
        let table = if rest >= FAR_REST { &self.tables.far } else { &self.tables.near };
        let known = keys.into_iter().filter_map(|key| table.probe(table.hash(key)));
        known.fold(Bounds { lower: -((rest - 2) / 2), upper: (rest - 1) / 2 }, Bounds::and)
    }

    /// The bounds of a move's score, for the side that plays it, without search.
    fn move_bounds(&self, stones: Stones, cell: u64) -> Bounds {
        if stones.winning_landings(self.layout) & cell != 0 {
            Bounds::exactly((self.layout.cells() - stones.ply() + 1) / 2)
        } else {
            self.first_bounds(stones.after(cell)).reversed()
        }
    }

    /// The moves as cells with their columns, from the left.
    fn moves(&self, stones: Stones) -> impl Iterator<Item = (Column, u64)> + use<L> {
        let layout = self.layout;
        let landings = layout.landings(stones.occupied);
        (0..layout.cols())
            .map(move |column| (Column::new(column as u8), landings & layout.column(column)))
            .filter(|&(_, cell)| cell != 0)
    }

    /// Proves the scores of a position and of its moves as far as possible before the stop flag is set; or
    /// proves only which moves have the score of the position, which is cheaper.
    pub(crate) fn analyse(&mut self, stones: Stones, only_best: bool) -> Analysis {
        let mut bounds = Bounds::ANY;
        let mut stopped = self.narrow(stones, Question::Exact, &mut bounds).is_err();
        let best = bounds.lower;
        let mut moves: Vec<_> = self
            .moves(stones)
            .map(|(column, cell)| {
                // No move is better than the position.
                let most = Bounds { lower: Bounds::ANY.lower, upper: bounds.upper };
                (column, self.move_bounds(stones, cell).and(most))
            })
            .collect();
        for (column, bounds) in &mut moves {
            let is_open = if only_best {
                bounds.lower < best && bounds.upper >= best
            } else {
                bounds.exact().is_none()
            };
            if is_open && !stopped {
                let cell = self.layout.landings(stones.occupied) & self.layout.column(column.index().into());
                let mut child = bounds.reversed();
                let asked = if only_best {
                    self.ask(stones.after(cell), -best, &mut child)
                } else {
                    self.narrow(stones.after(cell), Question::Exact, &mut child)
                };
                stopped = asked.is_err();
                *bounds = child.reversed();
            }
        }
        // A position is at least as good as its best move; after an early stop this may raise the bound.
        bounds.lower =
            moves.iter().map(|(_, bounds)| bounds.lower).max().unwrap_or(bounds.lower).max(bounds.lower);
        Analysis { bounds, moves, stopped }
    }

    /// Appends the moves of a line of best play from a position that is not over, until the game ends or the
    /// line has `plies` moves.
    pub(crate) fn line(
        &mut self,
        mut stones: Stones,
        plies: usize,
        bounds: &mut Bounds,
        line: &mut Vec<Column>,
    ) -> Result<(), Interrupted> {
        self.narrow(stones, Question::Exact, bounds)?;
        let mut score = bounds.lower;
        while stones.ply() < self.layout.cells() && line.len() < plies {
            let (column, cell) = self.best_move(stones, score)?;
            line.push(column);
            if stones.winning_landings(self.layout) & cell != 0 {
                break;
            }
            stones = stones.after(cell);
            score = -score;
        }
        Ok(())
    }

    /// Finds a move with the score of the position: one that the book or the table knows, otherwise the first
    /// that a search proves. Among equals, it prefers the move nearest to the centre.
    fn best_move(&mut self, stones: Stones, score: i32) -> Result<(Column, u64), Interrupted> {
        let mut moves: Vec<_> = self
            .moves(stones)
            .map(|(column, cell)| (column, cell, self.move_bounds(stones, cell)))
            .filter(|(_, _, bounds)| bounds.upper >= score)
            .collect();
        let cols = self.layout.cols();
        let distance = |column: Column| (2 * u32::from(column.index()) + 1).abs_diff(cols);
        let known = moves.iter().filter(|(_, _, bounds)| bounds.lower >= score);
        if let Some(&(column, cell, _)) = known.min_by_key(|(column, ..)| distance(*column)) {
            return Ok((column, cell));
        }
        loop {
            let nearest = (0..moves.len()).min_by_key(|&i| distance(moves[i].0));
            let nearest = nearest.expect("one of the moves has the score of the position");
            let (column, cell, bounds) = moves.remove(nearest);
            if moves.is_empty() {
                return Ok((column, cell));
            }
            let mut child = bounds.reversed();
            self.ask(stones.after(cell), -score, &mut child)?;
            if child.reversed().lower >= score {
                return Ok((column, cell));
            }
        }
    }

    /// Narrows the bounds of a position's score until they answer the question or the stop flag is set.
    /// `bounds` has the result in either case.
    pub(crate) fn narrow(
        &mut self,
        stones: Stones,
        question: Question,
        bounds: &mut Bounds,
    ) -> Result<(), Interrupted> {
        *bounds = bounds.and(self.first_bounds(stones));
        while !question.is_answered(*bounds) {
            self.ask(stones, question.window(*bounds), bounds)?;
        }
        Ok(())
    }

    /// Searches whether the score is greater than `alpha`, and narrows the bounds accordingly. The side to
    /// move must have no immediate win, and must have a move that prevents any immediate win of the opponent.
    pub(crate) fn ask(&mut self, stones: Stones, alpha: i32, bounds: &mut Bounds) -> Result<(), Interrupted> {
        let node = Node::new(self.layout, stones).expect("neither side wins at once");
        let (mut threads, mut spent) = (1, 0);
        loop {
            let (answer, nodes) = self.search(node, alpha, threads);
            self.nodes += nodes;
            spent += nodes;
            match answer {
                Ok(value) if value > alpha => bounds.lower = bounds.lower.max(value),
                Ok(value) => bounds.upper = bounds.upper.min(value),
                Err(Interrupt::Stop) => return Err(Interrupted),
                Err(Interrupt::Budget) => {
                    // With several threads, the tables' budget is the only one.
                    self.tables.grow(if threads > 1 { self.tables.budget() } else { nodes });
                    if spent >= SINGLE_THREAD_NODES {
                        threads = self.threads.1;
                    }
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// A search from this node that ends when `done` is set.
    fn begin<'s>(&'s self, node: Node, near: &'s Table, done: &'s AtomicBool) -> Search<'s, L> {
        let mut search = Search::new(self.layout, [&self.tables.far, near], [self.stop, done]);
        if node.stones.ply() <= MIRROR_ROOT_PLY {
            search.mirror_rest = self.layout.cells() - MIRROR_PLY;
        }
        search
    }

    /// Runs one search on `threads` threads that share the far table. Each has its own move order, and the
    /// first to finish stops the others.
    fn search(&self, node: Node, alpha: i32, threads: usize) -> (Result<i32, Interrupt>, u64) {
        let done = AtomicBool::new(false);
        let mut first = self.begin(node, &self.tables.near, &done);
        first.budget = self.tables.budget() / threads as u64;
        if threads == 1 {
            if self.threads.1 > 1 {
                first.budget = first.budget.min(SINGLE_THREAD_NODES);
            }
            return (first.run(node, alpha), first.nodes);
        }
        let helped = Mutex::new((Err(Interrupt::Stop), 0));
        let help = |number| {
            let near = self.tables.near.another();
            let mut search = self.begin(node, &near, &done);
            search.vary(number);
            let answer = search.run(node, alpha);
            done.store(true, Relaxed);
            let mut helped = helped.lock().unwrap_or_else(PoisonError::into_inner);
            *helped = (helped.0.or(answer), helped.1 + search.nodes);
        };
        let mut answer = Err(Interrupt::Stop);
        self.threads.0.run(threads - 1, &help, &mut || {
            answer = first.run(node, alpha);
            done.store(true, Relaxed);
        });
        let (theirs, their_nodes) = *helped.lock().unwrap_or_else(PoisonError::into_inner);
        // A thread that was stopped by another has no answer.
        let answer = if answer == Err(Interrupt::Stop) { theirs } else { answer };
        (answer, first.nodes + their_nodes)
    }
}
