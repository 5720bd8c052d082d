//! The settings of a tournament, read from TOML: everything that determines which games are played.

use std::{collections::BTreeMap, fs, path::Path};

use players::perfect::Prover;
use rules::{AnyGame, Spec, SpecError, excerpt};
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;
use tournament::{Format, Points, TieBreak};

use crate::{
    Adjudication, Contestant, ContestantError, Limits, LiveGames, Log, Openings, OpeningsError,
    affinity::{self, Affinity},
    contestant::Kind,
    limits::OwnLimits,
    lottery::{self, LotteryError},
    openings::{self, BALANCED},
    sprt::{Sprt, SprtError},
};

/// The settings as read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The title of the reports.
    #[serde(default = "default_name")]
    pub name: String,
    /// A spec such as `connect-four:6x7x4`, or `lottery` with or without five numbers.
    pub game: String,
    /// The players.
    pub players: Vec<Contestant>,
    /// The format.
    #[serde(default = "default_format")]
    pub format: Format,
    /// Openings per pairing, each played twice with sides exchanged.
    #[serde(default = "default_pairs")]
    pub pairs: usize,
    /// Rounds of a Swiss tournament.
    #[serde(default = "default_rounds")]
    pub rounds: usize,
    /// `balanced`, `empty`, `random:PLIES`, `file:PATH`, `book:PATH` or `games:PATH:PLIES`; by default balanced ones where
    /// the program has some for the game, otherwise random ones.
    #[serde(default)]
    pub openings: Option<String>,
    /// The seed of all randomness.
    #[serde(default)]
    pub seed: u64,
    /// Games played in parallel.
    #[serde(default = "default_concurrency")]
    pub concurrency: usize,
    /// The limits of each player.
    #[serde(default)]
    pub limits: Limits,
    /// Limits of individual players, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits_of: BTreeMap<String, OwnLimits>,
    /// Restarts external engines for every game, not only after a fault.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
    /// Lets external engines think on the opponent's time, if they declare the option `Ponder`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Ends the run when a player crashes.
    #[serde(default, skip_serializing)]
    pub abort: bool,
    /// Pins each of the parallel games to its own core: of all, or of these.
    #[serde(default, skip_serializing)]
    pub affinity: Affinity,
    /// Points for win, draw and loss.
    #[serde(default)]
    pub points: Points,
    /// Tie-breaks, in order of priority.
    #[serde(default = "default_tie_breaks")]
    pub tie_breaks: Vec<TieBreak>,
    /// The rules of adjudication.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
    /// Stops a match of two players when it is decided.
    #[serde(default)]
    pub sprt: Option<Sprt>,
    /// Directories in which external engines run, by player name; without one, that of the program.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub directories: BTreeMap<String, String>,
    /// Files with engine options, by player name; `options` takes precedence.
    #[serde(default, skip_serializing)]
    pub options_file: BTreeMap<String, String>,
    /// Engine options, by player name.
    #[serde(default, deserialize_with = "read_options")]
    pub options: BTreeMap<String, BTreeMap<String, String>>,
}

/// Options may be written as numbers or booleans; engines receive text.
fn read_options<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, BTreeMap<String, String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "an engine option is a text, a number, true or false")]
    enum Setting {
        Text(String),
        Truth(bool),
        Whole(i64),
        Number(f64),
    }
    let text = |value| match value {
        Setting::Text(text) => text,
        Setting::Truth(truth) => truth.to_string(),
        Setting::Whole(number) => number.to_string(),
        Setting::Number(number) => number.to_string(),
    };
    let options = BTreeMap::<String, BTreeMap<String, Setting>>::deserialize(deserializer)?;
    let texts = |options: BTreeMap<String, Setting>| {
        options.into_iter().map(|(name, value)| (name, text(value))).collect()
    };
    Ok(options.into_iter().map(|(player, options)| (player, texts(options))).collect())
}

