//! The end of a job: messages with the location of its partial output, exit codes, and summaries as JSON.

use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use gridmill::format::{DetectError, Remedy};
use gridmill::jobs::{CopyError, Finished, JobError, OptionError, PartialOutput};
use gridmill::output::{Difference, OutputError, ResumeError, write_small};
use serde::Serialize;

use super::progress::Progress;

/// The exit code of a run that Ctrl-C ended, the same as in shells.
pub(crate) const INTERRUPTED: u8 = 130;

/// An error of a job, with the location of the rows so far.
pub(crate) fn in_words(error: JobError) -> anyhow::Error {
    match error {
        JobError::Output(OutputError::Resume(ResumeError::NoFile)) => {
            anyhow!("--resume needs -o with the name of a file, to find the rows so far")
        }
        JobError::Output(OutputError::Resume(ResumeError::Differs { partial, differences })) => anyhow!(
            "cannot resume {}: {}; run without --resume to start over",
            partial.display(),
            differences_in_words(&differences)
        ),
        JobError::Options(OptionError::NoColumns(format)) => {
            anyhow!("the format {format} has no columns; --columns and --keep are for csv and jsonl")
        }
        JobError::Options(OptionError::NoSolutions(format)) => {
            anyhow!("the format {format} has no columns; --with-solution is for csv and jsonl")
        }
        JobError::Broken(broken) => broken_run(broken.error, broken.partial.as_ref()),
        JobError::Job(broken) if matches!(broken.error.downcast_ref(), Some(CopyError::OtherExtension { .. })) => {
            anyhow!("{broken}; `gridmill convert --keep all` changes the format")
        }
        JobError::Job(broken) => broken_run(broken.error, broken.partial.as_ref()),
        error => error.into(),
    }
}

/// The differences between two runs, with options named as on the command line.
pub(crate) fn differences_in_words(differences: &[Difference]) -> String {
    let words = differences.iter().map(|Difference { option, words }| {
        let dashes = if option.is_some() { "--" } else { "" };
        format!("{dashes}{words}")
    });
    words.collect::<Vec<_>>().join("; ")
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
        Some(Remedy::FromLines) => "; use --from lines to treat every line as a record",
        _ => "",
    };
    format!("{error:#}{hint}")
}

/// Reports where a run stopped; returns the exit code for that.
pub(crate) fn stopped<R>(finished: &Finished<R>, progress: &Progress) -> ExitCode {
    let after = finished.run.stopped_after.as_ref();
    let place = after.map(|place| format!(" after line {} of {}", place.line, place.file));
    let rows = finished.partial.as_ref().map(|partial| format!("; {}", rows_so_far(partial)));
    progress.note(format_args!("stopped{}{}", place.unwrap_or_default(), rows.unwrap_or_default()));
    ExitCode::from(INTERRUPTED)
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
