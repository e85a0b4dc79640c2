//! `gridmill merge`: the outputs of all shards of a run, as if there had been one run.

use std::process::ExitCode;

use gridmill::jobs::{Execution, Merge, MergeJobError, Merged};
use serde::Serialize;

use crate::args::MergeArgs;
use crate::ui::ending;
use crate::ui::progress::{Progress, Verbosity};
use crate::ui::scorecard::Scorecard;
use crate::ui::summary::Report;

pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let merged = Merge::new(args.outputs.clone()).run_to(&args.output.target(), &Execution::new());
    let merged = merged.map_err(|error| match error {
        MergeJobError::Rows(broken) => ending::broken_run(broken.error, broken.partial.as_ref()),
        error => error.into(),
    })?;
    let progress = Progress::without_bar(Verbosity::from_quiet(args.quiet));
    match &merged {
        Merged::Solve(summary) | Merged::Rate(summary) => {
            progress.report(Report(summary));
            write_summary(summary, args)?;
        }
        Merged::Validate(report) => {
            progress.report(Scorecard { report, accepts: None, rejects: None });
            write_summary(report, args)?;
        }
        Merged::Canon(report) => {
            progress.note(super::canon::sentence(report));
            write_summary(report, args)?;
        }
        _ => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn write_summary(report: &impl Serialize, args: &MergeArgs) -> anyhow::Result<()> {
    args.summary.as_ref().map_or(Ok(()), |path| ending::write_json(report, path))
}
