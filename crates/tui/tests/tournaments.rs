//! Tournaments to watch, from a server of this test: in five windows and all languages, by keys and mouse.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use alinea_tui::{Address, AddressTarget, Glyphs, Language, Start};
use serde_json::{Value, json};

use crate::{
    common::{Session, game},
    screens::{WINDOWS, check},
};

/// Answers the requests of one test until the program of the test ends.
fn serve(answer: fn(&str) -> Option<Value>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let respond = move |stream: TcpStream| -> Option<()> {
        let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
        let path = lines.next()?.ok()?.split(' ').nth(1)?.to_owned();
        while !lines.next()?.ok()?.is_empty() {}
        let missing = json!({"code": "not-found", "message": "there is no such tournament"});
        let (status, body) = match answer(&path) {
            Some(body) => ("200 OK", body),
            None => ("404 Not Found", missing),
        };
        let body = body.to_string();
        let length = body.len();
        write!(&stream, "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
            .ok()
    };
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| _ = respond(stream)));
    format!("http://{address}")
}

fn person(name: &str) -> Value {
    json!({"kind": "person", "id": name, "name": name})
}

fn program(name: &str) -> Value {
    json!({"kind": "program", "name": name})
}

fn board(table: &str, seats: [Value; 2], moves: &str) -> Value {
    let mut game = game("connect-four");
    game.play_all(moves).unwrap();
    json!({"table": table, "game": "connect-four:6x7x4", "seats": seats, "clock": {"kind": "none"}, "rated": false,
        "status": "playing", "ply": game.moves().len(), "created_at": 0, "updated_at": 0, "view": game.view()})
}

fn standing(
    player: usize,
    occupant: Value,
    points: f64,
    ties: [f64; 3],
    tally: [u32; 3],
    rank: usize,
) -> Value {
    json!({"player": player, "occupant": occupant, "rank": rank, "points": points, "tie_breaks": ties,
        "tally": tally})
}

fn people() -> Value {
    let names = ["ann", "Bartholomew the Younger", "carla", "Maximiliana-Henriette"];
    let mut standings = vec![
        standing(1, person(names[1]), 2.5, [1.0, 3.5, 2.25], [2, 1, 0], 1),
        standing(0, person(names[0]), 1.5, [0.0, 4.0, 1.75], [1, 1, 0], 2),
        standing(3, person(names[3]), 1.0, [0.0, 2.5, 0.0], [1, 0, 2], 3),
        standing(2, person(names[2]), 0.0, [0.0, 3.0, 0.0], [0, 0, 2], 4),
    ];
    standings[3]["withdrawn"] = json!(true);
    let ended = |number: usize, round: u32, players: [usize; 2], winner: Value, by: &str| {
        json!({"number": number, "round": round, "players": players, "table": format!("t{number}"),
            "result": {"winner": winner, "by": by}})
    };
    json!({"id": "spring", "v": 9, "name": "Spring cup", "game": "connect-four:6x7x4",
    "format": {"kind": "swiss", "rounds": 3}, "phase": "running",
    "people": {"clock": {"kind": "game", "initial_ms": 300_000, "increment_ms": 3_000}, "rated": false,
        "guests": true, "listed": true, "organiser": person("ann"), "sit_down_s": 60,
        "places_per_address": 10},
    "round": 3, "rounds": 3, "tie_breaks": ["direct", "buchholz", "sonneborn-berger"],
    "standings": standings, "cross_table": [], "games": [
        ended(0, 0, [0, 1], Value::Null, "play"),
        ended(1, 0, [2, 3], json!("second"), "no-show"),
        ended(2, 1, [1, 2], json!("first"), "play"),
        ended(3, 1, [3, 0], json!("second"), "play"),
        ended(4, 2, [3, 1], json!("second"), "play"),
        {"number": 5, "round": 2, "players": [0, 2], "table": "t5"},
    ]})
}

