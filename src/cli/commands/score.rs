//! `gridmill score`: scores for answers to puzzles.

use clap::{Args, ValueHint};
use gridmill::format::AnswerColumn;
use gridmill::jobs::Score;
use gridmill::jobs::score::{Grade, ScoreFormula, ScoreOptions, Scores, Thoughts};
use gridmill::output::RunFiles;
use strum::VariantArray;

use super::frame::{InWords, Run};
use crate::cli::args::values::named;
use crate::cli::args::{LongRunArgs, RowArgs};
use crate::cli::call::Exit;
use crate::cli::report::{Colour, Section};
use crate::cli::ui::summary::{Counted, Seconds, listed};

const EXAMPLES: &str = "\
Examples:
  Score the answers of a model, in the columns puzzle and response:
    gridmill score answers.jsonl -o scores.csv
  Count solved puzzles alone, with answers in the column completion:
    gridmill score answers.jsonl --response-column completion --formula exact -o scores.jsonl";

/// Score answers to puzzles: any text with a grid in it.
///
/// The answer is the last message of a chat, without thoughts such as `<think>...</think>`, and within the last closed
/// `<answer>` or `<solution>`, if it has one. Its grid is found in prose, tables, lists, LaTeX and JSON; the last grid
/// without blanks counts, or else the last one. The verdict is by the rules: any solution of the puzzle is right.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ScoreArgs {
    /// Column of CSV or key of JSON lines that holds the answers [default: response, completion, generation, ...]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Input")]
    response_column: Option<String>,

    /// The formula of the score: 1 if the puzzle is solved, or the share of blanks or of cells that are right
    ///
    /// With `blanks`, an answer that changes a clue is worth 0. `sudoku-bench` is 0.8 times `cells` plus 0.2 times `exact`.
    #[arg(long, default_value_t = ScoreFormula::Blanks, value_parser = named::<ScoreFormula>())]
    formula: ScoreFormula,

    /// Whether the grid may stand in thoughts: drop leaves them out, keep reads them
    #[arg(long, default_value_t = Thoughts::Drop, value_parser = named::<Thoughts>(), hide_short_help = true)]
    thoughts: Thoughts,

    /// Another tag that encloses answers, such as grid for <grid>...</grid>; may be given several times
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    answer_tag: Vec<String>,

    #[command(flatten)]
    rows: RowArgs<ScoreOptions>,

    #[command(flatten)]
    long_run: LongRunArgs,
}

impl Run for ScoreArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        self.rows.files()
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let job = Score::new().formula(self.formula).thoughts(self.thoughts).answer_tags(self.answer_tag.clone());
        let job = self.rows.set(job)?;
        let answers = self.response_column.clone().map_or(AnswerColumn::Response, AnswerColumn::Named);
        self.rows.run(&self.long_run, job, answers, &self.rows.keep, |_, _| false)
    }
}

impl InWords for Scores {
    const TITLE: &'static str = "Scored answers";

    fn sentence(&self, time: Seconds) -> String {
        let verdicts = listed(Grade::VARIANTS.iter().map(|&grade| (grade.into(), self.verdicts[grade])));
        let of_malformed = if self.verdicts[Grade::Malformed] > 0 { " with 0 for malformed records" } else { "" };
        let mean = self.mean_score.map(|mean| format!("; mean score {mean:.4}{of_malformed}")).unwrap_or_default();
        let gap = if verdicts.is_empty() { "" } else { ": " };
        format!("{} in {time}{gap}{verdicts}{mean}", Counted(self.records, "record"))
    }

    fn shares(&self) -> Option<Section> {
        let colour = |grade| match grade {
            Grade::Solved => Colour::Good,
            Grade::Incomplete => Colour::Notice,
            Grade::Wrong => Colour::Bad,
            Grade::Changed => Colour::Bad2,
            Grade::NoGrid => Colour::Notice2,
            _ => Colour::Unknown,
        };
        let share = |&grade: &Grade| (grade.into(), self.verdicts[grade], colour(grade));
        Some(Section::shares("verdicts", "Verdicts", &Grade::VARIANTS.iter().map(share).collect::<Vec<_>>()))
    }
}
