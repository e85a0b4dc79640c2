//! Reads the inputs of a run, one after another, as a [`Source`] of chunks for the [`pipeline`](crate::pipeline).
//!
//! For each input, detects and removes [compression](crate::compression), detects the [`format`](crate::format), and
//! splits the text into records. All records of a chunk are from the same input.
//!
//! A corpus can be restricted to one [`Shard`]. Before the pipeline starts, a resumed run reads the chunks that an earlier
//! run has finished.

mod error;
mod input;
mod record_reader;
pub(crate) mod shard;
mod text_input;
mod typed_file;
mod typed_input;
mod window;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

pub use self::error::CorpusError;
pub use self::input::Origin;
#[doc(hidden)]
pub use self::input::{ChunkInput, Input, RecordView};
use self::input::{ChunkText, InputReader};
pub(crate) use self::input::{RecordContent, RowRange};
pub(crate) use self::record_reader::RecordReader;
pub(crate) use self::shard::BLOCK;
pub use self::shard::Shard;
pub(crate) use self::shard::{ShardCursor, ShardSpan};
use self::text_input::{SAMPLE, TextReader};
use self::typed_file::{MemoryTable, Opened};
use self::typed_input::{StoredSize, TypedReader};
use self::window::Window;
use crate::arrow::npy::is_arrays;
use crate::arrow::records::RecordColumns;
use crate::arrow::{ArrowError, DataType, Field, RecordBatch, SchemaRef};
use crate::format::{ALL_COLUMNS, Alphabets, InputFormat, InputOptions, Skipped, TypedOrigin};
use crate::pipeline::{Chunk, Filled, Source};

/// News of an input.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum InputNews<'a> {
    /// It was opened, and its format detected.
    Opened,
    /// It was read, without these lines.
    Skipped(Skipped),
    /// A sentence that a user should know.
    Remark(&'a str),
}

