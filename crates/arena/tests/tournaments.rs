//! Whole tournaments in-process: every format terminates, games depend only on the seed and not on
//! concurrency, a stopped run resumes, SPRT stops a match, and all reports agree.

use std::{collections::HashSet, path::Path};

use alinea_arena::{
    Fault, Journal, Record, Report, Slot, Tournament, record,
    run::{self, End, Progress},
    sprt::Verdict,
};
use players::Stop;

fn tournament(text: &str) -> Tournament {
    Tournament::read(text, Path::new("")).unwrap()
}

fn run_all(tournament: &Tournament, played: Vec<Record>) -> (Progress, End) {
    run::run(tournament, None, played, &Stop::default(), &mut |_| {}).unwrap()
}

/// The games without their times.
fn games(records: &[Record]) -> Vec<(Slot, [String; 2], String)> {
    let mut games: Vec<_> =
        records.iter().map(|record| (record.slot, record.players.clone(), record.moves.clone())).collect();
    games.sort();
    games
}

const FOUR: &str = "game = 'connect-four'\nplayers = ['random', 'greedy', 'A=smart:1', 'B=smart:2']\nopenings = 'random:4'\n";

#[test]
fn every_format_plays_the_expected_number_of_games() {
    for (more, count) in [
        ("format = 'round-robin'\npairs = 3\n", Some(6 * 6)),
        ("format = 'gauntlet'\npairs = 2\n", Some(3 * 4)),
        ("format = 'swiss'\nrounds = 3\n", Some(3 * 2 * 2)),
        ("format = 'knockout'\n", None),
    ] {
        let tournament = tournament(&format!("{FOUR}{more}"));
        let (progress, end) = run_all(&tournament, Vec::new());
        assert_eq!(end, End::Complete);
        assert_eq!(progress.total, progress.records.len());
        match count {
            Some(count) => assert_eq!(progress.records.len(), count, "{more}"),
            None => assert!(progress.records.len() >= 6, "{more}"),
        }
        let slots: HashSet<_> = progress.records.iter().map(|record| record.slot).collect();
        assert_eq!(slots.len(), progress.records.len());
        let report = Report::new(&tournament, &progress.records, Some(end));
        assert_eq!(report.standings.len(), 4);
        let worst = report.standings.iter().position(|standing| standing.name == "random").unwrap();
        assert!(worst >= 1, "{more}: random does not win");
    }
}

#[test]
fn games_depend_on_the_seed_and_not_on_concurrency() {
    let text = format!("{FOUR}pairs = 4\nseed = 5\n");
    let one = run_all(&tournament(&text), Vec::new()).0;
    let four = run_all(&tournament(&format!("{text}concurrency = 4\n")), Vec::new()).0;
    assert_eq!(games(&one.records), games(&four.records));
    let other = run_all(&tournament(&text.replace("seed = 5", "seed = 6")), Vec::new()).0;
    assert_ne!(games(&one.records), games(&other.records));
}

