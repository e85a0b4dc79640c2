//! Checks the names of outputs: records are copied as they are, so an output has the format of its inputs.

use super::error::CopyError;
use crate::format::InputFormat;
use crate::resume::{FileType, OutputTarget};

/// Checks that an output has no extension of another format than the inputs.
pub(in crate::jobs) fn check_extension(target: &OutputTarget, format: InputFormat) -> Result<(), CopyError> {
    let fits = match target.file_type() {
        Some(FileType::Csv) => format == InputFormat::Csv,
        Some(FileType::Jsonl) => format == InputFormat::Jsonl,
        Some(FileType::Parquet) => format == InputFormat::Parquet && !target.is_parquet_in_name_only(),
        Some(FileType::Text) | None => format != InputFormat::Parquet,
    };
    match &target.path {
        _ if fits => Ok(()),
        Some(path) => Err(CopyError::OtherExtension { path: path.clone(), format }),
        None => Err(CopyError::ParquetToStdout),
    }
}
