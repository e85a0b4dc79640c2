//! Derives the statements of a run.

use std::collections::HashMap;

use super::{ImplicationRun, NodeId};
use crate::rating::candidates::Candidates;
use crate::rating::chains::derivation::{Derivation, statement};
use crate::rating::chains::links::Links;
use crate::rating::chains::statement::Cause;
use crate::rating::implications::{Because, Statement};

/// The statements of a run that are part of a derivation.
pub(in crate::sudoku::rating::chains) struct DerivedRun<'a, const W: usize> {
    run: &'a ImplicationRun<W>,
    links: &'a Links,
    /// The candidates of the state of the run, and perhaps further ones.
    state: &'a Candidates,
    /// The eliminations of other techniques.
    excluded: &'a [Derivation],
    /// The numbers of statements in the derivation, and of the eliminations.
    numbers: HashMap<NodeId, usize>,
    embedded: HashMap<u32, Vec<(Statement, usize)>>,
}

impl<'a, const W: usize> DerivedRun<'a, W> {
    pub(in crate::sudoku::rating::chains) fn new(
        run: &'a ImplicationRun<W>,
        links: &'a Links,
        state: &'a Candidates,
        excluded: &'a [Derivation],
    ) -> DerivedRun<'a, W> {
        DerivedRun { run, links, state, excluded, numbers: HashMap::new(), embedded: HashMap::new() }
    }

    /// The number of the assumption, which is added if necessary.
    pub(in crate::sudoku::rating::chains) fn assumption(&mut self, derivation: &mut Derivation) -> usize {
        // The assumption comes first on its side. The other side begins with a consequence.
        let on = self.run.ons.first().is_some_and(|node| node.cause == Cause::Assumed);
        self.statement(NodeId { at: 0, on }, derivation)
    }

    /// The number of a statement of the run. If necessary, adds it after all statements that it rests on.
    pub(in crate::sudoku::rating::chains) fn statement(&mut self, id: NodeId, derivation: &mut Derivation) -> usize {
        if let Some(&number) = self.numbers.get(&id) {
            return number;
        }

        let statement = statement(self.links, self.run.literal(id));
        let number = match self.run.node(id).cause {
            Cause::Assumed => derivation.push(statement, Because::Assumed),
            Cause::Weak { from } => {
                let on = self.statement(NodeId { at: from, on: true }, derivation);
                derivation.push(statement, Because::Linked(vec![on]))
            }
            Cause::Last { group, .. } => {
                // The reason includes members of the group that only the state has: the grid of the run lacks them, as
                // they are false.
                let own = (statement.cell, statement.digit);
                let others = group.members(self.state).filter(|&other| other != own);
                let causes = others.map(|other| self.is_false(other, derivation)).collect();
                derivation.push(statement, Because::Linked(causes))
            }
            Cause::Rule(rule) => {
                let reason = self.run.rules[usize::from(rule)].reason;
                let conclusions = self.embed(reason, derivation);
                let conclusion = conclusions.iter().find(|conclusion| conclusion.0 == statement);
                conclusion.expect("the derivation has what is excluded").1
            }
        };
        self.numbers.insert(id, number);
        number
    }

    /// The number of the statement that a candidate is false. If the candidate is missing in the state of the run, the
    /// statement is given.
    fn is_false(&mut self, (cell, digit): (usize, usize), derivation: &mut Derivation) -> usize {
        match self.links.find(cell, digit) {
            Some(candidate) => self.statement(NodeId { at: self.run.off_at[candidate], on: false }, derivation),
            None => derivation.given((cell, digit)),
        }
    }

    /// Adds the derivation of another technique's eliminations; returns the numbers of the eliminations.
    fn embed(&mut self, reason: u32, derivation: &mut Derivation) -> Vec<(Statement, usize)> {
        if let Some(conclusions) = self.embedded.get(&reason) {
            return conclusions.clone();
        }
        let excluded = self.excluded;
        let conclusions =
            derivation.embed(&excluded[reason as usize], |derivation, candidate| self.is_false(candidate, derivation));
        self.embedded.insert(reason, conclusions.clone());
        conclusions
    }
}
