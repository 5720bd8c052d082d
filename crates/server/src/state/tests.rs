//! A table without server: what may be done, by whom, and that a replay of the log is the truth.

use fastrand::Rng;
use protocol::{Clock, ErrorCode};

use super::*;

const START: u64 = 1_000_000;

fn person(id: &str) -> Principal {
    Principal { ids: vec![format!("g:{id}")], name: id.to_owned(), account: None, session: None }
}

fn occupant(id: &str) -> Occupant {
    Occupant::Person { id: format!("g:{id}"), name: id.to_owned(), rating: None }
}

fn program() -> Occupant {
    Occupant::Program { name: "random".to_owned(), rating: None }
}

fn settings(game: &str, clock: Clock) -> Settings {
    let game = game.to_owned();
    Settings { game, position: None, clock, rated: false, take_back: true, listed: true, invited: None }
}

/// A table with its log.
struct Course {
    state: State,
    log: Vec<StoredEvent>,
    now: u64,
}

impl Course {
    fn new(settings: Settings, seats: [Occupant; 2]) -> Self {
        let event = Event::Created { settings, seats, creator: "g:ann".to_owned() };
        let state = State::new(1, START, &event).unwrap();
        let mut course = Self { state, log: Vec::new(), now: START };
        course.write(1, &event);
        course
    }

    fn between(game: &str) -> Self {
        Self::new(settings(game, Clock::None), [occupant("ann"), occupant("bob")])
    }

    fn write(&mut self, version: u64, event: &Event) {
        // As it would come back from the store.
        let event = serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap();
        self.log.push(StoredEvent { version, at: self.now, event });
    }

    fn circumstances(&self) -> Circumstances {
        Circumstances { now: self.now, grace_ms: 60_000, ..Circumstances::default() }
    }

    fn ask(&mut self, who: &Principal, command: &Command) -> Result<Decision, ApiError> {
        let circumstances = self.circumstances();
        self.ask_when(who, command, &circumstances)
    }

    fn ask_when(
        &mut self,
        who: &Principal,
        command: &Command,
        when: &Circumstances,
    ) -> Result<Decision, ApiError> {
        let decision = self.state.decide(who, command, when)?;
        if let Decision::Happens(events) = &decision {
            for event in events {
                self.happen(event);
            }
        }
        Ok(decision)
    }

    fn happen(&mut self, event: &Event) {
        let version = self.state.version + 1;
        self.state.apply(version, self.now, event).unwrap();
        self.write(version, event);
    }

    fn play(&mut self, who: &Principal, text: &str) -> Result<Decision, ApiError> {
        let ply = self.state.moves.len() as u32 + 1;
        self.ask(who, &make(ply, text))
    }
}

fn make(ply: u32, text: &str) -> Command {
    Command::MakeMove { ply, text: text.to_owned(), lag_ms: 0, seen: None }
}

fn code(result: Result<Decision, ApiError>) -> ErrorCode {
    result.unwrap_err().code
}

/// What must be equal after a replay.
fn essence(state: &State) -> String {
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
        quota_ms,
        taken_back_at,
        ..
    } = state;
    let moves: Vec<_> = moves.iter().map(|made| (&made.text, made.side, made.version, made.at)).collect();
    let position = game.position();
    format!(
        "{version} {seats:?} {position} {moves:?} {status:?} {result:?} {offers:?} {rematch:?} {chat:?} {pace:?} {steps} {left_ms:?} {since} {quota_ms:?} {taken_back_at}"
    )
}

#[test]
fn a_game_is_played_to_its_end() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut course = Course::between("connect-four");
    for (who, text) in [(&ann, "4"), (&bob, "5"), (&ann, "4"), (&bob, "5"), (&ann, "4"), (&bob, "5")] {
        course.play(who, text).unwrap();
    }
    course.play(&ann, "4").unwrap();
    let result = course.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::First), EndReason::Rules));
    assert_eq!(code(course.play(&bob, "5")), ErrorCode::GameOver);
}

#[test]
fn a_move_sent_twice_is_made_once() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut course = Course::between("connect-four");
    course.play(&ann, "4").unwrap();
    let version = course.state.version;
    assert_eq!(course.ask(&ann, &make(1, "4")), Ok(Decision::AlreadyDone { version }));
    assert_eq!(code(course.ask(&ann, &make(1, "3"))), ErrorCode::StalePly);
    assert_eq!(code(course.ask(&bob, &make(1, "4"))), ErrorCode::StalePly);
    assert_eq!(code(course.ask(&bob, &make(3, "4"))), ErrorCode::FuturePly);
    assert_eq!(code(course.ask(&ann, &make(2, "4"))), ErrorCode::NotYourTurn);
    assert_eq!(code(course.ask(&bob, &make(2, "8"))), ErrorCode::IllegalMove);
    assert_eq!(code(course.ask(&bob, &make(0, "4"))), ErrorCode::FuturePly);
    assert_eq!(code(course.ask(&person("eve"), &make(2, "4"))), ErrorCode::NotSeated);
    assert_eq!(course.state.version, version);
}

