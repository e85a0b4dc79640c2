//! Draws a grid of candidates as players write them, with the marks of a step.
//!
//! Each candidate has its place in its cell, and its mark after it. A value stands in the middle of its cell:
//!
//! ```text
//!          c1     c2     c3   |
//!        1  2  3            2-|
//!    r1     5     (7)         |
//!        7*    9              |
//! ```

use std::fmt::{self, Display, Formatter};

use console::style;
use gridmill::rating::{Candidates, DigitSet, Step};

/// Candidates with the marks of a step, over several lines. It is 77 columns wide, without the colours of a terminal.
pub(crate) struct Pencilmarks<'a> {
    pub(crate) grid: &'a Candidates,
    pub(crate) step: &'a Step,
}

/// What a step does with a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Pattern,
    Removed,
    Placed,
}

impl Pencilmarks<'_> {
    fn mark(&self, cell: usize, digit: usize) -> Mark {
        let Step { placement, eliminations, cells, digits, .. } = self.step;
        let removed = eliminations.iter().find(|elimination| elimination.cell == cell);
        if placement.is_some_and(|placement| (placement.cell, placement.digit) == (cell, digit)) {
            Mark::Placed
        } else if removed.is_some_and(|elimination| elimination.digits.contains(digit)) {
            Mark::Removed
        } else if cells.contains(cell) && digits.contains(digit) {
            Mark::Pattern
        } else {
            Mark::None
        }
    }

    /// Writes a third of a cell: seven columns.
    fn write_third(&self, f: &mut Formatter<'_>, cell: usize, third: usize) -> fmt::Result {
        let value = self.grid.values()[cell];
        if value != 0 {
            let text = if third == 1 { format!("  ({value})  ") } else { " ".repeat(7) };
            return write!(f, "{}", style(text).bold());
        }
        let digits: DigitSet = self.grid.digits(cell);
        for digit in 3 * third..3 * third + 3 {
            if !digits.contains(digit) {
                write!(f, "  ")?;
                continue;
            }
            let name = digit + 1;
            match self.mark(cell, digit) {
                Mark::None => write!(f, "{name} ")?,
                Mark::Pattern => write!(f, "{}", style(format!("{name}*")).green().bold())?,
                Mark::Removed => write!(f, "{}", style(format!("{name}-")).red().bold())?,
                Mark::Placed => write!(f, "{}", style(format!("{name}+")).cyan().bold())?,
            }
        }
        write!(f, " ")
    }
}

impl Display for Pencilmarks<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rule = format!("    +{}", format!("{}+", "-".repeat(23)).repeat(3));
        write!(f, "     ")?;
        for column in 0..9 {
            write!(f, "   c{}  {}", column + 1, if column % 3 == 2 { "   " } else { "" })?;
        }
        writeln!(f)?;
        for row in 0..9 {
            if row % 3 == 0 {
                writeln!(f, "{rule}")?;
            } else {
                let blank = format!("{}|", " ".repeat(23));
                writeln!(f, "    |{}", blank.repeat(3))?;
            }
            for third in 0..3 {
                let name = if third == 1 { format!("r{}", row + 1) } else { String::new() };
                write!(f, " {name:2} |")?;
                for column in 0..9 {
                    write!(f, "{}", if column % 3 == 0 { " " } else { "" })?;
                    self.write_third(f, 9 * row + column, third)?;
                    write!(f, "{}", if column % 3 == 2 { " |" } else { "" })?;
                }
                writeln!(f)?;
            }
        }
        write!(f, "{rule}")
    }
}
