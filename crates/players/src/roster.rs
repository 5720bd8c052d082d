//! Which programs play which game, and how they are named: `smart:5` is the player smart at depth 5.

use std::{fmt, time::Duration};

use fastrand::Rng;
use rules::{
    AnyGame, Board, ChessFive, ConnectFour, Game, Geometry, Simplexity, TicTacToe, excerpt, with_game,
};
use thiserror::Error;

use crate::{
    NoMove, Player, Stop, Thought,
    chess_five::{ChessFiveLevel, Level},
    choice_index::{Care, ChoiceIndex},
    engine::{self, Engine, Judged, Settings},
    greedy::Greedy,
    level::{self, Skill},
    oizys::Oizys,
    oxo::Oxo,
    perfect::{PerfectConnectFour, PerfectTicTacToe, can_solve},
    random::Random,
    smart::Smart,
};

/// A player of a game, made when asked for.
struct Entry<P> {
    name: &'static str,
    make: Make<P>,
}

type BoxedPlayer<P> = Box<dyn Player<P>>;

/// How a player is made from what follows the colon of its name.
enum Make<P> {
    Plain(fn(Rng) -> BoxedPlayer<P>),
    Number { most: u32, default: u32, make: fn(u32, Rng) -> BoxedPlayer<P> },
    Level { names: [&'static str; 3], default: usize, make: fn(usize, Rng) -> BoxedPlayer<P> },
    Engine,
    Time { default: Duration, make: fn(Duration, Rng) -> BoxedPlayer<P> },
}

/// A game with programs that play it.
trait Contested: Judged {
    /// Who is asked for a hint.
    const ADVISER: &'static str;

    /// The levels, from the weakest to the strongest.
    const LEVELS: &'static [Skill];

    /// The players of this board: the levels, then from the weakest to the strongest.
    fn entries(&self) -> Vec<Entry<Self>>;
}

/// Enough for good advice, short enough to wait for on any board; the same each time except on the
/// largest, where the time is reached first.
const ENGINE_ADVISER: &str = "engine:2s,nodes=300000,proofs";

fn engine<P: Judged>() -> Entry<P> {
    Entry { name: "engine", make: Make::Engine }
}

fn level<P: Contested>() -> Entry<P> {
    let most = P::LEVELS.len() as u32;
    let make = |level: u32, rng| -> BoxedPlayer<P> {
        Box::new(level::Level::new(P::LEVELS[level as usize - 1], rng))
    };
    Entry { name: "level", make: Make::Number { most, default: most.div_ceil(2), make } }
}

fn random<P: Board>() -> Entry<P> {
    Entry { name: "random", make: Make::Plain(|rng| Box::new(Random { rng })) }
}

impl Contested for TicTacToe {
    const ADVISER: &'static str = "perfect";
    const LEVELS: &'static [Skill] = level::TIC_TAC_TOE;

    fn entries(&self) -> Vec<Entry<Self>> {
        let choice_index = Make::Level {
            names: ["easy", "normal", "hard"],
            default: 1,
            make: |level, rng| {
                let care = [Care::Never, Care::Mostly, Care::Always][level];
                Box::new(ChoiceIndex { care, rng })
            },
        };
        vec![
            level(),
            random(),
            Entry { name: "choice-index", make: choice_index },
            Entry { name: "oxo", make: Make::Plain(|rng| Box::new(Oxo { rng })) },
            engine(),
            Entry { name: "perfect", make: Make::Plain(|rng| Box::new(PerfectTicTacToe { rng })) },
        ]
    }
}

impl<G: Geometry> Contested for ConnectFour<G> {
    const ADVISER: &'static str = ENGINE_ADVISER;
    const LEVELS: &'static [Skill] = level::CONNECT_FOUR;

    fn entries(&self) -> Vec<Entry<Self>> {
        let smart = Make::Number { most: 8, default: 5, make: |depth, _| Box::new(Smart { depth }) };
        let mut entries = vec![
            level(),
            random(),
            Entry { name: "greedy", make: Make::Plain(|_| Box::new(Greedy)) },
            Entry { name: "smart", make: smart },
            engine(),
        ];
        if can_solve(self) {
            let default = Duration::from_secs(10);
            let make = |time, rng| -> BoxedPlayer<Self> { Box::new(PerfectConnectFour::new(time, rng)) };
            entries.push(Entry { name: "perfect", make: Make::Time { default, make } });
        }
        entries
    }
}

impl<G: Geometry> Contested for Simplexity<G> {
    const ADVISER: &'static str = ENGINE_ADVISER;
    const LEVELS: &'static [Skill] = level::SIMPLEXITY;

    fn entries(&self) -> Vec<Entry<Self>> {
        let oizys = Make::Number { most: 20, default: 3, make: |depth, _| Box::new(Oizys { depth }) };
        vec![level(), random(), Entry { name: "oizys", make: oizys }, engine()]
    }
}

impl Contested for ChessFive {
    const ADVISER: &'static str = ENGINE_ADVISER;
    const LEVELS: &'static [Skill] = level::CHESS_FIVE;

    fn entries(&self) -> Vec<Entry<Self>> {
        let levels = Make::Level {
            names: ["easy", "medium", "hard"],
            default: 1,
            make: |level, rng| {
                let level = [Level::Easy, Level::Medium, Level::Hard][level];
                Box::new(ChessFiveLevel { level, rng })
            },
        };
        vec![level(), random(), Entry { name: "chess-five", make: levels }, engine()]
    }
}

/// A player that a game has, with what can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listing {
    /// What it is called.
    pub name: &'static str,
    /// What may follow the colon.
    pub parameter: Parameter,
}

/// What may follow the colon of a player's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parameter {
    /// Nothing.
    None,
    /// A number from one, the weakest, to this one.
    Number(u32),
    /// A level, from the weakest to the strongest.
    Level([&'static str; 3]),
    /// Limits of thinking, in this form.
    Limits(&'static str),
}

/// As it may be written: `smart:1…8`.
impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.parameter {
            Parameter::None => f.write_str(self.name),
            Parameter::Number(most) => write!(f, "{}:1…{most}", self.name),
            Parameter::Level(names) => write!(f, "{}:{}", self.name, names.join("|")),
            Parameter::Limits(form) => write!(f, "{}[:{form}]", self.name),
        }
    }
}

/// Why there is no such player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RosterError {
    /// The game does not have it.
    #[error("{game} has no player “{name}”: its players are {}", join(.players))]
    Unknown {
        /// The game asked for.
        game: &'static str,
        /// The player asked for.
        name: String,
        /// Who plays it.
        players: Vec<Listing>,
    },
    /// The player takes no such parameter.
    #[error("there is no player “{given}”: write {listing}")]
    Parameter {
        /// What was written.
        given: String,
        /// What can be written.
        listing: Listing,
    },
}

