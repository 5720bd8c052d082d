//! Commands at a table without a server, and replays of their logs.

use fastrand::Rng;
use protocol::{ApiError, Claim, Clock, Command, EndReason, ErrorCode, Event, Occupant, Settings, Status};
use rules::Side;

use super::*;
use crate::{
    chat::{BURST, BURST_MS, MAX_LENGTH},
    clock::{LAG_SLACK_MS, MAX_LAG_MS, quota_gain},
    decide::MAX_EVENTS,
};

const START: u64 = 1_000_000;

fn person(id: &str) -> Principal {
    Principal { ids: vec![format!("g:{id}")], name: id.to_owned(), account: None, bot: false }
}

fn seat(id: &str) -> Occupant {
    Occupant::Person { id: format!("g:{id}"), name: id.to_owned(), rating: None, bot: false }
}

fn program() -> Occupant {
    Occupant::Program { name: "random".to_owned(), rating: None }
}

fn settings(game: &str, clock: Clock) -> Settings {
    let game = game.to_owned();
    Settings {
        game,
        position: None,
        clock,
        rated: false,
        take_back: true,
        listed: true,
        invited: None,
        tournament: None,
        bots: false,
    }
}

/// A table with its log and a clock.
struct TestTable {
    state: State,
    log: Vec<LogEntry>,
    now: u64,
}

impl TestTable {
    fn new(settings: Settings, seats: [Occupant; 2]) -> Self {
        let event = Event::Created { settings: settings.into(), seats, creator: "g:ann".to_owned() };
        let state = State::new(1, START, &event).unwrap();
        let mut table = Self { state, log: Vec::new(), now: START };
        table.write(1, &event);
        table
    }

    fn between(game: &str) -> Self {
        Self::new(settings(game, Clock::None), [seat("ann"), seat("bob")])
    }

    fn write(&mut self, version: u64, event: &Event) {
        // Through JSON, as the store would return it.
        let event = serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap();
        self.log.push(LogEntry { version, at: self.now, event });
    }

    fn context(&self) -> Context {
        Context { now: self.now, grace_ms: 60_000, ..Context::default() }
    }

    fn command(&mut self, who: &Principal, command: &Command) -> Result<Decision, ApiError> {
        let context = self.context();
        self.command_in(who, command, &context)
    }

    fn command_in(
        &mut self,
        who: &Principal,
        command: &Command,
        when: &Context,
    ) -> Result<Decision, ApiError> {
        let decision = self.state.decide(who, command, when)?;
        if let Decision::Append(events) = &decision {
            for event in events {
                self.apply(event);
            }
        }
        Ok(decision)
    }

    fn apply(&mut self, event: &Event) {
        let version = self.state.version + 1;
        self.state.apply(version, self.now, event).unwrap();
        self.write(version, event);
    }

    fn play(&mut self, who: &Principal, text: &str) -> Result<Decision, ApiError> {
        let ply = self.state.moves.len() as u32 + 1;
        self.command(who, &move_command(ply, text))
    }
}

fn move_command(ply: u32, text: &str) -> Command {
    Command::MakeMove { ply, text: text.to_owned(), lag_ms: 0, seen: None }
}

fn code(result: Result<Decision, ApiError>) -> ErrorCode {
    result.unwrap_err().code
}

/// Everything that must be equal after a replay.
fn summary(state: &State) -> String {
    let State {
        version,
        seats,
        game,
        moves,
        status,
        result,
        offers,
        rematch,
        chat,
        pace,
        steps,
        left_ms,
        since,
        lag_quota_ms,
        taken_back_at,
        ..
    } = state;
    let moves: Vec<_> = moves.iter().map(|made| (&made.text, made.side, made.version, made.at)).collect();
    let position = game.position();
    format!(
        "{version} {seats:?} {position} {moves:?} {status:?} {result:?} {offers:?} {rematch:?} {chat:?} {pace:?} {steps} {left_ms:?} {since} {lag_quota_ms:?} {taken_back_at}"
    )
}

