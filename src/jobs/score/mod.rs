//! Scores answers to puzzles by the rules. Answers may be any text.

mod row;
mod worker;

use serde::{Deserialize, Serialize};

use self::row::ScoreRow;
pub use self::row::{Grade, ScoreFormula};
use self::worker::ScoreWorker;
use crate::corpus::{Corpus, Shard};
use crate::options::OptionError;
use crate::rows::Decimal;
use crate::run::job::{Independent, Job, RowJob};
use crate::run::settings::RowSettings;
use crate::run::{Execution, JobError, Rows};
pub use crate::scoring::Thoughts;
use crate::scoring::{AnswerRules, is_tag_name};
use crate::stats::{Counts, RunCounts, merge_fields};

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
pub type Score = Rows<ScoreOptions>;

/// The options of [`Score`].
#[doc(hidden)]
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

impl Job for ScoreOptions {
    const NAME: &'static str = "score";

    type Report = Scores;
}

impl RowJob for ScoreOptions {
    const ANSWER_OPTION: Option<&'static str> = Some("response-column");

    type Row = ScoreRow<'static>;
    type Worker = ScoreWorker;
    type Stage = Independent<ScoreCounts>;

    fn check(rows: &Rows<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
        match rows.job.answer_tag.iter().find(|name| !is_tag_name(name)) {
            Some(name) => Err(OptionError::new(format!("an answer tag is a name such as `grid`, not '{name}'")).into()),
            None => Ok(()),
        }
    }

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(()))
    }

    fn worker(rows: &Rows<Self>, _stage: &Self::Stage, execution: &Execution) -> Result<ScoreWorker, JobError> {
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
        let mean_score = (scored > verdicts[Grade::Malformed]).then(|| sum as f64 / row::ONE as f64 / scored as f64);
        Scores { records: verdicts.total(), verdicts, scored, mean_score }
    }
}
