//! What accounts learn, merged from several devices.

use alinea_store::{Learned, Store, Stored, backup, restore};
use protocol::{LearnedGame, PuzzleRun};
use rules::Side;
use study::skills::{Chance, Exercise, Observed, Skill, answer};

use crate::{Database, account};

const DAY: u64 = 86_400_000;

fn exercise(id: &str, at: u64) -> Exercise {
    Exercise {
        id: id.to_owned(),
        game: "tic-tac-toe:3x3x3".to_owned(),
        text: "a1\tb2\thold\t8\tdraw\t0".to_owned(),
        skill: Some(Skill::Opening),
        estimate: false,
        from: "g1".to_owned(),
        played: "a2".to_owned(),
        at,
        step: 0,
        due: 1,
        answered: None,
    }
}

fn game(id: &str, at: u64) -> LearnedGame {
    let chances = vec![Chance { ply: 1, skill: Skill::Opening, miss: None }];
    let observed = Observed { id: id.to_owned(), game: "tic-tac-toe:3x3x3".to_owned(), at, chances };
    LearnedGame { observed, you: Side::Second, moves: "a1 b2 b1 a3".to_owned(), position: None }
}

fn run(at: u64, solved: u32) -> PuzzleRun {
    PuzzleRun { game: "connect-four".to_owned(), streak: false, at, solved }
}

/// What a device that knew a version learns.
async fn news(store: &Store, account: &str, after: u64) -> (Vec<Learned>, u64) {
    let found = store.learned(account, after, 10_000).await.unwrap();
    let last = found.last().map_or(after, |&(version, _)| version);
    assert_eq!(store.learned_version(account).await.unwrap(), last);
    (found.into_iter().map(|(_, learned)| learned.unwrap()).collect(), last)
}

pub(crate) async fn two_devices_learn_the_same(database: Database) {
    let devices = [database.open().await, database.open().await];
    let ann = account(&devices[0], "ann").await;
    let learn = async |device: usize, new| devices[device].learn("u:ann", new).await.unwrap();
    let [a, b, c] = ["a", "b", "c"].map(|id| exercise(id, 5));
    let first =
        vec![Learned::Game(game("g1", 7)), Learned::Exercise(a.clone()), Learned::Exercise(b.clone())];
    assert_eq!(learn(0, first.clone()).await, Stored::All);
    let (found, one) = news(&devices[1], "u:ann", 0).await;
    assert_eq!(found, first);

    // Both answer the same exercise, the second device later and wrongly; it sends first.
    let [mut early, mut late] = [b.clone(), b.clone()];
    answer(&mut early, true, DAY + 1);
    answer(&mut late, false, DAY + 2);
    let run = Learned::Run(run(9, 12));
    let second = vec![Learned::Exercise(late.clone()), Learned::Exercise(c.clone()), run.clone()];
    assert_eq!(learn(1, second.clone()).await, Stored::All);
    let mut other = game("g1", 7);
    other.observed.chances.clear();
    learn(0, vec![Learned::Exercise(early), Learned::Game(other)]).await;
    // The first device gets back what decides: the later answer, and the review that was first.
    let (found, two) = news(&devices[0], "u:ann", one).await;
    let decided = [Learned::Exercise(c), run, Learned::Exercise(late), Learned::Game(game("g1", 7))];
    assert_eq!(found, decided);
    assert_eq!(news(&devices[1], "u:ann", 0).await.0.len(), 5);
    // What is known already changes nothing.
    learn(0, decided.to_vec()).await;
    assert_eq!(news(&devices[1], "u:ann", two).await, (Vec::new(), two));

    assert_eq!(devices[0].observed("u:ann", "tic-tac-toe").await.unwrap(), [game("g1", 7).observed]);
    assert!(devices[0].observed("u:ann", "gomoku").await.unwrap().is_empty());
    assert!(devices[0].reviewed_games("u:ann").await.unwrap().contains("g1"));
    account(&devices[0], "bob").await;
    assert!(news(&devices[0], "u:bob", 0).await.0.is_empty(), "each account has its own");

    devices[0].delete_account(&ann).await.unwrap();
    assert_eq!(learn(1, first).await, Stored::NoAccount);
    assert!(devices[0].learned("u:ann", 0, 9).await.unwrap().is_empty());
}

pub(crate) async fn devices_that_learn_at_once_lose_nothing(database: Database) {
    let devices = [database.open().await, database.open().await];
    account(&devices[0], "ann").await;
    let tasks = [0, 1, 0, 1].into_iter().enumerate().map(|(task, device)| {
        let store = devices[device].clone();
        tokio::spawn(async move {
            for number in 0..5 {
                let one = exercise(&format!("{task}-{number}"), number);
                assert_eq!(store.learn("u:ann", vec![Learned::Exercise(one)]).await.unwrap(), Stored::All);
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let versions: Vec<_> = devices[1].learned("u:ann", 0, 99).await.unwrap().iter().map(|it| it.0).collect();
    assert_eq!(versions, (1..=20).collect::<Vec<_>>());
}

pub(crate) async fn old_games_are_forgotten_and_exercises_never(database: Database) {
    let store = database.open().await;
    account(&store, "ann").await;
    let games = (0..1_003).map(|at| Learned::Game(game(&format!("g{at}"), at))).collect();
    assert_eq!(store.learn("u:ann", games).await.unwrap(), Stored::All);
    let kept = store.reviewed_games("u:ann").await.unwrap();
    assert_eq!(kept.len(), 1_000);
    assert!(!kept.contains("g2") && kept.contains("g3"));
    for part in 0..5 {
        let exercises = (0..1_000).map(|n| Learned::Exercise(exercise(&format!("{part}-{n}"), 1)));
        assert_eq!(store.learn("u:ann", exercises.collect()).await.unwrap(), Stored::All);
    }
    let [more, known] =
        [exercise("more", 1), Exercise { step: 1, answered: Some(3), ..exercise("4-999", 1) }];
    let new = vec![Learned::Exercise(more), Learned::Exercise(known.clone())];
    assert_eq!(store.learn("u:ann", new).await.unwrap(), Stored::Full);
    let found = store.learned("u:ann", 0, 10_000).await.unwrap();
    assert_eq!(found.len(), 6_000);
    assert_eq!(found.last().unwrap().1, Some(Learned::Exercise(known)), "answers count");
}

const VERSION_0_2: &str = include_str!("../fixtures/version_0_2.jsonl");

pub(crate) async fn an_account_of_version_0_2_learns_and_is_backed_up(database: Database) {
    let local = tokio::task::LocalSet::new();
    local.run_until(async { restore(&database.url, &mut VERSION_0_2.as_bytes()).await.unwrap() }).await;
    let store = database.open().await;
    let anna = store.account_by_name("Anna").await.unwrap().unwrap().id;
    assert_eq!(news(&store, &anna, 0).await, (Vec::new(), 0));
    store.learn(&anna, vec![Learned::Exercise(exercise("a", 5))]).await.unwrap();
    let mut file = Vec::new();
    local.run_until(async { backup(&database.url, &mut file).await.unwrap() }).await;
    store.close().await;
    let copy = Database::sqlite();
    local.run_until(async { restore(&copy.url, &mut file.as_slice()).await.unwrap() }).await;
    let copy = copy.open().await;
    assert_eq!(news(&copy, &anna, 0).await, (vec![Learned::Exercise(exercise("a", 5))], 1));
}