/// Rewords a message of the parser for the reader.
pub(crate) fn without_types(message: &str) -> String {
    let message = ["usize", "u64", "u32", "u16"].iter().fold(message.to_owned(), |text, name| {
        text.replace(&format!("expected {name}"), "expected a whole number")
    });
    message.replace("expected f64", "expected a number")
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
fn default_concurrency() -> usize {
    1
}
fn default_tie_breaks() -> Vec<TieBreak> {
    vec![TieBreak::Direct, TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::Wins]
}

impl Settings {
    /// A match between two players, otherwise with default settings.
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
            openings: None,
            seed: 0,
            concurrency: default_concurrency(),
            limits: Limits::default(),
            limits_of: BTreeMap::new(),
            restart: false,
            ponder: false,
            abort: false,
            affinity: Affinity::Off,
            points: Points::default(),
            tie_breaks: default_tie_breaks(),
            adjudication: Adjudication::default(),
            sprt: None,
            directories: BTreeMap::new(),
            options_file: BTreeMap::new(),
            options: BTreeMap::new(),
        }
    }

    /// The most rounds that the tournament may have.
    fn most_rounds(&self) -> usize {
        match self.format {
            Format::RoundRobin | Format::Gauntlet if self.players.len() == 2 => 1,
            Format::RoundRobin | Format::Gauntlet => self.players.len(),
            Format::Swiss => self.rounds,
            // Ties are replayed up to three times.
            Format::Knockout => 4 * self.players.len().next_power_of_two().ilog2() as usize,
        }
    }

    /// Number of cores that a game uses: two if both players may think at the same time.
    pub(crate) fn cores_per_game(&self) -> usize {
        1 + usize::from(self.ponder)
    }

    /// Parses settings from TOML, without validating them.
    ///
    /// # Errors
    /// If the text is not TOML, or a field is missing, unknown or of the wrong type.
    pub fn read(text: &str) -> Result<Self, TournamentError> {
        toml::from_str(text).map_err(|error| {
            let line = error
                .span()
                .map(|span| text.bytes().take(span.start).filter(|&byte| byte == b'\n').count() + 1);
            let reason = single_line(&without_types(error.message()));
            TournamentError::Toml(line.map_or(reason.clone(), |line| format!("line {line}: {reason}")))
        })
    }

    /// Returns the limits of a player. The settings must be valid.
    #[must_use]
    pub fn limits_of(&self, player: &str) -> Limits {
        match self.limits_of.get(player) {
            None => self.limits.clone(),
            Some(own) => self.limits.with(own).expect("limits are validated with the settings"),
        }
    }
}

