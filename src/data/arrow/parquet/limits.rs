//! Bounds the memory that a Parquet file takes: its footer is checked before it is decoded, and each page before it is
//! decompressed. The Parquet crate has no limit of its own: it trusts the sizes that a footer and a page header give.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use parquet::basic::{Compression, Type};
use parquet::errors::Result;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};

/// The maximum length of a footer, in bytes. Decoding it takes some twenty times as much memory.
const MAX_FOOTER: u32 = 16 << 20;

/// The maximum number of row groups: the Parquet crate numbers them with 15 bits.
const MAX_ROW_GROUPS: u64 = 1 << 15;

/// The maximum depth of nested columns and structures.
const MAX_DEPTH: usize = 64;

/// The maximum number of bytes of all columns' paths.
const MAX_PATHS: usize = 64 << 20;

/// The maximum number of rows that are decoded at a time, and the bytes that they should take.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 32 << 20;

/// The maximum number of bytes of a column that a row may take on average.
const MAX_ROW: usize = 128 << 20;

/// The maximum number of bytes of the pages that are opened for a batch.
const MAX_PAGES: usize = 512 << 20;

/// The overhead of a value, in bytes, in a list of one row or in a dictionary.
const SLOT: usize = 16;

/// The bytes that are counted for each value of a page if columns with lists are read. All values may be in one row.
const ITEM: usize = 8;

/// The error for a footer that is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FooterError {
    #[error("it does not end as a Parquet file does; it is damaged, or was not written to its end")]
    NoEnd,
    #[error("its footer is encrypted; write it without encryption")]
    Encrypted,
    #[error("its footer is damaged")]
    Damaged,
    #[error("its footer is larger than {} MiB", MAX_FOOTER >> 20)]
    TooLong,
    #[error("it has more than {MAX_ROW_GROUPS} row groups")]
    TooManyRowGroups,
    #[error("its columns are nested more than {MAX_DEPTH} deep, or have names that are too long")]
    TooDeep,
}

/// The error for a column whose pages are not decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PageError {
    #[error(
        "column '{column}' cannot be read in {} MiB of memory: a cell or a page of it is too large; write the file \
         without such cells, or with smaller pages",
        MAX_PAGES >> 20
    )]
    TooLarge { column: String },
    #[error("column '{column}' is compressed with Brotli, which is not read; write the file with Zstandard")]
    Brotli { column: String },
    #[error("column '{column}' is damaged, or encrypted")]
    Damaged { column: String },
}

/// Reads the footer of a file, and checks that it can be decoded.
pub(super) fn read_footer(file: &mut File) -> io::Result<Vec<u8>> {
    const END: u32 = 8;
    let length = file.seek(SeekFrom::End(0))?;
    let mut end = [0; END as usize];
    if length < u64::from(END) {
        return Err(io::Error::other(FooterError::NoEnd));
    }
    file.seek(SeekFrom::End(-i64::from(END)))?;
    file.read_exact(&mut end)?;

    let [a, b, c, d, magic @ ..] = end;
    let footer = u32::from_le_bytes([a, b, c, d]);
    match &magic {
        b"PAR1" if u64::from(footer) > length - u64::from(END) => Err(FooterError::NoEnd),
        b"PAR1" if footer > MAX_FOOTER => Err(FooterError::TooLong),
        b"PAR1" => Ok(()),
        b"PARE" => Err(FooterError::Encrypted),
        _ => Err(FooterError::NoEnd),
    }
    .map_err(io::Error::other)?;

    let mut bytes = vec![0; footer as usize];
    file.seek(SeekFrom::End(-i64::from(footer + END)))?;
    file.read_exact(&mut bytes)?;
    check_footer(Thrift(&bytes)).unwrap_or(Err(FooterError::Damaged)).map_err(io::Error::other)?;
    Ok(bytes)
}

