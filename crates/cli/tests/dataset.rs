//! Data sets: the same bytes with any number of threads and after any interruption, verified, and read back.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use crate::common::{Run, alinea};
use serde_json::Value;
use sha2::{Digest, Sha256};
use testkit::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_alinea");

/// Runs `alinea dataset make` into a folder.
fn make(folder: &Path, args: &[&str]) -> Run {
    let out = folder.to_str().unwrap();
    alinea(&[&["dataset", "make"], args, &["--out", out]].concat(), "")
}

fn made(folder: &Path, args: &[&str]) {
    let run = make(folder, args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
    assert!(run.stdout.ends_with(&format!(" positions in {}\n", folder.display())), "{}", run.stdout);
}

fn verify(folder: &Path) -> Run {
    alinea(&["dataset", "verify", folder.to_str().unwrap(), "--sample", "20"], "")
}

/// The files of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read =
        |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap())).collect()
}

fn rows(folder: &Path, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Games of every outcome, one of them by forfeit and one unfinished.
const GAMES: &str = "[Game \"connect-four:4x5\"]\n[First \"a\"]\n[Second \"b\"]\n\n1. 1 2 2. 1 2 3. 1 2 4. 1 1-0\n\n\
                     [Game \"connect-four:4x5\"]\n\n1. 3 3 2. 1 {a comment} 0-1\n\n\
                     [Game \"connect-four:4x5\"]\n[Position \"5/5/5/2x2 b\"]\n\n1... 3 2. 4 *\n";

#[test]
fn the_same_settings_give_the_same_bytes_with_any_number_of_threads() {
    let folder = Folder::new();
    let games = folder.path().join("games.txt");
    fs::write(&games, GAMES).unwrap();
    for (name, args) in [
        ("players", &["connect-four:4x5", "--players", "smart:2", "random", "--count", "30"][..]),
        ("random", &["tic-tac-toe", "--random", "--plies", "2-6", "--count", "200"]),
        ("searched", &["simplexity", "--random", "--plies", "9", "--count", "5", "--values", "nodes=500"]),
        ("deep", &["gomoku:7x7x5", "--players", "level:1", "level:1", "--count", "2", "--values", "depth=1"]),
        ("file", &["connect-four:4x5", "--games", games.to_str().unwrap()]),
    ] {
        let [one, three] = ["1", "3"].map(|threads| {
            let path = folder.path().join(format!("{name}-{threads}"));
            made(&path, &[args, &["--threads", threads]].concat());
            path
        });
        assert!(files(&one) == files(&three), "{name}");
        let run = verify(&one);
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        let names: Vec<_> = files(&one).into_keys().collect();
        assert_eq!(names, ["README.md", "SHA256SUMS", "dataset.json", "games.jsonl", "positions.jsonl"]);
    }
    let other = folder.path().join("other-seed");
    made(&other, &["tic-tac-toe", "--random", "--plies", "2-6", "--count", "200", "--seed", "2"]);
    assert_ne!(rows(&other, "positions.jsonl"), rows(&folder.path().join("random-1"), "positions.jsonl"));
}

#[test]
fn the_data_of_the_python_tests_are_made_again() {
    let folder = Folder::new();
    let out = folder.path().join("out");
    made(&out, &["tic-tac-toe", "--random", "--plies", "3-7", "--count", "12"]);
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/tests/datasets/solved/positions.jsonl");
    assert_eq!(fs::read_to_string(out.join("positions.jsonl")).unwrap(), fs::read_to_string(path).unwrap());
}

#[test]
fn positions_are_those_of_their_games() {
    let folder = Folder::new();
    let path = folder.path().join("games.txt");
    fs::write(&path, GAMES).unwrap();
    let out = folder.path().join("out");
    made(&out, &["connect-four:4x5", "--games", path.to_str().unwrap(), "--split", "40,30,30"]);
    let games = rows(&out, "games.jsonl");
    let of = |column: &str| games.iter().map(|game| game[column].clone()).collect::<Vec<_>>();
    assert_eq!(of("number"), [1, 2, 3]);
    assert_eq!(of("first"), [Value::from("a"), Value::Null, Value::Null]);
    assert_eq!(of("result"), [Value::from("first"), Value::from("second"), Value::Null]);
    assert_eq!(of("start"), [Value::Null, Value::Null, Value::from("5/5/5/2x2 b")]);
    let positions = rows(&out, "positions.jsonl");
    // Without the one in which the first game is over.
    let numbers: Vec<_> = positions.iter().map(|row| row["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3]);
    for row in &positions {
        let game = &games[row["number"].as_u64().unwrap() as usize - 1];
        assert_eq!((&row["split"], &row["result"]), (&game["split"], &game["result"]));
        assert!(game["moves"].as_str().unwrap().starts_with(row["moves"].as_str().unwrap()));
        assert_eq!(row["chance"], row["policy"][0]["chance"]);
        assert_eq!(row["best"][0], row["policy"][0]["move"]);
    }
    let last = &positions[6];
    assert_eq!(
        (&last["proven"], &last["plies"], &last["best"]),
        (&"win".into(), &1.into(), &vec!["1"].into())
    );
    assert_eq!((&last["played"], &last["ply"], &last["turn"]), (&"1".into(), &6.into(), &"first".into()));
    assert_eq!(positions[13]["played"], Value::Null);
    let card = fs::read_to_string(out.join("README.md")).unwrap();
    for text in
        ["3 games and 14 positions", "--games '", "--split 40,30,30", "Licence: not stated", "| policy | "]
    {
        assert!(card.contains(text), "{card}");
    }
    for column in positions[0].as_object().unwrap().keys() {
        assert!(card.contains(column), "the card says nothing about {column}");
    }
}

#[test]
fn equal_games_are_in_one_split() {
    let folder = Folder::new();
    let out = folder.path().join("out");
    made(
        &out,
        &[
            "tic-tac-toe",
            "--players",
            "random",
            "random",
            "--opening-plies",
            "2",
            "--count",
            "3000",
            "--plies",
            "8",
        ],
    );
    let mut split_of = HashMap::new();
    let games = rows(&out, "games.jsonl");
    for game in &games {
        let split = game["split"].as_str().unwrap();
        assert_eq!(*split_of.entry(game["moves"].clone()).or_insert(split), split);
    }
    assert!(split_of.len() < games.len(), "some games are equal");
    let train = games.iter().filter(|game| game["split"] == "train").count();
    assert!((2200..2600).contains(&train), "{train} of 3000");
}

#[test]
fn a_killed_run_goes_on_without_losing_or_repeating() {
    let folder = Folder::new();
    let settings =
        ["connect-four:5x6", "--players", "smart:2", "level:1", "--count", "60", "--plies", "12-30"];
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    made(&whole, &settings);
    let length = fs::metadata(whole.join("positions.jsonl")).unwrap().len();
    for percent in [5, 30, 31, 90] {
        // The system kills it in the middle of a write, when a file reaches the limit, in blocks of 512 bytes.
        let limit = format!("ulimit -c 0; ulimit -f {}; exec \"$@\"", length * percent / 100 / 512);
        let status = Command::new("sh")
            .args(["-c", &limit, "sh", PROGRAM, "dataset", "make"])
            .args(settings)
            .args(["--threads", "1", "--out", killed.to_str().unwrap()])
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), None, "it was killed at {percent} %");
        // Half a line of the journal, as a power cut leaves it.
        let mut journal = fs::read(killed.join("journal.jsonl")).unwrap();
        journal.extend(b"{\"games\":9");
        fs::write(killed.join("journal.jsonl"), journal).unwrap();
        let other = make(&killed, &[&settings[..], &["--seed", "9"]].concat());
        assert!(
            other.stderr.contains("it was started with other settings: alinea dataset make"),
            "{}",
            other.stderr
        );
    }
    made(&killed, &settings);
    assert!(files(&whole) == files(&killed));
    let again = make(&killed, &settings);
    assert!(
        again.code == Some(2) && again.stderr.contains("already contains a data set"),
        "{}",
        again.stderr
    );
}

#[test]
fn kill_9_at_any_moment_costs_nothing() {
    let folder = Folder::new();
    let settings = [
        "connect-four:5x6",
        "--players",
        "smart:2",
        "level:1",
        "--count",
        "300",
        "--plies",
        "14-30",
        "--parquet",
    ];
    let settings = if cfg!(feature = "parquet") { &settings[..] } else { &settings[..settings.len() - 1] };
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    made(&whole, settings);
    // The last run is killed at any point, perhaps at its end.
    for _ in 0..3 {
        let mut child = Command::new(PROGRAM)
            .args(["dataset", "make"])
            .args(settings)
            .args(["--out", killed.to_str().unwrap()])
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let progress = BufReader::new(child.stderr.take().unwrap()).lines().next();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(progress.is_none_or(|line| line.is_ok()));
    }
    if !killed.join("SHA256SUMS").exists() || killed.join("journal.jsonl").exists() {
        made(&killed, settings);
    }
    assert!(files(&whole) == files(&killed));
}

#[test]
fn a_data_set_has_one_writer() {
    let folder = Folder::new();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let journal = fs::File::create(out.join("journal.jsonl")).unwrap();
    journal.lock().unwrap();
    let run = make(&out, &["tic-tac-toe", "--random", "--plies", "3"]);
    assert!(
        run.code == Some(2) && run.stderr.contains("another run is making the data set"),
        "{}",
        run.stderr
    );
}

/// Writes the checksums anew, as a forger would.
fn sum_again(folder: &Path) {
    let path = folder.join("SHA256SUMS");
    let sums: String = fs::read_to_string(&path)
        .unwrap()
        .lines()
        .map(|line| {
            let name = line.split_once("  ").unwrap().1;
            let hash = Sha256::digest(fs::read(folder.join(name)).unwrap());
            let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{hash}  {name}\n")
        })
        .collect();
    fs::write(path, sums).unwrap();
}

#[test]
fn changes_are_found() {
    let folder = Folder::new();
    let out = folder.path().join("out");
    let args = ["dataset", "verify", out.to_str().unwrap()];
    assert!(alinea(&args, "").stderr.contains("a data set has this file once it is complete"));
    made(&out, &["tic-tac-toe", "--random", "--plies", "4-7", "--count", "40"]);
    let whole = fs::read_to_string(out.join("positions.jsonl")).unwrap();
    let change = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        fs::write(out.join("positions.jsonl"), whole.replacen(from, to, 1)).unwrap();
    };
    let fails = |sentence: &str| {
        let run = alinea(&args, "");
        assert_eq!((run.code, run.stderr.lines().count()), (Some(1), 1), "{}", run.stderr);
        assert!(run.stderr.contains(sentence), "{}", run.stderr);
    };
    change("\"proven\":\"win\",\"plies\":1", "\"proven\":\"win\",\"plies\":2");
    fails("positions.jsonl has been changed: its checksum differs");
    sum_again(&out);
    fails("the values differ from those found now");
    change("\"split\":\"train\"", "\"split\":\"test\"");
    sum_again(&out);
    fails("do not match");
    change("\"moves\":\"", "\"moves\":\"d9 ");
    sum_again(&out);
    fails("line 1 of positions.jsonl: ");
    fs::write(out.join("positions.jsonl"), &whole).unwrap();
    sum_again(&out);
    // The card is the maker's to change.
    fs::write(out.join("README.md"), "Licence: CC0\n").unwrap();
    assert_eq!(alinea(&args, "").code, Some(0));
}

