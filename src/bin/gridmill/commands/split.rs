//! `gridmill split`: the parts of a corpus.

use std::process::ExitCode;

use gridmill::format::AnswerColumn;
use gridmill::jobs::Split;
use gridmill::jobs::split::Parts;
use gridmill::pipeline::End;

use crate::args::SplitArgs;
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::split_summary::SplitSummary;

pub(crate) fn run(args: &SplitArgs) -> anyhow::Result<ExitCode> {
    let parts = match (&args.parts, args.folds) {
        (Some(parts), _) => parts.clone(),
        (None, folds) => Parts::folds(folds.unwrap_or(1))?,
    };
    let origins = args.input.origins()?;
    let progress = Progress::of_inputs(&args.report, &origins);
    let corpus = args.input.open(origins, AnswerColumn::Ignored, args.stratify.as_slice(), &progress)?;
    let files = args.files();
    let job = Split::new(parts).by(args.by).seed(args.seed).engine(args.run.engine());
    let mut job = job.max_branches(args.run.max_branches);
    if let Some(column) = &args.stratify {
        job = job.stratify(column);
    }
    job.files(&corpus, &files).written("--summary", args.summary.as_deref()).check()?;
    let finished = job.run_to(corpus, &files, &args.run.execution(&progress));
    progress.finish();
    let finished = finished.map_err(ending::in_words)?;
    let report = &finished.report;
    if finished.end == End::Stopped && report.stopped_after.is_none() {
        return Ok(ending::stopped(&finished, None, &progress));
    }
    progress.report(SplitSummary(report));
    if let Some(path) = &args.summary {
        ending::write_json(report, path)?;
    }
    if finished.end == End::Stopped {
        return Ok(ending::stopped(&finished, report.stopped_after.as_ref(), &progress));
    }
    Ok(ExitCode::SUCCESS)
}
