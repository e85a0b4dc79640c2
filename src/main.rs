//! The program `gridmill`: the command line of the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    gridmill::cli::main()
}
