//! Positions as pictures, to share and for the previews of links.

use std::sync::Arc;

use axum::{
    body::Bytes,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use protocol::ErrorCode;
use rules::AnyGame;
use serde::Deserialize;

#[cfg(test)]
use super::openapi::{ReadErrors, WriteErrors};
use super::{
    AppState,
    client::Client,
    error::Result,
    extract::{PathParams, QueryParams},
};
use crate::{
    picture::{self, PictureKey},
    rate::RateClass,
};

/// A position to draw.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct PictureQuery {
    /// The game, such as `connect-four`.
    game: String,
    /// The initial position, if it is not the usual one.
    position: Option<String>,
    /// The moves from there, separated by spaces.
    #[serde(default)]
    moves: String,
}

impl PictureQuery {
    fn position(&self) -> Result<AnyGame> {
        Ok(table::recorded_game(&self.game, self.position.as_deref(), &self.moves)?)
    }
}

fn svg(game: &AnyGame) -> Response {
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "no-cache")], picture::svg(game))
        .into_response()
}

impl AppState {
    /// Draws a preview, in turn with the programs' moves, unless it was drawn lately.
    async fn png(&self, client: Client, game: AnyGame) -> Result<Response> {
        let key = PictureKey::from(&game);
        let drawn = match self.pictures.get(key) {
            Some(drawn) => drawn,
            None => {
                let permit = self.engines.picture_permit(client.share).await?;
                // Many may ask for the same picture at once.
                match self.pictures.get(key) {
                    Some(drawn) => drawn,
                    None => self.draw(key, game, permit).await?,
                }
            }
        };
        Ok(([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "no-cache")], drawn)
            .into_response())
    }

    /// Draws a preview; the permit is held until it is drawn, even if its client leaves.
    async fn draw(&self, key: PictureKey, game: AnyGame, permit: impl Send + 'static) -> Result<Bytes> {
        let drawn = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            picture::card(&game).map(Bytes::from)
        });
        let drawn = drawn.await.ok().flatten();
        let drawn = drawn.ok_or_else(|| ErrorCode::Broken.because("internal server error"))?;
        self.pictures.insert(key, drawn.clone());
        Ok(drawn)
    }

    async fn game_at(&self, table: &str) -> Result<AnyGame> {
        let state = self.tables.replay(table).await?;
        let state = state.ok_or_else(|| ErrorCode::UnknownTable.because("there is no such table"))?;
        Ok(state.game().clone())
    }
}

/// Draws a position as SVG.
#[cfg_attr(test, utoipa::path(get, path = "/api/picture.svg", tag = "study", params(PictureQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml"), WriteErrors)))]
pub(super) async fn position_svg(
    client: Client,
    State(state): State<Arc<AppState>>,
    QueryParams(wanted): QueryParams<PictureQuery>,
) -> Result<Response> {
    state.limits.check(RateClass::Read, client.share)?;
    Ok(svg(&wanted.position()?))
}

/// Draws a position as a PNG of 1200 × 630, the size of previews.
#[cfg_attr(test, utoipa::path(get, path = "/api/picture.png", tag = "study", params(PictureQuery),
    responses((status = 200, body = Vec<u8>, content_type = "image/png"), WriteErrors)))]
pub(super) async fn position_png(
    client: Client,
    State(state): State<Arc<AppState>>,
    QueryParams(wanted): QueryParams<PictureQuery>,
) -> Result<Response> {
    state.limits.check(RateClass::Create, client.share)?;
    state.png(client, wanted.position()?).await
}

/// Draws the position of a table as SVG.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{table}/picture.svg", tag = "tables",
    params(("table" = String, Path,)),
    responses((status = 200, body = String, content_type = "image/svg+xml"), ReadErrors)))]
pub(super) async fn table_svg(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(table): PathParams<String>,
) -> Result<Response> {
    state.limits.check(RateClass::Read, client.share)?;
    Ok(svg(&state.game_at(&table).await?))
}

/// Draws the position of a table as a PNG of 1200 × 630, the size of previews.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{table}/picture.png", tag = "tables",
    params(("table" = String, Path,)),
    responses((status = 200, body = Vec<u8>, content_type = "image/png"), ReadErrors)))]
pub(super) async fn table_png(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(table): PathParams<String>,
) -> Result<Response> {
    state.limits.check(RateClass::Create, client.share)?;
    let game = state.game_at(&table).await?;
    state.png(client, game).await
}
