//! Which programs play which game, and how they are named: `smart:5` is the player smart at depth 5.

use rules::{AnyGame, Board, excerpt};
use thiserror::Error;

use crate::{
    classic::Random,
    control::Resources,
    engine::{EnginePlayer, Settings},
    entry::{Entry, Refusal},
    eval::{BoardEvaluator, Kit, with_players},
    level::{self, EvenPlayer, LevelPlayer},
    perfect::{HasPerfect as _, NoPerfect as _, PerfectOf},
    program::Program,
};
pub use crate::{
    entry::{Listing, Parameter, Range},
    level::{STEPS, Score, Strength},
};

/// Why a player could not be created.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RosterError {
    /// The game has no player of this name.
    #[error("{game} has no player “{name}”; its players are {}", join(.players))]
    Unknown {
        /// The game asked for.
        game: &'static str,
        /// The player asked for.
        name: String,
        /// The players of the game.
        players: Vec<Listing>,
    },
    /// The player takes no such parameter.
    #[error("“{given}” is not a player; expected {listing}")]
    Parameter {
        /// What was written.
        given: String,
        /// What can be written.
        listing: Listing,
    },
    /// The player is limited by time, and [`Resources`] has no clock.
    #[error(
        "“{given}” is limited by time, and there is no clock; expected a limit of depth or nodes, such as engine:depth=8"
    )]
    NoClock {
        /// What was written.
        given: String,
    },
}

fn join(players: &[Listing]) -> String {
    players.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// All players of a game: the levels, `even` between them, `random`, its own opponents, `engine`, and `perfect` where
/// there is one.
fn entries<P: Board, E: BoardEvaluator<P>>(kit: Kit<P, E>, perfect: Option<Entry<P>>) -> Vec<Entry<P>> {
    let random = Entry::plain("random", |resources| Box::new(Random { rng: resources.rng() }));
    let engine = Entry::with_limits("engine", Settings::FORM, |limits, resources| {
        let settings = Settings::read(limits).ok_or(Refusal::Parameter)?;
        Ok(Box::new(EnginePlayer::<E>::new(settings, resources)?))
    });
    let mut entries = vec![LevelPlayer::<E>::entry(kit.levels), EvenPlayer::<E>::entry(kit.levels), random];
    entries.extend(kit.opponents);
    entries.push(engine);
    entries.extend(perfect);
    entries
}

/// The players of a game: the levels, then from the weakest to the strongest.
#[must_use]
#[allow(clippy::needless_borrow, reason = "the borrow finds the method for games without a perfect player")]
pub fn players(game: &AnyGame) -> Vec<Listing> {
    with_players!(game, game, kit => {
        entries(kit, (&PerfectOf(game)).entry()).iter().map(Entry::listing).collect()
    })
}

/// The levels of a game with their measured strength, from the weakest to the strongest.
#[must_use]
pub fn levels(game: &AnyGame) -> Vec<Strength> {
    level::strengths(with_players!(game, _game, kit => kit.levels))
}

/// The player of this name for a game. The same seed gives the same play.
///
/// ```
/// use alinea_players::{Resources, Stop, roster, rules::{AnyGame, Spec}};
///
/// let mut game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
/// game.play_all("4 1 4 1 4 2").unwrap();
/// let mut player = roster::program(&game, "greedy", &Resources::new(1)).unwrap();
/// let thought = player.choose(&game, &Stop::default()).unwrap();
/// assert_eq!(thought.chosen, "4");
/// assert!(roster::program(&game, "oxo", &Resources::new(1)).is_err());
/// ```
///
/// # Errors
/// If the game has no such player, or the player is limited by time and there is no clock.
#[allow(clippy::needless_borrow, reason = "the borrow finds the method for games without a perfect player")]
pub fn program(game: &AnyGame, player: &str, resources: &Resources) -> Result<Program, RosterError> {
    fn find<P: Board>(
        entries: &[Entry<P>],
        player: &str,
        resources: &Resources,
        game: &'static str,
    ) -> Result<Program, RosterError> {
        let (name, parameter) = match player.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (player, None),
        };
        let entry = entries.iter().find(|entry| entry.name == name).ok_or_else(|| RosterError::Unknown {
            game,
            name: excerpt(name),
            players: entries.iter().map(Entry::listing).collect(),
        })?;
        let made = entry.player(parameter, resources).map_err(|refusal| match refusal {
            Refusal::Parameter => RosterError::Parameter { given: excerpt(player), listing: entry.listing() },
            Refusal::NoClock => RosterError::NoClock { given: excerpt(player) },
        });
        Ok(Program::new(made?).with_seed(resources.seed))
    }
    let name = game.spec().name();
    with_players!(game, game, kit => find(&entries(kit, (&PerfectOf(game)).entry()), player, resources, name))
}

/// The name and the program of the game's opponent with a fixed search depth, set to this depth, for
/// measurements.
#[must_use]
pub fn at_depth(game: &AnyGame, depth: u32) -> Option<(&'static str, Program)> {
    fn find<P: Board>(opponents: &[Entry<P>], depth: u32) -> Option<(&'static str, Program)> {
        opponents.iter().find_map(|entry| Some((entry.name, Program::new(entry.at_depth(depth)?))))
    }
    with_players!(game, _game, kit => find(&kit.opponents, depth))
}

/// The player that answers where none is named.
///
/// # Errors
/// If it is limited by time and there is no clock.
pub fn adviser(game: &AnyGame, resources: &Resources) -> Result<Program, RosterError> {
    program(game, with_players!(game, _game, kit => kit.adviser), resources)
}
