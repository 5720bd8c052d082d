//! A client that polls, from the handshake to the end of its session.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use alinea_socketio::{
    AckSender, Config, Connecting, Connection, Handler, Peer, Rejection, Server, Session, Transport,
};
use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{Method, StatusCode},
};

/// Echoes events, and counts connections.
#[derive(Clone, Default)]
struct Echo(Arc<AtomicUsize>);

impl Handler for Echo {
    fn open(&self, request: &Request, _: Transport) -> Result<Arc<dyn Peer>, Rejection> {
        match request.headers().contains_key("x-forbidden") {
            true => Err(Rejection::Forbidden),
            false => Ok(Arc::new(self.clone())),
        }
    }
}

impl Peer for Echo {
    fn connect(self: Arc<Self>, session: Arc<Session>, _auth: String) -> Connecting {
        Box::pin(async move { Ok(Arc::new(Client { echo: self, session }) as Arc<dyn Connection>) })
    }
}

struct Client {
    echo: Arc<Echo>,
    session: Arc<Session>,
}

impl Connection for Client {
    fn connected(&self) {
        self.echo.0.fetch_add(1, Ordering::Relaxed);
    }

    fn event(self: Arc<Self>, payload: &str, ack: AckSender) -> bool {
        if payload == "[\"close\"]" {
            self.session.close();
        }
        self.session.emit("echo", &payload);
        ack.send(&payload.len());
        payload.ends_with(']')
    }

    fn disconnected(&self) {
        self.echo.0.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn send(server: &Server, method: Method, query: &str, body: &str) -> (StatusCode, String) {
    let uri = format!("/socket.io/?{query}");
    let request = Request::builder().method(method).uri(uri).body(Body::from(body.to_owned())).unwrap();
    let response = server.handle(request).await;
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.into()).unwrap())
}

async fn open(server: &Server) -> String {
    let (status, body) = send(server, Method::GET, "EIO=4&transport=polling", "").await;
    assert_eq!(status, StatusCode::OK);
    let open: serde_json::Value = serde_json::from_str(body.strip_prefix('0').unwrap()).unwrap();
    assert_eq!(open["upgrades"][0], "websocket");
    format!("EIO=4&transport=polling&sid={}", open["sid"].as_str().unwrap())
}

async fn post(server: &Server, session: &str, body: &str) -> StatusCode {
    send(server, Method::POST, session, body).await.0
}

async fn poll(server: &Server, session: &str) -> String {
    send(server, Method::GET, session, "").await.1
}

