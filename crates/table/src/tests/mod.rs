//! Commands at a table without a server, and replays of their logs.

use fastrand::Rng;
use protocol::{ApiError, Claim, Clock, Command, EndReason, ErrorCode, Event, Occupant, Settings, Status};
use rules::Side;

use super::*;
use crate::decide::MAX_EVENTS;

mod chat;
mod clocks;
mod messages;
mod offers;
mod opening;
mod programs;
mod ratings;
mod seats;

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
        unverified: false,
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

    /// Plays the program's move after it has waited this long for a free thread.
    fn program_plays(&mut self, text: &str, waited_ms: u64) {
        let context = self.context();
        let Ok(Decision::Append(events)) = self.state.decide_program(text, None, waited_ms, &context) else {
            panic!("{text} is legal")
        };
        events.iter().for_each(|event| self.apply(event));
    }

    /// Plays these moves for whoever is to move.
    fn play_all(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            match self.state.seats[self.state.game.turn().index()].clone() {
                Occupant::Person { name, .. } => {
                    self.play(&person(&name), text).unwrap();
                }
                _ => self.program_plays(text, 0),
            }
        }
    }

    /// Winner and reason of a game that is over.
    fn end(&self) -> (Option<Side>, EndReason) {
        let result = self.state.result().expect("the game is over");
        (result.winner, result.reason)
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
        draw_offered_at,
        lag_quota_ms,
        taken_back_at,
        ..
    } = state;
    let moves: Vec<_> = moves.iter().map(|made| (&made.text, made.side, made.version, made.at)).collect();
    let position = game.position();
    format!(
        "{version} {seats:?} {position} {moves:?} {status:?} {result:?} {offers:?} {rematch:?} {chat:?} {pace:?} {steps} {left_ms:?} {since} {draw_offered_at:?} {lag_quota_ms:?} {taken_back_at}"
    )
}

#[test]
fn a_game_is_played_to_its_end() {
    let mut table = TestTable::between("connect-four");
    table.play_all("4 5 4 5 4 5 4");
    assert_eq!(table.end(), (Some(Side::First), EndReason::Rules));
    assert_eq!(code(table.play(&person("bob"), "5")), ErrorCode::GameOver);
}

/// Only the players act, and only while the game lasts.
#[test]
fn commands_are_refused_before_and_after_the_game_and_to_spectators() {
    let commands = [
        move_command(3, "c3"),
        Command::Resign {},
        Command::OfferDraw {},
        Command::DeclineDraw {},
        Command::TakeBack {},
        Command::DeclineTakeBack {},
        Command::Claim { result: Claim::Win },
    ];
    let (ann, eve) = (person("ann"), person("eve"));
    let mut open = TestTable::new(settings("tic-tac-toe", Clock::None), [seat("ann"), Occupant::Open]);
    let mut playing = TestTable::between("tic-tac-toe");
    playing.play_all("b2 a1");
    let mut over = TestTable::between("tic-tac-toe");
    over.play_all("b2 a1");
    over.command(&ann, &Command::Resign {}).unwrap();
    for command in &commands {
        assert_eq!(code(playing.command(&eve, command)), ErrorCode::NotSeated, "{command:?}");
        assert_eq!(code(over.command(&ann, command)), ErrorCode::GameOver, "{command:?}");
        // The creator of an open table may resign: that aborts it.
        if *command != (Command::Resign {}) {
            assert_eq!(code(open.command(&ann, command)), ErrorCode::NotStarted, "{command:?}");
        }
    }
    assert_eq!((open.log.len(), playing.log.len(), over.log.len()), (1, 3, 4));
}

#[test]
fn a_game_of_two_thousand_moves_is_drawn() {
    let ann = person("ann");
    let mut table =
        TestTable::new(settings("connect-four:64x64x16", Clock::None), [seat("ann"), seat("ann")]);
    for ply in 0..2_000 {
        assert_eq!(table.state.status, Status::Playing, "{ply} moves");
        // Colours alternate within a row and every second row up, so that no line is longer than two.
        let (row, place) = (ply / 64, ply % 64);
        table.play(&ann, &((place + row / 2) % 64 + 1).to_string()).unwrap();
    }
    assert_eq!(table.end(), (None, EndReason::Rules));
}

#[test]
fn a_log_begins_with_the_only_creation() {
    let table = TestTable::between("tic-tac-toe");
    assert!(State::replay(&[]).unwrap().is_none());
    let created = &table.log[0];
    let again = LogEntry { version: 2, ..created.clone() };
    assert!(matches!(State::replay(&[created.clone(), again]), Err(LogError::CreatedTwice)));
    let moved = |text: &str| Event::Moved {
        ply: 1,
        side: Side::First,
        text: text.to_owned(),
        left_ms: None,
        lag_compensation_ms: 0,
        thought: None,
    };
    let entry = |event| LogEntry { version: 2, at: START, event };
    assert!(matches!(State::replay(&[entry(moved("b2"))]), Err(LogError::NotCreated)));
    let illegal = State::replay(&[created.clone(), entry(moved("d4"))]);
    assert!(matches!(illegal, Err(LogError::IllegalMove(_))));
}

#[test]
fn a_state_tells_what_its_log_says() {
    let mut table =
        TestTable::new(settings("tic-tac-toe", Clock::Move { ms: 10_000 }), [seat("ann"), Occupant::Open]);
    assert_eq!((table.state.version(), table.state.since()), (1, START));
    table.now += 5_000;
    table.command(&person("bob"), &Command::Sit {}).unwrap();
    assert_eq!((table.state.version(), table.state.since()), (2, START + 5_000));
    table.now += 1_000;
    table.play(&person("ann"), "b2").unwrap();
    let state = &table.state;
    assert_eq!((state.version(), state.since(), state.creator()), (3, START + 6_000, "g:ann"));
    assert_eq!((state.seats(), state.status()), (&[seat("ann"), seat("bob")], Status::Playing));
    assert_eq!((state.result(), state.rematch()), (None, None));
    assert_eq!(state.settings().game, "tic-tac-toe");
    assert_eq!(state.game().moves(), ["b2"]);
    let [played] = state.moves() else { panic!("one move") };
    assert_eq!((played.text.as_str(), played.side, played.version), ("b2", Side::First, 3));
    assert_eq!((played.at, played.left_ms), (START + 6_000, Some([10_000; 2])));
    assert_eq!(state.sides(&person("bob")), [Side::Second]);
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
