//! A terminal that watches the tournaments of a running server: one of people, board by board, and one of programs.

#![cfg(feature = "full-screen")]

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use testkit::Folder;

use crate::{
    common::alinea,
    online::{Server, choose, terminal},
};

/// A person at the server, with the cookies of a browser.
struct Person<'a> {
    server: &'a Server,
    cookies: String,
}

impl<'a> Person<'a> {
    fn new(server: &'a Server, folder: &Folder, name: &str) -> Self {
        let person = Self { server, cookies: folder.path().join(name).display().to_string() };
        person.send("GET", "me", &Value::Null);
        person
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let url = format!("{}/api/{path}", self.server.address);
        let mut curl = Command::new("curl");
        curl.args(["--fail-with-body", "--silent", "--request", method, &url]);
        curl.args(["--cookie", &self.cookies, "--cookie-jar", &self.cookies]);
        if !body.is_null() {
            curl.args(["--header", "content-type: application/json", "--data", &body.to_string()]);
        }
        let run = curl.output().unwrap();
        assert!(run.status.success(), "{method} {url}: {}", String::from_utf8_lossy(&run.stdout));
        serde_json::from_slice(&run.stdout).unwrap_or(Value::Null)
    }
}

#[test]
fn a_terminal_watches_a_tournament_of_people() {
    let [data, cookies, own] = [Folder::new(), Folder::new(), Folder::new()];
    let server = Server::with(&data, "127.0.0.1:0", &[]);
    let [organiser, ben, cleo] = ["organiser", "ben", "cleo"].map(|name| {
        let person = Person::new(&server, &cookies, name);
        person.send("POST", "account", &json!({"name": name, "password": "correct horse battery"}));
        person
    });
    let new = json!({"name": "Club evening", "game": "tic-tac-toe", "format": {"kind": "round-robin"},
        "listed": true});
    let id = organiser.send("POST", "tournaments", &new)["id"].as_str().unwrap().to_owned();
    let path = format!("tournaments/{id}");
    for person in [&ben, &cleo] {
        person.send("POST", &path, &json!({"enter": {}}));
    }

    let tmux = terminal(&server.address, &own);
    choose(&tmux, "Tournaments");
    tmux.wait_for("Club evening");
    tmux.press("Enter");
    let screen = tmux.wait_for("2 players");
    assert!(screen.contains("Open to join") && screen.contains("cleo"), "{screen}");

    // The screen follows: the pairing comes without a key.
    organiser.send("POST", &path, &json!({"start": {}}));
    tmux.wait_until("the pairing", |screen| screen.contains("Round 1") && screen.contains(" – "));
    let game = organiser.send("GET", &path, &Value::Null)["games"][0].clone();
    let table = game["table"].as_str().unwrap().to_owned();
    let players = [0, 1].map(|side| if game["players"][side] == 0 { &ben } else { &cleo });
    let play = |ply: usize, m: &str| {
        let made = json!({"ply": ply, "move": m});
        players[(ply + 1) % 2].send("POST", &format!("tables/{table}/make-move"), &made);
    };
    // The board opens for a spectator, who sees the next move.
    tmux.press("Tab");
    tmux.press("Enter");
    tmux.wait_for("No moves yet.");
    play(1, "a1");
    tmux.wait_for("  1.  a1");
    for (ply, m) in [(2, "b1"), (3, "a2"), (4, "b2"), (5, "a3")] {
        play(ply, m);
    }
    tmux.wait_for(" won.");
    tmux.press("q");
    let screen = tmux.wait_for("Finished");
    assert!(screen.contains("1–0"), "{screen}");

    // The link of the tournament leads there, too.
    let link = format!("{}/t/{id}", server.address);
    let tmux = testkit::Tmux::run(
        &format!("'{}' online {link} --lang en", env!("CARGO_BIN_EXE_alinea")),
        &[("ALINEA_DATA", &own.path().display().to_string())],
        100,
        34,
    );
    tmux.wait_for("Club evening");
}

#[test]
fn a_server_says_that_the_folder_of_tournaments_is_missing() {
    let folder = Folder::new();
    let mut server = Command::new(env!("CARGO_BIN_EXE_alinea"))
        .args(["serve", "--listen", "127.0.0.1:0", "--tournaments", "/no/such/folder", "--data"])
        .arg(folder.path().join("online.db"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
    let said = said.find(|line| line.contains("/no/such/folder"));
    server.kill().unwrap();
    server.wait().unwrap();
    let expected = "there is no folder /no/such/folder; tournaments are shown once it exists";
    assert_eq!(said.as_deref(), Some(expected));
}

#[test]
fn a_terminal_shows_a_tournament_of_programs() {
    let [data, reports, own] = [Folder::new(), Folder::new(), Folder::new()];
    let file = reports.path().join("ladder.toml");
    fs::write(
        &file,
        "name = \"Ladder\"\ngame = \"tic-tac-toe\"\nplayers = [\"level:1\", \"level:2\"]\npairs = 2\n",
    )
    .unwrap();
    let out = reports.path().join("ladder.results").display().to_string();
    let run = alinea(&["tournament", file.to_str().unwrap(), "--out", &out], "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);

    let server = Server::with(&data, "127.0.0.1:0", &["--tournaments", reports.path().to_str().unwrap()]);
    let tmux = terminal(&server.address, &own);
    choose(&tmux, "Tournaments");
    tmux.wait_for("Ladder");
    tmux.press("Enter");
    let screen = tmux.wait_for("Elo");
    assert!(screen.contains("2 programs") && screen.contains("Results"), "{screen}");
    // A finished game opens on the analysis board.
    tmux.press("Enter");
    let screen = tmux.wait_for("Moves");
    assert!(screen.contains("  1."), "{screen}");
}
