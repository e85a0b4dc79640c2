//! Alarms: faults of a corpus as a whole, and the thresholds that raise them.
//!
//! A threshold applies to the size of an effect, which does not grow with the corpus: in a million records, even a
//! negligible bias is significant. Where chance could reach the threshold in a small corpus, the effect must also be
//! significant. `docs/audit.md` has a table of all thresholds with the reasons for them.

use std::fmt::{self, Display, Formatter, Write as _};

use serde::Serialize;
use strum::VariantArray;

use super::cells::Unevenness;
use super::census::Census;
use super::files::{CorpusKeys, FileOrder, FileShare, GridSpread};
use super::order::{TextTrend, ValueTrend};
use super::size_audit::SizeAudit;
use crate::jobs::validate::repeats::Spread;
use crate::options::{Counted, Percent, WithCommas};
use crate::puzzle::{Geometry, Size};

/// A fault of a corpus as a whole. A number that its kind does not have is `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Alarm {
    /// The kind of fault.
    #[serde(rename = "alarm")]
    pub kind: AlarmKind,
    /// The size of the puzzles; `None` for the order of a file.
    pub size: Option<Size>,
    /// The file; `None` for all files together.
    pub file: Option<String>,
    /// The file that has a part of `file`, too; `None` for all other files together, and if nothing is shared.
    pub other: Option<String>,
    /// For a leak, the shared part: `puzzles`, `classes`, or `grids` for classes of solutions. For an order, the property:
    /// `clues`, `rating` or `text`.
    pub by: Option<&'static str>,
    /// The number of puzzles, solutions or classes with the fault; for few grids, the number of classes.
    pub count: Option<u64>,
    /// The number of all puzzles, solutions or classes that were looked at.
    pub of: Option<u64>,
    /// The expected number of classes or share of automorphic grids in a uniform random sample.
    pub expected: Option<f64>,
    /// Cramer's V of uneven cells; the correlation, the grouping or the share of ascending neighbours of an order.
    pub effect: Option<f64>,
    /// The fault in words. It names the size if the corpus has several.
    pub sentence: String,
}

/// The kind of an [`Alarm`], from the most serious to the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AlarmKind {
    /// A file has puzzles of another file.
    Leak,
    /// Puzzles have several solutions, but only one stored answer: comparing with it would reject correct answers.
    OneAnswerOfSeveral,
    /// Puzzles have several solutions, and no answer.
    SeveralSolutions,
    /// Solved grids are in far fewer classes than random ones, or most of them share their class with another grid.
    FewGrids,
    /// A single class has many solved grids.
    LargeClass,
    /// Solved grids have automorphisms far more often than random ones: they were made from a pattern.
    AutomorphicGrids,
    /// The same puzzles occur more than once.
    RepeatedPuzzles,
    /// Distinct puzzles are isomorphs of each other.
    RepeatedClasses,
    /// The digits of solved grids are unevenly distributed over the cells.
    UnevenDigits,
    /// Blanks are unevenly distributed over the cells.
    UnevenBlanks,
    /// The puzzles of a file are sorted or grouped.
    Ordered,
}

/// The minimum share of a file's puzzles or classes that is a leak.
const LEAK: f64 = 0.01;

/// The minimum excess of a weaker kind of leak over a stronger kind, in shares.
const WEAKER_LEAK: f64 = 0.005;

/// The minimum share of puzzles with several solutions and a stored answer.
const ONE_ANSWER: f64 = 0.001;

/// The minimum share of puzzles with several solutions and no answer.
const SEVERAL: f64 = 0.01;

/// The maximum number of classes that is too few, as a fraction of the expected number.
const FEW_GRIDS: f64 = 0.5;

/// The minimum share of grids in repeated classes that is too large.
const REPEATED_GRIDS: f64 = 0.5;

/// The minimum share of grids in one class that is too large.
const LARGE_CLASS: f64 = 0.05;

/// The minimum number of grids in a class that is too large.
const FEWEST_OF_CLASS: u64 = 10;

/// The maximum probability that a uniform sample shows so few classes.
const CHANCE: f64 = 1e-9;

/// The minimum excess of the share of grids with automorphisms over the expected share.
const AUTOMORPHIC: f64 = 0.05;

/// The minimum share of repeated puzzles or classes.
const REPEATED: f64 = 0.05;

/// The minimum effect of uneven blanks or digits.
const UNEVEN: f64 = 0.1;

/// The minimum trend or grouping of a file in order.
const ORDERED: f64 = 0.3;

