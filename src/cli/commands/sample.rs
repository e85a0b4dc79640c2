//! `gridmill sample`: a random sample of a corpus.

use clap::{Args, ValueHint};
use gridmill::ParseError;
use gridmill::format::AnswerColumn;
use gridmill::jobs::sample::{Condition, SampleReport};
use gridmill::jobs::{Bins, Sample};
use gridmill::output::RunFiles;
use indicatif::HumanCount;

use super::frame::{InWords, Run, finish};
use crate::cli::args::values::number;
use crate::cli::args::{CheckedAnswerArgs, ExecutionArgs, InputArgs, OutputArgs, ReportingArgs, WorkArgs};
use crate::cli::call::Exit;
use crate::cli::ui::ending;
use crate::cli::ui::summary::{Counted, Seconds};

const EXAMPLES: &str = "\
Examples:
  Take a thousand records at random:
    gridmill sample corpus.csv -n 1000 --seed 7 -o sample.csv
  Take a hundred of those that have few clues and a high rating:
    gridmill sample corpus.csv -n 100 --where 'clues<=24 && rating>=50'
  Take a sample with the same share of each source as the corpus:
    gridmill sample corpus.csv -n 1000 --stratify source -o sample.csv";

/// Copy a random sample of the records.
///
/// The same seed gives the same sample, with any number of threads. Records are copied byte for byte, in order, even
/// malformed ones; records with wrong answers are left out and counted. Takes the memory of the sample.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SampleArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    answer: CheckedAnswerArgs,

    /// Number of records; if there are fewer, all are taken
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = number::<usize>, help_heading = "Sample")]
    count: usize,

    /// Seed of the choice
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>, help_heading = "Sample")]
    seed: u64,

    /// Sample only records that meet conditions, such as 'clues<=24' or 'rating>=50'
    ///
    /// A condition has the name of a column, one of <= >= < > = != and a value. `clues` is the number of clues of the
    /// puzzle. Numbers are compared as numbers; a text can only be = or !=. Several conditions, with && between them or
    /// with the option several times, all have to be met.
    #[arg(long = "where", value_name = "CONDITION", value_parser = parse_conditions, help_heading = "Sample")]
    conditions: Vec<Conditions>,

    /// Take from the records with each value of a column a share in proportion to their number
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other, help_heading = "Sample")]
    stratify: Option<String>,

    /// Put the numbers of that column into bins, as in 0,10,100: 0..10, 10..100, and other for any other value
    #[arg(long, value_name = "A,B,C", requires = "stratify", allow_negative_numbers = true, help_heading = "Sample")]
    bins: Option<Bins>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    execution: ExecutionArgs,

    #[command(flatten)]
    reporting: ReportingArgs,
}

/// The conditions in one `--where`.
#[derive(Clone, Debug)]
struct Conditions(Vec<Condition>);

fn parse_conditions(text: &str) -> Result<Conditions, ParseError> {
    Condition::parse_all(text).map(Conditions)
}

impl Run for SampleArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        Ok(self.reporting.add_to(self.output.add_to(self.input.files()?)))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let conditions = self.conditions.iter().flat_map(|conditions| conditions.0.iter().cloned());
        let mut job = Sample::new(self.count).seed(self.seed).conditions(conditions).unchecked(self.answer.unchecked);
        if let Some(column) = &self.stratify {
            job = job.stratify(column);
        }
        if let Some(bins) = &self.bins {
            job = job.bins(bins.clone());
        }
        let columns: Vec<String> = job.columns().map(str::to_owned).collect();

        let origins = self.input.origins()?;
        let progress = self.reporting.progress(&origins);
        // Answers are read only to leave out wrong ones.
        let answer = if self.answer.unchecked { AnswerColumn::Ignored } else { self.answer.answer.column() };
        let corpus = InputArgs::open(origins, self.input.options(answer, &columns), &progress)?;
        let execution = self.execution.execution(&progress);
        let finished = job.run_to(corpus, &self.output.target()?, &execution).map_err(ending::in_words);
        finish(finished, &self.reporting, None, &progress, |_| false)
    }
}

impl InWords for SampleReport {
    /// The numbers of records: all, matching, sampled, and with wrong answers.
    fn sentence(&self, time: Seconds) -> String {
        let SampleReport { records, matching, wrong_answers, sampled, .. } = *self;
        let (sampled, all) = (HumanCount(sampled), Counted(records, "record"));
        let mut sentence = if matching + wrong_answers == records {
            format!("{sampled} of {all} in {time}")
        } else {
            format!("{sampled} of {}, of {all} in all, in {time}", Counted(matching, "matching record"))
        };
        if wrong_answers > 0 {
            sentence = format!("{sentence}; {} left out: wrong answer", Counted(wrong_answers, "record"));
        }
        sentence
    }
}
