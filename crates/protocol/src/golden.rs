//! Checks the golden messages in `fixtures/`, which the tests of the page also read: each must be written
//! back as it was read.

use std::{collections::BTreeMap, fs, path::Path};

use players::Reason;
use rules::GAMES;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use study::review::Reviewed;
use testkit::check_generated;
use utoipa::{
    PartialSchema,
    openapi::{RefOr, Schema, schema::OneOf},
};

use crate::{
    AccountData, AnalysisRequest, Answer, ApiError, Assessment, BotEvent, Command, Confirmation, Credentials,
    ErrorCode, Event, GameEntry, GameRecord, GuestName, GuestWords, KeptGame, LearnedEverywhere, LearnedHere,
    Me, NewPassword, NewReport, NewTable, NewToken, NewTournament, Occupant, Opponent, Paired, Profile, Push,
    Puzzle, PuzzleAttempt, PuzzleProgress, PuzzleRecord, PuzzleStep, RankingEntry, RatingPoint, Recovery,
    RecoveryCode, Replay, Request, ServerInfo, SessionSummary, TableCreated, TableList, TableStreamLine,
    TokenCreated, TokenSummary, TournamentCommand, TournamentCreated, TournamentEvent, TournamentSummary,
};

const PACKAGE: &str = env!("CARGO_PKG_NAME");
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");

/// Reads the messages of a file, by their names.
fn read(file: &str) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(Path::new(FIXTURES).join(file)).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Whether a message is written back as it was read.
fn round_trips<T: Serialize + DeserializeOwned>(name: &str, message: &Value) {
    let read: T =
        serde_json::from_value(message.clone()).unwrap_or_else(|error| panic!("{name}: {error}\n{message}"));
    assert_eq!(serde_json::to_value(&read).unwrap(), *message, "{name}");
}

/// The names of all fields of a message that is only written, nested ones included.
fn form(message: &Value) -> Value {
    match message {
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), form(field))).collect(),
        Value::Array(items) => items.first().map_or(Value::Null, form),
        _ => Value::Null,
    }
}

/// The names of the variants of an enum, from its schema.
fn variants<T: PartialSchema>(tag: Option<&str>) -> Vec<String> {
    let RefOr::T(Schema::OneOf(OneOf { items, .. })) = T::schema() else { panic!("an enum with fields") };
    let name = |item: &RefOr<Schema>| {
        let schema = serde_json::to_value(item).unwrap();
        let parts = schema["allOf"].as_array().cloned().unwrap_or(vec![schema]);
        parts.iter().find_map(|part| {
            let properties = part["properties"].as_object()?;
            match tag {
                Some(tag) => Some(properties.get(tag)?["enum"][0].as_str()?.to_owned()),
                None => properties.keys().next().cloned(),
            }
        })
    };
    items.iter().map(|item| name(item).expect("a variant has a name")).collect()
}

/// Checks that the messages of a file are all kinds of an enum whose tag is a field.
fn covers<T: PartialSchema + Serialize + DeserializeOwned>(file: &str, tag: &str) {
    let messages = read(file);
    for (name, message) in &messages {
        round_trips::<T>(name, message);
    }
    for variant in variants::<T>(Some(tag)) {
        assert!(messages.values().any(|message| message[tag] == variant), "{file} has no {variant}");
    }
}

/// Checks the same for an enum whose tag is the name of the message.
fn covers_by_name<T: PartialSchema + Serialize + DeserializeOwned>(file: &str) {
    let messages = read(file);
    for (name, message) in &messages {
        round_trips::<T>(name, &json!({ name: message }));
    }
    for variant in variants::<T>(None) {
        assert!(messages.contains_key(&variant), "{file} has no {variant}");
    }
}

#[test]
fn requests_commands_and_pushes() {
    covers_by_name::<Request>("requests.json");
    covers_by_name::<Command>("commands.json");
    covers_by_name::<Push>("pushes.json");
    covers_by_name::<TableStreamLine>("table-stream.json");
    covers_by_name::<TournamentCommand>("tournament-commands.json");
    covers::<TournamentEvent>("tournament-events.json", "kind");
}

#[test]
fn events_occupants_and_reasons() {
    covers::<Event>("events.json", "kind");
    covers::<BotEvent>("bot-events.json", "kind");
    covers::<Occupant>("occupants.json", "kind");
    covers::<Opponent>("opponents.json", "kind");
    covers::<Reason>("reasons.json", "reason");
    let solved = read("reasons.json");
    let facts: Vec<_> = solved.values().filter_map(|reason| reason["fact"].as_str()).collect();
    for fact in variants::<solver::Reason>(Some("fact")) {
        assert!(facts.contains(&fact.as_str()), "reasons.json has no {fact}");
    }
}

