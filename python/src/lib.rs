//! The native part of the Python package: arrays in, jobs of gridmill, arrays out.
//!
//! The functions here are called by the modules in `gridmill/`, which check the types and values of their arguments.

mod batches;
mod bench;
mod card;
mod classes;
mod columns;
mod command_line;
mod copies;
mod errors;
mod explain;
mod find;
mod generator;
mod grids;
mod input;
mod interrupt;
mod jobs;
mod merge;
mod options;
mod output;
mod puzzle;
mod read_csv;
mod row_job;
mod settings;
mod single;
mod streams;
mod values;

use pyo3::prelude::*;

#[pymodule]
mod _gridmill {
    #[pymodule_export]
    use super::batches::Batches;
    #[pymodule_export]
    use super::bench::Bench;
    #[pymodule_export]
    use super::classes::classes;
    #[pymodule_export]
    use super::columns::columns;
    #[pymodule_export]
    use super::command_line::command_line;
    #[pymodule_export]
    use super::copies::CopyJob;
    #[pymodule_export]
    use super::explain::{explain, explain_files, explain_one};
    #[pymodule_export]
    use super::find::find;
    #[pymodule_export]
    use super::generator::Generator;
    #[pymodule_export]
    use super::input::BatchIterator;
    #[pymodule_export]
    use super::input::Cells;
    #[pymodule_export]
    use super::jobs::Job;
    #[pymodule_export]
    use super::merge::merge;
    #[pymodule_export]
    use super::output::Output;
    #[pymodule_export]
    use super::puzzle::{line_of_cells, picture_of_cells, read_puzzle};
    #[pymodule_export]
    use super::read_csv::read_csv;
    #[pymodule_export]
    use super::settings::Settings;
    #[pymodule_export]
    use super::single::Single;
    #[pymodule_export]
    use super::streams::{Examples, GeneratedBatches};

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
