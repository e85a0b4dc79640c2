//! Enters what other techniques exclude when nothing more follows in a run.

use super::chains_within::ChainsWithin;
use super::exclusions::{Exclusion, ExclusionChain, Exclusions, Rules};
use super::statement::{Cause, RuleCause};
use super::{ImplicationRun, known};
use crate::rating::chains::links::Links;
use crate::stop::InterruptedError;

impl<const W: usize> ImplicationRun<W> {
    /// Enters what other techniques exclude.
    pub(super) fn exclude<R: Rules>(&mut self, links: &Links, rules: &mut R) -> Result<(), InterruptedError> {
        let mut excluded = std::mem::take(&mut self.excluded);
        excluded.clear();
        let mut off = self.offs.iter().map(|node| usize::from(node.candidate));
        rules.exclude(links, &mut off, &mut excluded)?;

        // All that follows would rest on these exclusions, and on the chains that they come from.
        let is_useful = |exclusion: &Exclusion| {
            let complexity = match exclusion.chain {
                ExclusionChain::None => 0,
                ExclusionChain::Traced(chain) => chain.complexity,
                ExclusionChain::Untraced(place) => excluded.untraced[usize::from(place)].complexity,
            };
            u32::from(self.least_of_parents(exclusion, &excluded)) + complexity < u32::from(self.limit)
        };
        if excluded.are_complete && self.limit < u16::MAX && !excluded.items.iter().any(is_useful) {
            excluded.clear();
            self.is_cut = true;
        }

        self.is_outline |= excluded.are_unexplained;
        if excluded.items.iter().any(|exclusion| !matches!(exclusion.chain, ExclusionChain::None)) {
            self.chains.on.resize(self.ons.len(), 0);
            self.chains.off.resize(self.offs.len(), 0);
        }
        let untraced = if excluded.untraced.is_empty() {
            0
        } else {
            self.chains.add_untraced(excluded.untraced.drain(..), &excluded.removed)
        };
        for exclusion in &excluded.items {
            if self.known[usize::from(exclusion.candidate)] & known::OFF == 0 {
                self.enter_exclusion::<R>(exclusion, &excluded, untraced);
            }
        }
        self.excluded = excluded;
        Ok(())
    }

    /// Enters an exclusion. `untraced` is the place in the run of the first chain that is not traced.
    fn enter_exclusion<R: Rules>(&mut self, exclusion: &Exclusion, excluded: &Exclusions, untraced: u16) {
        let least = self.least_of_parents(exclusion, excluded) + 1;
        let [start, end] = exclusion.parents.map(|at| at as usize);
        let because_off = &excluded.parents[start..end];
        let start = self.rule_parents.len();
        self.rule_parents.extend(because_off.iter().map(|&parent| self.off_at[usize::from(parent)]));

        let chain = match exclusion.chain {
            ExclusionChain::None => None,
            ExclusionChain::Traced(chain) => Some(self.chains.add_traced(chain.id, chain.complexity)),
            ExclusionChain::Untraced(place) => Some(untraced + place),
        };
        let rule = Cause::Rule(self.rules.len() as u16);
        let parents = [start, self.rule_parents.len()].map(|at| at as u32);
        self.rules.push(RuleCause { parents, chain, reason: exclusion.reason });
        self.enter_off(exclusion.candidate, least, rule);

        self.enter_chains::<R>(false, |run| {
            let parents = run.rule_parents[start..].iter();
            let before = parents.fold(0, |all, &parent| all | run.chains.off[usize::from(parent)]);
            before | chain.map_or(0, ChainsWithin::set)
        });
    }

    /// A lower bound of the number of statements that a parent of an exclusion rests on. Of a chain that is not traced, it
    /// is known that something is a parent, and not the assumption if that is true.
    fn least_of_parents(&self, exclusion: &Exclusion, excluded: &Exclusions) -> u16 {
        if let ExclusionChain::Untraced(_) = exclusion.chain {
            return 1 + u16::from(self.ons.first().is_some_and(|node| node.cause == Cause::Assumed));
        }
        let [start, end] = exclusion.parents.map(|at| at as usize);
        let parents = excluded.parents[start..end].iter();
        let least = parents.map(|&parent| self.offs[usize::from(self.off_at[usize::from(parent)])].least).max();
        least.unwrap_or(0)
    }
}
