//! The program `gridmill`: the command line of the library.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let program = env::current_exe().unwrap_or_else(|_| "gridmill".into());
    ExitCode::from(gridmill::cli::main(vec![program.into()], env::args_os().skip(1).collect()) as u8)
}
