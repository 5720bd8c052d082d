use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// A schedule whose time passes only when a test says so.
struct Clocked {
    schedule: Schedule,
    now: Duration,
    /// The clients of the jobs, by id.
    names: HashMap<u64, String>,
}

impl Clocked {
    fn new(places: usize) -> Self {
        Self { schedule: Schedule::new(places), now: SECOND, names: HashMap::new() }
    }

    fn try_add(&mut self, client: &str, address: &str, class: Class, lane: Lane) -> Result<u64, QueueFull> {
        let owner = Owner { client: client.into(), address: address.into() };
        let id = self.schedule.add(owner, class, lane, self.now)?;
        self.names.insert(id, client.to_owned());
        Ok(id)
    }

    /// A move of a client with an address of its own, which takes long.
    fn long(&mut self, client: &str) -> u64 {
        self.try_add(client, client, Class::Opponent, Lane::Long).unwrap()
    }

    /// Starts what may run, and returns the clients in this order.
    fn start(&mut self) -> Vec<&str> {
        let ids: Vec<_> = std::iter::from_fn(|| self.schedule.start_next(self.now)).collect();
        ids.iter().map(|id| self.names[id].as_str()).collect()
    }

    /// Ends jobs, and returns whose start instead.
    fn end(&mut self, ids: &[u64]) -> Vec<&str> {
        self.now += SECOND;
        ids.iter().for_each(|id| self.schedule.remove(*id));
        self.start()
    }
}

#[test]
fn one_address_cannot_take_every_slot() {
    let mut queue = Clocked::new(2);
    for _ in 0..30 {
        queue.long("greedy");
    }
    assert_eq!(queue.start(), ["greedy", "greedy"], "as many as there are regular slots");
    queue.long("other");
    assert_eq!(queue.start(), ["other"], "a spare slot at once");
    queue.long("other");
    assert!(queue.start().is_empty(), "only one spare slot for an address");
    queue.long("third");
    assert_eq!(queue.start(), ["third"]);
}

#[test]
fn whatever_is_idle_may_be_used() {
    let mut queue = Clocked::new(3);
    for pupil in ["a", "b", "c"] {
        queue.try_add(pupil, "school", Class::Study, Lane::Study).unwrap();
    }
    assert_eq!(queue.start(), ["a", "b", "c"]);
}

#[test]
fn clients_with_the_fewest_running_jobs_are_next() {
    let mut queue = Clocked::new(2);
    let first = queue.try_add("a", "school", Class::Opponent, Lane::Long).unwrap();
    let second = queue.long("home");
    assert_eq!(queue.start().len(), 2);
    queue.try_add("a", "school", Class::Opponent, Lane::Long).unwrap();
    queue.try_add("c", "school", Class::Opponent, Lane::Long).unwrap();
    assert!(queue.start().is_empty());
    assert_eq!(queue.end(&[second]), ["c"], "of one address, the client that has nothing running");
    assert_eq!(queue.end(&[first]), ["a"]);
}

#[test]
fn among_equals_the_one_served_longest_ago_is_next() {
    let mut queue = Clocked::new(1);
    // Two addresses with a backlog, older than the job of the newcomer.
    let mut running: Vec<_> = ["a", "b"].map(|client| queue.long(client)).into();
    for client in ["a", "a", "a", "b", "b", "b"] {
        running.push(queue.long(client));
    }
    assert_eq!(queue.start(), ["a", "b"], "one in the regular slot, one in the spare slot");
    queue.now += SECOND;
    queue.long("newcomer");
    assert_eq!(queue.end(&running[..2]), ["newcomer", "a"], "who was never served goes before both backlogs");
}

#[test]
fn clients_of_an_address_take_turns() {
    let mut queue = Clocked::new(1);
    let mut ids = Vec::new();
    for client in ["a", "a", "a", "b", "c"] {
        ids.push(queue.try_add(client, "school", Class::Opponent, Lane::Long).unwrap());
    }
    let mut order = queue.start().join("");
    for id in [0, 3, 4, 1] {
        order += &queue.end(&[ids[id]]).join("");
    }
    assert_eq!(order, "abcaa");
}

#[test]
fn a_level_never_waits_for_long_searches() {
    let mut queue = Clocked::new(2);
    for address in 0..64 {
        for _ in 0..8 {
            queue.long(&address.to_string());
        }
    }
    assert_eq!(queue.start().len(), 4);
    queue.try_add("newcomer", "newcomer", Class::Opponent, Lane::Quick).unwrap();
    queue.try_add("7", "7", Class::Opponent, Lane::Quick).unwrap();
    assert_eq!(queue.start(), ["newcomer", "7"], "not even the level of one whose searches wait");
}