/// A callback that receives each input with its news.
#[doc(hidden)]
pub type OnOpen = Box<dyn FnMut(&Input, InputNews<'_>) + Send>;

/// Sentences about text of the inputs that was not read as records. Clones share them: the corpus is moved into a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remarks(Arc<Mutex<Vec<String>>>);

impl Remarks {
    /// The sentences so far.
    pub(crate) fn get(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, remark: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(remark);
    }
}

/// The records of several inputs, one input after another.
pub struct Corpus {
    current: Option<Box<dyn InputReader>>,
    origins: Vec<Origin>,
    /// The rows of [`Origin::Memory`], if they can be read again.
    table: Option<MemoryTable>,
    /// The number of inputs that were opened.
    opened: usize,
    options: InputOptions,
    /// Whether all columns of the first input are copied.
    keeps_all: bool,
    /// Whether records with typed columns have all columns of their input.
    keeps_rows: bool,
    on_open: Option<OnOpen>,
    remarks: Remarks,
    shard: Option<Shard>,
    cursor: ShardCursor,
}

impl Corpus {
    /// Opens the first of several inputs, and checks that the remaining ones exist.
    ///
    /// So most mistakes are found before any work is done. A directory with a training set of recursive reasoning
    /// models represents the file with its puzzles.
    ///
    /// # Errors
    ///
    /// If an input does not exist or is another directory, or if the format of the first one cannot be read.
    pub fn open(origins: Vec<Origin>, options: InputOptions) -> Result<Corpus, CorpusError> {
        let origins: Vec<Origin> = origins.into_iter().map(typed_file::in_training_set).collect();
        // A wrong name would otherwise be found after hours, when its turn comes.
        for origin in &origins {
            if let Origin::File(path) = origin {
                let is_dir = fs::metadata(path).map(|metadata| metadata.is_dir());
                let checked = is_dir.and_then(|dir| if dir { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(()) });
                checked.map_err(|source| CorpusError::Open { name: origin.to_string(), source })?;
            }
        }
        let mut corpus = Corpus::new(origins, options);
        corpus.open_next()?;
        // The other inputs have to have the columns of the first one.
        let kept = corpus.first_input().map(|input| input.layout.kept_columns().map(str::to_owned).collect::<Vec<_>>());
        corpus.keeps_all = corpus.options.keep == [ALL_COLUMNS];
        corpus.options.keep =
            kept.filter(|kept| !kept.is_empty() && !corpus.options.reads_others).unwrap_or(corpus.options.keep);
        Ok(corpus)
    }

    /// No inputs, for a job that reads none.
    pub fn empty() -> Corpus {
        Corpus::new(vec![], InputOptions::default())
    }

    /// Standard input, with every line as a record, for interactive use.
    ///
    /// No format is detected, so nothing has to be read in advance. A chunk is passed on before every read that may
    /// block, because the other side of the pipe may wait for an answer before it writes more.
    pub fn stdin_lines(alphabets: Alphabets) -> Corpus {
        let options = InputOptions { format: Some(InputFormat::Lines), ..InputOptions::default() };
        Corpus {
            current: Some(Box::new(TextReader::stdin_lines(alphabets))),
            opened: 1,
            ..Corpus::new(vec![Origin::Stdin], options)
        }
    }

    /// Opens one file, whose format is detected.
    ///
    /// # Errors
    ///
    /// As [`Corpus::open`].
    pub fn open_path(path: impl Into<PathBuf>) -> Result<Corpus, CorpusError> {
        Corpus::open(vec![Origin::File(path.into())], InputOptions::default())
    }

    /// Record batches in memory. The puzzles are in the column that the options name, in a column with a usual name, or
    /// in the only column: as text, as a list of integers for each puzzle, or as a list of its rows.
    ///
    /// A null is a malformed record, and so is any text that is not a puzzle. In lists, 0, -1 and null are blanks.
    ///
    /// They are read once. Jobs that need a second pass take [`Corpus::from_table`].
    ///
    /// # Errors
    ///
    /// If a column is missing or has another type, or the first batch cannot be read.
    #[expect(clippy::needless_pass_by_value, reason = "a reader of batches gives its schema")]
    pub fn from_batches(
        schema: SchemaRef,
        batches: impl IntoIterator<Item = Result<RecordBatch, ArrowError>, IntoIter: Send + 'static>,
        options: InputOptions,
    ) -> Result<Corpus, CorpusError> {
        let name = Origin::Memory.to_string();
        let mut batches = batches.into_iter().peekable();
        // Types alone do not always tell which column has the puzzles, so the first batch is looked at, too.
        let first = batches.peek().and_then(|first| first.as_ref().ok()).cloned();
        let sample = |columns: &[usize]| first.as_ref()?.project(columns).ok();
        let columns = RecordColumns::choose(&schema, &options, sample)
            .map_err(|source| CorpusError::Detect { name: name.clone(), source })?;
        let batches = Box::new(batches);
        let reader = TypedReader::new(name, TypedOrigin::Table, columns, batches, StoredSize::default(), &options)?;
        Ok(Corpus { current: Some(Box::new(reader)), opened: 1, ..Corpus::new(vec![Origin::Memory], options) })
    }

    /// Record batches in memory, as for [`Corpus::from_batches`], which can be read several times.
    ///
    /// # Errors
    ///
    /// If a column is missing or has another type.
    pub fn from_table(
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
        options: InputOptions,
    ) -> Result<Corpus, CorpusError> {
        let table = MemoryTable { schema, batches };
        let corpus = Corpus::from_batches(table.schema.clone(), table.batches(), options)?;
        Ok(Corpus { table: Some(table), ..corpus })
    }

    /// All columns of the first input, with the notes of the program that wrote it; `None` if it is text.
    pub(crate) fn row_schema(&self) -> Option<&SchemaRef> {
        self.current.as_ref().and_then(|reader| reader.schema())
    }

    /// Reads typed columns that are neither parsed nor kept, too, so that rows can be copied. To be called before any
    /// record is read. Does not apply to standard input.
    pub(crate) fn keep_rows(&mut self) -> Result<(), CorpusError> {
        self.keeps_rows = true;
        if self.row_schema().is_some()
            && let Some(first @ Origin::File(_)) = self.origins.first()
        {
            // It is open already, without these columns.
            self.current = Some(open(first, &self.options, true)?);
        }
        Ok(())
    }

    /// The types of the columns that are copied to the output, as the first input has them.
    pub(crate) fn kept_fields(&self) -> Vec<Field> {
        let text = || self.options.keep.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        self.current.as_ref().and_then(|reader| reader.kept()).unwrap_or_else(text)
    }

    fn new(origins: Vec<Origin>, options: InputOptions) -> Corpus {
        let cursor = ShardCursor::new(Shard::ONLY);
        Corpus {
            current: None,
            origins,
            table: None,
            opened: 0,
            options,
            keeps_all: false,
            keeps_rows: false,
            on_open: None,
            remarks: Remarks::default(),
            shard: None,
            cursor,
        }
    }

    /// Sets a function that is called with each input when it is opened (immediately for the first one), and again when
    /// it was read, with the lines that were skipped and with remarks.
    #[must_use]
    #[doc(hidden)]
    pub fn on_open(self, mut on_open: impl FnMut(&Input, InputNews<'_>) + Send + 'static) -> Corpus {
        if let Some(reader) = &self.current {
            on_open(reader.input(), InputNews::Opened);
        }
        Corpus { on_open: Some(Box::new(on_open)), ..self }
    }

    /// The inputs, in order.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The input that is open: the first one, before any record is read.
    pub(crate) fn first_input(&self) -> Option<&Arc<Input>> {
        self.current.as_ref().map(|reader| reader.input())
    }

    /// The first input that can be read only once; `None` if all can be read again.
    pub(crate) fn read_once(&self) -> Option<&Origin> {
        self.origins.iter().find(|origin| match origin {
            Origin::Stdin => true,
            Origin::File(_) => false,
            Origin::Memory => self.table.is_none(),
        })
    }

    /// The same inputs, opened again from their first record.
    #[doc(hidden)]
    pub fn open_again(&self) -> Result<Corpus, CorpusError> {
        let corpus = match self.table.clone() {
            Some(MemoryTable { schema, batches }) => Corpus::from_table(schema, batches, self.options.clone())?,
            None => Corpus::open(self.origins.clone(), self.options.clone())?,
        };
        Ok(match self.shard {
            Some(shard) => corpus.shard(shard),
            None => corpus,
        })
    }

    /// The sentences about text that was not read as records, which grow while the corpus is read.
    pub(crate) fn remarks(&self) -> Remarks {
        self.remarks.clone()
    }

    /// The options that the inputs are read with.
    pub fn options(&self) -> &InputOptions {
        &self.options
    }

    /// The shard that was selected by [`Corpus::shard`].
    pub fn selected_shard(&self) -> Option<Shard> {
        self.shard
    }

    /// Restricts the corpus to one shard. To be called before any record is read.
    #[must_use]
    pub fn shard(self, shard: Shard) -> Corpus {
        Corpus { shard: Some(shard), cursor: ShardCursor::new(shard), ..self }
    }

    /// The same, in chunks that end at each multiple of a number of records, which divides the size of a block of shards.
    pub(crate) fn in_blocks(self, records: u64) -> Corpus {
        Corpus { cursor: self.cursor.clone().in_blocks(records), ..self }
    }

    /// The position of the next record, for finding the records of the shard.
    pub(crate) fn cursor(&self) -> ShardCursor {
        self.cursor.clone()
    }

    /// The input of the next record, which stays unread; `None` at the end of the corpus.
    ///
    /// # Errors
    ///
    /// If an input cannot be read.
    pub(crate) fn next_input(&mut self) -> Result<Option<&Arc<Input>>, CorpusError> {
        let mut bytes = 0;
        while let Some((reader, _)) = self.skip_to_owned(&mut bytes)? {
            if reader.peek(&mut bytes)? {
                break;
            }
            self.open_next()?;
        }
        Ok(self.first_input())
    }

    /// The size of all inputs in bytes, as stored, if all of them are regular files.
    pub fn size(origins: &[Origin]) -> Option<u64> {
        let size = |origin: &Origin| match origin {
            Origin::Stdin | Origin::Memory => None,
            Origin::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len()),
        };
        origins.iter().map(size).sum()
    }

    /// Skips the records of other shards. Returns the current input, and the maximum number of its records to read now;
    /// `None` at the end of the corpus. Adds the size of the skipped records, as stored, to `bytes`.
    fn skip_to_owned(&mut self, bytes: &mut u64) -> Result<Option<(&mut dyn InputReader, u64)>, CorpusError> {
        loop {
            let left = match self.cursor.span() {
                ShardSpan::Owned(left) => {
                    return Ok(self.current.as_deref_mut().map(|reader| (reader as &mut dyn InputReader, left)));
                }
                ShardSpan::Skipped(left) => left,
            };
            let Some(reader) = &mut self.current else { return Ok(None) };
            let skipped = reader.skip(left, bytes)?;
            self.cursor.advance(skipped);
            // A span may go on in the next input.
            if skipped < left {
                self.open_next()?;
            }
        }
    }

    fn open_next(&mut self) -> Result<(), CorpusError> {
        if let Some(reader) = &self.current {
            let (input, (skipped, remark)) = (reader.input(), reader.notes());
            // Comments are not data, even if they have the cells of a puzzle.
            let end = skipped.end.map(|_| Skipped { end: skipped.end, ..Skipped::default() }.to_string());
            let unread = end.iter().chain(&remark);
            unread.for_each(|remark| self.remarks.add(format!("{}: {remark}", input.name)));

            if let Some(on_open) = &mut self.on_open {
                if skipped != Skipped::default() {
                    on_open(input, InputNews::Skipped(skipped));
                }
                if let Some(remark) = remark {
                    on_open(input, InputNews::Remark(&remark));
                }
            }
        }
        // Opening checked that there are no directories and that files exist; the format of a later input is found only
        // now.
        let next = self.origins.get(self.opened);
        self.current = next.map(|origin| open(origin, &self.options, self.keeps_rows)).transpose()?;
        self.opened += 1;
        if let (Some(reader), Some(on_open)) = (&self.current, &mut self.on_open) {
            let input = reader.input();
            on_open(input, InputNews::Opened);
            if let Some(remark) = input.layout.left_out().filter(|_| self.keeps_all) {
                on_open(input, InputNews::Remark(&remark));
            }
        }
        Ok(())
    }
}

/// Opens an input and detects its compression and its format. Reads all typed columns if `with_rows` is set.
fn open(origin: &Origin, options: &InputOptions, with_rows: bool) -> Result<Box<dyn InputReader>, CorpusError> {
    let name = origin.to_string();
    let reader: Box<dyn Read + Send> = match origin {
        Origin::Stdin => Box::new(io::stdin()),
        Origin::File(path) => {
            let file = File::open(path).map_err(|source| CorpusError::Open { name: name.clone(), source })?;
            let file = match typed_file::open(&name, path, file, options, with_rows)? {
                Opened::Typed(reader) => return Ok(reader),
                Opened::Other(file) => file,
            };
            Box::new(file)
        }
        // Batches are opened as they are passed in; here, there is nothing to open.
        Origin::Memory => return Err(CorpusError::Open { name, source: io::ErrorKind::NotFound.into() }),
    };
    let window = Window::open(reader, SAMPLE);
    // Arrays in a pipe, or compressed ones: only the unpacked text shows them.
    if is_arrays(window.text()) {
        return Ok(Box::new(typed_file::open_stream(&name, window, options)?));
    }
    Ok(Box::new(TextReader::open(name, window, options)?))
}

impl fmt::Debug for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let input = self.current.as_ref().map(|reader| reader.input());
        let mut corpus = f.debug_struct("Corpus");
        corpus.field("input", &input).field("origins", &self.origins).field("cursor", &self.cursor);
        corpus.finish_non_exhaustive()
    }
}

