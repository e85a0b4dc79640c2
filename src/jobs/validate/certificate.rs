//! The certificate of a test set: the answers of an audit to fixed questions, and whether the set passes.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use serde_json::{Value, json};

use super::audit::has_many_classes;
use super::{AlarmKind, AskedChecks, AuditReport, FailOn, Finding, Validate, ValidateReport};
use crate::corpus::{Corpus, CorpusError, Origin};
use crate::options::{Counted, Percent};
use crate::output::{now, stored};
use crate::pipeline::End;
use crate::rating::Level;
use crate::run::{Execution, Finished, JobError};
use crate::stats::Counts;

/// The certificate of a test set that was compared with a training set.
#[derive(Clone, Debug, Serialize)]
pub struct Certificate {
    /// Whether `failures` is empty.
    pub passed: bool,
    /// The faults, and the checks that could not be done, in words.
    pub failures: Vec<String>,
    /// The limits of the checks, in words.
    pub notes: Vec<String>,
    /// The number of records of the test set.
    pub records: u64,
    /// The records whose puzzle has exactly one solution.
    pub one_solution: u64,
    /// The records with a right answer.
    pub right_answers: u64,
    /// The records that repeat a puzzle of the training set, an isomorph or, apart from these, the grid of a solution, of
    /// an answer, or in another column.
    pub repeated: BTreeMap<&'static str, u64>,
    /// The share of these records; not a number, which JSON has as `null`, without records.
    pub repeated_share: f64,
    /// The records that repeat an earlier puzzle of the test set, or an isomorph.
    pub repeated_within: BTreeMap<&'static str, u64>,
    /// The share of the test puzzles in the largest class of solutions; not a number if no class was computed.
    pub largest_class: f64,
    /// The puzzles by level, if they were rated.
    pub levels: Option<Counts<Level>>,
    /// The files of the test set, then of the training set.
    pub files: Vec<CertifiedFile>,
    /// The options that the result depends on, by name.
    pub options: Value,
    /// The version of gridmill.
    pub version: &'static str,
    /// The time in UTC.
    pub date: String,
    /// The report of the validation.
    pub scorecard: ValidateReport,
}

/// A file of a certificate, or a table in memory.
#[derive(Clone, Debug, Serialize)]
pub struct CertifiedFile {
    /// `test` or `training`.
    pub set: &'static str,
    /// The name.
    pub name: String,
    /// The number of puzzles.
    pub puzzles: u64,
    /// The number of malformed records of a training set.
    pub malformed: u64,
    /// The length; `None` for a table, and for an input that can be read once only.
    pub bytes: Option<u64>,
    /// The SHA-256 of the bytes, as stored.
    pub sha256: Option<String>,
}

impl Validate {
    /// Audits a test set without writing rows, and certifies it.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run), and if a file cannot be read again for its checksum.
    pub fn certify(mut self, corpus: Corpus, execution: &Execution) -> Result<Finished<Certificate>, JobError> {
        self.job.asked = AskedChecks { audit: true, duplicates: true, isomorphs: true, ..self.job.asked };
        self.job.certifies = true;

        // All options that the result depends on, so that anybody can repeat it.
        let read = corpus.options();
        let options = json!({
            "engine": self.settings.engine.name(), "max-branches": self.settings.max_branches.to_string(),
            "from": read.format.map(|format| format.to_string()), "alphabet": read.alphabets.first().map(|_| format!("{:?}", read.alphabets)),
            "blank": read.blank.map(|blank| format!("{blank:?}")), "puzzle-column": read.puzzle_column,
            "answer-column": read.answer.name(), "allow-malformed": self.job.allow_malformed,
            "ratings": self.job.asked.audit_ratings,
        });

        // The names of all files, before the run takes the corpora.
        let sets = self.job.against_sets.iter().map(|named| Origin::File(named.name.clone().into()));
        let training = self.job.against.iter().flat_map(Corpus::origins).cloned().chain(sets);
        let origins = corpus.origins().iter().map(|origin| ("test", origin.clone()));
        let mut origins: Vec<_> = origins.chain(training.map(|origin| ("training", origin))).collect();
        origins.dedup();

        let Finished { report, run, end, partial } = self.run(corpus, io::sink(), execution)?;
        let file = |(set, origin)| CertifiedFile::new(set, &origin, &report);
        let files = origins.into_iter().map(file).collect::<Result<_, _>>()?;
        Ok(Finished { report: Certificate::new(report, end, files, options), run, end, partial })
    }
}

impl CertifiedFile {
    fn new(set: &'static str, origin: &Origin, report: &ValidateReport) -> Result<CertifiedFile, CorpusError> {
        let name = origin.to_string();
        let test = report.audit.iter().flat_map(|audit| &audit.order).find(|order| set == "test" && order.file == name);
        let training = report.compared.inputs.iter().find(|counts| set != "test" && counts.input == name);
        let malformed = training.map_or(0, |counts| counts.malformed);
        let puzzles = test.map_or(0, |order| order.puzzles) + training.map_or(0, |counts| counts.records - malformed);
        match stored(origin).map(Option::unzip) {
            Ok((bytes, sha256)) => Ok(CertifiedFile { set, name, puzzles, malformed, bytes, sha256 }),
            Err(source) => Err(CorpusError::Open { name, source }),
        }
    }
}

