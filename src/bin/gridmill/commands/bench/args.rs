//! The arguments of `gridmill bench`.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueHint};
use gridmill::engine::{EngineKind, MaxBranches};

#[cfg(unix)]
use crate::args::values::PluginArg;
use crate::args::values::{DurationArg, Percent, Seed, SolverArg, max_branches, number, positive, threads, timeout};
use crate::args::{InputArgs, PageArgs, max_branches_help};

const EXAMPLES: &str = "\
Examples:
  Compare all engines on a file, and draw a chart:
    gridmill bench puzzles.txt --export chart.svg
  Compare a program of your own with the bitmask engine:
    gridmill bench puzzles.txt --engines bitmask --solver mine=./my-solver
  Compare one thread with two:
    gridmill bench puzzles.txt --engines lanes --threads 1,2";

const GIVES_UP: &str = "Let an engine give up on a puzzle that takes more than N guesses";

/// Compare the speed of engines and other solvers, after checking their answers.
///
/// The table on standard output has one row for each file and solver: puzzles per second (the median of the runs), how
/// far the runs differ from it, the speed relative to the first solver, guesses per puzzle, the share of puzzles solved
/// without a guess, and percentiles of the times of single puzzles (with the lanes engine, of their shares of the time of
/// a batch).
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Engines to compare, such as `bitmask` or `lanes:avx2` [default: all of them]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = EngineKind::from_str, help_heading = "Solvers")]
    pub(crate) engines: Vec<EngineKind>,

    /// Number of threads of an engine or a plugin; several numbers are compared
    #[arg(long, value_name = "N,M", value_delimiter = ',', default_value = "1", value_parser = threads, help_heading = "Solvers")]
    pub(crate) threads: Vec<u16>,

    /// Another program to compare, run by `sh -c`, with a name for the table; may be given several times
    ///
    /// It reads one puzzle per line from standard input, with '.' for a blank, and answers each with one line: the
    /// solution, or the number of solutions. Its name has letters, digits, '-', '.', '+' and '_'; to set a variable
    /// without one, write `env NAME=VALUE CMD`.
    #[arg(long, value_name = "[NAME=]CMD", value_hint = ValueHint::CommandString, help_heading = "Solvers")]
    pub(crate) solver: Vec<SolverArg>,

    /// A solver in a shared library, with a name for the table: ./lib.so:FUNCTION; may be given several times
    ///
    /// The function has the signature of tdoku's benchmark: `size_t solve(const char *input, size_t limit, uint32_t
    /// configuration, char *solution, size_t *guesses)`. The configuration is 0, or a number after a second colon. A
    /// process of its own calls it, and measures it as an engine is measured; so a crash is an error of that process.
    /// With several `--threads`, the function must be re-entrant.
    #[cfg(unix)]
    #[arg(long, value_name = "NAME=FILE.so:FUNCTION", help_heading = "Solvers")]
    pub(crate) plugin: Vec<PluginArg>,

    /// Kill another program or a plugin that takes longer than S seconds for a run
    #[arg(long, value_name = "S", value_parser = timeout, help_heading = "Solvers")]
    pub(crate) timeout: Option<DurationArg>,

    /// Stop counting at N solutions
    #[arg(long, value_name = "N", default_value = "2", value_parser = positive::<NonZeroU64>, help_heading = "Solvers")]
    pub(crate) limit: NonZeroU64,

    #[arg(
        long,
        value_name = "N|none",
        default_value = "default",
        hide_default_value = true,
        value_parser = max_branches,
        help_heading = "Solvers",
        help = GIVES_UP,
        long_help = max_branches_help(GIVES_UP, "Its answer is not compared."),
    )]
    pub(crate) max_branches: MaxBranches,

    /// Time for each solver on each file, in seconds, approximately
    #[arg(long, value_name = "S", default_value = "2", help_heading = "Measuring")]
    pub(crate) seconds: DurationArg,

    /// Take the puzzles in a random order
    #[arg(long, value_name = "SEED", value_parser = number::<u64>, help_heading = "Measuring")]
    pub(crate) shuffle: Option<u64>,

    /// Replace each puzzle by a random isomorph: relabelled, permuted, transposed
    ///
    /// Without a seed each run takes different ones.
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true, default_missing_value = "random", help_heading = "Measuring")]
    pub(crate) isomorphs: Option<Seed>,

    /// Also write the table as .csv or .md, all results as .json, a chart as .svg; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) export: Vec<PathBuf>,

    /// Compare with the results that an earlier run exported as .json
    #[arg(long, value_name = "OLD.json", help_heading = "Reporting")]
    pub(crate) baseline: Option<PathBuf>,

    /// Exit with 1 if a solver is slower than in the baseline by more than this
    #[arg(long, value_name = "PERCENT", requires = "baseline", help_heading = "Reporting")]
    pub(crate) fail_if_slower: Option<Percent>,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Print only the table and errors, no notes
    #[arg(short, long, help_heading = "Reporting")]
    pub(crate) quiet: bool,
}
