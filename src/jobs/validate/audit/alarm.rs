//! Alarms: faults of a corpus as a whole, and the thresholds that raise them.
//!
//! A threshold applies to the size of an effect, which does not grow with the corpus: in a million records, even a
//! negligible bias is significant. Where chance could reach the threshold in a small corpus, the effect must also be
//! significant. `docs/audit.md` has a table of all thresholds with the reasons for them.

use serde::Serialize;

use super::census::Census;
use super::files::{CorpusKeys, FileOrder, FileShare, GridSpread};
use super::order::ValueTrend;
use super::size_audit::SizeAudit;
use crate::jobs::validate::key_index::Spread;
use crate::puzzle::Size;

/// A fault of a corpus as a whole, with its numbers. Shares are from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "alarm", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Alarm {
    /// A file has puzzles of another file.
    Leak {
        /// The kind of shared keys.
        what: SharedKind,
        /// The size of the puzzles.
        size: Size,
        /// Whether records are counted instead of distinct puzzles or classes.
        by_records: bool,
        /// The file with the larger shared part.
        file: String,
        /// The file that it shares this part with; `None` for all other files together.
        other: Option<String>,
        /// The number that both files have.
        shared: u64,
        /// The number that `file` has.
        of: u64,
    },
    /// Puzzles have several solutions, but only one stored answer: comparing with it would reject correct answers.
    OneAnswerOfSeveral {
        /// The size of the puzzles.
        size: Size,
        /// All puzzles.
        puzzles: u64,
        /// The puzzles with several solutions and an answer.
        several: u64,
    },
    /// Puzzles have several solutions, and no answer.
    SeveralSolutions {
        /// The size of the puzzles.
        size: Size,
        /// All puzzles.
        puzzles: u64,
        /// The puzzles with several solutions and no answer.
        several: u64,
    },
    /// Solved grids are in far fewer classes than random ones, or most of them share their class with another grid.
    FewGrids {
        /// The size of the grids.
        size: Size,
        /// The file; `None` for all files together.
        file: Option<String>,
        /// All grids.
        grids: u64,
        /// Their classes.
        classes: u64,
        /// The grids that share their class with another grid.
        repeated: u64,
        /// The number of classes that a uniform random sample is expected to show.
        expected: f64,
    },
    /// A single class has many solved grids.
    LargeClass {
        /// The size of the grids.
        size: Size,
        /// The file; `None` for all files together.
        file: Option<String>,
        /// All grids.
        grids: u64,
        /// The grids of the largest class.
        largest: u64,
    },
    /// Solved grids have automorphisms far more often than random ones: they were made from a pattern.
    AutomorphicGrids {
        /// The size of the grids.
        size: Size,
        /// All grids.
        grids: u64,
        /// The grids with more than one automorphism.
        automorphic: u64,
        /// The expected share of such grids: their share among all grids of the size.
        expected: f64,
    },
    /// The same puzzles occur more than once.
    RepeatedPuzzles {
        /// The size of the puzzles.
        size: Size,
        /// All puzzles.
        puzzles: u64,
        /// The distinct ones.
        distinct: u64,
    },
    /// Distinct puzzles are isomorphs of each other.
    RepeatedClasses {
        /// The size of the puzzles.
        size: Size,
        /// The distinct puzzles that have a class.
        puzzles: u64,
        /// Their classes.
        classes: u64,
    },
    /// The digits of solved grids are unevenly distributed over the cells.
    UnevenDigits {
        /// The size of the grids.
        size: Size,
        /// Cramer's V.
        effect: f64,
        /// The cell with the most uneven distribution.
        cell: usize,
        /// The share of its most frequent digit.
        share: f64,
    },
    /// Blanks are unevenly distributed over the cells.
    UnevenBlanks {
        /// The size of the puzzles.
        size: Size,
        /// Cramer's V.
        effect: f64,
        /// The cell with the most uneven distribution.
        cell: usize,
        /// The share of puzzles where it is blank.
        share: f64,
    },
    /// The puzzles of a file are sorted or grouped.
    Ordered {
        /// The file.
        file: String,
        /// The property that orders them.
        by: OrderedBy,
        /// The kind of order.
        kind: OrderKind,
        /// The strength: the trend, the grouping, or the share of neighbours in order.
        effect: f64,
    },
}

/// The kind of keys that two files share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SharedKind {
    /// The same puzzles.
    Puzzles,
    /// Isomorphs of puzzles.
    Classes,
    /// Puzzles whose solved grids are isomorphs.
    Grids,
}

/// The property that orders the puzzles of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderedBy {
    /// Their number of clues.
    Clues,
    /// Their ER.
    Rating,
    /// Their text.
    Text,
}

/// The kind of order in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderKind {
    /// Values rise or fall from the first puzzle to the last.
    Trend,
    /// Equal values are next to each other.
    Grouping,
    /// Neighbours are sorted.
    Neighbours,
}

