//! Finds chains of implications: forcing chains and cycles, multiple, dynamic and nested chains.
//!
//! A chain makes an assumption - a candidate is true, or false - and follows what must then be true or false.
//!
//! * [`links`]: the candidates of a state, and the links between them.
//! * [`unary`]: chains from one assumption.
//! * [`closure`]: whether there are any static chains, and where they may start.
//! * [`nested`]: chains within chains.
//! * [`statement`]: the statement that a candidate is true or false, with its cause.
//! * [`run`]: all consequences of an assumption.
//! * [`multiple`]: chains from several assumptions, at least one of them true; contradictions.
//! * [`derivation`]: implications that follow from one another.
//! * [`derive`](mod@derive): the implications of a chain that was found.

mod bits;
mod closure;
mod derivation;
mod derive;
mod links;
mod multiple;
mod nested;
mod run;
mod statement;
mod unary;

use self::closure::{Closure, Starts};
use self::derive::{of_multiple, of_unary};
use self::links::{CandidateGroup, GroupSet, LinkKinds, Links};
use self::multiple::{First, Multiple, Proof};
use self::nested::NestedRules;
use self::run::{ChainKind, NoRules, Rules};
use self::statement::Literal;
use self::unary::{Conclusion, Unary, UnaryChain};
use super::candidates::Candidates;
use super::sets::DigitSet;
use super::step::{Placement, Step};
use super::technique::{Nesting, Technique};
use crate::stop::{InterruptedError, Stop};

/// Searches for chains in one state after another. Its memory is reused.
#[derive(Debug, Default)]
pub(super) struct ChainSearch {
    links: Links,
    narrow: Searches<2>,
    middle: Searches<4>,
    wide: Searches<12>,
    /// The rules of each nesting.
    rules: [Option<NestedRules>; 6],
    /// Interrupts searches.
    pub(super) stop: Stop,
    /// Whether steps get the implications of their chains.
    pub(super) has_implications: bool,
}

/// The searches for states of up to `64 * W` candidates.
#[derive(Debug, Default)]
struct Searches<const W: usize> {
    unary: Unary<W>,
    multiple: Multiple<W>,
    closure: Closure<W>,
    /// The closure for links of one kind.
    closure_of_kind: Closure<W>,
}

/// Calls a method of the searches that fit the number of candidates.
macro_rules! fitting {
    ($search:expr, $method:ident $(, $argument:expr)*) => {
        // Sets are united word by word, so a state gets the narrowest sets that have room for it.
        if $search.links.len() <= 128 {
            $search.narrow.$method(&$search.links $(, $argument)*)
        } else if $search.links.len() <= 256 {
            $search.middle.$method(&$search.links $(, $argument)*)
        } else {
            $search.wide.$method(&$search.links $(, $argument)*)
        }
    };
}

impl ChainSearch {
    /// Sets the state for the following searches.
    pub(super) fn begin(&mut self, grid: &Candidates) {
        self.links.build(grid);
        fitting!(self, begin);
    }

    /// Forcing chains and bidirectional cycles.
    pub(super) fn find_unary(&mut self, grid: &Candidates, step: &mut Step) -> bool {
        let has_implications = self.has_implications;
        fitting!(self, find_unary, grid, has_implications, step)
    }

    /// Nishio forcing chains.
    pub(super) fn find_nishio(&mut self, grid: &Candidates, step: &mut Step) -> Result<bool, InterruptedError> {
        let (all, signal, state) = (&GroupSet::ALL, &self.stop, self.has_implications.then_some(grid));
        fitting!(self, find_multiple, all, ChainKind::Nishio, Nesting::None, &mut NoRules, signal, state, step)
    }

    /// Multiple forcing chains.
    pub(super) fn find_multiple(&mut self, grid: &Candidates, step: &mut Step) -> Result<bool, InterruptedError> {
        fitting!(self, find_static, grid, &self.stop, self.has_implications, step)
    }

