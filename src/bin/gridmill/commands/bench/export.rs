//! Rows into files: CSV, JSON, a Markdown table or a chart, by the name of the file.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use gridmill::resume::{OutputFile, OutputTarget};

use super::row::BenchRow;
use super::{chart, table};

/// A file that the rows are written to.
pub(super) struct Export {
    path: PathBuf,
    pub(super) format: Format,
}

/// What is written.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Csv,
    Json,
    Markdown,
    Svg,
}

impl Export {
    /// The export that a file's name asks for.
    pub(super) fn to(path: &Path) -> anyhow::Result<Export> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let format = match extension.to_str() {
            Some("csv") => Format::Csv,
            Some("json") => Format::Json,
            Some("md") => Format::Markdown,
            Some("svg") => Format::Svg,
            _ => bail!("cannot export to {}: its name should end in .csv, .json, .md or .svg", path.display()),
        };
        Ok(Export { path: path.to_owned(), format })
    }

    /// Opens the file, before there is anything to lose.
    pub(super) fn create(&self) -> anyhow::Result<OutputFile> {
        let target = OutputTarget { path: Some(self.path.clone()), compression: None };
        Ok(OutputFile::create(&target, 1)?)
    }
}

impl Format {
    /// What the file is to hold.
    pub(super) fn text(self, rows: &[BenchRow]) -> anyhow::Result<Vec<u8>> {
        match self {
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(Vec::new());
                for row in rows {
                    writer.serialize(row)?;
                }
                writer.into_inner().context("cannot write csv")
            }
            Format::Json => Ok((serde_json::to_string_pretty(rows)? + "\n").into_bytes()),
            Format::Markdown => Ok(table::markdown(rows).into_bytes()),
            Format::Svg => Ok(chart::svg(rows).into_bytes()),
        }
    }
}
