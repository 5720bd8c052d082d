//! The evaluator of ChessFive: the 96 windows of five cells, reach and mobility.

use rules::{Cell, ChessFive, ChessFiveMove, Chessboard, Chessman, Geometry, Position, Side, members};

use super::{
    HasPlayers, Skill, book,
    evaluator::{
        BoardEvaluator, Evaluator, MAX_DEPTH, MAX_EXTENSION, SPREAD, ScoredMove, TtKey, Urgency, Weight,
    },
    lines::difference,
};
use crate::{
    classic::chess_five::{self, ChessFiveLevel, ChessFiveSearch, Level},
    entry::Entry,
};

pub(crate) struct ChessFiveEvaluator;

/// The four directions: the distance between the bits of two neighbours, and the cells where a window of five
/// begins.
const WAYS: [(u32, u64); 4] = [
    (8, 0x0000_0000_ffff_ffff),
    (1, 0x0f0f_0f0f_0f0f_0f0f),
    (9, 0x0000_0000_0f0f_0f0f),
    (7, 0x0000_0000_f0f0_f0f0),
];

/// Windows of five cells without opponent pieces, by the number of missing pieces; those whose gaps can each
/// be reached in one move; the number of moves; windows with three or four opponent pieces blocked by one own
/// piece, whose weight is negative because they indicate pressure. The two phases have separate weights.
///
/// Fitted by `cargo run --release -p alinea-players --example tune -- chess-five 2000 1000`: 2,000 games with
/// 1,000 nodes per move, played with the previous weights.
const DROPPING: [Weight; 9] = [
    ("one-missing", 105),
    ("two-missing", 11),
    ("three-missing", 6),
    ("more-missing", 0),
    ("one-missing-in-reach", 32),
    ("two-missing-in-reach", 9),
    ("three-missing-in-reach", 1),
    ("mobility", 2),
    ("blockers", -8),
];
const MOVING: [Weight; 9] = [
    ("one-missing", 81),
    ("two-missing", 27),
    ("three-missing", 9),
    ("more-missing", 2),
    ("one-missing-in-reach", -2),
    ("two-missing-in-reach", 10),
    ("three-missing-in-reach", 6),
    ("mobility", 3),
    ("blockers", -13),
];

/// Sixteen drops and two hundred moves.
const LONGEST_GAME: u32 = 216;
/// The maximum length of a searched line, in plies.
const HORIZON: u32 = MAX_DEPTH + MAX_EXTENSION as u32 + 3;

/// The ordering score of a piece that joins three in a window.
const ATTACK: u64 = 64;

/// By side and direction, the starts of windows that lack one piece and whose gap is empty.
type Fours = [[u64; 4]; 2];

/// The number of cells of a set in each window, for all windows in parallel: one set per binary digit.
#[inline]
fn count(set: u64, step: u32) -> [u64; 3] {
    let (a, b, c) = (set, set >> step, set >> (2 * step));
    let (d, e) = (set >> (3 * step), set >> (4 * step));
    let (ones, carry) = (a ^ b ^ c, a & b | c & (a ^ b));
    let (ones, more) = (ones ^ d ^ e, ones & d | e & (ones ^ d));
    [ones, carry ^ more, carry & more]
}

/// The windows that contain a cell of a set.
#[inline]
fn touched(set: u64, step: u32) -> u64 {
    let two = set | set >> step;
    two | two >> (2 * step) | set >> (4 * step)
}

/// The windows of one direction with one own piece and three or four of the opponent.
#[inline]
fn blocked(own: u64, opponent: u64, (step, starts): (u32, u64)) -> u64 {
    let ([ones, twos, fours], [opponent_ones, opponent_twos, opponent_fours]) =
        (count(own, step), count(opponent, step));
    starts & ones & !twos & !fours & (opponent_fours | opponent_ones & opponent_twos)
}

/// The windows of one direction that are open to a side, by the number of missing pieces: one to four.
#[inline]
fn open(own: u64, opponent: u64, (step, starts): (u32, u64)) -> [u64; 4] {
    let [ones, twos, fours] = count(own, step);
    let windows = starts & !touched(opponent, step);
    [windows & fours & !ones, windows & twos & ones, windows & twos & !ones, windows & ones & !twos & !fours]
}