/// The minimum share of a file's puzzles or classes that is a leak.
const LEAK: f64 = 0.01;

/// The minimum share of puzzles with several solutions and a stored answer.
const ONE_ANSWER: f64 = 0.001;

/// The minimum share of puzzles with several solutions and no answer.
const SEVERAL: f64 = 0.01;

/// The maximum number of classes that is too few, as a fraction of the expected number.
pub(super) const FEW_GRIDS: f64 = 0.5;

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
        alarms.iter().any(|alarm| match alarm {
            Alarm::Leak { file, other, size, .. } => {
                *size == share.size && (*file == share.file || other.as_ref() == Some(&share.file))
            }
            _ => false,
        })
    };
    let together = keys.together.iter().filter(|share| !is_known(share));
    let together: Vec<_> = together.filter_map(|share| leak(std::slice::from_ref(share))).collect();
    alarms.extend(together);

    let of_sizes = |checks: &[fn(&SizeAudit) -> Option<Alarm>]| -> Vec<Alarm> {
        checks.iter().flat_map(|check| sizes.iter().filter_map(check)).collect()
    };
    alarms.extend(of_sizes(&[one_answer, several]));
    for check in [few_grids, large_class] {
        let (all, files): (Vec<_>, Vec<_>) = keys.grid_spreads.iter().partition(|found| found.file.is_none());
        let of_files: Vec<_> = files.into_iter().filter(|found| check(found).is_some()).collect();
        let of_all = all.into_iter().filter(|all| !of_files.iter().any(|file| file.size == all.size));
        alarms.extend(of_all.chain(of_files.iter().copied()).filter_map(check));
    }
    alarms.extend(of_sizes(&[automorphic, repeated_puzzles, repeated_classes, digits, blanks]));
    alarms.extend(keys.order.iter().flat_map(ordered));
    alarms
}

fn share(count: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { count as f64 / of as f64 }
}

/// Whether a size has so many classes of solved grids that two good files hardly share any.
pub(in super::super) fn has_many_classes(size: Size) -> bool {
    Census::of(size).is_some_and(|census| census.classes() >= MANY_CLASSES)
}

/// The alarm for the weakest kind of leak, which counts most, unless a stronger kind counts the same, by distinct
/// puzzles or classes and by records. Between two files, the larger part counts; ties go to the last of `shares`.
fn leak(shares: &[FileShare]) -> Option<Alarm> {
    let kinds = [SharedKind::Puzzles, SharedKind::Classes, SharedKind::Grids];
    let kinds = kinds
        .into_iter()
        .enumerate()
        .filter(|&(_, what)| what != SharedKind::Grids || shares.iter().all(|share| has_many_classes(share.size)));
    let parts = kinds.flat_map(|(kind, what)| {
        [false, true].map(|by_records| {
            let part = |share: &FileShare| {
                let (all, overlap) = share.kinds[kind];
                if by_records { (overlap.records, all.records) } else { (overlap.keys, all.keys) }
            };
            let larger = |a: &&FileShare, b: &&FileShare| {
                let [a, b] = [a, b].map(|share| part(share)).map(|(shared, of)| share(shared, of));
                a.total_cmp(&b)
            };
            let of = shares.iter().max_by(larger)?;
            let (shared, all) = part(of);
            Some((what, by_records, of, shared, all))
        })
    });

    let mut worst = None;
    for (what, by_records, FileShare { file, other, size, .. }, shared, of) in parts.flatten() {
        let before = worst.as_ref().map_or(0.0, |&(before, _)| before);
        let now = share(shared, of);
        if now >= LEAK && now > before + LEAK / 2.0 {
            let (file, other) = (file.clone(), other.clone());
            worst = Some((now, Alarm::Leak { what, size: *size, by_records, file, other, shared, of }));
        }
    }
    worst.map(|(_, alarm)| alarm)
}

fn one_answer(audit: &SizeAudit) -> Option<Alarm> {
    let &SizeAudit { size, puzzles, several_answered: several, .. } = audit;
    (several > 0 && share(several, puzzles) >= ONE_ANSWER).then_some(Alarm::OneAnswerOfSeveral {
        size,
        puzzles,
        several,
    })
}

fn several(audit: &SizeAudit) -> Option<Alarm> {
    let &SizeAudit { size, puzzles, several_answered, .. } = audit;
    let several = audit.several - several_answered;
    (share(several, puzzles) >= SEVERAL).then_some(Alarm::SeveralSolutions { size, puzzles, several })
}

