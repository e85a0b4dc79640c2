//! The findings of a validation as sentences, for the scorecard and for the page.

use gridmill::jobs::validate::{Classes, Finding, RecordVerdict, ValidateReport};
use indicatif::HumanCount;

use super::screen::Tone;
use super::summary::Counted;

/// A sentence, and whether it is good news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub(crate) tone: Tone,
    pub(crate) text: String,
}

impl Sentence {
    /// Good news if `is_good`, otherwise bad news.
    pub(crate) fn new(is_good: bool, text: String) -> Sentence {
        Sentence { tone: if is_good { Tone::Good } else { Tone::Bad }, text }
    }
}

/// The number of sound records.
pub(crate) fn sound(report: &ValidateReport) -> Option<Sentence> {
    let (sound, records) = (report.score.verdicts[RecordVerdict::Sound], report.score.records);
    let text = match records {
        0 => return None,
        1 if sound == 1 => "the record is sound: one solution, and no finding".to_owned(),
        _ if sound == records => format!("all {} records are sound: one solution, and no finding", HumanCount(records)),
        _ => format!("{} of {} are sound: one solution, and no finding", HumanCount(sound), Counted(records, "record")),
    };
    Some(Sentence::new(sound == records, text))
}

/// The answers by their score, if there are any.
pub(crate) fn answers(report: &ValidateReport) -> Option<Sentence> {
    let answers = report.score.answers;
    let [right, wrong, bad] = [answers.right, answers.wrong, answers.bad].map(HumanCount);
    let text = format!("answers: {right} right, {wrong} wrong, {bad} bad");
    (answers.right + answers.wrong + answers.bad > 0).then(|| Sentence::new(answers.wrong + answers.bad == 0, text))
}

/// The leaks into another corpus and into sets of classes, if there are any, and the leaks that sets cannot reveal.
pub(crate) fn leaks(report: &ValidateReport) -> Vec<Sentence> {
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
        Sentence { tone: Tone::Notice, text }
    });
    [Sentence::new(leaks == [0; 3], found)].into_iter().chain(missing).collect()
}

/// The number of classes, and of puzzles that are not the first of their class.
pub(crate) fn classes(found: &Classes) -> Sentence {
    let repeats: u64 = found.sizes.iter().map(|(&size, &classes)| u64::from(size - 1) * classes).sum();
    let classes = Counted(found.classes, "class");
    let text = match repeats {
        0 => format!("{classes}: no two puzzles are isomorphic"),
        1 => format!("{classes}: 1 puzzle is an earlier one or an isomorph of it"),
        _ => format!("{classes}: {} puzzles are earlier ones or isomorphs of them", HumanCount(repeats)),
    };
    let tone = if repeats == 0 { Tone::Good } else { Tone::Notice };
    Sentence { tone, text }
}

/// The puzzles without a class, if classes were computed: not everything was checked.
pub(crate) fn without_class(report: &ValidateReport) -> Vec<Sentence> {
    let score = &report.score;
    let notice = |text| Sentence { tone: Tone::Notice, text };
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
pub(crate) fn failure(report: &ValidateReport) -> Option<Sentence> {
    let text = format!("failed on {}", report.failed_on.join(", "));
    (!report.failed_on.is_empty()).then(|| Sentence::new(false, text))
}