#[test]
fn one_person_may_play_both_sides() {
    let ann = person("ann");
    let mut course = Course::new(settings("tic-tac-toe", Clock::None), [occupant("ann"), occupant("ann")]);
    course.play(&ann, "b2").unwrap();
    course.play(&ann, "a1").unwrap();
    course.ask(&ann, &Command::TakeBack {}).unwrap();
    assert_eq!(course.state.moves.len(), 1);
    assert_eq!(course.state.game.turn(), Side::Second);
}

#[test]
fn a_seat_is_taken_once() {
    let mut course = Course::new(settings("tic-tac-toe", Clock::None), [occupant("ann"), Occupant::Open]);
    assert_eq!(code(course.play(&person("ann"), "b2")), ErrorCode::NotStarted);
    assert!(matches!(course.ask(&person("ann"), &Command::Sit {}), Ok(Decision::AlreadyDone { .. })));
    course.ask(&person("bob"), &Command::Sit {}).unwrap();
    assert_eq!(course.state.status, Status::Playing);
    assert_eq!(code(course.ask(&person("eve"), &Command::Sit {})), ErrorCode::SeatTaken);
}

#[test]
fn a_kept_seat_is_for_who_was_invited() {
    let settings = Settings { invited: Some("g:bob".to_owned()), ..settings("tic-tac-toe", Clock::None) };
    let mut course = Course::new(settings, [occupant("ann"), Occupant::Open]);
    assert_eq!(code(course.ask(&person("eve"), &Command::Sit {})), ErrorCode::SeatTaken);
    assert_eq!(code(course.ask(&person("eve"), &Command::Resign {})), ErrorCode::NotStarted);
    course.ask(&person("bob"), &Command::Resign {}).unwrap();
    assert_eq!(course.state.result.unwrap().reason, EndReason::Aborted);
}

#[test]
fn a_draw_needs_both() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut course = Course::between("tic-tac-toe");
    course.play(&ann, "b2").unwrap();
    assert_eq!(code(course.ask(&bob, &Command::DeclineDraw {})), ErrorCode::NothingToAnswer);
    course.ask(&ann, &Command::OfferDraw {}).unwrap();
    course.ask(&bob, &Command::DeclineDraw {}).unwrap();
    assert_eq!(code(course.ask(&ann, &Command::OfferDraw {})), ErrorCode::TooEarly);
    course.ask(&bob, &Command::OfferDraw {}).unwrap();
    course.ask(&ann, &Command::OfferDraw {}).unwrap();
    let result = course.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (None, EndReason::Agreement));
}

#[test]
fn an_offer_lapses_when_the_other_moves() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut course = Course::between("tic-tac-toe");
    course.ask(&ann, &Command::OfferDraw {}).unwrap();
    course.play(&ann, "b2").unwrap();
    assert_eq!(course.state.offers.draw, Some(Side::First));
    course.play(&bob, "a1").unwrap();
    assert_eq!(course.state.offers.draw, None);
}

#[test]
fn taking_back_is_asked_of_people_and_free_against_programs() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut course = Course::between("tic-tac-toe");
    assert_eq!(code(course.ask(&ann, &Command::TakeBack {})), ErrorCode::NothingToAnswer);
    course.play(&ann, "b2").unwrap();
    course.play(&bob, "a1").unwrap();
    course.ask(&ann, &Command::TakeBack {}).unwrap();
    assert_eq!(course.state.moves.len(), 2);
    course.ask(&bob, &Command::TakeBack {}).unwrap();
    assert_eq!(course.state.moves.len(), 0, "the last move of who asked, and the answer to it");

    let mut course = Course::new(settings("tic-tac-toe", Clock::None), [program(), occupant("ann")]);
    let circumstances = course.circumstances();
    let Ok(Decision::Happens(events)) = course.state.decide_program("b2", Value::Null, 0, &circumstances)
    else {
        panic!("a program moves");
    };
    course.happen(&events[0]);
    assert_eq!(code(course.ask(&ann, &Command::TakeBack {})), ErrorCode::NothingToAnswer);
    course.play(&ann, "a1").unwrap();
    course.ask(&ann, &Command::TakeBack {}).unwrap();
    assert_eq!(course.state.moves.len(), 1);

    let settings = Settings { take_back: false, ..settings("tic-tac-toe", Clock::None) };
    let mut course = Course::new(settings, [occupant("ann"), program()]);
    course.play(&ann, "b2").unwrap();
    assert_eq!(code(course.ask(&ann, &Command::TakeBack {})), ErrorCode::NotAllowed);
}

