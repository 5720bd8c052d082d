//! What the evaluator says without searching, against the rules; and that no move left out turns an estimate into a proof.

use rules::{Outcome, Size, gomoku::Usual};

use super::*;
use crate::{
    samples::{games, loss_in, win_in},
    search::{Limits, PROOF, Search},
};

fn start_by(rules: Rules, rows: u32, cols: u32, run: u32) -> Gomoku<Usual> {
    Gomoku::new(Usual::new(Size::new(rows, cols, run).unwrap()).unwrap(), rules)
}

fn start(rows: u32, cols: u32, run: u32) -> Gomoku<Usual> {
    start_by(Rules::Freestyle, rows, cols, run)
}

fn wins(position: &Gomoku<Usual>, m: Mark) -> bool {
    position.after(m).outcome() == Some(Outcome::Win(position.turn()))
}

/// Wins, answers, candidates and accumulators are those of the rules.
#[test]
fn what_is_said_without_searching_agrees_with_the_rules() {
    let by_rules = [Rules::Standard, Rules::Renju].map(|rules| start_by(rules, 7, 9, 5));
    let sizes = [start(3, 3, 3), start(6, 7, 4), start(15, 15, 5), start(9, 10, 6), start(3, 12, 5)];
    for start in sizes.into_iter().chain(by_rules).chain([start_by(Rules::Standard, 5, 6, 3)]) {
        let evaluator = GomokuEvaluator::new(&start);
        for game in games(&start, 1, 40) {
            let position = game.position();
            let lines = evaluator.init(position);
            let winning = evaluator.win(position, &lines);
            assert_eq!(winning.is_some(), position.legal_moves().any(|m| wins(position, m)), "{position:?}");
            assert!(winning.is_none_or(|m| wins(position, m)), "{position:?}");
            for m in position.legal_moves() {
                let next = position.after(m);
                assert_eq!(evaluator.update(&lines, position, m, &next), evaluator.init(&next));
            }
            let mut moves = Vec::new();
            evaluator.generate(position, &lines, &mut moves);
            assert!(!moves.is_empty());
            let candidates = evaluator.candidates(position, &lines);
            let can_win = |next: &Gomoku<Usual>| next.legal_moves().any(|m| wins(next, m));
            for m in position.legal_moves() {
                let count = candidates.iter().filter(|&&candidate| candidate == m).count();
                let is_lost = winning.is_none() && can_win(&position.after(m));
                assert!(count == 1 || count == 0 && (is_lost || winning.is_some()), "{position:?} {m}");
            }
        }
    }
}

/// A shape is what the rules say: how many cells complete a run after the stone.
#[test]
fn shapes_agree_with_the_rules() {
    for rules in [Rules::Freestyle, Rules::Standard] {
        assert_shapes_agree(&start_by(rules, 8, 9, 5));
    }
}

fn assert_shapes_agree(start: &Gomoku<Usual>) {
    let evaluator = GomokuEvaluator::new(start);
    let mut open_fours = 0;
    for game in games(start, 3, 120) {
        let position = game.position();
        let lines = evaluator.init(position);
        let before = evaluator.threats(position, position.turn());
        for m in position.legal_moves().filter(|_| before.is_empty()) {
            let next = position.after(m);
            let completions = evaluator.threats(&next, position.turn()).len();
            let shapes = evaluator.board.shapes(&lines, position.geometry().index(m.0));
            let most = (0..4).map(|direction| shape_of(shapes, position.turn(), direction)).max().unwrap();
            assert_eq!(completions > 0, most >= shapes::FOUR, "{position:?} {m}");
            assert!(most < OPEN_FOUR || completions > 1, "{position:?} {m}");
            open_fours += u32::from(most == OPEN_FOUR);
        }
    }
    assert!(open_fours > 5, "{open_fours}");
}

/// Where the opponent can make an open four, every move left out loses within four plies.
#[test]
fn only_answers_parry_an_open_four() {
    assert_only_answers_parry(&start(7, 7, 4), 4000);
    assert_only_answers_parry(&start_by(Rules::Standard, 7, 7, 4), 4000);
    assert_only_answers_parry(&start_by(Rules::Renju, 8, 8, 5), 4000);
}