#[test]
fn a_game_is_played_to_its_end() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::between("connect-four");
    for (who, text) in [(&ann, "4"), (&bob, "5"), (&ann, "4"), (&bob, "5"), (&ann, "4"), (&bob, "5")] {
        table.play(who, text).unwrap();
    }
    table.play(&ann, "4").unwrap();
    let result = table.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::First), EndReason::Rules));
    assert_eq!(code(table.play(&bob, "5")), ErrorCode::GameOver);
}

#[test]
fn a_move_sent_twice_is_made_once() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::between("connect-four");
    table.play(&ann, "4").unwrap();
    let version = table.state.version;
    assert_eq!(table.command(&ann, &move_command(1, "4")), Ok(Decision::AlreadyDone { version }));
    assert_eq!(code(table.command(&ann, &move_command(1, "3"))), ErrorCode::StalePly);
    assert_eq!(code(table.command(&bob, &move_command(1, "4"))), ErrorCode::StalePly);
    assert_eq!(code(table.command(&bob, &move_command(3, "4"))), ErrorCode::FuturePly);
    assert_eq!(code(table.command(&ann, &move_command(2, "4"))), ErrorCode::NotYourTurn);
    assert_eq!(code(table.command(&bob, &move_command(2, "8"))), ErrorCode::IllegalMove);
    assert_eq!(code(table.command(&bob, &move_command(0, "4"))), ErrorCode::FuturePly);
    assert_eq!(code(table.command(&person("eve"), &move_command(2, "4"))), ErrorCode::NotSeated);
    assert_eq!(table.state.version, version);
}

#[test]
fn one_person_may_play_both_sides() {
    let ann = person("ann");
    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [seat("ann"), seat("ann")]);
    table.play(&ann, "b2").unwrap();
    table.play(&ann, "a1").unwrap();
    table.command(&ann, &Command::TakeBack {}).unwrap();
    assert_eq!(table.state.moves.len(), 1);
    assert_eq!(table.state.game.turn(), Side::Second);
}

#[test]
fn a_seat_is_taken_once() {
    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [seat("ann"), Occupant::Open]);
    assert_eq!(code(table.play(&person("ann"), "b2")), ErrorCode::NotStarted);
    assert!(matches!(table.command(&person("ann"), &Command::Sit {}), Ok(Decision::AlreadyDone { .. })));
    table.command(&person("bob"), &Command::Sit {}).unwrap();
    assert_eq!(table.state.status, Status::Playing);
    assert_eq!(code(table.command(&person("eve"), &Command::Sit {})), ErrorCode::SeatTaken);
}

#[test]
fn a_reserved_seat_is_for_the_invited_player() {
    let settings = Settings { invited: Some("g:bob".to_owned()), ..settings("tic-tac-toe", Clock::None) };
    let mut table = TestTable::new(settings, [seat("ann"), Occupant::Open]);
    assert_eq!(code(table.command(&person("eve"), &Command::Sit {})), ErrorCode::SeatTaken);
    assert_eq!(code(table.command(&person("eve"), &Command::Resign {})), ErrorCode::NotStarted);
    table.command(&person("bob"), &Command::Resign {}).unwrap();
    assert_eq!(table.state.result.unwrap().reason, EndReason::Declined);
}

#[test]
fn people_and_bots_play_rated_games_only_where_that_is_wanted() {
    let user = |id: &str, bot| Principal { account: Some(format!("u:{id}")), bot, ..person(id) };
    let clock = Clock::Move { ms: 60_000 };
    for (first_is_bot, second_is_bot, bots, may_sit) in [
        (false, false, false, true),
        (true, true, false, true),
        (false, true, false, false),
        (true, false, false, false),
        (false, true, true, true),
        (true, false, true, true),
    ] {
        for rated in [true, false] {
            let settings = Settings { rated, bots, ..settings("tic-tac-toe", clock) };
            let mut table =
                TestTable::new(settings, [user("ann", first_is_bot).occupant(None), Occupant::Open]);
            let sat = table.command(&user("bob", second_is_bot), &Command::Sit {});
            assert_eq!(sat.is_ok(), may_sit || !rated, "{first_is_bot} {second_is_bot} {bots} {rated}");
        }
    }
}

