//! Scores answers to puzzles by the rules. Answers may be any text.

mod worker;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use self::worker::ScoreWorker;
use crate::corpus::{Corpus, Shard};
use crate::format::{Alphabet, ParsedPuzzle};
use crate::options::OptionError;
use crate::rows::{Column, Decimal, Field, Kind, Row, Subject, column, row};
use crate::run::job::{Independent, Job, JobParts};
use crate::run::settings::RowSettings;
use crate::run::{Execution, JobError, RowJob};
pub use crate::scoring::Thoughts;
use crate::scoring::{AnswerRules, Assessment, Place, is_tag_name};
use crate::stats::{Category, Counts, RunCounts, merge_fields};

/// Scores the answers to the puzzles of a corpus: finds the grid in each text, and judges it by the rules.
///
/// The answers are in the column that [`AnswerColumn`](crate::format::AnswerColumn) names. Any solution of a puzzle is
/// a right answer. No answer causes an error: a text without a grid gets [`Grade::NoGrid`]. A chat is the last message of
/// the assistant.
///
/// ```
/// use gridmill::corpus::{Corpus, Origin};
/// use gridmill::format::{AnswerColumn, InputOptions};
/// use gridmill::jobs::{Execution, Score};
///
/// let options = InputOptions { answer: AnswerColumn::Named("solution".into()), ..InputOptions::default() };
/// let corpus = Corpus::open(vec![Origin::File("data/with-answers.csv".into())], options)?;
/// let report = Score::new().run(corpus, std::io::sink(), &Execution::new())?.report;
/// assert_eq!(report.mean_score, Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Score = RowJob<ScoreOptions>;

/// The options of [`Score`], as plain data.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ScoreOptions {
    formula: ScoreFormula,
    thoughts: Thoughts,
    /// Tags that enclose answers, in addition to the usual ones.
    answer_tag: Vec<String>,
}

impl Score {
    /// Scores by the fraction of blanks that are right, and writes CSV with all columns.
    pub fn new() -> Score {
        Score::default()
    }
}

setters!(Score {
    /// Sets the formula of the score.
    formula(formula: ScoreFormula) => job.formula = formula;

    /// Sets whether the answer may stand in thoughts, such as between `<think>` and `</think>`.
    thoughts(thoughts: Thoughts) => job.thoughts = thoughts;

    /// Sets the names of more tags that enclose answers, such as `grid` for `<grid>...</grid>`.
    answer_tags(names: Vec<String>) => job.answer_tag = names;
});

/// The answers by verdict, and the mean of their scores.
#[derive(Clone, Debug, Serialize)]
pub struct Scores {
    /// The number of records.
    pub records: u64,
    /// Records by the verdict on the answer.
    pub verdicts: Counts<Grade>,
    /// The number of answers with a score.
    pub scored: u64,
    /// The mean score, if a puzzle has a score.
    pub mean_score: Option<f64>,
}

/// The numbers of answers by grade, and the sum of their scores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScoreCounts {
    verdicts: Counts<Grade>,
    scored: u64,
    /// In units of the last digit of a score.
    sum: u64,
}

impl ScoreCounts {
    /// Counts an answer.
    fn add(&mut self, grade: Grade, score: Option<Decimal>) {
        self.verdicts[grade] += 1;
        if let Some(score) = score {
            self.scored += 1;
            self.sum += score.units;
        }
    }
}

impl RunCounts for ScoreCounts {
    fn records(&self) -> u64 {
        self.verdicts.total()
    }
}

merge_fields!(ScoreCounts: verdicts, scored, sum);

/// The grade of an answer to a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Grade {
    /// A solution: full, within the rules, with every clue. A puzzle with several solutions accepts each of them.
    Solved,
    /// A full grid with every clue that breaks a rule.
    Wrong,
    /// A grid that lacks clues, or changes them.
    Changed,
    /// A grid with every clue and with blanks.
    Incomplete,
    /// The answer has no grid of the puzzle's size, or the record is too long to be read.
    NoGrid,
    /// The puzzle has no solution, so the answer is worth nothing.
    None,
    /// The puzzle is malformed, or the answer is a chat that cannot be read.
    Malformed,
}

impl Grade {
    /// The names of all grades, in their order.
    pub(crate) const NAMES: &[&str] = <Grade as VariantNames>::VARIANTS;
}

impl Category for Grade {
    fn index(self) -> usize {
        self as usize
    }
}

