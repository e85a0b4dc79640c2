//! The derivations of chains from several assumptions, and of contradictions.

use super::{Derivation, lost, statement};
use crate::rating::candidates::Candidates;
use crate::rating::chains::links::Links;
use crate::rating::chains::multiple::Proof;
use crate::rating::chains::run::{DerivedRun, ImplicationRun, NodeId};
use crate::rating::implications::Because;

/// Derives what the ends of runs prove in the state of `links`, which lacks candidates of `state`. `excluded` has the
/// derivations of what other techniques have excluded in the runs.
pub(in crate::rating::chains) fn of_multiple<const W: usize>(
    links: &Links,
    state: &Candidates,
    proof: Proof,
    ends: &[(&ImplicationRun<W>, NodeId)],
    excluded: &[Derivation],
) -> Derivation {
    let mut derivation = Derivation::default();
    let because = match proof {
        Proof::Contradiction { .. } => {
            let [(run, one), (_, other)] = *ends else { return derivation };
            let mut run = DerivedRun::new(run, links, state, excluded);
            let assumption = run.assumption(&mut derivation);
            let ends = [one, other].map(|end| run.statement(end, &mut derivation));
            Because::Contradiction { assumption, ends }
        }
        Proof::Double { .. } | Proof::Group { .. } => {
            let case = |&(run, end): &(&ImplicationRun<W>, NodeId)| {
                let mut run = DerivedRun::new(run, links, state, excluded);
                [run.assumption(&mut derivation), run.statement(end, &mut derivation)]
            };
            let cases = ends.iter().map(case).collect();
            let others = match proof {
                Proof::Group { group, .. } => lost(links, state, group, &mut derivation),
                Proof::Double { .. } | Proof::Contradiction { .. } => vec![],
            };
            Because::Cases { cases, others }
        }
    };

    let target = statement(links, proof.target());
    let number = derivation.conclude(target, because);
    derivation.exclude_rest_of_cell(links, target, number);
    derivation
}
