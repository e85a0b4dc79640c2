//! Looks at the lines after a line of grids: to distinguish titles and prose from first rows, and to find rows too many.
//!
//! `Level: hard` is a title, and `53..7...` is a row that has lost a cell. If a damaged row were taken for a title, the
//! next grid would lend its first row to this one, and a wrong puzzle would be read. So the rows after such a line are
//! counted, to the next line that is none:
//!
//! ```text
//! Level: hard                     53..7...
//! 53..7....                       6..195...
//! 6..195...   9 rows: the line    .98....6.   8 rows: the line
//! ...         is a title          ...         is a damaged row
//! ```

use memchr::memchr;

use super::Order;
use super::alphabet::BLANKS;
use super::grid_scanner::{ScannedLine, is_spacing};

/// The most lines of prose that are looked at to find the rows after them. Each of them is a first line, too, so without
/// a limit the time for prose would grow with the square of its length.
const MAX_STRANGERS: usize = 16;

/// What a line before the rows of a grid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstLine {
    /// A row of the grid, perhaps a damaged one.
    Row,
    /// Text that belongs to no grid.
    Title,
}

/// What comes after a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEnd {
    /// Nothing: the input ends.
    Input,
    /// Text that is not looked at.
    Window,
    /// Text that can be asked for.
    More,
}

/// Decides what the first line of `text` is, which comes before any row of a grid. `None` if more text is needed.
pub(super) fn first_line(text: &[u8], end: TextEnd) -> Option<FirstLine> {
    let lines = &mut Lines { text, end };
    let first = lines.next().ok()??;
    let order = order_of_row(first);
    // The usual case, which has to be quick.
    let next_has_same_length = lines.text.get(first.len()).is_some_and(|byte| matches!(byte, b'\n' | b'\r'));
    if order.is_some() && next_has_same_length {
        return Some(FirstLine::Row);
    }
    let by_look = if looks_like_row(first) { FirstLine::Row } else { FirstLine::Title };
    match rows_after(first, order, lines) {
        Ok(RowsAfter::Block { strangers, rows, side }) => Some(match () {
            () if rows.is_multiple_of(side) => FirstLine::Title,
            () if (rows + strangers).is_multiple_of(side) => FirstLine::Row,
            () => by_look,
        }),
        Ok(RowsAfter::Grid) => Some(FirstLine::Row),
        Ok(RowsAfter::Nothing) | Err(TextEnd::Input | TextEnd::Window) => Some(by_look),
        Err(TextEnd::More) => None,
    }
}

/// The length of the rows at the start of `text`, which come directly after a complete grid, if they are too few for
/// another one: then a row of one of the two is missing or doubled, and neither can be read. `None` if more text is
/// needed.
pub(super) fn rows_too_many(text: &[u8], end: TextEnd, order: Order) -> Option<usize> {
    let lines = &mut Lines { text, end };
    let (mut rows, mut length) = (0, 0);
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(TextEnd::More) => return None,
            Err(TextEnd::Input | TextEnd::Window) => return Some(0),
        };
        match ScannedLine::scan(line) {
            ScannedLine::Cells { .. } if order_of_row(line) == Some(order) => {
                rows += 1;
                length = text.len() - lines.text.len();
            }
            // Whether this is a row of blanks is not clear yet.
            ScannedLine::Rule { order: of_rule, .. } if of_rule == order => return Some(0),
            ScannedLine::Ignored | ScannedLine::Rule { .. } => {}
            ScannedLine::Cells { .. } | ScannedLine::Blank | ScannedLine::Title => break,
        }
        if rows == order.side() {
            return Some(0);
        }
    }
    Some(length)
}

/// What comes after the first line.
enum RowsAfter {
    /// The grid that the line begins.
    Grid,
    /// So many rows of a size, after so many lines that are none, the first one included.
    Block { strangers: usize, rows: usize, side: usize },
    /// No row.
    Nothing,
}

/// Looks at the lines after `first`, which is a row of the size `order`, if it is a row. Fails if the text ends too early.
fn rows_after(first: &[u8], order: Option<Order>, lines: &mut Lines<'_>) -> Result<RowsAfter, TextEnd> {
    let width = cells(first).count();
    let mut strangers = 1;
    while let Some(line) = lines.next()? {
        match (ScannedLine::scan(line), order_of_row(line)) {
            (ScannedLine::Cells { .. }, next) if order.is_some() && (next.is_none() || next == order) => {
                return Ok(RowsAfter::Grid);
            }
            (ScannedLine::Cells { .. }, Some(order)) => {
                let side = order.side();
                return Ok(RowsAfter::Block { strangers, rows: 1 + count_rows(side, lines)?, side });
            }
            // Two lines as long as rows: whatever is in them, they are meant as rows.
            (ScannedLine::Cells { count, .. }, None)
                if strangers == 1 && count == width && Order::from_side(width).is_some() =>
            {
                return Ok(RowsAfter::Grid);
            }
            (ScannedLine::Cells { .. }, None) if strangers < MAX_STRANGERS => strangers += 1,
            (ScannedLine::Cells { .. } | ScannedLine::Blank | ScannedLine::Title, _) => break,
            (ScannedLine::Ignored | ScannedLine::Rule { .. }, _) => {}
        }
    }
    Ok(RowsAfter::Nothing)
}

