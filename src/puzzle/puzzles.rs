//! Puzzles of any size: one batch for each size.

use super::{Batch, Size};

/// Puzzles of any size, in one [`Batch`] for each size. Parsers write their puzzles here.
///
/// Its memory stays when it is cleared and filled again.
#[derive(Clone, Debug)]
pub struct Puzzles {
    batches: [Batch; Size::ALL.len()],
}

impl Puzzles {
    /// No puzzles.
    pub fn new() -> Puzzles {
        Puzzles { batches: Size::ALL.map(Batch::new) }
    }

    /// The puzzles of one size.
    pub fn batch(&self, size: Size) -> &Batch {
        &self.batches[size.index()]
    }

    /// The last puzzle of a size that was added.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn last(&self, size: Size) -> &[u8] {
        let batch = self.batch(size);
        batch.puzzle(batch.len() - 1)
    }

    /// Adds a puzzle and returns its index among those of its size.
    ///
    /// # Panics
    ///
    /// As [`Batch::push`].
    pub fn push(&mut self, size: Size, cells: &[u8]) -> usize {
        let batch = &mut self.batches[size.index()];
        batch.push(cells);
        batch.len() - 1
    }

    /// Adds a 9x9 puzzle whose cells `fill` writes, as [`Batch::push_with`] does.
    #[inline]
    pub(crate) fn push_nine_with<T>(
        &mut self,
        fill: impl FnOnce(&mut [u8; Size::Nine.cells()]) -> Option<T>,
    ) -> Option<T> {
        self.batches[Size::Nine.index()].push_with(fill)
    }

    /// Removes all puzzles.
    pub fn clear(&mut self) {
        self.batches.iter_mut().for_each(Batch::clear);
    }
}

impl Default for Puzzles {
    fn default() -> Puzzles {
        Puzzles::new()
    }
}
