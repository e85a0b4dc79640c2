//! Compresses pages with Zstandard, without searching for repeats where they are rare. The Parquet crate always
//! searches: it writes the rows of `solve` in twice the CPU time.
//!
//! The crate encodes a column and puts its pages into a store, uncompressed. They are taken from the store and
//! compressed after each block of rows, so that only a few are in memory at a time.

use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::page_store::{PageKey, PageStore, PageStoreArgs, PageStoreFactory};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;
use zstd::zstd_safe::{CParameter, ParamSwitch, Strategy, compress_bound};

/// The level of Zstandard.
const LEVEL: i32 = 1;

/// The number of bytes of a page that are compressed in both ways, to choose between them.
const SAMPLE: usize = 1 << 16;

/// Makes the stores of columns.
#[derive(Debug, Default)]
pub(super) struct Stores(Mutex<Vec<Store>>);

impl Stores {
    /// The compressors of the pages in the stores that were made since the last call: one for each column of a row
    /// group.
    pub(super) fn pages(&self, columns: &[ColumnDescPtr]) -> Vec<ZstdPages> {
        let stores = mem::take(&mut *locked(&self.0));
        stores.into_iter().zip(columns).map(|(store, column)| ZstdPages::new(store, Arc::clone(column))).collect()
    }
}

impl PageStoreFactory for Stores {
    fn create(&self, column: &PageStoreArgs<'_>) -> Result<Box<dyn PageStore>> {
        let mut stores = locked(&self.0);
        if column.column_index() != stores.len() {
            return Err(ParquetError::General("columns are not created in their order".into()));
        }
        let store = Store::default();
        stores.push(store.clone());
        Ok(Box::new(store))
    }
}

/// The parts of pages that were not taken yet: for each page its header, then its content.
#[derive(Clone, Debug, Default)]
struct Store(Arc<Mutex<Vec<Bytes>>>);

impl PageStore for Store {
    fn put(&mut self, part: Bytes) -> Result<PageKey> {
        locked(&self.0).push(part);
        Ok(PageKey::new(0))
    }

    fn take(&mut self, _: PageKey) -> Result<Bytes> {
        Err(ParquetError::General("a page is compressed instead".into()))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The compressed pages of a column in a row group.
pub(super) struct ZstdPages {
    column: ColumnDescPtr,
    store: Store,
    /// The compressor for pages with the encoding of the last one.
    compressor: Option<(Encoding, Compressor<'static>)>,
    /// The page of a dictionary. It must come first, although the crate writes it after the other pages.
    dictionary: Vec<u8>,
    pages: TrackedWrite<Vec<u8>>,
    /// The positions of the other pages, and their sizes.
    places: Vec<PageWriteSpec>,
    uncompressed: usize,
}

impl ZstdPages {
    fn new(store: Store, column: ColumnDescPtr) -> ZstdPages {
        let (dictionary, pages) = (vec![], TrackedWrite::new(vec![]));
        ZstdPages { column, store, compressor: None, dictionary, pages, places: vec![], uncompressed: 0 }
    }

    /// Compresses the pages that were added since the last call.
    pub(super) fn compress(&mut self) -> Result<()> {
        let parts = mem::take(&mut *locked(&self.store.0));
        for page in parts.chunks(2) {
            let page = Bytes::from(page.concat());
            let place = ColumnChunkMetaData::builder(Arc::clone(&self.column))
                .set_total_compressed_size(page.len().cast_signed() as i64)
                .build()?;
            for page in SerializedPageReader::new(Arc::new(page), &place, 0, None)? {
                self.push(page?)?;
            }
        }
        Ok(())
    }

    /// Compresses a page, and writes it after the previous ones.
    fn push(&mut self, mut page: Page) -> Result<()> {
        if matches!(page, Page::DataPageV2 { .. }) {
            // In pages of version 2, a part (the levels) is not compressed. The crate writes version 1.
            return Err(ParquetError::General("a page of the second version cannot be compressed".into()));
        }
        let uncompressed = page.buffer().len();
        let compressor = match &mut self.compressor {
            Some((encoding, compressor)) if *encoding == page.encoding() => compressor,
            other => &mut other.insert((page.encoding(), best_compressor(page.buffer())?)).1,
        };
        let mut compressed = Vec::with_capacity(compress_bound(uncompressed));
        compressor.compress_to_buffer(page.buffer(), &mut compressed)?;

        let (Page::DataPage { buf, .. } | Page::DataPageV2 { buf, .. } | Page::DictionaryPage { buf, .. }) = &mut page;
        *buf = compressed.into();
        let is_dictionary = page.is_dictionary_page();
        let page = CompressedPage::new(page, uncompressed);
        if is_dictionary {
            let mut dictionary = TrackedWrite::new(&mut self.dictionary);
            self.uncompressed += SerializedPageWriter::new(&mut dictionary).write_page(page)?.uncompressed_size;
        } else {
            let written = SerializedPageWriter::new(&mut self.pages).write_page(page)?;
            self.uncompressed += written.uncompressed_size;
            self.places.push(written);
        }
        Ok(())
    }

    /// The complete column and its entry in the footer: the crate's entry for the uncompressed pages, with the sizes
    /// and positions of the compressed ones.
    pub(super) fn finish(self, close: &ColumnCloseResult) -> Result<(Bytes, ColumnCloseResult)> {
        let start = self.dictionary.len();
        let mut pages = self.pages.into_inner()?;
        pages.splice(..0, self.dictionary);

        let metadata = close.metadata.clone().into_builder();
        let metadata = metadata
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
            .set_total_compressed_size(pages.len().cast_signed() as i64)
            .set_total_uncompressed_size(self.uncompressed.cast_signed() as i64)
            .set_dictionary_page_offset((start > 0).then_some(0))
            .set_data_page_offset(start.cast_signed() as i64);
        let mut offset_index = close.offset_index.clone();
        let places: Vec<_> = offset_index.iter_mut().flat_map(|index| &mut index.page_locations).collect();
        if places.len() != self.places.len() {
            return Err(ParquetError::General("a column does not have the pages of its index".into()));
        }
        for (place, written) in places.into_iter().zip(&self.places) {
            place.offset = (start as u64 + written.offset).cast_signed();
            place.compressed_page_size = written.compressed_size.cast_signed() as i32;
        }

        let close = ColumnCloseResult {
            bytes_written: pages.len() as u64,
            rows_written: close.rows_written,
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: close.column_index.clone(),
            offset_index,
        };
        Ok((pages.into(), close))
    }
}

/// A Zstandard compressor without a search for repeats, unless that makes the start of a page clearly larger. Puzzles
/// and solutions have hardly any repeats, and are compressed by the frequencies of their symbols: without the search,
/// columns of puzzles are 13 % smaller, columns of solutions 2 % larger, and both take less time.
fn best_compressor(page: &[u8]) -> io::Result<Compressor<'static>> {
    let mut searching = Compressor::new(LEVEL)?;
    let mut symbols = Compressor::new(LEVEL)?;
    symbols.set_parameter(CParameter::Strategy(Strategy::ZSTD_fast))?;
    // Steps as long as a block.
    symbols.set_parameter(CParameter::TargetLength(1 << 17))?;
    symbols.set_parameter(CParameter::HashLog(6))?;
    symbols.set_parameter(CParameter::LiteralCompressionMode(ParamSwitch::Enable))?;

    let sample = &page[..page.len().min(SAMPLE)];
    let [with, without] = [searching.compress(sample)?.len(), symbols.compress(sample)?.len()];
    Ok(if without <= with + with / 16 { symbols } else { searching })
}
