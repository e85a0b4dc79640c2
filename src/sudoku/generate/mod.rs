//! Makes puzzles with exactly one solution, and random full grids: 4x4, 6x6 and 9x9 with exactly the same probability for
//! all grids. Knows no files and no threads.
//!
//! Each size draws one of some grids that stand for all; then a random isomorphism makes all isomorphs of a grid equally
//! likely.

mod attempt;
mod bands;
mod error;
mod generator;
mod hill_climbing;
mod large;
mod nine;
mod reduction;
mod small;
mod spec;
pub(crate) mod trial;

use std::mem;

use rand_xoshiro::rand_core::Rng;

pub use self::bands::{BandCounts, BandShare, Uniformity};
pub use self::error::GenerateError;
pub use self::generator::Generator;
use self::large::LargeGrids;
use self::nine::NineGrids;
use self::small::SmallGrids;
pub use self::spec::{ClueRange, Pattern, PuzzleSpec, Shape, Target};
use crate::puzzle::{Isomorph, Size};

/// Makes random full grids of one size.
#[derive(Debug)]
pub(crate) struct RandomGrids {
    size: Size,
    drawing: Drawing,
    /// The grid before the isomorphism.
    drawn: Vec<u8>,
}

/// How grids of a size are drawn.
#[derive(Debug)]
enum Drawing {
    Small(&'static SmallGrids),
    Nine(&'static NineGrids),
    Large(Box<LargeGrids>),
}

impl RandomGrids {
    pub(crate) fn new(size: Size) -> RandomGrids {
        let drawing = match size {
            Size::Four | Size::Six => Drawing::Small(SmallGrids::get(size)),
            Size::Nine => Drawing::Nine(NineGrids::get()),
            _ => Drawing::Large(Box::new(LargeGrids::new(size))),
        };
        RandomGrids { size, drawing, drawn: vec![0; size.cells()] }
    }

    /// Writes a random full grid.
    pub(crate) fn fill(&mut self, rng: &mut impl Rng, grid: &mut [u8]) {
        let isomorph = Isomorph::random(self.size, rng);
        let mut drawn = mem::take(&mut self.drawn);
        self.draw(rng, &mut drawn);
        isomorph.apply_into(&drawn, grid);
        self.drawn = drawn;
    }

    /// Writes a random grid that stands for its isomorphs, which are equally likely only after a random isomorphism.
    pub(crate) fn draw(&mut self, rng: &mut impl Rng, grid: &mut [u8]) {
        match &mut self.drawing {
            Drawing::Small(grids) => grids.fill(rng, grid),
            Drawing::Nine(grids) => grids.fill(rng, grid.as_mut_array().expect("a 9x9 grid has 81 cells")),
            Drawing::Large(grids) => grids.fill(rng, grid),
        }
    }
}

#[cfg(test)]
mod tests;
