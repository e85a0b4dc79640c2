//! `gridmill validate`: a verdict on every record of a corpus, and a scorecard.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use gridmill::corpus::{Corpus, Origin};
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::validate::{AskedChecks, FailOn, ValidateOptions, ValidateReport};
use gridmill::jobs::{NamedClassSet, Validate};
use gridmill::output::{OutputTarget, RunFiles};
use gridmill::stats::RunFacts;

use super::frame::{Report, RowRun, Run, described_if_complete};
use crate::cli::args::{AnswerArgs, CardArgs, InputArgs, LongRunArgs, LookupArgs, RowArgs, origins_if_any, read_once};
use crate::cli::call::Exit;
use crate::cli::card::SplitFile;
use crate::cli::report::{self, Page};
use crate::cli::ui::ending;
use crate::cli::ui::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  Check that every puzzle has one solution, and that the answers are right:
    gridmill validate test.csv -o report.csv
  Fail if a test puzzle, or an isomorph of one, is in the training set:
    gridmill validate test.csv --against train.csv --fail-on leak -o leaks.csv
  Copy the sound records to one file and all others to another:
    gridmill validate puzzles.txt --isomorphs --accepts good.txt --rejects bad.txt -q
  Ask whether a data set is any good as a whole, and draw what was found:
    gridmill validate train.csv test.csv --audit --report audit.html -o rows.csv";

/// Check a corpus: bad records, wrong answers, duplicates, leaked test puzzles.
///
/// A record is sound if it is a puzzle with exactly one solution, and if its answer, where the input has a column for
/// answers, is that solution. Options add further checks. Rows go to standard output, a scorecard goes to standard
/// error.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("allow_malformed", |allow| allow.requires("against")))]
#[expect(clippy::struct_excessive_bools, reason = "options without a value")]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    answer: AnswerArgs,

    /// Check that this column has the ER of each 9x9 puzzle, as `gridmill rate` finds it; rows have the column, too
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Checks")]
    rating_column: Option<String>,

    /// Check that every clue is needed
    #[arg(long, help_heading = "Checks")]
    minimal: bool,

    /// Fill the column class, as --isomorphs and --against do
    #[arg(long, help_heading = "Checks")]
    classes: bool,

    /// Find puzzles that occur more than once
    #[arg(long, help_heading = "Checks")]
    duplicates: bool,

    /// Find 4x4, 6x6 and 9x9 puzzles that are isomorphs of an earlier one: relabelled, permuted, transposed
    #[arg(long, help_heading = "Checks")]
    isomorphs: bool,

    /// Find puzzles that also occur in these files: the same, an isomorph, or an isomorphic solution
    ///
    /// They are read first, with the same input options. It is an error if they hold no puzzles, or if more than half of
    /// the records of one of them are malformed; the exit code is 1 if any is. They may also be sets of classes, which
    /// `gridmill classes` writes; isomorphs are found in these.
    #[arg(long, value_name = "OTHER", num_args = 1.., help_heading = "Checks")]
    against: Vec<PathBuf>,

    #[command(flatten)]
    lookup: LookupArgs,

    /// Audit the corpus as a whole, and raise alarms: few classes of solutions, leaks between the inputs, uneven cells,
    /// an order of the file, ...
    ///
    /// Finds classes, too. The scorecard, `--summary` and `--report` have the results. An audit is of one complete run:
    /// not with `--shard` or `--resume`.
    #[arg(long, help_heading = "Checks")]
    audit: bool,

    /// Also rate the 9x9 puzzles for the audit, which takes a hundred times as long
    #[arg(long, requires = "audit", hide_short_help = true, help_heading = "Checks")]
    audit_ratings: bool,

    /// Findings that make the exit code 1 [default: all but not-minimal, duplicate and isomorph]
    ///
    /// `leak` means all three kinds of leak, `audit` any alarm of `--audit`, `all` every finding and every alarm.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = PossibleValuesParser::new(FailOn::names()), help_heading = "Checks")]
    fail_on: Option<Vec<String>>,

    #[command(flatten)]
    rows: RowArgs<ValidateOptions>,

    #[command(flatten)]
    long_run: LongRunArgs,

    #[command(flatten)]
    card: CardArgs,

    /// Copy the sound records to this file, with every column; compressed by its extension
    ///
    /// Records are copied as they are, after the header of their input; from Parquet to a Parquet file.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    accepts: Option<PathBuf>,

    /// Copy all other records to this file, in the same way
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    rejects: Option<PathBuf>,
}

/// The inputs as files of a data set.
fn split_files(inputs: &[Origin]) -> Vec<SplitFile> {
    let file = |origin: &Origin| if let Origin::File(path) = origin { Some(SplitFile::new(path)) } else { None };
    inputs.iter().filter_map(file).collect()
}

