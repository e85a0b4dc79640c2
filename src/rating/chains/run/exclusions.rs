//! What other techniques exclude when nothing more follows in a dynamic run.
//!
//! [`Rules`] is the set of techniques that chains of a nesting may use. A technique looks at the grid without the
//! candidates that are false so far, and adds what it finds to the [`Exclusions`].

use super::ImplicationRun;
use super::statement::{ChainId, NodeId};
use crate::rating::candidates::Candidates;
use crate::rating::chains::derivation::Derivation;
use crate::rating::chains::links::{CandidateIndex, Links};
use crate::stop::InterruptedError;

/// A chain that a statement rests on.
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
    /// Whether the techniques have found all that there is: a pattern that appears later rests on one of these.
    pub(in crate::rating::chains) are_complete: bool,
}

/// A candidate that is excluded, and why.
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
            let exclusion = |candidate| Exclusion { candidate: candidate as u16, parents, chain, reason };
            self.items.extend(candidates.map(exclusion));
        }
    }

    pub(in crate::rating::chains) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.parents.clear();
        self.are_complete = false;
    }
}

/// Finds candidates that other techniques exclude when nothing more follows in a dynamic run.
///
/// From [`Rules::record`] on, the derivations of all that is excluded are kept.
pub(in crate::rating::chains) trait Rules {
    /// Whether there are any rules.
    const EXIST: bool;

    /// Begins a run: nothing is false yet.
    fn begin(&mut self);

    /// Writes what is excluded if the candidates in `off`, in this order, are false.
    fn exclude(
        &mut self,
        links: &Links,
        off: &mut dyn Iterator<Item = CandidateIndex>,
        excluded: &mut Exclusions,
    ) -> Result<(), InterruptedError>;

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

    fn begin(&mut self) {}

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