/// Counts the rows to the next line that is neither a row nor a border.
fn count_rows(side: usize, lines: &mut Lines<'_>) -> Result<usize, TextEnd> {
    let (mut rows, mut blank) = (0, None);
    while let Some(line) = lines.next()? {
        match ScannedLine::scan(line) {
            ScannedLine::Cells { count, rule_symbol } if count == side => {
                rows += 1;
                blank = blank.or(rule_symbol);
            }
            ScannedLine::Rule { symbol, order } if order.side() == side && blank == Some(symbol) => rows += 1,
            ScannedLine::Rule { .. } | ScannedLine::Ignored => {}
            ScannedLine::Cells { .. } | ScannedLine::Blank | ScannedLine::Title => break,
        }
    }
    Ok(rows)
}

/// The cells of a line, or whatever is in their place.
fn cells(line: &[u8]) -> impl Iterator<Item = u8> + Clone {
    line.iter().copied().filter(|byte| !is_spacing(*byte))
}

/// The size of which a line is a row: it has as many cells, and only symbols that this size can have.
pub(super) fn order_of_row(line: &[u8]) -> Option<Order> {
    let (mut count, mut sizes) = (0, u8::MAX);
    for &byte in line {
        let class = CLASSES[usize::from(byte)];
        count += usize::from(class != SPACING);
        sizes &= class;
    }
    Order::from_side(count).filter(|order| sizes & 1 << order.index() != 0)
}

/// The sizes whose rows may have a byte, as a bit for each [`Order::index`]. A table, because every first row is tested.
const CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let symbol = byte as u8;
        table[byte] = match symbol {
            _ if is_spacing(symbol) => SPACING,
            b'0'..=b'4' | b'.' | b'_' | b'-' | b'*' | b'x' | b'X' => 0b1111,
            b'5'..=b'9' => 0b1110,
            b'A'..=b'Z' | b'a'..=b'z' => 0b1100,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// The class of a byte between cells.
const SPACING: u8 = u8::MAX;

fn is_digit_or_blank(byte: u8) -> bool {
    byte.is_ascii_digit() || BLANKS.contains(&byte)
}

/// Whether a line is likely to be a damaged row: it is no short number, and at least half of it are digits and blanks.
fn looks_like_row(line: &[u8]) -> bool {
    let count = cells(line).count();
    order_of_row(line).is_some()
        || (count > 3 && 2 * cells(line).filter(|byte| is_digit_or_blank(*byte)).count() >= count)
}

/// The lines of a text, without their line feeds.
struct Lines<'a> {
    text: &'a [u8],
    end: TextEnd,
}

impl<'a> Lines<'a> {
    /// The next line; `None` at the end of the input. Fails if the text ends before.
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

    fn decide(first: &str, rows: usize, after: &str) -> Option<FirstLine> {
        let rows: Vec<_> = ROWS.into_iter().cycle().take(rows).collect();
        let rows = rows.join("\n") + if rows.is_empty() { "" } else { "\n" };
        first_line(format!("{first}\n{rows}{after}").as_bytes(), TextEnd::Input)
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
            "[Puzzle]",
            "Nr. 17 (by hand)\n2006",
            "\u{2116} 5",
            "20060803",
        ];
        for title in titles {
            for (rows, after) in [(9, ""), (9, "\n"), (9, "Hard\n"), (27, ""), (9, "---+---+---\n")] {
                assert_eq!(decide(title, rows, after), Some(FirstLine::Title), "{title} {rows}");
            }
        }
    }

    #[test]
    fn a_line_that_completes_the_grids_is_a_row() {
        for row in ["53..7...", "53..7.....", "53..q....", "5", "hello", "2024"] {
            for (rows, after) in [(8, ""), (8, "\n"), (17, "easy\n")] {
                assert_eq!(decide(row, rows, after), Some(FirstLine::Row), "{row} {rows}");
            }
        }
        assert_eq!(decide("hello\nworld", 7, ""), Some(FirstLine::Row));
        assert_eq!(decide("53..7....", 9, ""), Some(FirstLine::Row));
        assert_eq!(decide("53..7....", 3, ""), Some(FirstLine::Row));
        assert_eq!(decide("?????????\n?????????\n", 0, ""), Some(FirstLine::Row));
    }

    #[test]
    fn without_rows_the_look_of_a_line_decides() {
        for (line, kind) in [
            ("53..7...", FirstLine::Row),
            ("5300700001", FirstLine::Row),
            ("a b c", FirstLine::Title),
            ("12", FirstLine::Title),
        ] {
            for after in ["", "\n\n53..7....\n"] {
                assert_eq!(decide(line, 0, after), Some(kind), "{line}");
            }
        }
        assert_eq!(first_line(b"easy\n53..7....\n", TextEnd::More), None);
        assert_eq!(first_line(b"easy\n53..7....\n", TextEnd::Window), Some(FirstLine::Title));
    }
}
