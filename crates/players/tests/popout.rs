//! PopOut: what the engine calls proved, on boards small enough to know every result.

use std::collections::HashMap;

use crate::common::{game, random_games};
use alinea_players::{Proof, Proven, Reason, Stop, roster, system};
use rules::{Outcome, PopOut, Position};

/// The result of every position for its side to move and the plies to it; none is a draw. Repetition needs no care: who can
/// win gets nearer with every turn.
struct Solved {
    results: HashMap<u64, Option<Proven>>,
}

impl Solved {
    fn new(spec: &str) -> Self {
        let start = game(spec, "").typed::<PopOut>().unwrap().start().clone();
        let mut positions: HashMap<u64, PopOut> = HashMap::from([(start.key(), start.clone())]);
        let mut new = vec![start];
        while let Some(position) = new.pop() {
            for next in position.legal_moves().map(|m| position.after(m)) {
                if positions.insert(next.key(), next.clone()).is_none() {
                    new.push(next);
                }
            }
        }
        let at_end = |position: &PopOut| match position.outcome()? {
            Outcome::Win(winner) if winner == position.turn() => {
                Some(Proven { result: Proof::Win, plies: 0 })
            }
            Outcome::Win(_) => Some(Proven { result: Proof::Loss, plies: 0 }),
            Outcome::Draw => None,
        };
        let mut results: HashMap<_, _> =
            positions.iter().map(|(&key, position)| (key, at_end(position))).collect();
        for plies in 1.. {
            let solve = |position: &&PopOut| {
                let replies = || position.legal_moves().map(|m| results[&position.after(m).key()]);
                let is = |reply: Option<Proven>, result| reply.is_some_and(|reply| reply.result == result);
                if replies().any(|reply| is(reply, Proof::Loss)) {
                    Some(Proven { result: Proof::Win, plies })
                } else {
                    let loses = replies().count() > 0 && replies().all(|reply| is(reply, Proof::Win));
                    loses.then_some(Proven { result: Proof::Loss, plies })
                }
            };
            let open = positions.values().filter(|position| position.outcome().is_none());
            let unsolved = open.filter(|position| results[&position.key()].is_none());
            let found: Vec<_> =
                unsolved.filter_map(|position| Some((position.key(), solve(&position)?))).collect();
            if found.is_empty() {
                break;
            }
            results.extend(found.into_iter().map(|(key, proven)| (key, Some(proven))));
        }
        Self { results }
    }
}

#[test]
fn proofs_are_the_results_of_a_complete_search() {
    for (spec, least) in [("popout:3x3x3", 50), ("popout:2x4x3", 50), ("popout:3x4x3", 40)] {
        let solved = Solved::new(spec);
        let mut proved = 0;
        for game in random_games(spec, 5, 120) {
            let mut engine = roster::program(&game, "engine:nodes=5000", &system::resources(1)).unwrap();
            let thought = engine.choose(&game, &Stop::default()).unwrap();
            let known = solved.results[&game.typed::<PopOut>().unwrap().position().key()];
            let Some(proven) = thought.reasons.iter().find_map(|reason| match reason {
                Reason::Win => Some(Proven { result: Proof::Win, plies: 1 }),
                Reason::Proven(proven) => Some(*proven),
                _ => None,
            }) else {
                continue;
            };
            proved += 1;
            let moves = game.moves().join(" ");
            if let Some(known) = known {
                assert_eq!(proven, known, "{spec}: {moves}");
            } else {
                assert_eq!(proven.result, Proof::Draw, "{spec}: {moves}");
            }
        }
        assert!(proved >= least, "{spec}: {proved} of 120 proved");
    }
}
