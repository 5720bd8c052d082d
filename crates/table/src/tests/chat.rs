//! Chat between the players.

use super::*;
use crate::chat::{BURST, BURST_MS, KEPT, MAX_LENGTH, MAX_MESSAGES};

fn say(text: &str) -> Command {
    Command::Chat { text: text.to_owned() }
}

#[test]
fn what_could_disturb_a_screen_is_removed() {
    for (sent, shown) in [
        ("  <b>hi</b>\u{202e}\n\u{7}there ", "<b>hi</b> there"),
        ("zero\u{200b}width \u{feff} mark", "zero width mark"),
        ("a\u{300}\u{300}\u{300}\u{300}b", "a\u{300}\u{300}b"),
        ("a\u{300}\u{300}b\u{300}\u{300}", "a\u{300}\u{300}b\u{300}\u{300}"),
        ("¡olé! 世界 🎲", "¡olé! 世界 🎲"),
    ] {
        assert_eq!(sanitize(sent), shown);
    }
}

#[test]
fn a_message_has_one_to_three_hundred_characters() {
    let ann = person("ann");
    let mut table = TestTable::between("tic-tac-toe");
    assert_eq!(code(table.command(&ann, &say(" \u{200b} "))), ErrorCode::BadMessage);
    assert_eq!(code(table.command(&ann, &say(&"é".repeat(MAX_LENGTH + 1)))), ErrorCode::BadMessage);
    table.command(&ann, &say(&"é".repeat(MAX_LENGTH))).unwrap();
    table.command(&ann, &say("x")).unwrap();
}

#[test]
fn only_the_two_players_chat() {
    let mut table = TestTable::between("tic-tac-toe");
    assert_eq!(code(table.command(&person("eve"), &say("hello"))), ErrorCode::NotSeated);
    table.command(&person("bob"), &say(" good  luck ")).unwrap();
    let [said] = &table.state.chat.latest().collect::<Vec<_>>()[..] else { panic!("one message") };
    assert_eq!((said.from.as_str(), said.side, said.text.as_str()), ("bob", Some(Side::Second), "good luck"));
    let mut alone = TestTable::new(settings("tic-tac-toe", Clock::None), [seat("ann"), seat("ann")]);
    assert_eq!(code(alone.command(&person("ann"), &say("hello"))), ErrorCode::NotSeated);
}

#[test]
fn each_side_sends_five_messages_within_ten_seconds() {
    let (ann, bob) = (person("ann"), person("bob"));
    let mut table = TestTable::between("tic-tac-toe");
    for _ in 0..BURST {
        table.command(&ann, &say("hello")).unwrap();
        table.now += 1_000;
    }
    assert_eq!(code(table.command(&ann, &say("hello"))), ErrorCode::TooFast);
    table.command(&bob, &say("hello")).unwrap();
    table.now = START + BURST_MS - 1;
    assert_eq!(code(table.command(&ann, &say("hello"))), ErrorCode::TooFast);
    table.now = START + BURST_MS;
    table.command(&ann, &say("hello")).unwrap();
    assert_eq!(code(table.command(&ann, &say("hello"))), ErrorCode::TooFast, "the second was a second later");
    table.now += 1_000;
    table.command(&ann, &say("hello")).unwrap();
}

#[test]
fn a_table_has_at_most_five_hundred_messages_and_shows_the_last_fifty() {
    let mut table = TestTable::between("tic-tac-toe");
    for number in 0..MAX_MESSAGES {
        table.now += BURST_MS;
        table.command(&person(["ann", "bob"][number as usize % 2]), &say(&number.to_string())).unwrap();
    }
    table.now += BURST_MS;
    assert_eq!(code(table.command(&person("ann"), &say("one too many"))), ErrorCode::TooFast);
    let shown: Vec<_> = table.state.chat.latest().map(|chat| chat.text.clone()).collect();
    assert_eq!(shown.len(), KEPT);
    assert_eq!((shown[0].as_str(), shown[KEPT - 1].as_str()), ("450", "499"));
}
