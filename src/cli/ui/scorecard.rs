//! Shows the report of `gridmill validate` as text.

use std::fmt::{self, Display, Formatter};

use gridmill::jobs::validate::{AuditReport, Classes, ClueCounts, CorpusScore, Finding, RecordVerdict, ValidateReport};
use gridmill::stats::RunFacts;
use indicatif::HumanCount;

use super::printable::in_one_line;
use super::screen::Tone;
use super::{audited, validated};
use crate::cli::ui::summary::{Counted, Headline, ResumedNote};

/// The number of sizes of classes that are listed individually, from 2 up.
const SIZES_SHOWN: usize = 9;

/// Shows the report of a validation over several lines, without a line end after the last.
pub(crate) struct Scorecard<'a>(pub(crate) &'a ValidateReport, pub(crate) &'a RunFacts);

impl Display for Scorecard<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Scorecard(report, run) = self;
        let score = &report.score;
        write!(f, "{}", Headline(score.records, run))?;
        if let Some(resumed) = &run.resumed {
            write!(f, "\n  {}", ResumedNote(resumed))?;
        }

        let sound = RecordVerdict::Sound;
        let line = |name: &str, count| format!("{name:15} {:>11}", HumanCount(count).to_string());
        let records = score.verdicts[sound];
        let painted = Tone::Good.of_count(records).paint(&line(sound.into(), records));
        write!(f, "\n  {painted}  one solution, and no finding")?;

        for &finding in Finding::ALL {
            let (verdicts, found) = (score.verdicts[RecordVerdict::Finding(finding)], score.found(finding));
            if found > 0 {
                write!(f, "\n  {}  {}", tone(finding).paint(&line(finding.into(), verdicts)), finding.meaning())?;
            }
            if found > verdicts {
                write!(f, "; {} more with another verdict", HumanCount(found - verdicts))?;
            }
        }

        let leaks = validated::leaks(report).into_iter();
        for sentence in validated::answers(report).into_iter().chain(leaks) {
            write!(f, "\n  {}", sentence.text)?;
        }
        write_clues(f, score)?;
        if let Some(found) = score.classes.as_ref().filter(|found| found.classes > 0) {
            write_classes(f, found)?;
        }
        for sentence in validated::without_class(report) {
            write!(f, "\n  {}", sentence.text)?;
        }

        if let Some(audit) = &report.audit {
            write_audit(f, audit)?;
        }
        if let Some(failure) = validated::failure(report) {
            write!(f, "\n  {}", failure.tone.paint(&failure.text))?;
        }
        Ok(())
    }
}

/// The colour of a finding: bad, or only a notice.
fn tone(finding: Finding) -> Tone {
    match finding {
        Finding::NotMinimal | Finding::Duplicate | Finding::Isomorph | Finding::Undecided => Tone::Notice,
        _ => Tone::Bad,
    }
}

/// A table of puzzles by their numbers of clues and of solutions.
fn write_clues(f: &mut Formatter<'_>, score: &CorpusScore) -> fmt::Result {
    if score.clues.is_empty() {
        return Ok(());
    }
    let minimal = score.clues.values().any(|counts| counts.minimal.is_some());
    let undecided = score.clues.values().any(|counts| counts.undecided > 0);
    let mut row = |cells: [String; 6]| {
        let [clues, both, unique, multiple, none, unknown] = cells;
        write!(f, "\n  {clues:>5}")?;
        if minimal {
            write!(f, " {both:>18}")?;
        }
        write!(f, " {unique:>11} {multiple:>11} {none:>11}")?;
        if undecided { write!(f, " {unknown:>11}") } else { Ok(()) }
    };

    row([
        "clues",
        "unique and minimal",
        if minimal { "unique only" } else { "unique" },
        "multiple",
        "none",
        "undecided",
    ]
    .map(String::from))?;

    for (&clues, &ClueCounts { unique, minimal, multiple, none, undecided }) in &score.clues {
        let both = minimal.unwrap_or(0);
        let only = unique - both;
        let counts = [both, only, multiple, none, undecided];
        let [both, only, multiple, none, undecided] = counts.map(|count| HumanCount(count).to_string());
        row([clues.to_string(), both, only, multiple, none, undecided])?;
    }
    Ok(())
}

/// The number of classes, their sizes, and the largest.
fn write_classes(f: &mut Formatter<'_>, found: &Classes) -> fmt::Result {
    let records = |size: u32, classes: u64| u64::from(size) * classes;
    write!(f, "\n  {}", validated::classes(found).text)?;
    let mut several = found.sizes.iter().filter(|&(&size, _)| size > 1);
    for (&size, &classes) in several.by_ref().take(SIZES_SHOWN) {
        let records = HumanCount(records(size, classes));
        write!(f, "\n  {records} records in {} of {size}", Counted(classes, "class"))?;
    }
    let larger = several.fold((0, 0), |sum, (&size, &classes)| (sum.0 + records(size, classes), sum.1 + classes));
    if larger.1 > 0 {
        write!(f, "\n  {} records in {}", HumanCount(larger.0), Counted(larger.1, "larger class"))?;
    }
    for large in &found.largest {
        write!(
            f,
            "\n  {}  {} records from {}:{}",
            large.class,
            HumanCount(large.records.into()),
            in_one_line(&large.file),
            large.line
        )?;
    }
    Ok(())
}

/// The findings of the audit, and its alarms. Alarms come last, so that they are seen.
fn write_audit(f: &mut Formatter<'_>, audit: &AuditReport) -> fmt::Result {
    let ratings = audit.ratings.as_ref().map(audited::ratings);
    let parts = [audited::sizes(audit), audited::orders(audit), audited::pairs(audit), ratings.into_iter().collect()];
    for sentence in parts.into_iter().flatten() {
        write!(f, "\n  {sentence}")?;
    }
    let alarms = audited::alarms(audit);
    for alarm in &alarms {
        write!(f, "\n  {}", Tone::Bad.paint(&format!("alarm: {alarm}")))?;
    }
    audited::end(audit).into_iter().try_for_each(|end| write!(f, "\n  {}", end.tone.paint(&end.text)))
}
