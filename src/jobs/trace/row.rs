//! The row of a record of `trace`, and the technique IDs in arrays.
//!
//! ```text
//! [file,]line,puzzle,status,solution,kinds,cells,values,techniques,houses,steps,implications,[er,level,]detail,kept ...
//! ```

use std::borrow::Cow;

use super::TraceStyle;
use super::events::Events;
use crate::puzzle::Size;
use crate::rating::{Difficulty, Level, Technique};
use crate::rows::{Column, Kind, Row, Status, Subject, column, row};
use crate::stats::{Er, decimal, push_level};

/// The result for a record.
#[derive(Debug)]
pub(crate) struct TraceRow<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    pub(super) status: Status,
    /// The cell values of the only solution; empty if there is no trace.
    pub(super) solution: &'a [u8],
    /// Empty if there is no trace.
    pub(super) events: &'a Events,
    /// `None` if the puzzle is not rated.
    pub(super) er: Option<Difficulty>,
    pub(super) detail: &'a str,
    /// The trace in words, if that is the format.
    pub(super) text: &'a str,
}

/// The length of a row of an array: the number of clues, and four numbers for each cell.
pub(super) const ARRAY_WIDTH: usize = 1 + 4 * Size::Nine.cells();

/// The column of the implications of chains.
pub(super) const IMPLICATIONS: &str = "implications";

/// Whether the default table of a style lacks a column.
pub(super) fn is_left_out(column: &str, style: TraceStyle) -> bool {
    match style {
        _ if ["er", "level"].contains(&column) => true,
        TraceStyle::Technique => false,
        TraceStyle::Search => ["steps", IMPLICATIONS].contains(&column),
        TraceStyle::Order => ["kinds", "houses", "steps", IMPLICATIONS].contains(&column),
    }
}

impl Row for TraceRow<'_> {
    row! {
        |self, field| { let events = self.events.all.iter(); }

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.line);
        Column::PUZZLE => field.subject(self.subject);
        column!("status", Kind::Name(Status::NAMES), "unique, multiple, none, undecided or malformed") =>
            field.name(Status::NAMES, self.status as usize);
        column!("solution", Kind::Text, "the solution in one line, if there is exactly one").nullable() =>
            match self.subject.grids(self.solution).next() {
                Some(grid) => field.symbols(grid.alphabet, grid.cells, b'0'),
                None => field.null(),
            };
        column!("kinds", Kind::Texts, "what each event is: start, place, remove, guess, fail, back or solved") =>
            field.texts(events.map(|event| <&str>::from(event.kind)));
        column!("cells", Kind::Numbers, "the cell of each event, row by row from 0, if it has one") =>
            field.numbers(events.map(|event| event.cell.map(u64::from)));
        column!("values", Kind::Numbers, "the value of each event, from 1, if it has one") =>
            field.numbers(events.map(|event| event.value.map(u64::from)));
        column!("techniques", Kind::Texts, "the technique of each event; empty if it has none") =>
            field.texts(events.map(|event| self.events.technique(event).map_or("", Technique::name)));
        column!("houses", Kind::Texts, "the houses of the pattern of each event, with commas; empty if it has none") =>
            field.texts(events.map(|event| match self.events.houses(event) {
                [house] => Cow::Borrowed(house.name()),
                houses => Cow::Owned(houses.iter().map(|house| house.name()).collect::<Vec<_>>().join(", ")),
            }));
        column!("steps", Kind::Numbers, "the number of the step of each event, from 1") =>
            field.numbers(events.map(|event| Some(self.events.step_number(event).into())));
        column!("implications", Kind::Texts, "the implications of a chain, of its first event; empty for other events")
            => field.texts((0..events.len()).map(|index| self.events.implications(index)));
        column!("er", Kind::Decimal, "the difficulty of the hardest step, if it is rated; not in a search")
            .nullable() => field.decimal_if_known(self.er.map(decimal));
        column!("level", Kind::Name(Level::NAMES), "the level of this difficulty").nullable() =>
            push_level(self.er.map(Er::Is), field);
        column!("detail", Kind::Text, "the reason why there is no trace").nullable() => field.text_if_any(self.detail);
    }

    fn words(&self) -> &str {
        self.text
    }

    /// Appends the clues, then the placements: the number of clues, and row, column, value and strategy of each cell. They
    /// are zeros if there is no trace.
    fn push_numbers(&self, output: &mut Vec<u8>) {
        let mut numbers = [0_u8; ARRAY_WIDTH];
        if let ([clues, rest @ ..], false) = (&mut numbers, self.events.all.is_empty()) {
            let cells = if let Subject::Puzzle { cells, .. } = self.subject { cells } else { &[] };
            let given = cells.iter().enumerate().filter(|(_, value)| **value > 0);
            let given = given.map(|(cell, &value)| (cell as u8, value, GIVEN));
            *clues = given.clone().count() as u8;
            let placed = self.events.all.iter().filter_map(|event| {
                Some((event.cell? as u8, event.value?, self.events.technique(event).map(strategy)?))
            });
            for (four, (cell, value, strategy)) in rest.as_chunks_mut().0.iter_mut().zip(given.chain(placed)) {
                *four = [cell / 9, cell % 9, value, strategy];
            }
        }
        output.extend(numbers.iter().flat_map(|number| i16::from(*number).to_le_bytes()));
    }
}

