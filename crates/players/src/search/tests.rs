//! The search against plain minimax and against the rules.

use rules::{
    ChessFive, ChessFiveMove, ConnectFour, Custom, Game, Outcome, Position, Simplexity, Size, TicTacToe,
};

use super::{node::REDUCTION_DEPTH, *};
use crate::{
    eval::{
        ChessFiveEvaluator, ConnectFourEvaluator, MAX_EXTENSION, SimplexityEvaluator, TicTacToeEvaluator,
    },
    samples::{games, win_in},
};

fn repetitions<P: Position>(game: &Game<P>) -> RepetitionHistory {
    RepetitionHistory::new(&game.positions()[..game.moves().len()])
}

fn wins<P: Position>(position: &P, m: P::Move) -> bool {
    position.after(m).outcome() == Some(Outcome::Win(position.turn()))
}

fn can_win<P: Position>(position: &P) -> bool {
    position.legal_moves().any(|m| wins(position, m))
}

/// Minimax without bounds, tables, order or pruning, to the same horizon.
fn plain<P: Position, E: Evaluator<P>>(
    position: &P,
    evaluator: &E,
    depth: i32,
    ply: i32,
    root_depth: i32,
    (repetitions, keys): (&RepetitionHistory, &mut Vec<u64>),
) -> i32 {
    match position.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(winner)) => {
            return if winner == position.turn() { MATE - ply } else { ply - MATE };
        }
        None => {}
    }
    let key = position.key();
    if ply > 0
        && position.draws_when_seen().is_some()
        && [&*keys, repetitions.spent()].iter().any(|k| k.contains(&key))
    {
        return 0;
    }
    if can_win(position) {
        return MATE - ply - 1;
    }
    let forced = evaluator.urgency(position, &evaluator.init(position)) == Urgency::Forced;
    let extends = forced && ply < root_depth + MAX_EXTENSION as i32;
    let mut moves: Vec<_> = position.legal_moves().collect();
    let mut best = -MATE;
    if depth <= 0 && !extends {
        best = evaluator.evaluate(position, &evaluator.init(position));
        let mut attacks = Vec::new();
        if depth > -E::ATTACKING_PLIES {
            evaluator.attacks(position, &mut attacks);
        }
        moves = attacks.into_iter().map(|choice| choice.m).collect();
    }
    let depth = if extends && E::ANSWERS_ARE_FREE { depth.max(0) + 1 } else { depth };
    keys.push(key);
    for m in moves {
        let history = (repetitions, &mut *keys);
        best = best.max(-plain(&position.after(m), evaluator, depth - 1, ply + 1, root_depth, history));
    }
    keys.pop();
    best
}

fn unwrap_search<T>(found: Result<T, Ended>) -> T {
    found.unwrap_or_else(|Ended| panic!("the search has no limits"))
}

/// Compares the search with minimax at every depth, without reductions and without values of greater depth.
fn searches_rightly<P: Position, E: Evaluator<P>>(start: &P, evaluator: &E, count: usize, depths: u32) {
    let control = SearchControl::new(&|_| false);
    for game in games(start, 2, count) {
        let (position, repetitions) = (game.position(), repetitions(&game));
        let table = Table::new(1 << 16);
        let (mut guess, mut first) = (0, None);
        for depth in 1..=depths {
            let mut search =
                ThreadSearch::new(evaluator, &table, &control, repetitions.clone(), evaluator.init(position));
            search.is_strict = true;
            let (value, line) = unwrap_search(search.root(position, depth, guess, first));
            let expected =
                plain(position, evaluator, depth as i32, 0, depth as i32, (&repetitions, &mut Vec::new()));
            assert_eq!(value, expected, "seed 2, depth {depth}: {position:?}");
            assert!(position.is_legal(line[0]));
            (guess, first) = (value, Some(line[0]));
        }
    }
}

/// Compares the search with minimax up to the end of the game, with everything enabled.
fn solves_rightly<P: Position, E: Evaluator<P>>(start: &P, evaluator: &E, count: usize, plies: u32) {
    let control = SearchControl::new(&|_| false);
    let late = |game: &Game<P>| evaluator.plies_left(game.position()) <= plies;
    let mut long = 0;
    for game in games(start, 9, count).into_iter().filter(late) {
        let (position, repetitions) = (game.position(), repetitions(&game));
        let (table, end) = (Table::new(1 << 16), evaluator.plies_left(position));
        let mut search =
            ThreadSearch::new(evaluator, &table, &control, repetitions.clone(), evaluator.init(position));
        let (mut guess, mut first) = (0, None);
        for depth in 1..=end {
            let (value, line) = unwrap_search(search.root(position, depth, guess, first));
            (guess, first) = (value, Some(line[0]));
        }
        let expected = plain(position, evaluator, end as i32, 0, end as i32, (&repetitions, &mut Vec::new()));
        assert_eq!(guess, expected, "seed 9: {position:?}");
        long += u32::from(end > REDUCTION_DEPTH as u32 + 1);
    }
    assert!(long > 2, "{long} searches were long enough for reductions");
}

fn custom(rows: u32, cols: u32, run: u32) -> Custom<u64> {
    Custom::new(Size::new(rows, cols, run).unwrap()).unwrap()
}

