//! Lists puzzles on which solvers disagree.

use gridmill::jobs::bench::{Disagreement, Place};
use gridmill::resume::OutputTarget;
use indicatif::HumanCount;

use super::printable::in_one_line;
use super::progress;

/// Writes the first disagreements, and how many others there are.
pub(crate) fn list(first: &[Disagreement], total: usize, table: Option<&OutputTarget>) {
    for disagreement in first {
        let mut disagreement = disagreement.clone();
        if let Place::Line { file, .. } = &mut disagreement.place {
            *file = in_one_line(&*file);
        }
        progress::say_lines(disagreement);
    }
    let others = total - first.len();
    match table.and_then(|table| table.path.as_deref()) {
        Some(path) => {
            let total = HumanCount(total as u64);
            progress::say(format_args!("{} has all disagreements, of which there are {total}", path.display()));
        }
        None if others > 0 => progress::say(format_args!(
            "and {} more disagreements; --disagreements FILE writes all of them",
            HumanCount(others as u64)
        )),
        None => {}
    }
}