#[test]
fn a_draw_needs_both_players() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::between("tic-tac-toe");
    table.play(&ann, "b2").unwrap();
    assert_eq!(code(table.command(&bob, &Command::DeclineDraw {})), ErrorCode::NothingToAnswer);
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    table.command(&bob, &Command::DeclineDraw {}).unwrap();
    assert_eq!(code(table.command(&ann, &Command::OfferDraw {})), ErrorCode::TooEarly);
    table.command(&bob, &Command::OfferDraw {}).unwrap();
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    let result = table.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (None, EndReason::Agreement));
}

#[test]
fn a_draw_offer_lapses_when_the_opponent_moves() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::between("tic-tac-toe");
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    table.play(&ann, "b2").unwrap();
    assert_eq!(table.state.offers.draw, Some(Side::First));
    table.play(&bob, "a1").unwrap();
    assert_eq!(table.state.offers.draw, None);
}

#[test]
fn taking_back_needs_consent_of_people_but_not_of_programs() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::between("tic-tac-toe");
    assert_eq!(code(table.command(&ann, &Command::TakeBack {})), ErrorCode::NothingToAnswer);
    table.play(&ann, "b2").unwrap();
    table.play(&bob, "a1").unwrap();
    table.command(&ann, &Command::TakeBack {}).unwrap();
    assert_eq!(table.state.moves.len(), 2);
    table.command(&bob, &Command::TakeBack {}).unwrap();
    assert_eq!(table.state.moves.len(), 0, "the last move of the player who asked, and the answer to it");

    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [program(), seat("ann")]);
    let context = table.context();
    let Ok(Decision::Append(events)) = table.state.decide_program("b2", None, 0, &context) else {
        panic!("a program moves");
    };
    table.apply(&events[0]);
    assert_eq!(code(table.command(&ann, &Command::TakeBack {})), ErrorCode::NothingToAnswer);
    table.play(&ann, "a1").unwrap();
    table.command(&ann, &Command::TakeBack {}).unwrap();
    assert_eq!(table.state.moves.len(), 1);

    let settings = Settings { take_back: false, ..settings("tic-tac-toe", Clock::None) };
    let mut table = TestTable::new(settings, [seat("ann"), program()]);
    table.play(&ann, "b2").unwrap();
    assert_eq!(code(table.command(&ann, &Command::TakeBack {})), ErrorCode::NotAllowed);
}

#[test]
fn resigning_early_aborts_the_game() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::between("tic-tac-toe");
    table.play(&ann, "b2").unwrap();
    table.command(&bob, &Command::Resign {}).unwrap();
    assert_eq!(table.state.result.unwrap().reason, EndReason::Aborted);

    let mut table = TestTable::between("tic-tac-toe");
    table.play(&ann, "b2").unwrap();
    table.play(&bob, "a1").unwrap();
    table.command(&bob, &Command::Resign {}).unwrap();
    let result = table.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::First), EndReason::Resignation));
}