/// The row of a record.
pub(crate) struct ScoreRow<'a> {
    file: &'a str,
    line: u64,
    subject: Subject<'a>,
    grade: Grade,
    score: Option<Decimal>,
    /// The place of the grid, or the reason why it is not in the answer.
    found: Option<Place>,
    /// The grid that was found, and the symbols of its puzzle.
    grid: Option<FoundAnswer<'a>>,
    detail: &'a str,
}

/// A grid that was found in an answer.
#[derive(Clone, Copy)]
struct FoundAnswer<'a> {
    facts: GridFacts,
    cells: &'a [u8],
    alphabet: &'a Alphabet,
}

/// The properties of a grid in an answer.
#[derive(Clone, Copy)]
struct GridFacts {
    place: Place,
    start: usize,
    /// The number of different grids in the same place.
    grids: usize,
    /// Whether another grid in the answer is a solution; `None` if this grid is one.
    is_another_right: Option<bool>,
    counts: GridCounts,
}

/// The counts of a grid's cells.
#[derive(Clone, Copy, Debug, Default)]
struct GridCounts {
    assessment: Assessment,
    /// The number of blanks that are filled as in the nearest solution; `None` if that solution is unknown.
    right: Option<usize>,
    /// Whether a grid with blanks can be completed; `None` if that is unknown, or the grid has no blanks.
    is_solvable: Option<bool>,
}

impl Row for ScoreRow<'_> {
    row! {
        |self, field| {
            let facts = self.grid.map(|grid| grid.facts);
            let count = |of: fn(&Assessment) -> usize| facts.map(|facts| of(&facts.counts.assessment) as u64);
        }

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.line);
        Column::PUZZLE => field.subject(self.subject);
        column!(
            "verdict",
            Kind::Name(Grade::NAMES),
            "solved, wrong, changed, incomplete or no-grid; none or malformed if the puzzle is that"
        ) => field.name(Grade::NAMES, self.grade as usize);
        column!("score", Kind::Decimal, "what the answer is worth, from 0 to 1, by `formula`").nullable() =>
            field.decimal_if_known(self.score);

        column!("grid", Kind::Text, "the grid in the answer, in one line").nullable() => match self.grid {
            Some(grid) => field.symbols(grid.alphabet, grid.cells, b'.'),
            None => field.null(),
        };
        column!(
            "found",
            Kind::Name(Place::VARIANTS),
            "where it was found: answer, boxed or text; of no-grid, answer if a tag without a grid is the answer, or \
             thoughts"
        )
        .nullable() => field.name_if_known(Place::VARIANTS, self.found.map(|place| place as usize));
        column!("start", Kind::Number, "the byte of the answer at which it starts, from 0").nullable() =>
            field.number_if_known(facts.map(|facts| facts.start as u64));
        column!("grids", Kind::Number, "the different grids in that place").nullable() =>
            field.number_if_known(facts.map(|facts| facts.grids as u64));
        column!(
            "another",
            Kind::Name(&YES_NO),
            "whether another grid in the answer is a solution; none if this one is"
        )
        .nullable() => yes_or_no(field, facts.and_then(|facts| facts.is_another_right));

        column!("blanks", Kind::Number, "the blanks of the puzzle").nullable() =>
            field.number_if_known(count(|counts| counts.blanks));
        column!("filled", Kind::Number, "the blanks that the grid fills").nullable() =>
            field.number_if_known(count(|counts| counts.filled));
        column!("right", Kind::Number, "those that it fills as the nearest solution does; none if it is not known")
            .nullable() => field.number_if_known(facts.and_then(|facts| facts.counts.right).map(|right| right as u64));
        column!("conflicts", Kind::Number, "the cells of the grid whose digit occurs again in a house").nullable() =>
            field.number_if_known(count(|counts| counts.conflicts));
        column!("changed", Kind::Number, "the clues that the grid lacks or has changed").nullable() =>
            field.number_if_known(count(|counts| counts.changed));

        column!("solvable", Kind::Name(&YES_NO), "whether a grid with blanks has a solution: yes or no").nullable() =>
            yes_or_no(field, facts.and_then(|facts| facts.counts.is_solvable));
        column!("detail", Kind::Text, "the reason for the verdict, where there is one to give").nullable() =>
            field.text_if_any(self.detail);
    }
}

/// The names in the columns `another` and `solvable`.
const YES_NO: [&str; 2] = ["yes", "no"];

