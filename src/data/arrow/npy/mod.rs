//! Reads puzzles from arrays of `NumPy`: `.npy` files, `.npz` archives, and the training sets of recursive reasoning
//! models, as record batches.
//!
//! The batches have a column of lists or of texts for each array. In training sets, arrays have 1 for a blank and the
//! digit plus 1 for a clue; their columns have the digits.

mod archive;
mod array;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, NullArray, RecordBatch};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use rawzip::FileReader;

use self::array::{ArrayReading, Bytes, CellArray, in_memory};
use super::records::RecordColumns;
use crate::format::{Alphabets, AnswerColumn, DetectError, InputOptions, TypedOrigin, is_named_as_answer};
use crate::npy::{HeaderError, MAGIC};

/// The names of the arrays of a training set: puzzles and solutions, each in a file.
pub(crate) const TRAINING_SET: [&str; 2] = ["all__inputs.npy", "all__labels.npy"];

/// The names for a single array, or for two.
const NAMES: [&str; 2] = ["puzzle", "solution"];

/// The maximum number of rows that are read at a time, and the maximum number of bytes for each array.
const BATCH: usize = 4096;
const BATCH_BYTES: usize = 1 << 20;

/// The error for arrays that cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArrayError {
    #[error(transparent)]
    Header(#[from] HeaderError),
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Columns(#[from] DetectError),
    #[error(
        "the NumPy array has the shape {}; puzzles have the shape (n, 81) or (n, 9, 9), those of other sizes such as \
         (n, 256) or (n, 16, 16){cure}",
        in_words(.shape)
    )]
    Shape { shape: Vec<u64>, cure: &'static str },
    #[error(
        "the NumPy array of 16x16 may be a puzzle or sixteen puzzles: write one with .reshape(1, 16, 16), or sixteen with \
         .reshape(16, 4, 4)"
    )]
    OneOrSeveral,
    #[error("the archive has no NumPy array")]
    NoArray,
    #[error("the archive has two arrays '{0}'")]
    Twice(String),
    #[error("its arrays are compressed with {0}; write them with numpy.savez or numpy.savez_compressed")]
    Compression(String),
    #[error("the NumPy array '{name}' has {rows} rows, and the array of puzzles {puzzles}")]
    OtherLength { name: String, rows: u64, puzzles: u64 },
    #[error(
        "more than 1 GiB of NumPy arrays would have to be in memory: write an array in Fortran order with \
         numpy.ascontiguousarray, and an archive to a file"
    )]
    TooLarge,
    #[error("the NumPy array ends early, after {found} of {rows} rows")]
    EndsEarly { found: u64, rows: u64 },
    #[error("more bytes follow the last row of the NumPy array")]
    MoreBytes,
}

/// A shape as Python prints it.
fn in_words(shape: &[u64]) -> String {
    let lengths = shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    if shape.len() == 1 { format!("({lengths},)") } else { format!("({lengths})") }
}

/// Whether this is the start of an input with arrays.
pub(crate) fn is_arrays(start: &[u8]) -> bool {
    start.starts_with(MAGIC) || archive::is_archive(start)
}

/// The arrays of an input, with their names.
pub(crate) struct Arrays {
    list: Vec<NamedArray>,
    /// Phrases for arrays that have another shape.
    others: Vec<String>,
    /// Whether the file has the name of a training set's file.
    is_training_set: bool,
}

struct NamedArray {
    name: String,
    array: CellArray,
}

/// The arrays to read, with the options for them.
pub(crate) struct ArrayInput {
    pub(crate) columns: RecordColumns,
    pub(crate) batches: ArrayBatches,
    pub(crate) origin: TypedOrigin,
    /// The number of records.
    pub(crate) records: u64,
    /// The options, with an alphabet for puzzles of this size.
    pub(crate) options: InputOptions,
}

