//! Two terminals at one server: a code, a game, chat, offers, a rematch, a server that is restarted, a name that stays.

#![cfg(feature = "full-screen")]

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use crate::common::alinea;
use testkit::{Folder, Tmux};

const PROGRAM: &str = env!("CARGO_BIN_EXE_alinea");

pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    /// On a free port, or on the one that it had before.
    fn start(folder: &Folder, listen: &str) -> Self {
        Self::with(folder, listen, &[])
    }

    /// The same with more options.
    pub(crate) fn with(folder: &Folder, listen: &str, options: &[&str]) -> Self {
        let data = folder.path().join("online.db");
        let mut child = Command::new(PROGRAM)
            .args(["serve", "--listen", listen, "--limits", "0", "--data"])
            .arg(data)
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.map_while(Result::ok).find_map(|line| {
            let at = line.find("http://")?;
            Some(line[at..].split_whitespace().next()?.trim_end_matches('/').to_owned())
        });
        Self { child, address: address.expect("the server says where it listens") }
    }

    fn port(&self) -> &str {
        self.address.strip_prefix("http://").unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A terminal in the lobby of a server.
pub(crate) fn terminal(server: &str, data: &Folder) -> Tmux {
    let command = format!("'{PROGRAM}' online {server} --no-animation --lang en");
    let data = data.path().display().to_string();
    let tmux = Tmux::run(&command, &[("ALINEA_DATA", &data)], 100, 34);
    tmux.wait_for("Hello, ");
    tmux
}

/// Clicks a row of the lobby.
pub(crate) fn choose(tmux: &Tmux, row: &str) {
    let screen = tmux.screen();
    let at = screen.lines().position(|line| line.trim_start().starts_with(row));
    tmux.click(4, at.unwrap_or_else(|| panic!("no {row}:\n{screen}")));
}

fn play(tmux: &Tmux, m: &str) {
    tmux.wait_for("Your turn.");
    tmux.press("/");
    tmux.type_text(m);
    tmux.press("Enter");
}

/// The text that follows another one on the screen.
fn after(screen: &str, text: &str) -> String {
    let at = screen.find(text).unwrap_or_else(|| panic!("no {text}:\n{screen}")) + text.len();
    screen[at..].split_whitespace().next().unwrap().to_owned()
}

#[test]
fn a_friend_joins_by_code_and_the_game_survives_a_restart() {
    let [data, host_data, guest_data] = [Folder::new(), Folder::new(), Folder::new()];
    let server = Server::start(&data, "127.0.0.1:0");
    let host = terminal(&server.address, &host_data);
    choose(&host, "Create the link");
    let code = after(&host.wait_for("Room code: "), "Room code: ");

    let guest = terminal(&server.address, &guest_data);
    choose(&guest, "Join by code");
    guest.type_text(&code);
    guest.press("Enter");
    guest.wait_for("Take the seat and play");
    guest.press("Enter");
    host.wait_until("the first turn", |screen| screen.contains("Your turn.") || screen.contains(" to move."));

    // Sides are random: who moves first is seen on the screen.
    let is_first = |tmux: &Tmux| {
        let screen =
            tmux.wait_until("a turn", |screen| screen.contains("Your turn.") || screen.contains(" to move."));
        screen.contains("Your turn.")
    };
    let (first, second) = if is_first(&host) { (&host, &guest) } else { (&guest, &host) };
    for tmux in [first, second] {
        assert!(
            !tmux.screen().contains("disconnected"),
            "who has just come has not left:\n{}",
            tmux.screen()
        );
    }

    first.press("c");
    first.type_text("hello there");
    first.press("Enter");
    second.wait_for("hello there");

    for (ply, m) in ["4", "5", "4", "5", "4"].into_iter().enumerate() {
        play(if ply % 2 == 0 { first } else { second }, m);
    }
    second.wait_for("Your turn.");
    second.press("d");
    first.wait_for("offers a draw");
    first.press("-");
    first.wait_until("no offer", |screen| !screen.contains("offers a draw"));

    // The server is gone in the middle and comes back: nothing is lost, and the move of that time is made.
    let listen = server.port().to_owned();
    drop(server);
    second.wait_for("Connection lost.");
    second.press("/");
    second.type_text("5");
    second.press("Enter");
    second.wait_for("Sending your move");
    let server = Server::start(&data, &listen);
    play(first, "4");
    first.wait_for("You won.");
    second.wait_for("You lost.");

    second.press("n");
    // Behind a long name the line breaks.
    first.wait_for("would like to play");
    first.press("n");
    for tmux in [first, second] {
        tmux.wait_for("No moves yet.");
    }
    // Sides are exchanged.
    play(second, "1");
    first.wait_for("Your turn.");
    first.press("x");
    first.press("x");
    second.wait_until("the end", |screen| !screen.contains(" to move."));

    // The finished game is kept, and the server knows the guest again.
    let list =
        Command::new(PROGRAM).args(["games", "list"]).env("ALINEA_DATA", host_data.path()).output().unwrap();
    assert!(String::from_utf8(list.stdout).unwrap().contains("connect-four"));
    let name = after(&terminal(&server.address, &host_data).screen(), "Hello, ");
    assert_eq!(after(&terminal(&server.address, &host_data).screen(), "Hello, "), name);
}

#[test]
fn two_who_look_for_an_opponent_find_each_other_and_a_third_watches() {
    let [data, one_data, two_data, three_data] = std::array::from_fn(|_| Folder::new());
    let server = Server::start(&data, "127.0.0.1:0");
    let one = terminal(&server.address, &one_data);
    // A search that was cancelled finds no opponent.
    choose(&one, "Find an opponent");
    one.wait_for("Looking for an opponent");
    one.press("q");
    one.wait_until("no search", |screen| !screen.contains("Looking for an opponent"));
    let two = terminal(&server.address, &two_data);
    choose(&two, "Find an opponent");
    two.wait_for("Looking for an opponent");
    one.press("Enter");
    let seen = |screen: &str| screen.contains("Your turn.") || screen.contains(" to move.");
    for tmux in [&one, &two] {
        tmux.wait_until("a turn", seen);
    }
    let (mover, other) = if one.screen().contains("Your turn.") { (&one, &two) } else { (&two, &one) };
    play(mover, "4");

    let three = terminal(&server.address, &three_data);
    choose(&three, "Watch");
    // The game's name alone is in the lobby too.
    three.wait_until("a table", |screen| screen.contains("Live now") && screen.contains("Connect Four"));
    three.press("Enter");
    three.wait_until("the move", |screen| screen.contains(" to move.") && screen.contains("1.  4"));
    three.press("e");
    three.wait_for("No help");

    // A chat message leaves the refusal on the screen.
    other.press("e");
    other.wait_for("No help");
    mover.press("c");
    mover.wait_for("Write a message");
    mover.type_text("good luck");
    mover.press("Enter");
    let screen = other.wait_for("good luck");
    assert!(screen.contains("No help"), "{screen}");
}

#[test]
fn an_opponent_who_has_not_come_has_not_left() {
    let [data, own] = [Folder::new(), Folder::new()];
    let server = Server::start(&data, "127.0.0.1:0");
    let tmux = terminal(&server.address, &own);
    choose(&tmux, "Create the link");
    let code = after(&tmux.wait_for("Room code: "), "Room code: ");
    // A guest who takes the seat, and does not follow the table.
    let curl = |path: &str, method: &str| {
        let url = format!("{}/api/{path}", server.address);
        let run =
            Command::new("curl").args(["--fail", "--silent", "--request", method, &url]).output().unwrap();
        assert!(run.status.success(), "{url}: {run:?}");
        serde_json::from_slice::<serde_json::Value>(&run.stdout).unwrap()
    };
    let table = curl(&format!("codes/{code}"), "GET")["table"].clone();
    curl(&format!("tables/{}/sit", table.as_str().unwrap()), "POST");
    let begun =
        tmux.wait_until("a turn", |screen| screen.contains("Your turn.") || screen.contains(" to move."));
    assert!(!begun.contains("disconnected"), "{begun}");
}

#[test]
fn accounts_and_servers_that_do_not_answer() {
    let [data, own] = [Folder::new(), Folder::new()];
    let server = Server::start(&data, "127.0.0.1:0");
    let tmux = terminal(&server.address, &own);
    choose(&tmux, "Create an account");
    tmux.type_text("ann");
    tmux.press("Enter");
    tmux.type_text("correct horse battery");
    assert!(!tmux.wait_for("****").contains("horse"), "a password is not shown");
    tmux.press("Enter");
    tmux.wait_for("Hello, ann.");
    let screen = tmux.wait_for("Sign out");
    assert!(screen.contains("Rated"), "{screen}");
    // Another server, which is not there.
    drop(server);
    choose(&tmux, "Server");
    tmux.wait_for("The address of a server");
    tmux.press("C-u");
    tmux.type_text("http://127.0.0.1:9");
    tmux.press("Enter");
    tmux.wait_for("The server is not responding");
    tmux.press("q");
    tmux.press("q");
    tmux.assert_clean_end("0");

    let run = alinea(&["online"], "");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert_eq!(run.stderr, "alinea: online games need a terminal and the full screen\n");
}

#[test]
fn improve_needs_the_full_screen() {
    let run = alinea(&["improve"], "");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    let expected = "alinea: skills and exercises need a terminal and the full screen; puzzles work line by line: alinea puzzles play\n";
    assert_eq!(run.stderr, expected);
}