#[test]
fn who_gives_up_early_calls_the_game_off() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut course = Course::between("tic-tac-toe");
    course.play(&ann, "b2").unwrap();
    course.ask(&bob, &Command::Resign {}).unwrap();
    assert_eq!(course.state.result.unwrap().reason, EndReason::Aborted);

    let mut course = Course::between("tic-tac-toe");
    course.play(&ann, "b2").unwrap();
    course.play(&bob, "a1").unwrap();
    course.ask(&bob, &Command::Resign {}).unwrap();
    let result = course.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::First), EndReason::Resignation));
}

#[test]
fn the_game_of_who_is_gone_can_be_claimed_after_the_grace() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut course = Course::between("tic-tac-toe");
    course.play(&ann, "b2").unwrap();
    course.play(&bob, "a1").unwrap();
    let claim = Command::Claim { result: Claim::Win };
    assert_eq!(code(course.ask(&ann, &claim)), ErrorCode::TooEarly);
    let gone = |ms| Circumstances { away_ms: [None, Some(ms)], ..course.circumstances() };
    let (short, long) = (gone(59_999), gone(60_000));
    assert_eq!(code(course.ask_when(&ann, &claim, &short)), ErrorCode::TooEarly);
    assert_eq!(code(course.ask_when(&bob, &claim, &long)), ErrorCode::TooEarly);
    course.ask_when(&ann, &claim, &long).unwrap();
    let result = course.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::First), EndReason::Abandoned));
}

#[test]
fn clocks_run_from_the_second_move_of_each_side() {
    let clock = Clock::Game { initial_ms: 60_000, increment_ms: 1_000 };
    let (ann, bob) = (person("ann"), person("bob"));
    let mut course = Course::new(settings("connect-four", clock), [occupant("ann"), occupant("bob")]);
    for (who, text) in [(&ann, "4"), (&bob, "4")] {
        course.now += 30_000;
        course.play(who, text).unwrap();
    }
    let left = |course: &Course| course.state.clocks(course.now, &[]).unwrap().left_ms;
    assert_eq!(left(&course), [60_000; 2]);
    course.now += 10_000;
    course.play(&ann, "4").unwrap();
    assert_eq!(left(&course), [51_000, 60_000]);
    course.now += 59_000;
    course.play(&bob, "4").unwrap();
    assert_eq!(left(&course), [51_000, 2_000]);
    course.now += 51_001;
    course.play(&ann, "5").unwrap();
    let result = course.state.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::Second), EndReason::Time));
    assert_eq!(left(&course), [0, 2_000]);
}

#[test]
fn no_clock_is_charged_for_a_server_that_was_away() {
    let clock = Clock::Move { ms: 10_000 };
    let (ann, bob) = (person("ann"), person("bob"));
    let mut course = Course::new(settings("connect-four", clock), [occupant("ann"), occupant("bob")]);
    course.play(&ann, "4").unwrap();
    course.play(&bob, "4").unwrap();
    let downtimes = vec![(course.now + 2_000, course.now + 60_000)];
    course.now += 63_000;
    let left = course.state.clocks(course.now, &downtimes).unwrap().left_ms;
    assert_eq!(left, [5_000, 10_000]);
    assert_eq!(course.state.flag(course.now, &downtimes), None);
    let when = Circumstances { downtimes: downtimes.into(), ..course.circumstances() };
    course.ask_when(&ann, &make(3, "4"), &when).unwrap();
    assert_eq!(course.state.moves.len(), 3);
}

#[test]
fn a_flag_falls_without_anybody_moving() {
    let clock = Clock::Move { ms: 10_000 };
    let mut course = Course::new(settings("connect-four", clock), [occupant("ann"), occupant("bob")]);
    assert_eq!(course.state.flag_at(&[]), None);
    course.play(&person("ann"), "4").unwrap();
    course.play(&person("bob"), "4").unwrap();
    let at = course.state.flag_at(&[]).unwrap();
    assert_eq!(course.state.flag(at - 1, &[]), None);
    assert!(matches!(course.state.flag(at, &[]), Some(Event::Ended { winner: Some(Side::Second), .. })));
    assert!(at <= course.now + 10_000 + LONGEST_LAG_MS + 1);
}

