//! Ratings as a fold over results: whatever is voided and restored, in whatever order nodes rate, the stored ratings are
//! those that follow from the stored results.

use std::collections::{BTreeMap, HashMap};

use alinea_store::{
    Clock, Rated, RatedPlayer, RatedResult, ResultsOf, Revision, Store, StoreError, TableFilter, backup,
    restore,
};
use protocol::{ClockKind, Event};
use rules::Side;
use study::glicko::Rating;
use study::ratings::{SERIES_MS, Standing, rate, weight};

use crate::{Database, account, create_table, end_of_game, ended, key, row};

const GAME: &str = "connect-four";
const KIND: ClockKind = ClockKind::Fast;

fn rated(first: RatedPlayer, second: RatedPlayer) -> Rated {
    Rated { first, second, game: GAME.into(), clock_kind: KIND, tournament: None }
}

fn player(id: &str) -> RatedPlayer {
    RatedPlayer::Account(format!("u:{id}"))
}

/// Plays a rated game; returns the changes of ratings as in the log.
async fn play(store: &Store, table: &str, rated: Rated, winner: Option<Side>, at: u64) -> Event {
    create_table(store, &row(table)).await;
    loop {
        let change = end_of_game(winner, Some(rated.clone()));
        match store.append(&key(table), 1, at, vec![ended(winner)], Some(change)).await {
            Ok(mut log) => return log.remove(0).event,
            // SQLite has one writer, who may be busy for a while.
            Err(error) => assert!(error.is_outage() && error != StoreError::Conflict, "{error:?}"),
        }
    }
}

/// All results in the order of their list.
async fn all_results(store: &Store) -> Vec<RatedResult> {
    let mut results = store.results(None, 100_000).await.unwrap();
    results.sort_by_key(|result| (result.rated.clock_kind.name(), result.number));
    results
}

/// The ratings of each account after its results.
type History = BTreeMap<String, Vec<(String, f64)>>;

/// The standings that follow from results, with the ratings after each of them: the whole fold, without a database.
fn fold(
    results: &[RatedResult],
    starts: &HashMap<String, Standing>,
) -> (BTreeMap<String, Standing>, History) {
    let mut now: BTreeMap<String, Standing> = BTreeMap::new();
    let mut history = History::new();
    let counting: Vec<_> = results.iter().filter(|result| result.voided == 0).collect();
    for (index, result) in counting.iter().enumerate() {
        let Rated { first, second, .. } = &result.rated;
        let pair = |other: &&&RatedResult| {
            let Rated { first: one, second: two, .. } = &other.rated;
            let is_same = (one, two) == (first, second) || (two, one) == (first, second);
            is_same && other.at > result.at.saturating_sub(SERIES_MS)
        };
        let weight = match (first, second) {
            (RatedPlayer::Account(_), RatedPlayer::Account(_)) => {
                weight(counting[..index].iter().filter(pair).count() as u64)
            }
            _ => 1.0,
        };
        let before = [first, second].map(|player| match player {
            RatedPlayer::Account(id) => {
                let start = || starts.get(id).copied().unwrap_or(Standing::new(result.at));
                Ok(now.get(id).copied().unwrap_or_else(start))
            }
            RatedPlayer::Fixed(rating) => Err(Rating::fixed(*rating)),
        });
        let ratings = before.map(|it| it.map_or_else(|fixed| fixed, |it| it.rating_at(result.at)));
        let score = [0.5, 1.0, 0.0][result.winner.map_or(0, |side| 1 + side.index())];
        let after = rate(ratings, score, weight);
        for (index, player) in [first, second].into_iter().enumerate() {
            if let (RatedPlayer::Account(id), Ok(before)) = (player, before[index]) {
                let games = before.games + 1;
                now.insert(id.clone(), Standing { rating: after[index], games, at: result.at });
                let point = (result.table.clone(), after[index].rating);
                history.entry(id.clone()).or_default().push(point);
            }
        }
    }
    (now, history)
}

