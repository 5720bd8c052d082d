//! A position as a picture: SVG to share, and a PNG card for the previews of links, which few sites draw from SVG. Both
//! are written from one list of shapes.

mod board;
mod png;
mod svg;

pub(crate) use png::card;
pub(crate) use svg::svg;
