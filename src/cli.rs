//! The command line's grammar, and the words of `--help` and the manual page.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, value_parser};
use clap_complete::Shell;
use gridmill::engine::EngineKind;
use gridmill::engine::lanes::Simd;
use gridmill::format::{Alphabet, InputFormat};
use gridmill::geometry::Order;
use gridmill::rows::{Column, OutputFormat};

use crate::progress::When;

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
    Solve(Solve),
    /// Make puzzles, the same ones for the same seed
    Generate(Generate),
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
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Write rows here instead of standard output; the file gets its name when it is whole
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

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

    /// How puzzles are solved
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = named(&EngineKind::ALL, EngineKind::name), help_heading = "Solving")]
    pub(crate) engine: EngineKind,

    /// The vectors of the lanes engine
    #[arg(long, value_name = "WIDTH", default_value = "auto", value_parser = named(&Simd::ALL, Simd::name), help_heading = "Solving")]
    pub(crate) simd: Simd,

    /// Count solutions up to this number; with --all, list up to this number [default: 2; with --all 1000]
    #[arg(long, value_name = "N", conflicts_with = "first", help_heading = "Solving")]
    pub(crate) limit: Option<NonZeroU64>,

    /// Give the first solution in lexicographic order, also of puzzles with several
    #[arg(long, conflicts_with = "all", help_heading = "Solving")]
    pub(crate) first: bool,

    /// List every solution in lexicographic order, at most --limit for each puzzle
    #[arg(long, help_heading = "Solving")]
    pub(crate) all: bool,

    /// How many threads solve [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024), help_heading = "Solving")]
    pub(crate) threads: Option<u16>,

    /// How many records a thread takes at a time; rows do not depend on it [default: what keeps it busy for a moment]
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Solving")]
    pub(crate) chunk: Option<NonZeroUsize>,

    /// Exit with 1 unless every record is a puzzle with exactly one solution
    #[arg(long, help_heading = "Reporting")]
    pub(crate) strict: bool,

    /// Write the summary here too, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    /// How many of the slowest puzzles the summary shows
    #[arg(long, value_name = "K", default_value_t = 3, help_heading = "Reporting")]
    pub(crate) top: usize,

    /// When to draw a progress bar
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Reporting")]
    pub(crate) progress: When,

    /// No notes, no progress, no summary: only rows, and errors
    #[arg(short, long, help_heading = "Reporting")]
    pub(crate) quiet: bool,
}

/// Where puzzles come from, and how they are written.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// Files of puzzles; none, or `-`, is standard input
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// The format of the puzzles, instead of recognising it
    #[arg(long, value_name = "FORMAT", value_parser = named(&InputFormat::ALL, InputFormat::name), help_heading = "Input")]
    pub(crate) from: Option<InputFormat>,

    /// The symbols of 16x16 or 25x25 puzzles, where they do not tell by themselves; once for each size
    #[arg(long, value_name = "A-Z", value_delimiter = ',', value_parser = named(Alphabet::LARGE, Alphabet::name), ignore_case = true, help_heading = "Input")]
    pub(crate) alphabet: Vec<Alphabet>,

    /// The column of csv input that holds the puzzle
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) puzzle_column: Option<String>,
}

/// Make puzzles with exactly one solution, the same ones for the same seed.
#[derive(Debug, Args)]
pub(crate) struct Generate {
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

    /// Write here instead of standard output; the file gets its name when it is whole
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How many threads work [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// Reads one of the library's values by its name, and lists the names in `--help`.
fn named<T>(all: &'static [T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().map(move |&value| name(value))).map(move |given| {
        let is_given = |&&value: &&T| name(value).eq_ignore_ascii_case(&given);
        *all.iter().find(is_given).expect("clap lets no other name through")
    })
}

fn order_parser() -> impl TypedValueParser<Value = Order> {
    PossibleValuesParser::new(["2", "3", "4", "5"])
        .map(|order| order.parse().ok().and_then(Order::new).expect("clap lets no other order through"))
}