/// All cells of the windows that begin here.
#[inline]
fn cells(starts: u64, step: u32) -> u64 {
    let two = starts | starts << step;
    two | two << (2 * step) | starts << (4 * step)
}

impl HasPlayers for ChessFive {
    type Evaluator = ChessFiveEvaluator;

    const LEVELS: &'static [Skill] = &[
        Skill::new(1, 2000, 100, 40),
        Skill::new(2, 1000, 81, 33).scoring(78.3, 300),
        Skill::new(3, 2000, 63, 26).scoring(81.2, 300),
        Skill::new(3, 4000, 46, 18).scoring(71.0, 300),
        Skill::new(4, 7500, 30, 12).scoring(79.7, 300),
        Skill::new(5, 10_000, 18, 7).scoring(78.2, 300),
        Skill::new(5, 15_000, 8, 2).scoring(81.0, 300),
        Skill::new(100, 12_000, 0, 0).scoring(81.3, 300),
    ];

    fn opponents(&self) -> Vec<Entry<Self>> {
        let levels = Entry::with_level("chess-five", ["easy", "medium", "hard"], 1, |level, resources| {
            let level = [Level::Easy, Level::Medium, Level::Hard][level];
            Box::new(ChessFiveLevel { level, rng: resources.rng() })
        });
        vec![levels.searching(|depth| Box::new(ChessFiveSearch { depth }))]
    }
}

impl ChessFiveEvaluator {
    #[inline]
    fn fours(position: &ChessFive) -> Fours {
        // Written out, because short loops stay loops where the compiler optimises for size.
        let [first, second] = [position.pieces(Side::First), position.pieces(Side::Second)];
        let [horizontal, vertical, rising, falling] = WAYS;
        let of = |own, opponent| {
            [
                open(own, opponent, horizontal)[0],
                open(own, opponent, vertical)[0],
                open(own, opponent, rising)[0],
                open(own, opponent, falling)[0],
            ]
        };
        [of(first, second), of(second, first)]
    }

    /// A winning move of a side if it were its turn, in either phase.
    #[inline]
    fn win_of(position: &ChessFive, fours: &Fours, side: Side, moves: bool) -> Option<ChessFiveMove> {
        let own = position.pieces(side);
        WAYS.into_iter().zip(fours[side.index()]).filter(|&(_, starts)| starts != 0).find_map(
            |((step, _), starts)| {
                members(starts).find_map(|start| {
                    let window = cells(1 << start, step);
                    let gap = (window & !own).trailing_zeros();
                    if moves {
                        step_to(position, own & !window, gap)
                    } else {
                        drop_on(position, side, Chessboard.cell(gap))
                    }
                })
            },
        )
    }

    /// The opponent's winning move in its next turn, if there is one.
    #[inline]
    fn threat(position: &ChessFive, fours: &Fours) -> Option<ChessFiveMove> {
        let moves_next = position.occupied().count_ones() >= 15;
        Self::win_of(position, fours, position.turn().other(), moves_next)
    }

    fn counts_of(position: &ChessFive, side: Side) -> [i32; 9] {
        let (own, opponent) = (position.pieces(side), position.pieces(side.other()));
        let (mut reach, mut mobility) = (0, 0);
        position.reaches(side).for_each(|(_, cells)| {
            reach |= cells;
            mobility += cells.count_ones() as i32;
        });
        let out_of_reach = !(reach | own);
        let mut counts = [0, 0, 0, 0, 0, 0, 0, mobility, 0];
        for way in WAYS {
            let [one, two, three, four] = open(own, opponent, way);
            let in_reach = !touched(out_of_reach, way.0);
            // Written out, as above.
            counts[0] += one.count_ones() as i32;
            counts[1] += two.count_ones() as i32;
            counts[2] += three.count_ones() as i32;
            counts[3] += four.count_ones() as i32;
            counts[4] += (one & in_reach).count_ones() as i32;
            counts[5] += (two & in_reach).count_ones() as i32;
            counts[6] += (three & in_reach).count_ones() as i32;
            counts[8] += blocked(own, opponent, way).count_ones() as i32;
        }
        counts
    }
}