/// The ID of a given cell.
const GIVEN: u8 = 0;

/// The ID of a technique's strategy.
///
/// IDs up to 8 follow the data set of "Causal language modeling can elicit search and reasoning capabilities on logic
/// puzzles", which does not use 1.
fn strategy(technique: Technique) -> u8 {
    match technique {
        Technique::NakedSingle => 2,
        Technique::HiddenSingle => 3,
        Technique::NakedPair => 4,
        Technique::NakedTriplet => 5,
        Technique::Pointing | Technique::Claiming | Technique::DirectPointing | Technique::DirectClaiming => 6,
        Technique::XyWing => 7,
        Technique::UniqueLoop { cells: 4, .. } => 8,
        Technique::HiddenPair | Technique::DirectHiddenPair => 9,
        Technique::HiddenTriplet | Technique::DirectHiddenTriplet => 10,
        Technique::XWing => 11,
        Technique::Swordfish => 12,
        Technique::XyzWing => 13,
        Technique::UniqueLoop { .. } => 14,
        Technique::NakedQuad => 15,
        Technique::Jellyfish => 16,
        Technique::HiddenQuad => 17,
        Technique::Bug(_) => 18,
        Technique::AlignedPairExclusion => 19,
        Technique::GeneralizedXWing | Technique::XCycle => 20,
        Technique::YCycle => 21,
        Technique::TurbotFish => 22,
        Technique::XChain => 23,
        Technique::Cycle => 24,
        Technique::ForcingChain => 25,
        Technique::AlignedTripletExclusion => 26,
        Technique::Nishio => 27,
        Technique::CellForcingChains => 28,
        Technique::RegionForcingChains => 29,
        Technique::DynamicCellForcingChains(_) => 30,
        Technique::DynamicRegionForcingChains(_) => 31,
        Technique::DynamicContradictionForcingChains(_) => 32,
        Technique::DynamicDoubleForcingChains(_) => 33,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Write;

    use super::*;

    #[test]
    fn the_page_has_the_table() {
        let mut names: BTreeMap<u8, Vec<&str>> = [(GIVEN, vec!["given"]), (1, vec!["not used"])].into();
        for technique in Technique::all() {
            let names = names.entry(strategy(technique)).or_default();
            if !names.contains(&technique.family()) {
                names.push(technique.family());
            }
        }
        let mut table = String::from("| id | techniques |\n|---:|---|\n");
        for (id, names) in names {
            writeln!(table, "| {id} | {} |", names.join(", ")).unwrap();
        }
        let page = include_str!("../../../docs/trace.md");
        assert!(page.contains(&table), "docs/trace.md has another table than this one:\n{table}");
    }
}
