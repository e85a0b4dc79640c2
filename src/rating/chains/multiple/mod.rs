//! Finds chains from several assumptions, one of which is true, and from assumptions that contradict themselves.
//!
//! ```text
//! contradiction   a candidate, if true (or false), leads to two statements that exclude each other
//! double          a candidate leads to the same statement, whether it is true or false
//! cell            each candidate of a cell leads to the same statement
//! region          each place of a digit in a house leads to the same statement
//! ```

mod proofs;

pub(super) use self::proofs::{First, FirstOfEach, ForState, Proof, Proofs, Ranked};
use super::bits::{Bits, and, is_empty, members};
use super::links::{CandidateGroup, CandidateIndex, GroupSet, Links};
use super::run::{ChainKind, Detail, ImplicationRun, Literal, NodeId, Rules};
use crate::stop::{InterruptedError, Stop};

/// The chains from all candidates of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Multiple<const W: usize> {
    /// What follows from each candidate being true, if it was needed so far.
    true_runs: Vec<ImplicationRun<W>>,
    done: Vec<bool>,
    /// What follows from the last candidate being false.
    false_run: ImplicationRun<W>,
    /// The number of batches of proofs so far, which decides between proofs that are alike otherwise.
    batches: u64,
}

impl<const W: usize> Multiple<W> {
    /// Finds proofs of all kinds that are allowed, in the reference order; of cells and regions, only proofs from
    /// `groups`.
    ///
    /// # Errors
    ///
    /// If the stop came; then the proofs are not complete.
    pub(super) fn search<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        groups: &GroupSet,
        rules: &mut R,
        proofs: &mut impl Proofs,
        stop: &Stop,
    ) -> Result<(), InterruptedError> {
        self.begin(links);

        // Static chains from a cell with two candidates are forcing chains, which are searched for before.
        let fewest = if kind == ChainKind::Static { 3 } else { 2 };
        let mut candidate = 0;
        while candidate < links.len() {
            stop.check()?;
            let group = CandidateGroup::of_cell(links.cell(candidate));
            let end = candidate + links.members[group.index()].len();
            let in_cell = end - candidate;

            if in_cell >= fewest {
                for candidate in candidate..end {
                    if kind != ChainKind::Static {
                        self.proofs_of_candidate(links, kind, candidate, in_cell, rules, proofs)?;
                    }
                    if kind != ChainKind::Nishio {
                        self.start_proofs_of_houses(links, kind, candidate, groups, rules, proofs)?;
                    }
                }
                if kind != ChainKind::Nishio && groups.contains(group) {
                    self.proofs_of_group(links, kind, group, rules, proofs)?;
                }
            }
            candidate = end;
        }
        Ok(())
    }

    fn begin(&mut self, links: &Links) {
        if self.true_runs.len() < links.len() {
            self.true_runs.resize_with(links.len(), ImplicationRun::default);
        }
        self.done.clear();
        self.done.resize(links.len(), false);
        self.batches = 0;
    }

    /// Proofs from one candidate, true and false.
    fn proofs_of_candidate<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        candidate: CandidateIndex,
        in_cell: usize,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) -> Result<(), InterruptedError> {
        self.follow_true(links, kind, candidate, proofs.limit(), rules)?;
        outline(&mut self.false_run, links, kind, Literal::new(candidate, false), proofs.limit(), rules)?;
        self.contradictions(links, candidate, rules, proofs);
        if kind == ChainKind::Dynamic && in_cell >= 3 && self.have_double(candidate) {
            let limit = proofs.limit();
            explain(&mut self.true_runs[candidate], links, kind, Literal::new(candidate, true), limit, rules)?;
            explain(&mut self.false_run, links, kind, Literal::new(candidate, false), limit, rules)?;
            self.doubles(links, candidate, rules, proofs);
        }
        Ok(())
    }

    /// Proofs from the houses in which a candidate is the first place of its digit.
    fn start_proofs_of_houses<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        candidate: CandidateIndex,
        groups: &GroupSet,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) -> Result<(), InterruptedError> {
        let [_, houses @ ..] = links.groups(candidate);
        for group in houses {
            if groups.contains(group)
                && links.members[group.index()].len() >= 2
                && links.members(group).next() == Some(candidate)
            {
                self.proofs_of_group(links, kind, group, rules, proofs)?;
            }
        }
        Ok(())
    }

    fn follow_true<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        candidate: CandidateIndex,
        limit: u32,
        rules: &mut R,
    ) -> Result<(), InterruptedError> {
        if !self.done[candidate] {
            self.done[candidate] = true;
            outline(&mut self.true_runs[candidate], links, kind, Literal::new(candidate, true), limit, rules)?;
        }
        Ok(())
    }

    fn contradictions<R: Rules>(
        &mut self,
        links: &Links,
        candidate: CandidateIndex,
        rules: &R,
        proofs: &mut impl Proofs,
    ) {
        for (on, run) in [(true, &self.true_runs[candidate]), (false, &self.false_run)] {
            self.batches += 1;
            if let Some(ends) = run.contradiction {
                let proof = Proof::Contradiction { assumption: Literal::new(candidate, on) };
                offer(links, proofs, rules, proof, self.batches << 16, ends.map(|end| (run, end)).into_iter());
            }
        }
    }

    /// Whether the runs of a candidate have a statement in common.
    fn have_double(&self, source: CandidateIndex) -> bool {
        let runs = [&self.true_runs[source], &self.false_run];
        [true, false].into_iter().any(|on| !is_empty(&common(runs.into_iter(), on)))
    }

    fn doubles<R: Rules>(&mut self, links: &Links, source: CandidateIndex, rules: &R, proofs: &mut impl Proofs) {
        let runs = [&self.true_runs[source], &self.false_run];
        for on in [true, false] {
            self.batches += 1;
            for target in members(&common(runs.into_iter(), on)) {
                let target = Literal::new(target, on);
                let found = self.batches << 16 | u64::from(runs[0].node_of(target).place());
                let ends = runs.map(|run| (run, run.node_of(target)));
                offer(links, proofs, rules, Proof::Double { source, target }, found, ends.into_iter());
            }
        }
    }

    /// Proofs from all members of a group.
    fn proofs_of_group<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        group: CandidateGroup,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) -> Result<(), InterruptedError> {
        let mut sources = [0; 9];
        let mut length = 0;
        for member in links.members(group) {
            self.follow_true(links, kind, member, proofs.limit(), rules)?;
            sources[length] = member;
            length += 1;
        }

        // Outlines have all that the runs have. So if they have nothing in common, the runs have not.
        let outlines = sources[..length].iter().map(|&member| &self.true_runs[member]);
        if [true, false].into_iter().any(|on| !is_empty(&common(outlines.clone(), on))) {
            for &member in &sources[..length] {
                let run = &mut self.true_runs[member];
                explain(run, links, kind, Literal::new(member, true), proofs.limit(), rules)?;
            }
        }

        // What is true, or false, in all runs.
        let runs = sources[..length].iter().map(|&member| &self.true_runs[member]);
        let Some(first) = runs.clone().next() else { return Ok(()) };
        for on in [true, false] {
            self.batches += 1;
            for target in members(&common(runs.clone(), on)) {
                let target = Literal::new(target, on);
                let found = self.batches << 16 | u64::from(first.node_of(target).place());
                let ends = runs.clone().map(|run| (run, run.node_of(target)));
                offer(links, proofs, &*rules, Proof::Group { group, target }, found, ends);
            }
        }
        Ok(())
    }

    /// Follows the true candidates of a proof again, with rules that record what they exclude.
    pub(super) fn follow_again<R: Rules>(
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

    /// The runs of a proof with the statements that they end in.
    pub(super) fn ends<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        proof: Proof,
        rules: &mut R,
    ) -> Result<Vec<(&ImplicationRun<W>, NodeId)>, InterruptedError> {
        Ok(match proof {
            Proof::Contradiction { assumption } => {
                let run = if assumption.on {
                    &self.true_runs[assumption.index()]
                } else {
                    self.false_run.follow(links, kind, assumption, u32::MAX, rules, Detail::Exact)?;
                    &self.false_run
                };
                run.contradiction.into_iter().flatten().map(|end| (run, end)).collect()
            }
            Proof::Double { source, target } => {
                let assumption = Literal::new(source, false);
                self.false_run.follow(links, kind, assumption, u32::MAX, rules, Detail::Exact)?;
                let runs = [&self.true_runs[source], &self.false_run];
                runs.into_iter().map(|run| (run, run.node_of(target))).collect()
            }
            Proof::Group { group, target } => {
                links.members(group).map(|m| &self.true_runs[m]).map(|run| (run, run.node_of(target))).collect()
            }
        })
    }
}