#[test]
fn only_levels_on_usual_boards_are_quick() {
    let lane =
        |game: &str, player| Lane::of_move(&AnyGame::from(game.parse::<rules::Spec>().unwrap()), player);
    for (game, player) in [("connect-four", "level:8"), ("gomoku", "level:1"), ("tic-tac-toe", "random")] {
        assert_eq!(lane(game, player), Lane::Quick, "{game} {player}");
    }
    for (game, player) in
        [("connect-four", "engine:10s"), ("connect-four", "smart:8"), ("connect-four:64x64x16", "level:3")]
    {
        assert_eq!(lane(game, player), Lane::Long, "{game} {player}");
    }
}

#[test]
fn a_level_that_takes_long_counts_as_a_long_search() {
    let mut queue = Clocked::new(1);
    let quick = |queue: &mut Clocked, client: &str| {
        queue.try_add(client, client, Class::Opponent, Lane::Quick).unwrap();
    };
    for client in ["a", "b", "c"] {
        quick(&mut queue, client);
    }
    assert_eq!(queue.start(), ["a", "b"]);
    queue.now += QUICK_LIMIT;
    assert_eq!(queue.start(), ["c"], "a and b hold long slots now");
    queue.long("d");
    assert!(queue.start().is_empty(), "which are therefore taken");
    for client in 0..30 {
        queue.now += QUICK_LIMIT;
        quick(&mut queue, &client.to_string());
        queue.start();
    }
    assert_eq!(queue.schedule.running(), MAX_QUICK, "the number of threads is bounded");
}

#[test]
fn opponents_of_people_have_a_head_start() {
    let mut queue = Clocked::new(1);
    let hogs = ["c", "d"].map(|client| queue.long(client));
    assert_eq!(queue.start(), ["c", "d"]);
    queue.try_add("a", "a", Class::Demo, Lane::Long).unwrap();
    let opponent = queue.long("b");
    assert_eq!(queue.end(&hogs[..1]), ["b"]);
    assert_eq!(queue.end(&[opponent]), ["a"]);
}

#[test]
fn reviews_in_the_background_let_people_go_first() {
    let mut queue = Clocked::new(1);
    let study =
        |queue: &mut Clocked, client, class| queue.try_add(client, client, class, Lane::Study).unwrap();
    let hogs = ["c", "d"].map(|client| study(&mut queue, client, Class::Study));
    assert_eq!(queue.start(), ["c", "d"]);
    study(&mut queue, "a", Class::Learn);
    queue.now += SECOND;
    let person = study(&mut queue, "b", Class::Study);
    assert_eq!(queue.end(&hogs[..1]), ["b"]);
    assert_eq!(queue.end(&[person]), ["a"]);
}

#[test]
fn games_between_programs_do_not_wait_for_ever() {
    let mut queue = Clocked::new(1);
    for client in ["a", "b"] {
        let served = queue.long(client);
        queue.start();
        queue.end(&[served]);
        queue.now += 6 * SECOND;
    }
    let hogs = ["c", "d"].map(|client| queue.long(client));
    queue.start();
    queue.try_add("a", "a", Class::Demo, Lane::Long).unwrap();
    queue.long("b");
    assert_eq!(queue.end(&hogs[..1]), ["a"], "served seven seconds before b");
}

#[test]
fn studies_are_limited_per_client_and_address() {
    let mut queue = Clocked::new(1);
    let mut study = |client: &str| queue.try_add(client, "a", Class::Study, Lane::Study);
    let mut waiting = 0;
    for client in 0..20 {
        let accepted = (0..10).filter(|_| study(&client.to_string()).is_ok()).count();
        assert!(accepted <= MAX_WAITING_OF_CLIENT);
        waiting += accepted;
    }
    assert_eq!(waiting, MAX_WAITING_OF_ADDRESS);
    assert!(queue.try_add("x", "b", Class::Study, Lane::Study).is_ok(), "another address");
    for _ in 0..100 {
        assert!(queue.try_add("0", "a", Class::Opponent, Lane::Long).is_ok(), "moves always wait");
    }
}

#[test]
fn a_study_yields_when_others_wait() {
    let mut queue = Clocked::new(1);
    let study = |queue: &mut Clocked, n: u32| {
        queue.try_add(&n.to_string(), &n.to_string(), Class::Study, Lane::Study).unwrap()
    };
    let running = [study(&mut queue, 0), study(&mut queue, 1)];
    queue.start();
    queue.now += 60 * SECOND;
    assert!(queue.schedule.yielding(queue.now).is_empty(), "nobody waits");
    study(&mut queue, 2);
    assert_eq!(queue.schedule.yielding(queue.now), running[..1], "one makes room for one");
    // With few waiting a study gets a slice of seconds, with many a shorter one, so that all soon get a turn.
    assert_eq!(slice(2, 1), 2 * SECOND);
    assert_eq!(slice(2, 6), SECOND);
    assert_eq!(slice(2, 1_000), Duration::from_millis(250));
}