#[test]
fn sides_are_exchanged_from_the_same_opening() {
    let (progress, _) = run_all(&tournament(&format!("{FOUR}pairs = 2\n")), Vec::new());
    let mut records = progress.records;
    records.sort_by_key(|record| record.slot);
    for pair in records.chunks(2) {
        let [one, two] = pair else { panic!("games come in pairs") };
        assert_eq!(one.players[0], two.players[1]);
        assert_eq!(one.players[1], two.players[0]);
        let opening = |record: &Record| {
            record.moves.split(' ').take(record.opening).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!((opening(one), one.opening), (opening(two), 4));
    }
}

#[test]
fn a_stopped_tournament_resumes_without_losing_or_repeating_a_game() {
    for format in ["round-robin", "swiss", "knockout"] {
        let tournament = tournament(&format!("{FOUR}format = '{format}'\npairs = 5\nconcurrency = 2\n"));
        let whole = games(&run_all(&tournament, Vec::new()).0.records);
        let mut played = Vec::new();
        let mut stops = 0;
        loop {
            let stop = Stop::default();
            let before = played.len();
            let (progress, end) = run::run(&tournament, None, played, &stop, &mut |progress| {
                if progress.records.len() >= before + 7 {
                    stop.cancel();
                }
            })
            .unwrap();
            played = progress.records;
            if end == End::Complete {
                break;
            }
            stops += 1;
        }
        assert!(stops > 0, "{format}");
        assert_eq!(games(&played), whole, "{format}");
    }
}

#[test]
fn sprt_stops_a_match_as_soon_as_it_is_decided() {
    let text = "game = 'connect-four'\npairs = 5000\nopenings = 'random:4'\nconcurrency = 2\n";
    let sprt = "[sprt]\nelo0 = 0\nelo1 = 50\n";
    for (players, verdict) in
        [("['smart:3', 'random']", Verdict::Accepted), ("['random', 'smart:3']", Verdict::Rejected)]
    {
        let tournament = tournament(&format!("{text}players = {players}\n{sprt}"));
        let (progress, end) = run_all(&tournament, Vec::new());
        assert_eq!(end, End::Decided(verdict));
        assert!(progress.records.len() < 2000, "{}", progress.records.len());
        // Run again, it plays no more games.
        let again = run_all(&tournament, progress.records.clone());
        assert_eq!(again.0.records.len(), progress.records.len());
        let report = Report::new(&tournament, &progress.records, Some(end)).markdown();
        assert!(report.contains("SPRT(0, 50)") && report.contains("2.94: stronger by"), "{report}");
    }
}

#[test]
fn a_crashing_engine_forfeits_and_the_tournament_continues() {
    let script = "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
                  go) exit 7;; quit) exit;; esac; done";
    let text = format!(
        "game = 'connect-four'\nplayers = ['random', 'greedy', \"Bad=external:sh -c '{script}'\"]\npairs = 2\n\
         concurrency = 2\n"
    );
    let tournament = tournament(&text);
    let (progress, end) = run_all(&tournament, Vec::new());
    assert_eq!((progress.records.len(), end.clone()), (12, End::Complete));
    let report = Report::new(&tournament, &progress.records, Some(end));
    let bad = report.standings.last().unwrap();
    assert_eq!((bad.name.as_str(), bad.forfeits, bad.all.losses), ("Bad", 8, 8));
    assert!(bad.usage.is_some());
    for text in [report.markdown(), report.html()] {
        assert!(text.contains("crashed: exit code 7"), "{text}");
    }
    // Each forfeit leads to its game.
    assert_eq!(report.html().matches("<li><a href=\"#game-").count(), 8);
}

#[test]
fn what_players_say_of_their_moves_is_kept() {
    let script = "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
                  position) p=$rest;; go) echo info depth 3 score mate -2 nodes 77; echo bestmove ${p##* };; \
                  quit) exit;; esac; done";
    let text = format!(
        "game = 'connect-four'\nplayers = ['random', \"Told=external:sh -c '{script}'\", 'smart:3']\n\
         openings = 'random:2'\n[limits]\nmovetime_ms = 60000\n"
    );
    let tournament = tournament(&text);
    let (progress, end) = run_all(&tournament, Vec::new());
    let report = Report::new(&tournament, &progress.records, Some(end));
    for record in &report.games {
        for (ply, said) in record.evaluations.iter().enumerate() {
            let player = record.players[ply % 2].as_str();
            let has_search = (said.score.is_some() || said.mate.is_some()) && said.depth.is_some();
            assert_eq!(has_search, ply >= record.opening && player != "random", "{player}: {said}");
            if player == "Told" && has_search {
                assert_eq!((said.mate, said.depth, said.nodes), (Some(-2), Some(3), Some(77)));
            }
        }
        let told = record.players.iter().any(|player| player == "Told") && record.moves.len() > 5;
        assert!(!told || record.to_text("").contains("{-M2/3 0."), "{}", record.to_text(""));
    }
    let read = record::read(&report.game_text()).unwrap();
    for (read, record) in read.iter().zip(&report.games) {
        assert_eq!(record::evaluations(read), record.evaluations);
    }
    assert!(report.html().contains("\"said\":[\"\",\"\",\"-M2/3 "), "{}", report.html());
}

#[test]
fn a_knockout_has_a_bracket() {
    let tournament = tournament(&format!("{FOUR}format = 'knockout'\n"));
    let (progress, end) = run_all(&tournament, Vec::new());
    let report = Report::new(&tournament, &progress.records, Some(end));
    let stages: Vec<_> = report.bracket.iter().map(Vec::len).collect();
    assert_eq!(stages, [2, 1]);
    let winner = &report.standings[0];
    assert_eq!(report.bracket[1][0].winner, Some(winner.player));
    let played: usize = report.bracket.iter().flatten().map(|it| it.half_points[0] + it.half_points[1]).sum();
    assert_eq!(played, 2 * report.games.len());
    let (markdown, html) = (report.markdown(), report.html());
    assert!(markdown.contains("| semi-finals | final |\n| --- | --- |\n"), "{markdown}");
    assert_eq!(markdown.matches(&format!("**{}**", winner.name)).count(), 2, "{markdown}");
    assert!(html.contains("<td rowspan=\"2\">"), "{html}");
    assert!(!run_all_against_all().contains("rowspan"));
}

