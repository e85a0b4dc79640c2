//! Prints cells, digits and steps in the notation of players: `r4c5`, `{4,7}`, `r4c6<>{4,7}`, `r4c5=7`.

use std::fmt;

use crate::rating::candidates::Candidates;
use crate::rating::implications::{Because, Implication, Statement};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::{Elimination, Placement};

/// The name of a cell, row and column counted from 1: `r4c5`.
pub(crate) fn cell_name(cell: usize) -> String {
    name(cell).to_string()
}

/// The name of a cell, for printing. Steps have many cells, and this allocates nothing.
pub(super) fn name(cell: usize) -> impl fmt::Display {
    fmt::from_fn(move |f| write!(f, "r{}c{}", cell / 9 + 1, cell % 9 + 1))
}

/// Prints items with a text between them.
pub(super) fn write_joined<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    between: &str,
) -> fmt::Result {
    items.into_iter().enumerate().try_for_each(|(index, item)| {
        f.write_str(if index == 0 { "" } else { between })?;
        write!(f, "{item}")
    })
}

/// Prints the names of the cells with spaces between them: `r4c5 r4c6`.
impl fmt::Display for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, self.into_iter().map(name), " ")
    }
}

/// Prints the digits, from 1 to 9, in braces: `{4,7}`.
impl fmt::Display for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        write_joined(f, self.into_iter().map(|digit| digit + 1), ",")?;
        f.write_str("}")
    }
}

/// Prints the cell, and the digits that it does not have: `r4c6<>{4,7}`.
impl fmt::Display for Elimination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}<>{}", name(self.cell), self.digits)
    }
}

/// Prints the cell and its digit: `r4c5=7`.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", name(self.cell), self.digit + 1)
    }
}

/// Prints the cell, and the digit that it has or does not have: `r4c5=7`, `r4c5<>7`.
impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_true { "=" } else { "<>" };
        write!(f, "{}{sign}{}", name(self.cell), self.digit + 1)
    }
}

/// Prints the statement and the numbers of its causes, for programs:
///
/// ```text
/// r4c5=7                    it is assumed
/// r4c5=7:1,4                it is linked to 1 and 4
/// r4c5<>7:1,4:Naked Pair    a naked pair excludes it, because of 1 and 4
/// r4c5<>7:0>5,0>6           0 leads to 5 and to 6, which contradict each other
/// r4c5<>7:0>3,1>6,8         0 leads to 3, and 1 to 6, which say the same; the only other case is excluded by 8
/// ```
impl fmt::Display for Implication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.statement)?;
        let numbers = |numbers: &[usize]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (causes, technique) = match &self.because {
            Because::Assumed => return Ok(()),
            Because::Linked(causes) => (numbers(causes), None),
            Because::Technique(technique, causes) => (numbers(causes), Some(technique)),
            Because::Contradiction { assumption, ends } => {
                (ends.iter().map(|end| format!("{assumption}>{end}")).collect(), None)
            }
            Because::Cases { cases, others } => {
                let cases = cases.iter().map(|[assumption, end]| format!("{assumption}>{end}"));
                (cases.chain(numbers(others)).collect(), None)
            }
        };
        write!(f, ":{}", causes.join(","))?;
        technique.map_or(Ok(()), |technique| write!(f, ":{technique}"))
    }
}

/// Prints 729 characters, nine for each cell: its candidates in their places, and dots. In a cell with a value, the
/// only digit is the value.
impl fmt::Display for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(9 * 81);
        for (cell, &value) in self.values().iter().enumerate() {
            let digits = if value == 0 { self.digits(cell) } else { DigitSet::of(usize::from(value) - 1) };
            let symbol = |digit: u8| if digits.contains(digit.into()) { char::from(b'1' + digit) } else { '.' };
            text.extend((0..9).map(symbol));
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::technique::Technique;

    #[test]
    fn steps_are_printed_in_the_notation_of_players() {
        let cells: CellSet = [0, 30, 80].into_iter().collect();
        let digits: DigitSet = [3, 6].into_iter().collect();
        assert_eq!(cells.to_string(), "r1c1 r4c4 r9c9");
        assert_eq!(Elimination { cell: 32, digits }.to_string(), "r4c6<>{4,7}");
        assert_eq!(Placement { cell: 9, digit: 8 }.to_string(), "r2c1=9");
        let (cell, digit) = (32, 6);
        let texts = [
            (true, Because::Assumed, "r4c6=7"),
            (true, Because::Linked(vec![1, 4]), "r4c6=7:1,4"),
            (false, Because::Technique(Technique::NakedPair, vec![1, 4]), "r4c6<>7:1,4:Naked Pair"),
            (false, Because::Contradiction { assumption: 0, ends: [5, 6] }, "r4c6<>7:0>5,0>6"),
            (false, Because::Cases { cases: vec![[0, 3], [1, 6]], others: vec![8] }, "r4c6<>7:0>3,1>6,8"),
        ];
        for (is_true, because, text) in texts {
            assert_eq!(Implication { statement: Statement { cell, digit, is_true }, because }.to_string(), text);
        }
        let mut puzzle = [0; 81];
        puzzle[1] = 5;
        let text = Candidates::of(&puzzle).to_string();
        assert_eq!(&text[..18], "1234.6789....5....");
        assert_eq!((text.len(), &text[720..]), (729, "123456789"));
    }
}
