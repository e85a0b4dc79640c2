//! Makes grids and puzzles. Knows no files and no threads.

mod random_grids;

pub(crate) use self::random_grids::RandomGrids;