/// Checks that the stored ratings follow from the stored results.
async fn check(store: &Store, accounts: &[String], starts: &HashMap<String, Standing>) {
    let results = all_results(store).await;
    let (standings, history) = fold(&results, starts);
    for id in accounts {
        // Numbers in backups are exact to fifteen digits.
        let micro = |rating: f64| (rating * 1e6).round();
        let expected = standings.get(id).or(starts.get(id)).map(|it| (micro(it.rating.rating), it.games));
        let stored = store.ratings(id).await.unwrap();
        let stored: Vec<_> = stored.iter().map(|line| (micro(line.rating), line.games)).collect();
        assert_eq!(stored, expected.into_iter().collect::<Vec<_>>(), "{id}");
        let points = store.rating_history(id, GAME, KIND).await.unwrap();
        let points: Vec<_> =
            points.into_iter().map(|point| (point.table.unwrap(), micro(point.rating))).collect();
        let expected = history.get(id).cloned().unwrap_or_default();
        let expected: Vec<_> = expected.into_iter().map(|(table, rating)| (table, micro(rating))).collect();
        let old = points.len() - expected.len();
        assert_eq!(points[old..], expected, "{id}");
        assert!(old == 0 || starts.contains_key(id), "{id} has {old} games of version 0.2");
    }
}

pub(crate) async fn ratings_follow_from_results_whatever_is_voided(database: Database) {
    let mut rng = fastrand::Rng::with_seed(20_261_119);
    let store = database.open().await;
    let accounts: Vec<_> = (0..6).map(|number| format!("u:{number}")).collect();
    let mut at = 1_800_000_000_000;
    let mut tables = 0;
    for step in 0..150 {
        at += [60_000, SERIES_MS / 3, 30 * SERIES_MS][rng.usize(..3)];
        let which = rng.usize(..tables.max(1)).to_string();
        let (person, tournament) = (rng.choice(&accounts).unwrap(), format!("cup{}", rng.u8(..4)));
        match rng.u8(..10) {
            0 => drop(store.revise_results(ResultsOf::Table(&which), true).await.unwrap()),
            1 => drop(store.revise_results(ResultsOf::Account(person), rng.bool()).await.unwrap()),
            2 => drop(store.revise_results(ResultsOf::Tournament(&tournament), rng.bool()).await.unwrap()),
            3 => drop(store.revise_results(ResultsOf::Table(&which), false).await.unwrap()),
            _ => {
                let mut pick = || RatedPlayer::Account(rng.choice(&accounts).unwrap().clone());
                let (first, mut second) = (pick(), pick());
                if first == second {
                    second = RatedPlayer::Fixed(1_700.0);
                }
                let tournament = rng.bool().then_some(tournament);
                let game = Rated { tournament, ..rated(first, second) };
                let winner = [None, Some(Side::First), Some(Side::Second)][rng.usize(..3)];
                play(&store, &tables.to_string(), game, winner, at).await;
                tables += 1;
            }
        }
        if step % 10 == 9 {
            check(&store, &accounts, &HashMap::new()).await;
        }
    }
    assert!(tables > 50 && all_results(&store).await.iter().any(|result| result.voided > 0));
}

