//! Examines the lines after a line of grids: to distinguish titles and prose from damaged rows, and to detect extra
//! rows.
//!
//! `Level: hard` is a title, and `53..7...` is a row that has lost a cell. If a damaged row were read as a title, this
//! grid would take the first row of the next one, and a wrong puzzle would be read. So the look of a line decides, and
//! then the number of rows between it and the next line that is not a row:
//!
//! ```text
//! Level: hard                     hello                            2006-08-03
//! 53..7....   9 rows: the line    6..195...   8 rows: the line     53..7....   9 rows: the line, which looks
//! 6..195...   is a title          ...         is a damaged row     ...         like a row, is a title
//! ```

use memchr::memchr;

use super::scanner::GridScanner;
use crate::format::Size;
use crate::format::formats::grid_line::{SadManSection, ScannedLine, is_number_or_date, looks_like_row, size_of_row};
use crate::format::splitter::TextEnd;

/// The kind of the lines before the rows of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstLines {
    /// The first line is a row of the grid, perhaps a damaged one.
    Row,
    /// The number of bytes of lines that belong to no grid.
    Titles(usize),
}

/// Classifies the first lines of `text`, before any row of a grid. `None` if more text is needed.
///
/// If the rows after titles continue beyond the window, the result is [`FirstLines::Row`] `after_rows`, that is,
/// directly after another grid, and [`FirstLines::Titles`] elsewhere.
pub(super) fn first_lines(text: &[u8], end: TextEnd, after_rows: bool) -> Option<FirstLines> {
    let lines = &mut TextLines { text, end };
    let first = lines.next().ok()??;
    let size = size_of_row(first);
    // The usual case, which must be fast.
    let next_has_same_length = lines.text.get(first.len()).is_some_and(|byte| matches!(byte, b'\n' | b'\r'));
    if size.is_some() && next_has_same_length {
        return Some(FirstLines::Row);
    }
    let length = text.len() - lines.text.len();
    let decided = match size {
        None if !looks_like_row(first) => kind_of_titles(text, end, after_rows),
        _ if is_number_or_date(first) => kind_of_number(size, lines)
            .map(|is_title| if is_title { FirstLines::Titles(length) } else { FirstLines::Row }),
        _ => Ok(FirstLines::Row),
    };
    match decided {
        Ok(kind) => Some(kind),
        Err(TextEnd::More) => None,
        Err(TextEnd::Input | TextEnd::Window) => Some(FirstLines::Row),
    }
}

/// Classifies a run of lines at the start of `text` that do not look like rows. Each run is examined only once, so
/// prose takes linear time.
fn kind_of_titles(text: &[u8], end: TextEnd, after_rows: bool) -> Result<FirstLines, TextEnd> {
    let lines = &mut TextLines { text, end };
    let (mut run, mut length) = (0, 0);
    // The last lines of equal width: the width, their number, and their start.
    let mut alike = (0, 0, 0);
    let titles = |length| Ok(FirstLines::Titles(length));
    loop {
        let mut rest = lines.clone();
        let line = match lines.next() {
            Ok(Some(line)) => line,
            // Return the lines that are certain.
            Err(TextEnd::Window) if length > 0 => return titles(length),
            Ok(None) | Err(TextEnd::Input) => return titles(length),
            Err(end) => return Err(end),
        };

        match ScannedLine::scan(line) {
            ScannedLine::Cells { count, .. } => match size_of_row(line) {
                Some(size) => {
                    let side = size.side();
                    let rows = match count_rows(size, &mut rest) {
                        Err(TextEnd::Window) if after_rows => return Ok(FirstLines::Row),
                        Err(TextEnd::Window) => return titles(length),
                        rows => rows?,
                    };
                    // The damaged lines before complete the grid, so they are rows.
                    let completes = !rows.is_multiple_of(side) && (rows + run).is_multiple_of(side);
                    return if completes { Ok(FirstLines::Row) } else { titles(length) };
                }
                None if looks_like_row(line) => return titles(length),
                None => {
                    run += 1;
                    alike = if alike.0 == count { (count, alike.1 + 1, alike.2) } else { (count, 1, length) };
                    // There are as many lines as symbols in each: whatever they contain, they are meant as a grid.
                    if alike.1 == count && Size::from_side(count).is_some() {
                        return if alike.2 == 0 { Ok(FirstLines::Row) } else { titles(alike.2) };
                    }
                }
            },
            ScannedLine::Blank | ScannedLine::Title => return titles(length),
            ScannedLine::Ignored | ScannedLine::Rule { .. } => {}
        }
        length = text.len() - lines.text.len();
    }
}

