//! Holds puzzles in memory, for solving them many times: the puzzles of a file, or puzzles made from a seed.

use std::ops::Range;
use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::corpus::{Corpus, CorpusError, OnOpen, Origin};
use crate::format::{Alphabet, Alphabets, InputOptions, Malformed};
use crate::puzzle::random::shuffle;
use crate::puzzle::{Batch, Isomorph, Size};
use crate::run::read_records;

/// The number of puzzles in a full piece, which is also the number that the pipeline gives to an engine at a time.
const PIECE_SIZE: usize = 2048;

/// The number of blocks of a sample; each run solves one block.
pub(super) const BLOCKS: usize = 10;

/// The puzzles of one file, or a random sample of them. They are in the order of the file if all have the same size.
#[derive(Clone, Debug)]
pub struct PuzzleSet {
    name: Arc<str>,
    alphabets: Alphabets,
    /// The number of puzzles in the file; this is a sample if it has fewer.
    file_puzzles: usize,
    pieces: Arc<[SetPiece]>,
}

/// Some puzzles of a set, all of the same size.
#[derive(Clone, Debug)]
pub(super) struct SetPiece {
    /// The puzzles.
    pub(super) batch: Batch,
    /// The number of the first line of each puzzle in the file.
    pub(super) lines: Vec<u64>,
}

/// The reason why a file cannot be used as a set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// It cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A record is not a puzzle.
    #[error("{file}:{line}: {reason}")]
    Malformed {
        /// The file.
        file: String,
        /// The number of the first line of the record.
        line: u64,
        /// The reason.
        reason: Malformed,
    },
    /// The file has no puzzles.
    #[error("{file}: no puzzles")]
    Empty {
        /// The file.
        file: String,
    },
}

impl PuzzleSet {
    /// A set of some puzzles, each with the number that stands for its line.
    pub(super) fn of<'a>(name: &str, puzzles: impl IntoIterator<Item = (Size, u64, &'a [u8])>) -> PuzzleSet {
        let (alphabets, pieces) = (Alphabets::default(), Arc::default());
        let set = PuzzleSet { name: name.into(), alphabets, file_puzzles: 0, pieces }.with_puzzles(puzzles);
        PuzzleSet { file_puzzles: set.len(), ..set }
    }

    /// Reads all puzzles of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, has a malformed record, or no record.
    pub fn read(origin: Origin, options: InputOptions, on_open: OnOpen) -> Result<PuzzleSet, SetError> {
        PuzzleSet::of_corpus(Corpus::open(vec![origin], options)?.on_open(on_open))
    }

    /// Reads all puzzles of a corpus with one input.
    ///
    /// # Errors
    ///
    /// If it cannot be read, has a malformed record, or no record.
    pub fn of_corpus(corpus: Corpus) -> Result<PuzzleSet, SetError> {
        let file = corpus.origins().iter().map(ToString::to_string).collect();
        let (mut builder, mut input) = (PieceBuilder::default(), None);
        read_records(corpus, |record| {
            let in_words = |reason| SetError::Malformed { file: record.file().to_owned(), line: record.line, reason };
            let (size, cells) = record.clues().map_err(in_words)?;
            builder.push(size, cells, record.line);
            input.get_or_insert_with(|| Arc::clone(record.input));
            Ok::<(), SetError>(())
        })?;

        let Some(input) = input else { return Err(SetError::Empty { file }) };
        let (name, alphabets, pieces) = (input.name.as_str().into(), *input.layout.alphabets(), builder.finish());
        let set = PuzzleSet { name, alphabets, file_puzzles: 0, pieces };
        Ok(PuzzleSet { file_puzzles: set.len(), ..set })
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The number of puzzles, at least one.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.batch.len()).sum()
    }

    /// The puzzles, in batches for an engine.
    pub(super) fn pieces(&self) -> &[SetPiece] {
        &self.pieces
    }

    /// The size, the line and the cells of every puzzle, in order.
    pub(crate) fn puzzles(&self) -> impl Iterator<Item = (Size, u64, &[u8])> {
        self.pieces.iter().flat_map(|SetPiece { batch, lines }| {
            batch.puzzles().zip(lines).map(|(puzzle, &line)| (batch.size(), line, puzzle))
        })
    }

    /// The symbols for printing puzzles of a size, also for other programs.
    pub(crate) fn alphabet(&self, size: Size) -> Alphabet {
        self.alphabets.for_printing(size)
    }

    /// Some of its puzzles, by their positions.
    pub(super) fn part(&self, range: Range<usize>) -> PuzzleSet {
        self.with_puzzles(self.puzzles().skip(range.start).take(range.len()))
    }

    /// The number of puzzles in the file.
    pub(crate) fn file_puzzles(&self) -> usize {
        self.file_puzzles
    }

    /// Whether it is a random sample of its file.
    pub(crate) fn is_sample(&self) -> bool {
        self.len() < self.file_puzzles
    }

    /// The puzzles of each run in turn: the whole set, or a block of a sample.
    pub(super) fn blocks(&self) -> Vec<PuzzleSet> {
        if !self.is_sample() {
            return vec![self.clone()];
        }
        let blocks = self.len().min(BLOCKS);
        let start = |block: usize| block * self.len() / blocks;
        (0..blocks).map(|block| self.part(start(block)..start(block + 1))).collect()
    }

    /// The same puzzles in a random order.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> PuzzleSet {
        self.with_puzzles(self.in_random_order(seed))
    }

    /// The puzzles in a random order.
    pub(super) fn in_random_order(&self, seed: u64) -> Vec<(Size, u64, &[u8])> {
        let mut puzzles: Vec<_> = self.puzzles().collect();
        shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed), &mut puzzles);
        puzzles
    }

    /// A random isomorph of each puzzle.
    #[must_use]
    pub fn isomorphs(&self, seed: u64) -> PuzzleSet {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut image = [0; Size::MAX_CELLS];
        let mut builder = PieceBuilder::default();
        for (size, line, puzzle) in self.puzzles() {
            let image = &mut image[..size.cells()];
            Isomorph::random(size, &mut rng).apply_into(puzzle, image);
            builder.push(size, image, line);
        }
        PuzzleSet { name: Arc::clone(&self.name), pieces: builder.finish(), ..*self }
    }

    /// A set of other puzzles of the same file, with the same symbols.
    pub(super) fn with_puzzles<'a>(&self, puzzles: impl IntoIterator<Item = (Size, u64, &'a [u8])>) -> PuzzleSet {
        let mut builder = PieceBuilder::default();
        for (size, line, puzzle) in puzzles {
            builder.push(size, puzzle, line);
        }
        PuzzleSet { name: Arc::clone(&self.name), pieces: builder.finish(), ..*self }
    }
}

