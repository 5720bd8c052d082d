//! External engines in tournaments: limits and options per player, restarts, the end at a crash. The engines are shell
//! scripts that record their input.

use std::{
    fs,
    path::{Path, PathBuf},
};

use alinea_arena::{
    Record, Tournament,
    run::{self, End},
};
use players::Stop;

/// A folder that is removed on drop.
struct Place(PathBuf);

impl Place {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("alinea-engines-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.0.join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// A player that writes its process id, options and searches to files of its name, and repeats the last column.
    fn player(&self, name: &str, on_go: &str) -> String {
        let file = self.0.join(name).display().to_string();
        let script = format!(
            "echo $$ >> {file}.ids; while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
             setoption) echo $rest >> {file}.options;; position) p=$rest;; \
             go) echo $rest >> {file}.go; {on_go}; echo bestmove ${{p##* }};; quit) exit;; esac; done"
        );
        format!("\"{name}=external:sh -c '{script}'\"")
    }

    fn run(&self, players: &[String], more: &str) -> (Vec<Record>, End) {
        let text = format!(
            "game = 'connect-four'\nplayers = [{}]\nopenings = 'random:2'\n{more}\n",
            players.join(", ")
        );
        let tournament = Tournament::read(&text, &self.0).unwrap();
        let (progress, end) = run::run(&tournament, None, Vec::new(), &Stop::default(), &mut |_| {}).unwrap();
        (progress.records, end)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_player_may_have_limits_of_its_own() {
    let place = Place::new("limits");
    let players = [place.player("A", ":"), place.player("B", ":")];
    place.run(&players, "[limits]\nmovetime_ms = 60000\n[limits_of.B]\nnodes = 5\ntime_ms = 50000\n");
    assert!(place.lines("A.go").iter().all(|go| go == "movetime 60000"), "{:?}", place.lines("A.go"));
    let by_nodes = |go: &String| go.starts_with("nodes 5 p1time ") && !go.contains("movetime");
    assert!(!place.lines("B.go").is_empty() && place.lines("B.go").iter().all(by_nodes));
}

#[test]
fn engines_are_started_anew_on_request() {
    for (more, starts) in [("", 1), ("restart = true\n", 4)] {
        let place = Place::new(&format!("restart-{starts}"));
        // The games end before a column is full: an illegal move would restart it anyway.
        let random = "'random'".to_owned();
        let limits = "[limits]\nmovetime_ms = 60000\n[adjudication]\nmax_plies = 4\n";
        let (records, end) =
            place.run(&[place.player("A", ":"), random], &format!("pairs = 2\n{more}{limits}"));
        assert_eq!((records.len(), end), (4, End::Complete));
        assert!(records.iter().all(|record| record.forfeit.is_none()));
        assert_eq!(place.lines("A.ids").len(), starts, "{more}");
    }
}

#[test]
fn a_crash_ends_the_run_on_request() {
    let place = Place::new("abort");
    let players = [place.player("A", "exit 7"), "'random'".to_owned()];
    let (records, end) = place.run(&players, "pairs = 2\n[limits]\nmovetime_ms = 60000\n");
    assert_eq!((records.len(), end), (4, End::Complete), "otherwise it goes on");
    let (records, end) = place.run(&players, "pairs = 2\nabort = true\n[limits]\nmovetime_ms = 60000\n");
    let crash = End::Crashed { player: "A".to_owned(), reason: "crashed: exit code 7".to_owned() };
    assert_eq!((records.len(), end), (0, crash));
}

#[test]
fn options_come_from_files_too() {
    let place = Place::new("options");
    fs::write(place.0.join("a.options"), "# of A\nHash = 64\nBook File = \"a b.bin\"\nStyle = solid\n")
        .unwrap();
    let players = [place.player("A", ":"), "'random'".to_owned()];
    let more = "[limits]\nmovetime_ms = 60000\n[adjudication]\nmax_plies = 4\n\
                [options_file]\nA = 'a.options'\n[options.A]\nStyle = 'wild'\n";
    place.run(&players, more);
    let told = ["name Book File value a b.bin", "name Hash value 64", "name Style value wild"];
    assert_eq!(place.lines("A.options"), told);
    // The content of the option files is part of the tournament.
    let identity = || {
        let text = format!("game = 'connect-four'\nplayers = [{}]\n{more}", players.join(", "));
        Tournament::read(&text, &place.0).unwrap().identity()
    };
    let before = identity();
    fs::write(place.0.join("a.options"), "Hash = 128\n").unwrap();
    assert_ne!(before, identity());
}

/// The engine expects 2 and then 3; the other side plays 2 and then 4.
#[test]
fn engines_think_while_the_opponent_does() {
    let place = Place::new("ponder");
    let told = place.0.join("told").display().to_string();
    let script = |declares: &str| {
        format!(
            "while read -r word rest; do\n\
             case $word in setoption|go|stop|ponderhit) echo $word $rest >> {told};; esac\n\
             case \"$word $rest\" in\n\
             ugi*) {declares} echo ugiok;; isready*) echo readyok;; quit*) exit;;\n\
             'go ponder'*) ;; go*) echo bestmove 1 ponder 2;;\n\
             ponderhit*) echo bestmove 1 ponder 3;; stop*) echo bestmove 7;;\n\
             esac; done\n"
        )
    };
    let other = "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; uginewgame) n=0;; \
                 go) n=$((n+1)); echo bestmove $((2*n));; quit) exit;; esac; done";
    fs::write(place.0.join("other.sh"), other).unwrap();
    let folder = place.0.display();
    let players = ["P=external:sh FOLDER/pondering.sh", "Q=external:sh FOLDER/other.sh"];
    let players = players.map(|player| format!("'{}'", player.replace("FOLDER", &folder.to_string())));
    let play = |declares: &str, ponder: bool| {
        let _ = fs::remove_file(&told);
        fs::write(place.0.join("pondering.sh"), script(declares)).unwrap();
        let more = "[limits]\nmovetime_ms = 60000\n[adjudication]\nmax_plies = 5\n";
        let text = format!(
            "game = 'connect-four'\nplayers = [{}]\nopenings = 'empty'\nponder = {ponder}\n{more}",
            players.join(", ")
        );
        let tournament = Tournament::read(&text, &place.0).unwrap();
        let (progress, _) = run::run(&tournament, None, Vec::new(), &Stop::default(), &mut |_| {}).unwrap();
        assert!(progress.records.iter().all(|record| record.forfeit.is_none()), "{:?}", progress.records);
        let first = progress.records.iter().find(|record| record.players[0] == "P").unwrap();
        (first.moves.clone(), place.lines("told"))
    };
    let declares = "echo option name Ponder type check default false;";
    let (moves, lines) = play(declares, true);
    assert_eq!(moves, "1 2 1 4 1");
    let first = [
        "setoption name Ponder value true",
        "go movetime 60000",
        "go ponder movetime 60000",
        "ponderhit",
        "go ponder movetime 60000",
        "stop",
        "go movetime 60000",
    ];
    assert_eq!(&lines[..first.len()], first, "{lines:?}");
    for (declares, ponder) in [("", true), (declares, false)] {
        let (again, lines) = play(declares, ponder);
        assert_eq!(again, moves);
        assert!(lines.iter().all(|line| line == "go movetime 60000"), "{lines:?}");
    }
}

#[test]
fn wrong_settings_of_engines_are_rejected() {
    let place = Place::new("wrong");
    fs::write(place.0.join("bad"), "Hash 64\n").unwrap();
    for (more, sentence) in [
        ("[limits_of.A]\nnods = 5", "the limits of A: unknown field `nods`"),
        ("[limits_of.A]\nnodes = 'x'", "expected a whole number"),
        ("[limits_of.random]\nnodes = 5", "depth and nodes apply only to external engines"),
        ("[limits_of.C]\nnodes = 5", "“C”, which is not a player"),
        ("[options_file]\nA = 'none'", "cannot read the options in"),
        ("[options_file]\nA = 'bad'", "line 1 is not of the form name = value"),
        ("concurrency = 256\naffinity = true", "256 parallel games need 256 cores"),
    ] {
        let text = format!("game = 'connect-four'\nplayers = ['random', 'A=external:x']\n{more}\n");
        let error = Tournament::read(&text, &place.0).unwrap_err().to_string();
        assert!(error.contains(sentence), "{more}: {error}");
    }
    let bound = "game = 'connect-four'\nplayers = ['random', 'greedy']\naffinity = true\n";
    let bound = Tournament::read(bound, Path::new("")).unwrap();
    assert_eq!(run::run(&bound, None, Vec::new(), &Stop::default(), &mut |_| {}).unwrap().1, End::Complete);
}
