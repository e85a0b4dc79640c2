//! The ratings of puzzles: as columns of rows, and counted.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Counts, PuzzleSource, Top, merge_fields};
use crate::options::ParseError;
use crate::rating::{Difficulty, Level, Rated, RatingEnd, StepCounts, Technique};
use crate::rows::{Decimal, Field, Kind, NamedCounts, Row, column, row};

/// The ER of a puzzle, or a bound. As text and as JSON it is `7.1` or `>7.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Er {
    /// Exactly this.
    Is(Difficulty),
    /// Above this bound.
    Above(Difficulty),
}

impl Er {
    /// The level, if it is known.
    pub fn level(self) -> Option<Level> {
        match self {
            Er::Is(er) => Some(Level::of(er)),
            Er::Above(bound) => Level::above(bound),
        }
    }
}

impl fmt::Display for Er {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Er::Is(er) => write!(f, "{er}"),
            Er::Above(bound) => write!(f, ">{bound}"),
        }
    }
}

/// Parses the printed form.
impl FromStr for Er {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Er, ParseError> {
        match text.strip_prefix('>') {
            Some(bound) => bound.parse().map(Er::Above),
            None => text.parse().map(Er::Is),
        }
    }
}

as_text!(Er);

/// The rating of a puzzle. Harder puzzles have greater ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PuzzleRating {
    /// The difficulty of the hardest step.
    pub er: Er,
    /// The difficulty of the hardest step up to the first digit, if it is known.
    pub ep: Option<Difficulty>,
    /// The difficulty of the first step, if it is known.
    pub ed: Option<Difficulty>,
    /// The technique of the first of the hardest steps, if it is known.
    pub hardest: Option<Technique>,
}

/// The columns of a rating. They are empty if the puzzle is not rated.
impl Row for Rated {
    row! {
        |self, field|

        column!("er", Kind::Decimal, "the difficulty of the hardest step; >X if it is known to be harder").nullable() =>
            match self.er() {
                Er::Is(er) => field.decimal(decimal(er)),
                Er::Above(bound) => field.above(decimal(bound)),
            };
        column!("ep", Kind::Decimal, "the difficulty of the hardest step up to the first digit").nullable() =>
            push_known(self.rating.ep, field);
        column!("ed", Kind::Decimal, "the difficulty of the first step").nullable() =>
            push_known(self.rating.ed, field);
        column!("level", Kind::Name(Level::NAMES), "easy, medium, hard, very hard, fiendish or extreme").nullable() =>
            push_level(Some(self.er()), field);
        column!("hardest", Kind::Text, "the technique of the first of the hardest steps").nullable() =>
            match self.steps.hardest() {
                Some(technique) => field.text(technique.name()),
                None => field.null(),
            };
        column!("steps", Kind::Number, "the number of steps").nullable() => field.number(self.steps.total());
        column!("techniques", Kind::Counts, "the number of steps by technique").nullable() => field.counts(&self.steps);
    }
}

impl Rated {
    /// The exact ER, or a bound for it.
    pub(crate) fn er(&self) -> Er {
        match self.rating.end {
            RatingEnd::AboveBound => Er::Above(self.rating.er),
            RatingEnd::Solved | RatingEnd::Unsolved | RatingEnd::Interrupted => Er::Is(self.rating.er),
        }
    }
}

pub(crate) fn decimal(difficulty: Difficulty) -> Decimal {
    Decimal { units: difficulty.tenths().into(), digits: 1 }
}

/// The level of an ER; an empty field if it is not known.
#[inline(always)]
pub(crate) fn push_level<F: Field>(er: Option<Er>, field: F) {
    field.name_if_known(Level::NAMES, er.and_then(Er::level).map(|level| level as usize));
}

/// A difficulty, or an empty field for 0.
#[inline(always)]
fn push_known<F: Field>(difficulty: Difficulty, field: F) {
    if difficulty == Difficulty::default() { field.null() } else { field.decimal(decimal(difficulty)) }
}

impl NamedCounts for StepCounts {
    fn for_each(&self, each: &mut dyn FnMut(&dyn fmt::Display, u64)) {
        for (technique, count) in self.counts() {
            each(technique, *count);
        }
    }
}

/// One of the hardest puzzles of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HardPuzzle {
    /// Its rating.
    #[serde(flatten)]
    pub rating: PuzzleRating,
    /// The puzzle.
    #[serde(flatten)]
    pub source: PuzzleSource,
}

/// Ordered by rating. Of equally hard puzzles, the earlier one is greater, so that lists do not depend on the order of
/// the work.
impl Ord for HardPuzzle {
    fn cmp(&self, other: &HardPuzzle) -> Ordering {
        self.rating.cmp(&other.rating).then_with(|| other.source.cmp(&self.source))
    }
}

impl PartialOrd for HardPuzzle {
    fn partial_cmp(&self, other: &HardPuzzle) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The numbers of puzzles that need a technique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TechniqueCounts {
    /// The puzzles with a step of this technique.
    pub puzzles: u64,
    /// The puzzles where it is the technique of the [hardest](PuzzleRating::hardest) step.
    pub hardest: u64,
}

/// The numbers of puzzles by rating, and the hardest puzzles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RatingStats {
    er: BTreeMap<Difficulty, u64>,
    /// The puzzles that are harder than a bound, by the bound.
    above: BTreeMap<Difficulty, u64>,
    techniques: BTreeMap<Technique, TechniqueCounts>,
    hardest: Top<HardPuzzle>,
}

impl RatingStats {
    /// Statistics of no puzzles. They will list the `top` hardest puzzles.
    pub(super) fn new(top: usize) -> RatingStats {
        RatingStats { er: BTreeMap::new(), above: BTreeMap::new(), techniques: BTreeMap::new(), hardest: Top::new(top) }
    }

