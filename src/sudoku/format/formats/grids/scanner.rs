//! Decides which lines of a drawn grid are rows, and when the grid is complete.
//!
//! Used by both the splitter and the parser of [`grids`](super), so that they agree.

use crate::format::formats::grid_line::ScannedLine;
use crate::format::{Malformed, Size};

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
