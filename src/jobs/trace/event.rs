//! An event of a trace: a placement, a removal, a guess.

use strum::IntoStaticStr;

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