/// A move of one of these pieces to an empty cell.
#[inline]
fn step_to(position: &ChessFive, pieces: u64, to: u32) -> Option<ChessFiveMove> {
    let occupied = position.occupied();
    Chessman::ALL.into_iter().find_map(|man| {
        let men = position.men(man) & pieces;
        // Attacks are symmetric: the pieces that reach the cell are those that it attacks.
        let from = if men == 0 { 0 } else { men & man.attacks(to, occupied) };
        (from != 0).then(|| ChessFiveMove::Step {
            from: Chessboard.cell(from.trailing_zeros()),
            to: Chessboard.cell(to),
        })
    })
}

/// A drop of any piece in hand that lands on this empty cell.
#[inline]
fn drop_on(position: &ChessFive, side: Side, to: Cell) -> Option<ChessFiveMove> {
    let man = Chessman::ALL.into_iter().find(|&man| position.in_hand(side, man) > 0)?;
    let falls_there = Chessboard.height(position.occupied(), to.column) == to.row;
    falls_there.then_some(ChessFiveMove::Drop { man, column: to.column })
}

/// A superset of the cells where a piece would prevent a move.
fn in_the_way(position: &ChessFive, threat: ChessFiveMove) -> u64 {
    let occupied = position.occupied();
    match threat {
        ChessFiveMove::Drop { column, .. } => {
            1 << Chessboard.index(Cell::new(column, Chessboard.height(occupied, column)))
        }
        ChessFiveMove::Step { from, to } => {
            let [from, to] = [from, to].map(|cell| Chessboard.index(cell));
            let lines = |cell| Chessman::Queen.attacks(cell, occupied);
            1 << to | lines(from) & lines(to)
        }
    }
}

/// All cells of the windows that lack two cells for a side.
#[inline]
fn threes(own: u64, opponent: u64) -> u64 {
    WAYS.into_iter().fold(0, |all, way| all | cells(open(own, opponent, way)[1], way.0))
}

/// Whether the move brings a piece from outside these cells to one of them.
#[inline]
fn joins(position: &ChessFive, m: ChessFiveMove, cells: u64) -> bool {
    cells >> destination(position, m) & 1 != 0 && leaving(m) & cells == 0
}

/// The cell that a move vacates.
#[inline]
fn leaving(m: ChessFiveMove) -> u64 {
    match m {
        ChessFiveMove::Step { from, .. } => 1 << Chessboard.index(from),
        ChessFiveMove::Drop { .. } => 0,
    }
}

/// The destination of the moved piece.
#[inline]
fn destination(position: &ChessFive, m: ChessFiveMove) -> u32 {
    match m {
        ChessFiveMove::Drop { column, .. } => {
            Chessboard.index(Cell::new(column, Chessboard.height(position.occupied(), column)))
        }
        ChessFiveMove::Step { to, .. } => Chessboard.index(to),
    }
}

impl Evaluator<ChessFive> for ChessFiveEvaluator {
    type Accumulator = Fours;

    const MARGIN: i32 = 80;

    // Threats can repeat without end.
    const ANSWERS_ARE_FREE: bool = false;
    const ATTACKING_PLIES: i32 = 2;

    fn new(_: &ChessFive) -> Self {
        Self
    }

    fn init(&self, position: &ChessFive) -> Fours {
        Self::fours(position)
    }

    #[inline]
    fn update(&self, _: &Fours, _: &ChessFive, _: ChessFiveMove, next: &ChessFive) -> Fours {
        // A few shifts for all windows: cheaper than an incremental update.
        Self::fours(next)
    }

    #[inline]
    fn counts(&self, position: &ChessFive, _: &Fours) -> impl AsRef<[i32]> {
        let [first, second] = [Side::First, Side::Second];
        difference(position.turn(), [Self::counts_of(position, first), Self::counts_of(position, second)])
    }

