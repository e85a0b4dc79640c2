//! The lines of drawn grids: which of them are rows, and when a grid is complete.
//!
//! What the splitter and the parser of [`grids`](super::grids) have to agree on.

use super::Order;

/// What a line is, by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScannedLine {
    /// White space.
    Empty,
    /// The title of the next grid.
    Title,
    /// A comment or a border.
    Passed,
    /// As many times a symbol that blanks and borders are drawn with as a row of some size has cells.
    Ruler { symbol: u8, order: Order },
    /// So many cells, and a symbol among them that borders are drawn with, too.
    Cells { count: usize, ruler: Option<u8> },
}

impl ScannedLine {
    /// Classifies a line, which has no line end.
    pub(super) fn of(line: &[u8]) -> ScannedLine {
        let mut counts = [0; 6];
        for &byte in line {
            counts[usize::from(CLASSES[usize::from(byte)])] += 1;
        }
        let [dashes, stars, underlines, spacing, edges, others] = counts;
        let rulers = dashes + stars + underlines;
        let ruler = [(dashes, b'-'), (stars, b'*'), (underlines, b'_')].into_iter().find(|(count, _)| *count > 0);
        match ruler {
            _ if line.first() == Some(&b'#') => ScannedLine::Passed,
            _ if others > 0 && is_title(line) => ScannedLine::Title,
            _ if others > 0 => {
                ScannedLine::Cells { count: rulers + edges + others, ruler: ruler.map(|(_, symbol)| symbol) }
            }
            Some((count, symbol)) if edges == 0 && count == rulers => {
                Order::from_side(count).map_or(ScannedLine::Passed, |order| ScannedLine::Ruler { symbol, order })
            }
            None if spacing == line.len() && !line.contains(&b'|') => ScannedLine::Empty,
            _ => ScannedLine::Passed,
        }
    }
}

/// The position of spacing in the list of [`CLASSES`].
const SPACING: usize = 3;

/// What each byte is in a grid: by the position in this list, or else part of a cell. A table, because the bytes of a
/// grid are too mixed for branches.
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

/// Whether a byte stands between cells and means nothing.
pub(super) fn is_spacing(byte: u8) -> bool {
    usize::from(CLASSES[usize::from(byte)]) == SPACING
}

/// Whether a line is `Grid` and a number.
fn is_title(line: &[u8]) -> bool {
    let (word, number) = line.trim_ascii().split_at_checked(4).unwrap_or_default();
    word.eq_ignore_ascii_case(b"grid") && number.iter().all(|byte| byte.is_ascii_digit() || *byte == b' ')
}

/// The outline of a grid, as far as its lines are known.
///
/// `---------` can be a row of nine blanks, and a border as well. It is a row if its length is that of a row and the
/// grid has this symbol among its other cells, or if it is one of as many lines of its kind as make a whole grid.
/// Whether it is, may show itself only further down: rulers are counted until then.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GridScanner {
    /// The cells of the first row that has as many as some size; until there is one, those of the first row.
    side: Option<usize>,
    rows: usize,
    /// Whether there is anything that may be a row.
    begun: bool,
    /// The symbol that is a blank here and a border elsewhere.
    ruler: Option<u8>,
    /// How many rulers there are, by [`ruler_index`] and [`Order::index`].
    rulers: [[u16; Order::ALL.len()]; 3],
}

fn ruler_index(symbol: u8) -> usize {
    match symbol {
        b'-' => 0,
        b'*' => 1,
        _ => 2,
    }
}

impl GridScanner {
    /// Adds the next line.
    pub(super) fn add(&mut self, line: ScannedLine) {
        self.begun |= matches!(line, ScannedLine::Cells { .. } | ScannedLine::Ruler { .. });
        match line {
            ScannedLine::Empty | ScannedLine::Title | ScannedLine::Passed => {}
            ScannedLine::Cells { count, ruler } => {
                if self.order().is_none() && (self.rows == 0 || Order::from_side(count).is_some()) {
                    self.side = Some(count);
                }
                self.rows += 1;
                if self.ruler.is_none() && ruler.is_some() {
                    self.ruler = ruler;
                    self.rows += ruler.map_or(0, |symbol| self.rulers_of(symbol));
                }
            }
            ScannedLine::Ruler { symbol, order } => {
                let seen = &mut self.rulers[ruler_index(symbol)][order.index()];
                *seen = seen.saturating_add(1);
                let seen = usize::from(*seen);
                if self.is_row(symbol, order) {
                    self.rows += 1;
                } else if self.rows == 0 && seen == order.side() {
                    self.make_of_rulers(symbol, order, seen);
                }
            }
        }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// How many cells a row has, which may be the side of no size; 0 if there is no row.
    pub(super) fn side(&self) -> usize {
        self.side.unwrap_or(0)
    }

    /// The size, once a row has the length of one.
    pub(super) fn order(&self) -> Option<Order> {
        Order::from_side(self.side?)
    }

    /// How many rulers of a symbol are as long as a row.
    fn rulers_of(&self, symbol: u8) -> usize {
        self.order().map_or(0, |order| self.rulers[ruler_index(symbol)][order.index()].into())
    }

    /// Whether a ruler is a row.
    pub(super) fn is_row(&self, symbol: u8, order: Order) -> bool {
        self.ruler == Some(symbol) && self.side == Some(order.side())
    }

    /// Makes a grid of rulers alone.
    fn make_of_rulers(&mut self, symbol: u8, order: Order, rulers: usize) {
        *self = GridScanner { side: Some(order.side()), rows: rulers, ruler: Some(symbol), ..*self };
    }

    /// Whether the last row is there.
    pub(super) fn is_complete(&self) -> bool {
        self.rows >= self.order().map_or(Order::MAX_SIDE, Order::side)
    }

    /// Whether there is anything that may be a row.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Ends a grid early. Several rulers that nothing belongs to are too short a grid; one alone is a border.
    pub(super) fn end(&mut self) {
        for (symbol, order) in b"-*_".iter().flat_map(|&symbol| Order::ALL.map(|order| (symbol, order))) {
            let rulers = usize::from(self.rulers[ruler_index(symbol)][order.index()]);
            if self.rows == 0 && rulers > 1 {
                self.make_of_rulers(symbol, order, rulers);
            }
        }
    }
}
