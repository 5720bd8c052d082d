//! Games and their positions as data: every position with its value, the values of all its moves and the result of the
//! game that it comes from.
//!
//! A row depends on its game and the settings alone, not on what was assessed before it, so rows can be made by any
//! number of threads, in any order, and be made again to verify them.

mod rows;

use std::{fmt, ops::RangeInclusive, str::FromStr};

use players::{
    Resources, Stop,
    perfect::Prover,
    roster::{self, RosterError},
};
use rules::{AnyGame, Outcome, Side, Spec};

pub use self::rows::{GameRow, GameText, PositionRow, Value, Valued, ValuedMove};
use crate::{
    assessment::{Assessed, Assessment, Limits, assess},
    verdict::Verdict,
};

/// How positions are valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Every move is proved, however long it takes.
    Exact,
    /// Values that can be proved at once are exact; the others are searched with this many nodes.
    Nodes(u64),
    /// The same, searched to this depth.
    Depth(u32),
}

impl Values {
    /// The default: exact if every position of the game can be proved soon, otherwise searched.
    #[must_use]
    pub fn usual(spec: Spec) -> Self {
        let (prover, start) = (Prover::default(), AnyGame::from(spec));
        if prover.is_quick(&start) || prover.has_book(&start) {
            Self::Exact
        } else {
            Self::Nodes(USUAL_NODES)
        }
    }

    /// Whether these values can be found for the positions of a game.
    #[must_use]
    pub fn can_value(self, spec: Spec) -> bool {
        // With no time the prover proves nothing, but a game that it does not support gives no answer at all.
        self != Self::Exact || Prover::default().prove(&spec.into(), &|| true).is_some()
    }
}

/// Some milliseconds for a position.
const USUAL_NODES: u64 = 20_000;

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Self::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

impl FromStr for Values {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = match text.split_once('=') {
            None if text == "exact" => Some(Self::Exact),
            Some(("nodes", nodes)) => nodes.parse().ok().filter(|&nodes| nodes > 0).map(Self::Nodes),
            Some(("depth", depth)) => {
                depth.parse().ok().filter(|depth| (1..=100).contains(depth)).map(Self::Depth)
            }
            _ => None,
        };
        read.ok_or_else(|| {
            "expected exact, nodes=N with at least one node, or depth=N from 1 to 100".to_owned()
        })
    }
}

/// The shares of the splits train, validation and test, in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shares([u8; 3]);

impl Shares {
    /// The names of the splits.
    pub const NAMES: [&str; 3] = ["train", "validation", "test"];

    /// The split of a game. It follows from the moves, so two equal games are never in different splits.
    #[must_use]
    pub fn split(self, game: &GameText) -> &'static str {
        // FNV-1a, then the upper half of a product, since its low bits are weak.
        let text = game.start.iter().map(String::as_str).chain([game.moves.as_str()]);
        let hash = text.flat_map(str::bytes).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let percent = (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % 100;
        let (train, validation) = (u64::from(self.0[0]), u64::from(self.0[1]));
        Self::NAMES[usize::from(percent >= train) + usize::from(percent >= train + validation)]
    }
}

impl Default for Shares {
    fn default() -> Self {
        Self([80, 10, 10])
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [train, validation, test] = self.0;
        write!(f, "{train},{validation},{test}")
    }
}

impl FromStr for Shares {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shares: Option<Vec<u8>> = text.split(',').map(|share| share.parse().ok()).collect();
        shares
            .and_then(|shares| <[u8; 3]>::try_from(shares).ok())
            .filter(|shares| shares.iter().map(|&share| u32::from(share)).sum::<u32>() == 100)
            .map(Self)
            .ok_or_else(|| {
                "expected three percentages with the sum 100: train,validation,test, such as 80,10,10"
                    .to_owned()
            })
    }
}

/// A game to take positions from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The game with all its moves.
    pub game: AnyGame,
    /// The names of the players in the order of moving, where they are known.
    pub players: [Option<String>; 2],
    /// How the game ended, perhaps by forfeit.
    pub result: Option<Outcome>,
    /// The plies whose positions are taken.
    pub plies: RangeInclusive<u16>,
}

