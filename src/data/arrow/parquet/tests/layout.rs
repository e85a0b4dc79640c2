//! Checks the metadata of a file's pages, sizes, positions and encodings against its bytes.

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};

use super::super::limits::Thrift;
use super::reader;

/// The number of a dictionary page among the types of pages; a page with data has none.
const DICTIONARY: i64 = 2;

/// The fields of a page header.
#[derive(Default)]
struct Header {
    /// The number of bytes of the header.
    length: usize,
    /// The type of the page.
    page: i64,
    uncompressed: usize,
    compressed: usize,
    values: i64,
    encoding: i64,
}

impl Header {
    fn read(bytes: &[u8]) -> Header {
        let mut header = Header::default();
        let mut thrift = Thrift(bytes);
        let fields = thrift.structure(&mut |field, value| match field {
            [1] => header.page = value,
            [2] => header.uncompressed = value as usize,
            [3] => header.compressed = value as usize,
            // A page with data, of the first version, and a dictionary.
            [5 | 7, 1] => header.values = value,
            [5 | 7, 2] => header.encoding = value,
            [5 | 7, ..] => {}
            _ => panic!("a page has the field {field:?}"),
        });
        fields.expect("a page has a header");
        header.length = bytes.len() - thrift.0.len();
        header
    }
}

/// Reads the header of the page at `start`, and checks that its content has the sizes in it.
fn page(file: &[u8], start: usize, compression: Compression) -> Header {
    let header = Header::read(&file[start..]);
    let content = &file[start + header.length..][..header.compressed];
    match compression {
        Compression::UNCOMPRESSED => assert_eq!(header.uncompressed, content.len()),
        Compression::ZSTD(_) => {
            let content = zstd::bulk::decompress(content, header.uncompressed + 1).unwrap();
            assert_eq!(header.uncompressed, content.len());
        }
        _ => {}
    }
    header
}

/// Checks that columns, pages, indices and the footer follow each other without gaps, and have the sizes, positions,
/// numbers of values and encodings that the footer and the indices give.
pub(super) fn check(file: &Bytes) {
    let reader = reader(file);
    let metadata = reader.metadata();
    let mut end = b"PAR1".len();
    for (index, group) in metadata.row_groups().iter().enumerate() {
        let (start, mut uncompressed) = (end, 0);
        assert_eq!(group.file_offset(), Some(start.cast_signed() as i64));
        for (column, metadata_of) in group.columns().iter().enumerate() {
            let places = metadata.offset_index().unwrap()[index][column].page_locations();
            let places: Vec<_> = places.iter().map(|page| (page.offset, page.compressed_page_size)).collect();
            end = check_column(file, end, metadata_of, &places);
            uncompressed += metadata_of.uncompressed_size();
        }
        assert_eq!(group.compressed_size(), (end - start).cast_signed() as i64);
        assert_eq!(group.total_byte_size(), uncompressed);
    }

    let columns = || metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let column_indices = columns().map(|column| (column.column_index_offset(), column.column_index_length()));
    let offset_indices = columns().map(|column| (column.offset_index_offset(), column.offset_index_length()));
    // Lists without values have no column index.
    for (offset, length) in column_indices.filter(|index| index.0.is_some()).chain(offset_indices) {
        assert_eq!(offset, Some(end.cast_signed() as i64));
        end += length.unwrap() as usize;
    }
    let (rest, magic) = file[end..].split_at(file.len() - end - 4);
    let (footer, length) = rest.split_at(rest.len() - 4);
    assert_eq!((footer.len() as u32).to_le_bytes(), length);
    assert_eq!(magic, b"PAR1");
}

/// Checks a column of a row group at `start`; returns its end. `places` are the positions and sizes of its data pages.
fn check_column(file: &[u8], start: usize, column: &ColumnChunkMetaData, places: &[(i64, i32)]) -> usize {
    let (mut end, mut uncompressed, mut values) = (start, 0, 0);
    let mut encodings: Vec<(i64, i64, i32)> = vec![];
    let dictionary = column.dictionary_page_offset();
    let size_of_dictionary = || {
        let header = Header::read(&file[start..]);
        (header.length + header.compressed).cast_signed() as i32
    };
    let pages = dictionary.map(|offset| (DICTIONARY, (offset, size_of_dictionary())));
    assert_eq!(places.first().map(|page| page.0), Some(column.data_page_offset()));

    for (kind, (offset, size)) in pages.into_iter().chain(places.iter().map(|place| (0, *place))) {
        assert_eq!(offset, end.cast_signed() as i64);
        let header = page(file, end, column.compression());
        assert_eq!(header.page, kind);
        assert_eq!(header.length + header.compressed, size as usize);
        end += size as usize;
        uncompressed += header.length + header.uncompressed;
        values += if kind == DICTIONARY { 0 } else { header.values };
        match encodings.last_mut() {
            Some((page, encoding, count)) if (*page, *encoding) == (kind, header.encoding) => *count += 1,
            _ => encodings.push((kind, header.encoding, 1)),
        }
    }

    assert_eq!(column.num_values(), values);
    assert_eq!(column.compressed_size(), (end - start).cast_signed() as i64);
    assert_eq!(column.uncompressed_size(), uncompressed.cast_signed() as i64);
    let stats = column.page_encoding_stats().unwrap().iter();
    let stats: Vec<_> = stats.map(|stats| (stats.page_type as i64, stats.encoding as i64, stats.count)).collect();
    assert_eq!(stats, encodings);
    for (_, encoding, _) in encodings {
        assert!(column.encodings().any(|of_column| of_column as i64 == encoding));
    }
    end
}
