//! The tables of a run: people and programs, with and without clocks and ratings, one game after another.

use std::sync::Arc;

use protocol::{Clock, Occupant, Settings};
use rules::Side;
use store::TableKey;
use table::Principal;

use super::{player::Player, world::World};
use crate::table::new_row;

/// Small boards end often, the large one hardly ever.
const GAMES: [&str; 3] = ["tic-tac-toe", "connect-four", "gomoku:9x9x5"];

pub(super) fn account(name: &str) -> Arc<Principal> {
    let id = format!("u:{name}");
    Arc::new(Principal { ids: vec![id.clone()], name: name.to_owned(), account: Some(id), bot: false })
}

/// Plays one game after another.
pub(super) async fn play(world: Arc<World>, number: u64) {
    for game in 0.. {
        play_one(&world, number * 1_000 + game).await;
    }
}

async fn play_one(world: &Arc<World>, number: u64) {
    let mut random = world.fork_random();
    let (ann, ben) = (account("ann"), account("ben"));
    let is_against_program = random.u8(..) < 70;
    let is_timed = random.bool();
    let rated = !is_against_program && random.bool();
    let clock = if is_timed {
        Clock::Game { initial_ms: random.u64(3_000..=20_000), increment_ms: random.u64(0..=1_000) }
    } else {
        Clock::None
    };
    let settings = Settings {
        game: GAMES[random.usize(0..GAMES.len())].to_owned(),
        position: None,
        clock,
        rated,
        take_back: false,
        listed: false,
        invited: None,
        tournament: None,
        bots: false,
        unverified: false,
    };
    let start = table::start_game(&settings.game, None).expect("a game of the table");
    let opponent = if is_against_program {
        Occupant::Program { name: "random".to_owned(), rating: None }
    } else {
        ben.occupant(None)
    };
    let seats = [ann.occupant(None), opponent];
    let (mut row, event) = new_row(&settings, &seats, ann.id(), None, world.now_ms());
    // A key of its own choice would not be the same in the next run.
    row.key = TableKey { id: format!("table{number}"), number };
    world
        .with(|state| state.database.create_table(None, &row, vec![event]))
        .expect("the number of a table is used once");

    // Some players stop moving, so that flags have to fall.
    let mut moves_until = || match random.u8(..) < 40 && is_timed {
        true => random.usize(2..12),
        false => usize::MAX,
    };
    let mut player = |principal: Arc<Principal>, side: Option<Side>| {
        Player::new(world, &row.key.id, principal, side, start.clone(), moves_until()).run()
    };
    let first = player(ann, Some(Side::First));
    let second = (!is_against_program).then(|| player(ben, Some(Side::Second)));
    let spectator = player(account("eve"), None);
    tokio::join!(first, spectator, async {
        if let Some(second) = second {
            second.await;
        }
    });
}
