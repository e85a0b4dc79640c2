//! Events of a trace, and steps in words.

use std::fmt::{self, Write};

use serde::Serialize;
use strum::IntoStaticStr;

use crate::puzzle::{Geometry, House};
use crate::rating::words::explanation::{reason, result};
use crate::rating::words::reasoning::paragraphs;
use crate::rating::{Step, Technique};

/// A step of a trace in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TraceStep {
    /// The number, from 1.
    pub number: u32,
    /// The action: `start`, `place`, `remove`, `guess`, `fail`, `back` or `solved`.
    pub kind: &'static str,
    /// The name of the technique; empty if there is none.
    pub technique: String,
    /// The difficulty of the technique: `2.3`; empty in a search.
    pub difficulty: String,
    /// The cell that is filled, or becomes blank again: `r4c7`; empty if there is not exactly one.
    pub cell: String,
    /// The row of the cell, from 1; 0 without a cell.
    pub row: usize,
    /// The column of the cell, from 1; 0 without a cell.
    pub column: usize,
    /// The symbol of the value; empty if there is not exactly one.
    pub value: String,
    /// The result, in the notation of players: `r4c7=3`, `r4c1<>{4}, r4c2<>{4,7}`, `guess r4c7=3`.
    pub result: String,
    /// The reason, as words after `because`; empty if there is nothing to say.
    pub reason: String,
    /// The implications of a chain: a paragraph for each assumption with its consequences, and for each statement that
    /// no longer depends on an assumption; empty for other techniques.
    pub implications: Vec<String>,
}

impl TraceStep {
    /// Turns into a step of a rating.
    pub(super) fn set_rated(&mut self, number: u32, step: &Step) {
        (self.number, self.kind) = (number, EventKind::Remove.into());
        (self.row, self.column) = (0, 0);
        self.cell.clear();
        self.value.clear();
        set(&mut self.technique, step.technique);
        set(&mut self.difficulty, step.difficulty);
        set(&mut self.result, result(step));
        set(&mut self.reason, reason(step));
        self.implications = paragraphs(&step.implications);
        self.place(step);
    }

    /// Takes over the cell and the value that another step places.
    pub(super) fn place(&mut self, step: &Step) {
        let Some(placement) = step.placement else { return };
        self.kind = EventKind::Place.into();
        (self.row, self.column) = (placement.cell / 9 + 1, placement.cell % 9 + 1);
        set(&mut self.cell, format_args!("r{}c{}", self.row, self.column));
        set(&mut self.value, placement.digit + 1);
        set(&mut self.result, result(step));
    }

    /// Turns into an event of a search, with its technique and its house.
    pub(super) fn set_searched(
        &mut self,
        number: u32,
        event: &Event,
        technique: Option<Technique>,
        house: Option<House>,
        geometry: &Geometry,
        symbol: impl Fn(u8) -> char,
    ) {
        let place = event.cell.map(usize::from);
        (self.number, self.kind) = (number, event.kind.into());
        self.row = place.map_or(0, |cell| geometry.row(cell) + 1);
        self.column = place.map_or(0, |cell| geometry.column(cell) + 1);
        self.difficulty.clear();
        self.implications.clear();

        let TraceStep { technique: name, cell, value, result, reason, .. } = self;
        for text in [&mut *name, &mut *cell, &mut *value] {
            text.clear();
        }
        if let Some(technique) = technique {
            set(name, technique);
        }
        if let Some(place) = place {
            geometry.push_name(place, cell);
        }
        value.extend(event.value.map(symbol));

        match event.kind {
            EventKind::Start | EventKind::Fail | EventKind::Solved => set(result, <&str>::from(event.kind)),
            EventKind::Place => set(result, format_args!("{cell}={value}")),
            EventKind::Guess => set(result, format_args!("guess {cell}={value}")),
            EventKind::Back | EventKind::Remove => set(result, format_args!("back: {cell}<>{value}")),
        }

        match (event.kind, house) {
            (EventKind::Place, Some(house)) => set(reason, format_args!("{value} has no other place in {house}")),
            (EventKind::Place, None) => set(reason, format_args!("{cell} has no other candidate")),
            (EventKind::Guess, _) => set(reason, format_args!("no cell has fewer candidates than {cell}")),
            (EventKind::Fail, Some(house)) => set(reason, format_args!("{value} has no place in {house}")),
            (EventKind::Fail, None) => set(reason, format_args!("{cell} has no candidate")),
            (EventKind::Back | EventKind::Remove, _) => set(reason, "the guess failed"),
            (EventKind::Start | EventKind::Solved, _) => reason.clear(),
        }
    }
}

/// Replaces a text, reusing its memory.
fn set(text: &mut String, new: impl fmt::Display) {
    text.clear();
    write!(text, "{new}").expect("a string takes any text");
}

/// Steps in words. Their memory is reused: the thousands of texts of a trace would keep an allocator busy, and take a
/// hundred times as long where memory is limited.
#[derive(Debug, Default)]
pub(super) struct StepWords {
    steps: Vec<TraceStep>,
    /// The number of steps; all steps after it were removed.
    pub(super) len: usize,
}

impl StepWords {
    /// Adds a step with arbitrary content.
    pub(super) fn push(&mut self) -> &mut TraceStep {
        if self.len == self.steps.len() {
            self.steps.push(TraceStep::default());
        }
        self.len += 1;
        &mut self.steps[self.len - 1]
    }

    /// All steps.
    pub(super) fn steps(&mut self) -> &mut [TraceStep] {
        &mut self.steps[..self.len]
    }
}

/// The kind of an event.
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
    /// A contradiction.
    Fail,
    /// Everything since the last guess is undone, and the guess is no longer a candidate.
    Back,
    /// A search ends.
    Solved,
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) kind: EventKind,
    pub(super) cell: Option<u16>,
    /// The value, from 1.
    pub(super) value: Option<u8>,
    /// The index of its step in the trace.
    pub(super) step: u32,
}

impl Event {
    /// An event with a digit from a rating, which counts digits from 0.
    pub(super) fn of_digit(kind: EventKind, cell: usize, digit: usize, step: u32) -> Event {
        Event { kind, cell: Some(cell as u16), value: Some(digit as u8 + 1), step }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Size;

    #[test]
    fn steps_are_written_to_the_same_memory() {
        let event = Event { kind: EventKind::Guess, cell: Some(3), value: Some(4), step: 0 };
        let mut words = StepWords::default();
        let mut add = || {
            words.len = 0;
            let step = words.push();
            step.set_searched(1, &event, None, None, Geometry::of(Size::Nine), |value| char::from(b'0' + value));
            ([&step.cell, &step.value, &step.result, &step.reason].map(|text| text.as_ptr()), step.clone())
        };
        let (places, step) = add();
        assert_eq!((&*step.result, &*step.reason), ("guess r1c4=4", "no cell has fewer candidates than r1c4"));
        assert_eq!(add(), (places, step));
    }
}
