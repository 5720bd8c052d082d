//! Shared by `match` and `tournament`: resuming, progress display, Ctrl-C, reports.

use std::{
    collections::VecDeque,
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, anyhow};
use arena::{
    Journal, LiveGames, Log, Record, Report, Tournament, evidence,
    run::{self, End, Progress},
    standings::{self, Standing, Tally},
};

use crate::{
    ExitWith,
    live::{self, LiveText},
    workers::Coordinator,
};

/// What to write, and where.
pub(crate) struct Output<'a> {
    /// The directory of the journal and the reports.
    pub(crate) directory: Option<&'a Path>,
    /// Whether to write each game to its own file as well.
    pub(crate) each_game: bool,
    /// The file for the dialogue with external engines.
    pub(crate) log: Option<&'a Path>,
    /// Whether the report on standard output is JSON, for scripts.
    pub(crate) json: bool,
    /// The database of the workers that play the games; without one, this program plays them.
    pub(crate) database_url: Option<&'a str>,
}

/// Runs a tournament to its end, or until Ctrl-C.
pub(crate) fn run(mut tournament: Tournament, output: &Output) -> Result<()> {
    if let Some(path) = output.log {
        let log = Log::create(path).map_err(|error| anyhow!("cannot create {}: {error}", path.display()))?;
        tournament.log = Some(log);
    }
    tournament.live = output.directory.map(|_| LiveGames::default());
    let stop = live::stop_on_interrupt()?;
    let (mut journal, played) = match output.directory {
        None => (None, Vec::new()),
        Some(directory) => {
            fs::create_dir_all(directory)
                .map_err(|error| anyhow!("cannot create the directory {}: {error}", directory.display()))?;
            let path = directory.join("journal.jsonl");
            if let Some(identity) = Journal::identity(&path) {
                tournament.resume_openings(&identity);
            }
            let (journal, played) = Journal::open(&path, &tournament.identity())?;
            (Some(journal), played)
        }
    };
    let tournament = &tournament;
    if !played.is_empty() {
        print_progress(&format!("resuming: {} games are in the journal\n", played.len()));
    }
    if let Some(note) = tournament.reuses_openings() {
        print_progress(&format!("{note}\n"));
    }
    let mut display = Display::new(tournament);
    let coordinator = match output.database_url.zip(output.directory) {
        None => None,
        Some((url, folder)) => Some(Coordinator::open(url, tournament, folder, print_progress)?),
    };
    let mut live = output.directory.map(|directory| LiveReport::new(directory, coordinator.as_ref()));
    let mut watch = |progress: &Progress| {
        display.show(progress);
        if let Some(live) = &mut live {
            live.show(tournament, progress);
        }
    };
    let (progress, end) = match &coordinator {
        None => run::run(tournament, journal.as_mut(), played, &stop, &mut watch)?,
        Some(coordinator) => {
            let mut result = Ok(());
            let mut play = |games: VecDeque<_>, finish: &mut dyn FnMut(Vec<Record>) -> bool| {
                result = coordinator.play(games, finish);
            };
            let ended = run::run_by(&mut play, tournament, journal.as_mut(), played, &stop, &mut watch)?;
            if result.is_ok() {
                coordinator.publish(&Report::new(tournament, &ended.0.records, Some(ended.1.clone())).json());
            }
            coordinator.close();
            result?;
            ended
        }
    };
    display.finish(&progress);
    if let End::NotStarted { player, reason } = &end {
        let message = format!("{player} does not start: {reason}; its games are not counted");
        return Err(ExitWith { code: 3, message }.into());
    }
    if let End::Crashed { player, reason } = &end {
        let message = format!(
            "{player} {reason}; the run ends after {} games, this one is not counted",
            progress.records.len()
        );
        return Err(ExitWith { code: 3, message }.into());
    }
    let mut report = Report::new(tournament, &progress.records, Some(end.clone()));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    report.date = Some(rules::game_text::date(now.as_millis() as u64));
    if let Some(directory) = output.directory {
        write_reports(directory, &report, output.each_game)
            .with_context(|| format!("cannot write into {}", directory.display()))?;
    }
    let printed = if output.json { report.json() } else { report.markdown_body() };
    io::stdout().write_all(printed.as_bytes())?;
    if end == End::Stopped {
        let kept = match output.directory {
            Some(directory) => {
                format!("they are saved in {}; run the same command to continue", directory.display())
            }
            None => "use --out DIR to save them".to_owned(),
        };
        let message = format!("stopped after {} of {} games: {kept}", progress.records.len(), progress.total);
        return Err(ExitWith { code: 130, message }.into());
    }
    Ok(())
}

pub(crate) fn write_reports(directory: &Path, report: &Report, each_game: bool) -> io::Result<()> {
    for (name, text) in [
        ("report.md", report.markdown()),
        ("report.json", report.json()),
        ("report.tsv", report.tsv()),
        ("report.html", report.html()),
        ("games.txt", report.game_text()),
        ("games.pgn", report.pgn_games()),
        ("results.pgn", report.pgn()),
    ] {
        replace(&directory.join(name), &text)?;
    }
    if each_game {
        let games = directory.join("games");
        fs::create_dir_all(&games)?;
        for (i, record) in report.games.iter().enumerate() {
            fs::write(games.join(format!("{:05}.txt", i + 1)), record.to_text(&report.name))?;
        }
    }
    Ok(())
}

