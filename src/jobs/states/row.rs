//! The rows of `states`: their columns.

use strum::VariantNames;

use crate::format::Alphabet;
use crate::puzzle::Geometry;
use crate::rows::{Column, Kind, Row, Status, Subject, column, row};
use crate::scoring::{Assessment, digits};

/// The row of a record.
pub(crate) struct StateRow<'a> {
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    pub(super) status: Status,
    /// The symbols of the puzzle.
    pub(super) alphabet: &'a Alphabet,
    /// The cells of the state, and its properties; `None` without a state.
    pub(super) state: Option<(&'a [u8], &'a StateFacts)>,
    /// The status of its moves, if it has a column of moves, and the number of the first move that leaves no solution.
    pub(super) moves: Option<MovesStatus>,
    pub(super) first_wrong: Option<u64>,
    pub(super) detail: &'a str,
}

/// The status of a list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub(super) enum MovesStatus {
    /// There is a solution after all moves.
    Right,
    /// There is no solution after one of the moves, or before the first.
    Wrong,
    /// A move cannot be read, or it is not clear whether rows and columns count from 0.
    Unreadable,
    /// A search gave up.
    Undecided,
}

/// The properties of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct StateFacts {
    /// The number of solutions, counted up to two; `None` if unknown.
    pub(super) solutions: Option<u64>,
    pub(super) assessment: Assessment,
    /// The number of filled cells that differ from the only solution of the puzzle.
    pub(super) wrong: Option<usize>,
    /// The digits that singles force in each cell, if requested.
    pub(super) forced: Option<Vec<u32>>,
    /// The true candidates of each cell, if requested and known.
    pub(super) candidates: Option<Vec<u32>>,
}

impl Row for StateRow<'_> {
    row! {
        |self, field| {
            let facts = self.state.map(|(_, facts)| facts);
            let count = |of: fn(&Assessment) -> usize| facts.map(|facts| of(&facts.assessment) as u64);
            let candidates = facts.and_then(|facts| facts.candidates.as_deref());
        }

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.line);
        Column::PUZZLE => field.subject(self.subject);
        column!("state", Kind::Text, "the state in one line").nullable() =>
            field.symbols_if_known(self.alphabet, self.state.map(|(cells, _)| cells), b'.');
        column!("status", Kind::Name(Status::NAMES), "unique, multiple, none, undecided or malformed: of the state") =>
            field.name(Status::NAMES, self.status as usize);
        column!("solutions", Kind::Number, "its solutions: 0, 1, or 2 for more; none if that is not known")
            .nullable() => field.number_if_known(facts.and_then(|facts| facts.solutions));
        column!("blanks", Kind::Number, "the blanks of the puzzle").nullable() =>
            field.number_if_known(count(|state| state.blanks));
        column!("filled", Kind::Number, "those of them that the state fills").nullable() =>
            field.number_if_known(count(|state| state.filled));
        column!("wrong", Kind::Number, "those that it fills otherwise than the only solution of the puzzle")
            .nullable() => field.number_if_known(facts.and_then(|facts| facts.wrong).map(|wrong| wrong as u64));
        column!("conflicts", Kind::Number, "the cells of the state whose digit occurs again in a house").nullable() =>
            field.number_if_known(count(|state| state.conflicts));
        column!("changed", Kind::Number, "the clues that the state lacks or has changed").nullable() =>
            field.number_if_known(count(|state| state.changed));
        column!(
            "first_wrong",
            Kind::Number,
            "with `moves-column`, the first move, from 1, that leaves no solution; 0 if the puzzle has none; none if \
             moves_status is not wrong"
        )
        .nullable() => field.number_if_known(self.first_wrong);
        column!(
            "moves_status",
            Kind::Name(MovesStatus::VARIANTS),
            "with `moves-column`, right, wrong, unreadable or undecided: detail has the reason"
        )
        .nullable() => field.name_if_known(MovesStatus::VARIANTS, self.moves.map(|status| status as usize));
        column!("forced", Kind::Texts, "with `forced`, the blanks that naked and hidden singles fill: r1c2=3") =>
            field.texts(self.forced());
        column!("backbone", Kind::Text, "with `candidates`, the digits that all solutions share, in one line")
            .nullable() => field.symbols_if_known(self.alphabet, candidates.map(backbone).as_deref(), b'.');
        column!(
            "candidates",
            Kind::Text,
            "with `candidates`, for each cell a symbol for each digit: the digit if it occurs in a solution, or a point"
        )
        .nullable() =>
            field.symbols_if_known(self.alphabet, candidates.map(|sets| self.digits(sets)).as_deref(), b'.');
        column!("detail", Kind::Text, "the reason for the status, where there is one to give").nullable() =>
            field.text_if_any(self.detail);
    }
}

impl StateRow<'_> {
    /// `r1c2=3` for each digit that singles force.
    fn forced(&self) -> impl Iterator<Item = String> {
        let (geometry, alphabet) = (Geometry::of(self.alphabet.size()), self.alphabet);
        let forced = self.state.and_then(|(_, facts)| facts.forced.as_deref());
        forced.into_iter().flatten().enumerate().flat_map(move |(cell, &set)| {
            digits(set).map(move |digit| format!("{}={}", geometry.name(cell), char::from(alphabet.symbol(digit))))
        })
    }

    /// For each cell and each digit, the digit if it is a candidate, or 0.
    fn digits(&self, candidates: &[u32]) -> Vec<u8> {
        let side = self.alphabet.size().side();
        let mut all = vec![0; side * candidates.len()];
        for (cell, &set) in all.chunks_exact_mut(side).zip(candidates) {
            digits(set).for_each(|digit| cell[usize::from(digit) - 1] = digit);
        }
        all
    }
}

/// The digits of the cells with one candidate.
fn backbone(candidates: &[u32]) -> Vec<u8> {
    let value = |&set: &u32| if set.is_power_of_two() { set.trailing_zeros() as u8 + 1 } else { 0 };
    candidates.iter().map(value).collect()
}
