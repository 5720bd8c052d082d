//! Offers between the players: draws, take-backs, rematches; and claims when the opponent has left.

use super::*;

/// Ann and Bob after these moves.
fn after(moves: &str) -> (Principal, Principal, TestTable) {
    let mut table = TestTable::between("connect-four");
    table.play_all(moves);
    (person("ann"), person("bob"), table)
}

fn on_both_sides() -> TestTable {
    TestTable::new(settings("connect-four", Clock::None), [seat("ann"), seat("ann")])
}

fn against_program() -> TestTable {
    TestTable::new(settings("connect-four", Clock::None), [seat("ann"), program()])
}

fn is_already_done(result: &Result<Decision, ApiError>) -> bool {
    matches!(result, Ok(Decision::AlreadyDone { .. }))
}

#[test]
fn a_draw_needs_both_players() {
    let (ann, bob, mut table) = after("4");
    assert_eq!(code(table.command(&bob, &Command::DeclineDraw {})), ErrorCode::NothingToAnswer);
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    assert_eq!(code(table.command(&ann, &Command::DeclineDraw {})), ErrorCode::NothingToAnswer);
    let version = table.state.version;
    assert_eq!(table.command(&ann, &Command::OfferDraw {}), Ok(Decision::AlreadyDone { version }));
    table.command(&bob, &Command::DeclineDraw {}).unwrap();
    assert_eq!(table.state.offers.draw, None);
    table.command(&bob, &Command::OfferDraw {}).unwrap();
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    assert_eq!(table.end(), (None, EndReason::Agreement));
    assert_eq!(table.state.offers.draw, None);
}

#[test]
fn a_draw_is_offered_again_after_two_more_moves() {
    let (ann, bob, mut table) = after("4 4");
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    table.command(&bob, &Command::DeclineDraw {}).unwrap();
    for text in ["4", "4"] {
        assert_eq!(code(table.command(&ann, &Command::OfferDraw {})), ErrorCode::TooEarly);
        table.play_all(text);
    }
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    assert_eq!(table.state.offers.draw, Some(Side::First));
}

#[test]
fn a_draw_offer_lapses_when_the_opponent_moves() {
    let (ann, _, mut table) = after("");
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    table.play_all("4");
    assert_eq!(table.state.offers.draw, Some(Side::First));
    table.play_all("4");
    assert_eq!(table.state.offers.draw, None);
}

#[test]
fn a_program_declines_a_draw_and_one_person_agrees_at_once() {
    let ann = person("ann");
    let mut table = against_program();
    let (offered, declined) =
        (Event::DrawOffered { side: Side::First }, Event::DrawDeclined { side: Side::Second });
    assert_eq!(table.command(&ann, &Command::OfferDraw {}), Ok(Decision::Append(vec![offered, declined])));
    assert_eq!((table.state.offers.draw, table.state.status), (None, Status::Playing));
    assert_eq!(code(table.command(&ann, &Command::OfferDraw {})), ErrorCode::TooEarly);

    let mut table = on_both_sides();
    table.command(&ann, &Command::OfferDraw {}).unwrap();
    assert_eq!(table.end(), (None, EndReason::Agreement));
}

/// The last move of the player who asks is taken back, and the answer to it.
#[test]
fn taking_back_removes_the_last_move_of_the_player_who_asks() {
    for (moves, asks, left) in
        [("4 5", "ann", 0), ("4 5", "bob", 1), ("4 5 6", "ann", 2), ("4 5 6", "bob", 1)]
    {
        let (_, _, mut table) = after(moves);
        let agrees = if asks == "ann" { "bob" } else { "ann" };
        table.command(&person(asks), &Command::TakeBack {}).unwrap();
        assert_eq!(
            table.state.moves.len(),
            moves.split(' ').count(),
            "nothing changes before the other agrees"
        );
        table.command(&person(agrees), &Command::TakeBack {}).unwrap();
        assert_eq!(table.state.moves.len(), left, "{moves}, {asks}");
        assert_eq!(table.state.game.moves().len(), left);
        assert_eq!(table.state.offers.take_back, None);
    }
}

