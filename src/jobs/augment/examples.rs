//! Puzzles with their answers in memory, of which any copy can be made at any time: a training set that is not written.
//!
//! ```text
//!   record -> ExampleWorker -> ExampleSet -> Epoch -> copies of puzzles and answers, from any position on
//! ```

use std::array;
use std::collections::HashMap;
use std::ops::ControlFlow;

use super::worker::{AugmentCounts, Copier, key_of};
use crate::engine::solver::Question;
use crate::jobs::record_loop::{Emit, RecordWorker, SolvedRecord};
use crate::jobs::records::InputParsers;
use crate::puzzle::{
    Arrangements, Copies, IsomorphKind, Isomorphs, Namings, Permutation, Size, mix, pack, unpacked_puzzle,
};

/// The number of copies that are made together, which is faster than one after another.
const BLOCK: usize = 8;

/// Puzzles of one size with their answers, of which copies are made.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Augment, Execution};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let (set, report) = Augment::new(0).seed(1).examples(corpus, &Execution::new())?;
/// assert_eq!((set.len(), report.counts.malformed), (1000, 0));
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
    records: Vec<ExampleRecord>,
    /// Those of all records; the indices of some by the digits of the puzzle.
    namings: Vec<Namings>,
    naming_of_digits: HashMap<u32, u32>,
    /// Those of a puzzle without automorphisms, which nearly all are, and of each other puzzle.
    arrangements: Vec<Arrangements>,
}

/// What makes the copies of a record.
#[derive(Clone, Copy, Debug)]
struct ExampleRecord {
    line: u64,
    naming: u32,
    arrangement: u32,
}

/// Why there is no [`ExampleSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExampleError {
    /// Puzzles have several sizes.
    #[error("line {line} has a {size} puzzle after {first} ones, but copies have one size")]
    OtherSize {
        /// The line of the first puzzle of another size.
        line: u64,
        /// Its size.
        size: Size,
        /// The size of those before.
        first: Size,
    },
    /// There are none.
    #[error("no record has a puzzle and its solution")]
    Nothing,
}

impl ExampleSet {
    /// An empty set, for puzzles of a size.
    pub fn new(size: Size, kinds: &[IsomorphKind], seed: u64) -> ExampleSet {
        ExampleSet {
            size,
            kinds: kinds.to_vec(),
            seed,
            key: key_of(seed),
            cells: vec![],
            records: vec![],
            namings: vec![],
            naming_of_digits: HashMap::new(),
            arrangements: vec![Arrangements::of_asymmetric(size, kinds)],
        }
    }

    /// Adds a puzzle with its solution, in one byte a cell: the value of the solution, and 32 more if it is a clue. The line
    /// of its record makes its copies what they are, with the seed.
    ///
    /// # Panics
    ///
    /// If these are not the cells of a grid of this size.
    pub fn add(&mut self, line: u64, packed: &[u8]) {
        assert_eq!(packed.len(), self.size.cells());
        let puzzle: Vec<u8> = unpacked_puzzle(packed).collect();
        self.push(Example::new(self.size, line, &puzzle, Isomorphs::new(self.size, &puzzle, &self.kinds)), packed)
            .expect("the sizes are the same");
    }

    /// The cells of all puzzles, as [`ExampleSet::add`] takes them.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The lines of the records.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = u64> {
        self.records.iter().map(|record| record.line)
    }

    /// The kinds of isomorphisms that copies are made by.
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
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The copies of an epoch: one of each puzzle, in a random order or in that of the records.
    ///
    /// In epoch number `e`, it is copy number `e` of [`Augment`](super::Augment), from 0; if a puzzle has fewer copies, they
    /// start again, and if it has none, it is the puzzle itself. The order follows from the seed, the epoch and the number
    /// of puzzles.
    pub fn epoch(&self, number: u64, is_shuffled: bool) -> Epoch<'_> {
        let seed = mix(mix(!self.key) ^ number);
        Epoch { set: self, number, order: is_shuffled.then(|| Permutation::new(self.len() as u128, seed)) }
    }

    /// Takes a puzzle with its answer, whose packed cells come first; returns the cells after them.
    pub(super) fn push<'a>(&mut self, example: Example, cells: &'a [u8]) -> Result<&'a [u8], ExampleError> {
        let Example { size, line, digits, arrangements } = example;
        if size != self.size {
            return Err(ExampleError::OtherSize { line, size, first: self.size });
        }
        let (own, rest) = cells.split_at(size.cells());
        self.cells.extend_from_slice(own);

        let naming = *self.naming_of_digits.entry(digits).or_insert_with(|| {
            self.namings.push(Namings::new(size, digits, &self.kinds));
            self.namings.len() as u32 - 1
        });
        let is_asymmetric = arrangements.number() == self.arrangements[0].number();
        let arrangement = if is_asymmetric {
            0
        } else {
            self.arrangements.push(arrangements);
            self.arrangements.len() as u32 - 1
        };
        self.records.push(ExampleRecord { line, naming, arrangement });
        Ok(rest)
    }

    /// The copies of a record.
    fn copies(&self, record: usize) -> Copies<'_> {
        let ExampleRecord { line, naming, arrangement } = self.records[record];
        Copies::new(&self.namings[naming as usize], &self.arrangements[arrangement as usize], self.key ^ line)
    }
}

