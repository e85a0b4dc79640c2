//! `gridmill merge`: the outputs of all shards of a run, as if there had been one run.

use std::process::ExitCode;

use gridmill::jobs::{Execution, Merge, MergeJobError};

use crate::args::MergeArgs;
use crate::ui::ending;
use crate::ui::progress::{Progress, Verbosity};
use crate::ui::summary::Report;

pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let merged = Merge::new(args.outputs.clone()).run_to(&args.output.target(), &Execution::new());
    let summary = merged.map_err(|error| match error {
        MergeJobError::Rows(broken) => ending::broken_run(broken.error, broken.partial.as_ref()),
        error => error.into(),
    })?;
    Progress::without_bar(Verbosity::from_quiet(args.quiet)).report(Report(&summary));
    if let Some(path) = &args.summary {
        ending::write_json(&summary, path)?;
    }
    Ok(ExitCode::SUCCESS)
}
