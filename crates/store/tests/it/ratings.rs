//! Ratings and rankings.

use alinea_store::{Clock, Rated, RatedPlayer, StoreError};
use protocol::{ClockKind, Event, RankingEntry, RatingChange};
use rules::Side;

use crate::{Database, account, chat, create_table, end_of_game, ended, key, row};

fn rated(first: &str, second: &str) -> Rated {
    Rated {
        first: RatedPlayer::Account(first.into()),
        second: RatedPlayer::Account(second.into()),
        game: "connect-four".into(),
        clock_kind: ClockKind::Fast,
        tournament: None,
    }
}

pub(crate) async fn a_game_is_rated_exactly_once(database: Database) {
    let stores = [database.open().await, database.open().await];
    let now = Clock::system().now_ms();
    for name in ["ann", "bob"] {
        account(&stores[0], name).await;
    }
    create_table(&stores[0], &row("t")).await;
    let winner = Some(Side::First);
    // Four attempts at the same version from two stores, and a later one at another version.
    let attempts = [0, 1, 0, 1].map(|index| {
        let store = stores[index].clone();
        tokio::spawn(async move {
            let change = end_of_game(winner, Some(rated("u:ann", "u:bob")));
            store.append(&key("t"), 1, now, vec![chat("gg"), ended(winner)], Some(change)).await
        })
    });
    let mut won = Vec::new();
    for attempt in attempts {
        match attempt.await.unwrap() {
            Ok(events) => won.push(events),
            Err(error) => assert_eq!(error, StoreError::Conflict),
        }
    }
    let [events] = won.as_slice() else { panic!("{won:?}") };
    assert_eq!(stores[1].events("t", 1).await.unwrap(), *events);
    let Event::Ended { ratings: Some([Some(ann), Some(bob)]), .. } = events[1].event else {
        panic!("{events:?}")
    };
    assert_eq!((ann.before, bob.before), (1500.0, 1500.0));
    assert!(ann.after > 1600.0 && bob.after < 1400.0 && ann.deviation < 350.0);

    let again = end_of_game(winner, Some(rated("u:ann", "u:bob")));
    let events = stores[0].append(&key("t"), 3, now, vec![ended(winner)], Some(again)).await.unwrap();
    assert!(matches!(events[0].event, Event::Ended { ratings: None, .. }));
    for (id, change) in [("u:ann", ann), ("u:bob", bob)] {
        let lines = stores[0].ratings(id).await.unwrap();
        assert_eq!((lines.len(), lines[0].games, lines[0].rating), (1, 1, change.after));
        let history = stores[0].rating_history(id, "connect-four", ClockKind::Fast).await.unwrap();
        assert_eq!(history.len(), 1);
        assert_eq!(
            (history[0].table.as_deref(), history[0].at, history[0].rating),
            (Some("t"), now, change.after)
        );
        let rating = stores[0].rating(id, "connect-four", ClockKind::Fast).await.unwrap();
        assert_eq!(rating.rating, change.after);
        let other = stores[0].rating(id, "connect-four", ClockKind::Slow).await.unwrap();
        assert_eq!(other.rating, 1500.0);
    }
}

pub(crate) async fn programs_keep_their_ratings(database: Database) {
    let store = database.open().await;
    create_table(&store, &row("t")).await;
    let game = Rated { second: RatedPlayer::Fixed(1800.0), ..rated("u:ann", "") };
    let now = Clock::system().now_ms();
    let change = end_of_game(Some(Side::First), Some(game));
    let events = store.append(&key("t"), 1, now, vec![ended(Some(Side::First))], Some(change)).await.unwrap();
    let Event::Ended { ratings: Some([Some(RatingChange { after, .. }), None]), .. } = events[0].event else {
        panic!("{events:?}")
    };
    assert!(after > 1700.0, "{after}");
    assert_eq!(store.ratings("u:ann").await.unwrap()[0].rating, after);

    let oneself = end_of_game(None, Some(rated("u:ann", "u:ann")));
    create_table(&store, &row("t2")).await;
    let events = store.append(&key("t2"), 1, now, vec![ended(None)], Some(oneself)).await.unwrap();
    assert!(matches!(events[0].event, Event::Ended { ratings: None, .. }));
}

pub(crate) async fn rankings_leave_out_uncertain_ratings(database: Database) {
    let store = database.open().await;
    for name in ["ann", "bob", "cy", "dee"] {
        account(&store, name).await;
    }
    let now = Clock::system().now_ms();
    let day = 24 * 3_600_000;
    let year = 365 * day;
    let mut table = 0;
    let mut play = async |first: &str, second: &str, winner, at| {
        table += 1;
        let id = table.to_string();
        create_table(&store, &row(&id)).await;
        let change = end_of_game(winner, Some(rated(first, second)));
        store.append(&key(&id), 1, at, vec![ended(winner)], Some(change)).await.unwrap();
    };
    // Ann and Bob play a lot, Cy did long ago, Dee is new.
    for game in 0..30 {
        play("u:ann", "u:cy", Some(Side::First), now - 3 * year + game * day).await;
    }
    for game in 0..30 {
        let winner = if game % 3 == 0 { Side::Second } else { Side::First };
        play("u:bob", "u:ann", Some(winner), now - (29 - game) * day).await;
    }
    play("u:dee", "u:ann", Some(Side::First), now).await;
    let ranking = store.ranking("connect-four", ClockKind::Fast, 10, 0).await.unwrap();
    let names: Vec<_> = ranking.iter().map(|line| (line.place, line.name.as_str())).collect();
    assert_eq!(names, [(1, "bob"), (2, "ann")], "{ranking:?}");
    assert!(ranking.iter().all(|line| line.deviation < 110.0 && line.games >= 30));
    let second = store.ranking("connect-four", ClockKind::Fast, 10, 1).await.unwrap();
    let line = |line: &RankingEntry| (line.place, line.name.clone(), line.rating);
    assert_eq!(second.iter().map(line).collect::<Vec<_>>(), [line(&ranking[1])]);
    assert_eq!(store.ranking("connect-four", ClockKind::Slow, 10, 0).await.unwrap(), []);
    let history = store.rating_history("u:cy", "connect-four", ClockKind::Fast).await.unwrap();
    assert_eq!(history.len(), 30);
}
