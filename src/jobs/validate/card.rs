//! Describes files that were validated.

use super::{
    AnswerCounts, AskedChecks, AuditReport, FilePair, Finding, RecordVerdict, SizeAudit, Validate, ValidateReport,
};
use crate::card::{Check, DataCard, Work, options_of_card};
use crate::run::Rows;
use crate::run::job::given_options;
use crate::stats::{Counted, WithCommas};

impl Validate {
    /// The checks that are asked for, to describe the files after the run.
    pub fn asked_checks(&self) -> Rows<AskedChecks> {
        Rows { job: self.job.asked.clone(), settings: self.settings.clone() }
    }
}

impl Rows<AskedChecks> {
    /// Describes the files that were validated.
    pub fn card(&self, report: &ValidateReport) -> DataCard {
        let sound = report.score.verdicts[RecordVerdict::Sound];
        DataCard {
            title: "Sudoku puzzles".to_owned(),
            summary: format!(
                "{}, of which {} are Sudoku puzzles with exactly one solution with which the checks below found nothing wrong.",
                Counted(report.score.records, "record"),
                WithCommas(sound)
            ),
            work: Work::Checked,
            command: "validate",
            options: options_of_card(given_options(&self.job), self.settings.max_branches),
            inputs: vec![],
            columns: &[],
            checks: self.checks(report),
            classes: report.score.classes.as_ref().map(|found| found.classes).filter(|_| !lacks_classes(report)),
            notes: vec![],
        }
    }

    /// The checks of the data card, with their results, and the checks that were not made.
    fn checks(&self, report: &ValidateReport) -> Vec<Check> {
        let score = &report.score;
        let found = |finding| score.found(finding);
        // Anything holds for an empty set of puzzles: that is not a check.
        let unless = |made: bool, what, check: Check| if made { check } else { Check::not_made(what) };

        let (malformed, records) = (found(Finding::Malformed), Counted(score.records, "record"));
        let are_puzzles = "each record is a puzzle";
        let result = match malformed {
            0 => format!("yes, all {records}"),
            _ => format!("no: {} of {records} are none", WithCommas(malformed)),
        };
        let mut checks =
            vec![unless(score.records > 0, are_puzzles, Check::found(are_puzzles, result, "all were read"))];

        // A puzzle with two equal clues in a house also has no solution.
        let unique = score.clues.values().map(|counts| counts.unique).sum::<u64>();
        let puzzles = score.records - malformed;
        let kinds = [
            (found(Finding::Multiple), "with several solutions"),
            (found(Finding::None) + found(Finding::Conflict), "without a solution"),
            (score.clues.values().map(|counts| counts.undecided).sum(), "not known, because a search gave up"),
        ];
        let others = kinds.into_iter().filter(|(count, _)| *count > 0);
        let others = others.map(|(count, what)| format!("{} {what}", WithCommas(count))).collect::<Vec<_>>();
        let all = Counted(puzzles, "puzzle");
        let are_unique = "each puzzle has exactly one solution";
        let result = match &others[..] {
            [] => format!("yes, all {all}"),
            others => format!("no: {} of {all}; {}", WithCommas(unique), others.join(", ")),
        };
        let how = "all were solved, by complete searches for a second solution";
        checks.push(unless(puzzles > 0, are_unique, Check::found(are_unique, result, how)));

        let answers = "the answers are right";
        let AnswerCounts { right, wrong, bad } = score.answers;
        let sum = Counted(right + wrong + bad, "answer");
        let unjudged = puzzles - (right + wrong + bad).min(puzzles);
        let not_judged = if unjudged == 0 {
            String::new()
        } else {
            format!("; {} have no answer that can be judged", WithCommas(unjudged))
        };
        checks.push(unless(
            right + wrong + bad > 0,
            answers,
            Check::found(
                answers,
                match wrong + bad {
                    0 => format!("yes, all {sum}{not_judged}"),
                    _ => format!(
                        "no: {} of {sum} are right, {} wrong, {} bad (not full, or with other clues){not_judged}",
                        WithCommas(right),
                        WithCommas(wrong),
                        WithCommas(bad)
                    ),
                },
                "each was compared with the solution of its puzzle",
            ),
        ));

        let minimal = "every clue is needed";
        let needed = score.clues.values().filter_map(|counts| counts.minimal).sum::<u64>();
        checks.push(unless(
            self.job.minimal,
            minimal,
            Check::found(
                minimal,
                format!("in {} of {} with one solution", WithCommas(needed), Counted(unique, "puzzle")),
                "each clue was taken out, and a second solution looked for",
            ),
        ));

        checks.extend(self.repeats(report, puzzles));
        checks.extend(shared(report.audit.as_ref()));
        checks.extend(leaks(report));
        if let Some(column) = &self.job.rating_column {
            let what = "the ratings are right";
            let wrong = found(Finding::WrongRating) + found(Finding::UnreadableRating);
            let result = format!("{} with a wrong or unreadable rating in {column}", Counted(wrong, "record"));
            checks.push(Check::found(
                what,
                result,
                "9x9 puzzles with one solution were rated, and compared with the column",
            ));
        }
        checks.extend(audit(report.audit.as_ref()));
        checks
    }