/// The minimum share of neighbours in order, ascending or descending.
const SORTED: f64 = 0.75;

/// The minimum deviation from a random order, in standard deviations, for the same alarm.
const DEVIATIONS: f64 = 6.0;

/// The minimum number of grids for shares that chance could reach.
const FEWEST_GRIDS: u64 = 20;

/// The minimum number of puzzles for effects of cells and of order.
const FEWEST_PUZZLES: u64 = 100;

/// In sizes with fewer classes of solved grids, any larger corpus repeats them, and their puzzles.
const MANY_CLASSES: u64 = 1_000_000;

/// The number of all 4x4 puzzles with one solution. A corpus of some million of them has many repetitions.
const PUZZLES_OF_FOUR: f64 = 13_579_680.0;

/// The alarms that these results raise, the most serious first.
pub(super) fn raised(sizes: &[SizeAudit], keys: &CorpusKeys) -> Vec<Alarm> {
    let mut alarms: Vec<Alarm> = keys.pairs.iter().filter_map(|pair| leak(pair)).collect();

    // All files together may contain a part that no single file has.
    let is_known = |share: &FileShare| {
        let is_of_file = |name: &Option<String>| name.as_ref() == Some(&share.file);
        alarms.iter().any(|leak| leak.size == Some(share.size) && (is_of_file(&leak.file) || is_of_file(&leak.other)))
    };
    let together = keys.together.iter().filter(|share| !is_known(share));
    let together: Vec<_> = together.filter_map(|share| leak(std::slice::from_ref(share))).collect();
    alarms.extend(together);

    let of_sizes = |checks: &[fn(&SizeAudit) -> Option<Alarm>]| -> Vec<Alarm> {
        checks.iter().flat_map(|check| sizes.iter().filter_map(check)).collect()
    };
    alarms.extend(of_sizes(&[one_answer, several]));

    // A fault of all files together is named only if it is not the fault of a single file.
    for check in [few_grids, large_class] {
        let (all, files): (Vec<_>, Vec<_>) = keys.grid_spreads.iter().partition(|found| found.file.is_none());
        let of_files: Vec<_> = files.into_iter().filter(|found| check(found).is_some()).collect();
        let of_all = all.into_iter().filter(|all| !of_files.iter().any(|file| file.size == all.size));
        alarms.extend(of_all.chain(of_files.iter().copied()).filter_map(check));
    }

    alarms.extend(of_sizes(&[automorphic, repeated_puzzles, repeated_classes, digits, blanks]));
    alarms.extend(keys.order.iter().flat_map(ordered));

    // Among several sizes, a sentence names its own.
    for alarm in alarms.iter_mut().filter(|_| sizes.len() > 1) {
        alarm.sentence = alarm.size.map(|size| format!("{size}: ")).unwrap_or_default() + &alarm.sentence;
    }
    alarms
}

impl Alarm {
    /// An alarm without numbers.
    fn new(kind: AlarmKind, size: Option<Size>, sentence: String) -> Alarm {
        let (file, other, by, count, of, expected, effect) = (None, None, None, None, None, None, None);
        Alarm { kind, size, file, other, by, count, of, expected, effect, sentence }
    }

    /// An alarm about a part of the puzzles, solutions or classes of a size.
    fn counted(kind: AlarmKind, size: Size, part: Portion, sentence: String) -> Alarm {
        Alarm { count: Some(part.count), of: Some(part.of), ..Alarm::new(kind, Some(size), sentence) }
    }
}

/// A number of puzzles, solutions or classes, and the number of all of them: `97 of 100`.
#[derive(Clone, Copy, Debug)]
struct Portion {
    count: u64,
    of: u64,
}

impl Portion {
    fn share(self) -> f64 {
        if self.of == 0 { 0.0 } else { self.count as f64 / self.of as f64 }
    }

    fn percent(self) -> Percent {
        Percent(self.share())
    }
}

impl Display for Portion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", WithCommas(self.count), WithCommas(self.of))
    }
}

/// ` of test.csv`, or nothing for all files together.
fn of_file(file: Option<&String>) -> String {
    file.map(|file| format!(" of {file}")).unwrap_or_default()
}

/// Whether a size has so many classes of solved grids that two good files hardly share any.
pub(in super::super) fn has_many_classes(size: Size) -> bool {
    Census::of(size).is_some_and(|census| census.classes() >= MANY_CLASSES)
}

