//! Stand-ins for types of `rules` in the OpenAPI document and in TypeScript, which `rules` knows nothing of.

/// A side of a game: `first` moves first.
#[derive(ts_rs::TS, utoipa::ToSchema)]
#[ts(rename = "Side", rename_all = "lowercase")]
#[schema(as = Side, rename_all = "lowercase")]
#[allow(dead_code, reason = "stands for `rules::Side` in the document")]
pub(crate) enum SideSchema {
    First,
    Second,
}