fn assert_only_answers_parry(start: &Gomoku<Usual>, count: usize) {
    let evaluator = GomokuEvaluator::new(start);
    let mut left_out = 0;
    for game in games(start, 5, count) {
        let position = game.position();
        let lines = evaluator.init(position);
        if evaluator.urgency(position, &lines) != Urgency::Threatened
            || evaluator.win(position, &lines).is_some()
        {
            continue;
        }
        let mut moves = Vec::new();
        evaluator.generate(position, &lines, &mut moves);
        for m in position.legal_moves().filter(|m| moves.iter().all(|scored| scored.m != *m)) {
            assert!(win_in(&position.after(m), 3), "{position:?} {m}");
            left_out += 1;
        }
    }
    assert!(left_out > 100, "{left_out}");
}

/// Searches that leave out nearly all moves prove only what is true.
#[test]
fn a_move_left_out_makes_no_proof() {
    let (mut won, mut lost, mut drawn) = (0, 0, 0);
    let sizes = [(4, 4, 3), (4, 4, 4), (5, 5, 4), (3, 5, 4)].map(|(rows, cols, run)| start(rows, cols, run));
    let by_rules = [start_by(Rules::Standard, 4, 4, 3), start_by(Rules::Standard, 3, 5, 3)];
    for start in sizes.into_iter().chain(by_rules) {
        for game in games(&start, 7, 60) {
            let position = game.position();
            for width in [1, 2, 4] {
                let mut search = Search::<_, Narrow>::new(1 << 16);
                WIDTH_OF_NARROW.set(width);
                let limits = Limits::default().depth(5).nodes(20_000);
                let mut check = |found: &crate::search::Found<Mark>| {
                    let line = &found.lines[0];
                    let Some(proven) = line.proven().filter(|proven| proven.plies <= 6) else { return };
                    if line.value >= PROOF {
                        assert!(win_in(position, proven.plies), "{position:?} {line:?}");
                        won += u32::from(proven.plies > 1);
                    } else if line.value <= -PROOF {
                        assert!(loss_in(position, proven.plies), "{position:?} {line:?}");
                        lost += 1;
                    } else {
                        assert!(!win_in(position, proven.plies) && !loss_in(position, proven.plies));
                        drawn += 1;
                    }
                };
                search.deepen(&game, &limits, &crate::Stop::default(), &mut check);
            }
        }
    }
    assert!(won > 50 && lost > 20 && drawn > 5, "{won} {lost} {drawn}");
}

thread_local! {
    static WIDTH_OF_NARROW: std::cell::Cell<usize> = const { std::cell::Cell::new(1) };
}

/// The evaluator with another width.
struct Narrow(GomokuEvaluator<Usual>);

impl Evaluator<Gomoku<Usual>> for Narrow {
    type Accumulator = Lines;

    const MARGIN: i32 = GomokuEvaluator::<Usual>::MARGIN;

    const FORCING_NODES: u32 = FOURS;

    fn new(position: &Gomoku<Usual>) -> Self {
        Self(GomokuEvaluator { width: WIDTH_OF_NARROW.get(), ..GomokuEvaluator::new(position) })
    }

    fn init(&self, position: &Gomoku<Usual>) -> Lines {
        self.0.init(position)
    }

    fn counts(&self, position: &Gomoku<Usual>, lines: &Lines) -> impl AsRef<[i32]> {
        let counts = self.0.counts(position, lines);
        <[i32; 4]>::try_from(counts.as_ref()).expect("four terms")
    }

    fn weights(&self, position: &Gomoku<Usual>) -> &'static [Weight] {
        self.0.weights(position)
    }

    fn win(&self, position: &Gomoku<Usual>, lines: &Lines) -> Option<Mark> {
        self.0.win(position, lines)
    }

    fn urgency(&self, position: &Gomoku<Usual>, lines: &Lines) -> Urgency {
        self.0.urgency(position, lines)
    }

    fn generate(&self, position: &Gomoku<Usual>, lines: &Lines, moves: &mut Vec<ScoredMove<Mark>>) {
        self.0.generate(position, lines, moves);
    }

    fn others(&self, position: &Gomoku<Usual>, lines: &Lines, moves: &mut Vec<ScoredMove<Mark>>) {
        self.0.others(position, lines, moves);
    }

    fn forcing(&self, position: &Gomoku<Usual>, lines: &Lines, moves: &mut Vec<ScoredMove<Mark>>) {
        self.0.forcing(position, lines, moves);
    }

    fn number(&self, position: &Gomoku<Usual>, m: Mark) -> u16 {
        self.0.number(position, m)
    }

    fn plies_left(&self, position: &Gomoku<Usual>) -> u32 {
        self.0.plies_left(position)
    }
}