pub(crate) async fn a_voided_result_and_what_followed_is_undone(database: Database) {
    let store = database.open().await;
    let now = Clock::system().now_ms();
    let (ann, bob) = (player("ann"), player("bob"));
    // Ann beats Cy by fraud, then Bob beats Ann: his gain depends on her rating.
    play(&store, "t1", rated(ann.clone(), player("cy")), Some(Side::First), now).await;
    let log = play(&store, "t2", rated(ann.clone(), bob.clone()), Some(Side::Second), now + 1).await;
    let ratings = async |id: &str| {
        let ratings = store.ratings(id).await.unwrap();
        ratings.iter().map(|line| (line.games, line.rating)).collect::<Vec<_>>()
    };
    let (ann_before, bob_before) = (ratings("u:ann").await, ratings("u:bob").await);

    let revision = store.revise_results(ResultsOf::Table("t1"), true).await.unwrap();
    assert_eq!(revision, Revision { results: 1, recomputed: 2 });
    assert_eq!(ratings("u:cy").await, [], "no game of his counts");
    let [(1, ann_after)] = ratings("u:ann").await[..] else { panic!() };
    let [(1, bob_after)] = ratings("u:bob").await[..] else { panic!() };
    assert!((ann_after + bob_after - 3_000.0).abs() < 1e-9, "as if only they had played");
    assert!(bob_after < bob_before[0].1, "{bob_after}");
    assert_eq!(store.events("t2", 1).await.unwrap()[0].event, log, "logs stay");
    let [voided] = &store.results(Some(ResultsOf::Table("t1")), 9).await.unwrap()[..] else { panic!() };
    assert!(voided.voided > 0 && voided.winner == Some(Side::First) && voided.number == 1);

    let again = store.revise_results(ResultsOf::Account("u:cy"), true).await.unwrap();
    assert_eq!(again, Revision::default(), "it is voided already");
    store.revise_results(ResultsOf::Account("u:cy"), false).await.unwrap();
    assert_eq!((ratings("u:ann").await, ratings("u:bob").await), (ann_before, bob_before));
    let other = store.revise_results(ResultsOf::Tournament("none"), true).await.unwrap();
    assert_eq!(other, Revision::default());
}

/// One organiser gained 370 points by 15 wins in 12 seconds.
pub(crate) async fn a_series_of_quick_games_counts_less(database: Database) {
    let store = database.open().await;
    let now = Clock::system().now_ms();
    let mut gains = Vec::new();
    for game in 0..8 {
        let players = if game % 2 == 0 { ["ann", "bob"] } else { ["bob", "ann"] };
        let [first, second] = players.map(player);
        let winner = if game % 2 == 0 { Side::First } else { Side::Second };
        let table = format!("t{game}");
        let ended = play(&store, &table, rated(first, second), Some(winner), now + game).await;
        let Event::Ended { ratings: Some(changes), .. } = ended else { panic!() };
        let change = changes[winner.index()].unwrap();
        gains.push(change.after - change.before);
    }
    assert!(gains[2] > 20.0 && gains[3] < 0.6 * gains[2] && gains[7] < 2.0, "{gains:?}");
    let next_day = now + SERIES_MS + 10;
    let ended = play(&store, "later", rated(player("ann"), player("bob")), None, next_day).await;
    let Event::Ended { ratings: Some([Some(change), _]), .. } = ended else { panic!() };
    assert!(change.before - change.after > 20.0, "a draw the day after counts in full");
    // Others are not affected, nor are games against programs.
    for game in 0..6 {
        let program = RatedPlayer::Fixed(1_500.0);
        let winner = if game % 2 == 0 { Side::First } else { Side::Second };
        let ended =
            play(&store, &format!("p{game}"), rated(player("cy"), program), Some(winner), now + game).await;
        let Event::Ended { ratings: Some([Some(change), None]), .. } = ended else { panic!() };
        assert!((change.after - change.before).abs() > 30.0, "{change:?}");
    }
}