#[test]
fn a_slow_line_is_forgiven_within_a_quota() {
    let clock = Clock::Game { initial_ms: 60_000, increment_ms: 0 };
    let mut course = Course::new(settings("connect-four:8x40", clock), [occupant("ann"), occupant("bob")]);
    let who = [person("ann"), person("bob")];
    let mut used = 0;
    for ply in 1..=40_u32 {
        course.now += 500;
        // Half a second of thinking, all of which the client calls lag; the server measured as much.
        let command = Command::MakeMove { ply, text: (ply % 37 + 1).to_string(), lag_ms: 500, seen: None };
        let when = Circumstances { measured_lag_ms: 500, ..course.circumstances() };
        course.ask_when(&who[(ply as usize + 1) % 2], &command, &when).unwrap();
        used += 500;
    }
    let left = course.state.left_ms.unwrap();
    let quota = 3 * quota_gain(clock) + 20 * quota_gain(clock);
    assert!(left[0] <= 60_000 && left[1] <= 60_000);
    assert!(120_000 - left[0] - left[1] + 2 * quota >= used - 1_000);

    // What the server did not measure counts for little.
    let mut course = Course::new(settings("connect-four", clock), [occupant("ann"), occupant("bob")]);
    for ply in 1..=3_u32 {
        course.now += 5_000;
        let command = Command::MakeMove { ply, text: "4".to_owned(), lag_ms: 5_000, seen: None };
        course.ask(&who[(ply as usize + 1) % 2], &command).unwrap();
    }
    assert_eq!(course.state.left_ms.unwrap()[0], 55_000 + LAG_SLACK_MS);
}

#[test]
fn a_program_is_not_charged_for_waiting_nor_while_it_is_made_to_wait() {
    let clock = Clock::Move { ms: 1_000 };
    let ann = person("ann");
    let mut course = Course::new(settings("connect-four", clock), [program(), program()]);
    let think = |course: &mut Course, after: u64, waited: u64| {
        course.now += after;
        let circumstances = course.circumstances();
        let Ok(Decision::Happens(events)) =
            course.state.decide_program("4", Value::Null, waited, &circumstances)
        else {
            panic!("a program moves")
        };
        course.happen(&events[0]);
    };
    think(&mut course, 0, 0);
    think(&mut course, 0, 0);
    assert_eq!(course.state.flag_at(&[]), None, "only its answer tells whether a program was in time");
    think(&mut course, 5_000, 4_500);
    assert_eq!((course.state.moves.len(), course.state.result), (3, None));
    course.ask(&ann, &Command::Pace { paused: true, delay_ms: 0 }).unwrap();
    course.now += 60_000;
    course.ask(&ann, &Command::Pace { paused: false, delay_ms: 0 }).unwrap();
    think(&mut course, 900, 0);
    assert_eq!((course.state.moves.len(), course.state.result), (4, None));
    think(&mut course, 1_100, 0);
    assert_eq!(course.state.result.unwrap().reason, EndReason::Time);
}

#[test]
fn a_move_from_before_a_take_back_is_refused() {
    let (ann, bob) = (person("ann"), person("bob"));
    let settings = Settings { take_back: true, ..settings("connect-four", Clock::Move { ms: 10_000 }) };
    let mut course = Course::new(settings, [occupant("ann"), occupant("bob")]);
    for (who, text) in [(&ann, "4"), (&bob, "4")] {
        course.play(who, text).unwrap();
    }
    course.now += 4_000;
    course.play(&ann, "5").unwrap();
    let seen = course.state.version;
    course.now += 3_000;
    course.ask(&ann, &Command::TakeBack {}).unwrap();
    course.ask(&bob, &Command::TakeBack {}).unwrap();
    assert_eq!(course.state.moves.len(), 2);
    assert_eq!(course.state.left_ms, Some([10_000; 2]), "each move has its own time");
    let again = |seen| Command::MakeMove { ply: 3, text: "5".to_owned(), lag_ms: 0, seen };
    assert_eq!(code(course.ask(&ann, &again(Some(seen)))), ErrorCode::StalePly);
    assert_eq!(course.state.moves.len(), 2);
    let now = Some(course.state.version);
    course.ask(&ann, &again(now)).unwrap();
    assert_eq!(course.state.moves.len(), 3);
}