fn join(players: &[Listing]) -> String {
    players.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl<P: Contested> Entry<P> {
    fn listing(&self) -> Listing {
        let parameter = match self.make {
            Make::Plain(_) => Parameter::None,
            Make::Number { most, .. } => Parameter::Number(most),
            Make::Level { names, .. } => Parameter::Level(names),
            Make::Engine => Parameter::Limits(Settings::FORM),
            Make::Time { .. } => Parameter::Limits("TIME"),
        };
        Listing { name: self.name, parameter }
    }

    /// `None` if the player takes no such parameter.
    fn player(&self, parameter: Option<&str>, rng: Rng) -> Option<BoxedPlayer<P>> {
        match (&self.make, parameter) {
            (Make::Plain(make), None) => Some(make(rng)),
            (Make::Plain(_), Some(_)) => None,
            (Make::Number { default, make, .. }, None) => Some(make(*default, rng)),
            (Make::Number { most, make, .. }, Some(text)) => {
                (1..=*most).find(|number| number.to_string() == text).map(|number| make(number, rng))
            }
            (Make::Level { default, make, .. }, None) => Some(make(*default, rng)),
            (Make::Level { names, make, .. }, Some(text)) => {
                names.iter().position(|&name| name == text).map(|level| make(level, rng))
            }
            (Make::Engine, parameter) => Settings::read(parameter)
                .map(|settings| -> BoxedPlayer<P> { Box::new(Engine::new(settings)) }),
            (Make::Time { default, make }, None) => Some(make(*default, rng)),
            (Make::Time { make, .. }, Some(text)) => engine::time(text).map(|time| make(time, rng)),
        }
    }
}

/// A player for games of whatever kind; made for one kind, and asked only about that.
pub struct Program {
    choose: Box<Choose>,
    thinking_time: Duration,
}

type Choose = dyn FnMut(&AnyGame, &Stop) -> Result<Thought<String>, NoMove> + Send;

impl Program {
    pub(crate) fn new<P: Board>(mut player: BoxedPlayer<P>) -> Self {
        let thinking_time = player.thinking_time();
        let choose = move |game: &AnyGame, stop: &Stop| {
            let game = game.typed::<P>().expect("a program is asked about the kind of game it was made for");
            Ok(player.choose(game, stop)?.to_text())
        };
        Self { choose: Box::new(choose), thinking_time }
    }

    /// A program that is no player of ours: whatever answers with a legal move.
    pub fn from_fn(
        choose: impl FnMut(&AnyGame, &Stop) -> Result<Thought<String>, NoMove> + Send + 'static,
    ) -> Self {
        Self { choose: Box::new(choose), thinking_time: Duration::ZERO }
    }

    /// The move it would play now, and why. The game is not over.
    ///
    /// # Errors
    /// If it was told to stop before it knew; a program that is no player of ours may also fail.
    pub fn choose(&mut self, game: &AnyGame, stop: &Stop) -> Result<Thought<String>, NoMove> {
        (self.choose)(game, stop)
    }

    /// The least time it should seem to think when people watch.
    #[must_use]
    pub fn thinking_time(&self) -> Duration {
        self.thinking_time
    }
}

/// The players of a game: the levels, then from the weakest to the strongest.
#[must_use]
pub fn players(game: &AnyGame) -> Vec<Listing> {
    with_game!(&game, game => listings(game))
}

fn listings<P: Contested>(game: &Game<P>) -> Vec<Listing> {
    game.position().entries().iter().map(Entry::listing).collect()
}

/// How strong a level is, on the standard board of its game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// Which level.
    pub level: u32,
    /// What it is called.
    pub name: &'static str,
    /// What it scored against the level below, if there is one.
    pub against_below: Option<Score>,
    /// How much stronger than the first level, in Elo.
    pub elo: f64,
}

