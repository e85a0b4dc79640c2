//! The columns of the rows of `rate`, for puzzles and for steps.
//!
//! ```text
//! [file,]line,puzzle  ,status,er,ep,ed,level,hardest,steps,techniques,guesses,detail            ,kept ...
//! [file,]line,puzzle  ,step,technique,difficulty,cells,digits,houses,eliminations,placements,candidates  ,kept ...
//! ```

use std::fmt::Display;

use csv::ByteRecord;

use super::RateRows;
use crate::rating::{Candidates, Difficulty, Level, Rating, RatingEnd, Step, Technique, cell_name};
use crate::rows::{
    Column, Decimal, FileColumn, HeaderRow, NamedCounts, OutputFormat, Status, Subject, TextValues, Value, ValueReader,
    kept_headers,
};
use crate::stats::{Er, PuzzleRating, RatingStats};

/// What a column of a puzzle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The puzzle and its ER.
    Er,
    /// The steps.
    Steps,
}

/// The columns of a puzzle after `file`, `line` and `puzzle`, in order.
pub(super) const OF_PUZZLES: [(&str, About); 10] = [
    (STATUS, About::Er),
    (ER, About::Er),
    (EP, About::Steps),
    (ED, About::Steps),
    ("level", About::Er),
    (HARDEST, About::Steps),
    ("steps", About::Steps),
    (TECHNIQUES, About::Steps),
    ("guesses", About::Er),
    ("detail", About::Er),
];

/// The columns of a step after `file`, `line` and `puzzle`, in order.
pub(super) const OF_STEPS: [&str; 9] =
    ["step", "technique", "difficulty", "cells", "digits", "houses", "eliminations", "placements", "candidates"];

/// The columns by which rows are recognised and counted when they are read back.
pub(super) const STATUS: &str = "status";
pub(super) const ER: &str = "er";
pub(super) const EP: &str = "ep";
pub(super) const ED: &str = "ed";
pub(super) const HARDEST: &str = "hardest";
pub(super) const TECHNIQUES: &str = "techniques";

/// The columns and the format of the rows of a run.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) rows: RateRows,
    pub(super) file: FileColumn,
    pub(super) format: OutputFormat,
    pub(super) header: HeaderRow,
    /// The headers of the columns carried over from the input.
    pub(super) kept: Vec<String>,
}

impl Table {
    /// A table that keeps columns of the input with these names.
    pub(super) fn new(rows: RateRows, inputs: usize, kept: &[String]) -> Table {
        let of_puzzles = OF_PUZZLES.iter().map(|(name, _)| *name);
        let first = [Column::File, Column::Line, Column::Puzzle].map(Column::name);
        let own: Vec<&str> = first.into_iter().chain(of_puzzles).chain(OF_STEPS).collect();
        Table {
            rows,
            file: FileColumn::for_inputs(inputs),
            format: OutputFormat::Csv,
            header: HeaderRow::Present,
            kept: kept_headers(&own, kept),
        }
    }

    /// Whether the rows have a column of a puzzle.
    pub(super) fn has(&self, about: About) -> bool {
        about == About::Er || self.rows == RateRows::Puzzles
    }

    /// The headers of all columns, in order.
    pub(super) fn headers(&self) -> Vec<String> {
        let first = [Column::File, Column::Line, Column::Puzzle].map(Column::name);
        let skipped = usize::from(self.file == FileColumn::Absent);
        let own: Vec<&str> = match self.rows {
            RateRows::Puzzles | RateRows::Er => {
                OF_PUZZLES.iter().filter(|(_, about)| self.has(*about)).map(|(name, _)| *name).collect()
            }
            RateRows::Steps => OF_STEPS.to_vec(),
        };
        let own = first.into_iter().skip(skipped).chain(own).map(str::to_owned);
        own.chain(self.kept.iter().cloned()).collect()
    }

    pub(super) fn writer(&self) -> TextValues {
        TextValues::new(self.format, self.headers())
    }

    pub(super) fn reader(&self) -> ValueReader {
        ValueReader::new(self.format, self.headers())
    }

    /// The values of a row.
    pub(super) fn values<'a>(
        &self,
        record: &RecordFields<'a>,
        own: impl IntoIterator<Item = Value<'a>>,
    ) -> Vec<Value<'a>> {
        let mut values = Vec::with_capacity(16);
        if self.file == FileColumn::Present {
            values.push(Value::Text(record.file));
        }
        values.extend([Value::Number(record.line), Value::Puzzle(record.subject)]);
        values.extend(own);
        values.extend(record.kept.iter().map(Value::Kept));
        values
    }
}

