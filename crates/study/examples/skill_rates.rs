//! Measures how often each level answers its chances right, against itself and its neighbours: the lines of a game in
//! `src/skills/reference.txt`. `cargo run -p alinea-study --example skill_rates -- GAME [GAMES] [SEED]`; 200 games of each
//! level and seed 1 by default.

use alinea_study::{
    assessment::Limits,
    review::review_side,
    skills::{Skill, Tally, chances},
};
use players::{Network, Program, Resources, Stop, roster};
use rules::{AnyGame, Side, Spec};

/// Nodes for each move of a review, about as many as a browser searches in its time.
const NODES: u64 = 20_000;
/// Games without a natural end are cut.
const MOST_PLIES: u16 = 120;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "connect-four".to_owned());
    let spec: Spec = game.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut number = |usual: u64| arguments.next().map_or(usual, |text| text.parse().expect("a number"));
    let (games, seed) = (number(200), number(1));
    let start = AnyGame::from(spec);
    let levels = roster::levels(&start).len() as u32;
    for level in 1..=levels {
        let mut tallies = [Tally::default(); Skill::ALL.len()];
        for number in 0..games {
            let mut rng = fastrand::Rng::with_seed(seed ^ number << 8 ^ u64::from(level) << 40);
            let opponent = rng.u32(level.saturating_sub(1).max(1)..=(level + 1).min(levels));
            let side = Side::BOTH[number as usize % 2];
            let game = play(&start, side, level, opponent, &mut rng);
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            let review = review_side(&game, side, &limits, &resources(0), &Stop::default());
            for chance in chances(&game, side, &review) {
                let place =
                    Skill::ALL.iter().position(|&skill| skill == chance.skill).expect("all are listed");
                tallies[place].right += u32::from(chance.miss.is_none());
                tallies[place].of += 1;
            }
        }
        let counts: Vec<_> = tallies.iter().map(|tally| format!("{} {}", tally.right, tally.of)).collect();
        println!("{} {level} {}", spec.name(), counts.join(" "));
    }
}

fn resources(seed: u64) -> Resources {
    Resources::new(seed).with_book(solver::Book::standard()).with_network(Network::standard())
}

fn play(start: &AnyGame, side: Side, level: u32, opponent: u32, rng: &mut fastrand::Rng) -> AnyGame {
    let mut game = start.clone();
    let mut program = |level: u32| -> Program {
        let program = roster::program(start, &format!("level:{level}"), &resources(rng.u64(..)));
        program.expect("the roster lists its levels")
    };
    let mut players = [program(level), program(opponent)];
    while game.outcome().is_none() && game.ply() < MOST_PLIES {
        let player = &mut players[usize::from(game.turn() != side)];
        let thought = player.choose(&game, &Stop::default()).expect("the game is not over");
        game.play(&thought.chosen).expect("players play legal moves");
    }
    game
}
