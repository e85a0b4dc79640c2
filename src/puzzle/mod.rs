//! Puzzles and grids: their sizes, houses and rules, batches of them, and their isomorphisms.

mod batch;
mod geometry;
mod isomorph;
mod owned;
mod puzzles;
pub mod random;
pub mod rules;
mod transform;

pub use self::batch::Batch;
pub use self::geometry::{Geometry, House, Order};
pub use self::isomorph::Isomorph;
pub use self::owned::{CellsError, Puzzle, Solution};
pub use self::puzzles::Puzzles;
pub use self::transform::{Grid, Transform};
pub(crate) use self::transform::{LINE_ORDERS, ORDERS_OF_THREE, line_order};
