//! An in-memory training set: puzzles with answers. Any augmented copy can be generated on demand.
//!
//! ```text
//!   record -> ExampleWorker -> ExampleSet -> Epoch -> copies of puzzles and answers, from any position on
//! ```

use std::ops::ControlFlow;

use super::copies::{Copies, Isomorphisms, Permutation, is_asymmetric, mix};
use super::worker::{AugmentCounts, Copier};
use crate::engine::solver::Question;
use crate::pipeline::Stop;
use crate::puzzle::packed::{pack, unpacked_puzzle};
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
    records: Vec<ExampleRecord>,
    isomorphisms: Isomorphisms,
}

impl ExampleSet {
    /// An empty set, for puzzles of a size.
    pub fn new(size: Size, kinds: &[IsomorphKind], seed: u64) -> ExampleSet {
        ExampleSet {
            size,
            kinds: kinds.to_vec(),
            seed,
            key: mix(seed),
            cells: vec![],
            records: vec![],
            isomorphisms: Isomorphisms::new(size, kinds),
        }
    }

    /// Adds a puzzle with its solution, in one byte for each cell: the value of the solution, plus 32 if it is a clue.
    /// The number of its record and the seed determine its copies.
    ///
    /// # Panics
    ///
    /// If `packed` does not have the cells of a grid of this size.
    pub fn add(&mut self, number: u64, packed: &[u8]) {
        assert_eq!(packed.len(), self.size.cells());
        let puzzle: Vec<u8> = unpacked_puzzle(packed).collect();
        self.push(ExampleRecord::new(self.size, number, &puzzle), packed).expect("the sizes are the same");
    }

    /// The cells of all puzzles, in the form that [`ExampleSet::add`] takes.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The numbers of the records.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = u64> {
        self.records.iter().map(|record| record.number)
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
        self.records.len()
    }

    /// Whether there are no puzzles.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The copies of an epoch: one of each puzzle, in pseudorandom order or in the order of the records.
    ///
    /// In epoch number `e`, it is copy number `e` of [`Augment`](super::Augment), from 0. If a puzzle has fewer copies,
    /// they start again; if it has none, it is the puzzle itself. The order is determined by the seed, the epoch and
    /// the number of puzzles.
    pub fn epoch(&self, number: u64, is_shuffled: bool) -> Epoch<'_> {
        let seed = mix(mix(!self.key) ^ number);
        Epoch { set: self, number, order: is_shuffled.then(|| Permutation::new(self.len() as u64, seed)) }
    }

    /// Adds a puzzle with its answer from the start of the packed cells; returns the remaining cells.
    pub(super) fn push<'a>(&mut self, example: ExampleRecord, cells: &'a [u8]) -> Result<&'a [u8], String> {
        let ExampleRecord { size, number, .. } = example;
        if size != self.size {
            let first = self.size;
            return Err(format!("record {number} has a {size} puzzle after {first} ones, but copies have one size"));
        }
        let (own, rest) = cells.split_at(size.cells());
        self.cells.extend_from_slice(own);
        self.records.push(example);
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

    /// Writes the copies from a position on, one after another, and the copies of their answers: as many as there is
    /// room for.
    ///
    /// # Panics
    ///
    /// If the length of `puzzles` or `solutions` is not a multiple of the grid's, the two differ in length, or there
    /// are fewer copies.
    pub fn write(&self, first: usize, puzzles: &mut [u8], solutions: &mut [u8]) {
        let cells = self.set.size.cells();
        assert!(puzzles.len() == solutions.len() && puzzles.len().is_multiple_of(cells), "{} grids", self.set.size);

        let ExampleSet { size, key, isomorphisms, records, .. } = self.set;
        let mut symmetric = None;
        let grids = puzzles.chunks_exact_mut(cells).zip(solutions.chunks_exact_mut(cells));
        for (position, (puzzle, solution)) in (first..).zip(grids) {
            let record = self.index(position);
            let ExampleRecord { number, is_asymmetric, .. } = records[record];
            let packed = &self.set.cells[record * cells..][..cells];
            let isomorph = if is_asymmetric {
                isomorphisms.copy_of_asymmetric(self.number, key ^ number)
            } else {
                let copies = symmetric.get_or_insert_with(|| Copies::new(&self.set.kinds, Stop::new()));
                puzzle.iter_mut().zip(unpacked_puzzle(packed)).for_each(|(cell, value)| *cell = value);
                copies.copy(*size, puzzle, key ^ number, self.number)
            };
            isomorph.apply_to_packed(packed, puzzle, solution);
        }
    }
}

/// A record with a puzzle and its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExampleRecord {
    pub(super) size: Size,
    /// The number of the record.
    number: u64,
    /// Whether each isomorphism is known to make a different grid of the puzzle.
    is_asymmetric: bool,
}

impl ExampleRecord {
    fn new(size: Size, number: u64, puzzle: &[u8]) -> ExampleRecord {
        ExampleRecord { size, number, is_asymmetric: is_asymmetric(size, puzzle) }
    }
}

/// Appends the packed cells of each puzzle and its answer to the output of the chunk.
pub(super) struct ExampleWorker(pub(super) Copier);

impl RecordWorker for ExampleWorker {
    type Note = ExampleRecord;
    type Counts = AugmentCounts;

    fn question(&self, parsers: &InputParsers) -> Option<Question> {
        self.0.question(parsers)
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ExampleRecord>) -> ControlFlow<()> {
        let number = record.number;
        let Some(copied) = self.0.copy(record)? else { return ControlFlow::Continue(()) };
        let (size, puzzle) = (copied.puzzle.shape.size, copied.puzzle.cells());
        let answer = copied.answer.expect("those that are not given are found");
        emit.output().extend(pack(puzzle, answer));
        emit.note(ExampleRecord::new(size, number, puzzle));
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut AugmentCounts {
        &mut self.0.counts
    }
}
