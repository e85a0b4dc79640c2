//! Collects the disagreements of a run: the first ones, and a table of all of them.

use super::{Disagreement, Place, PuzzleKind};
use crate::output::{OutputError, ReservedFile};
use crate::rows::{Column, Kind, Row, Table, column, row};
use crate::run::table_file::TableFile;

/// The row of a disagreement.
struct DisagreementRow<'a>(&'a Disagreement);

impl Row for DisagreementRow<'_> {
    row! {
        |self, field| {
            // The place is of one kind. A table has the columns of its kind only.
            let Disagreement { place, puzzle, reference, solver, reason, reduced } = self.0;
            let (file, line) = match place {
                Place::Line { file, line } => (&**file, Some(*line)),
                Place::Made { .. } => ("", None),
            };
            let (seed, number, kind) = match *place {
                Place::Made { seed, number, kind } => (Some(seed), Some(number), Some(kind as usize)),
                Place::Line { .. } => (None, None, None),
            };
        }

        Column::FILE => field.text_if_any(file);
        Column::LINE => field.number_if_known(line);
        column!("seed", Kind::Number, "the seed that the puzzle was made from") => field.number_if_known(seed);
        column!("number", Kind::Number, "the number of the puzzle, from 1") => field.number_if_known(number);
        column!("kind", Kind::Name(PuzzleKind::NAMES), "the kind of the puzzle") =>
            field.name_if_known(PuzzleKind::NAMES, kind);
        column!("puzzle", Kind::Text, "the puzzle in one line") => field.text(puzzle);
        column!("solver", Kind::Text, "the solver that does not agree") => field.text(&solver.name);
        column!("solutions", Kind::Number, "the number of solutions that it gave, if any").nullable() =>
            field.number_if_known(solver.solutions);
        column!("solution", Kind::Text, "the solution that it gave, if any").nullable() =>
            field.text_if_any(solver.solution.as_deref().unwrap_or_default());
        column!("reference", Kind::Text, "the solver that it was compared with") => field.text(&reference.name);
        column!("expected_solutions", Kind::Number, "the number of solutions that the reference gave, if any")
            .nullable() => field.number_if_known(reference.solutions);
        column!("expected_solution", Kind::Text, "the solution that the reference gave, if any").nullable() =>
            field.text_if_any(reference.solution.as_deref().unwrap_or_default());
        column!("reason", Kind::Text, "how the answers differ, or why the solver gave none") =>
            field.text(&reason.to_string());
        column!("reduced", Kind::Text, "the puzzle with as few clues as it takes, of the first disagreements")
            .nullable() => field.text_if_any(reduced.as_deref().unwrap_or_default());
    }
}

/// The disagreements of a run: the first ones, and a table of all of them if one is wanted.
pub(super) struct Disagreements {
    first: Vec<Disagreement>,
    total: usize,
    table: Option<TableFile>,
}

/// The maximum number of disagreements that are listed.
const LISTED: usize = 5;

/// The columns that only one of the two kinds of places has.
const OF_LINES: [&str; 2] = ["file", "line"];
const OF_MADE: [&str; 4] = ["seed", "number", "kind", "reduced"];

impl Disagreements {
    /// For puzzles of files.
    pub(super) fn of_files(table: Option<ReservedFile>) -> Disagreements {
        Disagreements::new(table, &OF_MADE)
    }

    /// For puzzles that are made.
    pub(super) fn of_made(table: Option<ReservedFile>) -> Disagreements {
        Disagreements::new(table, &OF_LINES)
    }

    fn new(table: Option<ReservedFile>, without: &[&str]) -> Disagreements {
        let is_default = |column: &Column| !without.contains(&column.name);
        let columns = Table::new(DisagreementRow::COLUMNS, None, is_default, &[]).expect("no column is chosen");
        let table = table.map(|file| TableFile::new(file, columns));
        Disagreements { first: vec![], total: 0, table }
    }

    /// The number of disagreements.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Whether the next one will be among the first ones, after this number that are added later.
    pub(super) fn lists_after(&self, later: usize) -> bool {
        self.first.len() + later < LISTED
    }

    /// Adds one.
    pub(super) fn add(&mut self, disagreement: Disagreement) -> Result<(), OutputError> {
        self.total += 1;
        if let Some(table) = &mut self.table {
            table.row(&DisagreementRow(&disagreement))?;
        }
        if self.lists_after(0) {
            self.first.push(disagreement);
        }
        Ok(())
    }

    /// Completes the table; returns the first disagreements, and how many there are. After an error, there is a table only
    /// if it has rows: an empty one would say that all agree.
    pub(super) fn finish_after(self, is_ok: bool) -> Result<(Vec<Disagreement>, usize), OutputError> {
        let Disagreements { first, total, table } = self;
        table.filter(|_| is_ok || total > 0).map_or(Ok(()), TableFile::finish)?;
        Ok((first, total))
    }
}
