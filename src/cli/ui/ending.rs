//! The end of a job: messages with the location of its partial output, exit codes, and summaries as JSON.

use std::path::Path;

use anyhow::anyhow;
use gridmill::OptionError;
use gridmill::format::{DetectError, Remedy};
use gridmill::jobs::{Finished, JobError, PartialOutput};
use gridmill::output::{OutputError, write_small};
use serde::Serialize;

use super::progress::Progress;
use crate::cli::call::Exit;

/// An error of a job, with the location of the rows so far.
pub(crate) fn in_words(error: JobError) -> anyhow::Error {
    match error {
        JobError::Options(error) | JobError::Output(OutputError::Resume(error)) => option_error(&error),
        JobError::Run(broken) => broken_run(broken.error, broken.partial.as_ref()),
        error => error.into(),
    }
}

/// An error of options, with their names on the command line.
pub(crate) fn option_error(error: &OptionError) -> anyhow::Error {
    anyhow!(error.spelled(|option| format!("--{option}")))
}

/// The error that ended a run early, with the location of the rows so far.
pub(crate) fn broken_run(error: impl Into<anyhow::Error>, partial: Option<&PartialOutput>) -> anyhow::Error {
    match partial {
        Some(partial) => anyhow!("{}; {}", with_remedy(&error.into()), rows_so_far(partial)),
        None => error.into(),
    }
}

/// An error with its causes, and the option that would help.
pub(crate) fn with_remedy(error: &anyhow::Error) -> String {
    let remedy = error.chain().find_map(|cause| cause.downcast_ref::<DetectError>()?.remedy());
    let hint = match remedy {
        Some(Remedy::PuzzleColumn) => "; name it with --puzzle-column",
        Some(Remedy::Alphabet) => "; name it with --alphabet",
        Some(Remedy::Blank(blank)) => &format!("; if so, use --blank '{blank}'"),
        Some(Remedy::FromLines) => "; use --from lines to treat every line as a record",
        _ => "",
    };
    format!("{error:#}{hint}")
}

/// Reports where a run stopped; returns the end of the process.
pub(crate) fn stopped<R>(finished: &Finished<R>, progress: &Progress) -> Exit {
    // `generate` has no input; its report says how many puzzles there are.
    let after = finished.run.stopped_after.as_ref().filter(|place| !place.file.is_empty());
    let place = after.map(|place| format!(" after line {} of {}", place.line, place.file));
    let rows = finished.partial.as_ref().map(|partial| format!("; {}", rows_so_far(partial)));
    progress.note(format_args!("stopped{}{}", place.unwrap_or_default(), rows.unwrap_or_default()));
    Exit::Interrupted
}

fn rows_so_far(partial: &PartialOutput) -> String {
    let hint = if partial.resumable { "; resume with --resume" } else { "" };
    format!("the rows so far are in {}{hint}", partial.path.display())
}

/// Writes a summary as JSON, if a file was named for it.
pub(crate) fn write_json(summary: &impl Serialize, path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let text = serde_json::to_string_pretty(summary)? + "\n";
    Ok(write_small(path, text.as_bytes())?)
}

/// Whether the cause of an error is that the reader of the output is gone.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |cause: &std::io::Error| cause.kind() == std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_pipe))
}
