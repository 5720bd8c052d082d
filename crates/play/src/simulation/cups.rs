//! Tournaments of people in a run: players of whom some are absent, an organiser who decides games, removes players and
//! lets games be replayed, and an operator who voids results and restores them.

use std::{net::Ipv4Addr, sync::Arc, time::Duration};

use protocol::{
    Clock, ErrorCode, NewTournament, Ruling, TournamentCommand, TournamentEvent, TournamentFormat,
    TournamentPhase, TournamentView,
};
use rules::Side;
use table::Principal;
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use tournament::people::State;

use super::{database::NewEvents, player::Player, ratings::Selected, tables::account, world::World};

const PLAYERS: usize = 5;
/// The pause between two actions of an organiser or an operator.
const PAUSE_MS: u64 = 6_000;
const CLIENT_TIMEOUT: Duration = Duration::from_secs(7);
const RETRY_DELAY: Duration = Duration::from_millis(400);
const GAMES: [&str; 2] = ["tic-tac-toe", "connect-four"];

/// Holds one tournament after another.
pub(super) async fn hold(world: Arc<World>, number: u64) {
    for cup in 0.. {
        hold_one(&world, &format!("t{number}x{cup}")).await;
    }
}

async fn hold_one(world: &Arc<World>, id: &str) {
    let mut random = world.fork_random();
    let format = match random.u8(..4) {
        0 => TournamentFormat::Swiss { rounds: None },
        1 => TournamentFormat::Arena { minutes: 1 },
        2 => TournamentFormat::RoundRobin,
        _ => TournamentFormat::Knockout,
    };
    let game = GAMES[random.usize(..GAMES.len())];
    let settings = NewTournament {
        name: id.to_owned(),
        game: table::start_game(game, None).expect("a game of the table").spec().to_string(),
        format,
        clock: Clock::Game { initial_ms: random.u64(5_000..=20_000), increment_ms: 500 },
        rated: true,
        guests: false,
        listed: false,
        starts_at: None,
        sit_down_s: 5,
        places_per_address: PLAYERS as u32,
    };
    // The organiser plays.
    let players: Vec<_> = (0..PLAYERS).map(|player| account(&format!("{id}p{player}"))).collect();
    let organiser = players[0].clone();
    let opened = TournamentEvent::Opened { settings, organiser: organiser.occupant(None) };
    let at = world.now_ms();
    let state = State::new(at, &opened).expect("it was just opened");
    let summary = state.summary(id);
    let new =
        NewEvents { id: id.to_owned(), after: 0, at, events: vec![opened], tables: Vec::new(), summary };
    world.with(|state| state.database.append_tournament(None, new)).expect("its id is used once");
    for player in &players {
        command(world, id, player, &TournamentCommand::Enter {}).await;
    }
    command(world, id, &organiser, &TournamentCommand::Start {}).await;
    let mut playing = JoinSet::new();
    for (number, player) in players.into_iter().enumerate() {
        // Some do not come.
        let is_absent = random.u8(..10) == 0;
        playing.spawn(play(world.clone(), id.to_owned(), player, number, is_absent));
    }
    while let Some(view) = organise(world, id, &organiser, &mut random).await {
        if view.phase == TournamentPhase::Over {
            break;
        }
    }
    playing.shutdown().await;
}

/// Ends all tournaments.
pub(super) async fn end_all(world: &Arc<World>) {
    let running = world.with(|state| state.database.due_tournaments());
    for id in running {
        let organiser = account(&format!("{id}p0"));
        command(world, &id, &organiser, &TournamentCommand::End {}).await;
    }
}

