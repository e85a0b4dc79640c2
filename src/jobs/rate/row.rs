//! The row of a record of `rate`, and of a step.
//!
//! ```text
//! [file,]line,puzzle,status,er,ep,ed,level,hardest,steps,techniques,guesses,detail,kept ...
//! ```

use crate::rating::{Candidates, Difficulty, Rated, Step, cell_name};
use crate::rows::{Column, Decimal, Field, Kind, Row, Status, Subject, column};
use crate::run::rated::decimal;
use crate::stats::{PuzzleRating, RatingStats};

/// The result for a record.
pub(crate) struct RateRow<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    pub(super) status: Status,
    /// `None` if the puzzle is not rated.
    pub(super) rated: Option<&'a RatedRecord>,
    pub(super) detail: &'a str,
}

/// The columns with properties of steps.
pub(super) const OF_STEPS: [&str; 5] = ["ep", "ed", "hardest", "steps", "techniques"];

impl Row for RateRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        Column::PUZZLE,
        column!("status", Kind::Name(Status::NAMES), "unique, multiple, none, undecided or malformed"),
        Rated::COLUMNS[0],
        Rated::COLUMNS[1],
        Rated::COLUMNS[2],
        Rated::COLUMNS[3],
        Rated::COLUMNS[4],
        Rated::COLUMNS[5],
        Rated::COLUMNS[6],
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
            (3, _) => field.name(Status::NAMES, self.status as usize),
            (12, _) => field.text_if_any(self.detail),
            (_, None) => field.null(),
            (4..=10, Some(rated)) => rated.rated.field(column - 4, field),
            (_, Some(rated)) => field.decimal_if_known(rated.guesses),
        }
    }
}

/// The rating of a record, and its cost.
#[derive(Clone, Debug)]
pub(super) struct RatedRecord {
    pub(super) rated: Rated,
    /// The mean number of guesses over its isomorphs.
    pub(super) guesses: Option<Decimal>,
    /// The time for the rating, in nanoseconds.
    pub(super) nanos: u64,
}

impl RatedRecord {
    /// Counts the rating of a puzzle. Leaves out its steps if rows do not show them, so that a resumed run has the same
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
        let Rated { rating, steps } = &self.rated;
        let puzzle_rating = PuzzleRating {
            er: self.rated.er(),
            ep: known(rating.ep),
            ed: known(rating.ed),
            hardest: steps.hardest().filter(|_| has_steps),
        };
        stats.add(puzzle_rating, steps.techniques().filter(|_| has_steps), location, puzzle);
    }
}

/// One step of the solution of a puzzle:
///
/// ```text
/// [file,]line,puzzle,step,technique,difficulty,cells,digits,houses,eliminations,placements,candidates,implications,
/// kept ...
/// ```
pub(crate) struct StepRow<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    /// The number of the step, from 1.
    pub(super) number: u64,
    /// The candidates before the step.
    pub(super) candidates: &'a Candidates,
    pub(super) step: &'a Step,
}

impl Row for StepRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        Column::PUZZLE,
        column!("step", Kind::Number, "the number of the step, from 1"),
        column!("technique", Kind::Text, "its technique"),
        column!("difficulty", Kind::Decimal, "its difficulty"),
        column!("cells", Kind::Texts, "the cells of its pattern, such as r4c5"),
        column!("digits", Kind::Text, "the digits of its pattern, such as {4,7}"),
        column!("houses", Kind::Texts, "the houses of its pattern, such as box 5"),
        column!("eliminations", Kind::Texts, "the candidates that it removes, such as r4c6<>{4,7}"),
        column!("placements", Kind::Texts, "the digits that it places, such as r4c5=7"),
        column!("candidates", Kind::Text, "all candidates before the step: 729 symbols"),
        column!("implications", Kind::Texts, "what follows in a chain, and from what: r4c5=7, r4c6<>7:0"),
    ];

    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        let step = self.step;
        match column {
            0 => field.text(self.file),
            1 => field.number(self.line),
            2 => field.subject(self.subject),
            3 => field.number(self.number),
            4 => field.text(step.technique.name()),
            5 => field.decimal(decimal(step.difficulty)),
            6 => field.texts(step.cells.into_iter().map(cell_name)),
            7 => field.text(&step.digits.to_string()),
            8 => field.texts(step.houses.iter().map(ToString::to_string)),
            9 => field.texts(step.eliminations.iter().map(ToString::to_string)),
            10 => field.texts(step.placement.iter().map(ToString::to_string)),
            11 => field.text(&self.candidates.to_string()),
            _ => field.texts(step.implications.iter().map(ToString::to_string)),
        }
    }
}
