//! The command line, in the process of Python.

use std::ffi::OsString;
use std::panic::catch_unwind;
use std::process;

use pyo3::prelude::*;

/// Runs the command that the arguments name, and ends the process: neither Python nor its handlers of signals go on after it.
/// The words of `program` start a further process.
#[pyfunction]
pub(crate) fn command_line(py: Python<'_>, program: Vec<OsString>, arguments: Vec<OsString>) {
    let end = py.detach(|| catch_unwind(|| gridmill::cli::main(program, arguments)));
    // 101 is the code of a program that panics.
    process::exit(end.map_or(101, |end| end as i32))
}
