//! Puzzles: sizes, houses and rules, batches of puzzles, pencilmark puzzles, isomorphisms and symmetries.

mod batch;
mod geometry;
mod isomorph;
mod owned;
pub(crate) mod packed;
mod pencilmarks;
pub(crate) mod random;
pub mod rules;
mod size;
mod symmetry;
mod unavoidable;

pub use self::batch::Batch;
#[doc(hidden)]
pub use self::batch::Puzzles;
pub(crate) use self::geometry::shifted_grid;
pub use self::geometry::{Geometry, Grid, House};
pub use self::isomorph::{Isomorph, IsomorphKind};
pub use self::owned::{CellsError, Puzzle, Solution};
pub use self::pencilmarks::Pencilmarks;
pub use self::size::Size;
pub(crate) use self::size::{BoxShape, ForEachSize, SizeWithBoxes, with_constant};
pub use self::symmetry::Symmetry;
pub(crate) use self::symmetry::{Orbit, Orbits};
pub(crate) use self::unavoidable::{CellSet, UnavoidableSets, find_two_line_sets};

/// The numbers of the bits of a set, in ascending order: of cells, places or digits.
pub(crate) fn members(set: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut left = set.into();
    std::iter::from_fn(move || {
        let member = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        member
    })
}