/// The shared parts of two files, from the strongest leak to the weakest. Each is counted by distinct puzzles or classes,
/// and by records, in these words.
const SHARED: [(&str, [[&str; 2]; 2]); 3] = [
    ("puzzles", [["different puzzles", "occur"], ["puzzles", "occur"]]),
    ("classes", [["classes", "occur"], ["puzzles", "have isomorphs"]]),
    ("grids", [["classes of solutions", "occur"], ["solutions", "have isomorphs"]]),
];

/// The alarm for the weakest kind of leak, which counts most, unless a stronger kind counts the same, by distinct
/// puzzles or classes and by records. Between two files, the larger part counts; ties go to the last of `shares`.
fn leak(shares: &[FileShare]) -> Option<Alarm> {
    let has_grids = shares.iter().all(|share| has_many_classes(share.size));
    let mut worst: Option<(Portion, Alarm)> = None;
    for (index, (by, words)) in SHARED.into_iter().enumerate().filter(|(_, (by, _))| *by != "grids" || has_grids) {
        let parts = |share: &FileShare| {
            let (all, overlap) = share.kinds[index];
            [Portion { count: overlap.keys, of: all.keys }, Portion { count: overlap.records, of: all.records }]
        };

        // A weaker kind, or records, must add something to the leak that is known.
        for (counting, [things, occur]) in words.into_iter().enumerate() {
            let of_files = shares.iter().map(|share| (parts(share)[counting], share));
            let (part, FileShare { file, other, size, .. }) =
                of_files.max_by(|(a, _), (b, _)| a.share().total_cmp(&b.share()))?;
            let before = worst.as_ref().map_or(0.0, |(before, _)| before.share());
            if part.share() < LEAK || part.share() <= before + WEAKER_LEAK {
                continue;
            }

            let others = other.as_deref().unwrap_or("the other files");
            let sentence = format!("{} of the {things} of {file} {occur} in {others} ({part})", part.percent());
            let (file, other, by) = (Some(file.clone()), other.clone(), Some(by));
            worst = Some((part, Alarm { file, other, by, ..Alarm::counted(AlarmKind::Leak, *size, part, sentence) }));
        }
    }
    worst.map(|(_, alarm)| alarm)
}

fn one_answer(audit: &SizeAudit) -> Option<Alarm> {
    let part = Portion { count: audit.several_answered, of: audit.puzzles };
    (part.count > 0 && part.share() >= ONE_ANSWER).then(|| {
        let percent = part.percent();
        let sentence = format!("{percent} of the puzzles have several solutions but one stored answer ({part})");
        Alarm::counted(AlarmKind::OneAnswerOfSeveral, audit.size, part, sentence)
    })
}

fn several(audit: &SizeAudit) -> Option<Alarm> {
    let part = Portion { count: audit.several - audit.several_answered, of: audit.puzzles };
    (part.share() >= SEVERAL).then(|| {
        let sentence = format!("{} of the puzzles have several solutions ({part})", part.percent());
        Alarm::counted(AlarmKind::SeveralSolutions, audit.size, part, sentence)
    })
}

fn few_grids(found: &GridSpread) -> Option<Alarm> {
    let &GridSpread { size, spread: Spread { records: grids, keys: classes, repeated, .. }, .. } = found;
    let (census, repeated) = (Census::of(size)?, Portion { count: repeated, of: grids });
    let expected = census.expected_classes(grids);
    let are_few = classes as f64 <= FEW_GRIDS * expected;
    let is_not_chance = census.chance_of_so_few(grids, classes) <= CHANCE;
    let are_repeated = repeated.share() >= REPEATED_GRIDS && has_many_classes(size);
    if grids < FEWEST_GRIDS || !(are_few && is_not_chance || are_repeated) {
        return None;
    }

    let (all, file) = (WithCommas(grids), of_file(found.file.as_ref()));
    let random =
        format!("{} grids; random ones would be of {}", WithCommas(classes), WithCommas(expected.round() as u64));
    let sentence = if classes == 1 {
        format!("all {all} solutions{file} are isomorphs of one grid")
    } else if are_few {
        format!("the {all} solutions{file} are isomorphs of {random}")
    } else {
        format!("{} of the {all} solutions{file} share their grid with another one ({random})", repeated.percent())
    };
    let alarm = Alarm::counted(AlarmKind::FewGrids, size, Portion { count: classes, of: grids }, sentence);
    Some(Alarm { file: found.file.clone(), expected: Some(expected), ..alarm })
}

