//! The numbers of the puzzles to make, as a source of records.
//!
//! Puzzles that are left out are replaced in further rounds. A round starts after all puzzles of the round before were
//! written, when the number of missing puzzles is known.

use std::ops::Range;
use std::sync::Arc;

use crossbeam_channel::Receiver;

use crate::corpus::{ChunkInput, Corpus, CorpusError, Input, ShardCursor, ShardSpan};
use crate::format::{Alphabets, Layout};
use crate::pipeline::{Chunk, Filled, Record, Source};

/// A source of numbers. The line of a record is its number; the record has no text.
pub(super) struct Numbers {
    input: Arc<Input>,
    next: u64,
    /// The end of the round.
    end: u64,
    /// The ends of all rounds. If the next one is the same as the end before, there are no more.
    ends: Receiver<u64>,
    /// Counts from the first number on.
    cursor: ShardCursor,
}

impl Numbers {
    /// The numbers from `first` on that the shard of the corpus has, in its blocks.
    pub(super) fn new(first: u64, ends: Receiver<u64>, corpus: &Corpus) -> Numbers {
        let layout = Layout::all_lines(Alphabets::default());
        let input = Arc::new(Input { name: String::new(), compression: None, layout });
        Numbers { input, next: first, end: first, ends, cursor: corpus.cursor() }
    }

    /// Takes some of the numbers that are left of the round.
    fn take(&mut self, numbers: u64) -> Range<u64> {
        let first = self.next;
        self.next = self.end.min(first.saturating_add(numbers));
        self.cursor.advance(self.next - first);
        first..self.next
    }
}

impl Source for Numbers {
    type Input = ChunkInput;
    type Error = CorpusError;

    fn fill(&mut self, chunk: &mut Chunk<ChunkInput>, records: usize) -> Result<Filled, CorpusError> {
        if self.next == self.end {
            self.end = self.ends.recv().unwrap_or(self.end);
        }
        if let ShardSpan::Skipped(numbers) = self.cursor.span() {
            self.take(numbers);
        }
        let numbers = match self.cursor.span() {
            ShardSpan::Owned(owned) => self.take(owned.min(records as u64)),
            ShardSpan::Skipped(_) => return Ok(Filled::Nothing),
        };
        if numbers.is_empty() {
            return Ok(Filled::Nothing);
        }

        chunk.input = Some(ChunkInput::of_text(&self.input, numbers.start));
        chunk.records.extend(numbers.map(|number| Record { text: 0..0, line: number }));
        Ok(Filled::Records)
    }

    fn is_in_memory(&self) -> bool {
        true
    }
}