#[test]
fn answers_and_errors() {
    for (name, message) in read("answers.json") {
        round_trips::<Answer>(&name, &message);
    }
    let errors = read("errors.json");
    for (name, message) in &errors {
        round_trips::<ApiError>(name, message);
        assert_eq!(message["code"], *name);
    }
    let codes = serde_json::to_value(ErrorCode::schema()).unwrap();
    for code in codes["enum"].as_array().unwrap() {
        assert!(errors.contains_key(code.as_str().unwrap()), "errors.json has no {code}");
    }
}

#[test]
fn bodies_and_responses() {
    for (name, message) in read("bodies.json") {
        match name.as_str() {
            "NewTable" => round_trips::<NewTable>(&name, &message),
            "Credentials" => round_trips::<Credentials>(&name, &message),
            "GuestName" => round_trips::<GuestName>(&name, &message),
            "NewPassword" => round_trips::<NewPassword>(&name, &message),
            "Confirmation" => round_trips::<Confirmation>(&name, &message),
            "Recovery" => round_trips::<Recovery>(&name, &message),
            "NewReport" => round_trips::<NewReport>(&name, &message),
            "KeptGame" => round_trips::<KeptGame>(&name, &message),
            "LearnedHere" => round_trips::<LearnedHere>(&name, &message),
            "NewToken" => round_trips::<NewToken>(&name, &message),
            "GameRecord" => round_trips::<GameRecord>(&name, &message),
            "AnalysisRequest" => round_trips::<AnalysisRequest>(&name, &message),
            "PuzzleAttempt" => round_trips::<PuzzleAttempt>(&name, &message),
            "NewTournament" => round_trips::<NewTournament>(&name, &message),
            _ => panic!("{name} is not checked"),
        }
    }
    for (name, message) in read("responses.json") {
        match name.as_str() {
            "GuestWords" => round_trips::<GuestWords>(&name, &message),
            "Me" => round_trips::<Me>(&name, &message),
            "ServerInfo" => round_trips::<ServerInfo>(&name, &message),
            "RecoveryCode" => round_trips::<RecoveryCode>(&name, &message),
            "AccountData" => round_trips::<AccountData>(&name, &message),
            "LearnedEverywhere" => round_trips::<LearnedEverywhere>(&name, &message),
            "TokenCreated" => round_trips::<TokenCreated>(&name, &message),
            "TokenSummary" => round_trips::<TokenSummary>(&name, &message),
            "SessionSummary" => round_trips::<SessionSummary>(&name, &message),
            "Profile" => round_trips::<Profile>(&name, &message),
            "RankingEntry" => round_trips::<RankingEntry>(&name, &message),
            "RatingPoint" => round_trips::<RatingPoint>(&name, &message),
            "GameEntry" => assert_eq!(form(&message), form(&json!(GameEntry::all()[1])), "{name}"),
            "TableCreated" => round_trips::<TableCreated>(&name, &message),
            "TableList" => round_trips::<TableList>(&name, &message),
            "Paired" => round_trips::<Paired>(&name, &message),
            "Replay" => round_trips::<Replay>(&name, &message),
            "Assessment" => round_trips::<Assessment>(&name, &message),
            "ReviewedMove" => round_trips::<Reviewed>(&name, &message),
            "Puzzle" => round_trips::<Puzzle>(&name, &message),
            "PuzzleRecord" => round_trips::<PuzzleRecord>(&name, &message),
            "PuzzleProgress" => round_trips::<PuzzleProgress>(&name, &message),
            "PuzzleStep" => round_trips::<PuzzleStep>(&name, &message),
            "TournamentCreated" => round_trips::<TournamentCreated>(&name, &message),
            "TournamentSummary" => round_trips::<TournamentSummary>(&name, &message),
            _ => panic!("{name} is not checked"),
        }
    }
}

/// The descriptions of all games. The tests of the page read from them what the page lacks for a game.
#[test]
fn games_are_up_to_date() {
    let games = GAMES.iter().filter(|info| info.id != "dummy");
    let games: BTreeMap<_, _> = games.map(|info| (info.id, info)).collect();
    let text = serde_json::to_string_pretty(&games).unwrap() + "\n";
    check_generated(&Path::new(FIXTURES).join("games.json"), &text, PACKAGE);
}
