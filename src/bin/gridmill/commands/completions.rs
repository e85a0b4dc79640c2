//! `gridmill completions`: prints the script with which a shell completes our options.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Command;
use clap_complete::Shell;

/// Prints the script for the options of `gridmill`.
pub(crate) fn run(mut gridmill: Command, shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut gridmill, "gridmill", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
