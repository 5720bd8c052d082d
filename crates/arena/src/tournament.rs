//! What a tournament is: everything that decides which games are played, as a TOML file says it.

use std::{collections::BTreeMap, path::Path};

use players::roster::RosterError;
use rules::{AnyGame, Spec, SpecError, excerpt};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::{
    Contestant, Limits, Openings, OpeningsError,
    contestant::Kind,
    schedule::{self, Format, LotteryError},
    sprt::{Sprt, SprtError},
};

/// The settings as written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What the reports call it.
    #[serde(default = "default_name")]
    pub name: String,
    /// A spec such as `connect-four:6x7x4`, or `lottery` with or without five numbers.
    pub game: String,
    /// Who plays.
    pub players: Vec<Contestant>,
    /// In which form.
    #[serde(default = "default_format")]
    pub format: Format,
    /// How many openings each pairing plays, each twice with sides exchanged.
    #[serde(default = "default_pairs")]
    pub pairs: usize,
    /// Rounds of a Swiss tournament.
    #[serde(default = "default_rounds")]
    pub rounds: usize,
    /// `empty`, `random:PLIES` or `file:PATH`.
    #[serde(default = "default_openings")]
    pub openings: String,
    /// The seed of all chance.
    #[serde(default)]
    pub seed: u64,
    /// Games at a time.
    #[serde(default = "default_concurrency")]
    pub concurrency: usize,
    /// What players may use.
    #[serde(default)]
    pub limits: Limits,
    /// What games are worth.
    #[serde(default)]
    pub points: Points,
    /// What decides between players with equal points, in this order.
    #[serde(default = "default_tie_breaks")]
    pub tie_breaks: Vec<TieBreak>,
    /// Stops a match of two when it is decided.
    #[serde(default)]
    pub sprt: Option<Sprt>,
    /// Options of engines, by the names of the players.
    #[serde(default)]
    pub options: BTreeMap<String, BTreeMap<String, String>>,
}

fn default_name() -> String {
    "Tournament".to_owned()
}
fn default_format() -> Format {
    Format::RoundRobin
}
fn default_pairs() -> usize {
    1
}
fn default_rounds() -> usize {
    5
}
fn default_openings() -> String {
    "empty".to_owned()
}
fn default_concurrency() -> usize {
    1
}
fn default_tie_breaks() -> Vec<TieBreak> {
    vec![TieBreak::Direct, TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::Wins]
}

impl Settings {
    /// A match of two, with everything else as usual.
    #[must_use]
    pub fn of_match(game: &str, players: [Contestant; 2]) -> Self {
        let [first, mut second] = players;
        if first.name == second.name {
            second.name = format!("{}#2", second.name);
        }
        Self {
            name: format!("{} against {}", first.name, second.name),
            game: game.to_owned(),
            players: vec![first, second],
            format: default_format(),
            pairs: default_pairs(),
            rounds: default_rounds(),
            openings: default_openings(),
            seed: 0,
            concurrency: default_concurrency(),
            limits: Limits::default(),
            points: Points::default(),
            tie_breaks: default_tie_breaks(),
            sprt: None,
            options: BTreeMap::new(),
        }
    }
}

/// What a game is worth; the competition's 3, 1 and 0 unless told otherwise.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// For the winner.
    pub win: f64,
    /// For both.
    pub draw: f64,
    /// For the loser.
    pub loss: f64,
}

impl Default for Points {
    fn default() -> Self {
        Self { win: 3.0, draw: 1.0, loss: 0.0 }
    }
}

impl Points {
    /// For a game that brought so many half points.
    #[must_use]
    pub fn of(&self, half_points: usize) -> f64 {
        [self.loss, self.draw, self.win][half_points.min(2)]
    }
}

/// What decides between players with equal points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// Points from games among the tied.
    Direct,
    /// The points of all rivals.
    Buchholz,
    /// The points of those one has beaten, and half of those one drew with.
    SonnebornBerger,
    /// Games won.
    Wins,
}

