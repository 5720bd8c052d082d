//! A position as a picture: SVG for sharing, and a PNG card for link previews, because few sites accept SVG
//! there. Both are written from one list of shapes.

mod board;
mod cache;
mod png;
mod svg;

pub(crate) use cache::{PictureCache, PictureKey};
pub(crate) use png::card;
pub(crate) use svg::svg;
