//! The report of `gridmill validate`.

use gridmill::jobs::validate::{ClueCounts, Finding, RecordVerdict, ValidateReport};
use indicatif::HumanCount;

use super::{Colour, Content, Figure, Page, Section, TableRow};
use crate::ui::scorecard::meaning;
use crate::ui::summary::Headline;

/// The page for the report of a run.
pub(crate) fn page(report: &ValidateReport) -> Page {
    let score = &report.score;
    let &ValidateReport { wall_seconds, records_per_second: rate, threads, ref engine, .. } = report;
    let counts = RecordVerdict::ALL.map(|verdict| (verdict.name(), score.verdicts[verdict], colour(verdict)));
    let examples = report.examples.iter().map(|example| {
        let name = example.finding.name();
        Figure::new(name.to_owned(), &example.file, example.line, &example.puzzle, &example.detail).titled(name)
    });
    let examples = Content::Puzzles { figures: examples.collect() };
    let puzzles = |counts: &ClueCounts| counts.unique + counts.multiple + counts.none + counts.undecided;
    let bars = score.clues.iter().map(|(&clues, counts)| (clues, puzzles(counts))).collect();
    let note = "the first record of each kind; cells that the words name are marked";
    let sections = [
        Some(Section::shares("verdicts", "Verdicts", &counts)),
        (!report.examples.is_empty()).then(|| Section::new("examples", "First findings", note, examples)),
        Some(findings(report)),
        Section::clues(&bars),
        (!score.clues.is_empty()).then(|| clues(report)),
    ];
    let failed = match &*report.failed_on {
        [] => String::new(),
        findings => format!("; failed on {}", findings.join(", ")),
    };
    Page {
        title: "Validated corpus".into(),
        lead: format!("{}{failed}", Headline { records: score.records, wall_seconds, rate, threads, engine }),
        sections: sections.into_iter().flatten().collect(),
    }
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

/// How many records have each finding.
fn findings(report: &ValidateReport) -> Section {
    let score = &report.score;
    let row = |finding: Finding| {
        let counts = [score.found(finding), score.verdicts[RecordVerdict::Finding(finding)]];
        let name = format!("{}: {}", finding.name(), meaning(finding));
        let cells = [name].into_iter().chain(counts.map(|count| HumanCount(count).to_string()));
        TableRow::new(format!("finding-{}", finding.name()), cells.collect())
    };
    let rows = Finding::ALL.into_iter().filter(|&finding| score.found(finding) > 0).map(row).collect();
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