/// Why the settings of a tournament are invalid.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The file is not valid TOML or lacks a field.
    #[error("{0}")]
    Toml(String),
    /// The game is unknown.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The lottery gives no board.
    #[error(transparent)]
    Lottery(#[from] LotteryError),
    /// The game has no such player.
    #[error(transparent)]
    Contestant(#[from] ContestantError),
    /// The openings are invalid.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// Why the settings of a test are invalid.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// Too few or too many players.
    #[error("a tournament needs 2 to {MAX_PLAYERS} players, not {0}")]
    Players(usize),
    /// Two players have the same name.
    #[error("two players are named “{0}”; rename one of them, for example Second={0}")]
    SameName(String),
    /// A number out of range.
    #[error("{what} must be from 1 to {most}, not {given}")]
    Number {
        /// The name of the setting.
        what: &'static str,
        /// The given value.
        given: usize,
        /// The maximum.
        most: usize,
    },
    /// Invalid points.
    #[error("points for a win, a draw and a loss must be numbers, with a win worth most")]
    Points,
    /// A limit that applies to no player.
    #[error(
        "the limits depth and nodes apply only to external engines, but no player is one; write engine:depth=8 or engine:nodes=10000"
    )]
    Unheeded,
    /// A limit of 0.
    #[error("the limit {0} must be at least 1")]
    Impossible(&'static str),
    /// Adjudication by proof in a game that cannot be proved.
    #[error("the results of {0} cannot be proved; remove “exact” from the adjudication")]
    NotExact(Spec),
    /// Invalid limits of one player.
    #[error("the limits of {player}: {reason}")]
    OwnLimits {
        /// The player.
        player: String,
        /// The cause.
        reason: String,
    },
    /// A file with options cannot be used.
    #[error("cannot read the options in {path}: {reason}")]
    OptionsFile {
        /// The file.
        path: String,
        /// The cause.
        reason: String,
    },
    /// The operating system cannot pin threads to cores.
    #[error("affinity is not available on this system; only Linux can pin games to cores")]
    NoAffinity,
    /// Too few cores.
    #[error("{games} parallel games need {needed} cores for affinity; {cores} are available")]
    Cores {
        /// Number of parallel games.
        games: usize,
        /// Number of cores that they need.
        needed: usize,
        /// Number of cores available.
        cores: usize,
    },
    /// A core that this process may not use.
    #[error("core {core} is not available for affinity; available are {available}")]
    NoCore {
        /// The number of the core.
        core: usize,
        /// The cores that this process may use.
        available: String,
    },
    /// The test compares two players.
    #[error("SPRT compares two players, not {0}")]
    SprtPlayers(usize),
    /// Options for an unknown player.
    #[error("options, limits or a directory are set for “{0}”, which is not a player of the tournament")]
    Options(String),
}

/// Maximum number of players; limits the size of the cross-table.
const MAX_PLAYERS: usize = 200;

/// A tournament with validated settings.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The settings, with the time limit that a lottery sets and the source of the openings.
    pub settings: Settings,
    /// The game.
    pub spec: Spec,
    /// The openings.
    pub openings: Openings,
    /// Whether the settings leave the choice of openings to the program.
    pub has_default_openings: bool,
    /// The log of the dialogue with external engines.
    pub log: Option<Log>,
    /// Receives the games in progress.
    pub live: Option<LiveGames>,
}

impl Tournament {
    /// Parses TOML settings; paths in them are relative to `base`.
    ///
    /// # Errors
    /// If they are invalid.
    pub fn read(text: &str, base: &Path) -> Result<Self, TournamentError> {
        Self::new(Settings::read(text)?, base)
    }

