//! The games that can be played, described so that a client can list, name and draw a game it has never heard of.

use players::roster::{self, Listing, Parameter, Strength};
use rules::{AnyGame, GAMES, GameInfo, Spec};
use serde::Serialize;

/// A game and its players: an entry of `GET /api/games`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct GameEntry {
    /// What a client needs to draw and name it.
    #[serde(flatten)]
    pub info: &'static GameInfo,
    /// The programs that play it at its standard size: `level:1`, `random`, `engine` …
    pub players: Vec<String>,
    /// The levels among them, from the weakest.
    pub levels: Vec<Strength>,
}

impl GameEntry {
    /// All games with their players, in the order of the table of games.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let entry = |&info: &&'static GameInfo| {
            let spec: Spec = info.standard.parse().expect("a standard spec is a spec");
            let game = AnyGame::from(spec);
            let players = roster::players(&game).iter().flat_map(names).collect();
            Self { info, players, levels: roster::levels(&game) }
        };
        GAMES.iter().map(entry).collect()
    }
}

/// The names under which a player is offered, from the weakest.
fn names(listing: &Listing) -> Vec<String> {
    let name = listing.name;
    match listing.parameter {
        Parameter::Number(range) => (1..=range.offered).map(|number| format!("{name}:{number}")).collect(),
        Parameter::Strength(_) => Vec::new(),
        Parameter::Level(levels) => levels.iter().map(|level| format!("{name}:{level}")).collect(),
        _ => vec![name.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use players::roster::Range;

    use super::*;

    #[test]
    fn players_are_listed_one_by_one() {
        let of = |name, parameter| names(&Listing { name, parameter });
        let range = Range { offered: 3, most: 9 };
        assert_eq!(of("level", Parameter::Number(range)), ["level:1", "level:2", "level:3"]);
        assert_eq!(
            of("five", Parameter::Level(["easy", "normal", "hard"])),
            ["five:easy", "five:normal", "five:hard"]
        );
        assert_eq!(of("even", Parameter::Strength(64)), Vec::<String>::new());
        assert_eq!(of("random", Parameter::None), ["random"]);
        assert_eq!(of("engine", Parameter::Limits("TIME")), ["engine"]);
    }
}