impl Source for Corpus {
    type Input = ChunkInput;
    type Error = CorpusError;

    fn fill(&mut self, chunk: &mut Chunk<ChunkInput>, records: usize) -> Result<Filled, CorpusError> {
        // First the rest of the record that the last chunk has cut off.
        if let Some(reader) = &mut self.current
            && reader.is_within_record()
        {
            reader.fill(ChunkText::new(chunk), 0)?;
            if !chunk.text.is_empty() {
                return Ok(Filled::Records);
            }
        }
        while let Some((reader, left)) = self.skip_to_owned(&mut chunk.input_bytes)? {
            reader.fill(ChunkText::new(chunk), usize::try_from(left).map_or(records, |left| records.min(left)))?;
            if !chunk.records.is_empty() {
                self.cursor.advance(chunk.records.len() as u64);
                return Ok(Filled::Records);
            }
            // The input is over, or was empty.
            self.open_next()?;
        }
        Ok(Filled::Nothing)
    }

    fn is_in_memory(&self) -> bool {
        self.opened >= self.origins.len() && self.current.as_ref().is_none_or(|reader| reader.is_in_memory())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use strum::VariantArray;

    use super::*;
    use crate::compression::{Compression, Encoder};

    /// The progress bar uses these sizes.
    #[test]
    fn the_sizes_of_the_chunks_add_up_to_the_stored_size_of_the_input() {
        // Not puzzles, but lines that do not compress well.
        let line = |number: u64| format!("{:016x}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let text: String = (0..200_000).map(line).collect();
        for compression in Compression::VARIANTS.iter().copied().map(Some).chain([None]) {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            match compression {
                None => file.write_all(text.as_bytes()).unwrap(),
                Some(compression) => {
                    let mut encoder = Encoder::new(&mut file, compression, 1);
                    encoder.write_all(text.as_bytes()).unwrap();
                    encoder.finish().unwrap();
                }
            }
            let origins = vec![Origin::File(file.path().to_owned())];
            let size = Corpus::size(&origins).unwrap();
            let mut corpus = Corpus::open(origins, InputOptions::default()).unwrap();
            let (mut chunk, mut steps) = (Chunk::new(), vec![]);
            while corpus.fill(&mut chunk, 9999).unwrap() == Filled::Records {
                steps.push(chunk.input_bytes);
                chunk.clear();
            }
            assert_eq!(steps.iter().sum::<u64>(), size, "{compression:?}");
            assert!(steps.iter().filter(|&&step| step > 0).count() > 2, "{compression:?} {steps:?}");
        }
    }

    /// Reads all remaining records in chunks of `records`; returns the input and the line of each.
    fn lines(corpus: &mut Corpus, records: usize) -> Vec<(String, u64)> {
        let (mut chunk, mut lines) = (Chunk::new(), vec![]);
        while corpus.fill(&mut chunk, records).unwrap() == Filled::Records {
            let name = chunk.input.clone().unwrap().input.name.clone();
            assert!(chunk.texts().all(|(line, text)| text.ends_with(format!("# {line}").as_bytes())));
            lines.extend(chunk.records.iter().map(|record| (name.clone(), record.line)));
            chunk.clear();
        }
        lines
    }

    /// Several inputs, one of them empty; blocks of shards do not end where inputs end.
    #[test]
    fn records_before_a_pause_and_after_it_add_up_to_the_shard() {
        let directory = tempfile::tempdir().unwrap();
        let origins: Vec<Origin> = [10_000, 0, 3, 7000]
            .into_iter()
            .enumerate()
            .map(|(name, records)| {
                let path = directory.path().join(name.to_string());
                let lines: Vec<String> = (1..=records).map(|line| format!("1.3..........4.2 # {line}")).collect();
                fs::write(&path, lines.join("\n")).unwrap();
                Origin::File(path)
            })
            .collect();
        let open = || Corpus::open(origins.clone(), InputOptions::default()).unwrap();
        let all = lines(&mut open(), 999);
        assert_eq!(all.len(), 17_003);
        for (number, count) in [(1, 1), (1, 2), (2, 2), (3, 3), (5, 5), (6, 6)] {
            let shard = Shard::new(number, count).unwrap();
            let blocks = all.chunks(BLOCK as usize).skip(number as usize - 1).step_by(count as usize);
            let expected: Vec<_> = blocks.flatten().cloned().collect();
            assert_eq!(expected.len() as u64, shard.share(17_003));
            for consumed in [0, 1, 4095, 4096, 4097, 9000, expected.len()] {
                let mut corpus = open().shard(shard).in_blocks(64);
                let (mut chunk, mut read) = (Chunk::new(), 0);
                while read < consumed.min(expected.len()) {
                    chunk.clear();
                    assert_eq!(corpus.fill(&mut chunk, consumed - read).unwrap(), Filled::Records);
                    read += chunk.records.len();
                    assert!(read.is_multiple_of(64) || chunk.records.len() < 64);
                }
                // Asking for the input of a record does not consume it.
                let rest = &expected[read..];
                let next = corpus.next_input().unwrap().map(|input| input.name.clone());
                assert_eq!(next.as_ref(), rest.first().map(|(name, _)| name));
                assert_eq!(lines(&mut corpus, 1000), rest, "{shard}, {consumed}");
            }
        }
    }
}