fn programs() -> Value {
    let names = ["engine", "level:6", "my own engine 2"];
    let elo = |mut standing: Value, elo: [f64; 2]| {
        standing["elo"] = json!(elo);
        standing
    };
    let played = |number: usize, players: [usize; 2], winner: &str| {
        json!({"number": number, "round": 0, "players": players, "moves": "4 4 5 5 6 3 7",
            "result": {"winner": winner, "by": "play"}})
    };
    json!({"id": "bots", "v": 8, "name": "Bots", "game": "connect-four:6x7x4", "format": {"kind": "gauntlet"},
        "phase": "running", "round": 0, "tie_breaks": ["direct", "sonneborn-berger", "wins"],
        "standings": [
            elo(standing(0, program(names[0]), 3.0, [0.0, 0.0, 3.0], [3, 0, 0], 1), [1571.4, 62.2]),
            elo(standing(1, program(names[1]), 0.0, [0.0, 0.0, 0.0], [0, 0, 1], 2), [1466.0, 87.0]),
            elo(standing(2, program(names[2]), 0.0, [0.0, 0.0, 0.0], [0, 0, 2], 2), [1462.6, 80.0]),
        ],
        "cross_table": [], "games": [played(2, [0, 1], "first"), played(3, [0, 2], "first")]})
}

fn summary(view: &Value, phase: &str) -> Value {
    json!({"id": view["id"], "name": view["name"], "game": view["game"], "format": view["format"], "phase": phase,
        "players": view["standings"].as_array().unwrap().len(), "programs": view["people"].is_null(),
        "updated_at": 0})
}

fn entry() -> Value {
    let mut view = people();
    for (key, value) in [("id", json!("new")), ("name", json!("A club’s new evening")), ("round", json!(0))]
    {
        view[key] = value;
    }
    view["phase"] = json!("entry");
    view["games"] = json!([]);
    view["standings"] = json!([]);
    view
}

fn arena() -> Value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64;
    let mut view = people();
    view["format"] = json!({"kind": "arena", "minutes": 30});
    view["people"]["ends_at"] = json!(now + 95_000);
    view
}

fn answer(path: &str) -> Option<Value> {
    let seats = [person("ann"), person("carla")];
    let engines = [program("engine"), program("my own engine 2")];
    Some(match path {
        "/api/me" => json!({"id": "guest", "name": "1.2", "account": false, "host_name": ""}),
        "/api/tournaments" => {
            json!([
                summary(&entry(), "entry"),
                summary(&people(), "running"),
                summary(&programs(), "running"),
                summary(&people(), "over")
            ])
        }
        "/api/tournaments/spring" => people(),
        "/api/tournaments/spring/boards" => json!({"tables": [board("t5", seats, "4 4 3")]}),
        "/api/tournaments/new" => entry(),
        "/api/tournaments/arena" => arena(),
        "/api/tournaments/arena/boards" => json!({"tables": []}),
        "/api/tournaments/bots" => programs(),
        "/api/tournaments/bots/boards" => json!({"tables": [board("", engines, "4 4 5 3 2")]}),
        "/api/tournaments/bots/games?before=2" => json!([
            {"number": 0, "round": 0, "players": [0, 2], "moves": "1 2", "result": {"winner": "second", "by": "forfeit"}},
            {"number": 1, "round": 0, "players": [2, 0], "moves": "1 2", "result": {"winner": null, "by": "play"}},
        ]),
        _ => return None,
    })
}

fn open(server: &str, id: &str, language: Language) -> Session {
    let target = Some(AddressTarget::Tournament(id.to_owned()));
    let address = Address { server: server.to_owned(), target };
    Session::new(Start::Online(address), 80, 24, |options| options.language = Some(language))
}

#[test]
fn tournaments_in_every_window_and_language() {
    let server = serve(answer);
    for language in Language::ALL {
        let mut list = Session::new(
            Start::Online(Address { server: server.clone(), target: None }),
            80,
            24,
            |options| options.language = Some(language),
        );
        // From the search for an opponent, the fifth row below.
        list.keys("Down Down Down Down Down Enter");
        list.wait_for("Spring cup");
        let [mut running, mut standings] = std::array::from_fn(|_| open(&server, "spring", language));
        running.wait_for("carla");
        standings.wait_for("carla");
        standings.press("Tab");
        let [mut bots, mut large] = std::array::from_fn(|_| open(&server, "bots", language));
        bots.wait_for("my own engine 2");
        large.wait_for("my own engine 2");
        large.press("Enter");
        let mut begins = open(&server, "new", language);
        begins.wait_for("A club’s new");
        let mut text = String::new();
        let screens = [
            ("list", &mut list),
            ("games", &mut running),
            ("standings", &mut standings),
            ("programs", &mut bots),
            ("board", &mut large),
            ("entry", &mut begins),
        ];
        for (name, session) in screens {
            for (width, height) in WINDOWS {
                session.resize(width, height);
                text += &format!("{name}, {width} × {height}\n");
                for row in session.text().lines() {
                    text += &format!("|{}\n", row.trim_end());
                }
            }
        }
        check(&format!("tournaments-{}", language.code()), &text);
    }
}