impl Arrays {
    /// The arrays in a file and, for a training set, in the other file of the set.
    pub(crate) fn of_file(path: &Path, file: File) -> Result<Arrays, ArrayError> {
        let length = file.metadata()?.len();
        let bytes: Bytes = Arc::new(FileReader::from(file));
        let mut arrays = Arrays::of_bytes(&bytes, length)?;

        let [inputs, labels] = TRAINING_SET.map(|name| path.with_file_name(name));
        arrays.is_training_set = path == inputs;
        if arrays.is_training_set && labels.exists() {
            let bytes = Arc::new(FileReader::from(File::open(labels)?));
            arrays.list.push(NamedArray { name: NAMES[1].to_owned(), array: CellArray::at(bytes, 0)? });
        }
        Ok(arrays)
    }

    /// The arrays of a stream.
    pub(crate) fn of_stream(mut reader: Box<dyn Read + Send>) -> Result<Arrays, ArrayError> {
        let mut start = vec![];
        reader.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
        let is_archive = start != MAGIC;
        let reader = io::Cursor::new(start).chain(reader);
        if is_archive {
            let bytes = in_memory(reader)?;
            let length = bytes.len() as u64;
            return Arrays::of_bytes(&(Arc::new(bytes) as Bytes), length);
        }
        Ok(Arrays::one(CellArray::of_stream(Box::new(reader))?))
    }

    fn of_bytes(bytes: &Bytes, length: u64) -> Result<Arrays, ArrayError> {
        let mut magic = [0; MAGIC.len()];
        bytes.read_exact_at(&mut magic, 0)?;
        if magic != *MAGIC {
            let (list, others) = archive::arrays(bytes, length)?;
            return Ok(Arrays { list, others, is_training_set: false });
        }
        CellArray::at(Arc::clone(bytes), 0).map(Arrays::one)
    }

    fn one(array: CellArray) -> Arrays {
        let list = vec![NamedArray { name: NAMES[0].to_owned(), array }];
        Arrays { list, others: vec![], is_training_set: false }
    }

    /// Opens the arrays with the names in the options, with usual names, or found by their content. If `with_rows` is
    /// set, opens also the other arrays with the same number of rows.
    pub(crate) fn open(mut self, options: &InputOptions, with_rows: bool) -> Result<ArrayInput, ArrayError> {
        let (mut columns, mut options) = (self.choose(options)?, options.clone());
        let (read, puzzle) = (columns.projection(), columns.puzzle());
        let rows = |index: usize| self.list[index].array.reading.rows;
        let is_in_rows = |index: &usize| rows(*index) == rows(puzzle) || read.contains(index);
        let all: Vec<usize> = (0..self.list.len()).filter(is_in_rows).collect();
        columns.schema = Arc::new(self.schema().project(&all).map_err(io::Error::other)?);
        if let Some(size) = self.list[puzzle].array.reading.size {
            options.alphabets.insert(0, options.alphabets.iter().copied().collect::<Alphabets>().for_printing(size));
        }

        let CellArray { is_one_more, .. } = self.list[puzzle].array;
        let blank = self.list[puzzle].array.has_numbers().then_some(u8::from(is_one_more));
        let projection = if with_rows { all } else { read };
        let batches = self.batches(&projection, puzzle)?;
        let (columns, origin) = (columns.projected(&projection), TypedOrigin::Arrays { blank });
        Ok(ArrayInput { columns, origin, records: batches.rows, batches, options })
    }

    /// Chooses the arrays to read. Beside the names of columns, `x` is a name of puzzles.
    fn choose(&mut self, options: &InputOptions) -> Result<RecordColumns, ArrayError> {
        let (schema, sample) = (self.schema(), self.sample()?);
        let choose = |options| RecordColumns::choose(&schema, options, |arrays| sample.project(arrays).ok());
        let names: Vec<&String> = self.list.iter().map(|array| &array.name).collect();
        let x = names.iter().find(|name| name.eq_ignore_ascii_case("x"));
        let mut columns = match (choose(options), x) {
            (Err(DetectError::NoPuzzleColumn { .. } | DetectError::SeveralPuzzleColumns { .. }), Some(&x)) => {
                choose(&InputOptions { puzzle_column: Some(x.clone()), ..options.clone() })?
            }
            (columns, _) => columns?,
        };

        // Answers need no mention if none are read.
        let is_wanted = |name: &str| options.answer != AnswerColumn::Ignored || !is_named_as_answer(name);
        let read = columns.projection();
        let left = (0..names.len()).filter(|index| !read.contains(index) && is_wanted(names[*index]));
        columns.table.not_read = left.map(|index| format!("'{}'", names[index])).chain(self.others.clone()).collect();
        Ok(columns)
    }

