//! Proofs that need exact runs. They come after all assumptions have been followed in outline, the ones that are likely to
//! be simple first: a simple proof ends the runs that lead to others early.

use super::{Multiple, common};
use crate::rating::chains::bits::{Bits, and, is_empty, members};
use crate::rating::chains::links::{CandidateGroup, CandidateIndex, Links};
use crate::rating::chains::multiple::Proofs;
use crate::rating::chains::run::{ChainKind, Detail, ImplicationRun, Literal, Rules};
use crate::stop::{InterruptedError, Stop};

/// What may have proofs, but is followed in outline so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// How complex the simplest proof may be. That decides nothing but the order.
    pub(super) estimate: u32,
    /// The number of the first batch of its proofs.
    pub(super) batch: u64,
    pub(super) source: Source,
}

/// Where proofs come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// A true candidate that contradicts itself.
    True(CandidateIndex),
    /// A false candidate that contradicts itself, or has perhaps doubles.
    False(FalseSource),
    Group(CandidateGroup),
}

/// A false candidate that is followed in outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct FalseSource {
    pub(super) candidate: CandidateIndex,
    /// Whether doubles count.
    pub(super) doubles: bool,
    /// The place of its outline.
    pub(super) outline: usize,
}

impl<const W: usize> Multiple<W> {
    /// Finds the proofs that need exact runs.
    pub(super) fn search_pending<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        rules: &mut R,
        proofs: &mut impl Proofs,
        stop: &Stop,
    ) -> Result<(), InterruptedError> {
        let mut pending = std::mem::take(&mut self.pending);
        pending.sort_by_key(|pending| pending.estimate);
        for &Pending { batch, source, .. } in &pending {
            stop.check()?;
            match source {
                Source::True(candidate) => {
                    let assumption = Literal::new(candidate, true);
                    explain(&mut self.true_runs[candidate], links, kind, assumption, proofs.limit(), rules)?;
                    self.contradiction(links, assumption, batch, rules, proofs);
                }
                Source::False(source) => self.proofs_of_false(links, kind, source, batch, rules, proofs)?,
                Source::Group(group) => self.explained_proofs_of_group(links, kind, group, batch, rules, proofs)?,
            }
        }
        self.pending = pending;
        Ok(())
    }

    /// Proofs from a false candidate, of which outlines have been followed.
    fn proofs_of_false<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        source: FalseSource,
        batch: u64,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) -> Result<(), InterruptedError> {
        let FalseSource { candidate, doubles, outline } = source;
        let [on, off] = [true, false].map(|on| Literal::new(candidate, on));
        if doubles && is_unknown(&self.true_runs[candidate]) {
            explain(&mut self.true_runs[candidate], links, kind, on, proofs.limit(), rules)?;
        }
        // Without a contradiction, only doubles are left to prove.
        let true_run = &self.true_runs[candidate];
        let is_apart =
            |[on, off]: &[Bits<W>; 2]| is_empty(&and(on, &true_run.on)) && is_empty(&and(off, &true_run.off));
        if self.outlines[outline].as_ref().is_some_and(is_apart) {
            return Ok(());
        }

        self.false_run.follow(links, kind, off, proofs.limit(), rules, Detail::Exact)?;
        if self.outlines[outline].is_none() {
            self.contradiction(links, off, batch + 1, rules, proofs);
        }
        if doubles && self.may_have_double(candidate) {
            explain(&mut self.true_runs[candidate], links, kind, on, proofs.limit(), rules)?;
            self.doubles(links, candidate, batch + 2, rules, proofs);
        }
        Ok(())
    }

    /// Proofs from all members of a group, of which outlines have been followed.
    fn explained_proofs_of_group<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        group: CandidateGroup,
        batch: u64,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) -> Result<(), InterruptedError> {
        for member in links.members(group) {
            let run = &mut self.true_runs[member];
            if is_unknown(run) {
                explain(run, links, kind, Literal::new(member, true), proofs.limit(), rules)?;
            }
        }
        if have_common(links.members(group).map(|member| &self.true_runs[member])) {
            for member in links.members(group) {
                let run = &mut self.true_runs[member];
                explain(run, links, kind, Literal::new(member, true), proofs.limit(), rules)?;
            }
            let sources: Vec<CandidateIndex> = links.members(group).collect();
            self.exact_proofs_of_group(links, group, &sources, batch, rules, proofs);
        }
        Ok(())
    }
}

/// Makes a run exact, if it is an outline.
fn explain<const W: usize, R: Rules>(
    run: &mut ImplicationRun<W>,
    links: &Links,
    kind: ChainKind,
    assumption: Literal,
    limit: u32,
    rules: &mut R,
) -> Result<(), InterruptedError> {
    if run.is_outline { run.follow(links, kind, assumption, limit, rules, Detail::Exact) } else { Ok(()) }
}

/// Whether a run is an outline with a contradiction. A contradiction ends a run, so that the outline may lack what the
/// exact run has.
pub(super) fn is_unknown<const W: usize>(run: &ImplicationRun<W>) -> bool {
    run.is_outline && run.contradiction.is_some()
}

/// Whether runs may have a statement in common.
pub(super) fn have_common<'a, const W: usize>(runs: impl Iterator<Item = &'a ImplicationRun<W>> + Clone) -> bool {
    let known = runs.filter(|run| !is_unknown(run));
    known.clone().next().is_none() || [true, false].into_iter().any(|on| !is_empty(&common(known.clone(), on)))
}

/// How complex the contradiction of a run may be.
pub(super) fn estimate<const W: usize>(links: &Links, run: &ImplicationRun<W>) -> u32 {
    run.contradiction.into_iter().flatten().map(|end| run.estimate(links, end)).sum()
}

/// How complex a proof from the members of a group may be. Unknown runs come first.
pub(super) fn estimate_of_group<'a, const W: usize>(
    links: &Links,
    runs: impl Iterator<Item = &'a ImplicationRun<W>> + Clone,
) -> u32 {
    let unknown = runs.clone().filter(|run| is_unknown(run)).map(|run| estimate(links, run) + 1).max().unwrap_or(0);
    let known = runs.filter(|run| !is_unknown(run));
    let least = |target: Literal| known.clone().map(|run| run.least_of(target)).sum::<u32>();
    let sides = [true, false].map(|on| (on, common(known.clone(), on)));
    let targets = sides.iter().flat_map(|(on, side)| members(side).map(|target| Literal::new(target, *on)));
    let simplest = targets.min_by_key(|&target| least(target));
    let estimate = simplest.map_or(0, |target| known.clone().map(|run| run.estimate_of(links, target)).sum());
    estimate.max(unknown)
}