/// Leaves out sizes with few classes, where any corpus has many grids of each, and corpora with one class, whose grids
/// are too few.
fn large_class(found: &GridSpread) -> Option<Alarm> {
    let &GridSpread { size, ref file, spread } = found;
    let part = Portion { count: spread.largest, of: spread.records };
    let is_large = part.count >= FEWEST_OF_CLASS && part.share() >= LARGE_CLASS && has_many_classes(size);
    (is_large && spread.keys > 1).then(|| {
        let (percent, file_name) = (part.percent(), of_file(file.as_ref()));
        let sentence = format!("{percent} of the solutions{file_name} are isomorphs of one grid ({part})");
        Alarm { file: file.clone(), ..Alarm::counted(AlarmKind::LargeClass, size, part, sentence) }
    })
}

fn automorphic(audit: &SizeAudit) -> Option<Alarm> {
    let found = audit.grids.as_ref()?;
    let (part, expected) = (Portion { count: found.automorphic, of: found.grids }, found.expected_automorphic?);
    let excess = part.share() - expected;
    let deviation = (expected * (1.0 - expected) / part.of as f64).sqrt();
    (part.of >= FEWEST_GRIDS && excess >= AUTOMORPHIC && excess >= DEVIATIONS * deviation).then(|| {
        let (percent, random) = (part.percent(), Percent(expected));
        let sentence = format!("{percent} of the solutions have automorphisms, but {random} of all grids");
        let alarm = Alarm::counted(AlarmKind::AutomorphicGrids, audit.size, part, sentence);
        Alarm { expected: Some(expected), ..alarm }
    })
}

fn repeated_puzzles(audit: &SizeAudit) -> Option<Alarm> {
    let &SizeAudit { size, puzzles, distinct, .. } = audit;
    let by_chance = if size == Size::Four { puzzles as f64 / PUZZLES_OF_FOUR } else { 0.0 };
    let part = Portion { count: puzzles - distinct, of: puzzles };
    (part.share() >= REPEATED + by_chance).then(|| {
        let (percent, different) = (part.percent(), Portion { count: distinct, of: puzzles });
        let sentence = format!("{percent} of the puzzles repeat an earlier one ({different} different)");
        Alarm::counted(AlarmKind::RepeatedPuzzles, size, part, sentence)
    })
}

/// Leaves out sizes with few classes, where any corpus repeats them.
fn repeated_classes(audit: &SizeAudit) -> Option<Alarm> {
    let &SizeAudit { size, distinct, without_class, classes, .. } = audit;
    let (classes, of) = (classes?, distinct.saturating_sub(without_class));
    let part = Portion { count: of.saturating_sub(classes), of };
    (size != Size::Four && part.share() >= REPEATED).then(|| {
        let (percent, puzzles, classes) = (part.percent(), WithCommas(of), Counted(classes, "class"));
        let sentence =
            format!("{percent} of the different puzzles are isomorphs of another one ({puzzles} in {classes})");
        Alarm::counted(AlarmKind::RepeatedClasses, size, part, sentence)
    })
}

fn digits(audit: &SizeAudit) -> Option<Alarm> {
    let words = ["digits", "has the same", "solutions"];
    uneven_over_cells(AlarmKind::UnevenDigits, audit.size, audit.digits?, words, audit.solved())
}

/// Names the cells that are never blank, and those that always are: they show how a generator works.
fn blanks(audit: &SizeAudit) -> Option<Alarm> {
    let &SizeAudit { size, puzzles, ref blanks_by_cell, .. } = audit;
    let words = ["blanks", "is blank", "puzzles"];
    let mut alarm = uneven_over_cells(AlarmKind::UnevenBlanks, size, audit.blanks?, words, puzzles)?;

    for (blanks, how) in [(0, "never"), (puzzles, "always")] {
        let cells = (0..size.cells()).filter(|&cell| blanks_by_cell[cell] == blanks);
        let names: Vec<String> = cells.map(|cell| Geometry::of(size).name(cell)).collect();
        if !names.is_empty() {
            let _ = write!(alarm.sentence, "; {how} blank: {}", names.join(" "));
        }
    }
    Some(alarm)
}

/// The alarm that some things are uneven over the cells of so many puzzles or solutions.
fn uneven_over_cells(
    kind: AlarmKind,
    size: Size,
    found: Unevenness,
    [things, fact, all]: [&str; 3],
    number: u64,
) -> Option<Alarm> {
    let Unevenness { effect, cell, share, .. } = found;
    (number >= FEWEST_PUZZLES && effect >= UNEVEN).then(|| {
        let (cell, percent) = (Geometry::of(size).name(cell), Percent(share));
        let sentence =
            format!("{things} are uneven over the cells (V = {effect:.2}): {cell} {fact} in {percent} of the {all}");
        Alarm { effect: Some(effect), ..Alarm::new(kind, Some(size), sentence) }
    })
}