/// The page of a round robin.
fn run_all_against_all() -> String {
    let tournament = tournament(FOUR);
    let (progress, end) = run_all(&tournament, Vec::new());
    Report::new(&tournament, &progress.records, Some(end)).html()
}

/// The plot of the ratings is as wide as the window: all lengths are percentages.
#[test]
fn the_plot_of_ratings_fits_narrow_windows() {
    let html = run_all_against_all();
    let plot = html.split("class=\"plot\"").nth(1).unwrap().split("</table>").next().unwrap();
    for place in [" x=\"", " x1=\"", " x2=\"", " cx=\""] {
        for value in plot.split(place).skip(1) {
            let (value, _) = value.split_once('"').unwrap();
            let percent: f64 = value.strip_suffix('%').unwrap().parse().unwrap();
            assert!((0.0..=100.0).contains(&percent), "{value}");
        }
    }
    assert!(!plot.contains("width"), "{plot}");
}

#[test]
fn games_are_adjudicated_on_request() {
    let text = format!("{FOUR}pairs = 2\nconcurrency = 2\n[adjudication]\nexact = 6\nmax_plies = 30\n");
    let (plain, judged) = (tournament(&format!("{FOUR}pairs = 2\n")), tournament(&text));
    // It is another tournament for the journal; without rules it is the one it always was.
    assert_ne!(plain.identity(), judged.identity());
    assert!(!plain.identity().to_string().contains("adjudication"));
    let (whole, (progress, end)) = (run_all(&plain, Vec::new()).0, run_all(&judged, Vec::new()));
    let mut ended_early = 0;
    for record in &progress.records {
        let same = whole.records.iter().find(|other| other.slot == record.slot).unwrap();
        assert!(same.moves.starts_with(&record.moves), "{} of {}", record.moves, same.moves);
        assert_eq!(record.adjudicated.is_some(), record.game().unwrap().outcome().is_none());
        ended_early += usize::from(record.adjudicated.is_some());
    }
    assert!(ended_early > 0);
    let report = Report::new(&judged, &progress.records, Some(end));
    let sentence = format!("{ended_early} of the 24 games were adjudicated: ");
    for text in [report.markdown(), report.html()] {
        assert!(text.contains(&sentence) && text.contains("at most 6 plies are left"), "{text}");
    }
    let read = record::read(&report.game_text()).unwrap();
    let told = |read: &&record::Read| {
        read.termination.as_ref().is_some_and(|reason| reason.starts_with("adjudicated: "))
    };
    assert_eq!(read.iter().filter(told).count(), ended_early);
    assert!(read.iter().zip(&report.games).all(|(read, record)| read.result == Some(record.result)));
    // A smart player sees that it loses or wins, and gives up.
    let text = format!("{FOUR}[adjudication]\nresign = {{ score = 1000, moves = 1 }}\n");
    let (progress, _) = run_all(&tournament(&text), Vec::new());
    let resigned: Vec<_> = progress.records.iter().filter(|record| record.adjudicated.is_some()).collect();
    assert!(!resigned.is_empty());
    for record in resigned {
        let last = record.evaluations.last().unwrap();
        assert!(last.score <= Some(-1000), "{last}");
        let loser = record.result.winner().unwrap().other();
        assert_eq!(
            record.moves.split(' ').count() % 2 == 1,
            loser == rules::Side::First,
            "the loser moved last"
        );
    }
}

#[test]
fn impossible_adjudications_are_rejected() {
    for (more, sentence) in [
        ("exact = 6", "the results of gomoku:15x15x5 cannot be proved"),
        ("exact = 0", "exact must be from 1 to"),
        ("resign = { score = 9 }", "missing field `moves`"),
        ("draw = { score = 9, moves = 0 }", "moves of draw must be from 1 to"),
    ] {
        let text = format!("game = 'gomoku'\nplayers = ['random', 'greedy']\n[adjudication]\n{more}\n");
        let text = text.replace("'greedy'", "'R=random'");
        let error = Tournament::read(&text, Path::new("")).unwrap_err().to_string();
        assert!(error.contains(sentence), "{more}: {error}");
    }
}

