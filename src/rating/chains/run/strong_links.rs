//! The strong links of a run: in static runs those of the state, in others those among the candidates that are left.

use crate::rating::chains::links::{CandidateIndex, GROUPS, Links, MAX_CANDIDATES, Members};

/// No candidate.
pub(super) const NONE: u16 = MAX_CANDIDATES as u16;

/// The strong links of a run.
pub(super) trait StrongLinks {
    /// The candidates that are true because a candidate is false: for each of its groups, the other one of two, each
    /// candidate once.
    fn remove(&mut self, links: &Links, candidate: CandidateIndex) -> [u16; 4];
}

/// The strong links of the state.
pub(super) struct Unchanged;

impl StrongLinks for Unchanged {
    fn remove(&mut self, links: &Links, candidate: CandidateIndex) -> [u16; 4] {
        once(links.strong(candidate))
    }
}

/// The strong links among the candidates that are left in each group.
pub(super) struct Left(pub(super) [Members; GROUPS]);

impl StrongLinks for Left {
    #[expect(clippy::inline_always, reason = "a call costs the rating of hard puzzles a tenth")]
    #[inline(always)]
    fn remove(&mut self, links: &Links, candidate: CandidateIndex) -> [u16; 4] {
        let mut others = [NONE; 4];
        for (other, group) in others.iter_mut().zip(links.groups(candidate)) {
            let members = &mut self.0[group.index()];
            members.remove(candidate);
            *other = members.only();
        }
        once(others)
    }
}

/// The candidates, each once: two cells of a box may also share a row or a column.
fn once([in_cell, in_box, in_row, in_column]: [u16; 4]) -> [u16; 4] {
    let in_row = if in_row == in_box { NONE } else { in_row };
    let in_column = if in_column == in_box { NONE } else { in_column };
    [in_cell, in_box, in_row, in_column]
}