#[test]
fn bad_input_gets_one_sentence() {
    let folder = Folder::new();
    let file = folder.path().join("games.txt");
    let out = folder.path().join("out");
    let games = |text: &str| fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    games("[Game \"tic-tac-toe\"]\n\n1. b2 *\n\n[Game \"connect-four\"]\n\n1. 4 *\n");
    let refused = |args: &[&str], sentence: &str| {
        let _ = fs::remove_dir_all(&out);
        let run = make(&out, args);
        assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(sentence), "{args:?}: {}", run.stderr);
    };
    refused(&["ludo", "--random", "--plies", "3"], "there is no game “ludo”");
    refused(&["tic-tac-toe"], "required");
    refused(&["tic-tac-toe", "--random"], "--plies");
    refused(&["tic-tac-toe", "--random", "--plies", "5-3"], "the smaller one first");
    refused(
        &["tic-tac-toe", "--random", "--plies", "9-12"],
        "no random game of tic-tac-toe lasted until ply 9",
    );
    refused(&["tic-tac-toe", "--players", "perfect", "genius"], "genius");
    refused(
        &["tic-tac-toe", "--players", "random", "external:./mine"],
        "the games of an external engine cannot be repeated",
    );
    refused(&["tic-tac-toe", "--random", "--plies", "3", "--values", "nodes=0"], "expected exact, nodes=N");
    refused(&["tic-tac-toe", "--random", "--plies", "3", "--split", "50,40,20"], "with the sum 100");
    refused(&["gomoku", "--random", "--plies", "3", "--values", "exact"], "cannot be proved");
    refused(&["tic-tac-toe", "--games", "/no/such/file"], "cannot read /no/such/file");
    let sentence = "game 2 is of connect-four:6x7x4, not of tic-tac-toe";
    refused(&["tic-tac-toe", "--games", path, "--threads", "2"], sentence);
    // A run that made no game leaves nothing behind that is in the way.
    made(&out, &["tic-tac-toe", "--random", "--plies", "6", "--count", "3"]);
    games("[Game \"tic-tac-toe\"]\n\n1. b2 b2 *\n");
    refused(&["tic-tac-toe", "--games", path], "game 1: ");
    games("\n");
    refused(&["tic-tac-toe", "--games", path], "the text contains no game");
    fs::remove_dir_all(&out).unwrap();
    fs::write(&out, "a file").unwrap();
    let run = make(&out, &["tic-tac-toe", "--random", "--plies", "3"]);
    assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{}", run.stderr);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_same_rows() {
    use parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::Field,
    };

    /// A value as in the lines of JSON.
    fn json(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Int(number) => (*number).into(),
            Field::Long(number) => (*number).into(),
            Field::Double(number) => (*number).into(),
            Field::Str(text) => text.as_str().into(),
            Field::Group(row) => object(row),
            Field::ListInternal(list) => list.elements().iter().map(json).collect(),
            other => panic!("no such column: {other}"),
        }
    }

    fn object(row: &parquet::record::Row) -> Value {
        row.get_column_iter().map(|(name, field)| (name.clone(), json(field))).collect()
    }

    let folder = Folder::new();
    // More positions than a group has; searched and proved ones.
    for (name, args) in [
        ("many", &["tic-tac-toe", "--players", "random", "random", "--count", "1500", "--plies", "4-9"][..]),
        (
            "searched",
            &["simplexity", "--random", "--plies", "12-20", "--count", "6", "--values", "nodes=300"],
        ),
    ] {
        let out = folder.path().join(name);
        made(&out, &[args, &["--parquet"]].concat());
        for file in ["games", "positions"] {
            let reader = fs::File::open(out.join(format!("{file}.parquet"))).unwrap();
            let reader = SerializedFileReader::new(reader).unwrap();
            let found: Vec<_> = reader.get_row_iter(None).unwrap().map(|row| object(&row.unwrap())).collect();
            assert!(found == rows(&out, &format!("{file}.jsonl")), "{name} {file}");
        }
        let sums = fs::read_to_string(out.join("SHA256SUMS")).unwrap();
        assert!(sums.contains("  games.parquet\n") && sums.contains("  positions.parquet\n"), "{sums}");
        assert_eq!(verify(&out).code, Some(0));
    }
}
