//! Assessments: many lines at once equal those of separate searches, proofs are reported, and a stop ends the search.

use crate::common::{game, random_games};
use alinea_study::{
    Verdict,
    assessment::{Assessment, Limits, assess},
};
use players::{Proof, Proven, Stop, engine::win_chance, system};
use rules::{AnyGame, Outcome};

fn look(game: &AnyGame, limits: Limits) -> Assessment {
    assess(game, &limits, &system::resources(0), &Stop::default(), &mut |_| {})
}

/// The verdict on a move by a search of its own.
fn alone(game: &AnyGame, m: &str, depth: u32) -> (i32, Option<Proven>) {
    let mut after = game.clone();
    after.play(m).unwrap();
    let proven = match after.outcome() {
        Some(Outcome::Draw) => return (0, None),
        Some(Outcome::Win(side)) => {
            let result = if side == game.turn() { Proof::Win } else { Proof::Loss };
            Proven { result, plies: 1 }
        }
        None => {
            let reply =
                &look(&after, Limits { depth: Some(depth - 1), ..Limits::default() }).moves[0].verdict;
            let Some(Proven { result, plies }) = reply.proven() else { return (-reply.score(), None) };
            let result = match result {
                Proof::Win => Proof::Loss,
                Proof::Draw => Proof::Draw,
                Proof::Loss => Proof::Win,
            };
            Proven { result, plies: plies + 1 }
        }
    };
    (0, Some(proven))
}

#[test]
fn many_lines_are_worth_what_separate_searches_find() {
    for (spec, count) in
        [("connect-four:8x9x5", 8), ("simplexity", 10), ("chess-five", 4), ("gomoku:7x7x4", 3)]
    {
        for game in random_games(spec, 5, count) {
            let depth = if spec == "chess-five" { 2 } else { 3 };
            let lines = usize::MAX;
            let assessment = look(&game, Limits { lines, depth: Some(depth), ..Limits::default() });
            // A proof ends the search as soon as all is proved.
            assert!(assessment.depth <= depth);
            let mut told: Vec<_> = assessment.moves.iter().map(|assessed| assessed.text.clone()).collect();
            for assessed in &assessment.moves {
                let (score, proven) = alone(&game, &assessed.text, assessment.depth.max(2));
                if assessment.depth > 1 {
                    assert_eq!(assessed.verdict.proven(), proven, "{spec} {} {assessed:?}", game.position());
                    if proven.is_none() {
                        assert_eq!(assessed.verdict.score(), score, "{} {assessed:?}", game.position());
                    }
                }
                let mut course = game.clone();
                assert!(assessed.line.iter().all(|m| course.play(m).is_ok()), "{assessed:?}");
            }
            assert!(assessment.moves.is_sorted_by(|a, b| a.verdict.order(&b.verdict).is_ge()));
            let mut legal = game.legal_moves();
            told.sort();
            legal.sort();
            assert_eq!(told, legal, "each move once");
        }
    }
}

#[test]
fn fewer_lines_are_the_best_of_all() {
    for game in random_games("connect-four:8x9x5", 6, 20) {
        let all = look(&game, Limits { lines: usize::MAX, depth: Some(3), ..Limits::default() });
        let few = look(&game, Limits { lines: 3, depth: Some(3), ..Limits::default() });
        let scores = |assessment: &Assessment, count| {
            assessment.moves.iter().take(count).map(|assessed| assessed.verdict.score()).collect::<Vec<_>>()
        };
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
        let last = assess(&game(spec, ""), &limits, &system::resources(0), &Stop::default(), &mut |so_far| {
            depths.push(so_far.depth);
            assert_eq!(so_far.moves.len(), 2);
        });
        assert_eq!(depths, [1, 2, 3, 4], "{spec}");
        assert_eq!(last.depth, 4);
        assert!(!last.is_final);
    }
}

