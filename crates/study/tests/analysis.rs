//! Analysis: many lines at once are what separate searches find, proofs are told, and it ends when told.

mod common;

use alinea_study::analysis::{Info, Limits, analyse, win_chance};
use common::{game, random_games};
use players::{Proof, Proven, Stop};
use rules::{AnyGame, Outcome};

fn look(game: &AnyGame, limits: Limits) -> Info {
    analyse(game, &limits, &native::resources(0), &Stop::default(), &mut |_| {})
}

/// What a move is worth by a search of its own: its score, or its proven result.
fn alone(game: &AnyGame, m: &str, depth: u32) -> (Option<i64>, Option<Proven>) {
    let mut after = game.clone();
    after.play(m).unwrap();
    match after.outcome() {
        Some(Outcome::Draw) => (Some(0), None),
        Some(Outcome::Win(side)) => {
            let result = if side == game.turn() { Proof::Win } else { Proof::Loss };
            (None, Some(Proven { result, plies: 1 }))
        }
        None => {
            let reply = &look(&after, Limits { depth: Some(depth - 1), ..Limits::default() }).lines[0];
            match reply.proven {
                None => (Some(-reply.score), None),
                Some(Proven { result, plies }) => {
                    let result = match result {
                        Proof::Win => Proof::Loss,
                        Proof::Draw => Proof::Draw,
                        Proof::Loss => Proof::Win,
                    };
                    (None, Some(Proven { result, plies: plies + 1 }))
                }
            }
        }
    }
}

#[test]
fn many_lines_are_worth_what_separate_searches_find() {
    for (spec, count) in [
        ("tic-tac-toe", 20),
        ("connect-four", 20),
        ("connect-four:8x9x5", 8),
        ("simplexity", 10),
        ("chess-five", 4),
    ] {
        for game in random_games(spec, 5, count) {
            let depth = if spec == "chess-five" { 2 } else { 3 };
            let lines = usize::MAX;
            let info = look(&game, Limits { lines, depth: Some(depth), ..Limits::default() });
            // A proof ends the search as soon as all is proved.
            assert!(info.depth <= depth);
            let mut told: Vec<_> = info.lines.iter().map(|line| line.moves[0].clone()).collect();
            for line in &info.lines {
                let (score, proven) = alone(&game, &line.moves[0], info.depth.max(2));
                if info.depth > 1 {
                    assert_eq!(line.proven, proven, "{spec} {} {line:?}", game.position());
                    assert!(score.is_none_or(|score| score == line.score), "{} {line:?}", game.position());
                }
                let mut course = game.clone();
                assert!(line.moves.iter().all(|m| course.play(m).is_ok()), "{line:?}");
            }
            assert!(info.lines.is_sorted_by_key(|line| -line.score));
            let mut legal = game.legal_moves();
            told.sort();
            legal.sort();
            assert_eq!(told, legal, "each move once");
        }
    }
}

#[test]
fn fewer_lines_are_the_best_of_all() {
    for game in random_games("connect-four", 6, 20) {
        let all = look(&game, Limits { lines: usize::MAX, depth: Some(3), ..Limits::default() });
        let few = look(&game, Limits { lines: 3, depth: Some(3), ..Limits::default() });
        let scores =
            |info: &Info, count| info.lines.iter().take(count).map(|line| line.score).collect::<Vec<_>>();
        if all.depth == few.depth {
            assert_eq!(scores(&few, 3), scores(&all, 3), "{}", game.position());
        }
    }
}

#[test]
fn it_deepens_and_tells_each_depth() {
    for spec in ["connect-four:10x10", "simplexity", "chess-five"] {
        let mut depths = Vec::new();
        let limits = Limits { lines: 2, depth: Some(4), ..Limits::default() };
        let last = analyse(&game(spec, ""), &limits, &native::resources(0), &Stop::default(), &mut |info| {
            depths.push(info.depth);
            assert_eq!(info.lines.len(), 2);
        });
        assert_eq!(depths, [1, 2, 3, 4], "{spec}");
        assert_eq!(last.depth, 4);
    }
}

#[test]
fn what_can_be_proved_soon_is_proved() {
    let proven = |spec, moves| {
        let lines = look(&game(spec, moves), Limits { lines: 9, ..Limits::default() }).lines;
        let course: Vec<_> = lines.iter().map(|line| (line.moves[0].clone(), line.proven.unwrap())).collect();
        course
    };
    let draw = Proven { result: Proof::Draw, plies: 9 };
    assert!(proven("tic-tac-toe", "").iter().all(|(_, proven)| *proven == draw));
    let corner = proven("tic-tac-toe", "a1 b1");
    assert_eq!(corner[0].1, Proven { result: Proof::Win, plies: 5 });
    let columns = proven("connect-four:4x7", "4455");
    assert_eq!(columns[0].1, Proven { result: Proof::Win, plies: 3 });
    assert_eq!(columns.len(), 7);
    assert_eq!(columns[6].1.result, Proof::Loss);
}

#[test]
fn a_proven_line_is_played_to_its_end() {
    for spec in ["connect-four", "simplexity", "chess-five"] {
        let mut proofs = 0;
        for game in random_games(spec, 12, 120) {
            let info = look(&game, Limits { depth: Some(3), ..Limits::default() });
            let Some(Proven { result, plies }) = info.lines[0].proven else { continue };
            let mut course = game.clone();
            info.lines[0].moves.iter().for_each(|m| course.play(m).unwrap());
            let winner = if result == Proof::Win { game.turn() } else { game.turn().other() };
            assert_eq!(course.outcome(), Some(Outcome::Win(winner)), "{} {info:?}", game.position());
            assert_eq!(info.lines[0].moves.len(), plies as usize);
            proofs += u32::from(plies > 1);
        }
        assert!(proofs > 5, "{spec}: {proofs}");
    }
}

#[test]
fn nothing_is_told_where_nothing_can_be() {
    let over = look(&game("connect-four", "4455667"), Limits { lines: 3, ..Limits::default() });
    assert_eq!(over, Info::default());
    assert_eq!(look(&game("chess-five", ""), Limits { lines: 0, ..Limits::default() }), Info::default());
}

#[test]
fn an_endless_analysis_stops_when_told() {
    for spec in ["connect-four:64x64x16", "connect-four", "simplexity:9x37x5:83+84", "chess-five"] {
        let stop = Stop::default();
        let limits = Limits { lines: 2, threads: 2, ..Limits::default() };
        let last = analyse(&game(spec, ""), &limits, &native::resources(0), &stop, &mut |info| {
            assert!(!info.lines.is_empty());
            stop.cancel();
        });
        assert!(!last.lines.is_empty(), "{spec}");
    }
}

#[test]
fn chances_grow_with_the_score_and_are_symmetric() {
    let scores = [-30_000, -500, -20, 0, 7, 80, 20_000];
    assert!(scores.map(win_chance).is_sorted());
    for score in scores {
        assert!((win_chance(score) + win_chance(-score)).abs() < 1e-9);
        assert!(win_chance(score).abs() <= 1.0);
    }
    let info = look(&game("connect-four", "445566"), Limits { depth: Some(2), ..Limits::default() });
    assert_eq!(info.lines[0].chance, 1.0);
}
