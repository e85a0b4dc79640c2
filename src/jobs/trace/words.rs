//! Events of a trace, and a trace in words, for texts.

use std::error::Error;
use std::fmt::{self, Write};
use std::sync::Arc;

use serde::Serialize;
use strum::IntoStaticStr;

use crate::puzzle::{Geometry, House};
use crate::rating::{Step, Technique, paragraphs, reason, result};

/// A record with its trace in words: what a text is made of.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TracedPuzzle<'a> {
    /// The name of the input.
    pub file: &'a str,
    /// The line on which the record starts, from 1.
    pub line: u64,
    /// The puzzle in one line, or the text of a malformed record.
    pub puzzle: String,
    /// The status: `unique`, `multiple`, `none`, `undecided` or `malformed`.
    pub status: &'static str,
    /// The solution in one line; empty if there is not exactly one.
    pub solution: String,
    /// Why there is no trace; empty if there is nothing to say.
    pub detail: &'a str,
    /// The steps; none if there is no trace.
    pub steps: &'a [TraceStep],
}

/// A step of a trace in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TraceStep {
    /// Its number, from 1.
    pub number: u32,
    /// What is done: `start`, `place`, `remove`, `guess`, `fail`, `back` or `solved`.
    pub kind: &'static str,
    /// The name of the technique; empty without one.
    pub technique: String,
    /// The difficulty of the technique: `2.3`; empty in a search.
    pub difficulty: String,
    /// The cell that is filled or blank again: `r4c7`; empty without one, or with several.
    pub cell: String,
    /// The row of the cell, from 1; 0 without one.
    pub row: usize,
    /// The column of the cell, from 1; 0 without one.
    pub column: usize,
    /// The symbol of the value; empty without one, or with several.
    pub value: String,
    /// What is done, in the notation of players: `r4c7=3`, `r4c1<>{4}, r4c2<>{4,7}`, `guess r4c7=3`.
    pub result: String,
    /// Why, after `because`; empty if there is nothing to say.
    pub reason: String,
    /// What follows in a chain: a paragraph for each assumption with what follows from it, and for each statement that is
    /// then free of assumptions; none of other techniques.
    pub implications: Vec<String>,
}

impl TraceStep {
    /// A step of a rating.
    pub(super) fn of_rating(number: u32, step: &Step) -> TraceStep {
        let mut words = TraceStep {
            number,
            kind: EventKind::Remove.into(),
            technique: step.technique.to_string(),
            difficulty: step.difficulty.to_string(),
            cell: String::new(),
            row: 0,
            column: 0,
            value: String::new(),
            result: result(step),
            reason: reason(step),
            implications: paragraphs(&step.implications),
        };
        words.place(step);
        words
    }

    /// Gives the step the cell and the value that another step places.
    pub(super) fn place(&mut self, step: &Step) {
        let Some(placement) = step.placement else { return };
        self.kind = EventKind::Place.into();
        (self.row, self.column) = (placement.cell / 9 + 1, placement.cell % 9 + 1);
        self.cell = format!("r{}c{}", self.row, self.column);
        self.value = (placement.digit + 1).to_string();
        self.result = result(step);
    }

    /// An event of a search, with its technique and its house.
    pub(super) fn of_search(
        number: u32,
        event: &Event,
        technique: Option<Technique>,
        house: Option<House>,
        geometry: &Geometry,
        symbol: impl Fn(u8) -> char,
    ) -> TraceStep {
        let place = event.cell.map(usize::from);
        let cell = place.map(|cell| geometry.name(cell)).unwrap_or_default();
        let value = event.value.map(|value| symbol(value).to_string()).unwrap_or_default();
        let result = match event.kind {
            EventKind::Start | EventKind::Fail | EventKind::Solved => <&str>::from(event.kind).to_owned(),
            EventKind::Place => format!("{cell}={value}"),
            EventKind::Guess => format!("guess {cell}={value}"),
            EventKind::Back | EventKind::Remove => format!("back: {cell}<>{value}"),
        };
        let reason = match (event.kind, house) {
            (EventKind::Place, Some(house)) => format!("{value} has no other place in {house}"),
            (EventKind::Place, None) => format!("{cell} has no other candidate"),
            (EventKind::Guess, _) => format!("no cell has fewer candidates than {cell}"),
            (EventKind::Fail, Some(house)) => format!("{value} has no place in {house}"),
            (EventKind::Fail, None) => format!("{cell} has no candidate"),
            (EventKind::Back | EventKind::Remove, _) => "the guess failed".to_owned(),
            (EventKind::Start | EventKind::Solved, _) => String::new(),
        };
        TraceStep {
            number,
            kind: event.kind.into(),
            technique: technique.map(|technique| technique.to_string()).unwrap_or_default(),
            difficulty: String::new(),
            cell,
            row: place.map_or(0, |cell| geometry.row(cell) + 1),
            column: place.map_or(0, |cell| geometry.column(cell) + 1),
            value,
            result,
            reason,
            implications: vec![],
        }
    }
}

/// Why a trace has no text.
pub type TextError = Box<dyn Error + Send + Sync>;

/// A function that makes the text of a record.
type WriteText = dyn Fn(&TracedPuzzle<'_>) -> Result<String, TextError> + Send + Sync;

/// Makes the text of a record.
#[derive(Clone)]
pub(super) struct Text(Arc<WriteText>);

impl Text {
    pub(super) fn new(write: impl Fn(&TracedPuzzle<'_>) -> Result<String, TextError> + Send + Sync + 'static) -> Text {
        Text(Arc::new(write))
    }

    pub(super) fn write(&self, puzzle: &TracedPuzzle<'_>) -> Result<String, TextError> {
        (self.0)(puzzle)
    }
}

/// The puzzle, a sentence for each step, and an empty line.
impl Default for Text {
    fn default() -> Text {
        Text::new(|puzzle| {
            let mut text = format!("{}\n", puzzle.puzzle);
            for TraceStep { result, reason, .. } in puzzle.steps {
                let because = if reason.is_empty() { "" } else { " because " };
                writeln!(text, "{result}{because}{reason}")?;
            }
            if puzzle.steps.is_empty() {
                let colon = if puzzle.detail.is_empty() { "" } else { ": " };
                writeln!(text, "no steps: {}{colon}{}", puzzle.status, puzzle.detail)?;
            }
            text.push('\n');
            Ok(text)
        })
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Text")
    }
}

/// What happens in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum EventKind {
    /// A search begins.
    Start,
    /// A cell gets its value.
    Place,
    /// A candidate is removed.
    Remove,
    /// A cell gets a value that may be wrong.
    Guess,
    /// There is no way on.
    Fail,
    /// All since the last guess is undone, and the guess is no candidate any more.
    Back,
    /// A search ends.
    Solved,
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) kind: EventKind,
    pub(super) cell: Option<u16>,
    /// From 1.
    pub(super) value: Option<u8>,
    /// The index of its step among those of the trace.
    pub(super) step: u32,
}

impl Event {
    /// An event with a digit of the rating, which is counted from 0.
    pub(super) fn of_digit(kind: EventKind, cell: usize, digit: usize, step: u32) -> Event {
        Event { kind, cell: Some(cell as u16), value: Some(digit as u8 + 1), step }
    }
}
