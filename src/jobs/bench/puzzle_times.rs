//! Writes a table of the times of single puzzles: a row for each puzzle and solver.

use super::{PuzzleResult, PuzzleSet, Timed};
use crate::format::Alphabet;
use crate::jobs::table_file::TableFile;
use crate::resume::{OutputError, ReservedFile};
use crate::rows::{Column, Field, Kind, Row, Table, column};

/// Writes what each solver took for each puzzle. `timed` has the times of all solvers on the first set, then on the
/// next one, as [`Bench::time`](super::Bench::time) returns them.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write_puzzle_times(file: ReservedFile, sets: &[PuzzleSet], timed: &[Timed]) -> Result<(), OutputError> {
    let columns = Table::new(TimeRow::COLUMNS, None, |_| true, &[]).expect("no column is chosen");
    let mut table = TableFile::new(file, columns);
    for (set, solvers) in sets.iter().zip(timed.chunks(timed.len() / sets.len().max(1))) {
        for (index, (size, line, puzzle)) in set.puzzles().enumerate() {
            for timed in solvers {
                let result = timed.measurement.each_puzzle[index];
                table.row(&TimeRow { line, puzzle, alphabet: set.alphabet(size), timed, result })?;
            }
        }
    }
    table.finish()
}

/// The row of a puzzle and a solver.
struct TimeRow<'a> {
    line: u64,
    puzzle: &'a [u8],
    alphabet: Alphabet,
    timed: &'a Timed,
    result: PuzzleResult,
}

impl Row for TimeRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        column!("puzzle", Kind::Text, "the puzzle in one line, as it was solved"),
        column!("solver", Kind::Text, "the solver"),
        column!("threads", Kind::Number, "the number of its threads; none for a program").nullable(),
        column!("nanos", Kind::Number, "the time of the puzzle on one thread, in nanoseconds; none for a program")
            .nullable(),
        column!("branches", Kind::Number, "the number of guesses, if the solver reports them").nullable(),
        column!("solutions", Kind::Number, "the number of solutions that the solver gave, if any").nullable(),
    ];

    #[expect(clippy::inline_always, reason = "as for all rows")]
    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        let TimeRow { timed, result: PuzzleResult { solutions, cost }, .. } = *self;
        match column {
            0 => field.text(&timed.set),
            1 => field.number(self.line),
            2 => field.symbols(&self.alphabet, self.puzzle, b'.'),
            3 => field.text(&timed.contender),
            4 => field.number_if_known(timed.threads.map(|threads| threads as u64)),
            5 => field.number_if_known(cost.map(|cost| cost.nanos)),
            6 => field.number_if_known(cost.and_then(|cost| cost.branches)),
            _ => field.number_if_known(solutions),
        }
    }
}
