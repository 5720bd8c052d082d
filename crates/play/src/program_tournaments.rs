//! Tournaments of programs, from the reports that `alinea tournament` writes to a folder or the database. The server only
//! shows them. A report is read again when it has changed.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use protocol::{
    ApiError, Clock, DecidedBy, ErrorCode, Occupant, Status, TableSummary, TournamentFormat, TournamentGame,
    TournamentPhase, TournamentResult, TournamentStanding, TournamentSummary, TournamentView,
};
use serde::de::IgnoredAny;
use store::Store;
use tournament::{
    Format, Tally,
    report::{Condition, LiveGame, PlayedGame, RUNNING, Standing},
};

use crate::config::TournamentSource;

/// Number of games in a view and on a page of games.
const PAGE: usize = 50;
/// Maximum size of a report file.
const MAX_BYTES: u64 = 256 << 20;

/// The tournaments shown by the server.
pub struct ProgramTournaments {
    source: Option<TournamentSource>,
    store: Store,
    /// Cached tournaments by id, with the time of their last change.
    known: Mutex<HashMap<String, (u64, Arc<ProgramTournament>)>>,
}

/// A cached tournament.
pub struct ProgramTournament {
    /// The view for clients.
    pub view: TournamentView,
    /// The entry in lists.
    pub summary: TournamentSummary,
    report: Report,
}

/// Of each game, only whether it was forfeited matters here, not how.
type Report = tournament::Report<PlayedGame<IgnoredAny>>;

impl ProgramTournaments {
    /// The tournaments of a source.
    pub fn new(source: Option<TournamentSource>, store: Store) -> Self {
        Self { source, store, known: Mutex::default() }
    }

    /// Returns all tournaments.
    ///
    /// # Errors
    /// If the store is unavailable.
    pub fn list<'a>(self: &'a Arc<Self>) -> BoxFuture<'a, Result<Vec<TournamentSummary>, ApiError>> {
        Box::pin(async move {
            match &self.source {
                None => Ok(Vec::new()),
                Some(TournamentSource::Folder(folder)) => {
                    let (shown, folder) = (self.clone(), folder.clone());
                    let summary = |tournament: Arc<ProgramTournament>| tournament.summary.clone();
                    blocking(move || {
                        let reports = folders(&folder).into_iter();
                        reports
                            .filter_map(|(id, folder)| shown.read_folder(&id, &folder).map(summary))
                            .collect()
                    })
                    .await
                }
                Some(TournamentSource::Database) => {
                    let mut all = Vec::new();
                    for (id, changed) in self.store.contest_reports().await.map_err(ApiError::from)? {
                        if let Some(tournament) = self.read_database(&id, changed).await? {
                            all.push(tournament.summary.clone());
                        }
                    }
                    Ok(all)
                }
            }
        })
    }

    /// Returns the tournament with this id. Ids are compared with those of existing folders, never used as paths.
    ///
    /// # Errors
    /// If the store is unavailable.
    pub fn find<'a>(
        self: &'a Arc<Self>,
        id: &'a str,
    ) -> BoxFuture<'a, Result<Option<Arc<ProgramTournament>>, ApiError>> {
        Box::pin(async move {
            match &self.source {
                None => Ok(None),
                Some(TournamentSource::Folder(folder)) => {
                    let (shown, folder, id) = (self.clone(), folder.clone(), id.to_owned());
                    blocking(move || {
                        let (id, folder) = folders(&folder).into_iter().find(|(name, _)| *name == id)?;
                        shown.read_folder(&id, &folder)
                    })
                    .await
                }
                Some(TournamentSource::Database) => {
                    match self.store.contest_reported(id).await.map_err(ApiError::from)? {
                        Some(changed) => self.read_database(id, changed).await,
                        None => Ok(None),
                    }
                }
            }
        })
    }

    /// Reads a report from the database unless it is cached.
    async fn read_database(
        self: &Arc<Self>,
        id: &str,
        changed: u64,
    ) -> Result<Option<Arc<ProgramTournament>>, ApiError> {
        if let Some(known) = self.known(id, changed) {
            return Ok(Some(known));
        }
        let Some(report) = self.store.contest_report(id).await.map_err(ApiError::from)? else {
            return Ok(None);
        };
        let (shown, id) = (self.clone(), id.to_owned());
        blocking(move || shown.remember(&id, changed, read(&id, report.as_bytes(), changed))).await
    }

    /// Reads the report in a folder unless it is cached.
    fn read_folder(&self, id: &str, folder: &Path) -> Option<Arc<ProgramTournament>> {
        let file = folder.join("report.json");
        let about = fs::metadata(&file).ok()?;
        let changed = about.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let changed = changed.as_millis() as u64;
        if let Some(known) = self.known(id, changed) {
            return Some(known);
        }
        let bytes = match about.len() {
            length if length > MAX_BYTES => {
                Err(io::Error::other(format!("the report has {length} bytes, more than {MAX_BYTES}")))
            }
            _ => fs::read(&file),
        };
        self.remember(id, changed, bytes.and_then(|bytes| read(id, &bytes, changed)))
    }

    fn known(&self, id: &str, changed: u64) -> Option<Arc<ProgramTournament>> {
        let known = self.known.lock();
        known.get(id).filter(|(since, _)| *since == changed).map(|(_, tournament)| tournament.clone())
    }

    /// Caches a report; an unreadable report counts as missing.
    fn remember(
        &self,
        id: &str,
        changed: u64,
        read: io::Result<ProgramTournament>,
    ) -> Option<Arc<ProgramTournament>> {
        let tournament = read
            .inspect_err(|error| tracing::warn!(tournament = id, %error, "report_unreadable"))
            .ok()
            .map(Arc::new)?;
        self.known.lock().insert(id.to_owned(), (changed, tournament.clone()));
        Some(tournament)
    }
}

