//! Copies records to files: records are copied as they are, so a file has the format of the inputs.

use super::copier::RecordCopier;
use super::error::CopyError;
use crate::corpus::Corpus;
use crate::format::InputFormat;
use crate::jobs::{Execution, Finished, JobError, PartialOutput};
use crate::pipeline::End;
use crate::resume::{FileType, OutputFile, OutputTarget, RunFiles};

/// Checks that an output has no extension of another format than the inputs.
pub(in crate::jobs) fn check_extension(target: &OutputTarget, format: InputFormat) -> Result<(), CopyError> {
    let fits = match target.file_type() {
        Some(FileType::Csv | FileType::Tsv) => format == InputFormat::Csv,
        Some(FileType::Jsonl) => format == InputFormat::Jsonl,
        Some(FileType::Parquet) => format.is_typed() && !target.is_parquet_in_name_only(),
        Some(FileType::OpenSudoku) => format == InputFormat::OpenSudoku,
        Some(FileType::Hodoku) => format == InputFormat::Hodoku,
        Some(FileType::Sdx) => format == InputFormat::Candidates,
        Some(FileType::Text | FileType::Sdk) | None => !format.is_typed(),
        Some(FileType::Npy | FileType::Html | FileType::Svg | FileType::Other(_)) => false,
    };
    match &target.path {
        _ if fits => Ok(()),
        Some(path) => Err(CopyError::OtherExtension { path: path.clone(), format }),
        None => Err(CopyError::ParquetToStdout),
    }
}

/// Copies records to one file, which gets its name when it is complete. `copy` returns it.
pub(in crate::jobs) fn copy_to_file<R>(
    corpus: Corpus,
    target: &OutputTarget,
    execution: &Execution,
    copy: impl FnOnce(Corpus, RecordCopier<'static, OutputFile>) -> Result<(Finished<R>, Vec<OutputFile>), JobError>,
) -> Result<Finished<R>, JobError> {
    target.check_inputs(RunFiles::new().corpus(corpus.origins()))?;
    let format = corpus.first_input().ok_or(CopyError::Changed)?.layout.format();
    check_extension(target, format)?;

    let output = OutputFile::create(target, execution.threads)?;
    let partial = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
    let copier = RecordCopier::new(&corpus, vec![output], target.pages().unwrap_or_default(), execution.threads)?;
    let (finished, outputs) = copy(corpus, copier)?;
    if finished.end == End::Stopped {
        return Ok(Finished { partial, ..finished });
    }
    outputs.into_iter().try_for_each(OutputFile::finish)?;
    Ok(finished)
}