#[test]
fn a_request_to_take_back_waits_for_its_answer() {
    let (ann, bob, mut table) = after("4");
    let (ask, decline) = (Command::TakeBack {}, Command::DeclineTakeBack {});
    assert_eq!(code(table.command(&bob, &ask)), ErrorCode::NothingToAnswer, "Bob has made no move");
    assert_eq!(code(table.command(&bob, &decline)), ErrorCode::NothingToAnswer);
    assert_eq!(
        table.command(&ann, &ask),
        Ok(Decision::Append(vec![Event::TakeBackAsked { side: Side::First }]))
    );
    let version = table.state.version;
    assert_eq!(table.command(&ann, &ask), Ok(Decision::AlreadyDone { version }));
    assert_eq!(code(table.command(&ann, &decline)), ErrorCode::NothingToAnswer);
    table.command(&bob, &decline).unwrap();
    assert_eq!((table.state.offers.take_back, table.state.moves.len()), (None, 1));
    table.command(&ann, &ask).unwrap();
    table.play_all("4");
    assert_eq!(table.state.offers.take_back, None, "a move declines it");
}

#[test]
fn programs_and_oneself_need_not_agree_to_take_back() {
    let ann = person("ann");
    let mut table = against_program();
    assert_eq!(code(table.command(&ann, &Command::TakeBack {})), ErrorCode::NothingToAnswer);
    table.play_all("4 5");
    table.command(&ann, &Command::TakeBack {}).unwrap();
    assert_eq!(table.state.moves.len(), 0);

    let mut table = TestTable::new(settings("connect-four", Clock::None), [program(), seat("ann")]);
    table.play_all("4");
    assert_eq!(code(table.command(&ann, &Command::TakeBack {})), ErrorCode::NothingToAnswer);
    table.play_all("5");
    table.command(&ann, &Command::TakeBack {}).unwrap();
    assert_eq!(table.state.moves.len(), 1, "the move of the program before it stays");

    let mut table = on_both_sides();
    assert_eq!(code(table.command(&ann, &Command::TakeBack {})), ErrorCode::NothingToAnswer);
    table.play_all("4 5 6");
    table.command(&ann, &Command::TakeBack {}).unwrap();
    assert_eq!((table.state.moves.len(), table.state.game.turn()), (2, Side::First));
}

#[test]
fn moves_are_taken_back_only_where_that_was_agreed() {
    let settings = Settings { take_back: false, ..settings("connect-four", Clock::None) };
    let mut table = TestTable::new(settings, [seat("ann"), program()]);
    table.play_all("4");
    assert_eq!(code(table.command(&person("ann"), &Command::TakeBack {})), ErrorCode::NotAllowed);
}

#[test]
fn offers_lapse_when_moves_are_taken_back() {
    let (ann, bob, mut table) = after("4 4 4");
    table.command(&bob, &Command::OfferDraw {}).unwrap();
    table.command(&ann, &Command::TakeBack {}).unwrap();
    table.command(&bob, &Command::TakeBack {}).unwrap();
    assert_eq!((table.state.offers.draw, table.state.offers.take_back), (None, None));
    table.command(&bob, &Command::OfferDraw {}).unwrap();
    assert_eq!(table.state.offers.draw, Some(Side::Second), "the game is another one now");
}

#[test]
fn a_move_from_before_a_take_back_is_refused() {
    let (ann, bob, mut table) = after("4 4 5");
    let seen = table.state.version;
    table.command(&ann, &Command::TakeBack {}).unwrap();
    table.command(&bob, &Command::TakeBack {}).unwrap();
    let again = |seen| Command::MakeMove { ply: 3, text: "5".to_owned(), lag_ms: 0, seen };
    assert_eq!(code(table.command(&ann, &again(Some(seen)))), ErrorCode::StalePly);
    assert_eq!(code(table.command(&ann, &again(Some(table.state.version - 1)))), ErrorCode::StalePly);
    assert_eq!(table.state.moves.len(), 2);
    let now = Some(table.state.version);
    table.command(&ann, &again(now)).unwrap();
    assert_eq!(table.state.moves.len(), 3);
}