/// Plays a game from its opening to the end between two players of the roster. They have no clock, so the
/// same seed gives the same game. `None` if it was stopped.
///
/// # Errors
/// If the game has no such players.
pub fn play(
    mut game: AnyGame,
    names: [&str; 2],
    seed: u64,
    stop: &Stop,
) -> Result<Option<AnyGame>, RosterError> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let [first, second] = names.map(|name| roster::program(&game, name, &Resources::new(rng.u64(..))));
    let mut players = [first?, second?];
    while game.outcome().is_none() {
        let Ok(thought) = players[game.turn().index()].choose(&game, stop) else { return Ok(None) };
        if stop.is_cancelled() {
            return Ok(None);
        }
        game.play(&thought.chosen).expect("players play legal moves");
    }
    Ok(Some(game))
}

/// Returns a random game and a ply of this range at which it is not over. `None` if many random games ended
/// earlier.
#[must_use]
pub fn random(spec: Spec, plies: &RangeInclusive<u16>, seed: u64) -> Option<(AnyGame, u16)> {
    let mut rng = fastrand::Rng::with_seed(seed);
    for _ in 0..RANDOM_ATTEMPTS {
        let ply = rng.u16(plies.clone());
        let mut game = AnyGame::from(spec);
        let mut is_long_enough = false;
        while let (None, Some(m)) = (game.outcome(), rng.choice(game.legal_moves())) {
            is_long_enough |= game.ply() == ply;
            game.play(&m).expect("a legal move");
        }
        if is_long_enough {
            return Some((game, ply));
        }
    }
    None
}

const RANDOM_ATTEMPTS: u32 = 1000;

/// Values positions one after the other.
pub struct Valuer {
    values: Values,
    /// Kept from position to position, because proofs do not depend on what its tables contain.
    prover: Prover,
}

impl Valuer {
    /// A valuer that knows nothing yet.
    #[must_use]
    pub fn new(values: Values) -> Self {
        Self { values, prover: Prover::default() }
    }

    /// Returns the row of a game and the rows of its positions that are not over. `None` if stopped.
    pub fn rows(
        &mut self,
        number: u64,
        source: &Source,
        shares: Shares,
        stop: &Stop,
    ) -> Option<(GameRow, Vec<PositionRow>)> {
        let text = GameText::new(&source.game);
        let (split, game) = (shares.split(&text).to_owned(), source.game.spec().to_string());
        let result = source.result.map(outcome_text);
        let mut at = source.game.clone();
        let mut next = None;
        let mut positions = Vec::new();
        loop {
            if source.plies.contains(&at.ply()) && at.outcome().is_none() {
                positions.push(PositionRow {
                    number,
                    split: split.clone(),
                    game: game.clone(),
                    text: GameText { start: text.start.clone(), moves: at.moves().join(" ") },
                    valued: self.value(&at, stop)?,
                    played: next,
                    result: result.clone(),
                });
            }
            next = at.take_back();
            if next.is_none() {
                break;
            }
        }
        positions.reverse();
        let [first, second] = source.players.clone();
        Some((GameRow { number, split, game, first, second, text, result }, positions))
    }

    /// Values a position that is not over. `None` if stopped, or if the values must be exact and cannot be
    /// proved.
    pub fn value(&mut self, game: &AnyGame, stop: &Stop) -> Option<Valued> {
        let is_proved = self.values == Values::Exact || self.prover.is_quick(game);
        let mut assessment = if is_proved { self.prove(game, stop)? } else { self.search(game, stop) };
        if stop.is_cancelled() {
            return None;
        }
        // One order for equal moves, whichever way they were found.
        assessment.moves.sort_by(|a, b| b.verdict.order(&a.verdict).then_with(|| a.text.cmp(&b.text)));
        let best = assessment.best()?.verdict;
        let is_best = |assessed: &&Assessed| assessed.verdict.order(&best).is_eq();
        Some(Valued {
            ply: game.ply(),
            position: game.position(),
            turn: side_text(game.turn()).to_owned(),
            value: (&best).into(),
            depth: (!is_proved).then_some(assessment.depth),
            nodes: (!is_proved).then_some(assessment.nodes),
            best: assessment.moves.iter().filter(is_best).map(|assessed| assessed.text.clone()).collect(),
            policy: assessment
                .moves
                .iter()
                .map(|assessed| ValuedMove { text: assessed.text.clone(), value: (&assessed.verdict).into() })
                .collect(),
        })
    }

