//! Tournaments: of people, which the server pairs, and of programs, which it shows.

use rules::Side;
use serde::{Deserialize, Serialize};

use crate::{Clock, Occupant};

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum TournamentFormat {
    /// Every player against every other.
    RoundRobin,
    /// Each round pairs players with similar points who have not met.
    Swiss {
        /// The number of rounds. If absent, as many as the players need: the binary logarithm of their number, rounded
        /// up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        rounds: Option<u32>,
    },
    /// Single elimination; a drawn game is replayed.
    Knockout,
    /// For a number of minutes, players are paired again as soon as their games end.
    Arena {
        /// For how many minutes new games are paired.
        minutes: u32,
    },
    /// The first player against each of the others; only for programs.
    Gauntlet,
}

/// A new tournament of people: the body of `POST /api/tournaments`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct NewTournament {
    /// Its title.
    pub name: String,
    /// The game, such as `connect-four` or `connect-four:8x9x5`.
    pub game: String,
    /// How players are paired.
    pub format: TournamentFormat,
    /// The time control of its games.
    #[serde(default)]
    pub clock: Clock,
    /// Whether its games count for ratings.
    #[serde(default)]
    pub rated: bool,
    /// Whether guests may enter.
    #[serde(default)]
    pub guests: bool,
    /// Whether it appears in lists; otherwise only those who have the link find it.
    #[serde(default)]
    pub listed: bool,
    /// When the tournament starts automatically, in milliseconds since 1970; if absent, the organiser starts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<u64>,
    /// The time to make the first move, in seconds, before the game is forfeited.
    #[serde(default = "usual_sit_down")]
    #[cfg_attr(feature = "schema", ts(as = "Option<u32>"))]
    pub sit_down_s: u32,
    /// Maximum number of players from one address; a school needs as many as it has players.
    #[serde(default = "usual_places")]
    #[cfg_attr(feature = "schema", ts(as = "Option<u32>"))]
    pub places_per_address: u32,
}

fn usual_sit_down() -> u32 {
    60
}

fn usual_places() -> u32 {
    10
}

/// One entry of the log of a tournament of people; players and games are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TournamentEvent {
    /// It was opened.
    Opened {
        /// What is fixed.
        settings: NewTournament,
        /// The account that opened it.
        organiser: Occupant,
    },
    /// A player entered, or came back.
    Entered {
        /// The player.
        player: Occupant,
        /// A keyed hash of the player's address, which only tells whether players share one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// A player withdrew or was removed.
    Withdrew {
        /// The number of the player.
        player: usize,
        /// Whether the organiser removed the player.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_organiser: bool,
    },
    /// The organiser removed all players of an address, from which nobody can enter any more.
    AddressRemoved {
        /// The hash of the address.
        address: String,
    },
    /// It began.
    Started,
    /// Games were paired: a round, or the free players of an arena.
    Paired {
        /// The games.
        games: Vec<TournamentPairing>,
        /// Players who are free this round and get a point.
        byes: Vec<usize>,
    },
    /// A game has a result.
    Decided {
        /// The number of the game.
        game: usize,
        /// The result.
        result: TournamentResult,
    },
    /// A game is played again.
    Replayed {
        /// The number of the game.
        game: usize,
        /// Its new table.
        table: String,
        /// Whether an operator had ended a game of the organiser, who could not decide it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_server: bool,
        /// Whether the game was rated at its table before; then it is not rated again.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        was_rated: bool,
    },
    /// It is over.
    Ended {
        /// Whether the organiser ended it before its time.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_organiser: bool,
    },
}

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TournamentPairing {
    /// The players, first to move first.
    pub players: [usize; 2],
    /// Its table; null if one player has withdrawn and the other wins without a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

/// The result of a game in a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct TournamentResult {
    /// The winner; null for a draw.
    #[cfg_attr(feature = "schema", schema(required))]
    pub winner: Option<Side>,
    /// What decided it.
    pub by: DecidedBy,
}

/// What decided a game of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// The game itself.
    Play,
    /// A player did not make the first move in time.
    NoShow,
    /// A player had withdrawn.
    Withdrawal,
    /// The organiser.
    Organiser,
    /// The fault of a program.
    Forfeit,
}

/// What players and organisers do: the body of `POST /api/tournaments/{id}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TournamentCommand {
    /// Enters it, or comes back after having withdrawn.
    Enter {},
    /// Withdraws.
    Withdraw {},
    /// Starts it; only the organiser.
    Start {},
    /// Ends it before its time; only the organiser.
    End {},
    /// Removes a player; only the organiser.
    Remove {
        /// The number of the player, from 0 in the order of entry.
        player: usize,
    },
    /// Removes all players who entered from the address of a player, and lets nobody else enter from there; only the
    /// organiser.
    RemoveAddress {
        /// The player, counted from 0 in the order of entry.
        player: usize,
    },
    /// Decides a game, such as one that an outage interrupted; only the organiser.
    Decide {
        /// The number of the game, from 0 in the order of pairing.
        game: usize,
        /// The decision.
        result: Ruling,
    },
}

/// The organiser's decision about a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// The first player wins.
    First,
    /// The second player wins.
    Second,
    /// Half a point for each.
    Draw,
    /// It is played again.
    Replay,
}

