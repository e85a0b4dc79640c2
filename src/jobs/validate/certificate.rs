//! The certificate of a test set: the answers of an audit to fixed questions, and whether the set passes.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::io;

use serde::Serialize;
use strum::VariantArray;

use super::audit::Percent;
use super::{AuditReport, FailOn, Finding, Validate, ValidateReport};
use crate::corpus::Corpus;
use crate::pipeline::End;
use crate::rating::Level;
use crate::run::{Execution, Finished, JobError};
use crate::stats::{Counted, Counts, WithCommas};

/// The name of repeated solutions.
const SOLUTION: &str = "solution";

/// The certificate of a test set that was compared with a training set.
#[derive(Clone, Debug, Serialize)]
pub struct Certificate {
    /// Whether there is no failure.
    pub passed: bool,
    /// The faults, and the checks that could not be done, in words.
    pub failures: Vec<String>,
    /// The number of records of the test set.
    pub records: u64,
    /// The records whose puzzle has exactly one solution.
    pub one_solution: u64,
    /// The records with a right answer.
    pub right_answers: u64,
    /// The records that repeat a puzzle of the training set, an isomorph or, apart from these, the solution of one. Sets of
    /// classes have no solutions to compare.
    pub repeated: BTreeMap<&'static str, u64>,
    /// The share of these records; not a number, which JSON has as `null`, if there are no records.
    pub repeated_share: f64,
    /// The share of the test puzzles in the largest class of solutions; not a number if no class was computed.
    pub largest_class: f64,
    /// The puzzles by level, if they were rated.
    pub levels: Option<Counts<Level>>,
    /// The report of the validation.
    pub scorecard: ValidateReport,
}

impl Validate {
    /// Audits a test set without writing rows, and certifies it.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn certify(self, corpus: Corpus, execution: &Execution) -> Result<Finished<Certificate>, JobError> {
        let Finished { report, run, end, partial } = self.audit(true).run(corpus, io::sink(), execution)?;
        Ok(Finished { report: Certificate::new(report, end), run, end, partial })
    }
}

impl Certificate {
    fn new(scorecard: ValidateReport, end: End) -> Certificate {
        let (score, failures) = (&scorecard.score, failures(&scorecard, end));
        let leaks = Finding::LEAKS.map(|leak| score.found(leak));
        let compared = if scorecard.against_records.is_some() { 3 } else { 2 };
        let sizes = || scorecard.audit.iter().flat_map(|audit| &audit.sizes);
        let puzzles: u64 = sizes().map(|size| size.puzzles).sum();
        let largest = sizes().filter_map(|size| Some(size.grids.as_ref()?.largest)).max();

        Certificate {
            passed: failures.is_empty(),
            failures,
            records: score.records,
            one_solution: score.clues.values().map(|counts| counts.unique).sum(),
            right_answers: score.answers.right,
            repeated: ["exact", "isomorph", SOLUTION].into_iter().zip(leaks).take(compared).collect(),
            repeated_share: Percent::of(leaks.iter().sum(), score.records).0,
            largest_class: largest.map_or(f64::NAN, |largest| Percent::of(largest, puzzles).0),
            levels: scorecard.audit.as_ref().and_then(|audit| Some(audit.ratings.as_ref()?.levels.clone())),
            scorecard,
        }
    }
}

/// The faults of a test set. A check that was not made is one, too.
fn failures(report: &ValidateReport, end: End) -> Vec<String> {
    let ValidateReport { score, audit, against_records, against_sets, unread, .. } = report;
    let faults = FailOn::usual().findings.iter().map(|finding| (score.found(finding), finding.meaning()));
    let sets = against_sets.unwrap_or_default();
    let other = [(sets.without_class, "without a class in the training set"), (score.unanswered, "without an answer")];
    let faults = faults.chain(other).filter(|&(records, _)| records > 0);
    let faults = faults.map(|(records, fault)| format!("{}: {fault}", Counted(records, "record")));
    let faults = faults.chain(unread.iter().cloned());

    let alarms = audit.iter().flat_map(|audit| audit.alarms_in_words().into_iter().chain(audit.unchecked()));
    let missing = [
        (end == End::Stopped, "the run was stopped"),
        (!audit.as_ref().is_some_and(AuditReport::has_puzzles), "there is no puzzle"),
        (against_records.unwrap_or(0) + sets.classes == 0, "there is no puzzle in the training set"),
    ];
    let missing = missing.into_iter().filter(|&(is_missing, _)| is_missing).map(|(_, words)| words.to_owned());
    faults.chain(alarms).chain(missing).collect()
}

/// A page of text.
impl Display for Certificate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &Certificate { passed, records, one_solution, right_answers, .. } = self;
        writeln!(f, "{}: {}", if passed { "passed" } else { "failed" }, Counted(records, "record"))?;
        let repeated = self.repeated.values().sum();
        let checked = [("one solution", one_solution), ("right answer", right_answers), ("repeats training", repeated)];
        let levels =
            self.levels.iter().flat_map(|levels| Level::VARIANTS.iter().map(|&level| (level.into(), levels[level])));
        for (name, count) in checked.into_iter().chain(levels) {
            writeln!(f, "  {name:16} {:>11}  {}", WithCommas(count), Percent::of(count, records))?;
        }
        writeln!(f, "  largest class of solutions: {}", Percent(self.largest_class))?;
        if !self.repeated.contains_key(SOLUTION) {
            writeln!(f, "  solutions of the training set: not compared, as sets of classes have none")?;
        }
        self.failures.iter().try_for_each(|failure| writeln!(f, "failure: {failure}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_set_is_not_certified_without_a_training_set() {
        let corpus = Corpus::open_path("data/with-answers.csv").unwrap();
        let certificate = Validate::new().certify(corpus, &Execution::new()).unwrap().report;
        assert!(!certificate.passed);
        assert!(certificate.failures.contains(&"there is no puzzle in the training set".to_owned()));
    }
}
