//! What a command reports beside its output: on standard error, as JSON, and as a page.

use std::path::PathBuf;

use clap::Args;
use gridmill::corpus::Origin;
use gridmill::resume::RunFiles;

use super::values::{number, page_file};
use crate::report::ReportFile;
use crate::ui::progress::{Progress, Verbosity, When};

/// The summary, and what goes to standard error.
#[derive(Debug, Args)]
pub(crate) struct ReportingArgs {
    /// Also write the summary to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    /// When to show a progress bar
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Reporting")]
    progress: When,

    /// Print only rows and errors: no notes, no progress, no summary
    ///
    /// A file in which no record is a puzzle is still named.
    #[arg(short, long, help_heading = "Reporting")]
    quiet: bool,
}

impl ReportingArgs {
    /// Adds the file of the summary.
    pub(crate) fn add_to(&self, files: RunFiles) -> RunFiles {
        files.written("--summary", self.summary.as_deref())
    }

    /// Shows the way through these inputs.
    pub(crate) fn progress(&self, origins: &[Origin]) -> Progress {
        Progress::of_inputs(self.progress, Verbosity::from_quiet(self.quiet), origins)
    }

    /// Shows how many of `count` puzzles were generated.
    pub(crate) fn progress_of_puzzles(&self, count: u64) -> Progress {
        Progress::of_puzzles(self.progress, Verbosity::from_quiet(self.quiet), count)
    }
}

/// A report to look at.
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

/// How many puzzles a summary names.
#[derive(Debug, Args)]
pub(crate) struct TopArgs {
    /// Number of slowest puzzles in the summary, and of hardest ones in the JSON and the report of `rate`
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = number::<usize>, hide_short_help = true, help_heading = "Reporting")]
    pub(crate) top: usize,
}