#[test]
fn all_report_formats_agree() {
    let text = format!("name = 'Cup <of> \"tests\" | 1'\n{FOUR}pairs = 2\n");
    let tournament = tournament(&text);
    let (progress, end) = run_all(&tournament, Vec::new());
    let report = Report::new(&tournament, &progress.records, Some(end));

    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(json["games"].as_array().unwrap().len(), 24);
    assert_eq!(json["standings"][0]["rank"], 1);

    let tsv = report.tsv();
    let columns: HashSet<_> = tsv.lines().map(|line| line.split('\t').count()).collect();
    assert_eq!((tsv.lines().count(), columns.len()), (5, 1));

    let markdown = report.markdown();
    assert!(markdown.starts_with("# Cup \\<of> \"tests\" \\| 1\n"), "{markdown}");
    assert!(report.standings.iter().all(|standing| markdown.contains(&standing.name)));
    for text in [&markdown, &report.html()] {
        for told in ["round robin; 2 pairs of games", "4 random moves", "Sonneborn–Berger", "for a win"] {
            assert!(text.contains(told), "{told}: {text}");
        }
    }

    let pgn = report.pgn();
    assert_eq!(pgn.matches("[Event \"Cup <of> \\\"tests\\\" | 1\"]").count(), 24, "{pgn}");
    for standing in &report.standings {
        let (as_first, as_second) =
            (format!("[White \"{}\"]", standing.name), format!("[Black \"{}\"]", standing.name));
        let won = |game: &&str| {
            game.contains(&as_first) && game.ends_with("1-0")
                || game.contains(&as_second) && game.ends_with("0-1")
        };
        let games: Vec<_> = pgn.split("[Event ").map(str::trim_end).collect();
        assert_eq!(games.iter().filter(|game| won(game)).count(), standing.all.wins as usize);
    }

    let html = report.html();
    assert!(html.contains("<svg") && html.contains("Cup &lt;of&gt;"));
    assert!(!html.contains("http"), "the page is self-contained");
    let games = html.split("id=\"games\">").nth(1).unwrap().split("</script>").next().unwrap();
    let games: serde_json::Value = serde_json::from_str(games).unwrap();
    for (game, record) in games.as_array().unwrap().iter().zip(&report.games) {
        assert_eq!(game["start"], serde_json::json!([]));
        let steps: Vec<_> = game["moves"].as_array().unwrap().iter().map(|step| step[0].clone()).collect();
        assert_eq!(steps, record.moves.split(' ').collect::<Vec<_>>());
        assert!(game["moves"].as_array().unwrap().iter().all(|step| step.as_array().unwrap().len() == 2));
    }

    let read = record::read(&report.game_text()).unwrap();
    assert_eq!(read.len(), 24);
    for (read, record) in read.iter().zip(&report.games) {
        assert_eq!(read.game.moves().join(" "), record.moves);
        assert_eq!(read.game.outcome(), Some(record.result));
    }
}

#[test]
fn a_lottery_board_is_played() {
    let text = "game = 'lottery:2,7,9,30,41'\nplayers = ['random', 'oizys:1']\npairs = 1\n";
    let tournament = tournament(text);
    assert_eq!(tournament.spec.to_string(), "simplexity:7x9x4:15+16");
    // Generous limits: only the board matters here, and the machine may be busy.
    let long_timeout = Tournament {
        settings: {
            let mut settings = tournament.settings.clone();
            settings.limits.margin_ms = 60_000;
            settings
        },
        ..tournament
    };
    assert_eq!(run_all(&long_timeout, Vec::new()).1, End::Complete);
}

/// Built-in players move in time, even if they would search for minutes.
#[test]
fn built_in_players_respect_the_time_limit() {
    let text = "game = 'connect-four:5x6'\nplayers = ['engine', 'perfect', 'greedy']\n\
                openings = 'random:2'\n[limits]\nmovetime_ms = 30\nmargin_ms = 5000\n";
    let (progress, end) = run_all(&tournament(text), Vec::new());
    assert_eq!(end, End::Complete);
    let report = Report::new(&tournament(text), &progress.records, Some(end));
    let forfeits =
        |name: &str| report.standings.iter().find(|standing| standing.name == name).unwrap().forfeits;
    assert_eq!(["engine", "perfect", "greedy"].map(forfeits), [0, 0, 0]);

    let text = "game = 'simplexity'\nplayers = ['Slow=oizys:20', 'random']\n[limits]\nmovetime_ms = 20\nmargin_ms = 5000\n";
    let (progress, end) = run_all(&tournament(text), Vec::new());
    assert_eq!(end, End::Complete);
    let report = Report::new(&tournament(text), &progress.records, Some(end));
    let slow = report.standings.iter().find(|standing| standing.name == "Slow").unwrap();
    assert_eq!(slow.forfeits, 0);
}

