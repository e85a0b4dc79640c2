//! The command line: its commands and options, and the texts of `--help` and the manual pages.
//!
//! One file per command; options that several commands share are in `options`, parsers of values in `values`.

mod augment;
mod bench;
mod canon;
mod dedupe;
mod explain;
mod generate;
mod merge;
mod options;
mod pipe;
mod rate;
mod sample;
mod sheet;
mod solve;
mod split;
mod validate;
mod values;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use gridmill::jobs::Merge;
use gridmill::resume::{OutputTarget, RunFiles};

#[cfg(unix)]
use crate::plugin::PluginArgs;

pub(crate) use self::augment::{AugmentArgs, AugmentFormat};
pub(crate) use self::bench::BenchArgs;
pub(crate) use self::canon::CanonArgs;
pub(crate) use self::dedupe::DedupeArgs;
pub(crate) use self::explain::{ExplainArgs, Grids};
pub(crate) use self::generate::GenerateArgs;
pub(crate) use self::merge::MergeArgs;
pub(crate) use self::options::{ReportArgs, first_or_count, origins, read_once};
pub(crate) use self::pipe::PipeArgs;
pub(crate) use self::rate::{Only, RateArgs};
pub(crate) use self::sample::SampleArgs;
pub(crate) use self::sheet::SheetArgs;
pub(crate) use self::solve::SolveArgs;
pub(crate) use self::split::SplitArgs;
pub(crate) use self::validate::ValidateArgs;
#[cfg(unix)]
pub(crate) use self::values::PluginArg;
pub(crate) use self::values::{DurationArg, Percent, Seed, SolverArg};

const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    findings: see `solve --strict`, `validate --fail-on` and `bench`
  2    error
  130  interrupted

Each command has examples in its help: gridmill solve --help";

/// Solves, checks and benchmarks Sudoku collections of any size.
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = EXIT_CODES
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A command with a type of its own for its arguments has its description there.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Solve(SolveArgs),
    Pipe(PipeArgs),
    Bench(BenchArgs),
    Generate(GenerateArgs),
    Validate(ValidateArgs),
    Merge(MergeArgs),
    Canon(CanonArgs),
    Rate(RateArgs),
    Explain(ExplainArgs),
    Split(SplitArgs),
    Augment(AugmentArgs),
    Sheet(SheetArgs),
    Dedupe(DedupeArgs),
    Sample(SampleArgs),
    /// Answer puzzles with a solver from a shared library, for `bench --plugin`
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

impl Command {
    /// The files that the arguments name.
    pub(crate) fn files(&self) -> anyhow::Result<RunFiles> {
        Ok(match self {
            Command::Solve(args) => {
                let files = args.input.files()?.output("-o", &args.output.target());
                with_outputs(files, "--report", &args.page).written("--summary", args.summary.as_deref())
            }
            Command::Validate(args) => {
                let files = args.input.files()?.corpus(&origins(&args.against)?).output("-o", &args.output.target());
                let files = with_outputs(files, "--report", &args.page);
                let files = with_outputs(files, "--accepts", &args.accepts);
                with_outputs(files, "--rejects", &args.rejects).written("--summary", args.summary.as_deref())
            }
            Command::Merge(args) => {
                let files = Merge::new(args.outputs.clone()).files().output("-o", &args.output.target());
                files.written("--summary", args.summary.as_deref())
            }
            Command::Bench(args) => {
                let files = args.input.files()?.output("-o", &OutputTarget::stdout());
                let files = args.baseline.iter().fold(files, RunFiles::input);
                with_outputs(with_outputs(files, "--report", &args.page), "--export", &args.export)
            }
            Command::Generate(args) => {
                let read = args.not_in.iter().chain(&args.pattern).cloned().collect::<Vec<_>>();
                let files = RunFiles::new().corpus(&origins(&read)?).output("-o", &args.output.target());
                files.written("--summary", args.summary.as_deref())
            }
            Command::Rate(args) => {
                let files = args.input.files()?.output("-o", &args.output.target());
                with_outputs(files, "--report", &args.page).written("--summary", args.summary.as_deref())
            }
            // The names of the parts follow from the first input; the command checks them when it has opened that.
            Command::Split(args) => args.input.files()?.written("--summary", args.summary.as_deref()),
            Command::Dedupe(args) => {
                let files = args.input.files()?.output("-o", &args.output.target());
                with_outputs(files, "--dropped", &args.dropped).written("--summary", args.summary.as_deref())
            }
            Command::Sample(args) => {
                let files = args.input.files()?.output("-o", &args.output.target());
                files.written("--summary", args.summary.as_deref())
            }
            Command::Canon(args) => args.input.files()?.output("-o", &args.output.target()),
            Command::Sheet(args) => args.input.files()?.output("-o", &args.target()),
            #[cfg(unix)]
            Command::PluginSolver(_) => RunFiles::new(),
            Command::Augment(args) => {
                let files = args.input.files()?;
                let files = match args.to {
                    Some(AugmentFormat::Hrm) => files,
                    _ => files.output("-o", &args.output.target()),
                };
                files.written("--summary", args.summary.as_deref())
            }
            Command::Pipe(_)
            | Command::Explain(_)
            | Command::Formats
            | Command::Completions { .. }
            | Command::Man { .. } => RunFiles::new(),
        })
    }
}

/// Adds the outputs of an option that may be absent or given several times.
fn with_outputs<'a>(files: RunFiles, option: &'static str, paths: impl IntoIterator<Item = &'a PathBuf>) -> RunFiles {
    paths.into_iter().fold(files, |files, path| files.output(option, &OutputTarget::file(path)))
}

/// What is wrong with the arguments and what to do about it, on one line as all other errors are.
pub(crate) fn in_one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut message = String::new();
    for line in lines.take_while(|line| !line.starts_with("Usage:")) {
        let (between, line) = match line {
            "For more information, try '--help'." => (" ", "(see --help)"),
            _ if message.is_empty() => ("", line.trim_start_matches("error: ")),
            _ if line.starts_with("tip:") => ("; ", line),
            // The first of several arguments, or the possible values.
            _ if message.ends_with(':') || line.starts_with('[') => (" ", line),
            _ => (", ", line),
        };
        message += between;
        message += line;
    }
    message
}