/// Sends a command until a node has answered it; none if it is refused.
async fn command(
    world: &Arc<World>,
    id: &str,
    principal: &Arc<Principal>,
    command: &TournamentCommand,
) -> Option<Arc<TournamentView>> {
    loop {
        let node = world.node(world.random(0..world.servers() as u64) as usize);
        if let Some(node) = node {
            let address = Ipv4Addr::LOCALHOST.into();
            let asked = timeout(CLIENT_TIMEOUT, node.tournaments.command(principal, address, id, command));
            let answer = tokio::select! {
                biased;
                () = node.link.died() => None,
                answer = asked => answer.ok(),
            };
            match answer {
                Some(Ok(view)) => return Some(view),
                Some(Err(error)) if error.code != ErrorCode::Unavailable => return None,
                _ => {}
            }
        }
        sleep(RETRY_DELAY).await;
    }
}

/// The organiser waits a little and changes something; returns what is shown afterwards, if anything.
async fn organise(
    world: &Arc<World>,
    id: &str,
    organiser: &Arc<Principal>,
    random: &mut fastrand::Rng,
) -> Option<Arc<TournamentView>> {
    sleep(Duration::from_millis(random.u64(500..=PAUSE_MS))).await;
    let games = view(world, id).await.games.len();
    let game = random.usize(..games.max(1));
    let player = random.usize(..PLAYERS);
    let result = [Ruling::First, Ruling::Second, Ruling::Draw, Ruling::Replay][random.usize(..4)];
    let wanted = match random.u8(..20) {
        0..8 => TournamentCommand::Decide { game, result },
        8 => TournamentCommand::Remove { player },
        9 => TournamentCommand::End {},
        _ => return Some(view(world, id).await),
    };
    world.count(|figures| figures.decisions += 1);
    // A refused command changes nothing.
    command(world, id, organiser, &wanted).await;
    Some(view(world, id).await)
}

/// What a node shows of a tournament, as soon as one answers.
async fn view(world: &Arc<World>, id: &str) -> Arc<TournamentView> {
    loop {
        let node = world.node(world.random(0..world.servers() as u64) as usize);
        if let Some(node) = node {
            let asked = timeout(CLIENT_TIMEOUT, node.tournaments.view(id));
            let answer = tokio::select! {
                biased;
                () = node.link.died() => None,
                answer = asked => answer.ok(),
            };
            if let Some(Ok(view)) = answer {
                return view;
            }
        }
        sleep(RETRY_DELAY).await;
    }
}

/// A player plays the games that the tournament pairs.
async fn play(world: Arc<World>, id: String, player: Arc<Principal>, number: usize, is_absent: bool) {
    loop {
        let view = view(&world, &id).await;
        let game = view.games.iter().find(|game| game.result.is_none() && game.players.contains(&number));
        if let Some((game, table)) = game.and_then(|game| Some((game, game.table.clone()?))) {
            if is_absent {
                // Nobody waits for a move at this table.
                world.told(&table, |told| told.is_silent = true);
            } else {
                let side = Side::BOTH[usize::from(game.players[1] == number)];
                let start = table::start_game(&view.game, None).expect("a game of the table");
                Player::new(&world, &table, player.clone(), Some(side), start, usize::MAX).run().await;
            }
        }
        sleep(RETRY_DELAY).await;
    }
}

/// An operator voids results and restores them.
pub(super) async fn operate(world: Arc<World>) {
    let mut random = world.fork_random();
    loop {
        sleep(Duration::from_millis(random.u64(500..=PAUSE_MS))).await;
        world.with(|state| {
            let results: Vec<_> = state.database.ratings.tables().map(str::to_owned).collect();
            let Some(table) = random.choice(&results) else { return };
            let row = &state.database.tables[table].row;
            let account = row.seats.iter().find_map(|seat| match seat {
                protocol::Occupant::Person { id, .. } => Some(id.clone()),
                _ => None,
            });
            let of = match (random.u8(..3), account, row.settings.tournament.clone()) {
                (0, Some(account), _) => Selected::Account(account),
                (1, _, Some(tournament)) => Selected::Tournament(tournament),
                _ => Selected::Table(table.clone()),
            };
            let revised = state.database.ratings.revise(of, random.u8(..3) > 0);
            world.count(|figures| figures.revised += revised as u64);
        });
    }
}