/// The fields of a record that each of its rows has.
pub(super) struct RecordFields<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    /// The line on which the record starts.
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    /// The fields that are carried over from the input.
    pub(super) kept: &'a ByteRecord,
}

/// The result for a record.
pub(super) struct RatingRow<'a> {
    pub(super) status: Status,
    pub(super) rated: Option<&'a Rated>,
    pub(super) detail: &'a str,
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
            RatingEnd::Solved | RatingEnd::Unsolved => Er::Is(self.rating.er),
        }
    }

    /// Counts the rating of a puzzle: as much of it as rows of the table show, so that a run that is resumed has the same
    /// counts.
    pub(super) fn count(
        &self,
        stats: &mut RatingStats,
        table: &Table,
        location: (&str, u64),
        puzzle: impl FnOnce() -> String,
    ) {
        let has_steps = table.rows != RateRows::Er;
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

impl<'a> RatingRow<'a> {
    /// The values of [`OF_PUZZLES`] that the table has.
    pub(super) fn values(&self, table: &Table) -> impl Iterator<Item = Value<'a>> {
        let &RatingRow { status, rated, detail } = self;
        let of = |value: fn(&'a Rated) -> Value<'a>| rated.map_or(Value::Empty, value);
        let values = [
            Value::Name(&Status::NAMES, status as usize),
            of(|rated| match rated.er() {
                Er::Is(er) => Value::Decimal(decimal(er)),
                Er::Above(bound) => Value::Above(decimal(bound)),
            }),
            of(|rated| known(rated.rating.ep)),
            of(|rated| known(rated.rating.ed)),
            of(|rated| rated.er().level().map_or(Value::Empty, |level| Value::Name(&Level::NAMES, level as usize))),
            of(|rated| rated.steps.hardest.as_ref().map_or(Value::Empty, |(.., name)| Value::Text(name))),
            of(|rated| Value::Number(rated.steps.total)),
            of(|rated| Value::Counts(&rated.steps)),
            of(|rated| rated.guesses.map_or(Value::Empty, Value::Decimal)),
            if detail.is_empty() { Value::Empty } else { Value::Text(detail) },
        ];
        let shown = OF_PUZZLES.map(|(_, about)| table.has(about));
        values.into_iter().zip(shown).filter_map(|(value, shown)| shown.then_some(value))
    }
}

fn decimal(difficulty: Difficulty) -> Decimal {
    Decimal { units: difficulty.tenths().into(), digits: 1 }
}

/// A difficulty, or nothing if it is 0.
fn known<'a>(difficulty: Difficulty) -> Value<'a> {
    if difficulty == Difficulty::default() { Value::Empty } else { Value::Decimal(decimal(difficulty)) }
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

/// A step in words: `r4c5`, `{4,7}`, `box 5`, `r4c6<>{4,7}`, `r4c5=7`.
pub(super) struct StepText {
    number: u64,
    technique: String,
    difficulty: Difficulty,
    cells: Vec<String>,
    digits: String,
    houses: Vec<String>,
    eliminations: Vec<String>,
    placements: Vec<String>,
    candidates: String,
}

impl StepText {
    /// Step `number` of a puzzle, and the candidates before it.
    pub(super) fn new(number: u64, grid: &Candidates, step: &Step) -> StepText {
        StepText {
            number,
            technique: step.technique.to_string(),
            difficulty: step.difficulty,
            cells: step.cells.into_iter().map(cell_name).collect(),
            digits: step.digits.to_string(),
            houses: step.houses.iter().map(ToString::to_string).collect(),
            eliminations: step.eliminations.iter().map(ToString::to_string).collect(),
            placements: step.placement.iter().map(ToString::to_string).collect(),
            candidates: grid.to_string(),
        }
    }

    /// The values of [`OF_STEPS`].
    pub(super) fn values(&self) -> [Value<'_>; OF_STEPS.len()] {
        [
            Value::Number(self.number),
            Value::Text(&self.technique),
            Value::Decimal(decimal(self.difficulty)),
            Value::List(&self.cells),
            Value::Text(&self.digits),
            Value::List(&self.houses),
            Value::List(&self.eliminations),
            Value::List(&self.placements),
            Value::Text(&self.candidates),
        ]
    }
}
