//! `gridmill split`: the parts of a corpus.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueHint};
use gridmill::format::AnswerColumn;
use gridmill::jobs::split::{PartCount, PartFiles, Parts, SplitReport, UNSPLIT, ValueCounts};
use gridmill::jobs::{Bins, Split};
use gridmill::output::RunFiles;
use gridmill::stats::RunFacts;
use indicatif::HumanCount;

use super::frame::{Report, Run, described_if_complete, finish};
use crate::cli::args::values::number;
use crate::cli::args::{CardArgs, GroupArgs, InputArgs, ReportingArgs, SolvingArgs, WorkArgs, describe_by};
use crate::cli::call::Exit;
use crate::cli::ui::ending;
use crate::cli::ui::printable::in_one_line;
use crate::cli::ui::progress::Progress;
use crate::cli::ui::summary::{Counted, Seconds, reasons};

const EXAMPLES: &str = "\
Examples:
  Split a corpus for training, with all isomorphs of a puzzle in the same part:
    gridmill split corpus.csv --parts train=0.9,val=0.05,test=0.05 --seed 1 -o parts
  Take a test set of exactly 100 records:
    gridmill split corpus.csv --parts test=100,train=rest -o exact
  Write five folds for cross-validation:
    gridmill split corpus.csv.gz --folds 5 -o 'folds/{part}.csv.gz'";

const BY: &str = "What keeps records together: the same puzzle, the same class (isomorphs), or isomorphic solutions";

/// Split a corpus into parts, such as a training set and a test set, without leaks.
///
/// Records that belong together go to the same part. The part of a record depends only on its class (or on what --by
/// names), the seed and the parts. So it is the same in any order, file or shard, on any machine, and when the corpus
/// grows. Records are copied byte for byte, in order.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("by", |by| describe_by(by, "Parts", BY, "Records that cannot be compared go to a part of their own, called unsplit.")),
)]
#[command(group = ArgGroup::new("sizes").required(true))]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Names and sizes of the parts
    ///
    /// A size is a share (`0.9` or `90%`), an exact number of records (`1000`), or `rest` for all records that the
    /// other parts leave. Exact sizes take a second pass over the inputs, which must be files, and 16 bytes of memory
    /// for each record. If no part gets the rest, the remaining records are left out.
    #[arg(long, value_name = "NAME=SIZE,...", group = "sizes", help_heading = "Parts")]
    parts: Option<Parts>,

    /// Make K parts of the same size, called fold-1, fold-2 and so on
    #[arg(long, value_name = "K", value_parser = number::<usize>, group = "sizes", help_heading = "Parts")]
    folds: Option<usize>,

    #[command(flatten)]
    groups: GroupArgs,

    /// Seed of the choices
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>, help_heading = "Parts")]
    seed: u64,

    /// Give each part its share of the records with each value of a column, and report them
    ///
    /// The shares are as near as they can be with whole classes; a class goes by the value that most of its records have.
    /// This takes a second pass over the inputs, which must be files, and 44 bytes of memory a record. The column may have
    /// up to 10,000 values.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other, help_heading = "Parts")]
    stratify: Option<String>,

    /// Put the numbers of that column into bins, as in 0,10,100: 0..10, 10..100, and other for any other value
    #[arg(long, value_name = "A,B,C", requires = "stratify", allow_negative_numbers = true, help_heading = "Parts")]
    bins: Option<Bins>,

    /// Directory of the parts, or the name of their files with {part} in it
    ///
    /// In a directory, files are called as the parts, with the extension of the first input. Files are compressed by
    /// their extensions. They are called FILE.partial until all are complete.
    #[arg(short, long, value_name = "DIR|FILE", value_hint = ValueHint::AnyPath, help_heading = "Output")]
    output: PathBuf,

    #[command(flatten)]
    solving: SolvingArgs,

    #[command(flatten)]
    card: CardArgs,

    #[command(flatten)]
    reporting: ReportingArgs,
}