pub(crate) async fn nodes_that_rate_and_void_at_once_agree(database: Database) {
    let stores = [database.open().await, database.open().await];
    let accounts: Vec<_> = (0..4).map(|number| format!("u:{number}")).collect();
    let work = [0, 1].map(|node| {
        let (store, accounts) = (stores[node].clone(), accounts.clone());
        tokio::spawn(async move {
            let mut rng = fastrand::Rng::with_seed(node as u64);
            for game in 0..25 {
                let [one, two] = [rng.usize(..2), rng.usize(2..4)];
                let players = [one, two].map(|index| RatedPlayer::Account(accounts[index].clone()));
                let [first, second] = players;
                let winner = [None, Some(Side::First), Some(Side::Second)][rng.usize(..3)];
                let at = 1_800_000_000_000 + game * 3_600_000;
                play(&store, &format!("{node}-{game}"), rated(first, second), winner, at).await;
                if game % 5 == 4 {
                    let person = rng.choice(&accounts).unwrap();
                    let voided = rng.bool();
                    while let Err(error) = store.revise_results(ResultsOf::Account(person), voided).await {
                        assert!(error.is_outage(), "{error:?}");
                    }
                }
            }
        })
    });
    for work in work {
        work.await.unwrap();
    }
    let results = all_results(&stores[0]).await;
    let numbers: Vec<_> = results.iter().map(|result| result.number).collect();
    assert_eq!(numbers, (1..=50).collect::<Vec<_>>());
    for store in &stores {
        check(store, &accounts, &HashMap::new()).await;
    }
}

pub(crate) async fn results_stay_when_accounts_and_tables_are_deleted(database: Database) {
    let store = database.open().await;
    let now = Clock::system().now_ms();
    let ann = account(&store, "ann").await;
    play(&store, "t1", rated(player("ann"), player("bob")), Some(Side::First), now).await;
    play(&store, "t2", rated(player("ann"), player("bob")), Some(Side::Second), now + 1).await;
    let bob = store.ratings("u:bob").await.unwrap()[0].rating;
    store.delete_account(&ann).await.unwrap();
    assert!(store.delete_table("t1").await.unwrap());
    assert_eq!(store.ratings("u:ann").await.unwrap(), []);
    assert_eq!(store.ratings("u:bob").await.unwrap()[0].rating, bob);
    let results = all_results(&store).await;
    let RatedPlayer::Account(mark) = &results[0].rated.first else { panic!() };
    assert!(mark.starts_with("d:") && results[1].rated.first == results[0].rated.first);
    let history = store.rating_history("u:bob", GAME, KIND).await.unwrap();
    assert_eq!(history.iter().map(|it| it.table.as_deref()).collect::<Vec<_>>(), [None, Some("t2")]);

    store.revise_results(ResultsOf::Table("t2"), true).await.unwrap();
    assert_eq!(store.ratings("u:bob").await.unwrap()[0].rating, history[0].rating);
    store.revise_results(ResultsOf::Table("t2"), false).await.unwrap();
    assert_eq!(store.ratings("u:bob").await.unwrap()[0].rating, bob);
}

/// A backup has all that the ratings follow from.
pub(crate) async fn results_are_in_backups(database: Database) {
    let store = database.open().await;
    let accounts = ["u:ann", "u:bob"].map(str::to_owned);
    for (table, winner) in [("t1", Some(Side::First)), ("t2", None), ("t3", Some(Side::Second))] {
        let at = Clock::system().now_ms();
        let game = Rated { tournament: Some("cup".into()), ..rated(player("ann"), player("bob")) };
        play(&store, table, game, winner, at).await;
    }
    store.revise_results(ResultsOf::Table("t2"), true).await.unwrap();
    let before = all_results(&store).await;
    store.close().await;
    let mut file = Vec::new();
    let copy = Database::sqlite();
    let local = tokio::task::LocalSet::new();
    local
        .run_until(async {
            backup(&database.url, &mut file).await.unwrap();
            restore(&copy.url, &mut file.as_slice()).await.unwrap();
        })
        .await;
    let copy = copy.open().await;
    assert_eq!(all_results(&copy).await, before);
    check(&copy, &accounts, &HashMap::new()).await;
    copy.revise_results(ResultsOf::Tournament("cup"), false).await.unwrap();
    check(&copy, &accounts, &HashMap::new()).await;
    assert_eq!(copy.ratings("u:ann").await.unwrap()[0].games, 3);
}

/// A backup that version 0.2 wrote: five rated games in a list, of which an organiser decided one without a move, a game
/// against a program, and four saved games, of which three are forged.
const VERSION_0_2: &str = include_str!("../fixtures/version_0_2.jsonl");

