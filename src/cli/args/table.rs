//! The format and the columns of rows, for all commands that write rows.

use std::marker::PhantomData;

use anyhow::{anyhow, bail};
use clap::{Args, ValueHint};
use gridmill::jobs::{Job, Rate, RowJob};
use gridmill::output::{FileType, RunFiles};
use gridmill::rows::{Column, OutputFormat};

use super::values::{columns, one_of};
use super::{InputArgs, OutputArgs, PageArgs, ReportingArgs, SolvingArgs, WorkArgs};

/// A value of `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::IntoStaticStr)]
pub(crate) enum To {
    /// Rows.
    #[strum(transparent)]
    Rows(OutputFormat),
    /// NPY files for the training code of HRM and TRM.
    #[strum(serialize = "hrm")]
    TrainingSet,
    /// A picture.
    #[strum(serialize = "svg")]
    Picture,
}

/// The values of `--to` of a command.
fn formats<J: Job>() -> Vec<To> {
    let more = match J::NAME {
        "augment" => Some(To::TrainingSet),
        "convert" => Some(To::Picture),
        _ => None,
    };
    J::FORMATS.iter().map(|&format| To::Rows(format)).chain(more).collect()
}

/// The lists of columns that the rows of a command can have.
fn column_lists<J: Job>() -> Vec<&'static [Column]> {
    let of_steps = (J::NAME == Rate::NAME).then_some(Rate::STEP_COLUMNS);
    [RowJob::<J>::COLUMNS].into_iter().chain(of_steps).collect()
}

/// The format and the columns of rows.
#[derive(Debug, Args)]
pub(crate) struct TableArgs<J: Job + 'static> {
    /// Output format [default: by the extension of FILE; without one csv]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&formats::<J>(), To::into), help_heading = "Output")]
    pub(crate) to: Option<To>,

    /// Columns of the rows, in this order [default: all; file only for several inputs]
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = columns(&column_lists::<J>()), help_heading = "Output")]
    pub(crate) columns: Option<Vec<String>>,

    /// Leave out the header of csv, tsv and excel output
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) no_header: bool,

    #[arg(skip)]
    table: PhantomData<J>,
}

impl<J: Job> TableArgs<J> {
    /// Sets the options that all jobs with rows have.
    pub(crate) fn set(&self, job: RowJob<J>, work: &impl WorkArgs, format: OutputFormat) -> RowJob<J> {
        let (engine, max_branches) = work.engine_and_bound();
        let job = job.engine(engine).max_branches(max_branches).format(format).header(!self.no_header);
        match &self.columns {
            Some(columns) => job.columns(columns),
            None => job,
        }
    }

    /// Whether there are rows with solutions: digits only, for 9x9 puzzles.
    pub(crate) fn has_solutions(&self) -> bool {
        let is_solution = |name: &str| name == "solution" || name == "canonical_solution";
        match &self.columns {
            _ if self.to == Some(To::TrainingSet) => false,
            Some(columns) => columns.iter().any(|name| is_solution(name)),
            None => RowJob::<J>::COLUMNS.iter().any(|column| is_solution(column.name)),
        }
    }

    /// The format of the rows: from `--to`, from the file's extension, or else the `usual` one.
    pub(crate) fn format(&self, output: &OutputArgs, usual: OutputFormat) -> anyhow::Result<OutputFormat> {
        output.check()?;
        let Some(file_type) = output.file().file_type() else {
            return Ok(if let Some(To::Rows(format)) = self.to { format } else { usual });
        };
        let written = |format: &&OutputFormat| J::FORMATS.contains(format);
        let named = output.named(file_type);
        let not_written = || {
            let formats: Vec<&str> = J::FORMATS.iter().map(<&str>::from).collect();
            let (command, formats, way) = (J::NAME, formats.join(", "), way_to_write(file_type));
            anyhow!("{named}, but {command} writes {formats} and Parquet; {way}")
        };
        match (self.to, file_type) {
            // Rows of a Parquet file are not text, so their format does not matter.
            (None, FileType::Parquet) => Ok(OutputFormat::Csv),
            (None, _) => file_type.formats().iter().find(written).copied().ok_or_else(not_written),
            (Some(_), file_type) if !file_type.has_rows() => Err(not_written()),
            (Some(To::Rows(format)), _) if file_type.formats().contains(&format) => Ok(format),
            (Some(to), _) => {
                bail!("{named}, but --to {to} was given; give the file another extension, or leave out --to")
            }
        }
    }
}

