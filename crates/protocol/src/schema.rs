//! Names for the OpenAPI document of types that live where nobody knows of it.

use utoipa::ToSchema;

/// A side of a game: `first` moves first.
#[derive(ToSchema)]
#[schema(as = Side, rename_all = "lowercase")]
#[allow(dead_code, reason = "stands for `rules::Side` in the document")]
pub(crate) enum SideSchema {
    First,
    Second,
}
