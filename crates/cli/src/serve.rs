//! `alinea serve`: runs the server until a signal stops it.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail};
use play::TournamentSource;
use server::{
    app::App,
    config::{Config, Network},
    page::Page,
    transport::http::{self, ConnectionLimits},
};
use store::Store;
use tokio::net::TcpListener;
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    fmt,
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use crate::{
    database::{Database, runtime},
    system,
};

/// Serve games over HTTP and Socket.IO
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    #[command(flatten)]
    database: Database,
    /// Maximum number of concurrent searches; by default the number of cores. With PostgreSQL, 0 leaves all thinking to
    /// `alinea worker`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=256))]
    programs: Option<u16>,
    /// Seconds after which the opponent of a disconnected player can claim the game
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, allow_negative_numbers = true)]
    grace: f64,
    /// An additional allowed origin, such as `https://example.org`
    #[arg(long, value_name = "ORIGIN")]
    origin: Vec<String>,
    /// A reverse proxy or network whose X-Forwarded-For and X-Forwarded-Proto headers are trusted
    #[arg(long, value_name = "ADDRESS")]
    trust_proxy: Vec<Network>,
    /// All clients connect by TLS through a proxy: mark cookies as secure
    #[arg(long)]
    tls_proxy: bool,
    /// Multiplier of the rate limits; 0 disables them
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true)]
    limits: f64,
    /// Maximum number of connections; by default 20000, or as many as the system allows
    #[arg(long, value_name = "N", value_parser = from_one)]
    connections: Option<usize>,
    /// Maximum number of connections of one address; a school is one address. By default a quarter of all
    #[arg(long, value_name = "N", value_parser = from_one)]
    connections_per_address: Option<usize>,
    /// Days after which an open table without an opponent ends
    #[arg(long, value_name = "DAYS", default_value_t = 7)]
    open_days: u32,
    /// Days without a move after which a game without a clock and without an account ends
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    idle_days: u32,
    /// Disable chat, for example in schools
    #[arg(long)]
    no_chat: bool,
    /// Disable sign-up; only `alinea admin` creates accounts
    #[arg(long)]
    no_sign_up: bool,
    /// Only these accounts may create tournaments, such as `--organisers ann,ben`; by default all may
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    organisers: Option<Vec<String>>,
    /// Show tournaments of programs, also while they run: a folder whose subfolders are results of `alinea
    /// tournament`, or the word `database` for tournaments played by workers
    #[arg(long, value_name = "DIR", value_parser = |text: &str| Ok::<_, std::convert::Infallible>(TournamentSource::from(text)))]
    tournaments: Option<TournamentSource>,
    /// The folder of a page to serve instead of the embedded one, such as `web/dist`
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// The address of the server for people, such as `https://alinea.example`, with which links in previews begin; by
    /// default the host that was asked for
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Days for which the audit log is kept
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    audit_days: u32,
    /// A text file that says who runs the server; the page shows it
    #[arg(long, value_name = "FILE")]
    imprint: Option<PathBuf>,
    /// A text file that says what you do with data; the page shows it
    #[arg(long, value_name = "FILE")]
    privacy: Option<PathBuf>,
    /// The format of the log on standard error
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    log: LogFormat,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

const CONNECTIONS: usize = 20_000;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Number of open files besides connections: the database, the log, the runtime.
const OTHER_FILES: usize = 200;

pub(crate) fn run(args: Args) -> Result<()> {
    let bounded = |number: f64, most: f64| number.is_finite() && (0.0..=most).contains(&number);
    if !bounded(args.grace, 86_400.0) {
        bail!("--grace must be a number of seconds from 0 to 86400");
    }
    if !bounded(args.limits, 1e9) {
        bail!("--limits must be a number from 0 to 1000000000");
    }
    let url = args.database.url()?;
    if args.programs == Some(0) && !args.database.is_shared() {
        bail!(
            "--programs 0 leaves all searches to workers, which need a shared PostgreSQL database; add --database-url"
        );
    }
    for origin in args.origin.iter().chain(&args.public_url) {
        let is_origin =
            origin.split_once("://").is_some_and(|(_, host)| !host.is_empty() && !host.contains('/'));
        if !is_origin {
            bail!("“{origin}” is not an origin; expected for example https://example.org");
        }
    }
    prepare_process(args.log);
    let runtime = runtime()?;
    let served = runtime.block_on(serve(args, &url));
    // Does not wait for running searches.
    runtime.shutdown_background();
    served
}

