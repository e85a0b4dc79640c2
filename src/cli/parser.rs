//! The command line: its commands, and the texts of `--help` and the manual pages.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::{ArgMatches, Args, Command};
use clap_complete::Shell;

use crate::cli::call::Exit;
use crate::cli::commands::frame::Run;
use crate::cli::commands::{
    augment, bench, canon, certify, convert, dedupe, explain, formats, fuzz, generate, merge, pipe, rate, sample,
    score, sheet, solve, split, states, trace, validate,
};
#[cfg(unix)]
use crate::cli::plugin::{self, PluginArgs};

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
  completions  complete names in a shell

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

/// The commands.
const COMMANDS: &[Entry] = &[
    Entry::of::<solve::SolveArgs>("solve"),
    Entry::of::<pipe::PipeArgs>("pipe"),
    Entry::of::<bench::BenchArgs>("bench"),
    Entry::of::<fuzz::FuzzArgs>("fuzz"),
    Entry::of::<generate::GenerateArgs>("generate"),
    Entry::of::<validate::ValidateArgs>("validate"),
    Entry::of::<certify::CertifyArgs>("certify"),
    Entry::of::<merge::MergeArgs>("merge"),
    Entry::of::<canon::CanonArgs>("canon").or(&["canonicalize", "canonicalise"]),
    Entry::of::<canon::ClassesArgs>("classes"),
    Entry::of::<score::ScoreArgs>("score"),
    Entry::of::<states::StatesArgs>("states"),
    Entry::of::<convert::ConvertArgs>("convert"),
    Entry::of::<rate::RateArgs>("rate").or(&["grade"]),
    Entry::of::<explain::ExplainArgs>("explain"),
    Entry::of::<trace::TraceArgs>("trace"),
    Entry::of::<split::SplitArgs>("split"),
    Entry::of::<augment::AugmentArgs>("augment"),
    Entry::of::<sheet::SheetArgs>("sheet"),
    Entry::of::<dedupe::DedupeArgs>("dedupe"),
    Entry::of::<sample::SampleArgs>("sample"),
    #[cfg(unix)]
    Entry::of::<PluginArgs>("plugin-solver"),
    Entry::of::<formats::FormatsArgs>("formats"),
    Entry::of::<CompletionsArgs>("completions"),
];

/// A command. Its type of arguments has its description.
struct Entry {
    name: &'static str,
    aliases: &'static [&'static str],
    describe: fn(Command) -> Command,
    parse: fn(&ArgMatches) -> Result<Box<dyn Run>, clap::Error>,
}

impl Entry {
    const fn of<T: Args + Run + 'static>(name: &'static str) -> Entry {
        Entry {
            name,
            aliases: &[],
            describe: T::augment_args,
            parse: |given| Ok(Box::new(T::from_arg_matches(given)?)),
        }
    }

    /// The same with other names, which `--help` does not list.
    const fn or(self, aliases: &'static [&'static str]) -> Entry {
        Entry { aliases, ..self }
    }
}

/// The command line. Only the arguments of the command that is called are built: building all would take most of the
/// time of a start.
fn command() -> Command {
    let commands = COMMANDS
        .iter()
        .map(|entry| Command::new(entry.name).aliases(entry.aliases).defer(entry.describe).help_template(COMMAND_HELP));
    Command::new("gridmill")
        .about("Solves, checks and benchmarks Sudoku collections of any size")
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(true)
        .max_term_width(100)
        .help_template(HELP)
        .after_help(EXIT_CODES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(commands)
}

/// The command line with the arguments of all commands, for completions and manual pages.
#[doc(hidden)]
pub fn complete() -> Command {
    command().mut_subcommands(|command| {
        // A version is passed on only to commands that are not built yet.
        let mut command = command.version(env!("CARGO_PKG_VERSION"));
        command.build();
        command
    })
}

/// Parses the command line, which begins with the name of the program.
pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Box<dyn Run>, clap::Error> {
    let matches = command().try_get_matches_from(words)?;
    let (name, given) = matches.subcommand().expect("clap refuses a call without a command");
    let entry = COMMANDS.iter().find(|entry| entry.name == name).expect("clap knows these commands alone");
    (entry.parse)(given)
}

/// Print a script that completes gridmill's options in a shell
#[derive(Debug, Args)]
struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl Run for CompletionsArgs {
    fn run(&self) -> anyhow::Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut complete(), "gridmill", &mut script);
        io::stdout().write_all(&script)?;
        Ok(Exit::Success)
    }
}

#[cfg(unix)]
impl Run for PluginArgs {
    /// The foreign solver may abort.
    fn may_abort(&self) -> bool {
        true
    }

    fn run(&self) -> anyhow::Result<Exit> {
        plugin::run(self)
    }
}
