//! Requests to a server. Each is a task that ends when its [`Work`] is dropped.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, OnceLock},
    time::Duration,
};

use parking_lot::Mutex;
use protocol::{
    ApiError, Command, ErrorCode, Me, NewTable, Paired, Seek, Snapshot, TableCreated, TableList,
    TableSummary, TournamentPhase, TournamentView,
};
use reqwest::{Method, RequestBuilder, Response, header};
use sentences::{Words, error_text};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::{runtime::Runtime, task::JoinHandle, time::sleep};

use super::{News, Told};
use crate::keep::Keep;

/// Deadline of a request, except a search for an opponent.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Interval between requests for the state of a tournament.
const REFRESH: Duration = Duration::from_secs(3);
/// Maximum size of a response: a game of many moves with its reasons.
const MAX_ANSWER: usize = 8 << 20;

/// Why a request failed.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The server refused the request.
    Refused(ApiError),
    /// The server cannot be reached, or is not an Alinea server.
    NoAnswer,
}

impl Failure {
    /// The message that explains the failure.
    pub(crate) fn text(&self, words: &Words) -> String {
        match self {
            Self::Refused(error) => error_text(words, error),
            Self::NoAnswer => words.t("error.no-answer").to_owned(),
        }
    }
}

/// A tournament with the boards that are being played.
#[derive(Debug)]
pub(crate) struct Watched {
    pub(crate) view: TournamentView,
    pub(crate) boards: Vec<TableSummary>,
}

