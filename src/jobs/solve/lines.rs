//! Reads lines of solutions back.

use super::row::SolveRow;
use crate::rows::{ReadRow, Row, RowReader, Status, number_of, parse_number};

/// The number of the columns that a line shows.
const LINE: usize = number_of(SolveRow::COLUMNS, "line");
const STATUS: usize = number_of(SolveRow::COLUMNS, "status");

/// Reads lines of solutions, and comments such as `# line 2: multiple ...`.
pub(super) struct LinesReader {
    /// The status of a puzzle whose row is a solution; `None` if that depends on the puzzle.
    pub(super) printed: Option<Status>,
}

impl RowReader for LinesReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<ReadRow<'a>> {
        let mut read = ReadRow::default();
        let text = row.strip_suffix(b"\n")?;
        let Some(comment) = text.strip_prefix(b"# line ") else {
            if text.is_empty() || !text.iter().all(u8::is_ascii_alphanumeric) {
                return None;
            }
            if let Some(status) = self.printed {
                read.set(STATUS, <&str>::from(status).as_bytes());
            }
            return Some(read);
        };

        let (line, rest) = comment.split_at(comment.iter().position(|&byte| byte == b':')?);
        let status = rest.strip_prefix(b": ")?.split(|byte| matches!(byte, b':' | b' ')).next()?;
        let is_status = Status::NAMES.iter().any(|name| name.as_bytes() == status);
        if parse_number(line).is_none() || !is_status {
            return None;
        }
        read.set(LINE, line);
        read.set(STATUS, status);
        Some(read)
    }
}
