//! The eliminations of other techniques when a dynamic run has no further implications.
//!
//! [`Rules`] is the set of techniques that chains of a nesting may use. A technique is applied to the grid without the
//! candidates that are false so far, and adds its findings to the [`Exclusions`].

use super::{ImplicationRun, known};
use crate::rating::candidates::Candidates;
use crate::rating::chains::bits::{has, insert};
use crate::rating::chains::derivation::Derivation;
use crate::rating::chains::links::{CandidateIndex, CandidateSet, Links, MAX_CANDIDATES};
use crate::rating::chains::statement::{Cause, ChainId, NodeId, RuleCause};
use crate::stop::InterruptedError;

/// The detail that a run keeps of the chains within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating::chains) enum Detail {
    /// Each chain in full.
    Exact,
    /// Only the candidates that static chains exclude, if the closure of the links finds them. Such a run is an
    /// outline.
    ///
    /// An outline without a contradiction contains the exact run, whatever the limit of that run. Proof: in an outline
    /// no statement is too complex, so it ends only when nothing more follows. Take the first statement of the exact
    /// run that is missing. All statements that it rests on are in the outline, whose grid has at most fewer
    /// candidates.
    ///
    /// * By a link: at most the same candidates are left in its group, so the last one is the same.
    /// * By a simple pattern: the rest of it is the same pattern, or leaves a single with the same consequences.
    /// * By a chain: the chain is still there, see [`closure`](super::super::closure), which finds everything that
    ///   chains exclude.
    ///
    /// So it is not missing. Therefore the exact run does not end in a contradiction either.
    Outline,
}

/// A chain that excludes a candidate.
#[derive(Clone, Copy, Debug)]
pub(in crate::sudoku::rating::chains) struct NestedChain {
    pub(in crate::sudoku::rating::chains) id: ChainId,
    pub(in crate::sudoku::rating::chains) complexity: u32,
}

/// The candidates that other techniques exclude, given the candidates that are false so far.
#[derive(Clone, Debug, Default)]
pub(in crate::sudoku::rating::chains) struct Exclusions {
    pub(super) items: Vec<Exclusion>,
    pub(super) parents: Vec<u16>,
    /// The candidates that are excluded with reasons.
    candidates: CandidateSet,
    /// Whether the techniques have found everything: a pattern that appears later rests on one of these exclusions.
    pub(in crate::sudoku::rating::chains) are_complete: bool,
    /// Whether the reasons are left out.
    pub(super) are_unexplained: bool,
}

/// An excluded candidate, and the reason.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exclusion {
    pub(super) candidate: u16,
    /// The range of its parents.
    pub(super) parents: [u32; 2],
    pub(super) chain: Option<NestedChain>,
    /// The number of its derivation, if these are recorded.
    pub(super) reason: u32,
}

impl Exclusions {
    /// Adds candidates that are excluded because `parents` are false. Without parents, nothing is added: the exclusion
    /// then holds without the run. `reason` is the number of the derivation, if derivations are recorded.
    pub(in crate::sudoku::rating::chains) fn add(
        &mut self,
        candidates: impl Iterator<Item = CandidateIndex>,
        parents: impl Iterator<Item = CandidateIndex>,
        chain: Option<NestedChain>,
        reason: u32,
    ) {
        let start = self.parents.len();
        self.parents.extend(parents.map(|parent| parent as u16));
        let parents = [start as u32, self.parents.len() as u32];
        if parents[0] < parents[1] {
            let exclusion = |candidate| Exclusion { candidate: candidate as u16, parents, chain, reason };
            for candidate in candidates {
                insert(&mut self.candidates, candidate);
                self.items.push(exclusion(candidate));
            }
        }
    }

    /// Adds candidates that are excluded for a reason that an outline leaves out.
    pub(in crate::sudoku::rating::chains) fn add_unexplained(
        &mut self,
        candidates: impl Iterator<Item = CandidateIndex>,
    ) {
        let at = self.parents.len() as u32;
        let exclusion =
            |candidate| Exclusion { candidate: candidate as u16, parents: [at, at], chain: None, reason: 0 };
        self.items.extend(candidates.map(exclusion));
        self.are_unexplained = true;
    }

    /// Whether a candidate is excluded, with reasons.
    pub(in crate::sudoku::rating::chains) fn contains(&self, candidate: CandidateIndex) -> bool {
        has(&self.candidates, candidate)
    }

    pub(in crate::sudoku::rating::chains) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.parents.clear();
        self.candidates = [0; MAX_CANDIDATES.div_ceil(64)];
        self.are_complete = false;
        self.are_unexplained = false;
    }
}

