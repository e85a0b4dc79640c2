//! The command line's grammar, and the words of `--help` and the manual page.

mod options;
mod values;

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, value_parser};
use clap_complete::Shell;
use gridmill::engine::EngineChoice;
use gridmill::format::Alphabet;
use gridmill::puzzle::Order;
use gridmill::rows::{Column, OutputFormat};

pub(crate) use self::options::{
    DestinationArgs, InputArgs, LongRunArgs, RunningArgs, TalkingArgs, first_or_count, origins,
};
pub(crate) use self::values::{DurationArg, Kinds, Seed};
use self::values::{kinds, named, order_parser};

/// Mills Sudoku corpora: millions of puzzles in, one row a puzzle out, in order.
#[derive(Debug, Parser)]
#[command(
    version,
    about,
    max_term_width = 100,
    after_help = "Exit codes: 0 done, 1 findings, 2 trouble, 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve every puzzle of a corpus: one row a record, in order
    Solve(SolveArgs),
    /// Answer each line of standard input with one line, at once: for programs that drive gridmill
    Pipe(PipeArgs),
    /// Compare engines and other solvers: checked against each other, then timed in turn
    Bench(BenchArgs),
    /// Make puzzles, the same ones for the same seed
    Generate(GenerateArgs),
    /// Say of every record of a corpus whether it is sound, and of the corpus what is wrong with it
    Validate(ValidateArgs),
    /// Put the outputs of all shards of a run together
    Merge(MergeArgs),
    /// Print the canonical form of every puzzle, which all its isomorphs share
    Canon(CanonArgs),
    /// List the input and output formats, with an example of each
    Formats,
    /// Print what a shell needs to complete gridmill's options
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, in roff
    Man,
}

/// Solve every puzzle of a corpus: one row a record, in order.
///
/// Reads 4x4, 9x9, 16x16 and 25x25 puzzles. Rows and nothing else go to standard output; progress, notes and a summary
/// go to standard error.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "a bool is what a flag is")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) destination: DestinationArgs,

    #[command(flatten)]
    pub(crate) long_run: LongRunArgs,

    /// The format of the rows
    #[arg(long, value_name = "FORMAT", default_value = "csv", value_parser = named(&OutputFormat::ALL, OutputFormat::name), help_heading = "Output")]
    pub(crate) to: OutputFormat,

    /// The columns of csv and jsonl rows, in this order
    ///
    /// One or more of file, line, puzzle, status, solutions, solution, branches, nanos, detail. Without this option:
    /// all of them, `file` only where there are several.
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', help_heading = "Output")]
    pub(crate) columns: Option<Vec<Column>>,

    /// Columns of csv input to carry over, behind the others
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Output")]
    pub(crate) keep: Vec<String>,

    /// Leave out the header of csv rows
    #[arg(long, help_heading = "Output")]
    pub(crate) no_header: bool,

    /// Count solutions up to this number; with --all, list up to this number [default: 2; with --all 1000]
    #[arg(long, value_name = "N", conflicts_with = "first", help_heading = "Solving")]
    pub(crate) limit: Option<NonZeroU64>,

    /// Give the first solution in lexicographic order, also of puzzles with several
    #[arg(long, conflicts_with = "all", help_heading = "Solving")]
    pub(crate) first: bool,

    /// List every solution in lexicographic order, at most --limit for each puzzle
    #[arg(long, help_heading = "Solving")]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) running: RunningArgs,

    /// Exit with 1 unless every record is a puzzle with exactly one solution
    #[arg(long, help_heading = "Reporting")]
    pub(crate) strict: bool,

    /// Write the summary here too, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    /// How many of the slowest puzzles the summary shows
    #[arg(long, value_name = "K", default_value_t = 3, help_heading = "Reporting")]
    pub(crate) top: usize,

    #[command(flatten)]
    pub(crate) talking: TalkingArgs,
}

