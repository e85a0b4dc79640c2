//! Finds chains from several assumptions, at least one of them true, and assumptions that contradict themselves.
//!
//! ```text
//! contradiction   a candidate, if true (or false), leads to two statements that exclude each other
//! double          a candidate leads to the same statement, whether it is true or false
//! cell            each candidate of a cell leads to the same statement
//! region          each place of a digit in a house leads to the same statement
//! ```
//!
//! Assumptions are first followed in outline. A run is made exact if a proof may rest on it.

mod proofs;

pub(super) use self::proofs::{First, FirstOfEach, ForState, Proof, Proofs, Ranked};
use super::bits::{Bits, and, is_empty, members};
use super::links::{CandidateGroup, CandidateIndex, GroupSet, Links, MAX_CANDIDATES};
use super::run::{ChainKind, Detail, ImplicationRun, Rules};
use super::statement::{Literal, NodeId};
use crate::stop::{InterruptedError, Stop};

/// The chains from all candidates of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Multiple<const W: usize> {
    /// The consequences of each candidate being true, as far as they were needed.
    true_runs: Vec<ImplicationRun<W>>,
    done: Vec<bool>,
    /// The consequences of the last candidate being false.
    false_run: ImplicationRun<W>,
    /// The number of batches of proofs so far. It breaks ties between proofs.
    batches: u64,
}

impl<const W: usize> Multiple<W> {
    /// Finds the allowed kinds of proofs, in the reference order. Proofs from cells and regions come only from
    /// `groups`.
    ///
    /// # Errors
    ///
    /// If the search is interrupted; the proofs are then incomplete.
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

        // Static chains from a cell with two candidates are forcing chains; an earlier search finds them.
        let fewest = if kind == ChainKind::Static { 3 } else { 2 };
        let mut candidate = 0;
        while candidate < links.len() {
            stop.check()?;
            let group = CandidateGroup::of_cell(links.cell(candidate));
            // Candidates are numbered cell by cell.
            let end = candidate + links.members[group.index()].len();
            let in_cell = end - candidate;

            if in_cell >= fewest {
                // The order of the reference program: the candidates of a cell with their houses, and then the cell.
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
        // Runs keep their memory from one state to the next; their content is valid only if they are done.
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
        // In a cell with two candidates, a double is a proof from the cell.
        let doubles = kind == ChainKind::Dynamic && in_cell >= 3;
        let [on, off] = [true, false].map(|on| Literal::new(candidate, on));
        // The contradictions of both assumptions, and the true and the false doubles, are one batch each.
        let batch = self.batches;
        self.batches += 4;
        self.follow_true(links, kind, candidate, proofs.limit(), rules)?;
        self.contradiction(links, on, batch, rules, proofs);
        if !self.false_may_have_proofs(links, kind, candidate, doubles, rules, proofs)? {
            return Ok(());
        }

        outline(&mut self.false_run, links, kind, off, proofs.limit(), rules)?;
        self.contradiction(links, off, batch + 1, rules, proofs);
        // The complexity of a double is the sum of both runs, so both must be exact.
        if doubles && have_common([&self.true_runs[candidate], &self.false_run].into_iter()) {
            explain(&mut self.true_runs[candidate], links, kind, on, proofs.limit(), rules)?;
            explain(&mut self.false_run, links, kind, off, proofs.limit(), rules)?;
            self.doubles(links, candidate, batch + 2, rules, proofs);
        }
        Ok(())
    }

    /// Whether a candidate, if false, may contradict itself or have doubles.
    ///
    /// If it is one of two candidates of a group, its being false has the same consequences as the other one being
    /// true, since each implies the other. Only the complexities may differ.
    fn false_may_have_proofs<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        candidate: CandidateIndex,
        doubles: bool,
        rules: &mut R,
        proofs: &mut impl Proofs,
    ) -> Result<bool, InterruptedError> {
        let other = links.strong(candidate).into_iter().map(usize::from).find(|&other| other < MAX_CANDIDATES);
        let Some(other) = other.filter(|_| kind == ChainKind::Dynamic) else { return Ok(true) };
        self.follow_true(links, kind, other, proofs.limit(), rules)?;
        let runs = [candidate, other].map(|candidate| &self.true_runs[candidate]);
        // A run that was cut short lacks consequences, so it proves nothing about the false candidate.
        Ok(runs[1].is_cut || runs[1].contradiction.is_some() || doubles && have_common(runs.into_iter()))
    }

    /// Proofs from the houses where a candidate is the first place of its digit.
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

    /// The proof from a candidate that contradicts itself.
    fn contradiction<R: Rules>(
        &self,
        links: &Links,
        assumption: Literal,
        batch: u64,
        rules: &R,
        proofs: &mut impl Proofs,
    ) {
        let run = if assumption.on { &self.true_runs[assumption.index()] } else { &self.false_run };
        if let Some(ends) = run.contradiction {
            let proof = Proof::Contradiction { assumption };
            offer(links, proof, batch, ends.map(|end| (run, end)).into_iter(), rules, proofs);
        }
    }

