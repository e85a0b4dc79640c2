//! The command line of gridmill: parse, hand over to a command, turn its end into an exit code.
//!
//! Exit codes: 0 for a finished run, 1 for findings that the user asked for, 2 for a run that could not be
//! done, 130 for one that was interrupted.

mod args;
mod commands;
#[cfg(unix)]
mod plugin;
mod report;
mod signals;
mod ui;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

use self::args::{Cli, Command};
use self::commands::{
    augment, bench, canon, completions, dedupe, explain, formats, generate, man, merge, pipe, rate, sample, sheet,
    solve, split, validate,
};
use self::ui::{ending, progress};

fn main() -> ExitCode {
    let arguments = match Cli::try_parse() {
        Ok(arguments) => arguments,
        // Help and versions, and help where nothing was asked for, are not failures of ours to put in words.
        Err(error) if !error.use_stderr() || error.kind() == DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        Err(error) => {
            progress::say_error(args::in_one_line(&error));
            return ExitCode::from(2);
        }
    };
    signals::outlive_file_limits();
    match run(&arguments.command) {
        Ok(code) => code,
        // The reader of the output has closed it.
        Err(error) if ending::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            progress::say_error(ending::with_remedy(&error));
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command) -> anyhow::Result<ExitCode> {
    signals::listen()?;
    command.files()?.check()?;
    match command {
        Command::Solve(arguments) => solve::run(arguments),
        Command::Pipe(arguments) => pipe::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Generate(arguments) => generate::run(arguments),
        Command::Validate(arguments) => validate::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Canon(arguments) => canon::run(arguments),
        Command::Rate(arguments) => rate::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Split(arguments) => split::run(arguments),
        Command::Augment(arguments) => augment::run(arguments),
        Command::Sheet(arguments) => sheet::run(arguments),
        Command::Dedupe(arguments) => dedupe::run(arguments),
        Command::Sample(arguments) => sample::run(arguments),
        #[cfg(unix)]
        Command::PluginSolver(arguments) => plugin::run(arguments),
        Command::Formats => formats::run(),
        Command::Completions { shell } => completions::run(*shell),
        Command::Man { dir } => man::run(dir.as_deref()),
    }
}
