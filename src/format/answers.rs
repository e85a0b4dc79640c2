//! Finds answers in a sample that no header names.

use super::cells;
use super::csv_fields::CsvFields;
use super::csv_header::CsvHeader;
use super::jsonl::JsonlParser;
use super::{Alphabets, Order, Parser, Puzzles, lines};

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

/// How many keys are looked at for answers. A line of 1 MiB may have 100,000 keys, and all records are read for each.
const MAX_KEYS: usize = 32;

/// The first key of JSON lines, apart from that of the puzzles, whose value is a full grid in most records.
pub(super) fn key_like_answers(
    keys: &[String],
    puzzle: usize,
    alphabets: Alphabets,
    records: &[&[u8]],
) -> Option<usize> {
    let is_full_grid_of = |key: &str| {
        let (mut parser, mut puzzles) = (JsonlParser::new(alphabets, key), Puzzles::new());
        move |record: &&&[u8]| {
            puzzles.clear();
            parser.parse(record, &mut puzzles).is_ok_and(|grid| usize::from(grid.clues) == grid.order.cells())
        }
    };
    let has_answers = |key: &str| 2 * records.iter().filter(is_full_grid_of(key)).count() > records.len();
    (0..keys.len().min(MAX_KEYS)).find(|&key| key != puzzle && has_answers(&keys[key]))
}
