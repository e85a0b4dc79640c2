//! The report of `gridmill validate`: for a terminal, as a page, and the sentences of both.

use std::iter;

use gridmill::jobs::validate::{AnswerCounts, ClueCounts, Finding, RecordVerdict, ValidateReport};
use gridmill::stats::RunFacts;
use indicatif::HumanCount;

use super::{Colour, Content, Figure, Page, Remark, Section, TableRow, audit};
use crate::cli::ui::summary::{Counted, headline};

/// The number of sizes of classes that are listed individually, from 2 up.
const SIZES_SHOWN: usize = 9;

/// The report for a terminal. Alarms come last, so that they are seen.
pub(crate) fn text(report: &ValidateReport, run: &RunFacts) -> String {
    let line = |verdict: RecordVerdict, words: String| {
        let count = report.score.verdicts[verdict];
        let start = format!("{:15} {:>11}", <&str>::from(verdict), HumanCount(count).to_string());
        format!("\n  {}  {words}", colour(verdict).paint_count(count, &start))
    };
    let sound = line(RecordVerdict::Sound, "one solution, and no finding".to_owned());
    let findings = Finding::ALL.iter().filter(|&&finding| report.score.found(finding) > 0).map(|&finding| {
        let verdict = RecordVerdict::Finding(finding);
        let more = report.score.found(finding) - report.score.verdicts[verdict];
        let more = if more > 0 { format!("; {} more with another verdict", HumanCount(more)) } else { String::new() };
        line(verdict, format!("{}{more}", finding.meaning()))
    });
    let verdicts = iter::once(sound).chain(findings).collect::<String>();

    let compared = answers(report).into_iter().chain(without_blank(report)).chain(leaks(report)).collect();
    let audit = report.audit.iter().flat_map(|found| audit::remarks(found).into_iter().chain(audit::alarms(found)));
    let end = classes(report).into_iter().chain(without_class(report)).chain(audit).chain(failure(report));
    let sections = [
        Some(Section::sentences("compared", "Compared", compared)),
        clues(report),
        Some(Section::sentences("found", "What was found", end.collect())),
    ];
    super::text(headline(report.score.records, run) + &verdicts, sections)
}

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
        Some(Section::sentences("found", "What was found", remarks(report))),
        Some(Section::shares("verdicts", "Verdicts", &counts)),
        (!report.examples.is_empty()).then(|| Section::new("examples", "First findings", note, examples)),
        has_findings.then(|| findings(report)),
        Section::clues(&bars),
        clues(report),
    ];

    let failed = failure(report).map(|failure| format!("; {}", failure.text)).unwrap_or_default();
    let audit = report.audit.iter().flat_map(audit::sections);
    Page {
        title: "Validated corpus".into(),
        lead: headline(report.score.records, run) + &failed,
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
    let no_answers = no_answers.then(|| Remark::plain("no answer was checked: the input has none"));
    // Not below an alarm, because the alarm may be about a leak.
    let has_alarm = report.audit.as_ref().is_some_and(|audit| !audit.alarms.is_empty());
    let not_against = report.against_records.is_none() && report.against_sets.is_none();
    let not_against = (not_against && !has_alarm)
        .then(|| Remark::plain("leaks into another corpus were not looked for, which --against does"));
    let checked = sound(report).into_iter().chain(answers(report)).chain(without_blank(report)).chain(leaks(report));
    let checked = checked.chain(Finding::ALL.iter().copied().filter_map(of_finding));

    let alarms = report.audit.iter().flat_map(audit::alarms);
    alarms
        .chain(checked)
        .chain(classes(report))
        .chain(without_class(report))
        .chain(no_answers)
        .chain(not_against)
        .collect()
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

/// A column of the table of clues.
type CountOf = fn(&ClueCounts) -> u64;

/// The puzzles by their numbers of clues and solutions.
fn clues(report: &ValidateReport) -> Option<Section> {
    let clues = &report.score.clues;
    let is_minimal = clues.values().any(|counts| counts.minimal.is_some());
    let is_undecided = clues.values().any(|counts| counts.undecided > 0);
    let columns: [(_, _, CountOf); 5] = [
        ("unique and minimal", is_minimal, |counts| counts.minimal.unwrap_or(0)),
        (if is_minimal { "unique only" } else { "unique" }, true, |counts| counts.unique - counts.minimal.unwrap_or(0)),
        ("multiple", true, |counts| counts.multiple),
        ("none", true, |counts| counts.none),
        ("undecided", is_undecided, |counts| counts.undecided),
    ];
    let shown = || columns.iter().filter(|&&(_, is_shown, _)| is_shown);
    let row = |(clues, counts): (&usize, &ClueCounts)| {
        let cells = shown().map(|(.., count)| HumanCount(count(counts)).to_string());
        TableRow::new(format!("clues-{clues}"), iter::once(clues.to_string()).chain(cells).collect())
    };
    let header = iter::once("clues").chain(shown().map(|&(title, ..)| title)).collect();
    let content = Content::Table { header, rows: clues.iter().map(row).collect() };
    (!clues.is_empty()).then(|| Section::new("solutions", "Clues and solutions", "", content))
}

/// The number of sound records.
fn sound(report: &ValidateReport) -> Option<Remark> {
    let (sound, records) = (report.score.verdicts[RecordVerdict::Sound], report.score.records);
    let text = match records {
        0 => return None,
        1 if sound == 1 => "the record is sound: one solution, and no finding".to_owned(),
        _ if sound == records => format!("all {} records are sound: one solution, and no finding", HumanCount(records)),
        _ => format!("{} of {} are sound: one solution, and no finding", HumanCount(sound), Counted(records, "record")),
    };
    Some(Remark::news(sound == records, text))
}

/// The answers by their score, if there are any.
fn answers(report: &ValidateReport) -> Option<Remark> {
    let answers = report.score.answers;
    let [right, wrong, bad] = [answers.right, answers.wrong, answers.bad].map(HumanCount);
    let text = format!("answers: {right} right, {wrong} wrong, {bad} bad");
    (answers.right + answers.wrong + answers.bad > 0).then(|| Remark::news(answers.wrong + answers.bad == 0, text))
}

/// The puzzles without a blank, which are sound, but ask nothing.
fn without_blank(report: &ValidateReport) -> Option<Remark> {
    let count = report.score.without_blank;
    (count > 0)
        .then(|| Remark::new(Colour::Notice, format!("{} without a blank: nothing is asked", Counted(count, "puzzle"))))
}

/// The leaks into another corpus and into sets of classes, if there are any, and the leaks that sets cannot reveal.
fn leaks(report: &ValidateReport) -> Vec<Remark> {
    let of_corpus = report.against_records.map(|records| {
        let malformed = report.against_malformed.filter(|&count| count > 0);
        let malformed = malformed.map(|count| format!(", {} of them malformed", HumanCount(count))).unwrap_or_default();
        format!("the other corpus of {}{malformed}", Counted(records, "record"))
    });
    let sets = report.against_sets.unwrap_or_default();
    let of_sets = format!("the {} of {}", Counted(sets.classes, "class"), Counted(sets.sets, "set"));
    let others: Vec<_> = of_corpus.into_iter().chain((sets.sets > 0).then_some(of_sets)).collect();
    if others.is_empty() {
        return vec![];
    }

    let leaks = Finding::LEAKS.map(|leak| report.score.found(leak));
    let (others, [exact, isomorphs, solutions]) = (others.join(" and "), leaks.map(HumanCount));
    let found = if leaks == [0; 3] {
        format!("no puzzle, isomorph or solution is in {others}")
    } else {
        format!("in {others}: {exact} as they are, {isomorphs} as isomorphs, {solutions} by their solution only")
    };
    let missing = [
        (sets.without_class, "puzzle", "they have no class"),
        (sets.malformed, "record", "they are not puzzles"),
        (if sets.grids.is_some() { 0 } else { sets.classes }, "solution", "a set of an older version has none"),
    ];
    let missing = missing.into_iter().filter(|&(count, ..)| count > 0).map(|(count, thing, why)| {
        let text = format!("{} of the sets' corpora cannot be found: {why}", Counted(count, thing));
        Remark::new(Colour::Notice, text)
    });
    [Remark::news(leaks == [0; 3], found)].into_iter().chain(missing).collect()
}

/// The number of classes and of puzzles that are not the first of their class, the sizes of classes, and the largest.
fn classes(report: &ValidateReport) -> Vec<Remark> {
    let Some(found) = report.score.classes.as_ref().filter(|found| found.classes > 0) else { return vec![] };
    let repeats: u64 = found.sizes.iter().map(|(&size, &classes)| u64::from(size - 1) * classes).sum();
    let classes = Counted(found.classes, "class");
    let text = match repeats {
        0 => format!("{classes}: no two puzzles are isomorphic"),
        1 => format!("{classes}: 1 puzzle is an earlier one or an isomorph of it"),
        _ => format!("{classes}: {} puzzles are earlier ones or isomorphs of them", HumanCount(repeats)),
    };
    let mut remarks = vec![Remark::new(if repeats == 0 { Colour::Good } else { Colour::Notice }, text)];

    let records = |size: u32, classes: u64| u64::from(size) * classes;
    let mut several = found.sizes.iter().filter(|&(&size, _)| size > 1);
    remarks.extend(several.by_ref().take(SIZES_SHOWN).map(|(&size, &classes)| {
        let records = HumanCount(records(size, classes));
        Remark::plain(format!("{records} records in {} of {size}", Counted(classes, "class")))
    }));
    let larger = several.fold((0, 0), |sum, (&size, &classes)| (sum.0 + records(size, classes), sum.1 + classes));
    if larger.1 > 0 {
        let words = format!("{} records in {}", HumanCount(larger.0), Counted(larger.1, "larger class"));
        remarks.push(Remark::plain(words));
    }
    remarks.extend(found.largest.iter().map(|large| {
        let records = HumanCount(large.records.into());
        Remark::plain(format!("{}  {records} records from {}:{}", large.class, large.file, large.line))
    }));
    remarks
}

/// The puzzles without a class, if classes were computed: not everything was checked.
fn without_class(report: &ValidateReport) -> Vec<Remark> {
    let score = &report.score;
    let notice = |text: String| Remark::new(Colour::Notice, text);
    let is_compared = report.against_records.is_some() || report.against_sets.is_some();
    let looks_for_isomorphs = score.classes.is_some() || is_compared;
    let other_sizes = (score.other_sizes > 0 && looks_for_isomorphs).then(|| {
        let others = Counted(score.other_sizes, "puzzle");
        notice(format!("isomorphs are found of 4x4, 6x6 and 9x9 puzzles only, not of {others} of other sizes"))
    });
    let out_of_bound = (score.without_class > 0)
        .then(|| notice(format!("no class was found of {} within bounds", Counted(score.without_class, "puzzle"))));
    other_sizes.into_iter().chain(out_of_bound).collect()
}

/// The finding that made the run fail, if it did.
fn failure(report: &ValidateReport) -> Option<Remark> {
    let text = format!("failed on {}", report.failed_on.join(", "));
    (!report.failed_on.is_empty()).then(|| Remark::news(false, text))
}
