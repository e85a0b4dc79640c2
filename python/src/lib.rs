//! The native part of the Python package: arrays in, jobs of gridmill, arrays out.
//!
//! The functions here are called by the modules in `gridmill/`, which check the types and values of their arguments.

mod batches;
mod errors;
mod files;
mod grids;
mod input;
mod interrupt;
mod isomorphs;
mod jobs;
mod settings;

use pyo3::prelude::*;

#[pymodule]
mod _gridmill {
    #[pymodule_export]
    use super::batches::Batches;
    #[pymodule_export]
    use super::files::{solve_file, validate_file};
    #[pymodule_export]
    use super::input::Cells;
    #[pymodule_export]
    use super::jobs::{canonical, generate, isomorphs, rate, solve, validate};
    #[pymodule_export]
    use super::settings::{Checks, Settings};
}