#[test]
fn a_game_of_a_tournament_counts_from_its_first_move() {
    let (ann, bob) = (person("ann"), person("bob"));
    let settings = Settings { tournament: Some("cup".to_owned()), ..settings("connect-four", Clock::None) };
    let mut table = TestTable::new(settings.clone(), [seat("ann"), seat("bob")]);
    assert_eq!(table.state.expire(u64::MAX, u64::MAX), None, "it is not forgotten");
    table.command(&ann, &Command::Resign {}).unwrap();
    let result = table.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::Second), EndReason::Resignation));
    assert_eq!(code(table.command(&bob, &Command::Rematch {})), ErrorCode::NotAllowed);
    assert_eq!(table.state.decided_elsewhere(Some(Side::First)), None, "it is over");
    let absent = TestTable::new(settings, [seat("ann"), seat("bob")]);
    let decided = |winner| match absent.state.decided_elsewhere(winner) {
        Some(Event::Ended { winner, reason, .. }) => (winner, reason),
        other => panic!("{other:?}"),
    };
    assert_eq!(decided(Some(Side::First)), (Some(Side::First), EndReason::Abandoned));
    assert_eq!(decided(None), (None, EndReason::Aborted));
}

#[test]
fn a_game_can_be_claimed_after_the_grace_period() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::between("tic-tac-toe");
    table.play(&ann, "b2").unwrap();
    table.play(&bob, "a1").unwrap();
    let claim = Command::Claim { result: Claim::Win };
    assert_eq!(code(table.command(&ann, &claim)), ErrorCode::TooEarly);
    let gone = |ms| Context { away_ms: [None, Some(ms)], ..table.context() };
    let (short, long) = (gone(59_999), gone(60_000));
    assert_eq!(code(table.command_in(&ann, &claim, &short)), ErrorCode::TooEarly);
    assert_eq!(code(table.command_in(&bob, &claim, &long)), ErrorCode::TooEarly);
    table.command_in(&ann, &claim, &long).unwrap();
    let result = table.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::First), EndReason::Abandoned));
}

#[test]
fn clocks_run_from_the_second_move_of_each_side() {
    let clock = Clock::Game { initial_ms: 60_000, increment_ms: 1_000 };
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::new(settings("connect-four", clock), [seat("ann"), seat("bob")]);
    for (who, text) in [(&ann, "4"), (&bob, "4")] {
        table.now += 30_000;
        table.play(who, text).unwrap();
    }
    let left = |table: &TestTable| table.state.clocks(table.now, &[]).unwrap().left_ms;
    assert_eq!(left(&table), [60_000; 2]);
    table.now += 10_000;
    table.play(&ann, "4").unwrap();
    assert_eq!(left(&table), [51_000, 60_000]);
    table.now += 59_000;
    table.play(&bob, "4").unwrap();
    assert_eq!(left(&table), [51_000, 2_000]);
    table.now += 51_001;
    table.play(&ann, "5").unwrap();
    let result = table.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::Second), EndReason::Time));
    assert_eq!(left(&table), [0, 2_000]);
}

#[test]
fn clocks_are_not_charged_for_downtime() {
    let clock = Clock::Move { ms: 10_000 };
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::new(settings("connect-four", clock), [seat("ann"), seat("bob")]);
    table.play(&ann, "4").unwrap();
    table.play(&bob, "4").unwrap();
    let downtimes = vec![(table.now + 2_000, table.now + 60_000)];
    table.now += 63_000;
    let left = table.state.clocks(table.now, &downtimes).unwrap().left_ms;
    assert_eq!(left, [5_000, 10_000]);
    assert_eq!(table.state.flag(table.now, &downtimes), None);
    let when = Context { downtimes: downtimes.into(), ..table.context() };
    table.command_in(&ann, &move_command(3, "4"), &when).unwrap();
    assert_eq!(table.state.moves.len(), 3);
}

#[test]
fn a_flag_falls_without_a_move() {
    let clock = Clock::Move { ms: 10_000 };
    let mut table = TestTable::new(settings("connect-four", clock), [seat("ann"), seat("bob")]);
    assert_eq!(table.state.flag_at(&[]), None);
    table.play(&person("ann"), "4").unwrap();
    table.play(&person("bob"), "4").unwrap();
    let at = table.state.flag_at(&[]).unwrap();
    assert_eq!(table.state.flag(at - 1, &[]), None);
    assert!(matches!(table.state.flag(at, &[]), Some(Event::Ended { winner: Some(Side::Second), .. })));
    assert!(at <= table.now + 10_000 + MAX_LAG_MS + 1);
}