/// Whether a number or a date that could be a row of size `size` is a title: complete grids of a different width follow
/// directly.
fn kind_of_number(size: Option<Size>, lines: &mut TextLines<'_>) -> Result<bool, TextEnd> {
    loop {
        let mut rest = lines.clone();
        let Some(line) = lines.next()? else { return Ok(false) };
        match (ScannedLine::scan(line), size_of_row(line)) {
            (ScannedLine::Cells { .. }, Some(next)) if Some(next) != size => {
                return Ok(count_rows(next, &mut rest)?.is_multiple_of(next.side()));
            }
            (ScannedLine::Cells { .. }, None) if !looks_like_row(line) => {}
            (ScannedLine::Ignored, _) => {}
            (ScannedLine::Title, _) if SadManSection::of_title(line) == Some(SadManSection::Puzzle) => {}
            _ => return Ok(false),
        }
    }
}

/// Counts the rows at the start of `lines`, damaged ones included, to the next line that is neither a row nor a border.
fn count_rows(size: Size, lines: &mut TextLines<'_>) -> Result<usize, TextEnd> {
    let (mut rows, mut blank) = (0, None);
    while let Some(line) = lines.next()? {
        match ScannedLine::scan(line) {
            ScannedLine::Cells { rule_symbol, .. }
                if size_of_row(line) == Some(size) || (looks_like_row(line) && !is_number_or_date(line)) =>
            {
                rows += 1;
                blank = blank.or(rule_symbol);
            }
            ScannedLine::Rule { symbol, size: of_rule } if of_rule == size && blank == Some(symbol) => rows += 1,
            ScannedLine::Rule { .. } | ScannedLine::Ignored => {}
            ScannedLine::Cells { .. } | ScannedLine::Blank | ScannedLine::Title => break,
        }
    }
    Ok(rows)
}

/// The length of the rows at the start of `text`, directly after a complete grid, if they are too few for another grid:
/// a row of one of the two grids is then missing or doubled, and neither can be read. `None` if more text is needed.
pub(super) fn rows_too_many(text: &[u8], end: TextEnd, size: Size) -> Option<usize> {
    let lines = &mut TextLines { text, end };
    let (mut rows, mut length, mut after_border) = (0, 0, false);
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(TextEnd::More) => return None,
            Err(TextEnd::Input | TextEnd::Window) => return Some(0),
        };
        // A comment with whole grids after it separates these from the rows before it.
        if line.starts_with(b"#") && rows > 0 {
            let after = rows_to_comment(size, &mut lines.clone())?;
            if after > 0 && after.is_multiple_of(size.side()) {
                break;
            }
        }
        match ScannedLine::scan(line) {
            ScannedLine::Cells { .. } if is_row_of(size, line) => {
                rows += 1;
                length = text.len() - lines.text.len();
            }
            // A comment or a second border precedes the next grid.
            ScannedLine::Ignored
                if rows == 0 && (line.starts_with(b"#") || std::mem::replace(&mut after_border, true)) =>
            {
                return Some(0);
            }
            // It is not clear yet whether this is a row of blanks.
            ScannedLine::Rule { size: of_rule, .. } if of_rule == size => return Some(0),
            ScannedLine::Ignored | ScannedLine::Rule { .. } => {}
            ScannedLine::Cells { .. } | ScannedLine::Blank | ScannedLine::Title => break,
        }
        if rows == size.side() {
            return Some(0);
        }
    }
    Some(length)
}

/// Whether a line is a row of a size, perhaps a damaged one.
fn is_row_of(size: Size, line: &[u8]) -> bool {
    match size_of_row(line) {
        Some(other) => other == size,
        None => looks_like_row(line) && !is_number_or_date(line),
    }
}

/// Whether a comment or border before `text` separates two grids, rather than being within the first: the rows after
/// it, up to the next comment, are too many for this grid, and do not complete other grids. `None` if more text is
/// needed.
pub(super) fn is_between_grids(text: &[u8], end: TextEnd, before: &GridScanner) -> Option<bool> {
    let Some(size) = before.size().filter(|_| before.rows() > 0) else { return Some(false) };
    let rows = before.rows() + rows_to_comment(size, &mut TextLines { text, end })?;
    Some(rows > size.side() && !rows.is_multiple_of(size.side()))
}