    /// Validates the settings. A run relies on valid settings.
    ///
    /// # Errors
    /// If they are invalid.
    pub fn new(mut settings: Settings, base: &Path) -> Result<Self, TournamentError> {
        let spec = match settings.game.split_once(':').unwrap_or((&settings.game, "")) {
            ("lottery", balls) => {
                let balls = if balls.is_empty() {
                    lottery::draw(settings.seed).to_vec()
                } else {
                    let balls: Result<Vec<_>, _> = balls.split(',').map(|ball| ball.trim().parse()).collect();
                    balls.map_err(|_| LotteryError::Balls)?
                };
                let drawn = lottery::lottery(&balls)?;
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
        if let Some(name) = settings.limits.impossible() {
            return Err(TournamentError::Impossible(name));
        }
        let is_fixed = settings.limits.depth.is_some() || settings.limits.nodes.is_some();
        if is_fixed && settings.players.iter().all(|player| matches!(player.kind, Kind::Roster(_))) {
            return Err(TournamentError::Unheeded);
        }
        let rules = &settings.adjudication;
        for (what, given) in [
            ("moves of resign", rules.resign.map(|resign| resign.moves)),
            ("moves of draw", rules.draw.map(|draw| draw.moves)),
            ("exact", rules.exact),
            ("max_plies", rules.max_plies),
            ("moves of the limits", settings.limits.moves),
        ] {
            let (given, most) = (given.unwrap_or(1) as usize, 10_000);
            if !(1..=most).contains(&given) {
                return Err(TournamentError::Number { what, given, most });
            }
        }
        if rules.exact.is_some() && !Prover::can_prove(&game) {
            return Err(TournamentError::NotExact(spec));
        }
        if let Some(sprt) = &settings.sprt {
            sprt.check()?;
            if settings.players.len() != 2 {
                return Err(TournamentError::SprtPlayers(settings.players.len()));
            }
        }
        let named =
            settings.options.keys().chain(settings.options_file.keys()).chain(settings.limits_of.keys());
        if let Some(name) = named
            .chain(settings.directories.keys())
            .find(|&name| settings.players.iter().all(|player| player.name != *name))
        {
            return Err(TournamentError::Options(excerpt(name)));
        }
        for (name, own) in &settings.limits_of {
            let refuse = |reason: String| TournamentError::OwnLimits { player: name.clone(), reason };
            let limits = settings.limits.with(own);
            let limits = limits.map_err(|reason| refuse(single_line(&without_types(&reason))))?;
            if let Some(limit) = limits.impossible() {
                return Err(refuse(format!("{limit} must be at least 1")));
            }
            let is_built_in = |player: &Contestant| {
                player.name == *name && matches!(player.kind, Kind::Roster(_) | Kind::Hosted(_))
            };
            let is_fixed = own.contains_key("depth") || own.contains_key("nodes");
            if is_fixed && settings.players.iter().any(is_built_in) {
                let reason = "depth and nodes apply only to external engines; write engine:depth=8";
                return Err(refuse(reason.to_owned()));
            }
        }
        for (name, path) in settings.options_file.clone() {
            let own = settings.options.entry(name).or_default();
            for (option, value) in read_options_file(&base.join(&path))? {
                own.entry(option).or_insert(value);
            }
        }
        for directory in settings.directories.values_mut() {
            *directory = base.join(&*directory).display().to_string();
        }
        if let Some(cores) = settings.affinity.cores() {
            let available = affinity::cores();
            if available.is_empty() {
                return Err(TournamentError::NoAffinity);
            }
            if let Some(&core) = cores.iter().find(|core| !available.contains(core)) {
                return Err(TournamentError::NoCore { core, available: affinity::text(&available) });
            }
            let (cores, needed) = (cores.len(), settings.concurrency * settings.cores_per_game());
            if needed > cores {
                return Err(TournamentError::Cores { games: settings.concurrency, needed, cores });
            }
        }
        let has_default_openings = settings.openings.is_none();
        let source = settings.openings.get_or_insert_with(|| openings::default_source(spec).to_owned());
        let mut openings = Openings::parse(source, spec, base, settings.seed)?;
        if let (BALANCED, Openings::Listed(listed)) = (source.as_str(), &mut openings) {
            listed.truncate(settings.pairs.saturating_mul(settings.most_rounds()));
        }
        Ok(Self { settings, spec, openings, has_default_openings, log: None, live: None })
    }

    /// Returns a warning if there are fewer openings than pairs.
    #[must_use]
    pub fn reuses_openings(&self) -> Option<String> {
        let Openings::Listed(listed) = &self.openings else { return None };
        let (openings, pairs) = (listed.len(), self.settings.pairs);
        (openings < pairs).then(|| {
            format!("there are {openings} openings for {pairs} pairs: they are used again, in the same order")
        })
    }
}

/// Parses engine options, one `name = value` per line. Names may have spaces, values may be quoted.
fn read_options_file(path: &Path) -> Result<Vec<(String, String)>, TournamentError> {
    let refuse = |reason: String| TournamentError::OptionsFile { path: path.display().to_string(), reason };
    let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    let mut options = Vec::new();
    for (i, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, value) = line
            .split_once('=')
            .map(|(name, value)| (name.trim(), value.trim()))
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| refuse(format!("line {} is not of the form name = value", i + 1)))?;
        let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        options.push((name.to_owned(), quoted.unwrap_or(value).to_owned()));
    }
    Ok(options)
}