impl Run for ValidateArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let RowArgs { input, output, page, reporting, .. } = &self.rows;
        let read = self.lookup.add_to(input.files()?.corpus(&origins_if_any(&self.against)?));
        let files = page.add_to(output.add_to(read));
        let copies = [("--accepts", &self.accepts), ("--rejects", &self.rejects)];
        let files = copies.into_iter().fold(files, |files, (option, path)| match path {
            Some(path) => files.output(option, &OutputTarget::file(path)),
            None => files,
        });
        Ok(reporting.add_to(self.card.add_to(files)))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let keep = self.kept_columns();
        let mut job = self.job()?;
        job.check(&keep, self.long_run.shard).map_err(ending::in_words)?;

        // A card describes the inputs, so they must be complete files.
        let data = self.rows.input.origins()?;
        self.card.check_inputs(&data)?;
        self.card.check_shard(self.long_run.shard)?;
        let card = job.card(self.rows.input.options(self.answer.column(), &[]));

        // The other corpus may be standard input, if this one is not.
        let (sets, others) = self.lookup.sets_among("--against", &self.against)?;
        let run = RowRun::new(&self.rows, &others)?;
        read_once(&run.inputs)?;
        job = comparing(job, sets, others, &self.rows.input, &self.answer.column(), &run.progress)?;
        let corpus = run.open(self.answer.column(), &keep, self.long_run.shard)?;

        let progress = run.progress.clone();
        run.finish(
            |target, execution| {
                let finished = job.run_to(corpus, target, execution).map_err(ending::in_words);
                described_if_complete(finished, |report| {
                    self.card.write(&card, &report.for_card(), &split_files(&data))
                })
            },
            |report| {
                for (path, records) in [(&self.accepts, "the sound records"), (&self.rejects, "the other records")] {
                    if let Some(path) = path {
                        progress.note(format_args!("{records} are in {}", path.display()));
                    }
                }
                !report.failed_on.is_empty()
            },
        )
    }
}

impl ValidateArgs {
    /// The job according to the options, without its corpora.
    fn job(&self) -> anyhow::Result<Validate> {
        let &ValidateArgs { minimal, ref rating_column, duplicates, isomorphs, classes, audit, audit_ratings, .. } =
            self;
        let rating_column = rating_column.clone();
        let asked = AskedChecks { minimal, rating_column, duplicates, isomorphs, classes, audit, audit_ratings };
        let fail_on = match &self.fail_on {
            Some(names) => {
                FailOn::named(names, &asked, !self.against.is_empty()).map_err(|error| ending::option_error(&error))?
            }
            None => FailOn::usual(),
        };
        let mut job = self.rows.set(Validate::from(asked))?.resume(self.long_run.resume).fail_on(fail_on);
        job = job.allow_malformed(self.lookup.allow_malformed);
        if let Some(path) = &self.accepts {
            job = job.accepts(OutputTarget::file(path));
        }
        if let Some(path) = &self.rejects {
            job = job.rejects(OutputTarget::file(path));
        }
        Ok(job)
    }

    /// The columns of the input that rows repeat: the kept columns, and the column of ratings.
    fn kept_columns(&self) -> Vec<String> {
        let rating = self.rating_column.iter().filter(|rating| !self.rows.keep.contains(rating));
        self.rows.keep.iter().chain(rating).cloned().collect()
    }
}

/// The job that compares its corpus with sets of classes and with inputs, which may have another column of answers than
/// the named one.
pub(super) fn comparing(
    job: Validate,
    sets: Vec<NamedClassSet>,
    others: Vec<Origin>,
    input: &InputArgs,
    named: &AnswerColumn,
    progress: &Progress,
) -> anyhow::Result<Validate> {
    let job = sets.into_iter().fold(job, Validate::against_set);
    if others.is_empty() {
        return Ok(job);
    }
    let has_named = |origin: &Origin| {
        let options = input.options(named.clone(), &[]);
        *origin != Origin::Stdin && Corpus::open(vec![origin.clone()], options).is_ok()
    };
    let answer = if others.iter().all(has_named) { named.clone() } else { AnswerColumn::ByName };
    let options = InputOptions { reads_others: true, ..input.options(answer, &[]) };
    Ok(job.against(InputArgs::open(others, options, progress)?))
}

impl Report for ValidateReport {
    fn show(&self, run: &RunFacts, progress: &Progress) {
        progress.report(|| report::validate::text(self, run));
    }

    fn page(&self, run: &RunFacts) -> Option<Page> {
        Some(report::validate::page(self, run))
    }
}