    /// Dynamic forcing chains.
    pub(super) fn find_dynamic(
        &mut self,
        grid: &Candidates,
        nesting: Nesting,
        step: &mut Step,
    ) -> Result<bool, InterruptedError> {
        let (all, signal, state) = (&GroupSet::ALL, &self.stop, self.has_implications.then_some(grid));
        // Compiled without rules: such a run ends when no single follows.
        if nesting == Nesting::None {
            return fitting!(self, find_multiple, all, ChainKind::Dynamic, nesting, &mut NoRules, signal, state, step);
        }
        let rules = self.rules[nesting as usize].get_or_insert_with(|| NestedRules::new(nesting, signal));
        rules.set_state(grid);
        fitting!(self, find_multiple, all, ChainKind::Dynamic, nesting, rules, signal, state, step)
    }
}

impl<const W: usize> Searches<W> {
    fn begin(&mut self, links: &Links) {
        self.closure.begin(links, LinkKinds::Xy);
    }

    fn find_unary(&mut self, links: &Links, grid: &Candidates, has_implications: bool, step: &mut Step) -> bool {
        let Some(starts) = self.closure.starts_before(links) else { return false };
        let of_kind = |link_kinds| starts_of_kind(&mut self.closure_of_kind, links, link_kinds, &starts);
        let Some(chain) = self.unary.first(grid, links, of_kind) else { return false };
        write_unary(links, &chain, step);
        if has_implications {
            step.implications = of_unary(links, grid, &chain).into_implications();
        }
        true
    }

    /// All forcing chains and cycles of a state, in the reference order.
    fn all_unary(&mut self, links: &Links, grid: &Candidates) -> Vec<UnaryChain> {
        self.begin(links);
        let Some(starts) = self.closure.starts_before(links) else { return Vec::new() };
        // Closures for fewer links would cost more than the searches from all these starts.
        self.unary.all(grid, links, |_| Some(starts))
    }

    fn find_static(
        &mut self,
        links: &Links,
        grid: &Candidates,
        signal: &Stop,
        has_implications: bool,
        step: &mut Step,
    ) -> Result<bool, InterruptedError> {
        let groups = self.closure.groups_before(links, grid).unwrap_or(GroupSet::ALL);
        if groups == GroupSet::EMPTY {
            return Ok(false);
        }
        let state = has_implications.then_some(grid);
        self.find_multiple(links, &groups, ChainKind::Static, Nesting::None, &mut NoRules, signal, state, step)
    }

    /// Finds chains from several assumptions, and contradictions. If `state`, the state of the links, is given, the
    /// step gets its implications.
    #[expect(clippy::too_many_arguments, reason = "the parts of a search")]
    fn find_multiple<R: Rules>(
        &mut self,
        links: &Links,
        groups: &GroupSet,
        kind: ChainKind,
        nesting: Nesting,
        rules: &mut R,
        signal: &Stop,
        state: Option<&Candidates>,
        step: &mut Step,
    ) -> Result<bool, InterruptedError> {
        let mut first = First::default();
        self.multiple.search(links, kind, groups, rules, &mut first, signal)?;
        let Some(first) = first.0 else { return Ok(false) };

        let technique = technique(kind, nesting, first.proof);
        let difficulty = difficulty(technique.least_difficulty(), first.complexity);
        step.begin_with(technique, tenths(difficulty));

        // The pattern of the step is every statement that the proof rests on.
        for (run, end) in self.multiple.ends(links, kind, first.proof, rules)? {
            for id in run.chain(links, end) {
                mark(links, run.literal(id), step);
            }
        }
        conclude(links, first.proof.target(), step);

        // Runs do not record the reasons for exclusions by other techniques, so follow the runs of the proof again.
        if let Some(state) = state {
            if R::EXIST {
                rules.record(state);
                self.multiple.follow_again(links, kind, first.proof, rules)?;
            }
            let ends = self.multiple.ends(links, kind, first.proof, rules)?;
            step.implications = of_multiple(links, state, first.proof, &ends, rules.recorded()).into_implications();
        }
        Ok(true)
    }
}

/// The starts of chains with some kinds of links, or more, given the starts of chains with all links. Only links of one
/// digit have a closure of their own: a closure for strong links in cells costs more than it saves.
fn starts_of_kind<const W: usize>(
    closure: &mut Closure<W>,
    links: &Links,
    link_kinds: LinkKinds,
    all: &Starts<W>,
) -> Option<Starts<W>> {
    match link_kinds {
        LinkKinds::X => {
            closure.begin(links, link_kinds);
            closure.starts_before(links)
        }
        LinkKinds::Y | LinkKinds::Xy => Some(*all),
    }
}

