//! The format and the columns of rows, for all commands that write rows.

use std::fmt::Debug;
use std::marker::PhantomData;

use anyhow::bail;
use clap::{Args, ValueHint};
use gridmill::jobs::{Augment, Canon, Generate, Rate, Solve, Validate};
use gridmill::resume::RunFiles;
use gridmill::rows::{Column, OutputFormat};

use super::values::{columns, named};
use super::{InputArgs, OutputArgs, PageArgs, ReportingArgs, SolvingArgs};

/// A job with rows.
pub(crate) trait Table: Debug + Sized + 'static {
    /// The name of its command.
    const COMMAND: &'static str;

    /// The values of `--to`.
    const FORMATS: &'static [To];

    /// The columns that its rows can have.
    const COLUMNS: &'static [&'static [Column]];

    /// Whether the usual columns have solutions.
    const HAS_SOLUTIONS: bool;

    /// Sets what all jobs with rows can be set to.
    fn set(self, table: &TableArgs<Self>, solving: &SolvingArgs, format: OutputFormat) -> Self;
}

macro_rules! table {
    ($job:ident, $command:literal, [$($format:ident),*], [$($columns:expr),*], $has_solutions:literal) => {
        impl Table for $job {
            const COMMAND: &'static str = $command;
            const FORMATS: &'static [To] = &[$(To::$format),*];
            const COLUMNS: &'static [&'static [Column]] = &[$($columns),*];
            const HAS_SOLUTIONS: bool = $has_solutions;

            fn set(self, table: &TableArgs<$job>, solving: &SolvingArgs, format: OutputFormat) -> $job {
                let job = self.engine(solving.engine()).max_branches(solving.max_branches);
                let job = job.format(format).header(!table.no_header);
                match &table.columns {
                    Some(columns) => job.columns(columns),
                    None => job,
                }
            }
        }
    };
}
table!(Solve, "solve", [CSV, JSONL, LINES, GRIDS, LISTING], [Solve::COLUMNS], true);
table!(Rate, "rate", [CSV, JSONL], [Rate::COLUMNS, Rate::STEP_COLUMNS], false);
table!(Validate, "validate", [CSV, JSONL], [Validate::COLUMNS], false);
table!(Canon, "canon", [CSV, JSONL], [Canon::COLUMNS], true);
table!(Augment, "augment", [CSV, JSONL, HRM], [Augment::COLUMNS], false);
table!(Generate, "generate", [LINES, CSV, JSONL], [Generate::COLUMNS], false);

/// A value of `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// Rows.
    Rows(OutputFormat),
    /// NPY files for the training code of HRM and TRM.
    TrainingSet,
}

impl To {
    const CSV: To = To::Rows(OutputFormat::Csv);
    const JSONL: To = To::Rows(OutputFormat::Jsonl);
    pub(crate) const LINES: To = To::Rows(OutputFormat::Lines);
    const GRIDS: To = To::Rows(OutputFormat::Grids);
    const LISTING: To = To::Rows(OutputFormat::Listing);
    const HRM: To = To::TrainingSet;

    pub(crate) fn name(self) -> &'static str {
        match self {
            To::Rows(format) => format.name(),
            To::TrainingSet => "hrm",
        }
    }
}

/// The format and the columns of rows.
#[derive(Debug, Args)]
pub(crate) struct TableArgs<T: Table> {
    /// Output format [default: by the extension of FILE; without one csv]
    #[arg(long, value_name = "FORMAT", value_parser = named(T::FORMATS, To::name), help_heading = "Output")]
    pub(crate) to: Option<To>,

    /// Columns of the rows, in this order [default: all; file only for several inputs]
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = columns(T::COLUMNS), help_heading = "Output")]
    pub(crate) columns: Option<Vec<String>>,

    /// Leave out the header of csv output
    #[arg(long, help_heading = "Output")]
    no_header: bool,

    #[arg(skip)]
    table: PhantomData<T>,
}

impl<T: Table> TableArgs<T> {
    /// Whether the rows have solutions: digits only, for 9x9 puzzles.
    pub(crate) fn has_solutions(&self) -> bool {
        let is_solution = |name: &String| name == "solution" || name == "canonical_solution";
        self.columns.as_ref().map_or(T::HAS_SOLUTIONS, |columns| columns.iter().any(is_solution))
    }

    /// The format of the rows: that of `--to`, or of the file's extension, or the `usual` one.
    pub(crate) fn format(&self, output: &OutputArgs, usual: OutputFormat) -> anyhow::Result<OutputFormat> {
        output.check_parquet()?;
        let Some(file_type) = output.target().file_type() else {
            return Ok(if let Some(To::Rows(format)) = self.to { format } else { usual });
        };
        let written = |format: &&OutputFormat| T::FORMATS.contains(&To::Rows(**format));
        match (self.to, file_type.formats()) {
            // The rows of a Parquet file have no other format.
            (None, []) => Ok(OutputFormat::Csv),
            (None, formats) => match formats.iter().find(written) {
                Some(&format) => Ok(format),
                None => bail!(
                    "{}, but {} writes {} and Parquet; give the file another extension",
                    output.named(file_type),
                    T::COMMAND,
                    T::FORMATS.iter().filter(|to| **to != To::HRM).map(|to| to.name()).collect::<Vec<_>>().join(", ")
                ),
            },
            (Some(To::Rows(format)), formats) if formats.contains(&format) => Ok(format),
            (Some(to), _) => bail!(
                "{}, but --to {} was given; give the file another extension, or leave out --to",
                output.named(file_type),
                to.name()
            ),
        }
    }
}

/// The arguments of all commands with a row for each record.
#[derive(Debug, Args)]
pub(crate) struct RowArgs<T: Table> {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) table: TableArgs<T>,

    /// Columns of CSV or keys of JSON lines to copy to the output, after the others
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_hint = ValueHint::Other, help_heading = "Output")]
    pub(crate) keep: Vec<String>,

    #[command(flatten)]
    pub(crate) solving: SolvingArgs,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) reporting: ReportingArgs,
}

impl<T: Table> RowArgs<T> {
    /// The files that the arguments name.
    pub(crate) fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.page.add_to(self.output.add_to(self.input.files()?));
        Ok(self.reporting.add_to(files))
    }

    /// The format of the rows; without options, CSV.
    pub(crate) fn format(&self) -> anyhow::Result<OutputFormat> {
        self.table.format(&self.output, OutputFormat::Csv)
    }

    /// Sets what all jobs with rows can be set to.
    pub(crate) fn set(&self, job: T) -> anyhow::Result<T> {
        Ok(job.set(&self.table, &self.solving, self.format()?))
    }
}
