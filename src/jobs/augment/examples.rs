//! An in-memory training set: puzzles with answers. Any augmented copy can be generated on demand.
//!
//! ```text
//!   record -> ExampleWorker -> ExampleSet -> Epoch -> copies of puzzles and answers, from any position on
//! ```

use std::ops::ControlFlow;

use super::copies::{RandomIsomorphs, mix};
use super::worker::{AugmentCounts, Copier};
use crate::engine::solver::Question;
use crate::puzzle::packed::pack;
use crate::puzzle::{IsomorphKind, Size};
use crate::run::record_loop::{Emit, RecordWorker, SolvedRecord};
use crate::run::records::InputParsers;

/// Puzzles of one size with their answers, for making copies.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Augment, Execution};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let (set, finished) = Augment::new(0).seed(1).examples(corpus, &Execution::new())?;
/// assert_eq!((set.len(), finished.report.malformed), (1000, 0));
/// let (mut puzzles, mut solutions) = (vec![0; 10 * 81], vec![0; 10 * 81]);
/// set.epoch(0, true).write(500, &mut puzzles, &mut solutions);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExampleSet {
    size: Size,
    kinds: Vec<IsomorphKind>,
    seed: u64,
    key: u64,
    /// The packed cells of each record.
    cells: Vec<u8>,
    /// The numbers of the records.
    numbers: Vec<u64>,
}

impl ExampleSet {
    /// An empty set, for puzzles of a size.
    pub fn new(size: Size, kinds: &[IsomorphKind], seed: u64) -> ExampleSet {
        ExampleSet { size, kinds: kinds.to_vec(), seed, key: mix(seed), cells: vec![], numbers: vec![] }
    }

    /// Adds a puzzle with its solution, in one byte for each cell: the value of the solution, plus 32 if it is a clue.
    /// The number of its record and the seed determine its copies.
    ///
    /// # Panics
    ///
    /// If `packed` does not have the cells of a grid of this size.
    pub fn add(&mut self, number: u64, packed: &[u8]) {
        assert_eq!(packed.len(), self.size.cells());
        self.cells.extend_from_slice(packed);
        self.numbers.push(number);
    }

    /// The cells of all puzzles, in the form that [`ExampleSet::add`] takes.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The numbers of the records.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = u64> {
        self.numbers.iter().copied()
    }

    /// The kinds of isomorphisms for copies.
    pub fn kinds(&self) -> &[IsomorphKind] {
        &self.kinds
    }

    /// The seed of the copies.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The size of the puzzles.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The number of puzzles.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether it has no puzzles.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The copies of an epoch: one of each puzzle, in pseudorandom order or in the order of the records.
    ///
    /// In epoch number `e`, it is copy number `e` of [`Augment`](super::Augment), from 0, but isomorphs may repeat:
    /// `Augment` draws another one if a copy is an earlier copy of the puzzle, or the puzzle itself. The order is
    /// determined by the seed, the epoch and the number of puzzles.
    pub fn epoch(&self, number: u64, is_shuffled: bool) -> Epoch<'_> {
        let seed = mix(mix(!self.key) ^ number);
        Epoch { set: self, number, order: is_shuffled.then(|| Permutation::new(self.len() as u64, seed)) }
    }

    /// Adds the puzzle of a record with its answer from the start of the packed cells; returns the cells after them.
    pub(super) fn push<'a>(&mut self, size: Size, number: u64, cells: &'a [u8]) -> Result<&'a [u8], String> {
        if size != self.size {
            let first = self.size;
            return Err(format!("record {number} has a {size} puzzle after {first} ones, but copies have one size"));
        }
        let (own, rest) = cells.split_at(size.cells());
        self.add(number, own);
        Ok(rest)
    }
}

/// The copies of an epoch, at positions from 0 to the number of puzzles.
#[derive(Clone, Debug)]
pub struct Epoch<'a> {
    set: &'a ExampleSet,
    number: u64,
    order: Option<Permutation>,
}

