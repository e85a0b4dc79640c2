//! Follows a forcing chain again, to find its statements and groups.

use crate::rating::chains::bits::{has, insert};
use crate::rating::chains::links::{CandidateGroup, CandidateIndex, LinkKinds, Links, MAX_CANDIDATES};
use crate::rating::chains::statement::Literal;

/// The statements of the shortest chain from an assumption to its opposite, from its end back to its start.
///
/// # Panics
///
/// If there is no such chain.
pub(in crate::sudoku::rating::chains) fn trace(
    links: &Links,
    link_kinds: LinkKinds,
    assumption: Literal,
) -> Vec<Literal> {
    let mut seen = [[0; MAX_CANDIDATES.div_ceil(64)]; 2];
    insert(&mut seen[usize::from(!assumption.on)], assumption.index());
    let mut statements = Vec::with_capacity(256);
    statements.push((assumption, usize::MAX));
    // Breadth first, so the first arrival is by a shortest chain.
    let mut next = 0;
    loop {
        let from = statements[next].0;

        let mut follow = |to: Literal| {
            let is_new = !has(&seen[usize::from(!to.on)], to.index());
            if is_new {
                insert(&mut seen[usize::from(!to.on)], to.index());
                statements.push((to, next));
            }
            // The assumption counts as seen, so a new statement about the candidate is the opposite.
            to.candidate == assumption.candidate && is_new
        };

        let arrived = if from.on {
            // A false candidate without strong links has no consequences.
            link_kinds.weak(links, from.index()).iter().any(|&to| {
                let leads_on = links.strong(usize::from(to)) != [MAX_CANDIDATES as u16; 4];
                (leads_on || to == assumption.candidate) && follow(Literal { candidate: to, on: false })
            })
        } else {
            let strong = link_kinds.strong(links, from.index());
            strong.into_iter().any(|to| usize::from(to) < MAX_CANDIDATES && follow(Literal { candidate: to, on: true }))
        };

        if arrived {
            let mut path = Vec::new();
            let mut at = statements.len() - 1;
            while at != usize::MAX {
                path.push(statements[at].0);
                at = statements[at].1;
            }
            return path;
        }
        next += 1;
    }
}

/// The group that makes a candidate true if another one is false.
pub(in crate::sudoku::rating::chains) fn strong_group(
    links: &Links,
    link_kinds: LinkKinds,
    off: CandidateIndex,
    on: CandidateIndex,
) -> CandidateGroup {
    let place = link_kinds.strong(links, off).iter().position(|&other| usize::from(other) == on);
    links.groups(off)[place.expect("the candidates have a strong link")]
}

/// The group that makes a candidate false if another one is true.
pub(in crate::sudoku::rating::chains) fn weak_group(
    links: &Links,
    on: CandidateIndex,
    off: CandidateIndex,
) -> CandidateGroup {
    let of_off = links.groups(off);
    let shared = links.groups(on).into_iter().find(|group| of_off.contains(group));
    shared.expect("the candidates have a weak link")
}