/// Finds candidates that other techniques exclude when a dynamic run has no further implications.
///
/// Once [`Rules::record`] was called, the derivations of all exclusions are kept.
pub(in crate::sudoku::rating::chains) trait Rules {
    /// Whether there are any rules.
    const EXIST: bool;

    /// Begins a run: nothing is false yet.
    fn begin(&mut self, detail: Detail);

    /// Writes the candidates that are excluded if the candidates in `off`, in this order, are false.
    fn exclude(
        &mut self,
        links: &Links,
        off: &mut dyn Iterator<Item = CandidateIndex>,
        excluded: &mut Exclusions,
    ) -> Result<(), InterruptedError>;

    /// The complexity of the distinct chains that statements rest on.
    fn nested_complexity<'a, const W: usize>(
        &self,
        links: &Links,
        ends: impl Iterator<Item = (&'a ImplicationRun<W>, NodeId)>,
    ) -> u32;

    /// Starts to keep derivations, from the candidates of a state.
    fn record(&mut self, state: &Candidates);

    /// The derivations that were kept.
    fn recorded(&self) -> &[Derivation];
}

/// The empty set of techniques.
pub(in crate::sudoku::rating::chains) struct NoRules;

impl Rules for NoRules {
    const EXIST: bool = false;

    fn begin(&mut self, _: Detail) {}

    fn exclude(
        &mut self,
        _: &Links,
        _: &mut dyn Iterator<Item = CandidateIndex>,
        _: &mut Exclusions,
    ) -> Result<(), InterruptedError> {
        Ok(())
    }

    fn nested_complexity<'a, const W: usize>(
        &self,
        _: &Links,
        _: impl Iterator<Item = (&'a ImplicationRun<W>, NodeId)>,
    ) -> u32 {
        0
    }

    fn record(&mut self, _: &Candidates) {}

    fn recorded(&self) -> &[Derivation] {
        &[]
    }
}

impl<const W: usize> ImplicationRun<W> {
    /// When a run has no further implications, applies the eliminations of other techniques.
    pub(super) fn exclude<R: Rules>(&mut self, links: &Links, rules: &mut R) -> Result<(), InterruptedError> {
        // Taken out of the run while the run changes, and put back for its memory.
        let mut excluded = std::mem::take(&mut self.excluded);
        excluded.clear();
        let mut off = self.offs.iter().map(|node| usize::from(node.candidate));
        rules.exclude(links, &mut off, &mut excluded)?;

        // Everything that follows would rest on these exclusions, and on their chains.
        let is_useful = |exclusion: &Exclusion| {
            let complexity = exclusion.chain.map_or(0, |chain| chain.complexity);
            u32::from(self.least_of_parents(exclusion, &excluded)) + complexity < u32::from(self.limit)
        };
        if excluded.are_complete && self.limit < u16::MAX && !excluded.items.iter().any(is_useful) {
            excluded.clear();
            self.is_cut = true;
        }

        self.is_outline |= excluded.are_unexplained;
        for exclusion in &excluded.items {
            // Several patterns may exclude a candidate. The first one is the cause.
            if self.known[usize::from(exclusion.candidate)] & known::OFF == 0 {
                self.enter_exclusion(exclusion, &excluded);
            }
        }
        self.excluded = excluded;
        Ok(())
    }

    fn enter_exclusion(&mut self, exclusion: &Exclusion, excluded: &Exclusions) {
        let least = self.least_of_parents(exclusion, excluded) + 1;
        let [start, end] = exclusion.parents.map(|at| at as usize);
        let because_off = &excluded.parents[start..end];
        let start = self.rule_parents.len();
        self.rule_parents.extend(because_off.iter().map(|&parent| self.off_at[usize::from(parent)]));

        let parents = [start, self.rule_parents.len()].map(|at| at as u32);
        let rule = Cause::Rule(self.rules.len() as u16);
        let chain = exclusion.chain.map(|chain| chain.id);
        self.rules.push(RuleCause { parents, chain, reason: exclusion.reason });
        self.enter_off(exclusion.candidate, least, rule);
    }

    /// A lower bound for the number of statements that the parents of an exclusion rest on.
    fn least_of_parents(&self, exclusion: &Exclusion, excluded: &Exclusions) -> u16 {
        let [start, end] = exclusion.parents.map(|at| at as usize);
        let parents = excluded.parents[start..end].iter();
        let least = parents.map(|&parent| self.offs[usize::from(self.off_at[usize::from(parent)])].least).max();
        least.unwrap_or(0)
    }
}