#[test]
fn no_log_grows_without_end() {
    let ann = person("ann");
    let mut course = Course::new(settings("tic-tac-toe", Clock::None), [occupant("ann"), occupant("ann")]);
    course.play(&ann, "b2").unwrap();
    course.play(&ann, "a1").unwrap();
    course.state.version = MOST_EVENTS;
    assert_eq!(code(course.play(&ann, "c3")), ErrorCode::NotAllowed);
    assert_eq!(code(course.ask(&ann, &Command::TakeBack {})), ErrorCode::NotAllowed);
    course.ask(&ann, &Command::Resign {}).unwrap();
}

#[test]
fn programs_wait_and_step_for_who_set_up_the_table() {
    let (ann, eve) = (person("ann"), person("eve"));
    let mut course = Course::new(settings("tic-tac-toe", Clock::None), [program(), program()]);
    assert!(course.state.program_to_move().is_some());
    let pause = Command::Pace { paused: true, delay_ms: 0 };
    assert_eq!(code(course.ask(&eve, &pause)), ErrorCode::NotSeated);
    assert_eq!(code(course.ask(&ann, &Command::Step {})), ErrorCode::NotAllowed);
    course.ask(&ann, &pause).unwrap();
    assert_eq!(course.state.program_to_move(), None);
    course.ask(&ann, &Command::Step {}).unwrap();
    assert!(course.state.program_to_move().is_some());
    let circumstances = course.circumstances();
    let decision = course.state.decide_program("b2", Value::Null, 0, &circumstances);
    let Ok(Decision::Happens(events)) = decision else { panic!("a program moves") };
    course.happen(&events[0]);
    assert_eq!(course.state.program_to_move(), None);
}

#[test]
fn chat_is_plain_and_bounded() {
    assert_eq!(plain("  <b>hi</b>\u{202e}\n\u{7}there "), "<b>hi</b> there");
    assert_eq!(plain("a\u{300}\u{300}\u{300}\u{300}b"), "a\u{300}\u{300}b");
    let ann = person("ann");
    let mut course = Course::between("tic-tac-toe");
    let say = |text: &str| Command::Chat { text: text.to_owned() };
    assert_eq!(code(course.ask(&person("eve"), &say("hello"))), ErrorCode::NotSeated);
    assert_eq!(code(course.ask(&ann, &say(" \u{200b} "))), ErrorCode::BadMessage);
    assert_eq!(code(course.ask(&ann, &say(&"x".repeat(CHAT_LENGTH + 1)))), ErrorCode::BadMessage);
    for _ in 0..CHAT_BURST.0 {
        course.ask(&ann, &say("hello")).unwrap();
    }
    assert_eq!(code(course.ask(&ann, &say("hello"))), ErrorCode::TooFast);
    course.now += CHAT_BURST.1;
    course.ask(&ann, &say("hello")).unwrap();
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

/// Whatever anybody sends, in whatever order: nobody but the players changes a game, nobody moves out of turn, the
/// rules hold, and the log leads to the same table again.
#[test]
fn no_message_breaks_a_table() {
    let who = ["ann", "bob", "eve"].map(person);
    let clock = Clock::Game { initial_ms: 30_000, increment_ms: 100 };
    let mut changes = 0;
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let game = ["tic-tac-toe", "connect-four", "simplexity", "chess-five"][seed as usize % 4];
        let seats = match rng.u8(..4) {
            0 => [occupant("ann"), program()],
            1 => [occupant("ann"), Occupant::Open],
            2 => [program(), program()],
            _ => [occupant("ann"), occupant("bob")],
        };
        let clock = if rng.bool() { clock } else { Clock::None };
        let mut course = Course::new(settings(game, clock), seats);
        for _ in 0..250 {
            course.now += rng.u64(..300);
            let before = essence(&course.state);
            let by = &who[rng.usize(..3)];
            let sides = course.state.sides(by);
            let (turn, moves) = (course.state.game.turn(), course.state.moves.len());
            let command = random_command(&mut rng, &course.state);
            let away_ms = [rng.bool().then(|| rng.u64(..120_000)), rng.bool().then(|| rng.u64(..120_000))];
            let when = Circumstances { away_ms, ..course.circumstances() };
            match course.ask_when(by, &command, &when) {
                Ok(Decision::Happens(_)) => changes += 1,
                _ => assert_eq!(essence(&course.state), before, "{command:?}"),
            }
            if course.state.moves.len() > moves {
                assert!(sides.contains(&turn), "{command:?}");
            }
            let may_change = !sides.is_empty() || by.is("g:ann") || matches!(command, Command::Sit {});
            assert!(may_change || essence(&course.state) == before, "{command:?}");
        }
        let replayed = State::replay(&course.log).unwrap().unwrap();
        assert_eq!(essence(&replayed), essence(&course.state));
    }
    assert!(changes > 5_000, "{changes}");
}