#[tokio::test]
async fn malformed_handshakes_are_rejected() {
    let server = Server::new(Config::default(), Echo::default());
    for (method, query, code) in [
        (Method::GET, "transport=polling", 5),
        (Method::GET, "EIO=3&transport=polling", 5),
        (Method::GET, "EIO=4", 0),
        (Method::GET, "EIO=4&transport=pigeon", 0),
        (Method::GET, "EIO=4&transport=polling&sid=unknown", 1),
        (Method::POST, "EIO=4&transport=polling", 2),
        (Method::GET, "EIO=4&transport=websocket", 3),
        (Method::GET, "EIO=4&EIO=4&transport=polling", 3),
    ] {
        let (status, body) = send(&server, method, query, "").await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
        assert!(body.contains(&format!("\"code\":{code}")), "{query}: {body}");
    }
    let request = Request::builder().uri("/socket.io/?EIO=4&transport=polling").header("x-forbidden", "1");
    let response = server.handle(request.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn events_are_echoed_and_acknowledged_in_order() {
    let echo = Echo::default();
    let server = Server::new(Config::default(), echo.clone());
    let session = open(&server).await;
    assert_eq!(post(&server, &session, "40").await, StatusCode::OK);
    assert!(poll(&server, &session).await.starts_with("40{\"sid\":"));
    assert_eq!(echo.0.load(Ordering::Relaxed), 1);

    assert_eq!(post(&server, &session, "420[\"a\"]\u{1e}42[\"b\"]").await, StatusCode::OK);
    let expected = "42[\"echo\",\"[\\\"a\\\"]\"]\u{1e}430[5]\u{1e}42[\"echo\",\"[\\\"b\\\"]\"]";
    assert_eq!(poll(&server, &session).await, expected);

    assert_eq!(post(&server, &session, "1").await, StatusCode::OK);
    assert_eq!(echo.0.load(Ordering::Relaxed), 0);
    assert_unknown(&server, &session).await;
}

/// A poll that waits in a task of its own.
async fn waiting(server: &Server, session: &str) -> tokio::task::JoinHandle<String> {
    let (server, session) = (server.clone(), session.to_owned());
    let waiting = tokio::spawn(async move { poll(&server, &session).await });
    tokio::task::yield_now().await;
    waiting
}

async fn assert_unknown(server: &Server, session: &str) {
    let (status, body) = send(server, Method::GET, session, "").await;
    assert_eq!((status, body.contains("\"code\":1")), (StatusCode::BAD_REQUEST, true), "{body}");
}

#[tokio::test]
async fn a_client_that_closes_gets_nothing_more() {
    let server = Server::new(Config::default(), Echo::default());
    let session = open(&server).await;
    let waiting = waiting(&server, &session).await;
    assert_eq!(post(&server, &session, "1").await, StatusCode::OK);
    assert_eq!(waiting.await.unwrap(), "6", "a packet without meaning");
    assert_unknown(&server, &session).await;
}

#[tokio::test]
async fn a_poll_that_is_cancelled_ends_the_session() {
    let echo = Echo::default();
    let server = Server::new(Config::default(), echo.clone());
    let session = open(&server).await;
    post(&server, &session, "40").await;
    poll(&server, &session).await;
    let waiting = waiting(&server, &session).await;
    waiting.abort();
    assert!(waiting.await.is_err());
    assert_eq!(echo.0.load(Ordering::Relaxed), 0, "its client comes back and asks for what it has missed");
    assert_unknown(&server, &session).await;
}

#[tokio::test]
async fn malformed_packets_end_the_session() {
    for packet in ["", "9", "42[\"early\"]", "42{}", "5", "bAAA="] {
        let server = Server::new(Config::default(), Echo::default());
        let session = open(&server).await;
        assert_eq!(post(&server, &session, packet).await, StatusCode::BAD_REQUEST, "{packet}");
        assert_unknown(&server, &session).await;
    }
}

#[tokio::test]
async fn a_client_may_connect_again() {
    let echo = Echo::default();
    let server = Server::new(Config::default(), echo.clone());
    let session = open(&server).await;
    for connections in [1, 0, 1] {
        let packet = if connections == 1 { "40" } else { "41" };
        assert_eq!(post(&server, &session, packet).await, StatusCode::OK);
        assert_eq!(echo.0.load(Ordering::Relaxed), connections);
    }
    assert_eq!(post(&server, &session, "40/admin").await, StatusCode::OK);
    assert!(poll(&server, &session).await.contains("44/admin,{\"message\":\"Invalid namespace\"}"));
}

#[tokio::test]
async fn a_closed_session_is_sent_its_last_packets() {
    let server = Server::new(Config::default(), Echo::default());
    let session = open(&server).await;
    post(&server, &session, "40").await;
    poll(&server, &session).await;
    post(&server, &session, "420[\"close\"]").await;
    assert_eq!(poll(&server, &session).await, "41");
    assert_eq!(poll(&server, &session).await, "1");
}

#[tokio::test]
async fn sessions_that_poll_are_bounded() {
    let server = Server::new(Config { max_polling_sessions: 2, ..Config::default() }, Echo::default());
    open(&server).await;
    open(&server).await;
    let (status, _) = send(&server, Method::GET, "EIO=4&transport=polling", "").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn two_polls_at_once_end_the_session() {
    let echo = Echo::default();
    let server = Server::new(Config::default(), echo.clone());
    let session = open(&server).await;
    post(&server, &session, "40").await;
    poll(&server, &session).await;
    let waiting = waiting(&server, &session).await;
    let (status, _) = send(&server, Method::GET, &session, "").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(waiting.await.unwrap(), "1");
    assert_eq!(echo.0.load(Ordering::Relaxed), 0);
    assert_unknown(&server, &session).await;
}

#[tokio::test]
async fn a_client_that_never_connects_is_dropped() {
    let config = Config { connect_timeout: std::time::Duration::ZERO, ..Config::default() };
    let server = Server::new(config, Echo::default());
    let (_, body) = send(&server, Method::GET, "EIO=4&transport=polling", "").await;
    let id = body.split('"').nth(3).unwrap().to_owned();
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    let (status, body) = send(&server, Method::GET, &format!("EIO=4&transport=polling&sid={id}"), "").await;
    assert_eq!((status, body.contains("\"code\":1")), (StatusCode::BAD_REQUEST, true), "{body}");
}
