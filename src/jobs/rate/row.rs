//! The row of a record of `rate`.
//!
//! ```text
//! [file,]line,puzzle,status,er,ep,ed,level,hardest,steps,techniques,guesses,detail,kept ...
//! ```
#![expect(clippy::inline_always, reason = "as for all rows")]

use std::fmt::Display;

use crate::rating::{Difficulty, Level, Rating, RatingEnd, Step, Technique};
use crate::rows::{Column, Decimal, Field, Kind, NamedCounts, Row, Status, Subject, column};
use crate::stats::{Er, PuzzleRating, RatingStats};

/// The result for a record.
pub(crate) struct RateRow<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    pub(super) status: Status,
    /// `None` if the puzzle is not rated.
    pub(super) rated: Option<&'a Rated>,
    pub(super) detail: &'a str,
}

/// The columns that say something about steps.
pub(super) const OF_STEPS: [&str; 5] = ["ep", "ed", "hardest", "steps", "techniques"];

impl Row for RateRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        Column::PUZZLE,
        column!("status", Kind::Name(&Status::NAMES), "unique, multiple, none, undecided or malformed"),
        column!("er", Kind::Decimal, "the difficulty of the hardest step; >X if it is known to be harder").nullable(),
        column!("ep", Kind::Decimal, "the difficulty of the hardest step up to the first digit").nullable(),
        column!("ed", Kind::Decimal, "the difficulty of the first step").nullable(),
        column!("level", Kind::Name(&Level::NAMES), "easy, medium, hard, very hard, fiendish or extreme").nullable(),
        column!("hardest", Kind::Text, "the technique of the first of the hardest steps").nullable(),
        column!("steps", Kind::Number, "the number of steps").nullable(),
        column!("techniques", Kind::Counts, "the number of steps by technique").nullable(),
        column!("guesses", Kind::Decimal, "the mean number of guesses of a search over isomorphs, if asked for")
            .nullable(),
        column!("detail", Kind::Text, "why there is no rating, or no exact one").nullable(),
    ];

    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        match (column, self.rated) {
            (0, _) => field.text(self.file),
            (1, _) => field.number(self.line),
            (2, _) => field.subject(self.subject),
            (3, _) => field.name(&Status::NAMES, self.status as usize),
            (12, _) => field.text_if_any(self.detail),
            (_, None) => field.null(),
            (4, Some(rated)) => match rated.er() {
                Er::Is(er) => field.decimal(decimal(er)),
                Er::Above(bound) => field.above(decimal(bound)),
            },
            (5, Some(rated)) => push_known(rated.rating.ep, field),
            (6, Some(rated)) => push_known(rated.rating.ed, field),
            (7, Some(rated)) => match rated.er().level() {
                Some(level) => field.name(&Level::NAMES, level as usize),
                None => field.null(),
            },
            (8, Some(rated)) => match &rated.steps.hardest {
                Some((.., name)) => field.text(name),
                None => field.null(),
            },
            (9, Some(rated)) => field.number(rated.steps.total),
            (10, Some(rated)) => field.counts(&rated.steps),
            (_, Some(rated)) => match rated.guesses {
                Some(guesses) => field.decimal(guesses),
                None => field.null(),
            },
        }
    }
}

pub(super) fn decimal(difficulty: Difficulty) -> Decimal {
    Decimal { units: difficulty.tenths().into(), digits: 1 }
}

/// A difficulty, or nothing if it is 0.
#[inline(always)]
fn push_known<F: Field>(difficulty: Difficulty, field: F) {
    if difficulty == Difficulty::default() { field.null() } else { field.decimal(decimal(difficulty)) }
}

/// A puzzle that was rated.
#[derive(Clone, Debug)]
pub(super) struct Rated {
    pub(super) rating: Rating,
    pub(super) steps: StepCounts,
    /// The mean number of guesses for its isomorphs.
    pub(super) guesses: Option<Decimal>,
    /// The time for it, in nanoseconds.
    pub(super) nanos: u64,
}

impl Rated {
    /// What is known about ER.
    pub(super) fn er(&self) -> Er {
        match self.rating.end {
            RatingEnd::AboveBound => Er::Above(self.rating.er),
            RatingEnd::Solved | RatingEnd::Unsolved | RatingEnd::Interrupted => Er::Is(self.rating.er),
        }
    }

    /// Counts the rating of a puzzle; without its steps, if rows do not show them: then a run that is resumed has the same
    /// counts.
    pub(super) fn count(
        &self,
        stats: &mut RatingStats,
        has_steps: bool,
        location: (&str, u64),
        puzzle: impl FnOnce() -> String,
    ) {
        let known =
            |difficulty: Difficulty| Some(difficulty).filter(|&known| has_steps && known != Difficulty::default());
        let rating = PuzzleRating {
            er: self.er(),
            ep: known(self.rating.ep),
            ed: known(self.rating.ed),
            hardest: self.steps.hardest.as_ref().map(|hardest| hardest.1).filter(|_| has_steps),
        };
        stats.add(rating, self.steps.techniques().filter(|_| has_steps), location, puzzle);
    }
}

/// The number of steps by technique.
#[derive(Clone, Debug, Default)]
pub(super) struct StepCounts {
    /// In the order of techniques.
    counts: Vec<(Technique, u64)>,
    total: u64,
    /// The difficulty, the technique and its name of the first of the hardest steps.
    hardest: Option<(Difficulty, Technique, String)>,
}

impl StepCounts {
    /// Counts a step.
    pub(super) fn add(&mut self, step: &Step) {
        self.total += 1;
        match self.counts.binary_search_by_key(&step.technique, |count| count.0) {
            Ok(index) => self.counts[index].1 += 1,
            Err(index) => self.counts.insert(index, (step.technique, 1)),
        }
        if self.hardest.as_ref().is_none_or(|(hardest, ..)| *hardest < step.difficulty) {
            self.hardest = Some((step.difficulty, step.technique, step.technique.to_string()));
        }
    }

    /// Counts hidden singles that were placed all at once.
    pub(super) fn add_singles(&mut self, singles: u32) {
        if singles == 0 {
            return;
        }
        self.total += u64::from(singles);
        let is_single = |(technique, _): &(Technique, u64)| *technique == Technique::HiddenSingle;
        match self.counts.first_mut().filter(|count| is_single(count)) {
            Some((_, count)) => *count += u64::from(singles),
            None => self.counts.insert(0, (Technique::HiddenSingle, singles.into())),
        }
        // All other steps are harder.
        let technique = Technique::HiddenSingle;
        self.hardest.get_or_insert_with(|| (Difficulty::default(), technique, technique.to_string()));
    }

    /// The number of steps.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The techniques of the steps.
    fn techniques(&self) -> impl Iterator<Item = Technique> {
        self.counts.iter().map(|count| count.0)
    }
}

impl NamedCounts for StepCounts {
    fn for_each(&self, each: &mut dyn FnMut(&dyn Display, u64)) {
        for (technique, count) in &self.counts {
            each(technique, *count);
        }
    }
}