    /// Counts a puzzle of an input, with the techniques of its steps if known. Calls `puzzle` only if it is among the
    /// hardest.
    pub(crate) fn add(
        &mut self,
        rating: PuzzleRating,
        techniques: impl IntoIterator<Item = Technique>,
        (file, line): (&str, u64),
        puzzle: impl FnOnce() -> String,
    ) {
        *match rating.er {
            Er::Is(er) => self.er.entry(er),
            Er::Above(bound) => self.above.entry(bound),
        }
        .or_default() += 1;
        for technique in techniques {
            self.techniques.entry(technique).or_default().puzzles += 1;
        }
        if let Some(hardest) = rating.hardest {
            self.techniques.entry(hardest).or_default().hardest += 1;
        }
        // Of equally hard puzzles, the earlier one is kept, whichever worker comes to it first.
        let is_above = |least: &HardPuzzle| {
            rating.cmp(&least.rating).then_with(|| (&*least.source.file, least.source.line).cmp(&(file, line))).is_gt()
        };
        if self.hardest.keeps(is_above) {
            let source = PuzzleSource { file: file.to_owned(), line, puzzle: puzzle() };
            self.hardest.add(HardPuzzle { rating, source });
        }
    }
}

merge_fields!(RatingStats: er, above, techniques, hardest);
merge_fields!(TechniqueCounts: puzzles, hardest);

/// The ratings of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RatingSummary {
    /// The number of puzzles by level, among puzzles with a known level.
    pub levels: Counts<Level>,
    /// The number of puzzles by ER; 20.0 if no technique solves them.
    pub er: BTreeMap<Difficulty, u64>,
    /// The number of puzzles that are harder than a bound, by the bound.
    pub above: BTreeMap<Difficulty, u64>,
    /// The number of puzzles by technique, in the order of techniques, if the steps are known.
    pub techniques: BTreeMap<Technique, TechniqueCounts>,
    /// The hardest puzzles, hardest first.
    pub hardest: Vec<HardPuzzle>,
}

impl From<RatingStats> for RatingSummary {
    fn from(RatingStats { er, above, techniques, hardest }: RatingStats) -> RatingSummary {
        let mut levels = Counts::default();
        let known = er.iter().map(|(&er, puzzles)| (Er::Is(er), puzzles));
        for (er, puzzles) in known.chain(above.iter().map(|(&bound, puzzles)| (Er::Above(bound), puzzles))) {
            // A bound may leave the level open.
            if let Some(level) = er.level() {
                levels[level] += puzzles;
            }
        }
        RatingSummary { levels, er, above, techniques, hardest: hardest.into_sorted() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::Technique::{HiddenSingle, XWing};
    use crate::stats::Mergeable;

    /// Puzzles with these ERs, on lines from `line`; the hardest step of each has the technique X-Wing.
    fn stats(line: u64, ratings: &[Er]) -> RatingStats {
        let mut stats = RatingStats::new(2);
        for (line, &er) in (line..).zip(ratings) {
            let rating = PuzzleRating { er, ep: None, ed: Some(Difficulty::from_tenths(12)), hardest: Some(XWing) };
            stats.add(rating, [HiddenSingle, XWing], ("a", line), || "..".to_owned());
        }
        stats
    }

    #[test]
    fn the_first_of_equally_hard_puzzles_is_listed_whichever_comes_first() {
        let er = Er::Is(Difficulty::from_tenths(71));
        let lines = |stats: RatingStats| RatingSummary::from(stats).hardest.into_iter().map(|hard| hard.source.line);
        for order in [[1, 2, 3, 4], [4, 3, 2, 1], [3, 1, 4, 2]] {
            let mut added = RatingStats::new(2);
            let mut merged = RatingStats::new(2);
            for line in order {
                let rating = PuzzleRating { er, ep: None, ed: None, hardest: None };
                added.add(rating, [], ("a", line), String::new);
                merged.merge(stats(line, &[er]));
            }
            assert_eq!(lines(added).collect::<Vec<_>>(), [1, 2], "{order:?}");
            assert_eq!(lines(merged).collect::<Vec<_>>(), [1, 2], "{order:?}");
        }
    }

    #[test]
    fn ratings_are_counted_by_level_by_er_and_by_technique() {
        let [is, above] = [Er::Is, Er::Above].map(|er| move |tenths| er(Difficulty::from_tenths(tenths)));
        let mut merged = stats(5, &[is(71), is(12), is(200), above(30)]);
        merged.merge(stats(1, &[is(12), is(100), above(30), above(70)]));
        let saved = serde_json::to_string(&merged).unwrap();
        let saved: RatingStats = serde_json::from_str(&saved).unwrap();
        let summary = serde_json::to_string(&RatingSummary::from(merged)).unwrap();
        assert_eq!(serde_json::to_string(&RatingSummary::from(saved)).unwrap(), summary);
        let expected = [
            r#"{"levels":{"easy":2,"extreme":4,"fiendish":0,"hard":0,"medium":0,"very hard":0},"#,
            r#""er":{"1.2":2,"7.1":1,"10.0":1,"20.0":1},"above":{"3.0":2,"7.0":1},"#,
            r#""techniques":{"Hidden Single":{"puzzles":8,"hardest":0},"X-Wing":{"puzzles":8,"hardest":8}},"#,
            // Of the puzzles above 3.0, the first.
            r#""hardest":[{"er":">7.0","ep":null,"ed":"1.2","hardest":"X-Wing","file":"a","line":4,"puzzle":".."},"#,
            r#"{"er":">3.0","ep":null,"ed":"1.2","hardest":"X-Wing","file":"a","line":3,"puzzle":".."}]}"#,
        ];
        assert_eq!(summary, expected.concat());
    }
}