/// What came out of some games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// The share of the points.
    pub share: f64,
    /// Of how many games.
    pub games: u32,
}

impl Score {
    /// How far off the share may be, 95 times of 100: as if no game were drawn, so rather too much.
    #[must_use]
    pub fn margin(&self) -> f64 {
        1.96 * (self.share * (1.0 - self.share) / f64::from(self.games)).sqrt()
    }
}

/// The levels of a game with their measured strength, from the weakest to the strongest.
#[must_use]
pub fn levels(game: &AnyGame) -> Vec<Strength> {
    fn skills<P: Contested>(_: &Game<P>) -> &'static [Skill] {
        P::LEVELS
    }
    level::strengths(with_game!(&game, game => skills(game)))
}

/// The player of this name for a game. The same seed gives the same play.
///
/// # Errors
/// If the game has no such player.
pub fn program(game: &AnyGame, player: &str, seed: u64) -> Result<Program, RosterError> {
    fn find<P: Contested>(
        game: &Game<P>,
        player: &str,
        seed: u64,
        name_of_game: &'static str,
    ) -> Result<BoxedPlayer<P>, RosterError> {
        let (name, parameter) = match player.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (player, None),
        };
        let entries = game.position().entries();
        let entry = entries.iter().find(|entry| entry.name == name).ok_or_else(|| RosterError::Unknown {
            game: name_of_game,
            name: excerpt(name),
            players: entries.iter().map(Entry::listing).collect(),
        })?;
        entry
            .player(parameter, Rng::with_seed(seed))
            .ok_or_else(|| RosterError::Parameter { given: excerpt(player), listing: entry.listing() })
    }
    let name = game.spec().name();
    with_game!(&game, game => Ok(Program::new(find(game, player, seed, name)?)))
}

/// The player whose advice is worth most.
#[must_use]
pub fn adviser(game: &AnyGame, seed: u64) -> Program {
    fn name<P: Contested>(_: &Game<P>) -> &'static str {
        P::ADVISER
    }
    let name = with_game!(&game, game => name(game));
    program(game, name, seed).expect("the adviser is a player of its game")
}