/// The report of a running tournament, for `alinea serve --tournaments`.
struct LiveReport<'a> {
    path: PathBuf,
    /// A second database that receives the same updates.
    coordinator: Option<&'a Coordinator>,
    due: Instant,
}

impl<'a> LiveReport<'a> {
    /// Minimum time between two reports.
    const INTERVAL: Duration = Duration::from_secs(1);
    /// Reporting takes at most one part in this many of the time, however many games there are.
    const SHARE: u32 = 50;

    fn new(directory: &Path, coordinator: Option<&'a Coordinator>) -> Self {
        Self { path: directory.join("report.json"), coordinator, due: Instant::now() }
    }

    /// Writes the report if it is due. Best effort: if writing fails, the final report will fail with the reason.
    fn show(&mut self, tournament: &Tournament, progress: &Progress) {
        let start = Instant::now();
        if start >= self.due {
            let report = Report::new(tournament, &progress.records, None).json();
            let _ = replace(&self.path, &report);
            if let Some(coordinator) = self.coordinator {
                coordinator.publish(&report);
            }
            self.due = Instant::now() + Self::INTERVAL.max(Self::SHARE * start.elapsed());
        }
    }
}

/// Replaces a file atomically, so that a reader never sees half a report.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    fs::write(&part, text)?;
    fs::rename(&part, path)
}

/// The standings and a progress bar, updated in place on a terminal; elsewhere one line per tenth.
struct Display<'a> {
    tournament: &'a Tournament,
    is_terminal: bool,
    drawn: Instant,
    live_text: LiveText,
    is_drawn: bool,
    /// Tenths reported so far.
    tenths: usize,
}

/// Best effort: a closed standard error is not a failure.
fn print_progress(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The number of players shown above the bar.
const SHOWN: usize = 12;

impl<'a> Display<'a> {
    fn new(tournament: &'a Tournament) -> Self {
        let is_terminal = io::stderr().is_terminal();
        Self {
            tournament,
            is_terminal,
            drawn: Instant::now(),
            live_text: LiveText::default(),
            is_drawn: false,
            tenths: 0,
        }
    }

    fn show(&mut self, progress: &Progress) {
        if !self.is_terminal {
            let tenths = 10 * progress.records.len() / progress.total.max(1);
            if tenths > self.tenths {
                self.tenths = tenths;
                print_progress(&format!("{}\n", self.line(progress)));
            }
        } else if !self.is_drawn || self.drawn.elapsed() > Duration::from_millis(100) {
            self.draw(progress);
        }
    }

    fn finish(&mut self, progress: &Progress) {
        if self.is_terminal {
            self.draw(progress);
        }
    }

    fn draw(&mut self, progress: &Progress) {
        let table = standings::standings(self.tournament, &progress.records);
        let mut text = String::new();
        for standing in table.iter().take(SHOWN) {
            let Standing { rank, name, points, rating, .. } = standing;
            let Tally { wins, draws, losses } = standing.all;
            text += &format!(
                "{rank:>3}  {name:<24.24} {points:>7}  +{wins} ={draws} −{losses}  {:+.0} ± {:.0}\n",
                rating.elo, rating.error
            );
        }
        text += &format!("{}\n", self.line(progress));
        self.is_drawn = true;
        self.drawn = Instant::now();
        print_progress(&self.live_text.redrawn(&text));
    }

    /// The bar, the number of games and the leader; in a match of two the score and the state of the test.
    fn line(&self, progress: &Progress) -> String {
        let (done, total) = (progress.records.len(), progress.total.max(1));
        let filled = (20 * done / total).min(20);
        let bar = format!("[{}{}]", "#".repeat(filled), ".".repeat(20 - filled));
        let mut line = format!("{bar} {done} of {} games", progress.total);
        let settings = &self.tournament.settings;
        let tally = |player: usize| {
            standings::cross_table(self.tournament, &progress.records)[player].iter().fold(
                Tally::default(),
                |sum, tally| Tally {
                    wins: sum.wins + tally.wins,
                    draws: sum.draws + tally.draws,
                    losses: sum.losses + tally.losses,
                },
            )
        };
        if let [first, second] = &settings.players[..] {
            let Tally { wins, draws, losses } = tally(0);
            line += &format!(", {} +{wins} ={draws} −{losses} {}", first.name, second.name);
            if let Some(sprt) = &settings.sprt {
                let llr = sprt.llr(&evidence::pairs(&progress.records, &first.name, &second.name));
                let [low, high] = sprt.bounds();
                line += &format!(", LLR {llr:.2} [{low:.2}, {high:.2}]");
            }
        } else if let Some(leader) = standings::standings(self.tournament, &progress.records).first() {
            line += &format!(", {} leads with {} points", leader.name, leader.points);
        }
        line
    }
}