/// How far a tournament is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TournamentPhase {
    /// Players enter.
    Entry,
    /// Games are played.
    Running,
    /// It is over.
    Over,
}

/// A tournament in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct TournamentSummary {
    /// Its id.
    pub id: String,
    /// Its title.
    pub name: String,
    /// The full name of the game.
    pub game: String,
    /// How players are paired.
    pub format: TournamentFormat,
    /// How far it is.
    pub phase: TournamentPhase,
    /// The number of players.
    pub players: usize,
    /// Whether programs play, not people.
    pub programs: bool,
    /// When it starts automatically, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<u64>,
    /// Time of the last change, in milliseconds since 1970.
    pub updated_at: u64,
}

/// `tournament`: a tournament at a version, the same for all viewers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct TournamentView {
    /// Its id.
    pub id: String,
    /// Its version.
    pub v: u64,
    /// Its title.
    pub name: String,
    /// The full name of the game.
    pub game: String,
    /// How players are paired.
    pub format: TournamentFormat,
    /// How far it is.
    pub phase: TournamentPhase,
    /// How it is played, if people play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<PeopleConditions>,
    /// How it is played, if programs play: names and values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", ts(as = "Option<Vec<[String; 2]>>"))]
    pub conditions: Vec<[String; 2]>,
    /// Number of rounds paired so far.
    pub round: u32,
    /// Total number of rounds, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// The tie-breaks after points, in their order: `direct`, `buchholz`, `sonneborn-berger`, `wins`.
    pub tie_breaks: Vec<String>,
    /// The players, best first.
    pub standings: Vec<TournamentStanding>,
    /// Games won, drawn and lost of each player against each other, by the players' numbers; empty in formats where not
    /// all players meet.
    pub cross_table: Vec<Vec<[u32; 3]>>,
    /// The latest games in the order of pairing, including those in progress.
    pub games: Vec<TournamentGame>,
    /// What the organiser has changed, oldest first; the latest hundred changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", ts(as = "Option<Vec<OrganiserChange>>"))]
    pub changes: Vec<OrganiserChange>,
}

/// What the organiser of a tournament changed, for all players to see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct OrganiserChange {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What.
    pub action: OrganiserAction,
}

/// What an organiser does to players and games. Players and games are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum OrganiserAction {
    /// Players were removed.
    Removed {
        /// Which ones.
        players: Vec<usize>,
    },
    /// A game was decided.
    Decided {
        /// Which one.
        game: usize,
        /// Its players, first to move first.
        players: [usize; 2],
        /// The result before, if there was one.
        #[cfg_attr(feature = "schema", schema(required))]
        before: Option<TournamentResult>,
        /// The winner now; null for a draw.
        #[cfg_attr(feature = "schema", schema(required))]
        winner: Option<Side>,
    },
    /// A game is played again.
    Replayed {
        /// Which one.
        game: usize,
        /// Its players, first to move first.
        players: [usize; 2],
        /// The result before, if there was one.
        #[cfg_attr(feature = "schema", schema(required))]
        before: Option<TournamentResult>,
    },
    /// The tournament was ended before its time.
    Ended,
}

/// How a tournament of people is played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct PeopleConditions {
    /// The time control.
    pub clock: Clock,
    /// Whether games count for ratings.
    pub rated: bool,
    /// Whether guests may enter.
    pub guests: bool,
    /// Whether it appears in lists.
    pub listed: bool,
    /// The account that opened it.
    pub organiser: Occupant,
    /// When it starts automatically, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<u64>,
    /// When the last games of an arena begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<u64>,
    /// The time to make the first move, in seconds.
    pub sit_down_s: u32,
    /// Maximum number of players from one address.
    pub places_per_address: u32,
}

/// A row of the standings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct TournamentStanding {
    /// The number of the player, from 0.
    pub player: usize,
    /// The player.
    pub occupant: Occupant,
    /// The rank; tied players share one.
    pub rank: usize,
    /// Points, including byes.
    pub points: f64,
    /// The values of the tie-breaks.
    pub tie_breaks: Vec<f64>,
    /// Games won, drawn and lost.
    pub tally: [u32; 3],
    /// Points by round, including rounds with a bye; null without a result. Empty in an arena.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", ts(as = "Option<Vec<Option<f64>>>"))]
    pub rounds: Vec<Option<f64>>,
    /// Whether the player has a bye in the last round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub free: bool,
    /// Whether the player has withdrawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub withdrawn: bool,
    /// A program's rating from the games, with half the width of its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<[f64; 2]>,
}

/// A game of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct TournamentGame {
    /// Its number, from 0.
    pub number: usize,
    /// The round, from 0.
    pub round: u32,
    /// The players, first to move first.
    pub players: [usize; 2],
    /// Its table on this server, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The result, if it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<TournamentResult>,
    /// When it was paired, in milliseconds since 1970, if people play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// The initial position of a game of programs, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves of a game of programs, separated by spaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<String>,
}

/// The address of a new tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct TournamentCreated {
    /// Its id, which cannot be guessed.
    pub id: String,
}
