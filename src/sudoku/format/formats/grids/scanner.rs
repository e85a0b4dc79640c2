//! Decides which lines of a drawn grid are rows, and when the grid is complete.
//!
//! Used by both the splitter and the parser of [`grids`](super), so that they agree.

use crate::format::formats::grid_line::ScannedLine;
use crate::format::{Malformed, Size};

<<<<<<< HEAD:src/format/formats/grids/scanner.rs
=======
/// The kind of a line, judged in isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::format::formats) enum ScannedLine {
    /// White space.
    Blank,
    /// The title of the next grid.
    Title,
    /// A comment or a border.
    Ignored,
    /// A rule line: one symbol, repeated as often as a row of a size has cells. It is a border or a row of blanks.
    Rule { symbol: u8, size: Size },
    /// A row with this many cells. `rule_symbol` is a symbol of rule lines among them, if there is one.
    Cells { count: usize, rule_symbol: Option<u8> },
}

impl ScannedLine {
    /// Classifies a line, given without its line end.
    pub(in crate::sudoku::format::formats) fn scan(line: &[u8]) -> ScannedLine {
        let mut counts = [0; 6];
        for &byte in line {
            counts[usize::from(CLASSES[usize::from(byte)])] += 1;
        }
        let [dashes, stars, underlines, spacing, edges, others] = counts;
        if others > 0
            && let Cow::Owned(line) = ascii(line)
        {
            return ScannedLine::scan(&line);
        }
        let rules = dashes + stars + underlines;
        let rule = [(dashes, b'-'), (stars, b'*'), (underlines, b'_')].into_iter().find(|(count, _)| *count > 0);
        match rule {
            _ if line.first() == Some(&b'#') => ScannedLine::Ignored,
            _ if others > 0 && is_title(line) => ScannedLine::Title,
            _ if others > 0 => {
                ScannedLine::Cells { count: rules + others, rule_symbol: rule.map(|(_, symbol)| symbol) }
            }
            Some((count, symbol)) if edges == 0 && count == rules => {
                Size::from_side(count).map_or(ScannedLine::Ignored, |size| ScannedLine::Rule { symbol, size })
            }
            None if spacing == line.len() && !line.contains(&b'|') => ScannedLine::Blank,
            _ => ScannedLine::Ignored,
        }
    }
}

/// The indices of spacing, and of the edges of boxes, in the list of [`CLASSES`].
const SPACING: u8 = 3;
const EDGES: u8 = 4;

/// The class of each byte in a grid: an index of the list below, or one more for part of a cell. A table, because
/// branches on the mixed bytes of a grid would be unpredictable.
const CLASSES: [u8; 256] = {
    let classes: [&[u8]; 5] = [b"-", b"*", b"_", b" \t\r\x0c|", b"+="];
    let mut table = [classes.len() as u8; 256];
    let mut class = 0;
    while class < classes.len() {
        let mut index = 0;
        while index < classes[class].len() {
            table[classes[class][index] as usize] = class as u8;
            index += 1;
        }
        class += 1;
    }
    table
};

/// Whether a byte between cells is ignored.
pub(in crate::sudoku::format::formats) const fn is_spacing(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], SPACING | EDGES)
}

>>>>>>> main:src/sudoku/format/formats/grids/scanner.rs
/// Fails if the bars of a row of this size are drawn around turned boxes. `count` counts the cells between two bars.
pub(super) fn check_boxes(size: Size, row: &[u8], count: impl Fn(&[u8]) -> usize) -> Result<(), Malformed> {
    // A label may precede the first cell.
    let mut parts = row.split(|&byte| byte == b'|' || byte == b'+').map(count).filter(|&cells| cells > 0).skip(1);
    let is_turned = |cells| cells == size.box_rows();
    let are_turned = !size.has_square_boxes() && parts.next().is_some_and(is_turned) && parts.all(is_turned);
    if are_turned { Err(Malformed::TurnedBoxes { size }) } else { Ok(()) }
}

