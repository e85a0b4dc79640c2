//! The statements that proofs end in, and how complex proofs are.

use super::{Multiple, Proof, Proofs, Ranked};
use crate::rating::chains::links::{CandidateGroup, CandidateIndex, Links};
use crate::rating::chains::run::{ChainKind, Detail, ImplicationRun, Literal, NodeId, Rules};
use crate::stop::InterruptedError;

impl<const W: usize> Multiple<W> {
    /// Follows the true candidates of a proof again, with rules that record what they exclude.
    pub(in crate::rating::chains) fn follow_again<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        proof: Proof,
        rules: &mut R,
    ) -> Result<(), InterruptedError> {
        let mut follow = |candidate: CandidateIndex| {
            self.true_runs[candidate].follow(links, kind, Literal::new(candidate, true), u32::MAX, rules, Detail::Exact)
        };
        match proof {
            Proof::Contradiction { assumption } if !assumption.on => Ok(()),
            Proof::Contradiction { assumption } => follow(assumption.index()),
            Proof::Double { source, .. } => follow(source),
            Proof::Group { group, .. } => links.members(group).try_for_each(follow),
        }
    }

    /// The runs of a proof with the statements that they end in, whose chains are traced.
    pub(in crate::rating::chains) fn ends<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        proof: Proof,
        rules: &mut R,
    ) -> Result<Vec<(&ImplicationRun<W>, NodeId)>, InterruptedError> {
        let off = match proof {
            Proof::Contradiction { assumption } => Some(assumption).filter(|assumption| !assumption.on),
            Proof::Double { source, .. } => Some(Literal::new(source, false)),
            Proof::Group { .. } => None,
        };
        if let Some(off) = off {
            self.false_run.follow(links, kind, off, u32::MAX, rules, Detail::Exact)?;
        }
        self.trace_chains(links, proof, rules);
        Ok(self.ends_of(links, proof).into_iter().flatten().collect())
    }

    /// The statements that a proof ends in, with their runs.
    fn ends_of(&self, links: &Links, proof: Proof) -> [Option<(&ImplicationRun<W>, NodeId)>; 9] {
        let mut ends = [None; 9];
        match proof {
            Proof::Contradiction { assumption } => {
                let run = if assumption.on { &self.true_runs[assumption.index()] } else { &self.false_run };
                for (place, end) in run.contradiction.into_iter().flatten().enumerate() {
                    ends[place] = Some((run, end));
                }
            }
            Proof::Double { source, target } => {
                for (place, run) in [&self.true_runs[source], &self.false_run].into_iter().enumerate() {
                    ends[place] = Some((run, run.node_of(target)));
                }
            }
            Proof::Group { group, target } => {
                for (place, member) in links.members(group).enumerate() {
                    let run = &self.true_runs[member];
                    ends[place] = Some((run, run.node_of(target)));
                }
            }
        }
        ends
    }

    /// Traces the chains that a proof rests on.
    fn trace_chains<R: Rules>(&mut self, links: &Links, proof: Proof, rules: &mut R) {
        match proof {
            Proof::Contradiction { assumption } => {
                let run = if assumption.on { &mut self.true_runs[assumption.index()] } else { &mut self.false_run };
                for end in run.contradiction.into_iter().flatten() {
                    run.trace_chains(links, end, rules);
                }
            }
            Proof::Double { source, target } => {
                for run in [&mut self.true_runs[source], &mut self.false_run] {
                    run.trace_chains(links, run.node_of(target), rules);
                }
            }
            Proof::Group { group, target } => {
                for member in links.members(group) {
                    let run = &mut self.true_runs[member];
                    run.trace_chains(links, run.node_of(target), rules);
                }
            }
        }
    }

    /// Takes a proof that rests on `flat` statements, or more if its chains are not traced.
    pub(super) fn take<R: Rules>(
        &mut self,
        links: &Links,
        proof: Proof,
        mut flat: u32,
        batch: u64,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) {
        if R::EXIST && self.ends_of(links, proof).iter().flatten().any(|(run, _)| run.has_untraced()) {
            self.trace_chains(links, proof, rules);
            flat = self.ends_of(links, proof).iter().flatten().map(|&(run, end)| run.count(links, end)).sum();
            if !proofs.wants(proof.target(), flat) {
                return;
            }
        }
        let ends = self.ends_of(links, proof);
        let ends = ends.iter().flatten().copied();
        let place = match proof {
            Proof::Contradiction { .. } => 0,
            Proof::Double { .. } | Proof::Group { .. } => ends.clone().next().map_or(0, |(_, end)| end.place()),
        };
        let complexity = flat + rules.nested_complexity(links, ends);
        let found = batch << 16 | u64::from(place);
        proofs.take(Ranked { complexity, kind: proof.kind(), found, proof });
    }
}

/// The number of statements that a proof rests on, or a lower bound of it, if the proof removes anything and may be
/// wanted.
pub(super) fn flat_if_wanted<'a, const W: usize>(
    links: &Links,
    proof: Proof,
    ends: impl Iterator<Item = (&'a ImplicationRun<W>, NodeId)> + Clone,
    proofs: &impl Proofs,
) -> Option<u32> {
    let target = proof.target();
    if target.on && links.members[CandidateGroup::of_cell(links.cell(target.index())).index()].len() == 1 {
        return None;
    }

    // From the cheapest bound to the exact complexity: most proofs are more complex than the best so far.
    let least: u32 = ends.clone().map(|(run, end)| run.least(end)).sum();
    if !proofs.wants(target, least) {
        return None;
    }
    // Different runs may rest on the same chains.
    let chains = match proof {
        Proof::Contradiction { .. } => {
            ends.clone().next().map_or(0, |(run, _)| run.least_of_chains(run.contradiction.into_iter().flatten()))
        }
        _ => ends.clone().map(|(run, end)| run.least_of_chains([end].into_iter())).max().unwrap_or(0),
    };
    if !proofs.wants(target, least + chains) {
        return None;
    }
    let flat: u32 = ends.map(|(run, end)| run.count(links, end)).sum();
    proofs.wants(target, flat + chains).then_some(flat)
}
