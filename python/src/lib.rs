//! The native part of the Python package: arrays in, jobs of gridmill, arrays out.
//!
//! The functions here are called by the modules in `gridmill/`, which check the types and values of their arguments.

mod batches;
mod columns;
mod errors;
mod grids;
mod input;
mod interrupt;
mod jobs;
mod output;
mod puzzle;
mod read_csv;
mod row_job;
mod settings;
mod single;

use pyo3::prelude::*;

#[pymodule]
mod _gridmill {
    #[pymodule_export]
    use super::batches::Batches;
    #[pymodule_export]
    use super::columns::columns;
    #[pymodule_export]
    use super::input::Cells;
    #[pymodule_export]
    use super::jobs::{Generator, Job};
    #[pymodule_export]
    use super::output::Output;
    #[pymodule_export]
    use super::puzzle::{line_of_cells, read_puzzle};
    #[pymodule_export]
    use super::read_csv::read_csv;
    #[pymodule_export]
    use super::settings::Settings;
    #[pymodule_export]
    use super::single::Single;

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