/// A proof stands whatever is searched later.
#[test]
fn a_proof_is_never_contradicted_later() {
    for spec in ["connect-four:8x9x5", "simplexity", "chess-five"] {
        for game in random_games(spec, 12, 30) {
            let mut known: Vec<(String, Proof)> = Vec::new();
            let limits = Limits { lines: 3, depth: Some(4), ..Limits::default() };
            assess(&game, &limits, &system::resources(0), &Stop::default(), &mut |so_far| {
                for (text, result) in &known {
                    let now = so_far.of(text).map(|assessed| assessed.verdict);
                    assert!(
                        now.is_none_or(|verdict| verdict.proven().is_some_and(|now| now.result == *result)),
                        "{spec} {} {text} {now:?}",
                        game.position()
                    );
                }
                let proved = so_far
                    .moves
                    .iter()
                    .filter_map(|assessed| Some((assessed.text.clone(), assessed.verdict.proven()?.result)));
                known.extend(proved);
            });
        }
    }
}

#[test]
fn what_can_be_proved_soon_is_proved_whatever_the_limits() {
    for limits in [
        Limits { lines: 9, ..Limits::default() },
        Limits { lines: 9, depth: Some(1), ..Limits::default() },
        Limits { lines: 9, nodes: Some(1), ..Limits::default() },
    ] {
        let proven = |spec, moves| {
            let assessment = look(&game(spec, moves), limits);
            assert!(assessment.is_final, "{spec} {moves}");
            let result = |assessed: &alinea_study::assessment::Assessed| assessed.verdict.proven().unwrap();
            assessment.moves.iter().map(result).collect::<Vec<_>>()
        };
        let draw = Proven { result: Proof::Draw, plies: 9 };
        assert!(proven("tic-tac-toe", "").iter().all(|proven| *proven == draw));
        assert_eq!(proven("tic-tac-toe", "a1 b1")[0], Proven { result: Proof::Win, plies: 5 });
        let columns = proven("connect-four:4x7", "4455");
        assert_eq!(columns[0], Proven { result: Proof::Win, plies: 3 });
        assert_eq!(columns.len(), 7);
        assert_eq!(columns[6].result, Proof::Loss);
        // The book knows that only the centre wins.
        let columns = proven("connect-four", "");
        assert_eq!(columns[0], Proven { result: Proof::Win, plies: 41 });
        assert!(columns[1..].iter().all(|proven| proven.result != Proof::Win));
    }
}

#[test]
fn a_proven_line_is_played_to_its_end() {
    for spec in ["connect-four:8x9x5", "simplexity", "chess-five"] {
        let mut proofs = 0;
        for game in random_games(spec, 12, 120) {
            let assessment = look(&game, Limits { depth: Some(3), ..Limits::default() });
            let best = &assessment.moves[0];
            let Some(Proven { result, plies }) = best.verdict.proven() else { continue };
            let mut course = game.clone();
            best.line.iter().for_each(|m| course.play(m).unwrap());
            let winner = if result == Proof::Win { game.turn() } else { game.turn().other() };
            assert_eq!(course.outcome(), Some(Outcome::Win(winner)), "{} {best:?}", game.position());
            assert_eq!(best.line.len(), plies as usize);
            proofs += u32::from(plies > 1);
        }
        assert!(proofs > 5, "{spec}: {proofs}");
    }
}

#[test]
fn nothing_is_told_after_the_end() {
    let over = look(&game("connect-four", "4455667"), Limits { lines: 3, ..Limits::default() });
    assert_eq!(over, Assessment { is_final: true, ..Assessment::default() });
    assert!(over.reasons(&game("connect-four", "4455667")).is_empty());
}

#[test]
fn an_endless_analysis_stops_when_told() {
    for spec in ["connect-four:64x64x16", "connect-four:8x8", "simplexity:9x37x5:83+84", "chess-five"] {
        let stop = Stop::default();
        let limits = Limits { lines: 2, threads: 2, ..Limits::default() };
        let last = assess(&game(spec, ""), &limits, &system::resources(0), &stop, &mut |so_far| {
            assert!(!so_far.moves.is_empty());
            stop.cancel();
        });
        assert!(!last.moves.is_empty(), "{spec}");
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
    let won = look(&game("connect-four", "445566"), Limits::default());
    assert_eq!(won.moves[0].verdict, Verdict::Proven(Proven { result: Proof::Win, plies: 1 }));
    assert_eq!(won.moves[0].verdict.chance(), 1.0);
}