#[test]
fn lag_is_compensated_within_a_quota() {
    let clock = Clock::Game { initial_ms: 60_000, increment_ms: 0 };
    let mut table = TestTable::new(settings("connect-four:8x40", clock), [seat("ann"), seat("bob")]);
    let who = [person("ann"), person("bob")];
    let mut used = 0;
    for ply in 1..=40_u32 {
        table.now += 500;
        // Half a second of thinking, all of which the client reports as lag; the server measured the same.
        let command = Command::MakeMove { ply, text: (ply % 37 + 1).to_string(), lag_ms: 500, seen: None };
        let when = Context { measured_lag_ms: 500, ..table.context() };
        table.command_in(&who[(ply as usize + 1) % 2], &command, &when).unwrap();
        used += 500;
    }
    let left = table.state.left_ms.unwrap();
    let quota = 3 * quota_gain(clock) + 20 * quota_gain(clock);
    assert!(left[0] <= 60_000 && left[1] <= 60_000);
    assert!(120_000 - left[0] - left[1] + 2 * quota >= used - 1_000);

    // Lag that the server did not measure counts for little.
    let mut table = TestTable::new(settings("connect-four", clock), [seat("ann"), seat("bob")]);
    for ply in 1..=3_u32 {
        table.now += 5_000;
        let command = Command::MakeMove { ply, text: "4".to_owned(), lag_ms: 5_000, seen: None };
        table.command(&who[(ply as usize + 1) % 2], &command).unwrap();
    }
    assert_eq!(table.state.left_ms.unwrap()[0], 55_000 + LAG_SLACK_MS);
}

#[test]
fn a_program_is_not_charged_while_queued_or_paused() {
    let clock = Clock::Move { ms: 1_000 };
    let ann = person("ann");
    let mut table = TestTable::new(settings("connect-four", clock), [program(), program()]);
    let think = |table: &mut TestTable, after: u64, waited: u64| {
        table.now += after;
        let context = table.context();
        let Ok(Decision::Append(events)) = table.state.decide_program("4", None, waited, &context) else {
            panic!("a program moves")
        };
        table.apply(&events[0]);
    };
    think(&mut table, 0, 0);
    think(&mut table, 0, 0);
    assert_eq!(table.state.flag_at(&[]), None, "only its answer tells whether a program was in time");
    think(&mut table, 5_000, 4_500);
    assert_eq!((table.state.moves.len(), table.state.result), (3, None));
    table.command(&ann, &Command::Pace { paused: true, delay_ms: 0 }).unwrap();
    table.now += 60_000;
    table.command(&ann, &Command::Pace { paused: false, delay_ms: 0 }).unwrap();
    think(&mut table, 900, 0);
    assert_eq!((table.state.moves.len(), table.state.result), (4, None));
    think(&mut table, 1_100, 0);
    assert_eq!(table.state.result.unwrap().reason, EndReason::Time);
}

#[test]
fn a_move_from_before_a_take_back_is_refused() {
    let (ann, bob) = (person("ann"), person("bob"));
    let settings = Settings { take_back: true, ..settings("connect-four", Clock::Move { ms: 10_000 }) };
    let mut table = TestTable::new(settings, [seat("ann"), seat("bob")]);
    for (who, text) in [(&ann, "4"), (&bob, "4")] {
        table.play(who, text).unwrap();
    }
    table.now += 4_000;
    table.play(&ann, "5").unwrap();
    let seen = table.state.version;
    table.now += 3_000;
    table.command(&ann, &Command::TakeBack {}).unwrap();
    table.command(&bob, &Command::TakeBack {}).unwrap();
    assert_eq!(table.state.moves.len(), 2);
    assert_eq!(table.state.left_ms, Some([10_000; 2]), "each move has its own time");
    let again = |seen| Command::MakeMove { ply: 3, text: "5".to_owned(), lag_ms: 0, seen };
    assert_eq!(code(table.command(&ann, &again(Some(seen)))), ErrorCode::StalePly);
    assert_eq!(table.state.moves.len(), 2);
    let now = Some(table.state.version);
    table.command(&ann, &again(now)).unwrap();
    assert_eq!(table.state.moves.len(), 3);
}

