//! The output file and its compression.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use gridmill::compression::Compression;
use gridmill::resume::{DASH, FileType, OutputTarget, RunFiles};

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

    /// Compress the output [default: by the extension of FILE: .gz, .zst, .xz or .bz2]
    #[arg(long, value_name = "HOW", value_parser = named(&Compress::ALL, Compress::name), help_heading = "Output")]
    pub(crate) compress: Option<Compress>,
}

impl OutputArgs {
    /// The output and its compression.
    pub(crate) fn target(&self) -> OutputTarget {
        let target = self.output.as_ref().map_or_else(OutputTarget::stdout, OutputTarget::file);
        match self.compress {
            Some(Compress(compression)) => OutputTarget { compression, ..target },
            None => target,
        }
    }

    /// Adds the output.
    pub(crate) fn add_to(&self, files: RunFiles) -> RunFiles {
        files.output("-o", &self.target())
    }

    /// Refuses a Parquet file that would be text, since it is also called `.gz`, for instance, and one that would be
    /// compressed twice.
    pub(crate) fn check_parquet(&self) -> anyhow::Result<()> {
        let target = self.target();
        match target.file_type() {
            Some(parquet @ FileType::Parquet) if target.is_parquet_in_name_only() => {
                bail!("{}, which cannot be written under this name; name it .csv", self.named(parquet))
            }
            Some(parquet @ FileType::Parquet) if target.compression.is_some() => {
                bail!("{}, which has its own compression; leave out --compress", self.named(parquet))
            }
            _ => Ok(()),
        }
    }

    /// The file with what its extension says: `-o solved.jsonl is JSON lines`.
    pub(crate) fn named(&self, file_type: FileType) -> String {
        let name = self.output.as_deref().unwrap_or(Path::new(DASH));
        format!("-o {} is {file_type}", name.display())
    }
}

/// A compression, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compress(Option<Compression>);

impl Compress {
    const ALL: [Compress; 5] = {
        let [gzip, zstd, xz, bzip2] = Compression::ALL;
        [Compress(Some(gzip)), Compress(Some(zstd)), Compress(Some(xz)), Compress(Some(bzip2)), Compress(None)]
    };

    fn name(self) -> &'static str {
        self.0.map_or("none", Compression::name)
    }
}
