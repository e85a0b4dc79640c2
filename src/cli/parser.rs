//! The command line: its commands, and the texts of `--help` and the manual pages.

use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

use crate::cli::commands::augment::AugmentArgs;
use crate::cli::commands::bench::BenchArgs;
use crate::cli::commands::canon::CanonArgs;
use crate::cli::commands::certify::CertifyArgs;
use crate::cli::commands::classes::ClassesArgs;
use crate::cli::commands::convert::ConvertArgs;
use crate::cli::commands::dedupe::DedupeArgs;
use crate::cli::commands::explain::ExplainArgs;
use crate::cli::commands::fuzz::FuzzArgs;
use crate::cli::commands::generate::GenerateArgs;
use crate::cli::commands::merge::MergeArgs;
use crate::cli::commands::pipe::PipeArgs;
use crate::cli::commands::rate::RateArgs;
use crate::cli::commands::sample::SampleArgs;
use crate::cli::commands::score::ScoreArgs;
use crate::cli::commands::sheet::SheetArgs;
use crate::cli::commands::solve::SolveArgs;
use crate::cli::commands::split::SplitArgs;
use crate::cli::commands::states::StatesArgs;
use crate::cli::commands::trace::TraceArgs;
use crate::cli::commands::validate::ValidateArgs;
#[cfg(unix)]
use crate::cli::plugin::PluginArgs;

/// The help of the program: its commands in groups, on one screen of 24 lines.
const HELP: &str = "\
{about}
Usage: gridmill COMMAND [OPTIONS] [FILES]...    Examples: gridmill COMMAND -h

Solve and check:
  solve        solve all puzzles of files  validate  find errors, repeats, leaks
Make:
  generate     make new puzzles            sheet     make a book to print
Data sets:
  convert      write another format        split     divide without leaks
  dedupe       leave out repetitions       sample    take records at random
  canon        find canonical forms        classes   list classes, not puzzles
  merge        merge outputs of shards     certify   pass or fail a test set
Models:
  augment      make random isomorphs       score     judge answers of models
  trace        write steps to learn from   states    judge partly filled grids
Difficulty:
  rate         find ER and level           explain   show the steps of a person
Tools:
  bench        compare speeds of solvers   fuzz      compare their answers
  pipe         answer line by line         formats   list all formats
  completions  complete names in a shell   man       print manual pages

Exit codes: 0 done, 1 findings, 2 error, 130 interrupted. Version: gridmill -V";

/// The help of a command: the examples come first.
const COMMAND_HELP: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}";

/// The exit codes, for the manual page.
const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    findings: see `solve --strict`, `validate --fail-on`, `certify`, `bench` and `fuzz`
  2    error
  3    `bench` cannot tell whether a solver is slower
  130  interrupted

Each command has examples in its help: gridmill solve -h";

/// Solves, checks and benchmarks Sudoku collections of any size.
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    max_term_width = 100,
    help_template = HELP,
    after_help = EXIT_CODES
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands. If a command has its own type of arguments, its description is there.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    Solve(SolveArgs),
    Pipe(PipeArgs),
    Bench(BenchArgs),
    Fuzz(FuzzArgs),
    Generate(GenerateArgs),
    Validate(ValidateArgs),
    Certify(CertifyArgs),
    Merge(MergeArgs),
    #[command(aliases = ["canonicalize", "canonicalise"])]
    Canon(CanonArgs),
    Classes(ClassesArgs),
    Score(ScoreArgs),
    States(StatesArgs),
    Convert(ConvertArgs),
    #[command(alias = "grade")]
    Rate(RateArgs),
    Explain(ExplainArgs),
    Trace(TraceArgs),
    Split(SplitArgs),
    Augment(AugmentArgs),
    Sheet(SheetArgs),
    Dedupe(DedupeArgs),
    Sample(SampleArgs),
    #[cfg(unix)]
    #[command(hide = true)]
    PluginSolver(PluginArgs),
    /// List the input and output formats, with an example of each
    Formats,
    /// Print a script that completes gridmill's options in a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write a page for each command
    Man {
        /// Write gridmill.1, gridmill-solve.1, ... to this directory
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
    },
}

/// The command line. A parser builds only the arguments of the command that is called: building all would take most of
/// the time of a start.
pub(crate) fn command() -> clap::Command {
    Cli::command().mut_subcommands(|command| command.help_template(COMMAND_HELP))
}

/// The command line with the arguments of all commands.
pub(crate) fn complete() -> clap::Command {
    command().mut_subcommands(|command| {
        // A version is passed on only to commands that are not built yet.
        let mut command = command.version(env!("CARGO_PKG_VERSION"));
        command.build();
        command
    })
}