fn few_grids(found: &GridSpread) -> Option<Alarm> {
    let &GridSpread { size, spread: Spread { records: grids, keys: classes, repeated, .. }, .. } = found;
    let census = Census::of(size)?;
    let expected = census.expected_classes(grids);
    let are_few = classes as f64 <= FEW_GRIDS * expected && census.chance_of_so_few(grids, classes) <= CHANCE;
    let are_repeated = share(repeated, grids) >= REPEATED_GRIDS && has_many_classes(size);
    let file = found.file.clone();
    (grids >= FEWEST_GRIDS && (are_few || are_repeated)).then_some(Alarm::FewGrids {
        size,
        file,
        grids,
        classes,
        repeated,
        expected,
    })
}

/// Leaves out sizes with few classes, where any corpus has many grids of each, and corpora with one class, whose grids
/// are too few.
fn large_class(found: &GridSpread) -> Option<Alarm> {
    let &GridSpread { size, spread: Spread { records: grids, keys: classes, largest, .. }, .. } = found;
    let is_large = largest >= FEWEST_OF_CLASS && share(largest, grids) >= LARGE_CLASS && has_many_classes(size);
    (is_large && classes > 1).then(|| Alarm::LargeClass { size, file: found.file.clone(), grids, largest })
}

fn automorphic(audit: &SizeAudit) -> Option<Alarm> {
    let found = audit.grids.as_ref()?;
    let (grids, automorphic, expected) = (found.grids, found.automorphic, found.expected_automorphic?);
    let excess = share(automorphic, grids) - expected;
    let deviation = (expected * (1.0 - expected) / grids as f64).sqrt();
    let is_raised = grids >= FEWEST_GRIDS && excess >= AUTOMORPHIC && excess >= DEVIATIONS * deviation;
    is_raised.then_some(Alarm::AutomorphicGrids { size: audit.size, grids, automorphic, expected })
}

fn repeated_puzzles(audit: &SizeAudit) -> Option<Alarm> {
    let &SizeAudit { size, puzzles, distinct, .. } = audit;
    let by_chance = if size == Size::Four { puzzles as f64 / PUZZLES_OF_FOUR } else { 0.0 };
    let repeated = share(puzzles - distinct, puzzles);
    (repeated >= REPEATED + by_chance).then_some(Alarm::RepeatedPuzzles { size, puzzles, distinct })
}

/// Leaves out sizes with few classes, where any corpus repeats them.
fn repeated_classes(audit: &SizeAudit) -> Option<Alarm> {
    let &SizeAudit { size, distinct, without_class, .. } = audit;
    let classes = audit.classes?;
    let puzzles = distinct.saturating_sub(without_class);
    let repeated = share(puzzles.saturating_sub(classes), puzzles);
    (size != Size::Four && repeated >= REPEATED).then_some(Alarm::RepeatedClasses { size, puzzles, classes })
}

fn digits(audit: &SizeAudit) -> Option<Alarm> {
    let grids: u64 = audit.digits_by_cell.first()?.iter().sum();
    let found = audit.digits.filter(|found| grids >= FEWEST_PUZZLES && found.effect >= UNEVEN)?;
    Some(Alarm::UnevenDigits { size: audit.size, effect: found.effect, cell: found.cell, share: found.share })
}

fn blanks(audit: &SizeAudit) -> Option<Alarm> {
    let found = audit.blanks.filter(|found| audit.puzzles >= FEWEST_PUZZLES && found.effect >= UNEVEN)?;
    Some(Alarm::UnevenBlanks { size: audit.size, effect: found.effect, cell: found.cell, share: found.share })
}

fn ordered(order: &FileOrder) -> Vec<Alarm> {
    if order.puzzles < FEWEST_PUZZLES {
        return vec![];
    }
    let alarm = |by, (kind, effect)| Alarm::Ordered { file: order.file.clone(), by, kind, effect };
    let by_value =
        |by, trend: Option<ValueTrend>| trend.and_then(|trend| order_of(&trend)).map(|found| alarm(by, found));
    let by_text = order.texts.and_then(|texts| {
        let is_sorted = texts.ascending.max(1.0 - texts.ascending) >= SORTED && texts.deviations.abs() >= DEVIATIONS;
        is_sorted.then(|| alarm(OrderedBy::Text, (OrderKind::Neighbours, texts.ascending)))
    });
    let by_values = [by_value(OrderedBy::Clues, order.clues), by_value(OrderedBy::Rating, order.ratings)];
    by_values.into_iter().flatten().chain(by_text).collect()
}

/// The trend of a file or, if there is none, its grouping.
fn order_of(found: &ValueTrend) -> Option<(OrderKind, f64)> {
    let has_trend = found.trend.abs() >= ORDERED && found.trend_deviations.abs() >= DEVIATIONS;
    let is_grouped = found.grouping >= ORDERED && found.grouping_deviations >= DEVIATIONS;
    let trend = has_trend.then_some((OrderKind::Trend, found.trend));
    trend.or(is_grouped.then_some((OrderKind::Grouping, found.grouping)))
}