/// Writes one of these names, if known.
#[inline(always)]
fn yes_or_no<F: Field>(field: F, answer: Option<bool>) {
    field.name_if_known(&YES_NO, answer.map(|answer| usize::from(!answer)));
}

/// The formula for the score of an answer: a number from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, IntoStaticStr, VariantArray, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum ScoreFormula {
    /// 1 for a solution, 0 for everything else.
    Exact,
    /// The number of blanks that are filled as in the nearest solution, divided by the number of all blanks; 0 if a
    /// clue is changed. Without blanks, the same as [`Exact`](ScoreFormula::Exact).
    #[default]
    Blanks,
    /// The number of cells that are the same as in the nearest solution, clues included, divided by the number of all
    /// cells.
    Cells,
    /// Four fifths of [`Cells`](ScoreFormula::Cells), and a fifth for a solution, as Sudoku-Bench scores.
    SudokuBench,
}

/// The number of decimal places of a score.
const DIGITS: u32 = 6;

/// The score 1, in units of the last decimal place.
const ONE: u64 = 10_u64.pow(DIGITS);

impl ScoreFormula {
    /// The score of an answer without a grid. A damaged record counts too, so that no answer can drop out of the mean
    /// by damaging its record.
    fn without_grid(grade: Grade) -> Option<Decimal> {
        (grade != Grade::None).then_some(Decimal { units: 0, digits: DIGITS })
    }

    /// The score of an answer to a puzzle; `None` if it is unknown, or the puzzle has no solution. An answer without a
    /// grid has score 0.
    fn score(self, grade: Grade, puzzle: ParsedPuzzle, counts: Option<GridCounts>) -> Option<Decimal> {
        let share = |part: usize, of: usize| {
            // Round down, so that only a solution has score 1.
            let units = part as u64 * ONE / of as u64;
            Some(Decimal { units, digits: DIGITS })
        };
        let exact = || share(usize::from(grade == Grade::Solved), 1);
        let (GridCounts { assessment: Assessment { blanks, changed, .. }, right, .. }, clues) = match (grade, counts) {
            (Grade::None, _) | (_, None) => return ScoreFormula::without_grid(grade),
            (_, Some(counts)) => (counts, usize::from(puzzle.clues)),
        };

        let cells = || share(right? + clues - changed, clues + blanks);
        match self {
            ScoreFormula::Exact => exact(),
            ScoreFormula::Blanks if blanks == 0 => exact(),
            ScoreFormula::Blanks if changed > 0 => share(0, 1),
            ScoreFormula::Blanks => share(right?, blanks),
            ScoreFormula::Cells => cells(),
            ScoreFormula::SudokuBench => {
                let units = (4 * cells()?.units + exact()?.units) / 5;
                Some(Decimal { units, digits: DIGITS })
            }
        }
    }
}

impl Job for ScoreOptions {
    const NAME: &'static str = "score";

    type Report = Scores;
}

impl JobParts for ScoreOptions {
    const ANSWER_OPTION: Option<&'static str> = Some("response-column");

    type Row = ScoreRow<'static>;
    type Worker = ScoreWorker;
    type Stage = Independent<ScoreCounts>;

    fn check(rows: &RowJob<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
        match rows.job.answer_tag.iter().find(|name| !is_tag_name(name)) {
            Some(name) => Err(OptionError::new(format!("an answer tag is a name such as `grid`, not '{name}'")).into()),
            None => Ok(()),
        }
    }

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(()))
    }

    fn worker(rows: &RowJob<Self>, _stage: &Self::Stage, execution: &Execution) -> Result<ScoreWorker, JobError> {
        let RowSettings { engine, max_branches, .. } = &rows.settings;
        let solver = execution.solver(engine.build()?, *max_branches);
        let ScoreOptions { formula, thoughts, ref answer_tag } = rows.job;
        let rules = AnswerRules { thoughts, tags: answer_tag.clone() };
        Ok(ScoreWorker::new(formula, rules, solver))
    }
}

impl From<ScoreCounts> for Scores {
    fn from(ScoreCounts { verdicts, scored, sum }: ScoreCounts) -> Scores {
        // A mean over nothing but malformed records would be no measurement.
        let mean_score = (scored > verdicts[Grade::Malformed]).then(|| sum as f64 / ONE as f64 / scored as f64);
        Scores { records: verdicts.total(), verdicts, scored, mean_score }
    }
}
