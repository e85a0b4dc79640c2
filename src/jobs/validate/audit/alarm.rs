//! Alarms: what is wrong with a corpus as a whole, and the thresholds that raise them.
//!
//! A threshold is on the size of an effect, which does not grow with the corpus: in a million records, a bias that
//! matters to nobody is significant. Where chance could reach the threshold in a small corpus, the effect must be
//! significant, too. `docs/audit.md` has the table of all thresholds with the reasons for them.

use serde::Serialize;

use super::as_text;
use super::files::{FileOrder, FilePair, Shared};
use super::order::ValueTrend;
use super::size_audit::SizeAudit;
use crate::puzzle::Size;

/// Something that is wrong with a corpus as a whole, with its numbers. Shares are from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "alarm", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Alarm {
    /// The puzzles of one file are in another.
    Leak {
        /// What the files share.
        what: SharedKind,
        /// The size of the puzzles.
        #[serde(serialize_with = "as_text")]
        size: Size,
        /// The file with fewer of them.
        file: String,
        /// The file in which they occur as well.
        other: String,
        /// Those of `file` that `other` has, too.
        shared: u64,
        /// All of `file`.
        of: u64,
    },
    /// Puzzles have several solutions, but one stored answer: a comparison with it calls right answers wrong.
    OneAnswerOfSeveral {
        /// The size of the puzzles.
        #[serde(serialize_with = "as_text")]
        size: Size,
        /// All puzzles.
        puzzles: u64,
        /// Those with several solutions and an answer.
        several: u64,
    },
    /// Puzzles have several solutions, and no answer.
    SeveralSolutions {
        /// The size of the puzzles.
        #[serde(serialize_with = "as_text")]
        size: Size,
        /// All puzzles.
        puzzles: u64,
        /// Those with several solutions and no answer.
        several: u64,
    },
    /// Solved grids are in far fewer classes than random ones.
    FewGrids {
        /// The size of the grids.
        #[serde(serialize_with = "as_text")]
        size: Size,
        /// All grids.
        grids: u64,
        /// Their classes.
        classes: u64,
        /// The classes that a uniform random sample is expected to show.
        expected: f64,
    },
    /// Solved grids have automorphisms far more often than random ones: they come from a pattern.
    AutomorphicGrids {
        /// The size of the grids.
        #[serde(serialize_with = "as_text")]
        size: Size,
        /// All grids.
        grids: u64,
        /// Those with more than one automorphism.
        automorphic: u64,
        /// The share of such grids among all grids of the size.
        expected: f64,
    },
    /// The same puzzles occur more than once.
    RepeatedPuzzles {
        /// The size of the puzzles.
        #[serde(serialize_with = "as_text")]
        size: Size,
        /// All puzzles.
        puzzles: u64,
        /// Different ones.
        distinct: u64,
    },
    /// Different puzzles are isomorphs of each other.
    RepeatedClasses {
        /// The size of the puzzles.
        #[serde(serialize_with = "as_text")]
        size: Size,
        /// Different puzzles that have a class.
        puzzles: u64,
        /// Their classes.
        classes: u64,
    },
    /// The digits of solved grids are not spread evenly over the cells.
    UnevenDigits {
        /// The size of the grids.
        #[serde(serialize_with = "as_text")]
        size: Size,
        /// Cramer's V.
        effect: f64,
        /// The cell that is furthest from even.
        cell: usize,
        /// The share of its most frequent digit.
        share: f64,
    },
    /// Blanks are not spread evenly over the cells.
    UnevenBlanks {
        /// The size of the puzzles.
        #[serde(serialize_with = "as_text")]
        size: Size,
        /// Cramer's V.
        effect: f64,
        /// The cell that is furthest from even.
        cell: usize,
        /// The share of puzzles in which it is blank.
        share: f64,
    },
    /// The puzzles of a file are in an order.
    Ordered {
        /// The file.
        file: String,
        /// What they are ordered by.
        by: OrderedBy,
        /// What the order is like.
        kind: OrderKind,
        /// How far it goes: the trend, the grouping, or the share of neighbours in order.
        effect: f64,
    },
}

/// What two files share.
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

/// What the puzzles of a file are ordered by.
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

/// What the order of a file is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderKind {
    /// Values rise or fall from the first puzzle to the last.
    Trend,
    /// Equal values stand together.
    Grouping,
    /// Neighbours are sorted.
    Neighbours,
}

/// The smallest share of puzzles or classes of a file that are a leak.
const LEAK: f64 = 0.01;

