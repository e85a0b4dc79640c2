//! Lists puzzles on which solvers disagree.

use gridmill::jobs::bench::{Disagreement, Place};
use gridmill::resume::OutputTarget;
use indicatif::HumanCount;

use super::printable::in_one_line;
use super::progress;
use super::summary::Counted;

/// Writes the first disagreements, and how many there are.
pub(crate) fn list(first: &[Disagreement], total: usize, table: Option<&OutputTarget>) {
    first.iter().for_each(say);
    say_others(total as u64, first.len(), table);
}

/// Writes a disagreement.
pub(crate) fn say(disagreement: &Disagreement) {
    let mut disagreement = disagreement.clone();
    if let Place::Line { file, .. } = &mut disagreement.place {
        *file = in_one_line(&*file);
    }
    progress::say_lines(disagreement);
}

/// Writes how many disagreements there are, and where all of them are.
pub(crate) fn say_others(total: u64, listed: usize, table: Option<&OutputTarget>) {
    let others = total - listed as u64;
    match table.and_then(|table| table.path.as_deref()) {
        Some(path) => {
            let total = Counted(total, "disagreement");
            progress::say(format_args!("{total}, all of them in {}", path.display()));
        }
        None if others > 0 => {
            let others = HumanCount(others);
            progress::say(format_args!("and {others} more disagreements; --disagreements FILE writes all of them"));
        }
        None => {}
    }
}
