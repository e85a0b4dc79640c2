//! Derives the implications of the findings of searches: chains from one assumption or several, contradictions, and the
//! patterns of other techniques.

use super::derivation::{Derivation, statement};
use super::links::{CandidateGroup, CandidateIndex, LinkKinds, Links};
use super::multiple::Proof;
use super::run::{DerivedRun, ImplicationRun};
use super::statement::{Literal, NodeId};
use super::unary::{Conclusion, UnaryChain, strong_group, trace};
use crate::rating::candidates::Candidates;
use crate::rating::houses::PEERS;
use crate::rating::implications::{Because, Statement};
use crate::rating::rules::ChainPattern;
use crate::rating::step::Elimination;

/// Derives the conclusions of a chain in the state of `links`, which lacks some candidates of `state`.
pub(super) fn of_unary(links: &Links, state: &Candidates, chain: &UnaryChain) -> Derivation {
    let mut path = Path { links, state, link_kinds: chain.link_kinds, derivation: Derivation::default() };
    match &chain.conclusion {
        Conclusion::Opposite { assumption } => path.opposite(*assumption),
        Conclusion::Cycle { path: cycle, removed } => {
            let removed = removed.iter().enumerate();
            let removed = removed.flat_map(|(digit, cells)| cells.into_iter().map(move |cell| (cell, digit)));
            path.cycle(cycle, removed);
        }
    }
    path.derivation
}

/// Follows the links of a chain.
struct Path<'a> {
    links: &'a Links,
    state: &'a Candidates,
    link_kinds: LinkKinds,
    derivation: Derivation,
}

impl Path<'_> {
    /// A forcing chain.
    fn opposite(&mut self, assumption: Literal) {
        let mut literals = trace(self.links, self.link_kinds, assumption);
        literals.reverse();
        let numbers = self.follow(&literals);
        // A chain to the opposite has at least two statements.
        let [first, .., last] = *numbers else { return };

        let conclusion = statement(self.links, assumption).opposite();
        let because = Because::Contradiction { assumption: first, ends: [first, last] };
        let number = self.derivation.conclude(conclusion, because);
        self.derivation.exclude_rest_of_cell(self.links, conclusion, number);
    }

    /// A cycle: the statements from its end back to its start, which equals the end and is not repeated.
    fn cycle(&mut self, cycle: &[Literal], removed: impl Iterator<Item = (usize, usize)> + Clone) {
        // In one direction the true statements of the cycle are true, in the other its false ones.
        let opposite = |literal: &Literal| Literal { on: !literal.on, ..*literal };
        // The path is listed backwards, so forwards its first statement comes first, and then the rest in reverse.
        let first = cycle.iter().take(1);
        let forwards: Vec<Literal> = first.chain(cycle.iter().skip(1).rev()).copied().collect();
        let backwards: Vec<Literal> = cycle.iter().map(opposite).collect();

        // In both directions, the removed candidates see a true one.
        let cases = [forwards, backwards].map(|literals| {
            let numbers = self.follow(&literals);
            let end = |(cell, digit)| {
                let sees = |literal: &Literal| {
                    literal.on
                        && self.links.digit(literal.index()) == digit
                        && PEERS[self.links.cell(literal.index())].contains(cell)
                };
                let at = literals.iter().position(sees).expect("a removed candidate sees both sides of the cycle");
                let because = Because::Linked(vec![numbers[at]]);
                [numbers[0], self.derivation.push(Statement { cell, digit, is_true: false }, because)]
            };
            removed.clone().map(end).collect::<Vec<_>>()
        });
        for (index, (cell, digit)) in removed.enumerate() {
            let because = Because::Cases { cases: cases.iter().map(|ends| ends[index]).collect(), others: vec![] };
            self.derivation.conclude(Statement { cell, digit, is_true: false }, because);
        }
    }

    /// Adds an assumption and its consequences, one link after another; returns the numbers of all of them.
    fn follow(&mut self, literals: &[Literal]) -> Vec<usize> {
        let [assumption, ..] = literals else { return vec![] };
        let mut numbers = vec![self.derivation.push(statement(self.links, *assumption), Because::Assumed)];
        for pair in literals.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let mut causes = vec![numbers[numbers.len() - 1]];
            if to.on {
                let group = self.strong_group(from.index(), to.index());
                causes.extend(lost(self.links, self.state, group, &mut self.derivation));
            }
            numbers.push(self.derivation.push(statement(self.links, to), Because::Linked(causes)));
        }
        numbers
    }

    fn strong_group(&self, off: CandidateIndex, on: CandidateIndex) -> CandidateGroup {
        strong_group(self.links, self.link_kinds, off, on)
    }
}

/// Derives the conclusions from the ends of runs in the state of `links`, which lacks some candidates of `state`.
/// `excluded` has the derivations of the eliminations by other techniques in the runs.
pub(super) fn of_multiple<const W: usize>(
    links: &Links,
    state: &Candidates,
    proof: Proof,
    ends: &[(&ImplicationRun<W>, NodeId)],
    excluded: &[Derivation],
) -> Derivation {
    let mut derivation = Derivation::default();
    let because = match proof {
        Proof::Contradiction { .. } => {
            let [(run, one), (_, other)] = *ends else { return derivation };
            let mut run = DerivedRun::new(run, links, state, excluded);
            let assumption = run.assumption(&mut derivation);
            let ends = [one, other].map(|end| run.statement(end, &mut derivation));
            Because::Contradiction { assumption, ends }
        }
        Proof::Double { .. } | Proof::Group { .. } => {
            let case = |&(run, end): &(&ImplicationRun<W>, NodeId)| {
                let mut run = DerivedRun::new(run, links, state, excluded);
                [run.assumption(&mut derivation), run.statement(end, &mut derivation)]
            };
            let cases = ends.iter().map(case).collect();
            // Members of the group that the grid of the run lacks are further cases. They are false.
            let others = match proof {
                Proof::Group { group, .. } => lost(links, state, group, &mut derivation),
                Proof::Double { .. } | Proof::Contradiction { .. } => vec![],
            };
            Because::Cases { cases, others }
        }
    };

    let target = statement(links, proof.target());
    let number = derivation.conclude(target, because);
    derivation.exclude_rest_of_cell(links, target, number);
    derivation
}

/// Derives the eliminations of a pattern in `grid` from the candidates that only `state` has.
pub(super) fn of_pattern(pattern: &impl ChainPattern, state: &Candidates, grid: &Candidates) -> Derivation {
    let candidates = |Elimination { cell, digits }| digits.into_iter().map(move |digit| (cell, digit));
    let mut derivation = Derivation::default();
    let parents = pattern.parents(state, grid).flat_map(candidates);
    let parents: Vec<usize> = parents.map(|candidate| derivation.given(candidate)).collect();

    for (cell, digit) in pattern.eliminations(grid).flat_map(candidates) {
        let because = Because::Technique(pattern.technique(), parents.clone());
        derivation.conclude(Statement { cell, digit, is_true: false }, because);
    }
    derivation
}

/// The members of a group in `state` that are missing in `links`, as given statements.
fn lost(links: &Links, state: &Candidates, group: CandidateGroup, derivation: &mut Derivation) -> Vec<usize> {
    let members = group.members(state).filter(|&(cell, digit)| links.find(cell, digit).is_none());
    members.map(|member| derivation.given(member)).collect()
}