/// Prepares a long-running process and its log.
pub(crate) fn prepare_process(log: LogFormat) {
    system::prefer_small_pages();
    // RUST_LOG=debug logs every request.
    let filter = std::env::var("RUST_LOG").ok().and_then(|text| text.parse().ok());
    let filter = filter.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let layer = fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    match log {
        LogFormat::Text => tracing_subscriber::registry().with(filter).with(layer).init(),
        LogFormat::Json => tracing_subscriber::registry().with(filter).with(layer.json()).init(),
    }
}

async fn serve(args: Args, url: &str) -> Result<()> {
    let stop = system::stop_signal()?;
    let listener = TcpListener::bind(args.listen).await;
    // Not an `io::Error`: a wrong or occupied address is a usage error, exit code 2.
    let listener = listener.map_err(|error| anyhow!("cannot listen on {}: {error}", args.listen))?;
    let address = listener.local_addr()?;
    let _lock = args.database.lock()?;
    let name = args.database.name();
    let store = Store::open(url).await;
    let store = store.map_err(|error| anyhow!("cannot open {name}: {}", error.reason()))?;

    if let Some(TournamentSource::Folder(folder)) = &args.tournaments
        && !folder.is_dir()
    {
        let note = format!("there is no folder {}; tournaments are shown once it exists\n", folder.display());
        let _ = io::stderr().write_all(note.as_bytes());
    }
    let defaults = Config::default();
    let config = Config {
        play: play::Config {
            programs: args.programs.map_or(defaults.play.programs, Into::into),
            grace_ms: (args.grace * 1000.0) as u64,
            open_life: DAY * args.open_days,
            idle_life: DAY * args.idle_days,
            chat: !args.no_chat,
            organisers: args.organisers,
            tournaments: args.tournaments,
        },
        origins: args.origin,
        proxies: args.trust_proxy.clone(),
        always_secure: args.tls_proxy,
        rate_factor: (args.limits > 0.0).then_some(args.limits),
        sign_up: !args.no_sign_up,
        public_url: args.public_url,
        audit_life: DAY * args.audit_days,
        page: args.page.as_deref().map_or_else(|| Ok(defaults.page), read_page)?,
        imprint: args.imprint.as_deref().map(read_text).transpose()?,
        privacy: args.privacy.as_deref().map(read_text).transpose()?,
    };
    let proxies = args.trust_proxy;
    let app = App::start(store, config).await;
    let app = app.map_err(|error| anyhow!("cannot use {name}: {}", error.reason()))?;
    let router = app.router();
    // Flushed: a parent process may wait for this line through a pipe.
    let mut output = io::stdout();
    writeln!(output, "listening on http://{address}")
        .and_then(|()| output.flush())
        .context("cannot write to standard output")?;

    let stopping = async move {
        stop.await;
        app.stop().await;
    };
    let all = most_connections(args.connections);
    let per_address = args.connections_per_address.unwrap_or(all.div_ceil(4));
    let limits = ConnectionLimits { all, per_address, proxies };
    http::serve(listener, router, limits, stopping).await;
    Ok(())
}

fn from_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "expected a whole number from 1".to_owned())
}

/// The requested number of connections, or fewer if the system does not allow as many.
fn most_connections(asked: Option<usize>) -> usize {
    let wanted = asked.unwrap_or(CONNECTIONS);
    let files = system::raise_open_files().unwrap_or(usize::MAX);
    let most = files.saturating_sub(OTHER_FILES).max(1);
    if asked.is_some() && most < wanted {
        let _ = writeln!(
            io::stderr(),
            "the system allows {files} open files, so at most {most} connections are served"
        );
    }
    wanted.min(most)
}

/// Reads a page built by `make web`. The error is not an `io::Error`, as in [`read_text`].
fn read_page(folder: &Path) -> Result<Page> {
    let page = Page::read(folder);
    let page = page.map_err(|error| anyhow!("cannot read the page in {}: {error}", folder.display()))?;
    if !page.is_built() {
        bail!("{} has no index.html; `make web` builds the page into web/dist", folder.display());
    }
    Ok(page)
}

/// Reads one of the host's own texts. The error is not an `io::Error`, because a missing file is a usage
/// error with exit code 2.
fn read_text(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| anyhow!("cannot read {}: {error}", file.display()))
}