/// The lines of a grid so far.
///
/// `---------` can be a row of nine blanks or a border. It is a row if it is as long as the other rows and they have
/// this symbol among their cells, or if it is one of as many lines of its kind as make a complete grid. That may become
/// clear only later, so rule lines are counted until then.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GridScanner {
    /// The number of cells in a row: the length of the first two consecutive rows that agree, considering only rows
    /// with the length of some size. A damaged row of 9x9 may be as long as a row of 8x8 or 10x10.
    side: Option<usize>,
    /// Whether two rows agree on it.
    is_settled: bool,
    rows: usize,
    /// Whether there is a row or a rule line.
    has_lines: bool,
    /// The symbol of rule lines that is a blank in this grid.
    rule_symbol: Option<u8>,
    /// The number of rule lines, by [`symbol_index`] and [`Size::index`].
    rules: [[u16; Size::ALL.len()]; 3],
}

fn symbol_index(symbol: u8) -> usize {
    match symbol {
        b'-' => 0,
        b'*' => 1,
        _ => 2,
    }
}

impl GridScanner {
    /// Adds the next line.
    pub(super) fn add(&mut self, line: ScannedLine) {
        self.has_lines |= matches!(line, ScannedLine::Cells { .. } | ScannedLine::Rule { .. });
        match line {
            ScannedLine::Blank | ScannedLine::Title | ScannedLine::Ignored => {}
            ScannedLine::Cells { count, rule_symbol } => {
                // Two rows of the same valid length settle the side; one row could be damaged.
                if !self.is_settled && (self.rows == 0 || Size::from_side(count).is_some()) {
                    self.is_settled = self.side == Some(count) && self.size().is_some();
                    self.side = Some(count);
                }
                self.rows += 1;
                if self.rule_symbol.is_none() && rule_symbol.is_some() {
                    // Rows use this symbol for blanks, so the earlier lines of it were rows, too.
                    self.rule_symbol = rule_symbol;
                    self.rows += rule_symbol.map_or(0, |symbol| self.rules_as_long_as_rows(symbol));
                }
            }
            ScannedLine::Rule { symbol, size } => {
                let rules = &mut self.rules[symbol_index(symbol)][size.index()];
                *rules = rules.saturating_add(1);
                let rules = usize::from(*rules);
                if self.is_row(symbol, size) {
                    self.rows += 1;
                } else if self.rows == 0 && rules == size.side() {
                    // A full square of rules is a grid of blanks.
                    self.make_rules_rows(symbol, size, rules);
                }
            }
        }
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The number of cells in a row, which may not be the side of any size; 0 without rows.
    pub(super) fn side(&self) -> usize {
        self.side.unwrap_or(0)
    }

    /// The size, once there is a row with the length of one.
    pub(super) fn size(&self) -> Option<Size> {
        Size::from_side(self.side?)
    }

    /// Whether a rule line is a row.
    pub(super) fn is_row(&self, symbol: u8, size: Size) -> bool {
        self.rule_symbol == Some(symbol) && self.side == Some(size.side())
    }

    /// Whether the last row was added.
    pub(super) fn is_complete(&self) -> bool {
        self.rows >= self.size().map_or(Size::MAX_SIDE, Size::side)
    }

    /// Whether there is no line that may be a row.
    pub(super) fn is_empty(&self) -> bool {
        !self.has_lines
    }

    /// Ends a grid early. Several rule lines without other rows are a grid with too few rows; a single one is a border.
    pub(super) fn end(&mut self) {
        for (symbol, size) in b"-*_".iter().flat_map(|&symbol| Size::ALL.map(|size| (symbol, size))) {
            let rules = usize::from(self.rules[symbol_index(symbol)][size.index()]);
            if self.rows == 0 && rules > 1 {
                self.make_rules_rows(symbol, size, rules);
            }
        }
    }

    fn rules_as_long_as_rows(&self, symbol: u8) -> usize {
        self.size().map_or(0, |size| self.rules[symbol_index(symbol)][size.index()].into())
    }

    /// Counts the rule lines of one kind as rows of the grid.
    fn make_rules_rows(&mut self, symbol: u8, size: Size, rules: usize) {
        let side = Some(size.side());
        *self = GridScanner { side, is_settled: true, rows: rules, rule_symbol: Some(symbol), ..*self };
    }
}
