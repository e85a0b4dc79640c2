//! Tests of written files: the Parquet crate reads them back, and the metadata of their pages, sizes, positions and
//! encodings are compared with their bytes.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_select::concat::concat_batches;
use bytes::Bytes;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection, RowSelector, statistics::StatisticsConverter,
};
use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, PageIndexPolicy, RowGroupMetaData};
use proptest::prelude::*;

use super::limits::Thrift;
use super::output::{ParquetOutput, ParquetStyle, ROW_GROUP};
use crate::compression::PageCompression;

const COMPRESSIONS: [PageCompression; 4] =
    [PageCompression::Zstd, PageCompression::Snappy, PageCompression::Lz4, PageCompression::None];

/// Writes a table, some rows at a time.
fn file(table: &RecordBatch, style: ParquetStyle, rows: usize) -> Bytes {
    let mut output = ParquetOutput::new(vec![], table.schema(), style).unwrap();
    for start in (0..table.num_rows()).step_by(rows) {
        output.write(&table.slice(start, rows.min(table.num_rows() - start))).unwrap();
    }
    output.finish().unwrap().into()
}

fn reader(file: &Bytes) -> ParquetRecordBatchReaderBuilder<Bytes> {
    let options =
        ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required).with_encoding_stats_as_mask(false);
    ParquetRecordBatchReaderBuilder::try_new_with_options(file.clone(), options).unwrap()
}

/// The rows of a file, or some of them: pages without any of these are not read.
fn read(file: &Bytes, some: Option<&Range<usize>>) -> RecordBatch {
    let mut builder = reader(file);
    let schema = Arc::clone(builder.schema());
    if let Some(rows) = some {
        let selection = vec![RowSelector::skip(rows.start), RowSelector::select(rows.len())];
        builder = builder.with_row_selection(RowSelection::from(selection));
    }
    concat_batches(&schema, &builder.build().unwrap().map(Result::unwrap).collect::<Vec<_>>()).unwrap()
}

/// Checks the statistics of the texts in a file's first column: their bounds and the numbers of nulls and rows, for
/// each row group and for each page.
fn check_statistics(file: &Bytes, texts: &StringArray) {
    let reader = reader(file);
    let metadata = reader.metadata();
    if metadata.num_row_groups() == 0 {
        // Such files have no indices.
        return assert_eq!(texts.len(), 0);
    }
    let (column, offsets) = (metadata.column_index().unwrap(), metadata.offset_index().unwrap());
    let converter = StatisticsConverter::try_new("text", reader.schema(), reader.parquet_schema()).unwrap();

    let mut first = 0;
    for (index, group) in metadata.row_groups().iter().enumerate() {
        let rows = group.num_rows() as usize;
        let of_group = texts.slice(first, rows);
        first += rows;
        let [least, largest] =
            [converter.row_group_mins([group]).unwrap(), converter.row_group_maxes([group]).unwrap()];
        let nulls = converter.row_group_null_counts([group]).unwrap();
        check_bounds(
            &of_group,
            least.as_string::<i32>().iter().next().unwrap(),
            largest.as_string::<i32>().iter().next().unwrap(),
        );
        assert_eq!(nulls.value(0), of_group.null_count() as u64);
        assert_eq!(group.column(0).num_values(), rows.cast_signed() as i64);

        let bytes: usize = of_group.iter().flatten().map(str::len).sum();
        let dictionary = group.column(0).dictionary_page_offset().is_some();
        assert!(dictionary || group.column(0).unencoded_byte_array_data_bytes() == Some(bytes.cast_signed() as i64));

        let pages = [&index];
        let least = converter.data_page_mins(column, offsets, pages).unwrap();
        let largest = converter.data_page_maxes(column, offsets, pages).unwrap();
        let nulls = converter.data_page_null_counts(column, offsets, pages).unwrap();
        let counts = converter.data_page_row_counts(offsets, metadata.row_groups(), pages).unwrap().unwrap();
        let mut start = 0;
        for page in 0..counts.len() {
            let of_page = of_group.slice(start, counts.value(page) as usize);
            start += of_page.len();
            let bound =
                |bounds: &ArrayRef| bounds.is_valid(page).then(|| bounds.as_string::<i32>().value(page).to_owned());
            check_bounds(&of_page, bound(&least).as_deref(), bound(&largest).as_deref());
            assert_eq!(nulls.value(page), of_page.null_count() as u64);
        }
        assert_eq!(start, rows);
    }
    assert_eq!(first, texts.len());
}