/// A task, which ends when this is dropped.
pub(crate) struct Work(JoinHandle<()>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A server, and the reader's identity there.
pub(crate) struct Client {
    http: reqwest::Client,
    server: String,
    /// Identifies the reader to the server.
    cookies: Mutex<BTreeMap<String, String>>,
    keep: Keep,
    tell: Box<dyn Fn(News) + Send + Sync>,
    runtime: &'static Runtime,
}

impl Client {
    /// `tell` receives the server's messages, on other threads.
    pub(crate) fn new(
        server: &str,
        keep: &Keep,
        tell: impl Fn(News) + Send + Sync + 'static,
    ) -> Result<Arc<Self>, String> {
        // Another provider may be installed already: then it is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let agent = concat!("alinea/", env!("CARGO_PKG_VERSION"), " (terminal)");
        let http = reqwest::Client::builder().user_agent(agent).connect_timeout(TIMEOUT).build();
        Ok(Arc::new(Self {
            http: http.map_err(|error| error.to_string())?,
            server: server.to_owned(),
            cookies: Mutex::new(keep.cookies(server)),
            keep: keep.clone(),
            tell: Box::new(tell),
            runtime: runtime().map_err(|error| error.to_string())?,
        }))
    }

    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// The link of a table.
    pub(crate) fn link(&self, table: &str) -> String {
        format!("{}/g/{table}", self.server)
    }

    pub(super) fn tell(&self, told: Told) {
        (self.tell)(News(told));
    }

    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> Work {
        Work(self.runtime.spawn(task))
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let cookies: Vec<_> =
            self.cookies.lock().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self.http.request(method, format!("{}/api{path}", self.server));
        if cookies.is_empty() { request } else { request.header(header::COOKIE, cookies.join("; ")) }
    }

    /// Stores the cookies that the server sets, also for the next run.
    fn take_cookies(&self, response: &Response) {
        let mut changed = false;
        let mut cookies = self.cookies.lock();
        for set in response.headers().get_all(header::SET_COOKIE) {
            let pair = set.to_str().ok().and_then(|set| set.split(';').next()?.trim().split_once('='));
            let Some((name, value)) = pair else { continue };
            if value.is_empty() {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
            changed = true;
        }
        if changed {
            // Without it the reader is another guest the next time.
            let _ = self.keep.set_cookies(&self.server, &cookies);
        }
    }

    async fn send<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, Failure> {
        let mut response = request.send().await.map_err(|_| Failure::NoAnswer)?;
        self.take_cookies(&response);
        let is_done = response.status().is_success();
        let mut answer = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|_| Failure::NoAnswer)? {
            answer.extend_from_slice(&part);
            if answer.len() > MAX_ANSWER {
                return Err(Failure::NoAnswer);
            }
        }
        if is_done {
            let answer = if answer.is_empty() { b"null" } else { answer.as_slice() };
            return serde_json::from_slice(answer).map_err(|_| Failure::NoAnswer);
        }
        Err(serde_json::from_slice(&answer).map_or(Failure::NoAnswer, Failure::Refused))
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.send(self.request(Method::GET, path).timeout(TIMEOUT)).await
    }

    async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, Failure> {
        self.send(with_body(self.request(Method::POST, path).timeout(TIMEOUT), body)).await
    }

    pub(super) async fn snapshot(&self, table: &str) -> Result<Box<Snapshot>, Failure> {
        self.get(&format!("/tables/{table}")).await
    }

    /// The updates of a table, as they come.
    pub(super) async fn updates(&self, table: &str) -> Result<Response, Failure> {
        let request = self.request(Method::GET, &format!("/tables/{table}/events"));
        let response = request.send().await.map_err(|_| Failure::NoAnswer)?;
        self.take_cookies(&response);
        if response.status().is_success() {
            return Ok(response);
        }
        let answer = response.bytes().await.map_err(|_| Failure::NoAnswer)?;
        Err(serde_json::from_slice(&answer).map_or(Failure::NoAnswer, Failure::Refused))
    }

    pub(super) async fn command(&self, table: &str, command: &Command) -> Result<(), Failure> {
        let (name, fields) = named(command);
        self.post::<Value>(&format!("/tables/{table}/{name}"), &fields).await.map(drop)
    }

    /// Asks for the reader's identity: an account, or a guest, which is created if needed.
    pub(crate) fn ask_me(self: &Arc<Self>) -> Work {
        let client = self.clone();
        self.spawn(async move { client.tell(Told::Me(client.get("/me").await)) })
    }

    pub(crate) fn sign_in(self: &Arc<Self>, name: &str, password: &str) -> Work {
        self.enter("/session", name, password)
    }

    /// Creates an account.
    pub(crate) fn sign_up(self: &Arc<Self>, name: &str, password: &str) -> Work {
        self.enter("/account", name, password)
    }

    fn enter(self: &Arc<Self>, path: &'static str, name: &str, password: &str) -> Work {
        let (client, body) = (self.clone(), json!({"name": name, "password": password}));
        self.spawn(async move { client.tell(Told::Me(client.post(path, &body).await)) })
    }

    pub(crate) fn sign_out(self: &Arc<Self>) -> Work {
        let client = self.clone();
        self.spawn(async move {
            let request = client.request(Method::DELETE, "/session").timeout(TIMEOUT);
            let me = match client.send::<Value>(request).await {
                Ok(_) => client.get::<Me>("/me").await,
                Err(failure) => Err(failure),
            };
            client.tell(Told::Me(me));
        })
    }

    /// Looks for an opponent until one is found or the work is dropped.
    pub(crate) fn seek(self: &Arc<Self>, seek: Seek) -> Work {
        let client = self.clone();
        self.spawn(async move {
            let request = with_body(client.request(Method::POST, "/bot/seek"), &seek);
            let paired: Result<Paired, _> = client.send(request).await;
            client.tell(Told::Found(paired.map(|paired| paired.table)));
        })
    }

    pub(crate) fn new_table(self: &Arc<Self>, new: NewTable) -> Work {
        let client = self.clone();
        self.spawn(async move {
            let made: Result<TableCreated, _> = client.post("/tables", &new).await;
            client.tell(Told::Found(made.map(|made| made.table)));
        })
    }

    /// Finds the table that a code leads to.
    pub(crate) fn find(self: &Arc<Self>, code: &str) -> Work {
        // Typed text becomes a part of the address only if it can be a code.
        let code: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
        let client = self.clone();
        self.spawn(async move {
            let found: Result<TableCreated, _> = client.get(&format!("/codes/{code}")).await;
            client.tell(Told::Found(found.map(|found| found.table)));
        })
    }

    /// Lists tables by a query such as `live=true`.
    pub(crate) fn list(self: &Arc<Self>, query: &'static str) -> Work {
        let client = self.clone();
        self.spawn(async move {
            let list: Result<TableList, _> = client.get(&format!("/tables?{query}")).await;
            client.tell(Told::Listed(list.map(|list| list.tables)));
        })
    }

    pub(crate) fn tournaments(self: &Arc<Self>) -> Work {
        let client = self.clone();
        self.spawn(async move { client.tell(Told::Tournaments(client.get("/tournaments").await)) })
    }

    /// Reports the state of a tournament at intervals, until it is over or the work is dropped.
    pub(crate) fn follow_tournament(self: &Arc<Self>, id: &str) -> Work {
        let (client, id) = (self.clone(), id.to_owned());
        self.spawn(async move {
            loop {
                let watched = client.watched(&id).await;
                let is_last = match &watched {
                    Ok(watched) => watched.view.phase == TournamentPhase::Over,
                    Err(Failure::Refused(error)) => error.code == ErrorCode::NotFound,
                    Err(Failure::NoAnswer) => false,
                };
                client.tell(Told::Tournament(id.clone(), watched.map(Box::new)));
                if is_last {
                    return;
                }
                sleep(REFRESH).await;
            }
        })
    }

    async fn watched(&self, id: &str) -> Result<Watched, Failure> {
        let view: TournamentView = self.get(&format!("/tournaments/{id}")).await?;
        let boards = match view.phase {
            TournamentPhase::Running => {
                self.get::<TableList>(&format!("/tournaments/{id}/boards")).await?.tables
            }
            TournamentPhase::Entry | TournamentPhase::Over => Vec::new(),
        };
        Ok(Watched { view, boards })
    }

    /// Asks for the games of a tournament of programs before the one with this number.
    pub(crate) fn earlier_games(self: &Arc<Self>, id: &str, before: usize) -> Work {
        let (client, id) = (self.clone(), id.to_owned());
        self.spawn(async move {
            let games = client.get(&format!("/tournaments/{id}/games?before={before}")).await;
            client.tell(Told::EarlierGames(id, games));
        })
    }
}

/// The thread that all clients share; it lives as long as the program.
fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    Ok(RUNTIME.get_or_init(|| runtime))
}

fn with_body(request: RequestBuilder, body: &impl Serialize) -> RequestBuilder {
    let body = serde_json::to_vec(body).expect("messages serialise as JSON");
    request.header(header::CONTENT_TYPE, "application/json").body(body)
}

/// The name and the fields of a command.
fn named(command: &Command) -> (String, Value) {
    match serde_json::to_value(command).expect("messages serialise as JSON") {
        Value::Object(tagged) => tagged.into_iter().next().expect("a command has a name"),
        _ => unreachable!("every command has fields"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_posted_by_name() {
        assert_eq!(named(&Command::Resign {}), ("resign".to_owned(), json!({})));
        let made = Command::MakeMove { ply: 3, text: "4".to_owned(), lag_ms: 0, seen: Some(7) };
        assert_eq!(
            named(&made),
            ("make-move".to_owned(), json!({"ply": 3, "move": "4", "lag_ms": 0, "seen": 7}))
        );
    }
}
