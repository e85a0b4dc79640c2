//! The numbers of the puzzles to make, as a source of records.
//!
//! Puzzles that are left out are replaced in further rounds. A round starts after all puzzles of the round before were
//! written, when the number of missing puzzles is known.

use std::sync::Arc;

use crossbeam_channel::Receiver;

use crate::corpus::{ChunkInput, CorpusError, Input};
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
}

impl Numbers {
    /// The numbers from `first` on.
    pub(super) fn new(first: u64, ends: Receiver<u64>) -> Numbers {
        let layout = Layout::all_lines(Alphabets::default());
        let input = Arc::new(Input { name: String::new(), compression: None, layout });
        Numbers { input, next: first, end: first, ends }
    }
}

impl Source for Numbers {
    type Input = ChunkInput;
    type Error = CorpusError;

    fn fill<R>(&mut self, chunk: &mut Chunk<ChunkInput, R>, records: usize) -> Result<Filled, CorpusError> {
        if self.next == self.end {
            self.end = self.ends.recv().unwrap_or(self.end);
        }
        let end = self.end.min(self.next.saturating_add(records as u64));
        if end == self.next {
            return Ok(Filled::Nothing);
        }

        chunk.input = Some(ChunkInput::of_text(&self.input, self.next));
        chunk.records.extend((self.next..end).map(|number| Record { text: 0..0, line: number }));
        self.next = end;
        Ok(Filled::Records)
    }
}
