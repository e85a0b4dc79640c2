//! The command line of gridmill: parses the arguments, runs a command, and turns its result into an exit code. The
//! program calls it, and the Python package.
//!
//! ```text
//!   bench      times solvers, and compares their answers
//!   card       describes data sets: data cards, Croissant; certificates
//!   call       the words of the command line as they were given
//!   ui         progress and messages on the terminal
//!   plugin     solvers in shared libraries
//!   report     reports of runs, for the terminal and as pages
//!   signals    Ctrl-C
//!   args       the arguments that several commands have
//!   book       books of puzzles to print
//!   commands   a command: its arguments, its job and its words
//!   parser     the list of the commands
//! ```
//!
//! A room uses only rooms above it, and the public interface of the library, by the name `gridmill`, as any other program;
//! only `bench` and `card` know more of the library.

mod args;
pub mod bench;
mod book;
mod call;
pub mod card;
mod commands;
mod parser;
#[cfg(unix)]
mod plugin;
mod report;
mod signals;
mod ui;

use std::ffi::OsString;
use std::io::{self, Write};
use std::iter;
use std::path::Path;

use clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

use gridmill::corpus::Origin;
use gridmill::jobs::Finished;

pub use self::call::Exit;
pub use self::commands::frame::Report;
use self::commands::frame::Run;
pub use self::commands::trace::text_of;
pub use self::parser::complete;
use self::report::ReportFile;
use self::ui::{ending, progress};

/// Runs the command that the arguments name, once in a process. The words of `program` start a further one.
pub fn main(program: Vec<OsString>, arguments: Vec<OsString>) -> Exit {
    call::set(program, arguments);
    let words = iter::once("gridmill".into()).chain(call::arguments().iter().cloned());
    let command = match parser::parse(words) {
        Ok(command) => command,
        // Help and versions, including help for missing arguments, are not errors to reword.
        Err(error) if !error.use_stderr() || error.kind() == DisplayHelpOnMissingArgumentOrSubcommand => {
            let printed = error.print().and_then(|()| io::stdout().flush()).map_err(anyhow::Error::from);
            let end = if error.use_stderr() { Exit::Trouble } else { Exit::Success };
            return exit_code(printed.map(|()| end));
        }
        Err(error) => {
            let commands = complete();
            let command = call::arguments().first().and_then(|name| commands.find_subcommand(name));
            progress::say_error(args::in_one_line(&error, command));
            return Exit::Trouble;
        }
    };
    signals::outlive_file_limits();
    exit_code(run(&*command))
}

/// Writes the page of a report, which names these inputs.
///
/// # Errors
///
/// If the page cannot be written, or an input cannot be read again.
pub fn write_page<R: Report>(finished: &Finished<R>, path: &Path, inputs: &[Origin]) -> anyhow::Result<()> {
    finished.report.page(&finished.run).map_or(Ok(()), |page| ReportFile { path, inputs }.write(&page))
}

/// The exit code for the result of a run. Errors are printed.
fn exit_code(end: anyhow::Result<Exit>) -> Exit {
    match end {
        Ok(code) => code,
        // The reader of the output has closed it.
        Err(error) if ending::is_broken_pipe(&error) => Exit::Success,
        Err(error) => {
            progress::say_error(ending::with_remedy(&error));
            Exit::Trouble
        }
    }
}

fn run(command: &dyn Run) -> anyhow::Result<Exit> {
    signals::listen()?;
    if !command.may_abort() {
        signals::exit_without_memory();
    }

    // Wrong names of outputs must be noticed before any work, not after hours of it.
    let files = command.files()?;
    files.check()?;
    files.try_small()?;
    command.run()
}