#[test]
fn no_log_grows_without_bound() {
    let ann = person("ann");
    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [seat("ann"), seat("ann")]);
    table.play(&ann, "b2").unwrap();
    table.play(&ann, "a1").unwrap();
    table.state.version = MAX_EVENTS;
    assert_eq!(code(table.play(&ann, "c3")), ErrorCode::NotAllowed);
    assert_eq!(code(table.command(&ann, &Command::TakeBack {})), ErrorCode::NotAllowed);
    table.command(&ann, &Command::Resign {}).unwrap();
}

#[test]
fn the_creator_can_pause_and_step_programs() {
    let (ann, eve) = (person("ann"), person("eve"));
    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [program(), program()]);
    assert!(table.state.program_to_move().is_some());
    let pause = Command::Pace { paused: true, delay_ms: 0 };
    assert_eq!(code(table.command(&eve, &pause)), ErrorCode::NotSeated);
    assert_eq!(code(table.command(&ann, &Command::Step {})), ErrorCode::NotAllowed);
    table.command(&ann, &pause).unwrap();
    assert_eq!(table.state.program_to_move(), None);
    table.command(&ann, &Command::Step {}).unwrap();
    assert!(table.state.program_to_move().is_some());
    let context = table.context();
    let decision = table.state.decide_program("b2", None, 0, &context);
    let Ok(Decision::Append(events)) = decision else { panic!("a program moves") };
    table.apply(&events[0]);
    assert_eq!(table.state.program_to_move(), None);
}

#[test]
fn chat_is_sanitized_and_bounded() {
    assert_eq!(sanitize("  <b>hi</b>\u{202e}\n\u{7}there "), "<b>hi</b> there");
    assert_eq!(sanitize("a\u{300}\u{300}\u{300}\u{300}b"), "a\u{300}\u{300}b");
    let ann = person("ann");
    let mut table = TestTable::between("tic-tac-toe");
    let say = |text: &str| Command::Chat { text: text.to_owned() };
    assert_eq!(code(table.command(&person("eve"), &say("hello"))), ErrorCode::NotSeated);
    assert_eq!(code(table.command(&ann, &say(" \u{200b} "))), ErrorCode::BadMessage);
    assert_eq!(code(table.command(&ann, &say(&"x".repeat(MAX_LENGTH + 1)))), ErrorCode::BadMessage);
    for _ in 0..BURST {
        table.command(&ann, &say("hello")).unwrap();
    }
    assert_eq!(code(table.command(&ann, &say("hello"))), ErrorCode::TooFast);
    table.now += BURST_MS;
    table.command(&ann, &say("hello")).unwrap();
}

