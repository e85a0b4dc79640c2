//! Reads puzzles from arrays of `NumPy`: `.npy` files, `.npz` archives, and the training sets of recursive reasoning
//! models, as record batches.
//!
//! The batches have a column of lists of integers for each array. In training sets, arrays have 1 for a blank and the
//! digit plus 1 for a clue; their columns have the digits.

mod archive;
mod array;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef, ArrowNativeTypeOp, PrimitiveArray, RecordBatch, downcast_integer_array};
use arrow_buffer::ArrowNativeType;
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use rawzip::FileReader;

use self::array::{Bytes, CellArray, in_memory};
use super::records::RecordColumns;
use crate::format::{Alphabets, AnswerColumn, DetectError, InputOptions, TypedOrigin, usual_columns};
use crate::npy::{HeaderError, MAGIC};
use crate::puzzle::Size;

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
    Header(HeaderError),
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Columns(#[from] DetectError),
    #[error(
        "the NumPy array has the shape ({}); that of puzzles is (n, 81) or (n, 9, 9), or the like of another size",
        .shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
    )]
    Shape { shape: Vec<u64> },
    #[error("the archive has no NumPy array")]
    NoArray,
    #[error("the archive has two arrays '{0}'")]
    Twice(String),
    #[error("its arrays are compressed with {0}; write them with numpy.savez or numpy.savez_compressed")]
    Compression(String),
    #[error("the NumPy array '{name}' has {rows} rows, and that of the puzzles {puzzles}")]
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

impl From<HeaderError> for ArrayError {
    fn from(error: HeaderError) -> ArrayError {
        match error {
            HeaderError::Read(error) => ArrayError::Read(error),
            error => ArrayError::Header(error),
        }
    }
}

/// Whether this is the start of an input with arrays.
pub(crate) fn is_arrays(start: &[u8]) -> bool {
    start.starts_with(MAGIC) || archive::is_archive(start)
}

/// The arrays of an input, with their names.
pub(crate) struct Arrays {
    list: Vec<NamedArray>,
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
            return Ok(Arrays { list: archive::arrays(bytes, length)?, is_training_set: false });
        }
        CellArray::at(Arc::clone(bytes), 0).map(Arrays::one)
    }

    fn one(array: CellArray) -> Arrays {
        Arrays { list: vec![NamedArray { name: NAMES[0].to_owned(), array }], is_training_set: false }
    }

    /// Opens the arrays with the names in the options, or with usual names.
    pub(crate) fn open(self, options: &InputOptions) -> Result<ArrayInput, ArrayError> {
        let mut options = self.named(options);
        let columns = RecordColumns::choose(self.schema(), &options)?;
        let (projection, puzzle) = (columns.projection(), columns.puzzle());
        let size = self.list[puzzle].array.size;
        options.alphabets.insert(0, options.alphabets.iter().copied().collect::<Alphabets>().for_printing(size));

        let puzzle = projection.iter().position(|&index| index == puzzle).expect("the puzzles are read");
        let batches = self.batches(&projection, puzzle)?;
        let columns = columns.projected(Arc::clone(&batches.schema));
        let origin = TypedOrigin::Arrays { blank: batches.blank };
        Ok(ArrayInput { columns, origin, records: batches.rows, batches, options })
    }

    /// All arrays with the same number of rows as the array of puzzles.
    pub(crate) fn open_all(self, options: &InputOptions) -> Result<ArrayBatches, ArrayError> {
        let puzzle = RecordColumns::choose(self.schema(), &self.named(options))?.puzzle();
        let rows = self.list[puzzle].array.rows;
        let all: Vec<usize> = (0..self.list.len()).filter(|&index| self.list[index].array.rows == rows).collect();
        let puzzle = all.iter().position(|&index| index == puzzle).expect("it has as many rows as itself");
        self.batches(&all, puzzle)
    }

    /// Adds the names of the arrays of puzzles and of answers to the options. Without usual names, the puzzles are in
    /// the first array, or in `x`, and the answers in `y`.
    fn named(&self, options: &InputOptions) -> InputOptions {
        let mut options = options.clone();
        let names: Vec<String> = self.list.iter().map(|array| array.name.clone()).collect();
        let (puzzle, answer) = usual_columns(&names);
        let called = |name: &str| names.iter().find(|other| other.eq_ignore_ascii_case(name)).cloned();
        if options.puzzle_column.is_none() && puzzle.is_none() {
            let first = (0..names.len()).find(|&index| Some(index) != answer).unwrap_or(0);
            options.puzzle_column = called("x").or_else(|| names.get(first).cloned());
        }
        if options.answer == AnswerColumn::ByName
            && answer.is_none()
            && let Some(name) = called("y")
        {
            options.answer = AnswerColumn::Named(name);
        }
        options
    }

    fn schema(&self) -> SchemaRef {
        let fields = self.list.iter().map(|NamedArray { name, array }| Field::new(name, array.data_type(), false));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    /// The rows of some arrays, in this order; `puzzle` is the array of puzzles among them.
    fn batches(self, indices: &[usize], puzzle: usize) -> Result<ArrayBatches, ArrayError> {
        let schema = Arc::new(self.schema().project(indices).map_err(io::Error::other)?);
        let mut arrays: Vec<_> = self.list.into_iter().map(Some).collect();
        let arrays: Vec<_> = indices.iter().filter_map(|&index| arrays[index].take()).collect();
        let NamedArray { array: CellArray { rows, size, .. }, .. } = arrays[puzzle];
        if let Some(NamedArray { name, array }) = arrays.iter().find(|other| other.array.rows != rows) {
            return Err(ArrayError::OtherLength { name: name.clone(), rows: array.rows, puzzles: rows });
        }

        let row_size = arrays.iter().map(|array| array.array.row_size()).max().unwrap_or(1);
        let at_a_time = (BATCH_BYTES / row_size).min(BATCH);
        let arrays = arrays.into_iter().map(|array| array.array).collect();
        let mut batches =
            ArrayBatches { schema, arrays, rows, at_a_time, read: 0, blank: 0, first: None, failure: None };
        let first = batches.read_numbers()?;
        batches.blank = u8::from(self.is_training_set || is_one_more(&first[puzzle], size));
        batches.first = Some(first);
        Ok(batches)
    }
}

