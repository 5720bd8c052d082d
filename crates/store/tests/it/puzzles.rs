//! Ratings against puzzles.

use alinea_store::Decided;
use study::glicko::Rating;

use crate::{Database, account};

fn decided(account: &str, number: u64, solved: bool) -> Decided<'_> {
    Decided { account, game: "connect-four", number, solved }
}

pub(crate) async fn a_puzzle_is_rated_exactly_once(database: Database) {
    let stores = [database.open().await, database.open().await];
    let ann = account(&stores[0], "ann").await;
    account(&stores[0], "bob").await;
    let puzzle = Rating::fixed(1500.0);
    // Four attempts at the same puzzle from two stores.
    let attempts = [0, 1, 0, 1].map(|index| {
        let store = stores[index].clone();
        tokio::spawn(async move {
            store.decide_puzzle(decided("u:ann", 54, true), |before| before.after_game(puzzle, 1.0)).await
        })
    });
    let mut changes = Vec::new();
    for attempt in attempts {
        changes.extend(attempt.await.unwrap().unwrap());
    }
    let [change] = changes.as_slice() else { panic!("{changes:?}") };
    assert!(change.before == 1500.0 && change.after > 1600.0 && change.deviation < 350.0);
    assert_eq!(stores[1].puzzle_rating("u:ann", "connect-four").await.unwrap().rating, change.after);
    assert_eq!(stores[1].puzzle_rating("u:bob", "connect-four").await.unwrap(), Rating::default());

    let missed = |before: Rating| before.after_game(puzzle, 0.0);
    let second = stores[0].decide_puzzle(decided("u:ann", 7, false), missed).await.unwrap().unwrap();
    assert!(second.before == change.after && second.after < change.after);
    let ratings = stores[0].puzzle_ratings("u:ann").await.unwrap();
    assert_eq!((ratings.len(), ratings[0].puzzles, ratings[0].rating), (1, 2, second.after));
    let tried = stores[0].puzzles_tried("u:ann").await.unwrap();
    let tried: Vec<_> = tried.iter().map(|it| (it.game.as_str(), it.number, it.solved)).collect();
    assert!(
        tried.contains(&("connect-four", 54, true)) && tried.contains(&("connect-four", 7, false)),
        "{tried:?}"
    );
    let mut numbers = stores[0].puzzle_numbers_tried("u:ann", "connect-four").await.unwrap();
    numbers.sort_unstable();
    assert_eq!(numbers, [7, 54]);
    assert!(stores[0].puzzle_numbers_tried("u:ann", "gomoku").await.unwrap().is_empty());

    stores[0].delete_account(&ann).await.unwrap();
    assert!(stores[0].puzzle_ratings("u:ann").await.unwrap().is_empty());
    assert!(stores[0].puzzles_tried("u:ann").await.unwrap().is_empty());
}