/// The number of rows to the next comment or other line that is neither a row nor a border. `None` if more text is needed.
fn rows_to_comment(size: Size, lines: &mut TextLines<'_>) -> Option<usize> {
    let mut rows = 0;
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Err(TextEnd::More) => return None,
            Ok(None) | Err(TextEnd::Input | TextEnd::Window) => return Some(rows),
        };
        match ScannedLine::scan(line) {
            _ if line.starts_with(b"#") => return Some(rows),
            ScannedLine::Cells { .. } if size_of_row(line) == Some(size) => rows += 1,
            ScannedLine::Ignored | ScannedLine::Rule { .. } => {}
            ScannedLine::Cells { .. } | ScannedLine::Blank | ScannedLine::Title => return Some(rows),
        }
    }
}

/// The lines of a text, without their line feeds.
#[derive(Clone)]
struct TextLines<'a> {
    text: &'a [u8],
    end: TextEnd,
}

impl<'a> TextLines<'a> {
    /// The next line; `None` at the end of the input. Fails if more text is needed.
    fn next(&mut self) -> Result<Option<&'a [u8]>, TextEnd> {
        let (line, rest) = match memchr(b'\n', self.text) {
            Some(end) => (&self.text[..end], &self.text[end + 1..]),
            None if self.end != TextEnd::Input => return Err(self.end),
            None if self.text.is_empty() => return Ok(None),
            None => (self.text, &[][..]),
        };
        self.text = rest;
        Ok(Some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [&str; 9] = [
        "53..7....",
        "6..195...",
        ".98....6.",
        "8...6...3",
        "4..8.3..1",
        "7...2...6",
        ".6....28.",
        "...419..5",
        "....8..79",
    ];

    /// Whether the lines before these rows are titles.
    fn are_titles(first: &str, rows: usize, after: &str) -> bool {
        let rows: Vec<_> = ROWS.into_iter().cycle().take(rows).collect();
        let rows = rows.join("\n") + if rows.is_empty() { "" } else { "\n" };
        let text = format!("{first}\n{rows}{after}");
        match first_lines(text.as_bytes(), TextEnd::Input, false).unwrap() {
            FirstLines::Row => false,
            // Another title may follow.
            FirstLines::Titles(length) if length < first.len() => are_titles(&first[length..], 9, ""),
            FirstLines::Titles(length) => length == first.len() + 1,
        }
    }

    #[test]
    fn a_line_before_complete_grids_is_a_title() {
        let titles = [
            "easy",
            "Medium",
            "Sudoku 12",
            "No 5",
            "Level: hard",
            "(3)",
            "A",
            "2",
            "12",
            "2024",
            "2006-08-03",
            "end",
            "difficult",
            "Nr. 17 (by hand)\n2006",
            "\u{2116} 5",
            "20060803",
            "Day 1\nEasy",
            "2006\nEasy",
            "Puzzle001",
            "1.",
            "No. 7",
            "Nr 12345",
            "10:30",
            "#7: 2006",
            "Game 9 of 12",
            "Title 100200300",
            "2026-01-01 12:30",
        ];
        for title in titles {
            for (rows, after) in [(9, ""), (9, "\n"), (9, "Hard\n"), (9, "Puzzle002\n"), (27, ""), (9, "---+---+---\n")]
            {
                assert!(are_titles(title, rows, after), "{title} {rows}");
            }
        }
    }

    #[test]
    fn a_line_that_completes_the_grids_is_a_row() {
        for row in ["53..7...", "53..7.....", "53..q....", "5", "hello", "2024"] {
            for (rows, after) in [(8, ""), (8, "\n"), (17, "easy\n")] {
                assert!(!are_titles(row, rows, after), "{row} {rows}");
            }
        }
        assert!(!are_titles("hello\nworld", 7, ""));
        let garbage = ["?????????"; 9].join("\n");
        let cells = ROWS.concat();
        for row in [
            "53..7....",
            "5,3,.,.,7,.,.,.,.",
            "R1: 53..7....",
            "[5, 3, 0, 0, 7, 0, 0, 0, 0],",
            "53  7",
            "5 3 4 6 7 8 9 1",
            "534.6789",
            ".3467891",
            &garbage,
            &cells,
        ] {
            for rows in [0, 3, 9] {
                assert!(!are_titles(row, rows, ""), "{row} {rows}");
            }
        }
    }

    #[test]
    fn without_rows_the_look_of_a_line_decides() {
        for (line, kind) in [("53..7...", false), ("5300700001", false), ("a b c", true), ("12", true)] {
            for after in ["", "\n\n53..7....\n"] {
                assert_eq!(are_titles(line, 0, after), kind, "{line}");
            }
        }
        let text = b"easy\n53..7....\n";
        assert_eq!(first_lines(text, TextEnd::More, false), None);
        assert_eq!(first_lines(text, TextEnd::Window, false), Some(FirstLines::Titles(5)));
        assert_eq!(first_lines(text, TextEnd::Window, true), Some(FirstLines::Row));
    }
}