    fn prove(&mut self, game: &AnyGame, stop: &Stop) -> Option<Assessment> {
        let proofs = self.prover.prove(game, &|| stop.must_move_now())?;
        let moves: Option<_> = proofs
            .moves
            .into_iter()
            .map(|proved| {
                let verdict = Verdict::Proven(proved.exact()?);
                Some(Assessed { line: vec![proved.text.clone()], text: proved.text, verdict })
            })
            .collect();
        Some(Assessment { moves: moves?, is_final: true, ..Assessment::default() })
    }

    /// Searches with new tables, so that the result does not depend on earlier positions.
    fn search(&self, game: &AnyGame, stop: &Stop) -> Assessment {
        let (nodes, depth) = match self.values {
            Values::Exact => (None, None),
            Values::Nodes(nodes) => (Some(nodes), None),
            Values::Depth(depth) => (None, Some(depth)),
        };
        let limits = Limits { lines: game.legal_moves().len(), nodes, depth, ..Limits::default() };
        assess(game, &limits, &Resources::new(0), stop, &mut |_| {})
    }
}

fn side_text(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

fn outcome_text(outcome: Outcome) -> String {
    outcome.winner().map_or("draw", side_text).to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn spec(text: &str) -> Spec {
        text.parse().unwrap()
    }

    fn whole(game: AnyGame) -> Source {
        let result = game.outcome();
        Source { game, players: [None, None], result, plies: 0..=u16::MAX }
    }

    fn rows(values: Values, source: &Source) -> Vec<PositionRow> {
        Valuer::new(values).rows(1, source, Shares::default(), &Stop::default()).unwrap().1
    }

    #[test]
    fn positions_of_a_game_have_their_values() {
        let mut game = AnyGame::from(spec("tic-tac-toe"));
        game.play_all("a1 b2 c3 a3 c1").unwrap();
        let rows = rows(Values::usual(spec("tic-tac-toe")), &whole(game));
        let of = |ply: usize| &rows[ply].valued;
        assert_eq!(rows.iter().map(|row| row.valued.ply).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        assert_eq!((of(0).value.proven.as_deref(), of(0).best.len()), (Some("draw"), 9));
        // After two opposite corners the corner loses: the first player gets two threats.
        assert_eq!((of(3).value.proven.as_deref(), of(3).turn.as_str()), (Some("draw"), "second"));
        assert_eq!(rows[3].played.as_deref(), Some("a3"));
        assert_eq!(of(4).value.chance, 1.0);
        assert_eq!((of(4).best.as_slice(), rows[4].played.as_deref()), (&["c1".to_owned()][..], Some("c1")));
        let corner = of(3).policy.iter().find(|valued| valued.text == "a3").unwrap();
        assert_eq!((corner.value.proven.as_deref(), corner.value.score), (Some("loss"), None));
        // The game was left before its end.
        assert_eq!((rows[5].played.as_deref(), rows[5].result.as_deref()), (None, None));
    }

    #[test]
    fn every_legal_move_is_valued_and_a_row_does_not_depend_on_those_before_it() {
        for game in ["simplexity", "gomoku:7x7x5", "connect-four:5x6"] {
            let (game, _) = random(spec(game), &(6..=12), 3).unwrap();
            let source = whole(game);
            let all = rows(Values::Nodes(2000), &source);
            assert!(all.iter().any(|row| row.valued.nodes.is_some()));
            for row in &all {
                let at = row.text.game(source.game.spec()).unwrap();
                let mut moves: Vec<_> = row.valued.policy.iter().map(|valued| &valued.text).collect();
                let mut legal = at.legal_moves();
                moves.sort();
                legal.sort();
                assert!(moves.into_iter().eq(&legal));
                let again = Valuer::new(Values::Nodes(2000)).value(&at, &Stop::default());
                assert_eq!(again.as_ref(), Some(&row.valued));
            }
        }
    }

    #[test]
    fn only_what_can_be_proved_is_exact() {
        assert_eq!(Values::usual(spec("connect-four")), Values::Exact);
        assert_eq!(Values::usual(spec("connect-four:4x5")), Values::Exact);
        assert!(matches!(Values::usual(spec("gomoku")), Values::Nodes(_)));
        assert!(
            Values::Exact.can_value(spec("connect-four:7x8")) && Values::Depth(1).can_value(spec("gomoku"))
        );
        assert!(
            !Values::Exact.can_value(spec("gomoku")) && !Values::Exact.can_value(spec("connect-four:7x8x5"))
        );
        for text in ["exact", "nodes=5", "depth=100"] {
            assert_eq!(text.parse::<Values>().unwrap().to_string(), text);
        }
        for text in ["", "nodes=0", "depth=101", "nodes", "exact=1", "time=5"] {
            assert!(text.parse::<Values>().is_err(), "{text}");
        }
    }

    #[test]
    fn games_are_split_by_their_moves() {
        let shares: Shares = "50,30,20".parse().unwrap();
        let mut counts = [0; 3];
        for seed in 0..2000 {
            let (game, _) = random(spec("connect-four"), &(7..=7), seed).unwrap();
            let split = shares.split(&GameText::new(&game));
            assert_eq!(split, shares.split(&GameText::new(&game)));
            counts[Shares::NAMES.iter().position(|name| *name == split).unwrap()] += 1;
        }
        for (count, share) in counts.into_iter().zip([1000_i32, 600, 400]) {
            assert!((count - share).abs() < 100, "{counts:?}");
        }
        for text in ["", "50,50", "90,5,4", "a,b,c", "50,50,0,0", "-1,1,100"] {
            assert!(text.parse::<Shares>().is_err(), "{text}");
        }
    }

    #[test]
    fn random_games_go_on_at_the_wanted_ply() {
        let mut plies = HashSet::new();
        for seed in 0..100 {
            let (game, ply) = random(spec("tic-tac-toe"), &(3..=8), seed).unwrap();
            assert!(game.outcome().is_some() && game.ply() > ply);
            plies.insert(ply);
        }
        assert_eq!(plies, HashSet::from([3, 4, 5, 6, 7, 8]));
        assert!(random(spec("tic-tac-toe"), &(9..=20), 1).is_none());
    }

    #[test]
    fn players_repeat_their_games() {
        let play = |names, seed| play(spec("connect-four").into(), names, seed, &Stop::default());
        let moves = |names, seed| play(names, seed).unwrap().unwrap().moves();
        assert_eq!(moves(["level:2", "random"], 7), moves(["level:2", "random"], 7));
        assert_ne!(moves(["random", "random"], 7), moves(["random", "random"], 8));
        assert!(play(["oizys:3", "random"], 1).is_err());
    }

    #[test]
    fn the_bounds_of_values_and_shares() {
        let read = |text: &str| text.parse::<Values>().ok();
        for (text, values) in [
            ("exact", Some(Values::Exact)),
            ("nodes=1", Some(Values::Nodes(1))),
            ("nodes=0", None),
            ("depth=1", Some(Values::Depth(1))),
            ("depth=100", Some(Values::Depth(100))),
            ("depth=0", None),
            ("depth=101", None),
            ("exactly", None),
            ("deep=3", None),
        ] {
            assert_eq!(read(text), values, "{text}");
        }
        assert_eq!(Shares::default().to_string(), "80,10,10");
        assert_eq!("100,0,0".parse::<Shares>().unwrap().to_string(), "100,0,0");
    }

    /// The split of a game is stored with it: it must not change from version to version.
    #[test]
    fn a_game_keeps_its_split() {
        let split = |shares: &str, start: Option<&str>, moves: &str| {
            let text = GameText { start: start.map(str::to_owned), moves: moves.to_owned() };
            shares.parse::<Shares>().unwrap().split(&text)
        };
        // By the percentage that the text gives.
        let percent = |start, moves: &str| {
            (1..=100)
                .find(|train| split(&format!("{train},{},0", 100 - train), start, moves) == "train")
                .unwrap()
                - 1
        };
        assert_eq!(["", "4", "4 4", "a1 b2"].map(|moves| percent(None, moves)), [77, 67, 7, 69]);
        assert_eq!(percent(Some("3/3/3 w"), "a1"), 32);
        for moves in ["", "4", "4 4", "a1 b2"] {
            let percent = percent(None, moves);
            let of = |train, validation| {
                split(&format!("{train},{validation},{}", 100 - train - validation), None, moves)
            };
            assert_eq!(of(percent + 1, 0), "train");
            assert_eq!(of(percent, 1), "validation");
            assert_eq!(of(percent, 0), "test");
            assert_eq!(of(0, percent + 1), "validation");
            assert_eq!(of(0, percent), "test");
        }
    }

    #[test]
    fn only_the_wanted_plies_of_unfinished_positions_have_rows() {
        let mut game = AnyGame::from(spec("tic-tac-toe"));
        game.play_all("a1 b2 b1 a3 c1").unwrap();
        let plies = |plies| {
            let source = Source { plies, ..whole(game.clone()) };
            rows(Values::Exact, &source).iter().map(|row| row.valued.ply).collect::<Vec<_>>()
        };
        assert_eq!(plies(0..=9), [0, 1, 2, 3, 4], "the game is over after five");
        assert_eq!(plies(2..=3), [2, 3]);
        let source = Source { players: [Some("oxo".to_owned()), None], ..whole(game.clone()) };
        let (row, positions) =
            Valuer::new(Values::Exact).rows(7, &source, Shares::default(), &Stop::default()).unwrap();
        assert_eq!((row.number, row.first.as_deref(), row.second), (7, Some("oxo"), None));
        assert_eq!((row.game.as_str(), row.result.as_deref()), ("tic-tac-toe", Some("first")));
        assert_eq!((row.text.start, row.text.moves.as_str()), (None, "a1 b2 b1 a3 c1"));
        assert_eq!(
            (positions[3].result.as_deref(), positions[3].text.moves.as_str()),
            (Some("first"), "a1 b2 b1")
        );
        assert!(positions.iter().all(|position| position.number == 7 && position.split == row.split));
        let draw = |outcome| outcome_text(outcome);
        assert_eq!([Outcome::Draw, Outcome::Win(Side::Second)].map(draw), ["draw", "second"]);
    }

    #[test]
    fn the_depth_and_the_nodes_of_a_search_are_as_wanted() {
        let value =
            |values, game: &str| Valuer::new(values).value(&spec(game).into(), &Stop::default()).unwrap();
        let by_depth = value(Values::Depth(2), "gomoku:7x7x5");
        assert_eq!((by_depth.depth, by_depth.value.proven), (Some(2), None));
        assert_eq!(by_depth.policy.len(), 49);
        let by_nodes = value(Values::Nodes(3000), "gomoku:7x7x5");
        assert!(by_nodes.nodes.is_some_and(|nodes| nodes < 20_000), "{by_nodes:?}");
        // Values that can be proved at once are exact, whatever the setting.
        let proved = value(Values::Nodes(1), "tic-tac-toe");
        assert_eq!((proved.depth, proved.nodes, proved.value.proven.as_deref()), (None, None, Some("draw")));
        let stopped = Stop::default();
        stopped.cancel();
        assert_eq!(Valuer::new(Values::Depth(1)).value(&spec("gomoku").into(), &stopped), None);
    }
}