    fn doubles<R: Rules>(
        &self,
        links: &Links,
        source: CandidateIndex,
        batch: u64,
        rules: &R,
        proofs: &mut impl Proofs,
    ) {
        for on in [true, false] {
            let runs = [&self.true_runs[source], &self.false_run];
            for target in members(&common(runs.into_iter(), on)) {
                let proof = Proof::Double { source, target: Literal::new(target, on) };
                let ends = runs.into_iter().map(|run| (run, run.node_of(proof.target())));
                offer(links, proof, batch + u64::from(!on), ends, rules, proofs);
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
        // The true and the false statements are one batch each.
        let batch = self.batches;
        self.batches += 2;
        let mut sources = [0; 9];
        let mut length = 0;
        for member in links.members(group) {
            self.follow_true(links, kind, member, proofs.limit(), rules)?;
            sources[length] = member;
            length += 1;
        }

        // Outlines contain the exact runs. So if the outlines have nothing in common, neither have the runs.
        let sources = &sources[..length];
        if have_common(sources.iter().map(|&member| &self.true_runs[member])) {
            for &member in sources {
                let run = &mut self.true_runs[member];
                explain(run, links, kind, Literal::new(member, true), proofs.limit(), rules)?;
            }
        }

        // Collect the statements that hold in all runs.
        let runs = sources.iter().map(|&member| &self.true_runs[member]);
        for on in [true, false] {
            for target in members(&common(runs.clone(), on)) {
                let proof = Proof::Group { group, target: Literal::new(target, on) };
                let ends = runs.clone().map(|run| (run, run.node_of(proof.target())));
                offer(links, proof, batch + u64::from(!on), ends, &*rules, proofs);
            }
        }
        Ok(())
    }

    /// Follows the true candidates of a proof again, with rules that record the reasons for exclusions.
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
            // The false candidate is followed by `ends`.
            Proof::Contradiction { assumption } if !assumption.on => Ok(()),
            Proof::Contradiction { assumption } => follow(assumption.index()),
            Proof::Double { source, .. } => follow(source),
            Proof::Group { group, .. } => links.members(group).try_for_each(follow),
        }
    }

    /// The runs of a proof, with their last statements.
    pub(super) fn ends<R: Rules>(
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
        // The search has one run for all false candidates, so it may be another candidate's by now.
        if let Some(off) = off {
            self.false_run.follow(links, kind, off, u32::MAX, rules, Detail::Exact)?;
        }

        Ok(match proof {
            Proof::Contradiction { assumption } => {
                let run = if assumption.on { &self.true_runs[assumption.index()] } else { &self.false_run };
                run.contradiction.into_iter().flatten().map(|end| (run, end)).collect()
            }
            Proof::Double { source, target } => {
                let runs = [&self.true_runs[source], &self.false_run];
                runs.into_iter().map(|run| (run, run.node_of(target))).collect()
            }
            Proof::Group { group, target } => {
                let runs = links.members(group).map(|member| &self.true_runs[member]);
                runs.map(|run| (run, run.node_of(target))).collect()
            }
        })
    }
}

/// Follows an assumption in outline. If the outline ends in a contradiction, it may lack statements of the exact run,
/// so the run is made exact.
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

/// Whether runs have a statement in common.
fn have_common<'a, const W: usize>(runs: impl Iterator<Item = &'a ImplicationRun<W>> + Clone) -> bool {
    !is_empty(&common(runs.clone(), true)) || !is_empty(&common(runs, false))
}

/// The candidates that are true, or false, in all runs.
fn common<'a, const W: usize>(mut runs: impl Iterator<Item = &'a ImplicationRun<W>>, on: bool) -> Bits<W> {
    let side = |run: &'a ImplicationRun<W>| if on { &run.on } else { &run.off };
    let first = runs.next().map_or([0; W], |run| *side(run));
    runs.fold(first, |common, run| and(&common, side(run)))
}

/// Offers a proof, unless it removes nothing. `batch` is the number of its batch; within a batch, proofs of the same
/// target come in the order of their ends.
fn offer<'a, const W: usize, R: Rules>(
    links: &Links,
    proof: Proof,
    batch: u64,
    ends: impl Iterator<Item = (&'a ImplicationRun<W>, NodeId)> + Clone,
    rules: &R,
    proofs: &mut impl Proofs,
) {
    let target = proof.target();
    if target.on && links.members[CandidateGroup::of_cell(links.cell(target.index())).index()].len() == 1 {
        return;
    }

    // Compare the cheapest bound first, and the exact complexity last: most proofs are more complex than the best so
    // far.
    let least = ends.clone().map(|(run, end)| run.least(end)).sum();
    if !proofs.wants(target, least) {
        return;
    }
    let flat = ends.clone().map(|(run, end)| run.count(links, end)).sum();
    if proofs.wants(target, flat) {
        let place = match proof {
            // The batch of a contradiction has only this proof.
            Proof::Contradiction { .. } => 0,
            Proof::Double { .. } | Proof::Group { .. } => ends.clone().next().map_or(0, |(_, end)| end.place()),
        };
        let complexity = flat + rules.nested_complexity(links, ends);
        proofs.take(Ranked { complexity, kind: proof.kind(), found: batch << 16 | u64::from(place), proof });
    }
}