/// The way to a file of a type that a command does not write.
fn way_to_write(file_type: FileType) -> &'static str {
    match file_type {
        FileType::Svg | FileType::Other("a picture" | "compressed SVG") => {
            "`gridmill convert -o FILE.svg` draws puzzles, and rsvg-convert makes PNG of that"
        }
        FileType::Html => "--report FILE.html writes a page, and `gridmill sheet` a book",
        FileType::Other("PDF" | "Word" | "OpenDocument" | "PostScript" | "an e-book") => {
            "`gridmill sheet -o FILE.pdf` makes a book"
        }
        FileType::Other("Excel") => "spreadsheets read .csv; --to excel suits Excel",
        FileType::Rows(OutputFormat::Npy) => "`gridmill convert`, `solve` and `trace --style order` write arrays",
        FileType::Rows(format) if !format.has_columns() => "`gridmill convert` writes puzzles in this format",
        _ => "give the file another extension",
    }
}

/// The arguments of all commands with a row for each record.
#[derive(Debug, Args)]
pub(crate) struct RowArgs<J: Job + 'static, W: WorkArgs = SolvingArgs> {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) table: TableArgs<J>,

    /// Columns of CSV or keys of JSON lines to copy to the output, as the last columns; `all` for all columns of the first input
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_hint = ValueHint::Other, help_heading = "Output")]
    pub(crate) keep: Vec<String>,

    #[command(flatten)]
    pub(crate) solving: W,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) reporting: ReportingArgs,
}

impl<J: Job, W: WorkArgs> RowArgs<J, W> {
    /// The files that the arguments name.
    pub(crate) fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.page.add_to(self.output.add_to(self.input.files()?));
        Ok(self.reporting.add_to(files))
    }

    /// Whether the output is a picture, by its extension or by `--to`.
    pub(crate) fn is_picture(&self) -> anyhow::Result<bool> {
        let file_type = self.output.file().file_type();
        let is_named = file_type == Some(FileType::Svg) && formats::<J>().contains(&To::Picture);
        match self.table.to {
            Some(To::Picture) if !is_named && file_type.is_some() => {
                bail!("--to svg was given, but the name of the output says something else; name it .svg")
            }
            Some(To::Rows(format)) if is_named => {
                bail!("-o is a picture, but --to {format} was given; give the file another extension")
            }
            to => Ok(is_named || to == Some(To::Picture)),
        }
    }

    /// Refuses options of rows for a picture.
    pub(crate) fn check_picture(&self) -> anyhow::Result<()> {
        let given = [
            ("--columns", self.table.columns.is_some()),
            ("--no-header", self.table.no_header),
            ("--keep", !self.keep.is_empty()),
            ("--summary", self.reporting.summary.is_some()),
            ("--report", self.page.page.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => bail!("a picture has no rows; leave out {option}"),
            None => Ok(()),
        }
    }

    /// The format of the rows; CSV by default.
    pub(crate) fn format(&self) -> anyhow::Result<OutputFormat> {
        self.table.format(&self.output, OutputFormat::Csv)
    }

    /// Sets the options that all jobs with rows have.
    pub(crate) fn set(&self, job: RowJob<J>) -> anyhow::Result<RowJob<J>> {
        Ok(self.table.set(job, &self.solving, self.format()?))
    }
}
