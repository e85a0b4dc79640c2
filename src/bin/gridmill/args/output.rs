//! The output file and its compression.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args;
use gridmill::resume::{DASH, FileType, OutputCompression, OutputCompressionError, OutputTarget, RunFiles};

use super::values::named;

/// The output file and its compression.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write to this file instead of standard output
    ///
    /// It is called FILE.partial until it is complete. If FILE is a symbolic link, the link is replaced by the new file
    /// and its target is left alone.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Compress the output [default: by the extension of FILE: .gz, .zst, .xz or .bz2; .parquet with zstd]
    ///
    /// Text is compressed with gzip, zstd, xz, bzip2 or none; the columns of Parquet with zstd, snappy, lz4 or none.
    #[arg(
        long,
        value_name = "HOW",
        value_parser = named::<OutputCompression>(),
        help_heading = "Output"
    )]
    pub(crate) compress: Option<OutputCompression>,
}

impl OutputArgs {
    /// The output, compressed as its name says.
    pub(crate) fn file(&self) -> OutputTarget {
        self.output.as_ref().map_or_else(OutputTarget::stdout, OutputTarget::file)
    }

    /// The output and its compression.
    pub(crate) fn target(&self) -> anyhow::Result<OutputTarget> {
        let Some(compression) = self.compress else { return Ok(self.file()) };
        self.file().compressed(compression).map_err(|error| match error {
            OutputCompressionError::Parquet => {
                let named = self.named(FileType::Parquet);
                anyhow!("{named}, which is compressed with zstd, snappy, lz4 or none, not {compression}")
            }
            error => anyhow!("--compress: {error}; name the output .parquet"),
        })
    }

    /// Adds the output.
    pub(crate) fn add_to(&self, files: RunFiles) -> RunFiles {
        files.output("-o", &self.file())
    }

    /// Refuses a Parquet file that would be text, since it is also called `.gz`, for instance, and a compression that the
    /// output cannot have.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.file().is_parquet_in_name_only() {
            bail!("{}, which cannot be written under this name; name it .csv", self.named(FileType::Parquet));
        }
        self.target().map(drop)
    }

    /// The file with what its extension says: `-o solved.jsonl is JSON lines`.
    pub(crate) fn named(&self, file_type: FileType) -> String {
        let name = self.output.as_deref().unwrap_or(Path::new(DASH));
        format!("-o {} is {file_type}", name.display())
    }
}
