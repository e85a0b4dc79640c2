//! The command line, in the process of Python.

use std::ffi::OsString;
use std::panic::catch_unwind;
use std::process::{self, ExitCode};

use pyo3::prelude::*;

/// Runs the command that the arguments name, and ends the process: neither Python nor its handlers of signals go on after it.
/// The words of `program` start a further process.
#[pyfunction]
pub(crate) fn command_line(py: Python<'_>, program: Vec<OsString>, arguments: Vec<OsString>) {
    let end = py.detach(|| catch_unwind(|| gridmill::cli::main(program, arguments)));
    // An `ExitCode` does not tell its number; 101 is the code of a program that panics.
    let is_end = |&code: &u8| end.as_ref().is_ok_and(|&end| end == ExitCode::from(code));
    process::exit((0..=u8::MAX).find(is_end).unwrap_or(101).into())
}
