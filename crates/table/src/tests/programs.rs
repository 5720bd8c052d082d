//! Programs at a table: their moves, their time, and their pace when they play each other.

use super::*;

#[test]
fn a_turn_has_a_seed_of_its_own_and_the_delay_of_a_demo() {
    let mut table = demo();
    table.command(&person("ann"), &pace(false, 500)).unwrap();
    let turn = |table: &TestTable, id| table.state.program_turn(id, table.now, &[]).unwrap();
    let first = turn(&table, "t1");
    assert_eq!((first.player.as_str(), first.delay_ms, first.time_ms), ("random", 500, None));
    assert_eq!(turn(&table, "t1"), first, "a repeated search plays the same move");
    // FNV-1a of the id, for ply 0; JavaScript has exact integers up to 2⁵³.
    assert_eq!(first.seed, 0x08c7_ff07_b56a_5e16_u64 >> 11);
    let mut seeds = vec![first.seed, turn(&table, "t2").seed];
    table.play_all("b2");
    seeds.push(turn(&table, "t1").seed);
    assert!(seeds.iter().all(|seed| *seed < 1 << 53), "{seeds:?}");
    assert!(seeds[0] != seeds[1] && seeds[0] != seeds[2], "{seeds:?}");
    let against_a_person = TestTable::new(settings("tic-tac-toe", Clock::None), [program(), seat("ann")]);
    assert_eq!(turn(&against_a_person, "t1").delay_ms, 0);
    let hers = TestTable::new(settings("tic-tac-toe", Clock::None), [seat("ann"), program()]);
    assert_eq!(hers.state.program_turn("t1", hers.now, &[]), None);
}

/// Two programs play tic-tac-toe, Ann has created the table.
fn demo() -> TestTable {
    TestTable::new(settings("tic-tac-toe", Clock::None), [program(), program()])
}

fn pace(paused: bool, delay_ms: u64) -> Command {
    Command::Pace { paused, delay_ms }
}

#[test]
fn a_program_is_not_charged_while_queued_or_paused() {
    let ann = person("ann");
    let clock = Clock::Game { initial_ms: 1_000, increment_ms: 0 };
    let mut table = TestTable::new(settings("connect-four", clock), [program(), program()]);
    table.play_all("4 4");
    assert_eq!(table.state.flag_at(&[]), None, "only its answer tells whether a program was in time");
    table.now += 5_000;
    table.program_plays("4", 4_400);
    assert_eq!(table.state.left_ms, Some([400, 1_000]));
    table.now += 300;
    table.command(&ann, &pace(true, 0)).unwrap();
    table.now += 60_000;
    let clocks = table.state.clocks(table.now, &[]).unwrap();
    assert_eq!((clocks.left_ms, clocks.running), ([400, 700], None));
    table.command(&ann, &pace(false, 0)).unwrap();
    table.now += 600;
    table.program_plays("4", 0);
    assert_eq!((table.state.moves.len(), table.state.left_ms), (4, Some([400, 100])));
    table.now += 401;
    table.program_plays("4", 0);
    assert_eq!(table.end(), (Some(Side::Second), EndReason::Time));
}

#[test]
fn the_creator_can_pause_and_step_programs() {
    let ann = person("ann");
    let mut table = demo();
    assert_eq!(table.state.program_to_move(), Some("random"));
    assert_eq!(code(table.command(&ann, &Command::Step {})), ErrorCode::NotAllowed);
    table.command(&ann, &pace(true, 0)).unwrap();
    assert_eq!(table.state.program_to_move(), None);
    for _ in 0..2 {
        table.command(&ann, &Command::Step {}).unwrap();
    }
    for text in ["b2", "a1"] {
        assert_eq!(table.state.program_to_move(), Some("random"), "one move for each step");
        table.play_all(text);
    }
    assert_eq!(table.state.program_to_move(), None);
    table.command(&ann, &Command::Step {}).unwrap();
    table.command(&ann, &pace(true, 500)).unwrap();
    assert_eq!(table.state.program_to_move(), None, "another pace takes the steps back");
    table.command(&ann, &pace(false, 500)).unwrap();
    assert_eq!(table.state.program_to_move(), Some("random"));
}

#[test]
fn a_pace_is_at_most_ten_seconds_for_a_move() {
    let ann = person("ann");
    let mut table = demo();
    assert_eq!((table.state.pace().paused, table.state.pace().delay_ms), (false, 700));
    let version = table.state.version;
    assert_eq!(table.command(&ann, &pace(false, 700)), Ok(Decision::AlreadyDone { version }));
    let slow = Event::Paced { paused: false, delay_ms: 10_000 };
    assert_eq!(table.command(&ann, &pace(false, u64::MAX)), Ok(Decision::Append(vec![slow])));
    let version = table.state.version;
    assert_eq!(table.command(&ann, &pace(false, 20_000)), Ok(Decision::AlreadyDone { version }));
}

#[test]
fn only_the_creator_paces_and_ends_a_game_of_two_programs() {
    let (ann, eve) = (person("ann"), person("eve"));
    let mut table = demo();
    for command in [pace(true, 0), Command::Step {}, Command::Resign {}] {
        assert_eq!(code(table.command(&eve, &command)), ErrorCode::NotSeated, "{command:?}");
    }
    table.play_all("b2 a1");
    table.command(&ann, &Command::Resign {}).unwrap();
    assert_eq!(table.end(), (None, EndReason::Aborted), "neither program has lost");
    assert_eq!(table.state.program_to_move(), None);
    for command in [pace(true, 0), Command::Step {}, Command::Resign {}] {
        assert_eq!(code(table.command(&ann, &command)), ErrorCode::GameOver, "{command:?}");
    }
    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [seat("ann"), program()]);
    for command in [pace(true, 0), Command::Step {}] {
        assert_eq!(code(table.command(&ann, &command)), ErrorCode::NotAllowed, "a person plays");
    }
}

#[test]
fn a_program_answers_when_it_is_to_move() {
    let mut table = TestTable::new(settings("tic-tac-toe", Clock::None), [program(), Occupant::Open]);
    assert_eq!(table.state.program_to_move(), None, "the other seat is open");
    table.command(&person("ann"), &Command::Sit {}).unwrap();
    assert_eq!(table.state.program_to_move(), Some("random"));
    let context = table.context();
    let thought =
        r#"{"move":"b2","candidates":["b2"],"score":7,"line":["b2"],"reasons":[],"nodes":9,"depth":2}"#;
    let thought: protocol::Thought = serde_json::from_str(thought).unwrap();
    let Ok(Decision::Append(events)) = table.state.decide_program("b2", Some(thought), 0, &context) else {
        panic!("b2 is legal")
    };
    table.apply(&events[0]);
    assert_eq!(table.state.moves[0].thought.as_ref().unwrap().nodes, 9);
    assert_eq!(table.state.program_to_move(), None);
    table.play_all("a1");
    let failed = Event::Ended { winner: Some(Side::Second), reason: EndReason::Resignation, ratings: None };
    assert_eq!(table.state.program_resigns(), failed);
    let illegal = table.state.decide_program("b2", None, 0, &context);
    assert_eq!(code(illegal), ErrorCode::IllegalMove);
}
