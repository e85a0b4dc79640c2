//! Writes copies as rows: their columns, and rows of text.

use super::worker::{Answers, CopySink, Original};
use crate::corpus::ChunkInput;
use crate::pipeline::Chunk;
use crate::puzzle::{Isomorph, Order};
use crate::rows::{FileColumn, Subject, TextValues, Value};

/// The name of the column with the origin of a copy.
pub(super) const ORIGIN: &str = "origin";

/// The columns of the rows: `puzzle`, `solution`, `origin`, and those that are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct CopyColumns {
    /// Whether there is a column for answers.
    pub(super) has_answers: bool,
    /// If there is a column for the origin, whether it names the input.
    pub(super) origin: Option<FileColumn>,
}

impl CopyColumns {
    /// The names of the columns but those that are kept.
    pub(super) fn own(self) -> Vec<&'static str> {
        let answers = self.has_answers.then_some("solution");
        ["puzzle"].into_iter().chain(answers).chain(self.origin.map(|_| ORIGIN)).collect()
    }

    /// Where answers come from.
    pub(super) fn answers(self) -> Answers {
        if self.has_answers { Answers::Given } else { Answers::Absent }
    }

    /// Calls `each` with the values of each row of a puzzle.
    pub(super) fn rows(self, original: &Original<'_>, isomorphs: &[Isomorph], mut each: impl FnMut(&[Value<'_>])) {
        let &Original { file, line, order, alphabet, blank, kept, .. } = original;
        let origin = match self.origin {
            Some(FileColumn::Present) => format!("{file}:{line}"),
            Some(FileColumn::Absent) | None => String::new(),
        };
        let (mut puzzle, mut answer) = ([0; Order::MAX_CELLS], [0; Order::MAX_CELLS]);
        let (puzzle, answer) = (&mut puzzle[..order.cells()], &mut answer[..order.cells()]);
        for isomorph in isomorphs {
            let mut values = Vec::with_capacity(3 + kept.len());
            isomorph.apply_into(original.puzzle, puzzle);
            values.push(Value::Puzzle(Subject::Puzzle { cells: puzzle, alphabet, blank }));
            if let (true, Some(given)) = (self.has_answers, original.answer) {
                isomorph.apply_into(given, answer);
                values.push(Value::Puzzle(Subject::Puzzle { cells: answer, alphabet, blank }));
            }
            values.extend(self.origin.map(|file| match file {
                FileColumn::Present => Value::Text(&origin),
                FileColumn::Absent => Value::Number(line),
            }));
            values.extend(kept.iter().map(Value::Kept));
            each(&values);
        }
    }
}

/// Rows of text go to the output of their chunk.
pub(super) struct TextCopies {
    pub(super) columns: CopyColumns,
    pub(super) text: TextValues,
}

impl CopySink for TextCopies {
    type Note = ();

    fn start(&mut self, _chunk: &Chunk<ChunkInput>) -> bool {
        true
    }

    fn take(&mut self, original: &Original<'_>, isomorphs: &[Isomorph], output: &mut Vec<u8>, _notes: &mut Vec<()>) {
        self.columns.rows(original, isomorphs, |values| self.text.row(values, output));
    }

    fn end(&mut self, _notes: &mut Vec<()>) {}
}