/// Answer each line of standard input with one line, at once: for programs that drive gridmill.
///
/// Every line is a record, also one that is empty or no puzzle, and becomes one row without a header before it. No row
/// waits for a line that has not been written yet, so a program may write a line and read its row, or write millions
/// while it reads. Nothing is written to standard error but an error; the exit code is 0 whatever the puzzles are.
#[derive(Debug, Args)]
pub(crate) struct PipeArgs {
    /// The symbols of 16x16 puzzles (A-P, 0-F or 1-G) and of 25x25 ones (A-Y, 0-O or 1-P), which have to be given here
    #[arg(long, value_name = "A-P,..", value_delimiter = ',', help_heading = "Input")]
    pub(crate) alphabet: Vec<Alphabet>,

    /// The format of the rows
    #[arg(long, value_name = "FORMAT", default_value = "csv", value_parser = named(&OutputFormat::OF_LINES, OutputFormat::name), help_heading = "Output")]
    pub(crate) to: OutputFormat,

    /// The columns of csv and jsonl rows, in this order [default: line,puzzle,status,solutions,solution,branches,nanos,detail]
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', help_heading = "Output")]
    pub(crate) columns: Option<Vec<Column>>,

    /// Count solutions up to this number [default: 2]
    #[arg(long, value_name = "N", conflicts_with = "first", help_heading = "Solving")]
    pub(crate) limit: Option<NonZeroU64>,

    /// Give the first solution in lexicographic order, also of puzzles with several
    #[arg(long, help_heading = "Solving")]
    pub(crate) first: bool,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Compare engines and other solvers: checked against each other, then timed in turn.
///
/// The table on standard output tells, for each file and each solver: puzzles a second (the median of the runs), half
/// the width of the middle half of the runs, how many times as fast as the first solver, guesses a puzzle, the share of
/// puzzles without a guess, and percentiles of the times of single puzzles.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The engines to compare; `lanes:avx2` is one with vectors of its own [default: each of them]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = EngineChoice::from_str, help_heading = "Solvers")]
    pub(crate) engines: Vec<EngineChoice>,

    /// How many threads an engine is given; several numbers compare them
    #[arg(long, value_name = "N,M", value_delimiter = ',', default_value = "1", value_parser = value_parser!(u16).range(1..=1024), help_heading = "Solvers")]
    pub(crate) threads: Vec<u16>,

    /// Another program, run by `sh -c`; can be given several times
    ///
    /// It reads a puzzle a line from its standard input, with '.' for a blank, and answers each with a line: the
    /// solution, or how many solutions there are.
    #[arg(long, value_name = "CMD", help_heading = "Solvers")]
    pub(crate) solver: Vec<String>,

    /// Count solutions up to this number
    #[arg(long, value_name = "N", default_value = "2", help_heading = "Solvers")]
    pub(crate) limit: NonZeroU64,

    /// About how long each solver is timed on each file
    #[arg(long, value_name = "S", default_value = "2", help_heading = "Measuring")]
    pub(crate) seconds: DurationArg,

    /// Take the puzzles in a random order
    #[arg(long, value_name = "SEED", help_heading = "Measuring")]
    pub(crate) shuffle: Option<u64>,

    /// Take random isomorphs of the puzzles: relabelled, permuted, transposed; without a seed, others each time
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true, default_missing_value = "random", help_heading = "Measuring")]
    pub(crate) isomorphs: Option<Seed>,

    /// Write the table here too, as .csv, .json, .md, or as a chart, .svg; can be given several times
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) export: Vec<PathBuf>,

    /// No notes: only the table, and errors
    #[arg(short, long, help_heading = "Reporting")]
    pub(crate) quiet: bool,
}