/// Joins a multi-line message of the TOML parser.
fn single_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "game = 'connect-four'\nplayers = ['random', 'Strong=smart:4']\n";

    fn rejection(text: &str) -> String {
        Tournament::read(text, Path::new("")).unwrap_err().to_string()
    }

    #[test]
    fn two_lines_are_a_valid_tournament() {
        let tournament = Tournament::read(GOOD, Path::new("")).unwrap();
        assert_eq!(tournament.settings.players[1].name, "Strong");
        assert_eq!(tournament.settings.points, Points::default());
    }

    #[test]
    fn options_of_engines_are_texts_numbers_and_truth_values() {
        let text = format!("{GOOD}[options.Strong]\nHash = 16\nPonder = true\nScale = 0.5\nFile = 'a b'\n");
        let tournament = Tournament::read(&text, Path::new("")).unwrap();
        let options: Vec<_> =
            tournament.settings.options["Strong"].iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(options, [("File", "a b"), ("Hash", "16"), ("Ponder", "true"), ("Scale", "0.5")]);
    }

    #[test]
    fn lottery_sets_board_and_time() {
        let text = "game = 'lottery:3,8,9,14,27'\nplayers = ['random', 'oizys:1']\n";
        let tournament = Tournament::read(text, Path::new("")).unwrap();
        assert_eq!(tournament.spec.to_string(), "simplexity:8x9x4:18+18");
        assert_eq!(tournament.settings.limits.movetime_ms, Some(225));
    }

    #[test]
    fn invalid_settings_are_rejected_with_a_message() {
        for (more, sentence) in [
            ("colour = 1", "unknown field `colour`"),
            ("pairs = 0", "pairs must be from 1 to 1000000, not 0"),
            ("pairs = -1", "line 3"),
            ("pairs = 'many'", "line 3: invalid type: string \"many\", expected a whole number"),
            ("[points]\nwin = 'all'\ndraw = 1\nloss = 0", "expected a number"),
            ("[options.Strong]\nHash = [1]", "an engine option is a text, a number, true or false"),
            ("openings = 'all'", "“all” is not a source of openings"),
            ("format = 'cup'", "unknown variant `cup`"),
            ("[points]\nwin = 0\ndraw = 1\nloss = 0", "a win worth most"),
            ("[points]\nwin = nan\ndraw = 1\nloss = 0", "a win worth most"),
            ("[sprt]\nelo0 = 5\nelo1 = 0", "elo0 below elo1"),
            ("[options.Nobody]\nHash = '1'", "“Nobody”, which is not a player"),
            ("[limits]\nmovetime = 3", "unknown field `movetime`"),
            ("[limits]\ndepth = 3", "depth and nodes apply only to external engines"),
            ("[limits]\nmovetime_ms = 0", "the limit movetime_ms must be at least 1"),
            ("[limits_of.Strong]\nmemory_mb = 0", "the limits of Strong: memory_mb must be at least 1"),
        ] {
            let error = rejection(&format!("{GOOD}{more}\n"));
            assert!(error.contains(sentence) && !error.contains('\n'), "{more}: {error}");
        }
        for (text, sentence) in [
            ("", "missing field"),
            ("players = [", "line 1"),
            ("game = 'ludo'\nplayers = ['a', 'b']", "there is no game “ludo”"),
            ("game = 'lottery:1,2'\nplayers = ['random', 'random']", "five different numbers"),
            ("game = 'tic-tac-toe'\nplayers = ['random']", "needs 2 to 200 players, not 1"),
            ("game = 'tic-tac-toe'\nplayers = ['random', 'random']", "two players are named “random”"),
            ("game = 'tic-tac-toe'\nplayers = ['random', 'smart']", "tic-tac-toe has no player “smart”"),
            ("game = 'tic-tac-toe'\nplayers = ['random', 'external:']", "is not a player"),
        ] {
            let error = rejection(text);
            assert!(error.contains(sentence), "{text}: {error}");
        }
    }
}