impl Run for SplitArgs {
    /// The names of the parts' files depend on the first input: all outputs are checked once that is open.
    fn files(&self) -> anyhow::Result<RunFiles> {
        self.input.files()
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let parts = match (&self.parts, self.folds) {
            (Some(parts), _) => parts.clone(),
            (None, folds) => Parts::folds(folds.unwrap_or(1))?,
        };
        let origins = self.input.origins()?;
        let progress = self.reporting.progress(&origins);
        let corpus =
            InputArgs::open(origins, self.input.options(AnswerColumn::Ignored, self.stratify.as_slice()), &progress)?;

        let files = PartFiles::new(&self.output);
        let job = Split::new(parts).by(self.groups.by).seed(self.seed).engine(self.solving.engine());
        let mut job = job.max_branches(self.solving.max_branches);
        if let Some(column) = &self.stratify {
            job = job.stratify(column);
        }
        if let Some(bins) = &self.bins {
            job = job.bins(bins.clone());
        }

        // The names of the outputs are known only now.
        self.reporting.add_to(self.card.add_to(job.files(&corpus, &files))).check()?;
        let (card, parts) = (job.card(&corpus), job.card_files(&corpus, &files));
        self.card.check(parts.iter().map(|part| part.path.as_path()))?;

        let finished = job.run_to(corpus, &files, &self.solving.execution(&progress)).map_err(ending::in_words);
        let finished = described_if_complete(finished, |report| self.card.write(&card, report, &parts));
        finish(finished, &self.reporting, None, &progress, |_| false)
    }
}

impl Report for SplitReport {
    fn show(&self, run: &RunFacts, progress: &Progress) {
        progress.report(|| SplitSummary(self, run.wall_seconds).to_string());
    }
}

/// The number of values of a column that are shown.
const VALUES_SHOWN: usize = 20;

/// The maximum length of a value, in characters.
const VALUE_WIDTH: usize = 15;

/// Shows the report of a split, and its seconds, over several lines, without a line end after the last.
struct SplitSummary<'a>(&'a SplitReport, f64);

impl Display for SplitSummary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &SplitSummary(report, seconds) = self;
        write!(f, "{} in {}", Counted(report.records, "record"), Seconds(seconds))?;
        let width = report.parts.iter().map(|part| part.name.len()).max().unwrap_or(0).max(UNSPLIT.len());
        let all: u64 = report.parts.iter().map(|part| part.records).sum();
        for PartCount { name, records, .. } in &report.parts {
            write!(f, "\n  {name:width$} {:>11}  {:>7}", HumanCount(*records).to_string(), Fraction(*records, all))?;
        }
        if report.unsplit.total() > 0 {
            let (count, reasons) = (HumanCount(report.unsplit.total()).to_string(), reasons(&report.unsplit));
            write!(f, "\n  {UNSPLIT:width$} {count:>11}  {reasons}")?;
        }
        if report.left_out > 0 {
            write!(f, "\n  {} in no part", Counted(report.left_out, "record"))?;
        }
        if let Some(values) = &report.values {
            write_values(f, values, &report.parts)?;
        }
        Ok(())
    }
}

/// The share of each value in each part.
fn write_values(f: &mut Formatter<'_>, counts: &ValueCounts, parts: &[PartCount]) -> fmt::Result {
    let shorten = |text: &str| named(text).chars().take(VALUE_WIDTH).collect::<String>();
    write!(f, "\n  {:VALUE_WIDTH$} {:>11}", shorten(&counts.column), "records")?;
    for part in parts {
        write!(f, " {:>9}", part.name)?;
    }
    let mut row = |value: &str, counts: &[u64]| {
        let records = HumanCount(counts.iter().sum()).to_string();
        write!(f, "\n  {:VALUE_WIDTH$} {records:>11}", shorten(value))?;
        for (&count, part) in counts.iter().zip(parts) {
            write!(f, " {:>9}", Fraction(count, part.records).to_string())?;
        }
        Ok(())
    };
    let (shown, more) = counts.values.split_at(counts.values.len().min(VALUES_SHOWN));
    for value in shown {
        row(&value.value, &value.parts)?;
    }
    if !more.is_empty() {
        let others = |part: usize| more.iter().map(|value| value.parts[part]).sum();
        row("other values", &(0..parts.len()).map(others).collect::<Vec<u64>>())?;
    }
    Ok(())
}

/// A value on one line; an empty value gets a name.
fn named(value: &str) -> String {
    if value.is_empty() { "(empty)".to_owned() } else { in_one_line(value) }
}

/// A fraction of a number: `4.98 %`, or `-` of 0.
struct Fraction(u64, u64);

impl Display for Fraction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &Fraction(count, all) = self;
        if all == 0 { f.pad("-") } else { f.pad(&format!("{:.2} %", 100.0 * count as f64 / all as f64)) }
    }
}