fn check_bounds(texts: &StringArray, least: Option<&str>, largest: Option<&str>) {
    assert_eq!([least.is_some(), largest.is_some()], [texts.null_count() < texts.len(); 2]);
    for text in texts.iter().flatten() {
        assert!(least <= Some(text) && Some(text) <= largest, "{least:?} {text:?} {largest:?}");
    }
}

/// Texts of a kind: arbitrary characters, puzzles, a few distinct texts, and long ones.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[.1-9]{81}",
        2 => "\\PC{0,40}",
        1 => Just(String::new()),
        2 => "[a-c]",
        1 => ("[a\u{10ffff}\u{7f}é]{60,70}", 0..100_000_usize).prop_map(|(start, rest)| start + &"~".repeat(rest)),
    ]
}

/// A table of texts, and of lists and numbers derived from them.
fn table(texts: StringArray) -> RecordBatch {
    let mut lists = ListBuilder::new(StringBuilder::new());
    let mut numbers = Int64Builder::new();
    for (row, text) in texts.iter().enumerate() {
        let start = text.map(|text| &text[..text.floor_char_boundary(9)]);
        (0..row % 3).for_each(|_| lists.values().append_option(start));
        lists.append(row % 7 > 0);
        let row = row.cast_signed() as i64;
        numbers.append_option((row % 5 > 0).then_some(row * row * 1_000_003));
    }
    let columns: [(&str, ArrayRef); 3] =
        [("text", Arc::new(texts)), ("list", Arc::new(lists.finish())), ("number", Arc::new(numbers.finish()))];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, values)| (name, values, true))).unwrap()
}

/// Writes a table, on one thread at once and on three threads some rows at a time, and checks the complete file.
fn check(table: &RecordBatch, compression: PageCompression, rows: usize, some: &Range<usize>) -> Bytes {
    let bytes = file(table, ParquetStyle { compression, threads: 1 }, table.num_rows().max(1));
    let others = file(table, ParquetStyle { compression, threads: 3 }, rows);
    assert!(bytes == others, "{compression:?}: the bytes depend on batches or threads");

    assert!(read(&bytes, None) == *table, "{compression:?}: all rows");
    assert!(read(&bytes, Some(some)) == table.slice(some.start, some.len()), "{compression:?}: rows {some:?}");
    check_statistics(&bytes, table.column(0).as_string());
    check_layout(&bytes);
    bytes
}

/// Three row groups: values with and without dictionaries, and rows on both sides of their ends.
#[test]
fn row_groups_are_read_as_they_were_written() {
    let rows = 2 * ROW_GROUP + 1000;
    // Distinct texts, and only a few distinct ones.
    for equal in [1, 1000] {
        let table = table((0..rows).map(|row| (row % 11 > 0).then(|| (row / equal).to_string())).collect());
        for end in [ROW_GROUP, 2 * ROW_GROUP] {
            let bytes = check(&table, PageCompression::Zstd, 10_007, &(end - 3..end + 3));
            assert_eq!(reader(&bytes).metadata().num_row_groups(), 3);
        }
    }
}

#[test]
fn columns_without_texts_are_read_as_they_were_written() {
    for compression in COMPRESSIONS {
        for rows in [0, 1, 20_000] {
            for text in [None, Some("")] {
                let table = table(std::iter::repeat_n(text, rows).collect());
                check(&table, compression, 300, &(rows / 2..rows));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// All rows, and some rows, are read as they were written; the statistics of texts are true; and the bytes depend
    /// neither on batches nor on threads.
    #[test]
    fn rows_are_read_as_they_were_written(
        texts in proptest::collection::vec(proptest::option::weighted(0.9, text()), 0..400),
        copies in prop_oneof![Just(1), 2..80_usize],
        rows in 1..3000_usize,
        part in 0.0..1.0,
        compression in 0..4_usize,
    ) {
        // Most texts are distinct: their number is appended.
        let long = texts.iter().flatten().map(String::len).sum::<usize>() * copies > 10_000_000;
        let all = (0..if long { 1 } else { copies }).flat_map(|copy| texts.iter().map(move |text| (copy, text)));
        let texts: StringArray = all
            .map(|(copy, text)| text.as_ref().map(|text| match text.len() * usize::from(text.is_ascii()) {
                81 => format!("{}{copy:03}", &text[..78]),
                _ => text.clone(),
            }))
            .collect();

        let start = (texts.len() as f64 * part) as usize;
        let some = start..texts.len().min(start + 5);
        check(&table(texts), COMPRESSIONS[compression], rows, &some);
    }
}

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
fn page_header(file: &[u8], start: usize, compression: Compression) -> Header {
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
fn check_layout(file: &Bytes) {
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
        let header = page_header(file, end, column.compression());
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