    /// The repeated records, if there are puzzles.
    fn repeats(&self, report: &ValidateReport, puzzles: u64) -> [Check; 2] {
        let (duplicates, isomorphs) = ("no puzzle occurs twice", "no two different puzzles are isomorphic");
        let result = |found: u64, kind| match found {
            0 => "yes".to_owned(),
            found => format!("no: {} {kind}", Counted(found, "record")),
        };
        // An audit also counts distinct puzzles and classes.
        let audited = |count: fn(&SizeAudit) -> u64| Some(report.audit.as_ref()?.sizes.iter().map(count).sum::<u64>());
        let repeated = self.job.duplicates.then(|| report.score.found(Finding::Duplicate));
        let repeated = repeated.or_else(|| audited(|size| size.puzzles - size.distinct));
        let isomorphic = self.job.isomorphs.then(|| report.score.found(Finding::Isomorph));
        let isomorphic = isomorphic
            .or_else(|| audited(|size| size.classes.map_or(0, |classes| size.distinct.saturating_sub(classes))));
        let classes = report.score.classes.as_ref().map(|found| format!("; {}", Counted(found.classes, "class")));
        let partly = if lacks_classes(report) { ", of those that have classes" } else { "" };
        [
            repeated.filter(|_| puzzles > 0).map_or(Check::not_made(duplicates), |repeated| {
                Check::found(duplicates, result(repeated, "repeat an earlier one"), "all puzzles were compared")
            }),
            isomorphic.filter(|_| puzzles > 0).map_or(Check::not_made(isomorphs), |isomorphic| {
                let found = result(isomorphic, "are isomorphs of an earlier one");
                let result = format!("{found}{partly}{}", classes.unwrap_or_default());
                Check::found(isomorphs, result, "the classes of all puzzles were compared")
            }),
        ]
    }
}

/// Whether some puzzles could not be compared by class.
fn lacks_classes(report: &ValidateReport) -> bool {
    report.score.other_sizes + report.score.without_class > 0
}

/// The overlap of the files, if an audit has compared several.
fn shared(audit: Option<&AuditReport>) -> Option<Check> {
    let pairs = audit?.pairs.as_ref().filter(|pairs| !pairs.is_empty())?;
    let shares = |pair: &FilePair| match (pair.puzzles.both, pair.classes) {
        (0, Some(classes)) if classes.both == 0 => None,
        (0, None) => {
            Some(format!("{} and {} share no {} puzzle; classes not checked", pair.first, pair.second, pair.size))
        }
        (puzzles, classes) => {
            let [puzzles, classes] = [puzzles, classes.map_or(0, |classes| classes.both)].map(WithCommas);
            Some(format!(
                "{} and {} share {puzzles} puzzles and {classes} classes of {}",
                pair.first, pair.second, pair.size
            ))
        }
    };
    let shared = pairs.iter().filter_map(shares).collect::<Vec<_>>();
    let result = if shared.is_empty() { "yes".to_owned() } else { format!("no: {}", shared.join("; ")) };
    let how = "an audit compared the puzzles of each two files, and their classes";
    Some(Check::found("no two files share a puzzle or an isomorph of it", result, how))
}

/// The puzzles that also occur in other data.
fn leaks(report: &ValidateReport) -> Vec<Check> {
    let what = "no puzzle is in the data that it was compared with";
    let others = report.against_records.map(|records| Counted(records, "record").to_string());
    let sets = report.against_sets.as_ref().map(|sets| Counted(sets.classes, "class").to_string());
    let others: Vec<String> = others.into_iter().chain(sets).collect();
    if others.is_empty() {
        return vec![Check::not_made("no puzzle is in other data, such as a training set")];
    }
    let [exact, isomorphs, solutions] = Finding::LEAKS.map(|leak| report.score.found(leak));
    let partly = if lacks_classes(report) { ", of those that have classes" } else { "" };
    let result = if exact + isomorphs + solutions == 0 {
        format!("yes{partly}")
    } else {
        format!(
            "no: {} as they are, {} as isomorphs, {} by an isomorphic solution only",
            WithCommas(exact),
            WithCommas(isomorphs),
            WithCommas(solutions)
        )
    };
    let how = "puzzles, their classes and those of their solutions were looked for in the other data; in sets of classes, \
               classes of puzzles alone";
    vec![Check::found(what, format!("{result}; compared with {}", others.join(" and ")), how)]
}

/// The alarms of an audit, with a row for each.
fn audit(report: Option<&AuditReport>) -> Vec<Check> {
    let what = "the data set as a whole";
    let Some(report) = report.filter(|report| report.has_puzzles()) else { return vec![Check::not_made(what)] };
    let how = "an audit compared the puzzles with a uniform sample, and the files with each other";
    let alarms = report.alarms_in_words().into_iter().map(|alarm| format!("alarm: {alarm}"));
    alarms.chain(report.end_in_words()).map(|result| Check::found(what, result, how)).collect()
}
