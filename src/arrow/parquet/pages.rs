//! Reads the pages of a Parquet file, and checks what each of them decodes to before it is decoded.
//!
//! A page says how large it is, and a few bytes of it can stand for any number of values: lists and texts of any length.
//! What a page takes is counted before its bytes are decompressed, and again before its values are decoded.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::{Compression, Type};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::{ReaderProperties, ReaderPropertiesPtr};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use super::memory::{Memory, PageError, PageMemory};
use super::page_content::{DataPage, longest_entry};
use super::page_header::PageSize;

type Result<T, E = ParquetError> = std::result::Result<T, E>;

/// The most bytes that the header of a page has.
const MAX_HEADER: usize = 1 << 16;

/// The bytes that a value takes in a list of integers, beside its own: its levels, and as a number that can be a cell.
pub(super) const SLOT: usize = 16;

/// The pages of all columns of a file.
pub(super) struct Pages {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
    /// The number of rows that are decoded at a time.
    rows: usize,
    memory: Arc<Memory>,
}

impl Pages {
    /// The pages of a file of which `rows` rows are decoded at a time.
    pub(super) fn new(file: File, metadata: Arc<ParquetMetaData>, rows: usize) -> Pages {
        Pages { file: Arc::new(file), metadata, rows, memory: Arc::default() }
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> Arc<Memory> {
        Arc::clone(&self.memory)
    }
}

impl RowGroups for Pages {
    fn num_rows(&self) -> usize {
        let rows = self.metadata.row_groups().iter().map(|group| usize::try_from(group.num_rows()).unwrap_or(0));
        rows.fold(0, usize::saturating_add)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        // Frames of an older kind of LZ4, which no writer has written for years, have no bound.
        let properties = ReaderProperties::builder().set_backward_compatible_lz4(false).build();
        Ok(Box::new(ColumnChunks {
            file: Arc::clone(&self.file),
            metadata: Arc::clone(&self.metadata),
            memory: Arc::clone(&self.memory),
            properties: Arc::new(properties),
            column,
            rows: self.rows,
            row_groups: 0..self.metadata.num_row_groups(),
        }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.metadata.row_groups().iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The pages of a column, a reader for each row group.
struct ColumnChunks {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
    memory: Arc<Memory>,
    properties: ReaderPropertiesPtr,
    column: usize,
    rows: usize,
    row_groups: Range<usize>,
}

impl PageIterator for ColumnChunks {}

impl Iterator for ColumnChunks {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let row_group = self.metadata.row_group(self.row_groups.next()?);
        let metadata = row_group.column(self.column);
        let chunk = Arc::new(Chunk {
            file: Arc::clone(&self.file),
            compression: metadata.compression(),
            column: metadata.column_descr_ptr(),
            memory: Arc::clone(&self.memory),
            page: Mutex::new((PageSize::default(), PageMemory::new(&self.memory))),
        });
        let rows = usize::try_from(row_group.num_rows()).unwrap_or(0);
        let offsets = [Some(metadata.data_page_offset()), metadata.dictionary_page_offset()];
        if metadata.compressed_size() < 0 || offsets.into_iter().flatten().any(|offset| offset < 0) {
            return Some(Err(external(chunk.damaged())));
        }
        let bytes = Arc::new(ChunkBytes(Arc::clone(&chunk)));
        let pages = SerializedPageReader::new_with_properties(bytes, metadata, rows, None, self.properties.clone());
        Some(pages.map(|pages| {
            let rows = self.rows;
            Box::new(CheckedPages { pages, chunk, rows, longest_entry: 0, dictionary: None, data: None }) as _
        }))
    }
}

/// A column in a row group.
struct Chunk {
    file: Arc<File>,
    compression: Compression,
    column: ColumnDescPtr,
    memory: Arc<Memory>,
    /// The page that is read.
    page: Mutex<(PageSize, PageMemory)>,
}

impl Chunk {
    /// Takes the memory for the page with a header.
    fn open_page(&self, header: &[u8]) -> Result<(), PageError> {
        let size = PageSize::read(header).ok_or_else(|| self.damaged())?;
        let mut page = self.page();
        *page = (size, PageMemory::new(&self.memory));
        // The bytes of the page, and as many of values that are decoded from it.
        self.take(&mut page.1, size.uncompressed.saturating_mul(2))
    }

    /// The memory of the page that was read.
    fn close_page(&self) -> PageMemory {
        std::mem::replace(&mut self.page().1, PageMemory::new(&self.memory))
    }

    /// Checks that a page does not decompress to more than its header says. With these kinds of compression, the Parquet
    /// crate finds out when it has all of it.
    fn check_compressed(&self, bytes: &[u8]) -> Result<(), PageError> {
        let PageSize { uncompressed, levels } = self.page().0;
        let compressed = bytes.get(levels..).ok_or_else(|| self.damaged())?;
        let decoder: Box<dyn Read> = match self.compression {
            Compression::GZIP(_) => Box::new(flate2::read::MultiGzDecoder::new(compressed)),
            // The first bits of a stream with a window of up to 1 GiB, which is not allowed here.
            Compression::BROTLI(_) if compressed.first().is_some_and(|byte| byte & 0x7f == 0x11) => {
                return Err(self.damaged());
            }
            Compression::BROTLI(_) => Box::new(brotli::Decompressor::new(compressed, 1 << 12)),
            _ => return Ok(()),
        };

        // What is no such stream is an error when it is decompressed.
        let most = uncompressed as u64;
        match io::copy(&mut decoder.take(most + 1), &mut io::sink()) {
            Ok(length) if length > most => Err(self.damaged()),
            _ => Ok(()),
        }
    }

    fn take(&self, memory: &mut PageMemory, bytes: usize) -> Result<(), PageError> {
        let too_large = || self.memory.refuse(PageError::TooLarge { column: self.column.path().string() });
        if memory.take(bytes) { Ok(()) } else { Err(too_large()) }
    }

    fn damaged(&self) -> PageError {
        self.memory.refuse(PageError::Damaged { column: self.column.path().string() })
    }

    fn page(&self) -> MutexGuard<'_, (PageSize, PageMemory)> {
        self.page.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of a column in a row group.
struct ChunkBytes(Arc<Chunk>);

impl Length for ChunkBytes {
    fn len(&self) -> u64 {
        Length::len(&*self.0.file)
    }
}

impl ChunkReader for ChunkBytes {
    type T = Header;

    fn get_read(&self, start: u64) -> Result<Header> {
        let mut file = self.0.file.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        let bytes = BufReader::with_capacity(MAX_HEADER, file);
        Ok(Header { bytes, unchecked: Some(Arc::clone(&self.0)) })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let chunk = &self.0;
        chunk.take(&mut chunk.page().1, length).map_err(external)?;
        let bytes = chunk.file.get_bytes(start, length)?;
        chunk.check_compressed(&bytes).map_err(external)?;
        Ok(bytes)
    }
}

/// The header of a page, which is checked when it is read.
struct Header {
    bytes: BufReader<File>,
    /// The chunk, before the header was checked.
    unchecked: Option<Arc<Chunk>>,
}

impl Read for Header {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(chunk) = self.unchecked.take() {
            chunk.open_page(self.bytes.fill_buf()?).map_err(io::Error::other)?;
        }
        self.bytes.read(buffer)
    }
}

/// The pages of a column in a row group, of which none takes too much memory.
struct CheckedPages {
    pages: SerializedPageReader<ChunkBytes>,
    chunk: Arc<Chunk>,
    /// The number of rows that are decoded at a time.
    rows: usize,
    /// The length of the longest value in the dictionary.
    longest_entry: usize,
    /// The memory of the dictionary, and of the page with data that is open.
    dictionary: Option<PageMemory>,
    data: Option<PageMemory>,
}

impl CheckedPages {
    /// Takes the memory for the values of a page.
    fn check(&mut self, page: &Page) -> Result<(), PageError> {
        let (chunk, column) = (&self.chunk, &self.chunk.column);
        let mut memory = chunk.close_page();
        if page.is_dictionary_page() {
            self.longest_entry = longest_entry(page, column).ok_or_else(|| chunk.damaged())?;
            chunk.take(&mut memory, SLOT.saturating_mul(page.num_values() as usize))?;
            self.dictionary = Some(memory);
            return Ok(());
        }

        let data = DataPage::new(page, column).ok_or_else(|| chunk.damaged())?;
        let longest_record = data.longest_record().ok_or_else(|| chunk.damaged())?;
        let slots = data.length.min(self.rows.saturating_mul(longest_record));
        let longest_difference = data.longest_difference().ok_or_else(|| chunk.damaged())?;
        let width = self.longest_entry.max(longest_difference).max(fixed_length(column));
        chunk.take(&mut memory, slots.saturating_mul(width.saturating_add(SLOT)))?;
        chunk.take(&mut memory, data.lengths())?;
        self.data = Some(memory);
        Ok(())
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.check(page).map_err(external)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

/// The length of the values of a column, if all have the same; 0 otherwise.
pub(super) fn fixed_length(column: &ColumnDescriptor) -> usize {
    match column.physical_type() {
        Type::FIXED_LEN_BYTE_ARRAY => usize::try_from(column.type_length()).unwrap_or(usize::MAX),
        _ => 0,
    }
}

fn external(error: PageError) -> ParquetError {
    ParquetError::External(Box::new(error))
}