/// The rows of the screen that have this text.
fn row(session: &mut Session, text: &str) -> String {
    let screen = session.text();
    screen
        .lines()
        .find(|line| line.contains(text))
        .unwrap_or_else(|| panic!("no {text}:\n{screen}"))
        .to_owned()
}

#[test]
fn points_are_whole_in_every_window() {
    let server = serve(answer);
    let mut session = open(&server, "spring", Language::En);
    session.wait_for("carla");
    session.press("Tab");
    for (width, height) in WINDOWS {
        session.resize(width, height);
        assert!(row(&mut session, "Bartholomew").contains("2½"), "{width} × {height}:\n{}", session.text());
        assert!(row(&mut session, "2 ann").contains("1½"), "{width} × {height}:\n{}", session.text());
    }
    let mut session = open(&server, "spring", Language::En);
    session.wait_for("carla");
    for (width, height) in WINDOWS {
        session.resize(width, height);
        // In the lowest windows the list is scrolled to each row.
        let mut seen = String::new();
        for _ in 0..6 {
            seen += &session.text();
            session.press("Down");
        }
        for result in ["ann – carla", "0–1  M", "½–½  ann", "1–0  B"] {
            assert!(seen.contains(result), "{result}, {width} × {height}:\n{seen}");
        }
    }
}

#[test]
fn plain_characters_have_no_fractions() {
    let server = serve(answer);
    let target = Some(AddressTarget::Tournament("spring".to_owned()));
    let mut session = Session::new(Start::Online(Address { server, target }), 80, 24, |options| {
        options.settings.glyphs = Glyphs::Ascii;
    });
    session.wait_for("carla");
    assert!(row(&mut session, "1 Bart").contains(" 2.5 "), "{}", session.text());
    assert!(session.text().contains("1/2  ann"), "{}", session.text());
    assert!(session.text().is_ascii(), "{}", session.text());
}

#[test]
fn games_of_programs_are_watched_and_studied() {
    let server = serve(answer);
    let mut session = open(&server, "bots", Language::En);
    session.wait_for("my own engine 2");
    // The board fills the screen, by key and by mouse.
    session.press("Enter");
    assert!(session.text().contains("5 moves") && !session.text().contains("Elo"), "{}", session.text());
    session.press("Esc");
    let y = session.text().lines().position(|line| line.trim_end().ends_with("– my own engine 2"));
    let y = y.unwrap() as u16;
    session.click(60, y);
    assert!(!session.text().contains("Elo"), "{}", session.text());
    session.press("q");
    // A finished game opens on the analysis board.
    session.keys("Down Enter");
    session.wait_for("  4.  7");
    session.press("q");
    session.wait_for("Elo");
    // Earlier games come on request.
    session.keys("Down Down Enter");
    session.wait_for("½–½  my own");
    session.resize(120, 40);
    assert!(session.text().contains("forfeited"), "{}", session.text());
    assert!(!session.text().contains("Earlier"), "{}", session.text());
    // A player opens the game in progress.
    session.press("Tab");
    session.keys("Down Down Enter");
    assert!(session.text().contains("5 moves") && !session.text().contains("Elo"), "{}", session.text());
}

#[test]
fn an_arena_counts_down() {
    let server = serve(answer);
    let mut session = open(&server, "arena", Language::En);
    session.wait_for(" left for new games");
    assert!(session.text().contains("· 1:3"), "{}", session.text());
    assert!(session.app.deadline().is_some());
}

#[test]
fn a_tournament_that_does_not_exist_says_so() {
    let server = serve(answer);
    let mut session = open(&server, "none", Language::En);
    session.wait_until("an error", |text| !text.contains("Loading"));
    session.press("q");
    assert!(session.text().contains("Find an opponent"), "{}", session.text());
}