impl Epoch<'_> {
    /// The index of the puzzle at a position, in the order of the records.
    pub fn index(&self, position: usize) -> usize {
        self.order.as_ref().map_or(position, |order| order.get(position as u64) as usize)
    }

    /// Writes the copies from a position on, one after another, and the copies of their answers, until both
    /// slices are full.
    ///
    /// # Panics
    ///
    /// If the length of `puzzles` or `solutions` is not a multiple of the grid's, the two differ in length, or there
    /// are fewer copies.
    pub fn write(&self, first: usize, puzzles: &mut [u8], solutions: &mut [u8]) {
        let cells = self.set.size.cells();
        assert!(puzzles.len() == solutions.len() && puzzles.len().is_multiple_of(cells), "{} grids", self.set.size);

        let isomorphs = RandomIsomorphs::new(&self.set.kinds);
        let grids = puzzles.chunks_exact_mut(cells).zip(solutions.chunks_exact_mut(cells));
        for (position, (puzzle, solution)) in (first..).zip(grids) {
            let record = self.index(position);
            let packed = &self.set.cells[record * cells..][..cells];
            let seed = self.set.key ^ self.set.numbers[record];
            let isomorph = isomorphs.get(self.set.size, seed, self.number, 0);
            isomorph.apply_to_packed(packed, puzzle, solution);
        }
    }
}

/// Appends the packed cells of each puzzle and its answer to the output of the chunk.
pub(super) struct ExampleWorker(pub(super) Copier);

impl RecordWorker for ExampleWorker {
    /// The size of a puzzle, and the number of its record.
    type Note = (Size, u64);
    type Counts = AugmentCounts;

    fn question(&self, parsers: &InputParsers) -> Option<Question> {
        self.0.question(parsers)
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, (Size, u64)>) -> ControlFlow<()> {
        let number = record.number;
        let Some(copied) = self.0.copy(record)? else { return ControlFlow::Continue(()) };
        let (size, puzzle) = (copied.puzzle.shape.size, copied.puzzle.cells());
        let answer = copied.answer.expect("those that are not given are found");
        emit.output().extend(pack(puzzle, answer));
        emit.note((size, number));
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut AugmentCounts {
        &mut self.0.counts
    }
}

/// A pseudorandom permutation of the numbers below a bound, with random access.
///
/// A Feistel network changes the upper half of the bits by the lower half and vice versa, in turn. A number at or above
/// the bound is permuted again until it is below.
#[derive(Clone, Debug)]
struct Permutation {
    bound: u64,
    seed: u64,
}

impl Permutation {
    /// The number of times that each half of the bits is changed.
    const ROUNDS: u32 = 4;

    fn new(bound: u64, seed: u64) -> Permutation {
        Permutation { bound, seed: mix(seed) }
    }

    /// The number at a position below the bound.
    fn get(&self, position: u64) -> u64 {
        let bits = u64::BITS - (self.bound - 1).leading_zeros();
        let shift = bits.div_ceil(2);
        let [upper_bits, lower_bits] = [bits - shift, shift].map(|bits| (1 << bits) - 1);

        let mut number = position;
        loop {
            let (mut upper, mut lower) = (number >> shift, number & lower_bits);
            for round in 0..Self::ROUNDS {
                let key = self.seed.rotate_left(16 * round);
                lower ^= mix(key ^ upper) & lower_bits;
                upper ^= mix(!key ^ lower) & upper_bits;
            }
            number = upper << shift | lower;
            if number < self.bound {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// Each number is about equally often at each position.
    #[test]
    fn seeds_give_all_orders_alike() {
        const SEEDS: u64 = 20_000;
        for bound in [2, 3, 5, 6, 24] {
            let mut counts = vec![0; (bound * bound) as usize];
            for seed in 0..SEEDS {
                let permutation = Permutation::new(bound, seed);
                for position in 0..bound {
                    counts[(position * bound + permutation.get(position)) as usize] += 1;
                }
            }
            let expected = SEEDS as f64 / bound as f64;
            let far = |&&count: &&i32| (f64::from(count) - expected).abs() > 5.0 * expected.sqrt();
            assert_eq!(counts.iter().find(far), None, "of {bound}, where {expected} are expected");
        }
    }

    #[test]
    fn large_bounds_have_numbers_of_all_sizes() {
        for bound in [1 << 32, (1 << 32) + 1, 1_000_000_007, u64::MAX] {
            let permutation = Permutation::new(bound, 1);
            let numbers: HashSet<u64> = (0..1000).map(|position| permutation.get(position)).collect();
            assert_eq!(numbers.len(), 1000);
            for quarter in 0..4 {
                let range = bound / 4 * quarter..bound / 4 * (quarter + 1);
                let share = numbers.iter().filter(|number| range.contains(number)).count();
                assert!((190..310).contains(&share), "{share} of {bound} in {range:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn each_number_has_one_position(bound in 1..3000_u64, seed: u64) {
            let permutation = Permutation::new(bound, seed);
            let numbers: HashSet<u64> = (0..bound).map(|position| permutation.get(position)).collect();
            prop_assert!(numbers.len() as u64 == bound && numbers.iter().all(|&number| number < bound));
        }
    }
}
