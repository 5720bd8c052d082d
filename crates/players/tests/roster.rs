//! Names of players: every text gives a player or an error message.

use alinea_players::{Stop, roster, system};
use proptest::{prelude::*, test_runner::RngSeed};
use rules::{AnyGame, GAMES, Spec};

fn games() -> Vec<AnyGame> {
    GAMES.iter().map(|info| AnyGame::from(info.standard.parse::<Spec>().unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(3), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_player_or_an_error(text in r"\PC*|(random|smart|oizys|oxo|chess-five)(:[a-z0-9:+-]*)?") {
        for game in games() {
            if let Err(error) = roster::program(&game, &text, &system::resources(0)) {
                prop_assert_eq!(error.to_string().lines().count(), 1);
            }
        }
    }
}

#[test]
fn every_listed_player_can_be_created() {
    for game in games() {
        for listing in roster::players(&game) {
            let parameters: Vec<String> = match listing.parameter {
                roster::Parameter::None => Vec::new(),
                roster::Parameter::Number(range) => {
                    (1..=range.most).map(|number| number.to_string()).collect()
                }
                roster::Parameter::Strength(most) => (1..=most).map(|number| number.to_string()).collect(),
                roster::Parameter::Level(names) => names.map(str::to_owned).to_vec(),
                roster::Parameter::Limits("TIME") => vec!["5ms".to_owned(), "1.5s".to_owned()],
                roster::Parameter::Limits(_) => {
                    ["5ms", "2s,threads=2", "depth=3", "nodes=9"].map(str::to_owned).to_vec()
                }
                other => panic!("no example of {other:?}"),
            };
            assert!(roster::program(&game, listing.name, &system::resources(0)).is_ok(), "{listing}");
            for parameter in parameters {
                let player = format!("{}:{parameter}", listing.name);
                assert!(roster::program(&game, &player, &system::resources(0)).is_ok(), "{player}");
            }
        }
        assert!(
            roster::adviser(&game, &system::resources(0)).unwrap().choose(&game, &Stop::default()).is_ok()
        );
    }
}
