//! Exports the rows to a file, as CSV, JSON, a Markdown table or an SVG chart.

use std::path::{Path, PathBuf};

use anyhow::bail;
use gridmill::jobs::bench::BenchRow;
use gridmill::resume::write_small;

use super::baseline::Results;
use super::{report, table};

/// A file to export the rows to.
pub(super) struct Export {
    path: PathBuf,
    pub(super) format: ExportFormat,
}

/// A file format of an export.
#[derive(Clone, Copy)]
pub(super) enum ExportFormat {
    Csv,
    Json,
    Markdown,
    Svg,
}

impl Export {
    /// An export in the format for the extension of the file name.
    pub(super) fn from_path(path: &Path) -> anyhow::Result<Export> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let format = match extension.to_str() {
            Some("csv") => ExportFormat::Csv,
            Some("json") => ExportFormat::Json,
            Some("md") => ExportFormat::Markdown,
            Some("svg") => ExportFormat::Svg,
            _ => bail!("cannot export to {}: its name should end in .csv, .json, .md or .svg", path.display()),
        };
        Ok(Export { path: path.to_owned(), format })
    }

    /// Writes the file.
    pub(super) fn write(&self, rows: &[BenchRow], results: &Results) -> anyhow::Result<()> {
        Ok(write_small(&self.path, &self.format.serialize(rows, results)?)?)
    }
}

impl ExportFormat {
    /// The content of the file.
    fn serialize(self, rows: &[BenchRow], results: &Results) -> anyhow::Result<Vec<u8>> {
        match self {
            ExportFormat::Csv => Ok(BenchRow::csv(rows).into_bytes()),
            ExportFormat::Json => Ok(results.json()?.into_bytes()),
            ExportFormat::Markdown => {
                Ok(format!("{}\n{}\n", table::markdown(rows), report::measured_by()).into_bytes())
            }
            ExportFormat::Svg => Ok(report::svg(rows).into_bytes()),
        }
    }
}
