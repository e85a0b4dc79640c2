//! `gridmill augment`: random isomorphs of each puzzle of a corpus.

use anyhow::bail;
use clap::Args;
use gridmill::jobs::Augment;
use gridmill::jobs::augment::{AugmentCounts, AugmentOptions, TrainingSetName};
use gridmill::output::{DASH, RunFiles};
use gridmill::pipeline::End;
use gridmill::puzzle::IsomorphKind;
use gridmill::rows::OutputFormat;

use super::frame::{InWords, RowRun, Run, described_if_complete};
use crate::cli::args::values::{named, number};
use crate::cli::args::{CardArgs, CheckedAnswerArgs, RowArgs, To};
use crate::cli::call::Exit;
use crate::cli::card::SplitFile;
use crate::cli::report::{Colour, Section};
use crate::cli::ui::ending;
use crate::cli::ui::summary::{Counted, Seconds};

const EXAMPLES: &str = "\
Examples:
  Write ten random isomorphs of each puzzle, with their solutions:
    gridmill augment train.csv --copies 10 --seed 1 -o larger.csv
  Only rename digits, and say which line each copy comes from:
    gridmill augment train.csv --copies 3 --kind digits --origin
  Write a training set for recursive reasoning models, with a thousand copies of each puzzle:
    gridmill augment train.csv --copies 1000 --to hrm --set train -o sudoku";

const TO: &str = "Output format; hrm is the NPY files that the training code of HRM and TRM reads, in the directory of -o \
                  [default: by the extension of FILE; without one csv]";

/// Write random isomorphs of each puzzle, with their answers.
///
/// The copies of a puzzle differ from each other and from it. They depend only on the seed and on the number of the
/// record in its input.
/// Records that are no puzzles, or whose answers are missing or wrong, are left out and counted; `gridmill validate` names
/// them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("to", |to| to.help(TO)))]
pub(crate) struct AugmentArgs {
    /// Number of copies of each puzzle
    #[arg(long, value_name = "K", value_parser = number::<usize>)]
    copies: usize,

    /// Seed of the random choices
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>)]
    seed: u64,

    /// The kinds of differences between copies [default: all of them]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = named::<IsomorphKind>())]
    kind: Vec<IsomorphKind>,

    /// Write each puzzle itself before its copies; `--to hrm` always does
    #[arg(long)]
    original: bool,

    #[command(flatten)]
    answer: CheckedAnswerArgs,

    #[command(flatten)]
    rows: RowArgs<AugmentOptions>,

    #[command(flatten)]
    card: CardArgs,

    /// Add the column origin: the line of the record, as in 7, or train.csv:7 if there are several inputs
    #[arg(long, help_heading = "Output")]
    origin: bool,

    /// Directory of a set of `--to hrm`
    ///
    /// Puzzles without answers are solved; all are of one size.
    #[arg(long, value_name = "SET", default_value = "train", requires = "to", value_parser = named::<TrainingSetName>(), help_heading = "Output")]
    set: TrainingSetName,
}

impl Run for AugmentArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        // With `--to hrm`, `-o` names a directory.
        if self.is_training_set() {
            let files = self.rows.page.add_to(self.rows.input.files()?);
            return Ok(self.rows.reporting.add_to(files));
        }
        Ok(self.card.add_to(self.rows.files()?))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let job = self.job()?;
        if !self.is_training_set() {
            self.card.check_output(&self.rows.output, !self.rows.table.no_header)?;
        }
        job.check(&self.rows.keep, None).map_err(ending::in_words)?;

        let run = RowRun::new(&self.rows, &[])?;
        let corpus = run.open(self.answer.answer.column(), &self.rows.keep, None)?;
        let progress = run.progress.clone();
        let card = job.card(&corpus);
        let directory = self.rows.output.output.as_deref().filter(|_| self.is_training_set());
        run.finish(
            |target, execution| {
                let finished = match directory {
                    Some(directory) => job.run_to_training_set(corpus, directory, self.set, execution),
                    None => job.run_to(corpus, target, execution),
                };
                let finished = described_if_complete(finished.map_err(ending::in_words), |report| {
                    let files = self.rows.output.output.iter().map(SplitFile::new).collect::<Vec<_>>();
                    self.card.write(&card, report, &files)
                })?;
                if directory.is_some() && finished.end == End::Stopped {
                    progress.note("no file of the set was written");
                }
                Ok(finished)
            },
            |_| false,
        )
    }
}

impl AugmentArgs {
    fn is_training_set(&self) -> bool {
        self.rows.table.to == Some(To::TrainingSet)
    }

    /// The job according to the options.
    fn job(&self) -> anyhow::Result<Augment> {
        let job = if self.is_training_set() {
            self.check_training_set()?;
            self.rows.table.set(Augment::new(self.copies), &self.rows.solving, OutputFormat::Csv)
        } else {
            self.rows.set(Augment::new(self.copies))?
        };
        let job = job.seed(self.seed).original(self.original).origin(self.origin).unchecked(self.answer.unchecked);
        Ok(if self.kind.is_empty() { job } else { job.kinds(self.kind.iter().copied()) })
    }

    /// Refuses options that NPY files cannot have.
    fn check_training_set(&self) -> anyhow::Result<()> {
        let RowArgs { output, table, keep, .. } = &self.rows;
        let directory = output.output.as_ref().filter(|path| path.as_os_str() != DASH);
        if let Some(option) = self.card.option() {
            bail!(
                "{option} describes files with columns, and --to hrm writes a directory of arrays; leave out {option}"
            );
        }
        match (directory, self.origin || !keep.is_empty() || table.columns.is_some(), output.compress) {
            (None, ..) => bail!("--to hrm needs -o with the name of a directory"),
            (_, true, _) => bail!("--to hrm has no columns for --columns, --keep and --origin"),
            (.., Some(_)) => bail!("--to hrm writes NPY files, which are not compressed; leave out --compress"),
            _ => Ok(()),
        }
    }
}

impl InWords for AugmentCounts {
    const TITLE: &'static str = "Augmented corpus";

    /// The numbers of copies and puzzles, and of records without copies.
    fn sentence(&self, time: Seconds) -> String {
        let AugmentCounts { puzzles, copies, fewer, malformed, unanswered, wrong_answers } = *self;
        let copies = match copies {
            1 => "1 copy".to_owned(),
            copies => format!("{} copies", indicatif::HumanCount(copies)),
        };
        let mut sentence = format!("{copies} of {} in {}", Counted(puzzles, "puzzle"), time);
        let mut add = |count: u64, what: &'static str, why: &str| {
            if count > 0 {
                sentence = format!("{sentence}; {} {why}", Counted(count, what));
            }
        };
        add(fewer, "puzzle", "with fewer, as these kinds give no more");
        add(malformed, "record", "left out: no puzzle");
        add(unanswered, "record", "left out: no full grid as its answer");
        add(wrong_answers, "record", "left out: wrong answer");
        sentence
    }

    fn shares(&self) -> Option<Section> {
        let AugmentCounts { puzzles, fewer, malformed, unanswered, wrong_answers, .. } = *self;
        let shares = [
            ("with all copies", puzzles - fewer, Colour::Good),
            ("with fewer copies", fewer, Colour::Notice),
            ("no puzzle", malformed, Colour::Bad),
            ("no full grid as its answer", unanswered, Colour::Bad2),
            ("a wrong answer", wrong_answers, Colour::Bad2),
        ];
        Some(Section::shares("records", "Records", &shares))
    }
}
