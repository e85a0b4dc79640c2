//! `gridmill pipe`: lines of standard input through the pipeline, each of which becomes one line of standard output.

use std::process::ExitCode;

use anyhow::bail;
use gridmill::corpus::Corpus;
use gridmill::engine::Limit;
use gridmill::engine::solver::Question;
use gridmill::jobs::solve::Worker;
use gridmill::pipeline::End;
use gridmill::rows::{Column, Columns, Listing};
use gridmill::stats::RunStats;

use super::mill;
use crate::args;
use crate::output::{Output, OutputCompression};
use crate::ui::progress::{Progress, Talk, When};

/// One thread, unless others are asked for: whoever drives gridmill from many processes has no use for more.
const THREADS: u16 = 1;

pub(crate) fn run(arguments: &args::PipeArgs) -> anyhow::Result<ExitCode> {
    let question = match arguments.limit.map(Limit::new) {
        _ if arguments.first => Question::First,
        Some(Limit::FIRST) => Question::First,
        limit => Question::Count(limit.unwrap_or(Limit::UNIQUE)),
    };
    if !arguments.to.has_columns() && arguments.columns.is_some() {
        bail!("--to {} has no columns; --columns is for csv and jsonl", arguments.to.name());
    }
    let all = || Column::ALL.into_iter().filter(|&column| column != Column::File).collect();
    let columns = Columns::new(arguments.columns.clone().unwrap_or_else(all), &[]);
    let threads = super::threads(arguments.running.threads.or(Some(THREADS)));
    let build = arguments.running.engine().builder()?;

    let progress = Progress::start(When::Never, Talk::Quiet, None);
    let stop = mill::stop_on_ctrl_c(&progress)?;
    let corpus = Corpus::of_all_lines(arguments.alphabet.iter().copied().collect());
    let output = Output::create(None, OutputCompression::default())?;
    let writer = || arguments.to.writer(columns.clone(), Listing::One);
    let workers = (0..threads).map(|_| Worker::new(question, build(), writer(), RunStats::new(0))).collect();
    let size = mill::chunk_size(&arguments.running);
    let milled = mill::run(corpus, workers, output, |_| Ok(()), size, &progress, &stop)?;
    Ok(ExitCode::from(if milled.end == End::Stopped { mill::INTERRUPTED } else { 0 }))
}
