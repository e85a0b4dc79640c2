//! `gridmill pipe`: answers each line of standard input with a line, at once.

use std::io;
use std::process::ExitCode;

use anyhow::bail;
use gridmill::corpus::Corpus;
use gridmill::engine::Limit;
use gridmill::jobs::Solve;
use gridmill::pipeline::End;

use crate::args::{PipeArgs, first_or_count};
use crate::ui::ending;
use crate::ui::progress::{Progress, Verbosity};

/// One thread unless others are asked for: a program that drives gridmill from many processes needs no more.
const THREADS: usize = 1;

pub(crate) fn run(args: &PipeArgs) -> anyhow::Result<ExitCode> {
    if !args.to.has_columns() && args.columns.is_some() {
        bail!("--to {} has no columns; --columns is for csv and jsonl", args.to.name());
    }
    let job = Solve::new()
        .question(first_or_count(args.first, args.limit.map(Limit::new)))
        .engine(args.run.engine())
        .max_branches(args.run.max_branches)
        .format(args.to)
        .header(false)
        .slowest(0);
    let job = match &args.columns {
        Some(columns) => job.columns(columns),
        None => job,
    };
    let progress = Progress::without_bar(Verbosity::Silent);
    let mut execution = args.run.execution(&progress);
    if args.run.threads.is_none() {
        execution = execution.threads(THREADS);
    }
    let corpus = Corpus::stdin_lines(args.alphabet.iter().copied().collect());
    let finished = job.run(corpus, io::stdout(), &execution).map_err(ending::in_words)?;
    Ok(ExitCode::from(if finished.end == End::Stopped { ending::INTERRUPTED } else { 0 }))
}