#[test]
fn everything_switched_on_is_plain_minimax() {
    searches_rightly(&TicTacToe::default(), &TicTacToeEvaluator, 60, 6);
    searches_rightly(&ChessFive::default(), &ChessFiveEvaluator, 10, 2);
    for (rows, cols, run) in [(6, 7, 4), (4, 4, 3), (5, 5, 4), (3, 10, 4)] {
        let geometry = custom(rows, cols, run);
        searches_rightly(
            &ConnectFour::new(geometry),
            &ConnectFourEvaluator::new(&ConnectFour::new(geometry)),
            40,
            3,
        );
        searches_rightly(
            &Simplexity::new(geometry, [8, 8]),
            &SimplexityEvaluator::new(&Simplexity::new(geometry, [8, 8])),
            25,
            3,
        );
    }
    for (rows, cols, run) in [(4, 4, 3), (5, 5, 4), (6, 4, 4)] {
        let geometry = custom(rows, cols, run);
        searches_rightly(
            &ConnectFour::new(geometry),
            &ConnectFourEvaluator::new(&ConnectFour::new(geometry)),
            25,
            6,
        );
        searches_rightly(
            &Simplexity::new(geometry, [8, 8]),
            &SimplexityEvaluator::new(&Simplexity::new(geometry, [8, 8])),
            12,
            4,
        );
    }
}

#[test]
fn a_search_to_the_end_is_plain_minimax() {
    solves_rightly(&TicTacToe::default(), &TicTacToeEvaluator, 60, 9);
    for (rows, cols, run) in [(4, 4, 4), (5, 5, 4), (3, 6, 4), (6, 4, 4)] {
        let geometry = custom(rows, cols, run);
        solves_rightly(
            &ConnectFour::new(geometry),
            &ConnectFourEvaluator::new(&ConnectFour::new(geometry)),
            200,
            10,
        );
        solves_rightly(
            &Simplexity::new(geometry, [7, 7]),
            &SimplexityEvaluator::new(&Simplexity::new(geometry, [7, 7])),
            200,
            7,
        );
    }
}

/// Moves of both sides there and back: the same position, four moves later.
fn there_and_back(position: &ChessFive) -> Option<ChessFive> {
    let back = |m| match m {
        ChessFiveMove::Step { from, to } => ChessFiveMove::Step { from: to, to: from },
        drop @ ChessFiveMove::Drop { .. } => drop,
    };
    let replies = |a| position.after(a).legal_moves().map(move |b| (a, b)).collect::<Vec<_>>();
    let play = |mut position: ChessFive, m| position.play(m).ok().map(|()| position);
    position
        .legal_moves()
        .flat_map(replies)
        .filter_map(|(a, b)| [a, b, back(a), back(b)].into_iter().try_fold(position.clone(), play))
        .find(|after| after.outcome().is_none() && after.key() == position.key())
}

#[test]
fn a_win_that_comes_too_late_is_none() {
    let control = SearchControl::new(&|_| false);
    let table = Table::new(1 << 20);
    let mut tried = 0;
    for game in games(&ChessFive::default(), 5, 400) {
        let position = game.position();
        if !position.is_chess_phase() || win_in(position, 1) || !win_in(position, 3) {
            continue;
        }
        let value = |position: &ChessFive| {
            let mut search = ThreadSearch::new(
                &ChessFiveEvaluator,
                &table,
                &control,
                RepetitionHistory::default(),
                ChessFiveEvaluator.init(position),
            );
            (1..=4).filter_map(|depth| Some(search.root(position, depth, 0, None).ok()?.0)).last()
        };
        assert_eq!(value(position), Some(MATE - 3));
        let mut late = position.clone();
        while ChessFiveEvaluator.plies_left(&late) > 4
            && let Some(later) = there_and_back(&late)
        {
            late = later;
        }
        // Three moves are enough to win; with fewer left it is a draw unless a side wins earlier.
        match ChessFiveEvaluator.plies_left(&late) {
            1 | 2 => assert!(value(&late).is_some_and(|value| value < PROOF), "{late:?}"),
            3 | 4 => assert_eq!(value(&late), Some(MATE - 3), "{late:?}"),
            _ => continue,
        }
        tried += 1;
    }
    assert!(tried > 3, "{tried}");
}

#[test]
fn what_came_twice_in_the_game_is_a_draw_and_what_came_once_is_not() {
    let start =
        games(&ChessFive::default(), 6, 300).into_iter().find(|game| game.position().is_chess_phase());
    let mut positions = vec![start.unwrap().position().clone()];
    assert!(RepetitionHistory::new(&positions).spent().is_empty());
    positions.push(there_and_back(&positions[0]).unwrap());
    assert_eq!(RepetitionHistory::new(&positions).spent(), [positions[0].key()]);
    // A draw by repetition saves a lost position, even if the move answers no threat.
    let control = SearchControl::new(&|_| false);
    let mut saved = 0;
    for game in games(&ChessFive::default(), 7, 600) {
        let position = game.position();
        if !position.is_chess_phase() || can_win(position) {
            continue;
        }
        let lost = |m: &ChessFiveMove| can_win(&position.after(*m));
        if !position.legal_moves().all(|m| lost(&m)) {
            continue;
        }
        let last = position.legal_moves().last().unwrap();
        let repetitions = RepetitionHistory::of(vec![position.after(last).key()]);
        let table = Table::new(1 << 16);
        let value = |repetitions| {
            ThreadSearch::new(
                &ChessFiveEvaluator,
                &table,
                &control,
                repetitions,
                ChessFiveEvaluator.init(position),
            )
            .root(position, 2, 0, None)
            .ok()
            .map(|(value, _)| value)
        };
        assert_eq!(value(repetitions), Some(0), "{position:?}");
        assert_eq!(value(RepetitionHistory::default()), Some(2 - MATE), "{position:?}");
        saved += 1;
    }
    assert!(saved > 0, "no position was lost otherwise");
}