/// Why a tournament cannot be held.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The file is no TOML or lacks something.
    #[error("{0}")]
    Toml(String),
    /// Nobody knows the game.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The lottery gives no board.
    #[error(transparent)]
    Lottery(#[from] LotteryError),
    /// The game has no such player.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// There are no openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The test makes no sense.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// Nobody to play against.
    #[error("a tournament needs from 2 to {MAX_PLAYERS} players, not {0}")]
    Players(usize),
    /// Tables could not tell them apart.
    #[error("two players are called “{0}”: give one of them a name, such as Second={0}")]
    SameName(String),
    /// A number that makes no sense.
    #[error("{what} must be from 1 to {most}, not {given}")]
    Number {
        /// Which.
        what: &'static str,
        /// What was given.
        given: usize,
        /// What is possible.
        most: usize,
    },
    /// A number of points that is none.
    #[error("points for a win, a draw and a loss are numbers, and a win is worth most")]
    Points,
    /// A limit that nobody would heed.
    #[error(
        "depth and nodes are for external engines, and none plays: write engine:depth=8 or engine:nodes=10000"
    )]
    Unheeded,
    /// The test compares two players.
    #[error("SPRT compares two players, not {0}")]
    SprtPlayers(usize),
    /// Options for somebody who does not play.
    #[error("there are options for “{0}”, who does not play")]
    Options(String),
}

/// More would make tables that nobody reads.
const MAX_PLAYERS: usize = 200;

/// A tournament that can be held.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// As written, with the limits that a lottery may have set.
    pub settings: Settings,
    /// What is played.
    pub spec: Spec,
    /// How games begin.
    pub openings: Openings,
}

impl Tournament {
    /// Reads the settings; paths in them are relative to `base`.
    ///
    /// # Errors
    /// If they make no tournament.
    pub fn read(text: &str, base: &Path) -> Result<Self, TournamentError> {
        let settings = toml::from_str(text).map_err(|error| {
            let line = error
                .span()
                .map(|span| text.bytes().take(span.start).filter(|&byte| byte == b'\n').count() + 1);
            let reason = excerpt_line(error.message());
            TournamentError::Toml(line.map_or(reason.clone(), |line| format!("line {line}: {reason}")))
        })?;
        Self::new(settings, base)
    }

    /// Checks settings once; afterwards nothing about them can fail.
    ///
    /// # Errors
    /// If they make no tournament.
    pub fn new(mut settings: Settings, base: &Path) -> Result<Self, TournamentError> {
        let spec = match settings.game.split_once(':').unwrap_or((&settings.game, "")) {
            ("lottery", balls) => {
                let balls = if balls.is_empty() {
                    schedule::draw(settings.seed).to_vec()
                } else {
                    let balls: Result<Vec<_>, _> = balls.split(',').map(|ball| ball.trim().parse()).collect();
                    balls.map_err(|_| LotteryError::Balls)?
                };
                let drawn = schedule::lottery(&balls)?;
                settings.limits.movetime_ms.get_or_insert(drawn.movetime_ms);
                drawn.spec
            }
            _ => settings.game.parse()?,
        };
        if !(2..=MAX_PLAYERS).contains(&settings.players.len()) {
            return Err(TournamentError::Players(settings.players.len()));
        }
        for (what, given, most) in [
            ("pairs", settings.pairs, 1_000_000),
            ("rounds", settings.rounds, 1000),
            ("concurrency", settings.concurrency, 256),
        ] {
            if !(1..=most).contains(&given) {
                return Err(TournamentError::Number { what, given, most });
            }
        }
        let Points { win, draw, loss } = settings.points;
        let ordered = win.is_finite() && loss.is_finite() && win >= draw && draw >= loss && win > loss;
        if !ordered {
            return Err(TournamentError::Points);
        }
        let game = AnyGame::from(spec);
        for (i, player) in settings.players.iter().enumerate() {
            if settings.players[..i].iter().any(|other| other.name == player.name) {
                return Err(TournamentError::SameName(player.name.clone()));
            }
            player.check(&game)?;
        }
        let is_fixed = settings.limits.depth.is_some() || settings.limits.nodes.is_some();
        if is_fixed && settings.players.iter().all(|player| matches!(player.kind, Kind::Roster(_))) {
            return Err(TournamentError::Unheeded);
        }
        if let Some(sprt) = &settings.sprt {
            sprt.check()?;
            if settings.players.len() != 2 {
                return Err(TournamentError::SprtPlayers(settings.players.len()));
            }
        }
        if let Some(name) =
            settings.options.keys().find(|&name| settings.players.iter().all(|player| player.name != *name))
        {
            return Err(TournamentError::Options(excerpt(name)));
        }
        let openings = Openings::parse(&settings.openings, spec, base)?;
        Ok(Self { settings, spec, openings })
    }