/// The ratings of version 0.2 by account.
fn old_ratings(game: &str) -> HashMap<String, Standing> {
    let (_, rows) = VERSION_0_2.split_once("{\"table\":\"ratings\"").unwrap();
    let rows = rows.lines().skip(1).take_while(|line| line.starts_with('['));
    let rows = rows.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let rows = rows.filter(|row| row[1] == game);
    let standing = |row: serde_json::Value| {
        let [rating, deviation, volatility] = [3, 4, 5].map(|column| row[column].as_f64().unwrap());
        let rating = Rating { rating, deviation, volatility };
        let (games, at) = (row[6].as_u64().unwrap(), row[7].as_u64().unwrap());
        (row[0].as_str().unwrap().to_owned(), Standing { rating, games, at })
    };
    rows.map(standing).collect()
}

pub(crate) async fn a_database_of_version_0_2_keeps_its_ratings(database: Database) {
    let local = tokio::task::LocalSet::new();
    local.run_until(async { restore(&database.url, &mut VERSION_0_2.as_bytes()).await.unwrap() }).await;
    let store = database.open().await;
    let starts = old_ratings("tic-tac-toe");
    assert_eq!(starts.values().map(|start| start.games).sum::<u64>(), 10);
    let mut ids = Vec::new();
    for name in ["Anna", "Bert", "Cyra"] {
        let id = store.account_by_name(name).await.unwrap().unwrap().id;
        let ratings = store.ratings(&id).await.unwrap();
        let rating = ratings.iter().find(|line| line.game == "tic-tac-toe").unwrap();
        assert_eq!((rating.rating, rating.games), (starts[&id].rating.rating, starts[&id].games));
        let history = store.rating_history(&id, "tic-tac-toe", KIND).await.unwrap();
        assert_eq!(history.len() as u64, rating.games);
        assert_eq!(history.last().unwrap().rating, rating.rating);
        ids.push(id);
    }
    assert_eq!(store.results(None, 9).await.unwrap(), []);

    // The next results begin with these ratings, and voiding them leads back to these.
    let [anna, bert, _] = [0, 1, 2].map(|index| RatedPlayer::Account(ids[index].clone()));
    let game = || Rated { game: "tic-tac-toe".into(), ..rated(anna.clone(), bert.clone()) };
    let at = starts.values().map(|start| start.at).max().unwrap();
    for (table, winner) in [("n1", Some(Side::Second)), ("n2", None)] {
        play(&store, table, game(), winner, at + 1_000).await;
    }
    let (standings, _) = fold(&all_results(&store).await, &starts);
    let stored = async |id: &str| {
        let ratings = store.ratings(id).await.unwrap();
        let line = ratings.iter().find(|line| line.game == "tic-tac-toe").unwrap();
        (line.rating, line.games)
    };
    for id in &ids[..2] {
        assert_eq!(stored(id).await, (standings[id].rating.rating, standings[id].games));
    }
    store.revise_results(ResultsOf::Account(&ids[0]), true).await.unwrap();
    for id in &ids {
        assert_eq!(stored(id).await, (starts[id].rating.rating, starts[id].games));
    }

    // Bert won no game on the server but one; the others were saved.
    let tally = store.tally(&ids[1]).await.unwrap();
    assert_eq!((tally.won, tally.drawn, tally.lost), (1, 1, 3));
    let filter = TableFilter { player: Some(ids[1].clone()), limit: 50, ..TableFilter::default() };
    let mut unverified = 0;
    for row in store.tables(&filter).await.unwrap() {
        let Event::Created { settings, .. } = &store.events(&row.key.id, 0).await.unwrap()[0].event else {
            panic!()
        };
        assert_eq!(**settings, row.settings);
        assert!(!row.settings.unverified || row.created == 1_700_000_000_000);
        unverified += u32::from(row.settings.unverified);
    }
    assert_eq!(unverified, 4);
}