/// The copies of an epoch, by their positions from 0 to the number of puzzles.
#[derive(Clone, Debug)]
pub struct Epoch<'a> {
    set: &'a ExampleSet,
    number: u64,
    order: Option<Permutation>,
}

impl Epoch<'_> {
    /// Writes the copies from a position on, one after another, and the copies of their answers: as many as there is room
    /// for.
    ///
    /// # Panics
    ///
    /// If `puzzles` or `solutions` is not a number of grids of this size, they are not equally many, or there are fewer
    /// copies.
    pub fn write(&self, first: usize, puzzles: &mut [u8], solutions: &mut [u8]) {
        let cells = self.set.size.cells();
        assert!(puzzles.len() == solutions.len() && puzzles.len().is_multiple_of(cells), "{} grids", self.set.size);

        let set = self.set;
        let last = first + (puzzles.len() / cells).max(1) - 1;
        let blocks = puzzles.chunks_mut(BLOCK * cells).zip(solutions.chunks_mut(BLOCK * cells));
        for (start, (puzzles, solutions)) in (first..).step_by(BLOCK).zip(blocks) {
            // The last block may have fewer copies: the last one is made more than once.
            let records = self.records_at(array::from_fn(|index| (start + index).min(last)));
            let copies = records.map(|record| set.copies(record));
            let numbers = copies.each_ref().map(|copies| self.number.checked_rem(copies.number()).unwrap_or(0));
            let choices = Copies::choose_each(copies.each_ref(), numbers);

            let images = puzzles.chunks_exact_mut(cells).zip(solutions.chunks_exact_mut(cells));
            for (((record, copies), choice), (puzzle, solution)) in records.iter().zip(&copies).zip(choices).zip(images)
            {
                copies.make(choice).apply_to_packed(&set.cells[record * cells..][..cells], puzzle, solution);
            }
        }
    }

    /// The indices of the records at some positions.
    fn records_at(&self, positions: [usize; BLOCK]) -> [usize; BLOCK] {
        let Some(order) = &self.order else { return positions };
        let positions = positions.map(|position| position as u128);
        Permutation::get_each([order; BLOCK], positions).map(|record| record as usize)
    }
}

/// A record of a chunk.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) size: Size,
    line: u64,
    /// Those of the puzzle, as bits.
    digits: u32,
    arrangements: Arrangements,
}

impl Example {
    fn new(size: Size, line: u64, puzzle: &[u8], isomorphs: Isomorphs) -> Example {
        Example { size, line, digits: Namings::digits_of(puzzle), arrangements: isomorphs.arrangements }
    }
}

/// Appends the packed cells of each puzzle and its answer to the output of the chunk.
pub(super) struct ExampleWorker(pub(super) Copier);

impl RecordWorker for ExampleWorker {
    type Note = Example;
    type Counts = AugmentCounts;

    fn question(&self, parsers: &InputParsers) -> Option<Question> {
        self.0.question(parsers)
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, Example>) -> ControlFlow<()> {
        let line = record.line;
        let Some(copied) = self.0.copy(record) else { return ControlFlow::Continue(()) };
        let (size, puzzle) = (copied.puzzle.shape.size, copied.puzzle.cells());
        let answer = copied.answer.expect("those that are not given are found");
        emit.append(size.cells(), |cells| {
            cells.iter_mut().zip(pack(puzzle, answer)).for_each(|(cell, packed)| *cell = packed);
        });
        emit.note(Example::new(size, line, puzzle, copied.isomorphs));
        ControlFlow::Continue(())
    }

    fn into_counts(self) -> AugmentCounts {
        self.0.counts
    }
}
