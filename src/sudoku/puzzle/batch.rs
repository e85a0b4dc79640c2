//! A batch of puzzles for an engine: one flat vector of cell values, with no allocation per puzzle.

use wide::u8x16;

use super::Size;

/// Puzzles of one size, one after another, as engines take them.
///
/// A puzzle is `size.cells()` values, row by row: 0 is a blank, `1..=side` a clue. A batch is filled, solved, cleared and
/// filled again, and keeps its memory.
#[derive(Clone, Debug)]
pub struct Batch {
    size: Size,
    /// The number of cells of a puzzle. Stored, because a loop over records would wait for the multiplications of
    /// [`Size::cells`].
    cells_of_one: usize,
    cells: Vec<u8>,
    /// The number of puzzles. Stored, because parsers ask for it after each puzzle, and a division would take too long.
    len: usize,
}

impl Batch {
    /// An empty batch for puzzles of one size.
    pub fn new(size: Size) -> Batch {
        Batch { size, cells_of_one: size.cells(), cells: Vec::new(), len: 0 }
    }

    /// The size of every puzzle in the batch.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The number of puzzles.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no puzzles.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a puzzle: `size.cells()` values from 0 to the side.
    ///
    /// # Panics
    ///
    /// If the length does not fit the size, or a value is above the side: engines use the values as indices.
    pub fn push(&mut self, puzzle: &[u8]) {
        assert_eq!(puzzle.len(), self.size.cells(), "a {} puzzle", self.size);
        check(puzzle, self.size);
        self.cells.extend_from_slice(puzzle);
        self.len += 1;
    }

    /// Adds a puzzle that `fill` writes in place, into blank cells, unless `fill` returns `None`. Returns the result of
    /// `fill`.
    ///
    /// # Panics
    ///
    /// As [`Batch::push`].
    #[inline]
    pub fn push_with<const CELLS: usize, T>(&mut self, fill: impl FnOnce(&mut [u8; CELLS]) -> Option<T>) -> Option<T> {
        assert_eq!(CELLS, self.size.cells(), "a {} puzzle", self.size);
        let start = self.cells.len();
        self.cells.extend_from_slice(&[0; CELLS]);
        let puzzle = self.cells[start..].as_mut_array().expect("that many cells were just added");
        let filled = fill(puzzle);
        if filled.is_some() {
            check(puzzle, self.size);
            self.len += 1;
        } else {
            self.cells.truncate(start);
        }
        filled
    }

    /// Puzzle number `index`, from 0, in the order of insertion.
    #[inline]
    pub fn puzzle(&self, index: usize) -> &[u8] {
        &self.cells[index * self.cells_of_one..][..self.cells_of_one]
    }

    /// The cells of all puzzles, one puzzle after another.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// All puzzles in the order of insertion.
    pub fn puzzles(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.cells.chunks_exact(self.cells_of_one)
    }

    /// Removes the last puzzle, if it has one.
    fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
        self.cells.truncate(self.len * self.cells_of_one);
    }

    /// Removes all puzzles and keeps the memory.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.len = 0;
    }
}

/// Panics if a value is above the side. Compares sixteen values at a time, which leaves at most one value of a puzzle.
#[inline]
fn check(values: &[u8], size: Size) {
    let side = size.side() as u8;
    let (sixteens, rest) = values.as_chunks();
    let sides = u8x16::splat(side);
    let largest = sixteens.iter().fold(sides, |largest, &values| largest.max(u8x16::new(values)));
    if !largest.simd_eq(sides).all() || rest.iter().any(|&value| value > side) {
        let value = values.iter().find(|&&value| value > side).expect("one is above the side");
        panic!("{value} in a {size} puzzle");
    }
}

/// Puzzles of any size, in one [`Batch`] for each size. Parsers write their puzzles here.
///
/// It keeps its memory when it is cleared and filled again.
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
    #[inline]
    pub fn batch(&self, size: Size) -> &Batch {
        &self.batches[size.index()]
    }

    /// The last puzzle of a size.
    ///
    /// # Panics
    ///
    /// If the size has no puzzles.
    pub fn last(&self, size: Size) -> &[u8] {
        let batch = self.batch(size);
        batch.puzzle(batch.len() - 1)
    }

    /// Adds a puzzle and returns its index among the puzzles of its size.
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

    /// Removes the last puzzle of a size, if it has one.
    pub(crate) fn pop(&mut self, size: Size) {
        self.batches[size.index()].pop();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_are_kept_as_they_were_added() {
        let mut batch = Batch::new(Size::Four);
        batch.push(&[0; 16]);
        batch.push_with(|cells: &mut [u8; 16]| {
            assert_eq!(*cells, [0; 16]);
            *cells = [4; 16];
            Some(())
        });
        assert_eq!(batch.push_with(|_: &mut [u8; 16]| None::<()>), None);
        assert_eq!((batch.len(), batch.puzzle(1)), (2, &[4; 16][..]));
        assert_eq!(batch.puzzles().next(), Some(&[0; 16][..]));
        batch.clear();
        assert!(batch.is_empty());
    }

    #[test]
    #[should_panic(expected = "5 in a 4x4 puzzle")]
    fn a_value_above_the_side_is_refused() {
        Batch::new(Size::Four).push(&[5; 16]);
    }

    #[test]
    #[should_panic(expected = "10 in a 9x9 puzzle")]
    fn a_value_above_the_side_is_refused_where_it_is_written() {
        Batch::new(Size::Nine).push_with(|cells: &mut [u8; 81]| {
            cells[80] = 10;
            Some(())
        });
    }
}