/// The rows of some arrays, a batch at a time.
pub(crate) struct ArrayBatches {
    pub(crate) schema: SchemaRef,
    arrays: Vec<CellArray>,
    /// The number of rows.
    rows: u64,
    at_a_time: usize,
    /// The number of rows that were read.
    read: u64,
    /// The number for a blank: 0 or 1.
    blank: u8,
    /// The numbers of the first rows, until they are passed on.
    first: Option<Vec<ArrayRef>>,
    /// The error after the rows so far.
    failure: Option<ArrayError>,
}

impl ArrayBatches {
    /// Reads the numbers of the next rows, if there are any.
    fn read_numbers(&mut self) -> Result<Vec<ArrayRef>, ArrayError> {
        let wanted = (self.rows - self.read).min(self.at_a_time as u64) as usize;
        let numbers = self.arrays.iter_mut().map(|array| array.read(wanted)).collect::<io::Result<Vec<_>>>()?;
        let lengths = numbers.iter().zip(&self.arrays).map(|(numbers, array)| numbers.len() / array.size.cells());
        let found = lengths.min().unwrap_or(0);
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
        let cells = self.arrays.iter().map(|array| array.size.cells());
        Ok(numbers.into_iter().zip(cells).map(|(numbers, cells)| numbers.slice(0, found * cells)).collect())
    }

    /// The next rows.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrayError> {
        let numbers = match self.first.take() {
            Some(first) => first,
            None if self.read < self.rows => self.read_numbers()?,
            None => return self.failure.take().map_or(Ok(None), Err),
        };
        let lists = self
            .arrays
            .iter()
            .zip(numbers)
            .map(|(array, numbers)| array.lists(if self.blank == 1 { one_less(&numbers) } else { numbers }));
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), lists.collect()).map_err(io::Error::other)?;
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

/// Whether numbers are the digits of puzzles plus 1: the largest one occurs, and 0 does not.
fn is_one_more(numbers: &ArrayRef, size: Size) -> bool {
    fn occur<T: ArrowPrimitiveType>(numbers: &PrimitiveArray<T>, largest: usize) -> bool {
        let [zero, largest] = [0, largest].map(T::Native::usize_as);
        numbers.values().contains(&largest) && !numbers.values().contains(&zero)
    }
    downcast_integer_array!(numbers => occur(numbers, size.side() + 1), _ => unreachable!("the numbers are integers"))
}

/// Subtracts 1 from numbers. The padding of training sets would become -1, and becomes a number that is not a digit.
fn one_less(numbers: &ArrayRef) -> ArrayRef {
    fn of<T: ArrowPrimitiveType>(numbers: &PrimitiveArray<T>) -> ArrayRef {
        let [zero, one, no_digit] = [0, 1, usize::from(i8::MAX as u8)].map(T::Native::usize_as);
        let digit = |number: T::Native| if number == zero { no_digit } else { number.sub_wrapping(one) };
        Arc::new(numbers.unary::<_, T>(digit))
    }
    downcast_integer_array!(numbers => of(numbers), _ => unreachable!("the numbers are integers"))
}
