//! The outputs of a command: the file and its compression, the summary, standard error, and the page.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use gridmill::corpus::Origin;
use gridmill::output::{DASH, FileType, OutputCompression, OutputTarget, RunFiles};

use super::values::{named, number, page_file};
use crate::cli::report::ReportFile;
use crate::cli::ui::ending;
use crate::cli::ui::progress::{Extent, Progress, Verbosity, When};

/// The output file and its compression.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write to this file instead of standard output
    ///
    /// It is called FILE.partial until it is complete. If FILE is a symbolic link, the link is replaced by the new file
    /// and its target stays as it is.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Compress the output [default: by the extension of FILE: .gz, .zst, .xz or .bz2; .parquet with zstd]
    ///
    /// Text is compressed with gzip, zstd, xz, bzip2 or none; the columns of Parquet with zstd, snappy, lz4 or none.
    #[arg(long, value_name = "HOW", value_parser = named::<OutputCompression>(), hide_short_help = true, help_heading = "Output")]
    pub(crate) compress: Option<OutputCompression>,
}

impl OutputArgs {
    /// The output, compressed according to its extension.
    pub(crate) fn file(&self) -> OutputTarget {
        self.output.as_ref().map_or_else(OutputTarget::stdout, OutputTarget::file)
    }

    /// The output and its compression.
    pub(crate) fn target(&self) -> anyhow::Result<OutputTarget> {
        let Some(compression) = self.compress else { return Ok(self.file()) };
        self.file().compressed(compression).map_err(|error| ending::option_error(&error))
    }

    /// Adds the output.
    pub(crate) fn add_to(&self, files: RunFiles) -> RunFiles {
        files.output("-o", &self.file())
    }

    /// Refuses a Parquet file with an additional extension such as `.gz`, which would be text, and a compression that
    /// the output cannot have.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.file().is_parquet_in_name_only() {
            bail!("{}, which cannot be written under this name; name it .csv", self.named(FileType::Parquet));
        }
        self.target().map(drop)
    }

    /// The file with the format of its extension: `-o solved.jsonl is JSON lines`.
    pub(crate) fn named(&self, file_type: FileType) -> String {
        let name = self.output.as_deref().unwrap_or(Path::new(DASH));
        format!("-o {} is {file_type}", name.display())
    }
}

/// The amount of output on standard error.
#[derive(Debug, Args)]
pub(crate) struct QuietArgs {
    /// Print only rows and errors: no notes, no progress, no summary
    ///
    /// A file without puzzles is still reported.
    #[arg(short, long, help_heading = "Reporting")]
    quiet: bool,
}

impl QuietArgs {
    /// The verbosity of a run.
    pub(crate) fn verbosity(&self) -> Verbosity {
        if self.quiet { Verbosity::Quiet } else { Verbosity::Normal }
    }
}

/// The progress bar, and the amount of output on standard error.
#[derive(Debug, Args)]
pub(crate) struct ProgressArgs {
    /// When to show a progress bar
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Reporting")]
    #[arg(hide_short_help = true)]
    progress: When,

    #[command(flatten)]
    quiet: QuietArgs,
}

impl ProgressArgs {
    /// Shows the current task.
    pub(crate) fn of_tasks(&self) -> Progress {
        Progress::start(self.progress, self.quiet.verbosity(), Extent::Tasks)
    }
}

/// The summary, the progress bar, and the amount of output on standard error.
#[derive(Debug, Args)]
pub(crate) struct ReportingArgs {
    /// Also write the summary to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    #[command(flatten)]
    shown: ProgressArgs,
}

impl ReportingArgs {
    /// Adds the file of the summary.
    pub(crate) fn add_to(&self, files: RunFiles) -> RunFiles {
        files.written("--summary", self.summary.as_deref())
    }

    /// Shows the progress through these inputs.
    pub(crate) fn progress(&self, origins: &[Origin]) -> Progress {
        Progress::of_inputs(self.shown.progress, self.shown.quiet.verbosity(), origins)
    }

    /// Shows how many of `count` puzzles were generated.
    pub(crate) fn progress_of_puzzles(&self, count: u64) -> Progress {
        Progress::start(self.shown.progress, self.shown.quiet.verbosity(), Extent::Puzzles(count))
    }
}

/// A report for people.
#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    /// Also write a report with charts and puzzles, as one HTML file
    #[arg(long = "report", value_name = "FILE.html", value_parser = page_file(), help_heading = "Reporting")]
    pub(super) page: Option<PathBuf>,
}

impl PageArgs {
    /// Adds the file of the report.
    pub(crate) fn add_to(&self, files: RunFiles) -> RunFiles {
        files.written("--report", self.page.as_deref())
    }

    /// The file of the report, which names these inputs.
    pub(crate) fn file<'a>(&'a self, inputs: &'a [Origin]) -> Option<ReportFile<'a>> {
        self.page.as_deref().map(|path| ReportFile { path, inputs })
    }
}

/// The number of puzzles in the lists of a summary.
#[derive(Debug, Args)]
pub(crate) struct TopArgs {
    /// Number of slowest puzzles in the summary, and of hardest ones in the JSON and the report of `rate`
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = number::<usize>, hide_short_help = true, help_heading = "Reporting")]
    pub(crate) top: usize,
}
