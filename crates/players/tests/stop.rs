//! A stop at any moment: every listed player of every game answers with a legal move.

use alinea_players::{Reason, Stop, roster, system};
use rules::{AnyGame, GAMES, Spec};

/// When the signal comes: at once, after a few polls, late.
const POLLS: [u64; 5] = [0, 1, 10, 300, 3000];

/// The names under which a game lists its players, and one beyond what is offered where that may be written.
fn names(game: &AnyGame) -> Vec<String> {
    let of = |listing: roster::Listing| {
        let name = listing.name;
        match listing.parameter {
            roster::Parameter::Number(range) => {
                [1, range.offered, range.most].map(|number| format!("{name}:{number}")).to_vec()
            }
            roster::Parameter::Strength(most) => {
                [1, most / 2, most].map(|number| format!("{name}:{number}")).to_vec()
            }
            roster::Parameter::Level(levels) => levels.map(|level| format!("{name}:{level}")).to_vec(),
            _ => vec![name.to_owned()],
        }
    };
    roster::players(game).into_iter().flat_map(of).collect()
}

/// Positions of random games, the first one included.
fn positions(spec: &str, plies: &[usize]) -> Vec<AnyGame> {
    let mut rng = fastrand::Rng::with_seed(7);
    let at = |&plies: &usize| {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        while game.moves().len() < plies {
            let moves = game.legal_moves();
            let mut next = game.clone();
            next.play(&moves[rng.usize(..moves.len())]).unwrap();
            if next.outcome().is_some() {
                break;
            }
            game = next;
        }
        game
    };
    plies.iter().map(at).collect()
}

#[test]
fn every_player_answers_when_told_to_move() {
    let standard = GAMES.iter().map(|info| info.standard);
    for spec in standard.chain(["connect-four:7x8", "connect-four:10x10x5", "simplexity:9x37x5:83+84"]) {
        for game in positions(spec, &[0, 3, 18]) {
            for name in names(&game) {
                for polls in POLLS {
                    let mut player = roster::program(&game, &name, &system::resources(1)).unwrap();
                    let answer = player.choose(&game, &Stop::after_polls(polls));
                    let thought = answer.unwrap_or_else(|_| panic!("{name} of {spec} after {polls} polls"));
                    let told = format!("{name} of {spec} after {polls} polls: {thought:?}");
                    assert!(game.legal_moves().contains(&thought.chosen), "{told}");
                    assert!(thought.candidates.contains(&thought.chosen), "{told}");
                    assert_eq!(thought.line[0], thought.chosen, "{told}");
                }
            }
        }
    }
}

#[test]
fn the_later_the_stop_the_deeper_the_answer() {
    for (spec, name) in [("connect-four", "smart:8"), ("simplexity", "oizys:20")] {
        for game in positions(spec, &[0, 6]) {
            let depth = |polls| {
                let mut player = roster::program(&game, name, &system::resources(1)).unwrap();
                player.choose(&game, &Stop::after_polls(polls)).unwrap().depth.unwrap()
            };
            let depths = [0, 100, 2000, 40_000].map(depth);
            assert!(depths.is_sorted() && depths[0] == 1 && depths[3] > 3, "{name}: {depths:?}");
        }
    }
}

#[test]
fn perfect_says_when_it_has_no_proof() {
    for game in positions("connect-four:7x8", &[0, 2, 4]) {
        let mut player = roster::program(&game, "perfect", &system::resources(1)).unwrap();
        let thought = player.choose(&game, &Stop::after_polls(0)).unwrap();
        assert!(matches!(thought.reasons[0], Reason::Unproven { .. }), "{thought:?}");
        assert_eq!((thought.score, thought.candidates.len()), (None, 1));
    }
}

#[test]
fn a_cancelled_search_ends_without_an_answer() {
    let stop = Stop::default();
    stop.cancel();
    for (spec, name) in [
        ("connect-four", "smart:8"),
        ("connect-four:7x8", "perfect"),
        ("simplexity", "oizys:20"),
        ("chess-five", "chess-five:medium"),
    ] {
        let game = AnyGame::from(spec.parse::<Spec>().unwrap());
        let mut player = roster::program(&game, name, &system::resources(1)).unwrap();
        assert!(player.choose(&game, &stop).is_err(), "{name}");
    }
}
