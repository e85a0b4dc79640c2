//! `gridmill score`: what the answers to puzzles are worth.

use std::process::ExitCode;

use clap::{Args, ValueHint};
use gridmill::format::AnswerColumn;
use gridmill::jobs::Score;
use gridmill::jobs::score::{Grade, ScoreFormula, ScoreReport};
use gridmill::resume::RunFiles;
use gridmill::stats::StoppedAfter;
use indicatif::HumanCount;
use strum::VariantArray;

use super::frame::{Report, RowRun, Run};
use crate::args::values::named;
use crate::args::{LongRunArgs, RowArgs};
use crate::report::{Colour, Page, Section};
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::summary::{Counted, ResumedNote, Seconds};

const EXAMPLES: &str = "\
Examples:
  Score the answers of a model, in the columns puzzle and response:
    gridmill score answers.jsonl -o scores.csv
  Count solved puzzles alone, with answers in the column completion:
    gridmill score answers.jsonl --response-column completion --formula exact -o scores.jsonl";

/// Score answers to puzzles: any text with a grid in it.
///
/// The grid is found in prose, tables, lists, LaTeX and JSON; within the last <answer> or \boxed{} if there is one there.
/// The last grid without blanks counts, or else the last one. The verdict is by the rules: any solution of the puzzle is
/// right.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ScoreArgs {
    /// Column of CSV or key of JSON lines that holds the answers [default: response, completion, generation, ...]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Input")]
    response_column: Option<String>,

    /// What the score of an answer is: 1 if it is solved, or the share of blanks or of cells that are right
    ///
    /// With `blanks`, an answer that changes a clue is worth 0.
    #[arg(long, default_value_t = ScoreFormula::Blanks, value_parser = named::<ScoreFormula>())]
    formula: ScoreFormula,

    #[command(flatten)]
    rows: RowArgs<Score>,

    #[command(flatten)]
    long_run: LongRunArgs,
}

impl Run for ScoreArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        self.rows.files()
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        let job = self.rows.set(Score::new().formula(self.formula))?.resume(self.long_run.resume);
        job.check(&self.rows.keep, self.long_run.shard).map_err(ending::in_words)?;
        let run = RowRun::new(&self.rows, &[])?;
        let answers = self.response_column.clone().map_or(AnswerColumn::Response, AnswerColumn::Named);
        let corpus = run.open(answers, &self.rows.keep, self.long_run.shard)?;
        run.finish(|target, execution| job.run_to(corpus, target, execution).map_err(ending::in_words), |_| false)
    }
}

impl Report for ScoreReport {
    fn stopped_after(&self) -> Option<&StoppedAfter> {
        self.stopped_after.as_ref()
    }

    fn show(&self, progress: &Progress) {
        progress.note(sentence(self));
    }

    fn page(&self) -> Option<Page> {
        let colour = |grade| match grade {
            Grade::Solved => Colour::Good,
            Grade::Incomplete => Colour::Notice,
            Grade::Wrong => Colour::Bad,
            Grade::Changed => Colour::Bad2,
            Grade::NoGrid => Colour::Notice2,
            _ => Colour::Unknown,
        };
        let share = |&grade: &Grade| (grade.into(), self.verdicts[grade], colour(grade));
        let shares: Vec<_> = Grade::VARIANTS.iter().map(share).collect();
        let section = Section::shares("verdicts", "Verdicts", &shares);
        Some(Page { title: "Scored answers".into(), lead: sentence(self), sections: vec![section] })
    }
}

/// The numbers of answers by verdict, and the mean of their scores.
fn sentence(report: &ScoreReport) -> String {
    let found = Grade::VARIANTS.iter().copied().filter(|&grade| report.verdicts[grade] > 0);
    let verdicts: Vec<_> = found.map(|grade| format!("{} {grade}", HumanCount(report.verdicts[grade]))).collect();
    let mean = report.mean_score.map(|mean| format!("; mean score {mean:.4}")).unwrap_or_default();
    let resumed = report.resumed.as_ref().map(|resumed| format!("; {}", ResumedNote(resumed))).unwrap_or_default();
    let gap = if verdicts.is_empty() { "" } else { ": " };
    let (records, seconds) = (Counted(report.records, "record"), Seconds(report.wall_seconds));
    format!("{records} in {seconds}{gap}{}{mean}{resumed}", verdicts.join(", "))
}
