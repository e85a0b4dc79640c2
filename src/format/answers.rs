//! Finds answers in a sample that no header names.

use super::cells;
use super::csv_fields::CsvFields;
use super::csv_header::CsvHeader;
use super::{Order, lines};

/// Whether most lines of a sample have an answer after their puzzle.
pub(super) fn lines_have_answers(records: &[&[u8]]) -> bool {
    let with_answer = records.iter().filter(|record| lines::answer_in(record).is_some()).count();
    2 * with_answer > records.len()
}

/// The first column of a table, apart from that of the puzzles, in which most records have a full grid.
pub(super) fn column_like_answers(header: &CsvHeader, puzzle: usize, records: &[&[u8]]) -> Option<usize> {
    let mut fields = CsvFields::new(header.delimiter);
    let mut full_grids = vec![0; header.names.len()];
    for record in records {
        let fields = fields.split(record);
        for (count, field) in full_grids.iter_mut().zip(fields.iter()) {
            let field = field.trim_ascii();
            *count += usize::from(Order::from_cells(field.len()).is_some_and(|order| cells::is_full(order, field)));
        }
    }
    (0..full_grids.len()).find(|&column| column != puzzle && 2 * full_grids[column] > records.len())
}