fn random_command(rng: &mut Rng, state: &State) -> Command {
    let legal = state.game.legal_moves();
    let text = if legal.is_empty() || rng.u8(..8) == 0 {
        ["", "9", "b2", "4r", "Q@d", "a1a2", "-1", "💥"][rng.usize(..8)].to_owned()
    } else {
        legal[rng.usize(..legal.len())].clone()
    };
    let due = state.moves.len() as u32 + 1;
    match rng.u8(..24) {
        0 => Command::Sit {},
        1 => Command::OfferDraw {},
        2 => Command::DeclineDraw {},
        3 => Command::TakeBack {},
        4 => Command::DeclineTakeBack {},
        5 => Command::Claim { result: if rng.bool() { Claim::Win } else { Claim::Draw } },
        6 => Command::Rematch {},
        7 => Command::Chat { text },
        8 => Command::Pace { paused: rng.bool(), delay_ms: rng.u64(..) },
        9 => Command::Step {},
        10 if rng.u8(..20) == 0 => Command::Resign {},
        11 => Command::MakeMove { ply: rng.u32(..), text, lag_ms: rng.u64(..), seen: Some(rng.u64(..100)) },
        12 => Command::MakeMove { ply: due.saturating_sub(1), text, lag_ms: 0, seen: None },
        _ => Command::MakeMove { ply: due, text, lag_ms: rng.u64(..1_000), seen: None },
    }
}

/// Random commands in random order: only the players change a game, moves are made in turn and by the rules, a refused
/// command changes nothing, and a replay of the log leads to the same state.
#[test]
fn no_sequence_of_commands_breaks_a_table() {
    let who = ["ann", "bob", "eve"].map(person);
    let clock = Clock::Game { initial_ms: 30_000, increment_ms: 100 };
    let mut changes = 0;
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let game = ["tic-tac-toe", "connect-four", "simplexity", "chess-five"][seed as usize % 4];
        let seats = match rng.u8(..4) {
            0 => [seat("ann"), program()],
            1 => [seat("ann"), Occupant::Open],
            2 => [program(), program()],
            _ => [seat("ann"), seat("bob")],
        };
        let clock = if rng.bool() { clock } else { Clock::None };
        let mut table = TestTable::new(settings(game, clock), seats);
        for _ in 0..250 {
            table.now += rng.u64(..300);
            let before = summary(&table.state);
            let by = &who[rng.usize(..3)];
            let sides = table.state.sides(by);
            let (turn, moves) = (table.state.game.turn(), table.state.moves.len());
            let command = random_command(&mut rng, &table.state);
            let away_ms = [rng.bool().then(|| rng.u64(..120_000)), rng.bool().then(|| rng.u64(..120_000))];
            let when = Context { away_ms, ..table.context() };
            match table.command_in(by, &command, &when) {
                Ok(Decision::Append(_)) => changes += 1,
                _ => assert_eq!(summary(&table.state), before, "{command:?}"),
            }
            if table.state.moves.len() > moves {
                assert!(sides.contains(&turn), "{command:?}");
            }
            let may_change = !sides.is_empty() || by.is("g:ann") || matches!(command, Command::Sit {});
            assert!(may_change || summary(&table.state) == before, "{command:?}");
        }
        let replayed = State::replay(&table.log).unwrap().unwrap();
        assert_eq!(summary(&replayed), summary(&table.state));
    }
    assert!(changes > 5_000, "{changes}");
}

#[test]
fn tables_that_everybody_has_left_expire() {
    let later = START + 1;
    let table = |clock, seats| TestTable::new(settings("connect-four", clock), seats).state;
    let aborted = Some(Event::Ended { winner: None, reason: EndReason::Aborted, ratings: None });
    let open = table(Clock::None, [seat("ann"), Occupant::Open]);
    assert_eq!(open.expire(later, 0), aborted);
    assert_eq!(open.expire(START, later), None, "it may still be joined");
    for seats in [[seat("ann"), seat("bob")], [seat("ann"), program()], [program(), program()]] {
        let idle = table(Clock::None, seats.clone());
        assert_eq!(idle.expire(0, later), aborted);
        assert_eq!(idle.expire(later, START), None, "it may go on");
        assert_eq!(table(Clock::Move { ms: 1_000 }, seats).expire(later, later), None, "its clock ends it");
    }
    let account =
        Occupant::Person { id: "u:ann".to_owned(), name: "Ann".to_owned(), rating: None, bot: false };
    assert_eq!(table(Clock::None, [account, seat("bob")]).expire(later, later), None);
}
