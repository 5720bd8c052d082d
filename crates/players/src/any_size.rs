//! One type for boards of any size, for code that need not be compiled for each size.

use rules::{Geometry, Huge, Size};

/// The same board in the type that holds all sizes.
pub(crate) fn of_any_size(geometry: impl Geometry) -> Huge {
    let (rows, cols, run) = (geometry.rows(), geometry.cols(), geometry.run());
    let size = Size::new(rows.into(), cols.into(), run.into()).expect("the size of a board");
    Huge::new(size).expect("all sizes fit")
}
