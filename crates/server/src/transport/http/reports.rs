//! Reports about players, which the operator reads with `alinea admin`.

use std::sync::Arc;

use axum::{extract::State, http::StatusCode};
use protocol::{ApiError, Done, ErrorCode, NewReport, Occupant};
use store::Report;

#[cfg(test)]
use super::openapi::WriteErrors;
use super::{AppState, client::Client, error::Result, identity::Caller, json::Json};
use crate::rate::RateClass;

/// Characters of the details.
const MAX_DETAILS: usize = 500;
/// Reports of one person that may be waiting for the operator.
const MAX_OPEN: u64 = 20;

/// Reports a player to the operator. A second report about the same player at the same table replaces the first.
#[cfg_attr(test, utoipa::path(post, path = "/api/reports", tag = "people", request_body = NewReport,
    responses((status = 201, body = Done), WriteErrors)))]
pub(super) async fn report(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(new): Json<NewReport>,
) -> Result<(StatusCode, Json<Done>)> {
    state.limits.check(RateClass::Create, client.share)?;
    let NewReport { table, side, reason, text } = new;
    let details = text.trim();
    if details.chars().count() > MAX_DETAILS {
        let message = format!("the text of a report has at most {MAX_DETAILS} characters");
        return Err(ErrorCode::BadMessage.because(message).into());
    }
    let row = state.store.table(&table).await.map_err(ApiError::from)?;
    let row = row.ok_or_else(|| ErrorCode::NotFound.because("there is no table with this id"))?;
    let reporter = &caller.principal;
    let subject = match &row.seats[side.index()] {
        Occupant::Person { id, .. } if reporter.is(id) => {
            return Err(ErrorCode::NotAllowed.because("you cannot report yourself").into());
        }
        Occupant::Person { id, name, .. } => (id.clone(), name.clone()),
        _ => return Err(ErrorCode::NotAllowed.because("that seat is not taken by a person").into()),
    };
    if state.store.open_reports_of(reporter.id()).await.map_err(ApiError::from)? >= MAX_OPEN {
        let message = "the operator has not settled your earlier reports yet";
        return Err(ErrorCode::NotAllowed.because(message).into());
    }
    let report = Report {
        id: store::random_hex::<8>(),
        at: state.tables.clock().now_ms(),
        table,
        reporter: (reporter.id().to_owned(), reporter.name.clone()),
        subject,
        reason,
        details: details.to_owned(),
        settled: 0,
        note: String::new(),
    };
    state.store.add_report(&report).await.map_err(ApiError::from)?;
    state.audit("player_reported", &report.reporter.0, &report.subject.0, format!("report {}", report.id));
    Ok((StatusCode::CREATED, Json(Done::new())))
}
