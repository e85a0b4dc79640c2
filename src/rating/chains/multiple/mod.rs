//! Finds chains from several assumptions, one of which is true, and from assumptions that contradict themselves.
//!
//! ```text
//! contradiction   a candidate, if true (or false), leads to two statements that exclude each other
//! double          a candidate leads to the same statement, whether it is true or false
//! cell            each candidate of a cell leads to the same statement
//! region          each place of a digit in a house leads to the same statement
//! ```
//!
//! All assumptions are followed in outline first. Proofs that need exact runs are [`pending`] until then. What follows is
//! often known from an earlier state, see [`memory`].

mod ends;
mod memory;
mod pending;
mod proofs;
#[cfg(test)]
mod tests;

use self::ends::flat_if_wanted;
use self::memory::{MEMORIES, Memory, Sides};
use self::pending::{FalseSource, Pending, Source, estimate, estimate_of_group, have_common, is_unknown};
pub(super) use self::proofs::{First, FirstOfEach, ForState, Proof, Proofs, Ranked};
use super::bits::{Bits, and, members};
use super::links::{CandidateGroup, CandidateIndex, GroupSet, Links, MAX_CANDIDATES};
use super::run::{ChainKind, Detail, ImplicationRun, Literal, Rules};
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
    /// What may have proofs, but is followed in outline so far.
    pending: Vec<Pending>,
    /// What is true and what is false in outlines of false candidates that have no contradiction.
    outlines: Vec<Option<Sides<W>>>,
    /// What is remembered of earlier searches, and the one that is made, if it is to be remembered.
    memories: [Memory<W>; MEMORIES],
    memory: Option<usize>,
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
        self.search_outlines(links, kind, groups, rules, proofs, stop)?;
        if let Some(memory) = self.memory {
            for candidate in (0..links.len()).filter(|&candidate| self.done[candidate]) {
                self.memories[memory].keep(Literal::new(candidate, true), &self.true_runs[candidate]);
            }
        }
        self.search_pending(links, kind, rules, proofs, stop)
    }

    /// Follows all assumptions in outline, and finds the proofs from those whose outlines are exact.
    fn search_outlines<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        groups: &GroupSet,
        rules: &mut R,
        proofs: &mut impl Proofs,
        stop: &Stop,
    ) -> Result<(), InterruptedError> {
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
        self.pending.clear();
        self.outlines.clear();
        if let Some(memory) = self.memory {
            self.memories[memory].begin(links);
        }
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
        let doubles = kind == ChainKind::Dynamic && in_cell >= 3;
        let batch = self.batches;
        self.batches += 4;
        self.follow_true(links, kind, candidate, proofs.limit(), rules)?;
        let false_has_proofs = self.false_may_have_proofs(links, kind, candidate, doubles, rules, proofs)?;

        let mut estimate_of_true = 0;
        if is_unknown(&self.true_runs[candidate]) {
            estimate_of_true = estimate(links, &self.true_runs[candidate]);
            let source = Source::True(candidate);
            self.pending.push(Pending { estimate: estimate_of_true, batch, source });
        } else {
            self.contradiction(links, Literal::new(candidate, true), batch, rules, proofs);
        }
        if !false_has_proofs {
            return Ok(());
        }

        let assumption = Literal::new(candidate, false);
        self.false_run.follow(links, kind, assumption, proofs.limit(), rules, Detail::Outline)?;
        if let Some(memory) = self.memory {
            self.memories[memory].keep(assumption, &self.false_run);
        }
        if !is_unknown(&self.false_run) {
            self.contradiction(links, Literal::new(candidate, false), batch + 1, rules, proofs);
        }
        let may_have_double = doubles && self.may_have_double(candidate);
        if is_unknown(&self.false_run) || may_have_double && self.double_is_outline(candidate) {
            let outline = (!is_unknown(&self.false_run)).then_some([self.false_run.on, self.false_run.off]);
            let estimate = estimate(links, &self.false_run).max(estimate_of_true + 1);
            let source = Source::False(FalseSource { candidate, doubles, outline: self.outlines.len() });
            self.outlines.push(outline);
            self.pending.push(Pending { estimate, batch, source });
        } else if may_have_double {
            self.doubles(links, candidate, batch + 2, rules, proofs);
        }
        Ok(())
    }

    /// Whether a candidate, if false, may contradict itself or have doubles.
    ///
    /// If it is one of two candidates of a group, all that follows is what follows from the other one being true, since
    /// each of both follows from the other. Only the complexities may differ.
    ///
    /// If it is remembered that there is no contradiction, only doubles are left.
    fn false_may_have_proofs<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        candidate: CandidateIndex,
        doubles: bool,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) -> Result<bool, InterruptedError> {
        if let Some(sides) = self.memory.and_then(|memory| self.memories[memory].known(Literal::new(candidate, false)))
        {
            self.false_run.set_outline(sides);
            return Ok(doubles && self.may_have_double(candidate));
        }
        let other = links.strong(candidate).into_iter().map(usize::from).find(|&other| other < MAX_CANDIDATES);
        let Some(other) = other.filter(|_| kind == ChainKind::Dynamic) else { return Ok(true) };
        self.follow_true(links, kind, other, proofs.limit(), rules)?;
        let runs = [candidate, other].map(|candidate| &self.true_runs[candidate]);
        Ok(runs[1].is_cut || runs[1].contradiction.is_some() || doubles && have_common(runs.into_iter()))
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
            let assumption = Literal::new(candidate, true);
            let run = &mut self.true_runs[candidate];
            match self.memory.and_then(|memory| self.memories[memory].known(assumption)) {
                Some(sides) => run.set_outline(sides),
                None => run.follow(links, kind, assumption, limit, rules, Detail::Outline)?,
            }
        }
        Ok(())
    }

    /// The proof from a candidate that contradicts itself.
    fn contradiction<R: Rules>(
        &mut self,
        links: &Links,
        assumption: Literal,
        batch: u64,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) {
        let run = if assumption.on { &self.true_runs[assumption.index()] } else { &self.false_run };
        if let Some(ends) = run.contradiction {
            let proof = Proof::Contradiction { assumption };
            if let Some(flat) = flat_if_wanted(links, proof, ends.map(|end| (run, end)).into_iter(), proofs) {
                self.take(links, proof, flat, batch, rules, proofs);
            }
        }
    }

    /// Whether the runs of a candidate may have a statement in common.
    fn may_have_double(&self, source: CandidateIndex) -> bool {
        have_common([&self.true_runs[source], &self.false_run].into_iter())
    }

    /// Whether one of the runs of a candidate is not exact.
    fn double_is_outline(&self, source: CandidateIndex) -> bool {
        self.true_runs[source].is_outline || self.false_run.is_outline
    }

    fn doubles<R: Rules>(
        &mut self,
        links: &Links,
        source: CandidateIndex,
        batch: u64,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) {
        for on in [true, false] {
            let runs = [&self.true_runs[source], &self.false_run];
            for target in members(&common(runs.into_iter(), on)) {
                let proof = Proof::Double { source, target: Literal::new(target, on) };
                let runs = [&self.true_runs[source], &self.false_run].into_iter();
                let ends = runs.map(|run| (run, run.node_of(proof.target())));
                if let Some(flat) = flat_if_wanted(links, proof, ends, proofs) {
                    self.take(links, proof, flat, batch + u64::from(!on), rules, proofs);
                }
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
        let batch = self.batches;
        self.batches += 2;
        let mut sources = [0; 9];
        let mut length = 0;
        for member in links.members(group) {
            self.follow_true(links, kind, member, proofs.limit(), rules)?;
            sources[length] = member;
            length += 1;
        }

        // Outlines have all that the runs have. So if they have nothing in common, the runs have not.
        let sources = &sources[..length];
        let runs = sources.iter().map(|&member| &self.true_runs[member]);
        if runs.clone().all(|run| !run.is_outline) {
            self.exact_proofs_of_group(links, group, sources, batch, rules, proofs);
        } else if have_common(runs.clone()) {
            let estimate = estimate_of_group(links, runs);
            self.pending.push(Pending { estimate, batch, source: Source::Group(group) });
        }
        Ok(())
    }

    /// Proofs from all members of a group, whose runs are exact: what is true, or false, in all of them.
    fn exact_proofs_of_group<R: Rules>(
        &mut self,
        links: &Links,
        group: CandidateGroup,
        sources: &[CandidateIndex],
        batch: u64,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) {
        for on in [true, false] {
            for target in members(&common(sources.iter().map(|&member| &self.true_runs[member]), on)) {
                let proof = Proof::Group { group, target: Literal::new(target, on) };
                let runs = sources.iter().map(|&member| &self.true_runs[member]);
                let ends = runs.map(|run| (run, run.node_of(proof.target())));
                if let Some(flat) = flat_if_wanted(links, proof, ends, proofs) {
                    self.take(links, proof, flat, batch + u64::from(!on), rules, proofs);
                }
            }
        }
    }
}

/// The candidates that are true, or false, in all runs.
fn common<'a, const W: usize>(mut runs: impl Iterator<Item = &'a ImplicationRun<W>>, on: bool) -> Bits<W> {
    let side = |run: &'a ImplicationRun<W>| if on { &run.on } else { &run.off };
    let first = runs.next().map_or([0; W], |run| *side(run));
    runs.fold(first, |common, run| and(&common, side(run)))
}
