//! The report of `gridmill validate`.

use gridmill::jobs::validate::{AnswerCounts, ClueCounts, Finding, RecordVerdict, ValidateReport};
use gridmill::stats::RunFacts;
use indicatif::HumanCount;

use super::{Colour, Content, Figure, Page, Remark, Section, TableRow, audit};
use crate::cli::ui::summary::{Counted, Headline};
use crate::cli::ui::validated;

/// The page for the report of a run.
pub(crate) fn page(report: &ValidateReport, run: &RunFacts) -> Page {
    let score = &report.score;
    let counts = RecordVerdict::ALL.map(|verdict| (verdict.into(), score.verdicts[verdict], colour(verdict)));

    let examples = report.examples.iter().map(|example| {
        let name = <&str>::from(example.finding);
        Figure::new(name.to_owned(), &example.file, example.line, &example.puzzle, &example.detail).titled(name)
    });
    let examples = Content::Puzzles { figures: examples.collect() };
    let puzzles = |counts: &ClueCounts| counts.unique + counts.multiple + counts.none + counts.undecided;
    let bars = score.clues.iter().map(|(&clues, counts)| (clues, puzzles(counts))).collect();
    let note = "the first record of each kind; cells that the words name are marked";
    let has_findings = Finding::ALL.iter().copied().any(|finding| score.found(finding) > 0);

    let sections = [
        Some(Section::new("found", "What was found", "", Content::Sentences { sentences: remarks(report) })),
        Some(Section::shares("verdicts", "Verdicts", &counts)),
        (!report.examples.is_empty()).then(|| Section::new("examples", "First findings", note, examples)),
        has_findings.then(|| findings(report)),
        Section::clues(&bars),
        (!score.clues.is_empty()).then(|| clues(report)),
    ];

    let failed = validated::failure(report).map(|failure| format!("; {}", failure.text)).unwrap_or_default();
    let audit = report.audit.iter().flat_map(audit::sections);
    Page {
        title: "Validated corpus".into(),
        lead: format!("{}{failed}", Headline(score.records, run)),
        sections: sections.into_iter().flatten().chain(audit).collect(),
    }
}

/// The checks and findings, in sentences; alarms come first.
fn remarks(report: &ValidateReport) -> Vec<Remark> {
    let of_finding = |finding: Finding| {
        let records = report.score.found(finding);
        let text = format!("{}: {}", Counted(records, "record"), finding.meaning());
        (records > 0).then(|| Remark::new(colour(RecordVerdict::Finding(finding)), text))
    };
    let no_answers = report.score.answers == AnswerCounts::default();
    let no_answers = no_answers.then(|| Remark::new(Colour::Unknown, "no answer was checked: the input has none"));
    // Not below an alarm, because the alarm may be about a leak.
    let has_alarm = report.audit.as_ref().is_some_and(|audit| !audit.alarms.is_empty());
    let not_against = report.against_records.is_none() && report.against_sets.is_none();
    let not_against = (not_against && !has_alarm)
        .then(|| Remark::new(Colour::Unknown, "leaks into another corpus were not looked for, which --against does"));
    let checked = [validated::sound(report), validated::answers(report)];
    let checked = checked.into_iter().flatten().chain(validated::leaks(report));
    let checked = checked.map(Remark::from).chain(Finding::ALL.iter().copied().filter_map(of_finding));
    let classes =
        report.score.classes.as_ref().filter(|found| found.classes > 0).map(validated::classes).map(Remark::from);
    let without_class = validated::without_class(report).into_iter().map(Remark::from);

    let alarms = report.audit.iter().flat_map(audit::alarms);
    alarms.chain(checked).chain(classes).chain(without_class).chain(no_answers).chain(not_against).collect()
}

fn colour(verdict: RecordVerdict) -> Colour {
    match verdict {
        RecordVerdict::Sound => Colour::Good,
        RecordVerdict::Finding(Finding::NotMinimal | Finding::Duplicate | Finding::Isomorph | Finding::Undecided) => {
            Colour::Notice
        }
        RecordVerdict::Finding(_) => Colour::Bad,
    }
}

/// The number of records with each finding.
fn findings(report: &ValidateReport) -> Section {
    let score = &report.score;
    let row = |finding: Finding| {
        let counts = [score.found(finding), score.verdicts[RecordVerdict::Finding(finding)]];
        let name = format!("{finding}: {}", finding.meaning());
        let cells = [name].into_iter().chain(counts.map(|count| HumanCount(count).to_string()));
        TableRow::new(format!("finding-{finding}"), cells.collect())
    };
    let rows = Finding::ALL.iter().copied().filter(|&finding| score.found(finding) > 0).map(row).collect();
    let note = "a record may have several findings; its verdict is the first of them";
    let header = vec!["finding", "records", "as verdict"];
    Section::new("findings", "Findings", note, Content::Table { header, rows })
}

/// The puzzles by their numbers of clues and solutions.
fn clues(report: &ValidateReport) -> Section {
    let row = |(clues, counts): (&usize, &ClueCounts)| {
        let counts = [counts.unique, counts.multiple, counts.none, counts.undecided];
        let cells = [clues.to_string()].into_iter().chain(counts.map(|count| HumanCount(count).to_string()));
        TableRow::new(format!("clues-{clues}"), cells.collect())
    };
    let rows = report.score.clues.iter().map(row).collect();
    let header = vec!["clues", "unique", "multiple", "none", "undecided"];
    Section::new("solutions", "Clues and solutions", "", Content::Table { header, rows })
}