/// Say of every record whether it is sound, and of the corpus what is wrong with it.
///
/// A record is sound if it is a puzzle with exactly one solution, and if the answer beside it, where there is a column
/// for answers, is that solution. More is looked at on request. Rows go to standard output, a scorecard to standard
/// error.
#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The column of csv input that holds the answers [default: one called solution, solutions, answer, ...]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) answer_column: Option<String>,

    /// Find out whether every clue is needed
    #[arg(long, help_heading = "Checks")]
    pub(crate) minimal: bool,

    /// Find puzzles that are there twice
    #[arg(long, help_heading = "Checks")]
    pub(crate) duplicates: bool,

    /// Find 9x9 puzzles that relabelling, reordering or transposing turns into one that was there before
    #[arg(long, help_heading = "Checks")]
    pub(crate) isomorphs: bool,

    /// Find puzzles that are in these files too, as they are, up to isomorphism, or with an isomorphic solution
    ///
    /// The options for the input are for these files as well. They are read first.
    #[arg(long, value_name = "OTHER", num_args = 1.., help_heading = "Checks")]
    pub(crate) against: Vec<PathBuf>,

    /// Which findings make the exit code 1 [default: all but not-minimal, duplicate and isomorph]
    ///
    /// One or more of malformed, conflict, none, multiple, bad-answer, wrong-answer, leak-exact, leak-isomorph,
    /// leak-solution, not-minimal, duplicate, isomorph; `leak` stands for the three leaks, `all` for everything.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kinds(), help_heading = "Checks")]
    pub(crate) fail_on: Option<Vec<Kinds>>,

    #[command(flatten)]
    pub(crate) destination: DestinationArgs,

    #[command(flatten)]
    pub(crate) long_run: LongRunArgs,

    /// Write the records that are not sound here, as they stood; compressed by the extension of FILE
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) rejects: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) running: RunningArgs,

    /// Write the scorecard here too, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) talking: TalkingArgs,
}

/// Put the outputs of all shards of a run together, as if there had been one run.
///
/// Each output has a label beside it, OUTPUT.shard.json, that says which shard it is: so they may be named in any order.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The outputs of `gridmill solve --shard`, of every shard one; compressed ones are recognised
    #[arg(value_name = "OUTPUTS", required = true)]
    pub(crate) outputs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) destination: DestinationArgs,

    /// Write the summary here too, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    /// No summary: only errors
    #[arg(short, long, help_heading = "Reporting")]
    pub(crate) quiet: bool,
}

/// Print the canonical form of every 9x9 puzzle, which all its isomorphs share.
///
/// Relabelling digits, permuting rows and columns within bands and stacks, permuting bands and stacks, and transposing
/// turn a puzzle into its isomorphs. Rows have the puzzle, its canonical form and solution, the class that the form is
/// known by, and how many of these changes leave the solution as it is.
#[derive(Debug, Args)]
pub(crate) struct CanonArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) destination: DestinationArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,

    #[command(flatten)]
    pub(crate) talking: TalkingArgs,
}

/// Make puzzles with exactly one solution, the same ones for the same seed.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// How many puzzles
    #[arg(short = 'n', long, value_name = "COUNT")]
    pub(crate) count: u64,

    /// The order of the puzzles: 3 for 9x9
    #[arg(long, value_name = "ORDER", default_value = "3", value_parser = order_parser())]
    pub(crate) order: Order,

    /// The seed; the same seed makes the same puzzles on any machine and any number of threads
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Remove clues until this many are left
    #[arg(long, value_name = "N", conflicts_with = "minimal")]
    pub(crate) clues: Option<usize>,

    /// Remove clues until every one of them is needed; the default
    #[arg(long)]
    pub(crate) minimal: bool,

    /// Write csv with a column for the puzzle and one for its solution
    #[arg(long)]
    pub(crate) with_solution: bool,

    #[command(flatten)]
    pub(crate) destination: DestinationArgs,

    /// How many threads work [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// What is wrong with the arguments, and what to do about it, in a line like all other errors'.
pub(crate) fn in_one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let said: Vec<&str> = lines.take_while(|line| !line.starts_with("Usage:")).collect();
    said.join(" ").trim_start_matches("error: ").replace("For more information, try '--help'.", "(see --help)")
}