/// The grace period is a minute.
#[test]
fn a_game_can_be_claimed_when_the_opponent_has_been_away_for_long_enough() {
    use Claim::{Draw, Win};
    use EndReason::{Abandoned, Aborted};
    let away = |first, second| [first, second];
    for (who, away_ms, claim, end) in [
        ("ann", away(None, None), Win, None),
        ("ann", away(None, Some(59_999)), Win, None),
        ("ann", away(Some(90_000), None), Win, None),
        ("ann", away(None, Some(60_000)), Win, Some((Some(Side::First), Abandoned))),
        ("ann", away(Some(5), Some(60_001)), Draw, Some((None, Abandoned))),
        ("bob", away(Some(60_000), None), Win, Some((Some(Side::Second), Abandoned))),
        ("bob", away(None, Some(60_000)), Win, None),
    ] {
        for (moves, tournament) in [("4 4", None), ("4", None), ("4", Some("cup".to_owned()))] {
            let counts = moves == "4 4" || tournament.is_some();
            let settings = Settings { tournament, ..settings("connect-four", Clock::None) };
            let mut table = TestTable::new(settings, [seat("ann"), seat("bob")]);
            table.play_all(moves);
            let when = Context { away_ms, ..table.context() };
            let claimed = table.command_in(&person(who), &Command::Claim { result: claim }, &when);
            match end {
                Some(end) if counts => assert_eq!(table.end(), end, "{who} {away_ms:?}"),
                Some(_) => assert_eq!(table.end(), (None, Aborted), "one move does not count"),
                None => assert_eq!(code(claimed), ErrorCode::TooEarly, "{who} {away_ms:?}"),
            }
        }
    }
}

#[test]
fn nothing_is_claimed_from_programs_and_from_oneself() {
    for mut table in [against_program(), on_both_sides()] {
        table.play_all("4 4");
        let when = Context { away_ms: [Some(90_000); 2], ..table.context() };
        let claim = Command::Claim { result: Claim::Win };
        assert_eq!(code(table.command_in(&person("ann"), &claim, &when)), ErrorCode::TooEarly);
    }
}

#[test]
fn a_rematch_needs_both_players_and_is_created_once() {
    let (ann, bob, mut table) = after("4 4");
    let rematch = Command::Rematch {};
    assert_eq!(code(table.command(&ann, &rematch)), ErrorCode::NotOver);
    table.command(&bob, &Command::Resign {}).unwrap();
    assert_eq!(code(table.command(&person("eve"), &rematch)), ErrorCode::NotSeated);
    let offered = Event::RematchOffered { side: Side::First };
    assert_eq!(table.command(&ann, &rematch), Ok(Decision::Append(vec![offered])));
    assert_eq!(table.state.offers.rematch, Some(Side::First));
    assert!(is_already_done(&table.command(&ann, &rematch)));
    assert_eq!(table.command(&bob, &rematch), Ok(Decision::CreateRematch));
    table.apply(&Event::Rematch { table: "next".to_owned() });
    assert_eq!((table.state.rematch(), table.state.offers.rematch), (Some("next"), None));
    for who in [&ann, &bob] {
        assert!(is_already_done(&table.command(who, &rematch)));
    }
}

#[test]
fn programs_and_oneself_need_not_agree_to_a_rematch() {
    for mut table in [against_program(), on_both_sides()] {
        table.play_all("4 4");
        table.command(&person("ann"), &Command::Resign {}).unwrap();
        assert_eq!(table.command(&person("ann"), &Command::Rematch {}), Ok(Decision::CreateRematch));
    }
}

#[test]
fn there_is_no_rematch_without_an_opponent() {
    let mut table = TestTable::new(settings("connect-four", Clock::None), [seat("ann"), Occupant::Open]);
    table.command(&person("ann"), &Command::Resign {}).unwrap();
    assert_eq!(code(table.command(&person("ann"), &Command::Rematch {})), ErrorCode::NotAllowed);
}
