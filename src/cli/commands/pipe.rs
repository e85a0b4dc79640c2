//! `gridmill pipe`: answers each line of standard input with a line, immediately.

use std::io;

use anyhow::bail;
use clap::Args;
use gridmill::corpus::Corpus;
use gridmill::format::Alphabet;
use gridmill::jobs::Solve;
use gridmill::jobs::solve::SolveOptions;
use gridmill::pipeline::End;
use gridmill::rows::OutputFormat;

use super::frame::Run;
use super::solve::QuestionArgs;
use crate::cli::args::SolvingArgs;
use crate::cli::args::values::{columns, one_of};
use crate::cli::call::Exit;
use crate::cli::ui::ending;
use crate::cli::ui::progress::{Progress, Verbosity};

/// One thread by default: a program that drives gridmill from many processes needs no more.
const THREADS: usize = 1;

const EXAMPLES: &str = "\
Examples:
  Print the status and the solution of each line:
    head -n 3 puzzles.txt | gridmill pipe --columns status,solution
  Print JSON, with the first solution of puzzles that have several:
    gridmill pipe --to jsonl --first <puzzles.txt";

/// Answer each line of standard input with one line, for programs that drive gridmill.
///
/// Every line is a record, even if it is empty or not a puzzle, and becomes one row; there is no header. A row never
/// waits for a line that has not been written yet, so a program can write one line and read its row, or write millions
/// of lines while it reads. Only errors go to standard error, and the exit code does not depend on the puzzles.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("threads", |threads| threads.help("Number of threads that work on records [default: 1]")),
)]
pub(crate) struct PipeArgs {
    /// Symbols of puzzles above 9x9 or without digits, which `pipe` does not detect, for each size
    #[arg(long, value_name = "A-Z", value_delimiter = ',', help_heading = "Input")]
    alphabet: Vec<Alphabet>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "csv", value_parser = one_of(OutputFormat::OF_LINES, OutputFormat::into), help_heading = "Output")]
    to: OutputFormat,

    /// Columns of csv and jsonl output, in this order [default: all but file]
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = columns(&[Solve::COLUMNS]), help_heading = "Output")]
    columns: Option<Vec<String>>,

    #[command(flatten)]
    question: QuestionArgs,

    #[command(flatten)]
    solving: SolvingArgs,
}

impl Run for PipeArgs {
    fn run(&self) -> anyhow::Result<Exit> {
        if !self.to.has_columns() && self.columns.is_some() {
            bail!("--to {} has no columns; --columns is for csv and jsonl", self.to);
        }
        let QuestionArgs { limit, first } = self.question;
        let job = Solve::of(SolveOptions { limit, first, all: false, top: 0 })
            .engine(self.solving.engine())
            .max_branches(self.solving.max_branches)
            .format(self.to)
            .header(false);
        let job = match &self.columns {
            Some(columns) => job.columns(columns),
            None => job,
        };

        let execution = self.solving.execution_by(THREADS, &Progress::without_bar(Verbosity::Silent));
        let corpus = Corpus::stdin_lines(self.alphabet.iter().copied().collect());
        let finished = job.run(corpus, io::stdout(), &execution).map_err(ending::in_words)?;
        Ok(if finished.end == End::Stopped { Exit::Interrupted } else { Exit::Success })
    }
}
