//! The implications of a chain that was found, to explain it.
//!
//! A run stores the direct cause of each statement, so the implications of its end are found by following the causes.
//! The eliminations of a nested chain have a derivation of their own. It belongs to the grid of the run, which lacks
//! candidates, so it assumes that these are false. Embedding it into the derivation of the run replaces these
//! assumptions by the statements of the run.

use super::links::{CandidateGroup, Links};
use super::statement::Literal;
use crate::rating::implications::{Because, Implication, Statement};

/// Statements that follow from one another, and from given statements.
#[derive(Clone, Debug, Default)]
pub(super) struct Derivation {
    /// Given statements are assumptions here.
    implications: Vec<Implication>,
    given: Vec<usize>,
    /// The last of all: the proved statements.
    conclusions: Vec<usize>,
}

impl Derivation {
    /// Adds a statement; returns its number.
    pub(super) fn push(&mut self, statement: Statement, because: Because) -> usize {
        self.implications.push(Implication { statement, because });
        self.implications.len() - 1
    }

    /// The number of the given statement that a candidate is false. It is added if it is new.
    pub(super) fn given(&mut self, (cell, digit): (usize, usize)) -> usize {
        let statement = Statement { cell, digit, is_true: false };
        let known = self.given.iter().find(|&&number| self.implications[number].statement == statement);
        if let Some(&number) = known {
            return number;
        }
        let number = self.push(statement, Because::Assumed);
        self.given.push(number);
        number
    }

    /// Adds a proved statement.
    pub(super) fn conclude(&mut self, statement: Statement, because: Because) -> usize {
        let number = self.push(statement, because);
        self.conclusions.push(number);
        number
    }

    /// If a statement is true, adds that the other candidates of its cell are false. `number` is the number of the
    /// statement.
    pub(super) fn exclude_rest_of_cell(&mut self, links: &Links, statement: Statement, number: usize) {
        let Statement { cell, digit, is_true } = statement;
        let digits = links.members(CandidateGroup::of_cell(cell)).map(|member| links.digit(member));
        for digit in digits.filter(|&other| is_true && other != digit) {
            let excluded = Statement { cell, digit, is_true: false };
            self.conclude(excluded, Because::Linked(vec![number]));
        }
    }

    /// Adds another derivation. `resolve` returns the number of a given statement, that a candidate is false, and adds
    /// it if necessary. Returns the numbers of the conclusions with their statements.
    pub(super) fn embed(
        &mut self,
        inner: &Derivation,
        mut resolve: impl FnMut(&mut Derivation, (usize, usize)) -> usize,
    ) -> Vec<(Statement, usize)> {
        let mut numbers = vec![None; inner.implications.len()];
        for &number in &inner.given {
            let Statement { cell, digit, .. } = inner.implications[number].statement;
            numbers[number] = Some(resolve(self, (cell, digit)));
        }

        for (number, Implication { statement, because }) in inner.implications.iter().enumerate() {
            if numbers[number].is_none() {
                let mut because = because.clone();
                because.each_number(|cause| *cause = numbers[*cause].expect("causes come before"));
                numbers[number] = Some(self.push(*statement, because));
            }
        }
        let conclusion = |&number: &usize| Some((inner.implications[number].statement, numbers[number]?));
        inner.conclusions.iter().filter_map(conclusion).collect()
    }

    /// The conclusions and their premises.
    pub(super) fn into_implications(mut self) -> Vec<Implication> {
        let mut is_needed = vec![false; self.implications.len()];
        self.conclusions.iter().for_each(|&number| is_needed[number] = true);
        // Causes have lower numbers than their consequences, so one pass from the end finds all premises.
        for number in (0..is_needed.len()).rev() {
            if is_needed[number] {
                self.implications[number].because.each_number(|cause| is_needed[*cause] = true);
            }
        }

        let mut needed = Vec::new();
        let mut numbers = vec![usize::MAX; is_needed.len()];
        for (number, mut implication) in self.implications.into_iter().enumerate() {
            if is_needed[number] {
                implication.because.each_number(|cause| *cause = numbers[*cause]);
                numbers[number] = needed.len();
                needed.push(implication);
            }
        }
        needed
    }
}

/// The statement of a literal.
pub(super) fn statement(links: &Links, literal: Literal) -> Statement {
    let (cell, digit) = (links.cell(literal.index()), links.digit(literal.index()));
    Statement { cell, digit, is_true: literal.on }
}