fn ordered(order: &FileOrder) -> Vec<Alarm> {
    if order.puzzles < FEWEST_PUZZLES {
        return vec![];
    }
    let file = &order.file;
    let alarm = |by, effect, sentence| {
        let (file, by, effect) = (Some(file.clone()), Some(by), Some(effect));
        Alarm { file, by, effect, ..Alarm::new(AlarmKind::Ordered, None, sentence) }
    };

    // A trend or, without one, a grouping.
    let by_value = |by, name: &str, found: Option<ValueTrend>| {
        let ValueTrend { trend, trend_deviations, grouping, grouping_deviations } = found?;
        if trend.abs() >= ORDERED && trend_deviations.abs() >= DEVIATIONS {
            let words = format!("{file} is in order of the {name} of the puzzles (rank correlation {trend:.2})");
            Some(alarm(by, trend, words))
        } else if grouping >= ORDERED && grouping_deviations >= DEVIATIONS {
            let words = format!("in {file}, puzzles of the same {name} stand together ({grouping:.2} of 1)");
            Some(alarm(by, grouping, words))
        } else {
            None
        }
    };
    let by_text = order.texts.and_then(|TextTrend { ascending, deviations }| {
        let is_sorted = ascending.max(1.0 - ascending) >= SORTED && deviations.abs() >= DEVIATIONS;
        let percent = Percent(ascending);
        let words = format!("{file} is in order of the text of the puzzles ({percent} of neighbours ascend)");
        is_sorted.then(|| alarm("text", ascending, words))
    });
    let by_values = [by_value("clues", "number of clues", order.clues), by_value("rating", "rating", order.ratings)];
    by_values.into_iter().flatten().chain(by_text).collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::jobs::validate::repeats::Overlap;

    const SIZE: Size = Size::Nine;

    fn spread(records: u64, keys: u64, repeated: u64, largest: u64) -> Spread {
        Spread { records, keys, repeated, largest }
    }

    /// A file that shares 97 of 100 keys or records of a kind, and 90 of the stronger ones.
    fn share(kind: usize, by_records: bool, other: Option<&str>) -> FileShare {
        let kinds = [0, 1, 2].map(|index| {
            let [keys, records] = [false, true].map(|counting| match (index, counting).cmp(&(kind, by_records)) {
                Ordering::Less => 90,
                Ordering::Equal => 97,
                Ordering::Greater => 0,
            });
            (spread(100, 100, 0, 1), Overlap { keys, records })
        });
        FileShare { file: "test.csv".into(), other: other.map(str::to_owned), size: SIZE, kinds }
    }

    fn grids(file: Option<&str>, spread: Spread) -> GridSpread {
        GridSpread { size: SIZE, file: file.map(str::to_owned), spread }
    }

    fn in_order(clues: Option<[f64; 2]>, ascending: Option<f64>) -> FileOrder {
        let clues = clues.map(|[trend, grouping]| ValueTrend {
            trend,
            grouping,
            trend_deviations: 9.0,
            grouping_deviations: 9.0,
        });
        let texts = ascending.map(|ascending| TextTrend { ascending, deviations: 9.0 });
        FileOrder { file: "a.csv".into(), puzzles: 100, clues, ratings: clues, texts }
    }

    #[test]
    fn sentences_have_the_numbers() {
        let leaks = [
            (share(0, false, Some("a.csv")), "different puzzles of test.csv occur in a.csv"),
            (share(0, true, None), "puzzles of test.csv occur in the other files"),
            (share(1, false, Some("a.csv")), "classes of test.csv occur in a.csv"),
            (share(1, true, Some("a.csv")), "puzzles of test.csv have isomorphs in a.csv"),
            (share(2, false, Some("a.csv")), "classes of solutions of test.csv occur in a.csv"),
            (share(2, true, Some("a.csv")), "solutions of test.csv have isomorphs in a.csv"),
        ];
        for (share, words) in leaks {
            assert_eq!(leak(&[share]).unwrap().sentence, format!("97 % of the {words} (97 of 100)"));
        }

        let uneven = Unevenness { chi_square: 0.0, degrees: 1, effect: 0.5, cell: 9, share: 1.0 };
        let blanks = uneven_over_cells(AlarmKind::UnevenBlanks, SIZE, uneven, ["blanks", "is blank", "puzzles"], 100);
        for (alarm, sentence) in [
            (few_grids(&grids(None, spread(2000, 1, 2000, 2000))), "all 2,000 solutions are isomorphs of one grid"),
            (
                few_grids(&grids(Some("a.csv"), spread(2000, 1001, 1999, 9))),
                "99.9 % of the 2,000 solutions of a.csv share their grid with another one (1,001 grids; random ones would \
                 be of 2,000)",
            ),
            (
                few_grids(&grids(None, spread(2000, 3, 2000, 9))),
                "the 2,000 solutions are isomorphs of 3 grids; random ones would be of 2,000",
            ),
            (
                large_class(&grids(None, spread(2000, 3, 2000, 500))),
                "25 % of the solutions are isomorphs of one grid (500 of 2,000)",
            ),
            (blanks, "blanks are uneven over the cells (V = 0.50): r2c1 is blank in 100 % of the puzzles"),
        ] {
            assert_eq!(alarm.unwrap().sentence, sentence);
        }

        let sentences = |order| ordered(&order).into_iter().map(|alarm| alarm.sentence).collect::<Vec<_>>();
        assert_eq!(
            sentences(in_order(Some([0.984, 0.984]), None)),
            [
                "a.csv is in order of the number of clues of the puzzles (rank correlation 0.98)",
                "a.csv is in order of the rating of the puzzles (rank correlation 0.98)",
            ]
        );
        assert_eq!(
            sentences(in_order(Some([0.1, 0.984]), Some(0.984))),
            [
                "in a.csv, puzzles of the same number of clues stand together (0.98 of 1)",
                "in a.csv, puzzles of the same rating stand together (0.98 of 1)",
                "a.csv is in order of the text of the puzzles (98.4 % of neighbours ascend)",
            ]
        );
    }

    /// `docs/audit.md` has a row for each kind, with its thresholds in the second cell.
    #[test]
    fn the_thresholds_are_those_of_the_documentation() {
        let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/audit.md")).unwrap();
        let percent = |share: f64| Percent(share).to_string();
        let deviations = DEVIATIONS.to_string();
        for &kind in AlarmKind::VARIANTS {
            let thresholds: &[String] = match kind {
                AlarmKind::Leak => &[percent(LEAK), percent(LEAK), percent(WEAKER_LEAK)],
                AlarmKind::OneAnswerOfSeveral => &[percent(ONE_ANSWER)],
                AlarmKind::SeveralSolutions => &[percent(SEVERAL)],
                AlarmKind::FewGrids => &[
                    FEWEST_GRIDS.to_string(),
                    percent(FEW_GRIDS),
                    format!("10^{}", CHANCE.log10()),
                    percent(REPEATED_GRIDS),
                ],
                AlarmKind::LargeClass => &[percent(LARGE_CLASS), FEWEST_OF_CLASS.to_string()],
                AlarmKind::AutomorphicGrids => &[FEWEST_GRIDS.to_string(), percent(AUTOMORPHIC), deviations.clone()],
                AlarmKind::RepeatedPuzzles => {
                    &[percent(REPEATED), percent(REPEATED), WithCommas(PUZZLES_OF_FOUR as u64).to_string()]
                }
                AlarmKind::RepeatedClasses => &[percent(REPEATED)],
                AlarmKind::UnevenDigits | AlarmKind::UnevenBlanks => &[FEWEST_PUZZLES.to_string(), UNEVEN.to_string()],
                AlarmKind::Ordered => &[
                    FEWEST_PUZZLES.to_string(),
                    ORDERED.to_string(),
                    ORDERED.to_string(),
                    percent(SORTED),
                    deviations.clone(),
                ],
            };

            let name = json!(kind);
            let start = format!("| `{}` |", name.as_str().unwrap());
            let row =
                page.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("no row {name}"));
            let raised_if = row.split('|').next().unwrap().replace(" %", "%");
            let numbers = raised_if
                .split([' ', '(', ')', ';'])
                .filter(|word| word.starts_with(|first: char| first.is_ascii_digit()) && !word.contains('x'))
                .map(|number| number.trim_end_matches(',').replace('%', " %"));
            assert_eq!(numbers.collect::<Vec<_>>(), thresholds, "{name}");
        }
        // The rows about classes say "for 9x9".
        assert!(Size::ALL.iter().all(|&size| has_many_classes(size) == (size == Size::Nine)));
    }
}