    #[inline]
    fn weights(&self, position: &ChessFive) -> &'static [Weight] {
        if position.is_chess_phase() { &MOVING } else { &DROPPING }
    }

    #[inline]
    fn win(&self, position: &ChessFive, fours: &Fours) -> Option<ChessFiveMove> {
        Self::win_of(position, fours, position.turn(), position.is_chess_phase())
    }

    #[inline]
    fn urgency(&self, position: &ChessFive, fours: &Fours) -> Urgency {
        if Self::threat(position, fours).is_none() { Urgency::Quiet } else { Urgency::Forced }
    }

    fn generate(&self, position: &ChessFive, fours: &Fours, moves: &mut Vec<ScoredMove<ChessFiveMove>>) {
        if let Some(threat) = Self::threat(position, fours) {
            let in_the_way = in_the_way(position, threat);
            let holds = |m: &ChessFiveMove| {
                let next = position.after(*m);
                next.outcome().is_some() || self.win(&next, &Self::fours(&next)).is_none()
            };
            let blocks = |m: &ChessFiveMove| in_the_way >> destination(position, *m) & 1 != 0 && holds(m);
            position.legal_moves().filter(blocks).for_each(|m| moves.push(ScoredMove::plain(m)));
            if moves.is_empty() {
                // Every move loses equally fast.
                moves.extend(position.legal_moves().take(1).map(ScoredMove::plain));
            }
            return;
        }
        // Moves that make a line of four, or prevent one of the opponent, come first.
        let (own, opponent) = (position.pieces(position.turn()), position.pieces(position.turn().other()));
        let (attack, defence) = (threes(own, opponent), threes(opponent, own));
        // Not `extend`, which asks an iterator of two kinds of moves for one after the other.
        position.legal_moves().for_each(|m| {
            let to = destination(position, m);
            let attacks = 2 * (attack >> to & 1) + u64::from(joins(position, m, attack)) * ATTACK;
            let score = attacks + 2 * (defence >> to & 1) + 1 - (leaving(m) & attack != 0) as u64;
            moves.push(ScoredMove { m, score: score as i32 });
        });
    }

    fn attacks(&self, position: &ChessFive, moves: &mut Vec<ScoredMove<ChessFiveMove>>) {
        let (own, opponent) = (position.pieces(position.turn()), position.pieces(position.turn().other()));
        let attack = threes(own, opponent);
        if attack & !own != 0 {
            let attacks = position.legal_moves().filter(|&m| joins(position, m, attack));
            attacks.for_each(|m| moves.push(ScoredMove::plain(m)));
        }
    }

    #[inline]
    fn number(&self, _: &ChessFive, m: ChessFiveMove) -> u16 {
        match m {
            ChessFiveMove::Drop { man, column } => 4096 + man as u16 * 8 + u16::from(column),
            ChessFiveMove::Step { from, to } => (Chessboard.index(from) * 64 + Chessboard.index(to)) as u16,
        }
    }

    #[inline]
    fn plies_left(&self, position: &ChessFive) -> u32 {
        LONGEST_GAME - u32::from(position.ply())
    }

    /// In the dropping phase a position shares its key with its mirror image. In the moving phase, once the
    /// draw by length is within the horizon, the key includes the plies that are left.
    #[inline]
    fn tt_key(&self, position: &ChessFive) -> TtKey {
        let left = self.plies_left(position);
        if position.occupied().count_ones() < 16 {
            TtKey::shared(position.key(), position.mirrored().key())
        } else if left < HORIZON {
            TtKey::plain(position.key() ^ u64::from(left).wrapping_mul(SPREAD))
        } else {
            TtKey::plain(position.key())
        }
    }

    #[inline]
    fn mirrored(&self, number: u16) -> u16 {
        // Columns are the upper three bits of a cell.
        if number >= 4096 { number ^ 7 } else { number ^ (56 * 64 + 56) }
    }
}

impl BoardEvaluator<ChessFive> for ChessFiveEvaluator {
    fn threats(&self, position: &ChessFive, side: Side) -> Vec<Cell> {
        chess_five::threats(position, side)
    }

    fn book_move(&self, position: &ChessFive) -> Option<(ChessFiveMove, u32)> {
        book::find(&book::CHESS_FIVE, position)
    }
}