/// Runs slow work on a blocking thread.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| ErrorCode::Broken.because("the tournaments could not be read"))
}

/// The folders with a report, and the ids of their tournaments.
fn folders(folder: &Path) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let folders = entries.flatten().map(|entry| entry.path());
    let folders = folders.filter(|folder| folder.join("report.json").is_file());
    folders.filter_map(|folder| Some((id(folder.file_name()?.to_str()?), folder))).collect()
}

/// Derives the id of a tournament from the name of its folder: only characters that fit in a page address.
fn id(folder: &str) -> String {
    let name = folder.strip_suffix(".results").unwrap_or(folder);
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}

fn read(id: &str, report: &[u8], changed: u64) -> io::Result<ProgramTournament> {
    let report: Report = serde_json::from_slice(report)?;
    let format = match report.format {
        Format::Swiss => TournamentFormat::Swiss { rounds: Some(report.rounds as u32) },
        Format::Knockout => TournamentFormat::Knockout,
        Format::Gauntlet => TournamentFormat::Gauntlet,
        Format::RoundRobin => TournamentFormat::RoundRobin,
    };
    let is_running = report.state == RUNNING;
    let phase = if is_running { TournamentPhase::Running } else { TournamentPhase::Over };
    let summary = TournamentSummary {
        id: id.to_owned(),
        name: report.name.clone(),
        game: report.game.clone(),
        format,
        phase,
        players: report.standings.len(),
        programs: true,
        starts_at: None,
        updated_at: changed,
    };
    Ok(ProgramTournament { view: view(&report, &summary), summary, report })
}

fn view(report: &Report, summary: &TournamentSummary) -> TournamentView {
    let players = report.standings.len();
    let mut cross_table = vec![vec![[0; 3]; players]; players];
    for (standing, row) in report.standings.iter().zip(&report.cross_table) {
        for (opponent, tally) in report.standings.iter().zip(row) {
            if let Some(cell) =
                cross_table.get_mut(standing.player).and_then(|row| row.get_mut(opponent.player))
            {
                *cell = numbers(*tally);
            }
        }
    }
    let standing = |of: &Standing| TournamentStanding {
        player: of.player,
        occupant: program(&of.name),
        rank: of.rank,
        points: of.points,
        tie_breaks: of.tie_breaks.clone(),
        tally: numbers(of.all),
        rounds: Vec::new(),
        free: false,
        withdrawn: false,
        elo: Some([of.rating.elo, of.rating.error]),
    };
    let condition = |Condition { name, text }: &Condition| [name.clone(), text.clone()];
    TournamentView {
        id: summary.id.clone(),
        // Every game is a version, and so is the end.
        v: 2 * report.games.len() as u64 + u64::from(summary.phase == TournamentPhase::Over),
        name: report.name.clone(),
        game: report.game.clone(),
        format: summary.format,
        phase: summary.phase,
        people: None,
        conditions: report.conditions.iter().map(condition).collect(),
        round: 0,
        rounds: None,
        tie_breaks: report.tie_breaks.iter().map(|tie_break| tie_break.id().to_owned()).collect(),
        standings: report.standings.iter().map(standing).collect(),
        cross_table,
        games: games(report, report.games.len()),
        changes: Vec::new(),
    }
}

/// The games before a number.
fn games(report: &Report, before: usize) -> Vec<TournamentGame> {
    let before = before.min(report.games.len());
    (before.saturating_sub(PAGE)..before).filter_map(|number| game(report, number)).collect()
}

fn game(report: &Report, number: usize) -> Option<TournamentGame> {
    let game = &report.games[number];
    let player = |name: &String| report.standings.iter().find(|it| it.name == *name).map(|it| it.player);
    let by = if game.forfeit.is_some() { DecidedBy::Forfeit } else { DecidedBy::Play };
    Some(TournamentGame {
        number,
        round: game.slot.round as u32,
        players: [player(&game.players[0])?, player(&game.players[1])?],
        table: None,
        result: Some(TournamentResult { winner: game.result.winner(), by }),
        at: None,
        position: game.position.clone(),
        moves: Some(game.moves.clone()),
    })
}

fn numbers(Tally { wins, draws, losses }: Tally) -> [u32; 3] {
    [wins, draws, losses]
}

impl ProgramTournament {
    /// Games before a number, at most one page.
    pub fn games(&self, before: usize) -> Vec<TournamentGame> {
        games(&self.report, before)
    }

    /// The games in progress, as in lists of tables; they have no tables.
    pub fn boards(&self) -> Vec<TableSummary> {
        let board = |playing: &LiveGame| {
            let game =
                table::recorded_game(&self.report.game, playing.position.as_deref(), &playing.moves).ok()?;
            Some(TableSummary {
                table: String::new(),
                game: self.report.game.clone(),
                seats: playing.players.each_ref().map(|name| program(name)),
                clock: Clock::None,
                rated: false,
                unverified: false,
                status: Status::Playing,
                winner: None,
                reason: None,
                ply: game.moves().len() as u32,
                created_at: self.summary.updated_at,
                updated_at: self.summary.updated_at,
                view: Some(Box::new(game.view())),
                clocks: None,
                watching: None,
            })
        };
        self.report.playing.iter().filter_map(board).collect()
    }
}

fn program(name: &str) -> Occupant {
    Occupant::Program { name: name.to_owned(), rating: None }
}
