//! Games of tables in the text that all of Alinea reads.

use protocol::{ApiError, EndReason, ErrorCode, Occupant};
use rules::{Outcome, Side, game_text};
use table::State;

use crate::table::{Tables, damaged, unavailable, word};

impl Tables {
    /// A game as text.
    ///
    /// # Errors
    /// If there is no such table.
    pub async fn game_text(&self, table: &str) -> Result<String, ApiError> {
        let log = self.store().events(table, 0).await.map_err(unavailable)?;
        let state = State::replay(&log)
            .map_err(damaged)?
            .ok_or_else(|| ErrorCode::UnknownTable.because("there is no such table"))?;
        Ok(text(table, &state))
    }
}

fn text(table: &str, state: &State) -> String {
    let name = |side: Side| match &state.seats()[side.index()] {
        Occupant::Open => "?".to_owned(),
        occupant => occupant.name().to_owned(),
    };
    let mut tags = vec![
        ("Event", "Alinea online".to_owned()),
        ("Table", table.to_owned()),
        ("Game", state.settings().game.clone()),
        ("First", name(Side::First)),
        ("Second", name(Side::Second)),
    ];
    if let Some(position) = &state.settings().position {
        tags.push(("Position", position.clone()));
    }
    let clock = serde_json::to_string(&state.settings().clock).expect("a clock can be written as JSON");
    tags.push(("Clock", clock));
    let outcome = state.result().filter(|result| result.reason != EndReason::Aborted);
    let outcome = outcome.map(|result| result.winner.map_or(Outcome::Draw, Outcome::Win));
    tags.push(("Result", game_text::result(outcome).to_owned()));
    if let Some(result) = state.result().filter(|result| result.reason != EndReason::Rules) {
        tags.push(("Termination", word(&result.reason)));
    }
    let starts_second = state.settings().position.as_deref().is_some_and(|position| position.ends_with(" b"));
    let moves = state.moves().iter().map(|played| played.text.as_str());
    game_text::write(&tags, starts_second, moves, outcome)
}