/// Checks the schema and the number of row groups, which determine the memory and stack for decoding. The footer begins
/// with the version, the schema, the number of rows and the row groups.
fn check_footer(mut footer: Thrift<'_>) -> Option<Result<(), FooterError>> {
    footer.number(Thrift::NEXT_I32)?;
    let elements = footer.list()?;
    // For each column around the next one: the number of its remaining columns, and the length of its path.
    let mut around: Vec<(i64, usize)> = vec![];
    let mut paths: usize = 0;
    for _ in 0..elements {
        let (mut name, mut columns) = (0, 0);
        footer.structure(&mut |field, value| match field {
            [4] => name = value as usize,
            [5] => columns = value,
            _ => {}
        })?;
        if columns > elements.cast_signed() {
            return None;
        }

        while around.pop_if(|(to_come, _)| *to_come <= 0).is_some() {}
        if let Some((to_come, _)) = around.last_mut() {
            *to_come -= 1;
        }
        let path = around.last().map_or(0, |(_, path)| path + name);
        paths = paths.saturating_add(path);
        around.push((columns, path));
        if around.len() > MAX_DEPTH || paths > MAX_PATHS {
            return Some(Err(FooterError::TooDeep));
        }
    }

    footer.number(Thrift::NEXT_I64)?;
    let row_groups = footer.list()?;
    Some(if row_groups > MAX_ROW_GROUPS { Err(FooterError::TooManyRowGroups) } else { Ok(()) })
}

/// The number of rows of some columns to decode at a time, based on the average size of a row according to the footer.
pub(super) fn rows_at_a_time(metadata: &ParquetMetaData, leaves: &[usize]) -> io::Result<usize> {
    let rows: i128 = metadata.row_groups().iter().map(|group| i128::from(group.num_rows())).sum();
    if rows != i128::from(metadata.file_metadata().num_rows()) {
        return Err(io::Error::other(FooterError::Damaged));
    }

    let mut largest = 1;
    for group in metadata.row_groups() {
        let rows = usize::try_from(group.num_rows()).unwrap_or(0).max(1);
        let mut row: usize = 0;
        for column in leaves.iter().filter_map(|&leaf| group.columns().get(leaf)) {
            let name = || column.column_path().string();
            if matches!(column.compression(), Compression::BROTLI(_)) {
                return Err(io::Error::other(PageError::Brotli { column: name() }));
            }

            // A negative number counts as too large.
            let [bytes, values] = [column.uncompressed_size(), column.num_values()].map(|number| number as usize);
            let width = match column.column_type() {
                Type::FIXED_LEN_BYTE_ARRAY => column.column_descr().type_length() as usize,
                _ => 0,
            };
            let of_values = (values / rows + 1).saturating_mul(width.saturating_add(SLOT));
            let average = of_values.saturating_add(bytes / rows);
            if average > MAX_ROW {
                return Err(io::Error::other(PageError::TooLarge { column: name() }));
            }
            row = row.saturating_add(average);
        }
        largest = largest.max(row);
    }
    Ok((BATCH_BYTES / largest).clamp(1, BATCH))
}

/// A file whose pages are counted before they are decompressed.
pub(super) struct PageFile {
    file: File,
    /// The path of each column, by its start in each row group.
    columns: BTreeMap<u64, String>,
    has_lists: bool,
    opened: Arc<OpenedPages>,
}

/// The pages that were opened for a batch.
#[derive(Debug, Default)]
pub(super) struct OpenedPages {
    /// Their decompressed size in bytes.
    bytes: AtomicUsize,
    /// The reason why a page was refused. The Parquet crate does not pass it on.
    refusal: OnceLock<PageError>,
}

impl OpenedPages {
    /// Starts a batch. The pages of the batch before have been passed on.
    pub(super) fn start_batch(&self) {
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// The reason why a page was refused, if one was.
    pub(super) fn refusal(&self) -> Option<PageError> {
        self.refusal.get().cloned()
    }
}

impl PageFile {
    /// A file, for reading some of its columns.
    pub(super) fn new(file: File, metadata: &ParquetMetaData, leaves: &[usize]) -> PageFile {
        let columns = metadata.row_groups().iter().flat_map(|group| leaves.iter().map(|&leaf| group.column(leaf)));
        let columns = columns.map(|column| (column.byte_range().0, column.column_path().string())).collect();
        let schema = metadata.file_metadata().schema_descr();
        let has_lists = leaves.iter().any(|&leaf| schema.column(leaf).max_rep_level() > 0);
        PageFile { file, columns, has_lists, opened: Arc::default() }
    }

    pub(super) fn opened(&self) -> Arc<OpenedPages> {
        Arc::clone(&self.opened)
    }
}

impl Length for PageFile {
    fn len(&self) -> u64 {
        Length::len(&self.file)
    }
}

impl ChunkReader for PageFile {
    type T = PageStart;