impl Certificate {
    fn new(mut scorecard: ValidateReport, end: End, files: Vec<CertifiedFile>, options: Value) -> Certificate {
        // The files are one test set: what two of them share is repeated within it.
        if let Some(audit) = &mut scorecard.audit {
            audit.alarms.retain(|alarm| alarm.kind != AlarmKind::Leak);
            audit.pairs.get_or_insert_default();
        }

        let (score, (failures, notes)) = (&scorecard.score, judged(&scorecard, end));
        let leaks = Finding::LEAKS.map(|leak| score.found(leak));
        let within = [Finding::Duplicate, Finding::Isomorph].map(|finding| score.found(finding));
        let sizes = || scorecard.audit.iter().flat_map(|audit| &audit.sizes);
        let puzzles: u64 = sizes().map(|size| size.puzzles).sum();
        let largest = sizes().filter_map(|size| Some(size.grids.as_ref()?.largest)).max();

        Certificate {
            passed: failures.is_empty(),
            failures,
            notes,
            records: score.records,
            one_solution: score.clues.values().map(|counts| counts.unique).sum(),
            right_answers: score.answers.right,
            repeated: ["exact", "isomorph", "solution"].into_iter().zip(leaks).collect(),
            repeated_share: Percent::of(leaks.iter().sum(), score.records).0,
            repeated_within: ["exact", "isomorph"].into_iter().zip(within).collect(),
            largest_class: largest.map_or(f64::NAN, |largest| Percent::of(largest, puzzles).0),
            levels: scorecard.audit.as_ref().and_then(|audit| Some(audit.ratings.as_ref()?.levels.clone())),
            files,
            options,
            version: env!("CARGO_PKG_VERSION"),
            date: now(),
            scorecard,
        }
    }
}

/// The faults of a test set, where a check that was not made is one, too, and the limits of the checks.
fn judged(report: &ValidateReport, end: End) -> (Vec<String>, Vec<String>) {
    let ValidateReport { score, audit, against_sets, unread, compared, .. } = report;
    let (sets, training) = (against_sets.unwrap_or_default(), compared.counts);
    let sizes = audit.iter().flat_map(|audit| &audit.sizes);
    let small = sizes.filter(|size| size.classes.is_some() && !has_many_classes(size.size));
    let small = small.map(|size| size.size.to_string()).collect::<Vec<_>>().join(" and ");

    // The faults of records.
    let faults = FailOn::usual().findings.iter().map(|finding| (score.found(finding), finding.meaning()));
    let faults = faults.chain([
        (score.without_blank, "without a blank: nothing is asked"),
        (score.unanswered, "without an answer"),
        (training.without_class + sets.without_class, "without a class in the training set"),
    ]);
    let faults = faults.filter(|&(records, _)| records > 0).map(|(records, fault)| {
        format!("{}: {}", Counted(records, "record"), fault.replace("the other corpus", "the training set"))
    });

    // The alarms, and the checks that were not made.
    let alarms =
        audit.iter().flat_map(|audit| audit.alarms.iter().map(|alarm| alarm.sentence.clone()).chain(audit.unchecked()));
    let missing = [
        (end == End::Stopped, "the run was stopped"),
        (!audit.as_ref().is_some_and(AuditReport::has_puzzles), "the test set has no puzzle"),
        (training.records + sets.classes == 0, "the training set has no puzzle"),
        (
            sets.sets > 0 && sets.grids.is_none(),
            "a set of classes has no grids to compare: make it again with `gridmill classes`",
        ),
        (sets.sets > 0 && !small.is_empty(), "4x4 and 6x6 puzzles cannot be compared with sets of classes"),
    ];
    let missing = missing.into_iter().filter(|&(is_missing, _)| is_missing).map(|(_, words)| words.to_owned());
    let unread = unread.iter().chain(&compared.left_out).cloned();

    let without_grid = training.without_grid + sets.without_grid;
    let notes = [
        (!small.is_empty()).then(|| format!("{small} puzzles are compared as they are: any two sets share classes")),
        (without_grid > 0)
            .then(|| format!("{} without a known solution to compare", Counted(without_grid, "training puzzle"))),
    ];
    (faults.chain(unread).chain(alarms).chain(missing).collect(), notes.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_set_is_not_certified_without_a_training_set() {
        let corpus = Corpus::open_path("data/with-answers.csv").unwrap();
        let certificate = Validate::new().certify(corpus, &Execution::new()).unwrap().report;
        assert!(!certificate.passed);
        assert!(certificate.failures.contains(&"the training set has no puzzle".to_owned()));
    }
}
