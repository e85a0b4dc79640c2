//! Remembers what followed from assumptions when the same search was made in an earlier state.
//!
//! Most steps of hard puzzles remove one candidate, and leave what follows from many assumptions as it was: if the removed
//! candidates are false in a run without a contradiction, the run ends in the same grid as before, in which nothing more
//! follows. Proof: all statements of the old run follow in the new state, too, as in an
//! [outline](super::super::run::Detail::Outline), because the grids of the new run have at most the candidates of the old
//! one. In the grid after the last of them, no link and no technique leads to a new one; otherwise it would have done so
//! in the old run.
//!
//! A digit that is placed takes groups away, so nothing is remembered then.

use super::Multiple;
use crate::rating::chains::bits::{Bits, has, insert, members, without};
use crate::rating::chains::links::{CandidateIndex, Links};
use crate::rating::chains::run::{ChainKind, ImplicationRun, Literal};
use crate::rating::technique::Nesting;

/// The number of searches that may be remembered: Nishio, and dynamic chains of each nesting.
pub(super) const MEMORIES: usize = 7;

/// The candidates that are true, and those that are false.
pub(super) type Sides<const W: usize> = [Bits<W>; 2];

/// What followed in an earlier state, with the numbers of this state.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<const W: usize> {
    /// The cells and digits of the candidates.
    candidates: Vec<[u8; 2]>,
    /// What follows from each candidate being false, and true, if that is known.
    known: [Vec<Option<Sides<W>>>; 2],
}

impl<const W: usize> Memory<W> {
    /// Begins a search: forgets what may be different in this state.
    pub(super) fn begin(&mut self, links: &Links) {
        let candidates = (0..links.len()).map(|candidate| [links.cell(candidate) as u8, links.digit(candidate) as u8]);
        let candidates: Vec<[u8; 2]> = candidates.collect();
        if let Some(removed) = self.removed(&candidates) {
            let gone: Vec<CandidateIndex> = members(&removed).collect();
            for known in &mut self.known {
                let mut place = 0;
                known.retain_mut(|sides| {
                    *sides = sides.filter(|[_, off]| without(&removed, off) == [0; W]);
                    for side in sides.iter_mut().flatten() {
                        take_out(side, &gone);
                    }
                    place += 1;
                    !has(&removed, place - 1)
                });
            }
        } else {
            for known in &mut self.known {
                known.clear();
                known.resize(candidates.len(), None);
            }
        }
        self.candidates = candidates;
    }

    /// The candidates that have been removed since the last search; `None` if other ones are there, or a cell has none.
    fn removed(&self, candidates: &[[u8; 2]]) -> Option<Bits<W>> {
        let mut removed = [0; W];
        let mut left = candidates.iter().copied().peekable();
        let mut last = None;
        for (place, &candidate) in self.candidates.iter().enumerate() {
            if left.next_if_eq(&candidate).is_some() {
                last = Some(candidate[0]);
            } else {
                insert(&mut removed, place);
                let is_next = left.peek().is_some_and(|next| next[0] == candidate[0]);
                if last != Some(candidate[0]) && !is_next {
                    return None;
                }
            }
        }
        (left.next().is_none() && !candidates.is_empty()).then_some(removed)
    }

    /// What follows from an assumption, if it is known.
    pub(super) fn known(&self, assumption: Literal) -> Option<Sides<W>> {
        self.known[usize::from(assumption.on)][assumption.index()]
    }

    /// Remembers all that follows from an assumption.
    pub(super) fn keep(&mut self, assumption: Literal, run: &ImplicationRun<W>) {
        let is_complete = run.contradiction.is_none() && !run.is_cut;
        self.known[usize::from(assumption.on)][assumption.index()] = is_complete.then_some([run.on, run.off]);
    }
}

impl<const W: usize> Multiple<W> {
    /// Makes the next search one of those that are remembered.
    pub(in crate::rating::chains) fn remember(&mut self, kind: ChainKind, nesting: Nesting) {
        self.memory = match kind {
            ChainKind::Static => None,
            ChainKind::Nishio => Some(0),
            ChainKind::Dynamic => Some(1 + nesting as usize),
        };
    }
}

/// Takes numbers, which are in ascending order, out of a set; the numbers above them move down.
fn take_out<const W: usize>(bits: &mut Bits<W>, numbers: &[usize]) {
    for &number in numbers.iter().rev() {
        let (word, low) = (number / 64, (1 << (number % 64)) - 1);
        bits[word] = bits[word] & low | bits[word] >> 1 & !low;
        for next in word + 1..W {
            bits[next - 1] |= bits[next] << 63;
            bits[next] >>= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_out() {
        let numbers = [0, 63, 64, 70, 127];
        let kept: Vec<usize> = (0..192).filter(|number| !numbers.contains(number)).collect();
        for &member in &kept {
            let mut bits: Bits<3> = [0; 3];
            insert(&mut bits, member);
            take_out(&mut bits, &numbers);
            let place = kept.iter().position(|&number| number == member).unwrap();
            assert!(members(&bits).eq([place]), "{member}");
        }
    }
}