    /// The first rows of all arrays, as many as all have. An array without rows has nulls.
    fn sample(&mut self) -> Result<RecordBatch, ArrayError> {
        let mut columns = vec![];
        for NamedArray { name, array } in &mut self.list {
            array.is_one_more = self.is_training_set;
            columns.push((name, array.first_rows((BATCH_BYTES / array.row_size()).clamp(1, BATCH))?));
        }
        let length = columns.iter().map(|(_, rows)| rows.len()).filter(|&length| length > 0).min().unwrap_or(0);
        let columns = columns.into_iter().map(|(name, rows)| {
            (name, if rows.len() >= length { rows.slice(0, length) } else { Arc::new(NullArray::new(length)) }, true)
        });
        Ok(RecordBatch::try_from_iter_with_nullable(columns).map_err(io::Error::other)?)
    }

    fn schema(&self) -> SchemaRef {
        let fields = self.list.iter().map(|NamedArray { name, array }| Field::new(name, array.data_type(), false));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    /// The rows of some arrays, in this order; `puzzle` is the array of puzzles.
    fn batches(self, indices: &[usize], puzzle: usize) -> Result<ArrayBatches, ArrayError> {
        let schema = Arc::new(self.schema().project(indices).map_err(io::Error::other)?);
        let CellArray { reading: ArrayReading { rows, .. }, is_one_more, .. } = self.list[puzzle].array;
        let mut list: Vec<_> = self.list.into_iter().map(Some).collect();
        let (mut arrays, mut at_a_time) = (vec![], BATCH);
        for NamedArray { name, mut array } in indices.iter().filter_map(|&index| list[index].take()) {
            if array.reading.rows != rows {
                return Err(ArrayError::OtherLength { name, rows: array.reading.rows, puzzles: rows });
            }
            array.is_one_more = is_one_more;
            at_a_time = at_a_time.min(BATCH_BYTES / array.row_size()).max(1);
            arrays.push(array);
        }
        Ok(ArrayBatches { schema, arrays, rows, at_a_time, read: 0, failure: None })
    }
}

/// The rows of some arrays, a batch at a time.
pub(crate) struct ArrayBatches {
    schema: SchemaRef,
    arrays: Vec<CellArray>,
    /// The number of rows.
    rows: u64,
    at_a_time: usize,
    /// The number of rows that were read.
    read: u64,
    /// The error after the rows so far.
    failure: Option<ArrayError>,
}

impl ArrayBatches {
    /// Reads the next rows, if there are any.
    fn read_rows(&mut self) -> Result<Vec<ArrayRef>, ArrayError> {
        let wanted = (self.rows - self.read).min(self.at_a_time as u64) as usize;
        let rows = self.arrays.iter_mut().map(|array| array.read(wanted)).collect::<io::Result<Vec<_>>>()?;
        let found = rows.iter().map(Array::len).min().unwrap_or(0);
        self.read += found as u64;

        if found < wanted {
            self.failure = Some(ArrayError::EndsEarly { found: self.read, rows: self.rows });
            self.rows = self.read;
        } else if self.read == self.rows {
            for array in &mut self.arrays {
                match array.has_more() {
                    Ok(false) => {}
                    Ok(true) => self.failure = Some(ArrayError::MoreBytes),
                    Err(error) => self.failure = Some(error.into()),
                }
            }
        }
        Ok(rows.into_iter().map(|rows| rows.slice(0, found)).collect())
    }

    /// The next rows.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrayError> {
        if self.read == self.rows {
            return self.failure.take().map_or(Ok(None), Err);
        }
        let rows = self.read_rows()?;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), rows).map_err(io::Error::other)?;
        // The rows may all be padding.
        if batch.num_rows() == 0 { self.next_batch() } else { Ok(Some(batch)) }
    }
}

impl Iterator for ArrayBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let batch = self.next_batch();
        if batch.is_err() {
            self.rows = self.read;
        }
        batch.map_err(|error| ArrowError::from_external_error(Box::new(io::Error::other(error)))).transpose()
    }
}