/// Collects puzzles into pieces; each size has a piece that is being filled.
#[derive(Default)]
struct PieceBuilder {
    full: Vec<SetPiece>,
    open: [Option<SetPiece>; Size::ALL.len()],
}

impl PieceBuilder {
    fn push(&mut self, size: Size, puzzle: &[u8], line: u64) {
        let open = &mut self.open[size.index()];
        let piece = open.get_or_insert_with(|| SetPiece { batch: Batch::new(size), lines: vec![] });
        piece.batch.push(puzzle);
        piece.lines.push(line);
        if piece.batch.len() == PIECE_SIZE {
            self.full.extend(open.take());
        }
    }

    fn finish(mut self) -> Arc<[SetPiece]> {
        self.full.extend(self.open.into_iter().flatten());
        self.full.into()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeMap;
    use std::io::Write;

    use super::*;
    use crate::format::InputFormat;

    /// A set of the puzzles in some lines.
    pub(crate) fn read(text: &str) -> Result<PuzzleSet, SetError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let options = InputOptions { format: Some(InputFormat::Lines), ..InputOptions::default() };
        PuzzleSet::read(Origin::File(file.path().to_owned()), options, Box::new(|_, _| ()))
    }

    /// Different 4x4 puzzles: the first cells are the digits of their number, in base 4.
    fn numbered(count: usize) -> String {
        let digit = |n: usize| char::from(b'1' + (n % 4) as u8);
        let line = |n: usize| (0..7).map(|place| digit(n >> (2 * place))).collect::<String>() + ".........\n";
        (0..count).map(line).collect()
    }

    #[test]
    fn pieces_hold_all_puzzles_and_their_lines() {
        let set = read(&numbered(5000)).unwrap();
        assert_eq!(set.len(), 5000);
        assert_eq!(set.pieces().iter().map(|piece| piece.batch.len()).collect::<Vec<_>>(), [2048, 2048, 904]);
        assert!(set.puzzles().zip(1..).all(|((_, line, _), number)| line == number));
    }

    #[test]
    fn a_shuffled_set_has_the_same_puzzles_with_their_lines() {
        let set = read(&numbered(5000)).unwrap();
        let by_line = |set: &PuzzleSet| -> BTreeMap<u64, Vec<u8>> {
            set.puzzles().map(|(_, line, puzzle)| (line, puzzle.to_vec())).collect()
        };
        let lines = |set: &PuzzleSet| set.puzzles().map(|(_, line, _)| line).collect::<Vec<_>>();
        let shuffled = set.shuffled(1);
        assert_eq!(by_line(&shuffled), by_line(&set));
        assert_ne!(lines(&shuffled), lines(&set));
        assert_eq!(lines(&shuffled), lines(&set.shuffled(1)));
        assert_ne!(lines(&shuffled), lines(&set.shuffled(2)));
    }

    #[test]
    fn isomorphs_are_other_puzzles_with_as_many_clues() {
        let set = read(&numbered(100)).unwrap();
        let isomorphs = set.isomorphs(3);
        let clues = |puzzle: &[u8]| puzzle.iter().filter(|&&value| value != 0).count();
        for ((_, line, puzzle), (_, same, image)) in set.puzzles().zip(isomorphs.puzzles()) {
            assert_eq!((line, clues(puzzle)), (same, clues(image)));
        }
        let cells = |set: &PuzzleSet| set.puzzles().flat_map(|(_, _, puzzle)| puzzle.to_vec()).collect::<Vec<_>>();
        assert_ne!(cells(&set), cells(&isomorphs));
        assert_eq!(cells(&isomorphs), cells(&set.isomorphs(3)));
    }

    #[test]
    fn a_malformed_record_is_an_error_with_its_line() {
        let error = read(&(numbered(20) + "1.3..........4.q\n")).unwrap_err().to_string();
        assert!(error.contains(":21: column 16: 'q'"), "{error}");
    }
}
