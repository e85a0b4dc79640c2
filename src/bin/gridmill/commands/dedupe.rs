//! `gridmill dedupe`: a corpus without repetitions.

use std::fmt::Write;
use std::process::ExitCode;

use gridmill::format::AnswerColumn;
use gridmill::jobs::Dedupe;
use gridmill::jobs::dedupe::DedupeReport;
use gridmill::pipeline::End;
use gridmill::resume::{OutputFile, OutputTarget};
use indicatif::HumanCount;

use crate::args::DedupeArgs;
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::split_summary::Reasons;
use crate::ui::summary::{Counted, Seconds};

pub(crate) fn run(args: &DedupeArgs) -> anyhow::Result<ExitCode> {
    args.check_dropped()?;
    let origins = args.input.origins()?;
    let progress = Progress::of_inputs(&args.report, &origins);
    let keep: Vec<String> = args.keep_max.iter().chain(&args.keep_min).cloned().collect();
    let corpus = args.input.open(origins, AnswerColumn::Ignored, &keep, &progress)?;
    let execution = args.run.execution(&progress);
    let job = Dedupe::new().by(args.by).keep(args.keep()).engine(args.run.engine());
    let mut job = job.max_branches(args.run.max_branches);
    if let Some(path) = &args.dropped {
        job = job.dropped(OutputFile::create(&OutputTarget::file(path), execution.thread_count())?);
    }
    let finished = job.run_to(corpus, &args.output.target(), &execution);
    progress.finish();
    let finished = finished.map_err(ending::in_words)?;
    let report = &finished.report;
    if finished.end == End::Stopped && report.stopped_after.is_none() {
        return Ok(ending::stopped(&finished, None, &progress));
    }
    progress.note(sentence(report));
    if let Some(path) = &args.summary {
        ending::write_json(report, path)?;
    }
    if finished.end == End::Stopped {
        return Ok(ending::stopped(&finished, report.stopped_after.as_ref(), &progress));
    }
    Ok(ExitCode::SUCCESS)
}

/// The numbers of records by what became of them.
fn sentence(report: &DedupeReport) -> String {
    let DedupeReport { records, kept, dropped, ref not_compared, without_number, wall_seconds, .. } = *report;
    let (kept, dropped) = (HumanCount(kept), HumanCount(dropped));
    let mut text =
        format!("{} in {}: {kept} kept, {dropped} dropped", Counted(records, "record"), Seconds(wall_seconds));
    if not_compared.total() > 0 {
        write!(text, "; kept without a comparison: {}", Reasons(not_compared)).expect("a string takes any text");
    }
    if let Some(count @ 1..) = without_number {
        write!(text, "; {} without a number in the column", Counted(count, "record")).expect("a string takes any text");
    }
    text
}
