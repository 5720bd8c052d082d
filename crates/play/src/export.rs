//! Games of tables in Alinea's text format.

use futures_util::future::BoxFuture;
use protocol::{ApiError, EndReason, ErrorCode, Occupant};
use rules::{Outcome, Side, game_text};
use sentences::{english, person_name};
use serde_json::Value;
use table::State;

use crate::table::Registry;

impl Registry {
    /// A game as text.
    ///
    /// # Errors
    /// If there is no such table, or the store is unavailable.
    pub fn game_text<'a>(&'a self, table: &'a str) -> BoxFuture<'a, Result<String, ApiError>> {
        Box::pin(async move {
            let state = self.replay(table).await?;
            let state = state.ok_or_else(|| ErrorCode::UnknownTable.because("there is no such table"))?;
            Ok(text(table, &state))
        })
    }
}

fn text(table: &str, state: &State) -> String {
    let name = |side: Side| match &state.seats()[side.index()] {
        Occupant::Open => "?".to_owned(),
        Occupant::Person { name, .. } => person_name(english(), name),
        Occupant::Program { name, .. } => name.clone(),
    };
    let settings = state.settings();
    let mut tags = vec![
        ("Event", if settings.unverified { "Saved by a player" } else { "Alinea online" }.to_owned()),
        ("Table", table.to_owned()),
        ("Game", settings.game.clone()),
        ("First", name(Side::First)),
        ("Second", name(Side::Second)),
    ];
    if let Some(position) = &settings.position {
        tags.push(("Position", position.clone()));
    }
    let clock = serde_json::to_string(&settings.clock).expect("a clock can be written as JSON");
    tags.push(("Clock", clock));
    let outcome = state.result().filter(|result| result.reason != EndReason::Aborted);
    let outcome = outcome.map(|result| result.winner.map_or(Outcome::Draw, Outcome::Win));
    tags.push(("Result", game_text::result(outcome).to_owned()));
    if let Some(result) = state.result().filter(|result| result.reason != EndReason::Rules)
        && let Ok(Value::String(reason)) = serde_json::to_value(result.reason)
    {
        tags.push(("Termination", reason));
    }
    let starts_second = settings.position.as_deref().is_some_and(|position| position.ends_with(" b"));
    let moves = state.moves().iter().map(|played| played.text.as_str());
    game_text::write(&tags, starts_second, moves, &[], outcome)
}