/// Follows an assumption in outline. A contradiction ends a run, so that its outline may lack what the exact run has;
/// then it is followed exactly.
fn outline<const W: usize, R: Rules>(
    run: &mut ImplicationRun<W>,
    links: &Links,
    kind: ChainKind,
    assumption: Literal,
    limit: u32,
    rules: &mut R,
) -> Result<(), InterruptedError> {
    run.follow(links, kind, assumption, limit, rules, Detail::Outline)?;
    if run.contradiction.is_some() { explain(run, links, kind, assumption, limit, rules) } else { Ok(()) }
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

/// The candidates that are true, or false, in all runs.
fn common<'a, const W: usize>(mut runs: impl Iterator<Item = &'a ImplicationRun<W>>, on: bool) -> Bits<W> {
    let side = |run: &'a ImplicationRun<W>| if on { &run.on } else { &run.off };
    let first = runs.next().map_or([0; W], |run| *side(run));
    runs.fold(first, |common, run| and(&common, side(run)))
}

/// Offers a proof, if it removes anything.
fn offer<'a, const W: usize, R: Rules>(
    links: &Links,
    proofs: &mut impl Proofs,
    rules: &R,
    proof: Proof,
    found: u64,
    ends: impl Iterator<Item = (&'a ImplicationRun<W>, NodeId)> + Clone,
) {
    let target = proof.target();
    if target.on && links.members[CandidateGroup::of_cell(links.cell(target.index())).index()].len() == 1 {
        return;
    }

    // From the cheapest bound to the exact complexity: most proofs are more complex than the best so far.
    let least = ends.clone().map(|(run, end)| run.least(end)).sum();
    if !proofs.wants(target, least) {
        return;
    }
    let flat = ends.clone().map(|(run, end)| run.count(links, end)).sum();
    if proofs.wants(target, flat) {
        let complexity = flat + rules.nested_complexity(links, ends);
        proofs.take(Ranked { complexity, kind: proof.kind(), found, proof });
    }
}
