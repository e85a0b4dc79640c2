//! Copies records to one file: what dedupe and sample do with their output.

use super::check_extension;
use super::error::CopyError;
use crate::corpus::Corpus;
use crate::format::InputFormat;
use crate::jobs::{Execution, Finished, JobError, PartialOutput, resumable};
use crate::pipeline::End;
use crate::resume::{OutputFile, OutputTarget};

/// Gives the format of the inputs, the corpus and the output to `copy`, which returns the output. A file gets its name
/// when it is complete.
pub(in crate::jobs) fn copy_to_file<R>(
    corpus: Corpus,
    target: &OutputTarget,
    execution: &Execution,
    copy: impl FnOnce(InputFormat, Corpus, OutputFile) -> Result<(Finished<R>, OutputFile), JobError>,
) -> Result<Finished<R>, JobError> {
    resumable::check_files(&corpus, None, target)?;
    let format = corpus.first_input().ok_or(CopyError::Changed)?.layout.format();
    check_extension(target, format)?;
    let output = OutputFile::create(target, execution.threads)?;
    let partial = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
    let (finished, output) = copy(format, corpus, output)?;
    if finished.end == End::Stopped {
        return Ok(Finished { partial, ..finished });
    }
    output.finish()?;
    Ok(finished)
}
