//! The levels: legal moves on any board, reproducible by seed, and mostly without gross blunders.

use crate::common::{game, random_games};
use alinea_players::{Reason, Stop, roster, system};
use rules::{AnyGame, Outcome, Side};

fn wins(game: &AnyGame) -> Vec<String> {
    let is_win = |m: &String| {
        let mut next = game.clone();
        next.play(m).unwrap();
        next.outcome() == Some(Outcome::Win(game.turn()))
    };
    game.legal_moves().into_iter().filter(is_win).collect()
}

/// Whether the opponent can win after a move.
fn loses(game: &AnyGame, m: &str) -> bool {
    let mut next = game.clone();
    next.play(m).unwrap();
    match next.outcome() {
        Some(outcome) => outcome == Outcome::Win(next.turn()),
        None => !wins(&next).is_empty(),
    }
}

#[test]
fn every_level_plays_every_game_to_its_end() {
    for spec in ["tic-tac-toe", "connect-four:5x5", "simplexity:4x5x3", "connect-four:7x20x5"] {
        let start = game(spec, "");
        let levels = roster::levels(&start).len() as u32;
        for level in 1..=levels {
            let play = |seed: u64| {
                let mut programs = Side::BOTH.map(|side| {
                    let name = format!("level:{}", if side == Side::First { level } else { 1 });
                    roster::program(&start, &name, &system::resources(seed)).unwrap()
                });
                let mut game = start.clone();
                let mut thoughts = Vec::new();
                while game.outcome().is_none() {
                    let thought = programs[game.turn().index()].choose(&game, &Stop::default()).unwrap();
                    assert!(thought.candidates.contains(&thought.chosen));
                    game.play(&thought.chosen).unwrap();
                    thoughts.push(thought);
                }
                thoughts
            };
            assert_eq!(play(5), play(5), "{spec} level {level}");
        }
    }
}

#[test]
fn even_a_beginner_mostly_wins_and_blocks() {
    for (spec, plies) in [("tic-tac-toe", 8), ("connect-four", 8), ("simplexity", 8), ("chess-five", 30)] {
        let games = random_games(spec, plies, 400);
        let mut beginner = roster::program(&games[0], "level:1", &system::resources(1)).unwrap();
        let (mut winnable, mut won, mut endangered, mut held) = (0, 0, 0, 0);
        for game in games {
            let chosen = beginner.choose(&game, &Stop::default()).unwrap().chosen;
            let winning = wins(&game);
            let legal = game.legal_moves();
            if !winning.is_empty() {
                winnable += 1;
                won += u32::from(winning.contains(&chosen));
            } else if legal.iter().any(|m| loses(&game, m)) && !legal.iter().all(|m| loses(&game, m)) {
                endangered += 1;
                held += u32::from(!loses(&game, &chosen));
            }
        }
        assert!(winnable > 10 && 2 * won > winnable, "{spec}: won {won} of {winnable}");
        assert!(endangered > 10 && 2 * held > endangered, "{spec}: held {held} of {endangered}");
    }
}

#[test]
fn a_move_is_called_careless_where_it_misses_a_win_or_a_block() {
    for (spec, plies) in [("tic-tac-toe", 6), ("connect-four", 12), ("popout", 12)] {
        let games = random_games(spec, plies, 300);
        let mut beginner = roster::program(&games[0], "level:1", &system::resources(1)).unwrap();
        let mut careless = 0;
        for game in games {
            let thought = beginner.choose(&game, &Stop::default()).unwrap();
            let mut next = game.clone();
            next.play(&thought.chosen).unwrap();
            if thought.reasons.contains(&Reason::Careless) {
                careless += 1;
                assert!(next.outcome().is_none(), "{}", game.position());
                let missed = !wins(&game).is_empty() || !wins(&next).is_empty();
                assert!(missed, "{} {}", game.position(), thought.chosen);
            }
        }
        assert!(careless > 5, "{spec}: {careless}");
    }
}

#[test]
fn the_strongest_level_never_plays_at_random() {
    for spec in ["tic-tac-toe", "connect-four", "simplexity", "chess-five"] {
        let games = random_games(spec, 7, 10);
        let strongest = format!("level:{}", roster::levels(&games[0]).len());
        let mut program = roster::program(&games[0], &strongest, &system::resources(1)).unwrap();
        for game in games {
            let thought = program.choose(&game, &Stop::default()).unwrap();
            assert!(!thought.reasons.contains(&Reason::Careless));
        }
    }
}

#[test]
fn each_level_is_meant_to_beat_the_one_below() {
    for spec in ["tic-tac-toe", "connect-four", "simplexity", "chess-five"] {
        let levels = roster::levels(&game(spec, ""));
        assert_eq!((levels[0].against_below, levels[0].elo), (None, Some(0.0)));
        assert!(levels.is_sorted_by(|a, b| a.elo < b.elo), "{spec}");
        for level in &levels[1..] {
            assert!((0.65..=0.85).contains(&level.against_below.unwrap().share), "{spec} {level:?}");
        }
    }
}