fn technique(kind: ChainKind, nesting: Nesting, proof: Proof) -> Technique {
    let house = matches!(proof, Proof::Group { group, .. } if group.house().is_some());
    match (kind, proof) {
        (ChainKind::Nishio, _) => Technique::Nishio,
        (ChainKind::Static, _) if house => Technique::RegionForcingChains,
        (ChainKind::Static, _) => Technique::CellForcingChains,
        (ChainKind::Dynamic, Proof::Contradiction { .. }) => Technique::DynamicContradictionForcingChains(nesting),
        (ChainKind::Dynamic, Proof::Double { .. }) => Technique::DynamicDoubleForcingChains(nesting),
        (ChainKind::Dynamic, Proof::Group { .. }) if house => Technique::DynamicRegionForcingChains(nesting),
        (ChainKind::Dynamic, Proof::Group { .. }) => Technique::DynamicCellForcingChains(nesting),
    }
}

fn write_unary(links: &Links, chain: &UnaryChain, step: &mut Step) {
    let tenths = tenths(chain.difficulty);
    match &chain.conclusion {
        Conclusion::Opposite { assumption } => {
            let technique = match chain.link_kinds {
                LinkKinds::X if chain.complexity == 6 => Technique::TurbotFish,
                LinkKinds::X => Technique::XChain,
                LinkKinds::Y | LinkKinds::Xy => Technique::ForcingChain,
            };
            step.begin_with(technique, tenths);
            mark(links, *assumption, step);
            conclude(links, Literal { on: !assumption.on, ..*assumption }, step);
        }
        Conclusion::Cycle { path, removed } => {
            // The name of a cycle depends on its cells, so set the technique after them.
            step.begin_with(Technique::Cycle, tenths);
            for &literal in path {
                mark(links, literal, step);
            }

            step.technique = match chain.link_kinds {
                LinkKinds::X if step.cells.len() == 4 => Technique::GeneralizedXWing,
                LinkKinds::X => Technique::XCycle,
                LinkKinds::Y => Technique::YCycle,
                LinkKinds::Xy => Technique::Cycle,
            };

            for (digit, &cells) in removed.iter().enumerate() {
                step.eliminate(cells, digit);
            }
        }
    }
}

/// Adds a statement to the pattern.
fn mark(links: &Links, literal: Literal, step: &mut Step) {
    step.cells.insert(links.cell(literal.index()));
    step.digits.insert(links.digit(literal.index()));
}

/// A conclusion: a placement, or the removal of a candidate.
fn conclude(links: &Links, target: Literal, step: &mut Step) {
    let (cell, digit) = (links.cell(target.index()), links.digit(target.index()));
    if target.on {
        let digits: DigitSet = links.members(CandidateGroup::of_cell(cell)).map(|member| links.digit(member)).collect();
        step.eliminate_digits(cell, digits.without(DigitSet::of(digit)));
        step.placement = Some(Placement { cell, digit });
    } else {
        step.eliminate_digits(cell, DigitSet::of(digit));
    }
}

/// Numbers of implications. For each of them that a chain exceeds, it is a tenth harder.
const LADDER: [u32; 23] =
    // Each rung is 3/2 or 4/3 of the rung below, in turn.
    [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192];

/// The difficulty of chains of `complexity` statements. Like the reference program, it adds tenths one by one in
/// floating point.
///
/// The reference order of chains depends on the last bit of these numbers: 6.6 and one tenth is 6.699999999999999, less
/// than 6.5 and two tenths, 6.7.
fn difficulty(base: f64, complexity: u32) -> f64 {
    let length = complexity.saturating_sub(2);
    let rungs = LADDER.iter().take_while(|&&rung| length > rung).count();
    base + (0..rungs).fold(0.0, |added, _| added + 0.1)
}

/// A difficulty in tenths, rounded as for printing.
fn tenths(difficulty: f64) -> u16 {
    ((difficulty + 0.05) * 10.0) as u16
}

#[cfg(test)]
mod tests;