    fn get_read(&self, start: u64) -> Result<PageStart> {
        let column = self.columns.range(..=start).next_back().map_or("", |(_, column)| column);
        Ok(PageStart {
            bytes: self.file.get_read(start)?,
            column: column.to_owned(),
            item: if self.has_lists { ITEM } else { 0 },
            opened: Arc::clone(&self.opened),
            is_checked: false,
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.file.get_bytes(start, length)
    }
}

/// The start of a page, whose header is checked when it is read.
pub(super) struct PageStart {
    bytes: BufReader<File>,
    column: String,
    /// The bytes that are counted for each value.
    item: usize,
    opened: Arc<OpenedPages>,
    is_checked: bool,
}

impl PageStart {
    fn check(&self) -> Result<(), PageError> {
        let (mut size, mut values) = (None, 0_usize);
        // The sizes come first. If the rest is damaged, the Parquet crate reports it.
        let _ = Thrift(self.bytes.buffer()).structure(&mut |field, value| match field {
            [2] => size = usize::try_from(value).ok(),
            // Data pages of versions 1 and 2.
            [5 | 8, 1] => values = (value as usize).saturating_mul(self.item),
            // A dictionary page.
            [7, 1] => values = (value as usize).saturating_mul(SLOT),
            _ => {}
        });
        let column = || self.column.clone();
        let size = size.ok_or_else(|| PageError::Damaged { column: column() })?;

        let bytes = size.saturating_add(values);
        let before = self.opened.bytes.fetch_add(bytes.min(MAX_PAGES + 1), Ordering::Relaxed);
        if before.saturating_add(bytes) > MAX_PAGES { Err(PageError::TooLarge { column: column() }) } else { Ok(()) }
    }
}

impl Read for PageStart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.is_checked {
            self.is_checked = true;
            self.bytes.fill_buf()?;
            self.check().map_err(|error| io::Error::other(self.opened.refusal.get_or_init(|| error).clone()))?;
        }
        self.bytes.read(buffer)
    }
}

/// The rest of some bytes in the compact protocol of Thrift, the format of Parquet's metadata. Functions return `None`
/// if the bytes end early, or have a different structure.
pub(super) struct Thrift<'a>(pub(super) &'a [u8]);

impl Thrift<'_> {
    /// The headers of a field that follows the one before: a number of 32 or 64 bits, or a list.
    const NEXT_I32: u8 = 0x15;
    const NEXT_I64: u8 = 0x16;
    const NEXT_LIST: u8 = 0x19;

    /// The number of the next field.
    fn number(&mut self, header: u8) -> Option<i64> {
        (self.byte()? == header).then_some(())?;
        self.integer()
    }

    /// The number of structures in the list of the next field.
    fn list(&mut self) -> Option<u64> {
        (self.byte()? == Thrift::NEXT_LIST).then_some(())?;
        let header = self.byte()?;
        (header & 0xf == 12 || header == 0).then_some(())?;
        if header >> 4 == 15 { self.varint() } else { Some(u64::from(header >> 4)) }
    }

    /// Reads a structure. Calls `each` with each number, and with the length of each text, after the path of its field:
    /// the numbers of the enclosing fields, then its own.
    pub(super) fn structure(&mut self, each: &mut dyn FnMut(&[u8], i64)) -> Option<()> {
        self.nested(&mut vec![], each)
    }

    fn nested(&mut self, path: &mut Vec<u8>, each: &mut dyn FnMut(&[u8], i64)) -> Option<()> {
        let depth = path.len();
        path.push(0);
        (depth < MAX_DEPTH).then_some(())?;
        loop {
            let header = self.byte()?;
            if header == 0 {
                path.truncate(depth);
                return Some(());
            }
            // The difference to the previous field's number. A larger difference would have a different header.
            let difference = Some(header >> 4).filter(|&difference| difference > 0)?;
            path[depth] = path[depth].checked_add(difference)?;
            match header & 0xf {
                // A boolean.
                1 | 2 => {}
                3 => each(path, i64::from(self.byte()?)),
                4..=6 => each(path, self.integer()?),
                8 => {
                    let length = self.varint()?;
                    self.0 = self.0.get(usize::try_from(length).ok()?..)?;
                    each(path, length.cast_signed());
                }
                12 => self.nested(path, each)?,
                _ => return None,
            }
        }
    }

    fn integer(&mut self) -> Option<i64> {
        let zigzag = self.varint()?;
        Some((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    /// An unsigned integer: seven bits in each byte, the lowest first.
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }
}
