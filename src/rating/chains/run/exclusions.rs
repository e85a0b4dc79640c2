//! What other techniques exclude when nothing more follows in a dynamic run.
//!
//! [`Rules`] is the set of techniques that chains of a nesting may use. A technique looks at the grid without the
//! candidates that are false so far, and adds what it finds to the [`Exclusions`].

use super::ImplicationRun;
use super::statement::{ChainId, NodeId};
use crate::rating::candidates::Candidates;
use crate::rating::chains::bits::{has, insert};
use crate::rating::chains::derivation::Derivation;
use crate::rating::chains::links::{CandidateIndex, Links, MAX_CANDIDATES};
use crate::rating::chains::starts::CandidateSet;
use crate::rating::chains::unary::UnaryChain;
use crate::stop::InterruptedError;

/// What a run keeps of the chains within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rating::chains) enum Detail {
    /// All of each chain.
    Exact,
    /// Only what static chains exclude, where the closure of the links tells that. Such a run is an outline.
    ///
    /// An outline without a contradiction has all that the exact run has, whatever its limit. Proof: nothing in an outline
    /// is too complex, so it ends when nothing more follows. Take the first statement of the exact run that is missing.
    /// All that it rests on is in the outline, in whose grid at most candidates are missing.
    ///
    /// * By a link: its group has at most the same candidates left, so the same one is the last.
    /// * By a simple pattern: what is left of it is the same pattern, or leaves a single, from which the same follows.
    /// * By a chain: it is still there, see [`closure`](super::super::closure), which finds all that chains exclude.
    ///
    /// So it is not missing. Nor does the exact run end in a contradiction then.
    Outline,
}

/// A chain within a run.
#[derive(Clone, Copy, Debug)]
pub(in crate::rating::chains) struct NestedChain {
    pub(in crate::rating::chains) id: ChainId,
    pub(in crate::rating::chains) complexity: u32,
}

/// The candidates that other techniques exclude, given what is false so far.
#[derive(Clone, Debug, Default)]
pub(in crate::rating::chains) struct Exclusions {
    pub(super) items: Vec<Exclusion>,
    pub(super) parents: Vec<u16>,
    /// The candidates that are excluded with reasons.
    candidates: CandidateSet,
    /// Whether the techniques have found all that there is: a pattern that appears later rests on one of these.
    pub(in crate::rating::chains) are_complete: bool,
    /// Whether their reasons are left out.
    pub(super) are_unexplained: bool,
    /// The chains that are not traced yet, and what was false when they were found.
    pub(super) untraced: Vec<UnaryChain>,
    pub(super) removed: CandidateSet,
}

/// A candidate that is excluded, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exclusion {
    pub(super) candidate: u16,
    /// The range of its parents.
    pub(super) parents: [u32; 2],
    pub(super) chain: ExclusionChain,
    /// The number of its derivation, if these are recorded.
    pub(super) reason: u32,
}

/// The chain by which a candidate is excluded.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExclusionChain {
    None,
    Traced(NestedChain),
    /// One of the chains that are not traced. Its parents are not known yet.
    Untraced(u16),
}

impl Exclusions {
    /// Adds candidates that are excluded because others are false. Nothing is added if there are no others: the rule
    /// then applies without the run. `reason` is the number of their derivation, if these are recorded.
    pub(in crate::rating::chains) fn add(
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
            let chain = chain.map_or(ExclusionChain::None, ExclusionChain::Traced);
            let exclusion = |candidate| Exclusion { candidate: candidate as u16, parents, chain, reason };
            for candidate in candidates {
                insert(&mut self.candidates, candidate);
                self.items.push(exclusion(candidate));
            }
        }
    }

    /// Adds candidates that a chain excludes if those in `removed` are false, on some of which it rests. It is traced
    /// when a proof needs it.
    pub(in crate::rating::chains) fn add_untraced(
        &mut self,
        candidates: impl Iterator<Item = CandidateIndex>,
        chain: UnaryChain,
        removed: &CandidateSet,
    ) {
        let at = self.parents.len() as u32;
        let untraced = ExclusionChain::Untraced(self.untraced.len() as u16);
        for candidate in candidates {
            insert(&mut self.candidates, candidate);
            self.items.push(Exclusion { candidate: candidate as u16, parents: [at, at], chain: untraced, reason: 0 });
        }
        self.untraced.push(chain);
        self.removed = *removed;
    }

    /// Adds candidates that are excluded for a reason that an outline leaves out.
    pub(in crate::rating::chains) fn add_unexplained(&mut self, candidates: impl Iterator<Item = CandidateIndex>) {
        let at = self.parents.len() as u32;
        let exclusion = |candidate| Exclusion {
            candidate: candidate as u16,
            parents: [at, at],
            chain: ExclusionChain::None,
            reason: 0,
        };
        self.items.extend(candidates.map(exclusion));
        self.are_unexplained = true;
    }

    /// Whether a candidate is excluded, with reasons.
    pub(in crate::rating::chains) fn contains(&self, candidate: CandidateIndex) -> bool {
        has(&self.candidates, candidate)
    }

    pub(in crate::rating::chains) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.parents.clear();
        self.candidates = [0; MAX_CANDIDATES.div_ceil(64)];
        self.are_complete = false;
        self.are_unexplained = false;
        self.untraced.clear();
    }
}

/// Finds candidates that other techniques exclude when nothing more follows in a dynamic run.
///
/// From [`Rules::record`] on, the derivations of all that is excluded are kept.
pub(in crate::rating::chains) trait Rules {
    /// Whether there are any rules.
    const EXIST: bool;

    /// Begins a run: nothing is false yet.
    fn begin(&mut self, detail: Detail);

    /// Writes what is excluded if the candidates in `off`, in this order, are false.
    fn exclude(
        &mut self,
        links: &Links,
        off: &mut dyn Iterator<Item = CandidateIndex>,
        excluded: &mut Exclusions,
    ) -> Result<(), InterruptedError>;

    /// Traces a chain that excludes something if the candidates in `removed` are false: adds those that it rests on to
    /// `parents`.
    fn trace(
        &mut self,
        links: &Links,
        removed: &CandidateSet,
        chain: &UnaryChain,
        parents: &mut Vec<CandidateIndex>,
    ) -> ChainId;

    /// The complexity of the different chains that statements rest on.
    fn nested_complexity<'a, const W: usize>(
        &self,
        links: &Links,
        ends: impl Iterator<Item = (&'a ImplicationRun<W>, NodeId)>,
    ) -> u32;

    /// Begins to keep derivations, from the candidates of a state.
    fn record(&mut self, state: &Candidates);

    /// The derivations that were kept.
    fn recorded(&self) -> &[Derivation];
}

/// No rules of other techniques.
pub(in crate::rating::chains) struct NoRules;

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

    fn trace(&mut self, _: &Links, _: &CandidateSet, _: &UnaryChain, _: &mut Vec<CandidateIndex>) -> ChainId {
        0
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
