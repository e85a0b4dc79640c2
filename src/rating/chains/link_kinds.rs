//! The kinds of links that a chain from one assumption may use.

use super::links::{CandidateIndex, Links, MAX_CANDIDATES};

/// The kinds of links that a chain may use, in the order in which the reference program searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LinkKinds {
    /// Links of one digit.
    X,
    /// Strong links in cells.
    Y,
    /// All links.
    Xy,
}

impl LinkKinds {
    /// The weak links of these kinds, in the reference order.
    pub(super) fn weak(self, links: &Links, candidate: CandidateIndex) -> &[u16] {
        if self == LinkKinds::X { links.weak_of_digit(candidate) } else { links.weak(candidate) }
    }

    /// The candidates that are true if one is false, each once, in the reference order: by the cell, the box, the row,
    /// the column; [`MAX_CANDIDATES`] if there is none.
    pub(super) fn strong(self, links: &Links, candidate: CandidateIndex) -> [u16; 4] {
        const NONE: u16 = MAX_CANDIDATES as u16;
        let [in_cell, in_box, in_row, in_column] = links.strong(candidate);
        let in_cell = if self == LinkKinds::X { NONE } else { in_cell };
        if self == LinkKinds::Y {
            return [in_cell, NONE, NONE, NONE];
        }
        // Links in a cell lead to another digit than links in houses.
        let in_row = if in_row == in_box { NONE } else { in_row };
        let in_column = if in_column == in_box { NONE } else { in_column };
        [in_cell, in_box, in_row, in_column]
    }
}