#[test]
fn memory_of_who_was_served_is_bounded() {
    let mut served = Served::default();
    for n in 0..3 * MAX_SERVED as u64 {
        served.note(&n.to_string(), Duration::from_millis(n));
        assert!(served.0.len() <= MAX_SERVED);
    }
    assert_eq!(served.at("0"), Duration::ZERO);
    assert_eq!(served.at("29999"), Duration::from_millis(29_999));
}

/// What happens next in a simulation.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    End(u64),
    Arrive(usize),
}

/// The load of an attack: 64 addresses with 8 games each against `engine:10s` and an analysis each, without a pause.
/// Newcomers arrive at random. Returns the longest waits of their levels and reviews, and the longest time between two
/// searches of one attacker.
fn attack(seed: u64) -> [Duration; 3] {
    const ADDRESSES: usize = 64;
    const GAMES: usize = 8;
    const NEWCOMERS: usize = 40;
    let mut rng = fastrand::Rng::with_seed(seed);
    let millis = |n| Duration::from_millis(n);
    let mut schedule = Schedule::new(2);
    let mut events = std::collections::BTreeSet::new();
    // By id: when the job arrived, its owner, and its lane.
    let mut jobs: HashMap<u64, (Duration, usize, Lane)> = HashMap::new();
    for newcomer in 0..NEWCOMERS {
        events.insert((SECOND * 20 + millis(rng.u64(..200_000)), Next::Arrive(ADDRESSES + newcomer)));
    }
    for address in 0..ADDRESSES {
        events.extend((0..=GAMES).map(|_| (millis(rng.u64(..5_000)), Next::Arrive(address))));
    }
    let mut has_study = [false; ADDRESSES];
    let mut waits = [Duration::ZERO; 3];
    let mut last_search = [Duration::ZERO; ADDRESSES];
    let tick = millis(125);
    let mut now = Duration::ZERO;
    while now < 240 * SECOND {
        // Studies are told to yield at ticks; a job ends 20 ms later.
        for id in schedule.yielding(now) {
            events.insert((now + millis(20), Next::End(id)));
        }
        let until = now + tick;
        while events.first().is_some_and(|(at, _)| *at <= until) {
            let Some((at, next)) = events.pop_first() else { break };
            now = at;
            let (who, lane) = match next {
                Next::Arrive(who) if who >= ADDRESSES => {
                    (who, if who % 2 == 0 { Lane::Quick } else { Lane::Study })
                }
                Next::Arrive(who) if !has_study[who] => {
                    has_study[who] = true;
                    (who, Lane::Study)
                }
                Next::Arrive(who) => (who, Lane::Long),
                Next::End(id) => {
                    schedule.remove(id);
                    match jobs.remove(&id) {
                        // The next move, the next analysis.
                        Some((_, who, lane)) if who < ADDRESSES => (who, lane),
                        _ => (usize::MAX, Lane::Quick),
                    }
                }
            };
            if who != usize::MAX {
                let owner = Owner { client: who.to_string(), address: who.to_string() };
                let class = if lane == Lane::Study { Class::Study } else { Class::Opponent };
                let id = schedule.add(owner, class, lane, now).unwrap();
                jobs.insert(id, (now, who, lane));
            }
            while let Some(id) = schedule.start_next(now) {
                let (arrived, who, lane) = jobs[&id];
                let (kind, since) = match lane {
                    Lane::Long => (2, std::mem::replace(&mut last_search[who], now)),
                    Lane::Quick => (0, arrived),
                    Lane::Study if who < ADDRESSES => (1, now),
                    Lane::Study => (1, arrived),
                };
                waits[kind] = waits[kind].max(now - since);
                let runs = match lane {
                    Lane::Quick => millis(rng.u64(1..150)),
                    Lane::Study => 60 * SECOND,
                    Lane::Long => 10 * SECOND,
                };
                events.insert((now + runs, Next::End(id)));
            }
        }
        now = until;
    }
    waits
}

#[test]
fn newcomers_are_served_at_once_during_an_attack() {
    for seed in 0..2 {
        let [level, review, turn] = attack(seed);
        assert!(level < SECOND / 2, "seed {seed}: a level waited {level:?}");
        assert!(review < 2 * SECOND, "seed {seed}: a review waited {review:?}");
        // The attackers take turns, too: 4 slots serve 64 addresses with 10 s each in 160 s.
        assert!(turn < 200 * SECOND, "seed {seed}: {turn:?} between two searches of an attacker");
    }
}
