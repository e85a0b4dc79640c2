//! `gridmill sample`: a random sample of a corpus.

use std::process::ExitCode;

use gridmill::format::AnswerColumn;
use gridmill::jobs::sample::SampleReport;
use gridmill::jobs::{Execution, Sample};
use gridmill::pipeline::End;
use indicatif::HumanCount;

use crate::args::SampleArgs;
use crate::signals;
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::summary::{Counted, Seconds};

pub(crate) fn run(args: &SampleArgs) -> anyhow::Result<ExitCode> {
    let origins = args.input.origins()?;
    let progress = Progress::of_inputs(&args.report, &origins);
    let conditions = args.conditions.iter().flat_map(|conditions| conditions.0.iter().cloned());
    let mut job = Sample::new(args.count).seed(args.seed).conditions(conditions);
    if let Some(column) = &args.stratify {
        job = job.stratify(column);
    }
    let columns: Vec<String> = job.columns().map(str::to_owned).collect();
    let corpus = args.input.open(origins, AnswerColumn::Ignored, &columns, &progress)?;
    let finished = job.run_to(corpus, &args.output.target(), &execution(args, &progress));
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

fn execution(args: &SampleArgs, progress: &Progress) -> Execution {
    let mut execution = Execution::new().stop(signals::stop_on_interrupt(progress)).observer(progress.observer());
    if let Some(threads) = args.threads {
        execution = execution.threads(threads.into());
    }
    if let Some(records) = args.chunk {
        execution = execution.chunk_size(records);
    }
    execution
}

/// The numbers of records: of all, of those that match, of the sample.
fn sentence(report: &SampleReport) -> String {
    let SampleReport { records, matching, sampled, wall_seconds, .. } = *report;
    let (sampled, all, seconds) = (HumanCount(sampled), Counted(records, "record"), Seconds(wall_seconds));
    if matching == records {
        return format!("{sampled} of {all} in {seconds}");
    }
    format!("{sampled} of {}, of {all} in all, in {seconds}", Counted(matching, "matching record"))
}