    /// What the journal must have been written for: all that decides the games.
    #[must_use]
    pub fn identity(&self) -> Value {
        let mut identity = serde_json::to_value(&self.settings).expect("settings are text and numbers");
        if let Some(settings) = identity.as_object_mut() {
            // More games at a time, or another title, are still the same games.
            settings.remove("concurrency");
            settings.remove("name");
        }
        // The file of openings may change while its name stays.
        let openings: Vec<_> = match &self.openings {
            Openings::Listed(listed) => listed.iter().map(|o| (&o.position, &o.moves)).collect(),
            Openings::Empty | Openings::Random(_) => Vec::new(),
        };
        serde_json::json!({ "alinea": 1, "settings": identity, "openings": openings })
    }
}

/// A message of the TOML reader may run over several lines; people get one.
fn excerpt_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "game = 'connect-four'\nplayers = ['random', 'Strong=smart:4']\n";

    fn refused(text: &str) -> String {
        Tournament::read(text, Path::new("")).unwrap_err().to_string()
    }

    #[test]
    fn two_lines_are_a_tournament() {
        let tournament = Tournament::read(GOOD, Path::new("")).unwrap();
        assert_eq!(tournament.settings.players[1].name, "Strong");
        assert_eq!(tournament.settings.points, Points::default());
    }

    #[test]
    fn the_lottery_sets_board_and_time() {
        let text = "game = 'lottery:3,8,9,14,27'\nplayers = ['random', 'oizys:1']\n";
        let tournament = Tournament::read(text, Path::new("")).unwrap();
        assert_eq!(tournament.spec.to_string(), "simplexity:8x9x4:18+18");
        assert_eq!(tournament.settings.limits.movetime_ms, Some(225));
    }

    #[test]
    fn bad_settings_are_refused_with_a_sentence() {
        for (more, sentence) in [
            ("colour = 1", "unknown field `colour`"),
            ("pairs = 0", "pairs must be from 1 to 1000000, not 0"),
            ("pairs = -1", "line 3"),
            ("openings = 'all'", "“all” are no openings"),
            ("format = 'cup'", "unknown variant `cup`"),
            ("[points]\nwin = 0\ndraw = 1\nloss = 0", "a win is worth most"),
            ("[points]\nwin = nan\ndraw = 1\nloss = 0", "a win is worth most"),
            ("[sprt]\nelo0 = 5\nelo1 = 0", "elo0 below elo1"),
            ("[options.Nobody]\nHash = '1'", "“Nobody”, who does not play"),
            ("[limits]\nmovetime = 3", "unknown field `movetime`"),
            ("[limits]\ndepth = 3", "depth and nodes are for external engines, and none plays"),
        ] {
            let error = refused(&format!("{GOOD}{more}\n"));
            assert!(error.contains(sentence) && !error.contains('\n'), "{more}: {error}");
        }
        for (text, sentence) in [
            ("", "missing field"),
            ("players = [", "line 1"),
            ("game = 'ludo'\nplayers = ['a', 'b']", "there is no game “ludo”"),
            ("game = 'lottery:1,2'\nplayers = ['random', 'random']", "five different numbers"),
            ("game = 'tic-tac-toe'\nplayers = ['random']", "from 2 to 200 players, not 1"),
            ("game = 'tic-tac-toe'\nplayers = ['random', 'random']", "two players are called “random”"),
            ("game = 'tic-tac-toe'\nplayers = ['random', 'smart']", "tic-tac-toe has no player “smart”"),
            ("game = 'tic-tac-toe'\nplayers = ['random', 'external:']", "names no player"),
        ] {
            let error = refused(text);
            assert!(error.contains(sentence), "{text}: {error}");
        }
    }
}