/// The smallest share of puzzles with several solutions and a stored answer.
const ONE_ANSWER: f64 = 0.001;

/// The smallest share of puzzles with several solutions and no answer.
const SEVERAL: f64 = 0.01;

/// The largest number of classes, as a share of what is expected, that are too few.
const FEW_GRIDS: f64 = 0.5;

/// The largest chance of a uniform sample to show as few classes.
const CHANCE: f64 = 1e-9;

/// How much larger than expected a share of grids with automorphisms is too large.
const AUTOMORPHIC: f64 = 0.05;

/// The smallest share of puzzles, or of classes, that repeat others.
const REPEATED: f64 = 0.05;

/// The smallest effect of uneven blanks or digits.
const UNEVEN: f64 = 0.1;

/// The smallest trend or grouping of a file in order.
const ORDERED: f64 = 0.3;

/// The smallest share of neighbours that are in order, or in descending order.
const SORTED: f64 = 0.75;

/// How many standard deviations of a random order that must be, too.
const DEVIATIONS: f64 = 6.0;

/// The smallest number of grids for shares that chance could reach.
const FEWEST_GRIDS: u64 = 20;

/// The smallest number of puzzles for effects of cells and of order.
const FEWEST_PUZZLES: u64 = 100;

/// A size with fewer classes of solved grids than this repeats them, and its puzzles, in any larger corpus.
const MANY_CLASSES: u64 = 1_000_000;

/// All 4x4 puzzles with one solution. A corpus of some million of them repeats many.
const PUZZLES_OF_FOUR: f64 = 13_579_680.0;

/// The alarms that these results raise, the gravest first.
pub(super) fn raised(sizes: &[SizeAudit], order: &[FileOrder], pairs: &[FilePair]) -> Vec<Alarm> {
    let checks = [one_answer, several, few_grids, automorphic, repeated_puzzles, repeated_classes, digits, blanks];
    let of_sizes = checks.into_iter().flat_map(|check| sizes.iter().filter_map(check));
    pairs.iter().filter_map(leak).chain(of_sizes).chain(order.iter().flat_map(ordered)).collect()
}

fn share(count: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { count as f64 / of as f64 }
}

/// The weakest kind of leak, which counts most, unless a stronger one counts as many.
fn leak(pair: &FilePair) -> Option<Alarm> {
    let has_many = matches!(super::census::Census::of(pair.size), Some(census) if census.classes() >= MANY_CLASSES);
    let kinds = [
        (SharedKind::Puzzles, Some(pair.puzzles)),
        (SharedKind::Classes, pair.classes),
        (SharedKind::Grids, pair.grids.filter(|_| has_many)),
    ];
    let smaller = |shared: &Shared| share(shared.both, shared.first.min(shared.second));
    let mut worst: Option<(SharedKind, Shared)> = None;
    for (what, shared) in kinds.into_iter().filter_map(|(what, shared)| Some((what, shared?))) {
        let before = worst.map_or(0.0, |(_, shared)| smaller(&shared));
        if smaller(&shared) >= LEAK && smaller(&shared) > before + LEAK / 2.0 {
            worst = Some((what, shared));
        }
    }

    let (what, shared) = worst?;
    let (mut files, of) = ([&pair.first, &pair.second], shared.first.min(shared.second));
    // Of equal files, the later one, which usually is the test set.
    if shared.second <= shared.first {
        files.reverse();
    }
    let [file, other] = files.map(String::clone);
    Some(Alarm::Leak { what, size: pair.size, file, other, shared: shared.both, of })
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

fn few_grids(audit: &SizeAudit) -> Option<Alarm> {
    let found = audit.grids.as_ref()?;
    let (size, grids, classes, expected) = (audit.size, found.grids, found.classes, found.expected?);
    let are_few = classes as f64 <= FEW_GRIDS * expected && found.chance? <= CHANCE;
    (grids >= FEWEST_GRIDS && are_few).then_some(Alarm::FewGrids { size, grids, classes, expected })
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

/// Not of sizes with few classes, where any corpus repeats them.
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

/// The trend of a file, or else its grouping.
fn order_of(found: &ValueTrend) -> Option<(OrderKind, f64)> {
    let has_trend = found.trend.abs() >= ORDERED && found.trend_deviations.abs() >= DEVIATIONS;
    let is_grouped = found.grouping >= ORDERED && found.grouping_deviations >= DEVIATIONS;
    let trend = has_trend.then_some((OrderKind::Trend, found.trend));
    trend.or(is_grouped.then_some((OrderKind::Grouping, found.grouping)))
}
