//! A file that is written at the end of a run. That it can be written is found out before.

use super::error::OutputError;
use super::output_file::OutputFile;
use super::target::OutputTarget;

/// A file that is written at the end of a run; until then nothing of it is on the disk.
#[derive(Debug)]
pub struct ReservedFile {
    target: OutputTarget,
    /// A pipe or a device, which cannot be opened twice.
    special: Option<OutputFile>,
}

impl ReservedFile {
    /// Opens an output, and leaves nothing of it: the run may be interrupted.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn new(target: OutputTarget) -> Result<ReservedFile, OutputError> {
        let output = OutputFile::create(&target, 1)?;
        if output.partial().is_none() {
            return Ok(ReservedFile { target, special: Some(output) });
        }
        output.discard()?;
        Ok(ReservedFile { target, special: None })
    }

    /// The name and the format of the file.
    pub fn target(&self) -> &OutputTarget {
        &self.target
    }

    /// Opens it, to be written.
    ///
    /// # Errors
    ///
    /// If it cannot be written any more.
    pub fn open(self) -> Result<OutputFile, OutputError> {
        match self.special {
            Some(output) => Ok(output),
            None => OutputFile::create(&self.target, 1),
        }
    }
}