/// A journal written by version 0.2, which opened with four random moves by default.
const OLD_JOURNAL: &str = include_str!("golden/journal-0.2.jsonl");
const OLD_SETTINGS: &str =
    "game = 'connect-four'\nplayers = ['greedy', 'random', 'Smart=smart:1']\npairs = 2\nseed = 5\n";

#[test]
fn a_tournament_of_version_0_2_resumes_with_its_own_openings() {
    let path = std::env::temp_dir().join(format!("alinea-journal-0.2-{}", std::process::id()));
    let whole: Vec<Record> =
        OLD_JOURNAL.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    for played in [0, 1, 5] {
        let lines: Vec<_> = OLD_JOURNAL.lines().take(1 + played).collect();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        let mut tournament = tournament(OLD_SETTINGS);
        assert!(Journal::open(&path, &tournament.identity()).is_err(), "the default is another one now");
        tournament.resume_openings(&Journal::identity(&path).unwrap());
        let (mut journal, records) = Journal::open(&path, &tournament.identity()).unwrap();
        assert_eq!(records.len(), played);
        let stop = Stop::default();
        let (progress, end) = run::run(&tournament, Some(&mut journal), records, &stop, &mut |_| {}).unwrap();
        assert_eq!((end, games(&progress.records)), (End::Complete, games(&whole)));
    }
    // Openings that the settings choose are not replaced.
    for chosen in ["empty", "balanced"] {
        let mut tournament = tournament(&format!("{OLD_SETTINGS}openings = '{chosen}'\n"));
        tournament.resume_openings(&Journal::identity(&path).unwrap());
        assert!(Journal::open(&path, &tournament.identity()).is_err(), "{chosen}");
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn balanced_openings_are_the_default_where_there_are_some() {
    let moves = |tournament: &Tournament, number| {
        let game = tournament.openings.game(tournament.spec, number, tournament.settings.seed);
        game.moves().join(" ")
    };
    let text =
        |seed| format!("game = 'connect-four'\nplayers = ['random', 'greedy']\npairs = 20\nseed = {seed}\n");
    let [one, other] = [1, 2].map(|seed| tournament(&text(seed)));
    assert_eq!(one.settings.openings.as_deref(), Some("balanced"));
    assert_eq!((0..20).map(|number| moves(&one, number)).collect::<HashSet<_>>().len(), 20);
    assert_ne!(moves(&one, 0), moves(&other, 0));
    // A later version may have other openings: the journal keeps those of the match, which are all that it needs.
    let identity = one.identity().to_string();
    assert_eq!(one.identity()["openings"].as_array().unwrap().len(), 20);
    let begun = identity.replace(&format!("\"{}\"", moves(&one, 3)), "\"1 2 3 4\"");
    let mut resumed = tournament(&text(1));
    resumed.resume_openings(&begun);
    assert_eq!((moves(&resumed, 3).as_str(), moves(&resumed, 4)), ("1 2 3 4", moves(&one, 4)));
    assert_eq!(resumed.identity().to_string(), begun);
    // Other boards open at random, and the report says so.
    let wide = tournament("game = 'connect-four:6x9x4'\nplayers = ['random', 'greedy']\n");
    assert_eq!(wide.settings.openings.as_deref(), Some("random:4"));
    let report = Report::new(&wide, &[], None).markdown();
    assert!(
        report.contains("4 random moves; there are no balanced openings for connect-four:6x9x4"),
        "{report}"
    );
    let chosen = tournament("game = 'connect-four'\nplayers = ['random', 'greedy']\nopenings = 'random:4'\n");
    assert!(Report::new(&chosen, &[], None).markdown().contains("- Openings: 4 random moves\n"));
}

/// Ctrl-C can end an engine, too: the run was interrupted, and no engine is at fault.
#[test]
fn an_engine_that_ends_with_the_run_is_not_at_fault() {
    let tournament = tournament("game = 'connect-four'\nplayers = ['random', 'greedy']\npairs = 1\n");
    let mut failed = run_all(&tournament, Vec::new()).0.records;
    for record in &mut failed {
        record.played.forfeit = Some(Fault::NoStart { reason: "interrupted".to_owned() });
    }
    let end = |is_interrupted: bool| {
        let stop = Stop::default();
        let mut play = |_, finish: &mut dyn FnMut(Vec<Record>) -> bool| {
            if is_interrupted {
                stop.cancel();
            }
            finish(failed.clone());
        };
        run::run_by(&mut play, &tournament, None, Vec::new(), &stop, &mut |_| {}).unwrap().1
    };
    assert_eq!(end(true), End::Stopped);
    assert!(matches!(end(false), End::NotStarted { .. }));
}
