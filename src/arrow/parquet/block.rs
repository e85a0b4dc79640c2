//! Collects rows until they are a block: the same rows, however they were divided among batches.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;

/// The most rows in a block, and the most bytes, unless it is a single row.
pub(super) const ROWS: usize = 1 << 13;
const BYTES: usize = 8 << 20;

/// The bytes that a value takes beside its text.
const SLOT: usize = 8;

/// Rows that are encoded together.
#[derive(Debug, Default)]
pub(super) struct Block {
    parts: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl Block {
    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Adds the first rows of a batch, as many as fit; returns how many these are.
    pub(super) fn fill(&mut self, batch: &RecordBatch) -> usize {
        let most = batch.num_rows().min(ROWS - self.rows);
        let fits = |rows: usize| self.bytes + bytes_of(&batch.slice(0, rows)) <= BYTES;
        let rows = if fits(most) {
            most
        } else {
            let rows: Vec<usize> = (1..=most).collect();
            rows.partition_point(|&rows| fits(rows)).max(usize::from(self.rows == 0))
        };

        if rows > 0 {
            let part = batch.slice(0, rows);
            self.rows += rows;
            self.bytes += bytes_of(&part);
            self.parts.push(part);
        }
        rows
    }

    /// The parts of a column.
    pub(super) fn column(&self, index: usize) -> Vec<ArrayRef> {
        self.parts.iter().map(|part| part.column(index).clone()).collect()
    }
}

fn bytes_of(batch: &RecordBatch) -> usize {
    batch.columns().iter().map(bytes_of_values).sum()
}

/// Some bytes for each value, and those of texts: as many for the rows of two arrays as for both together.
fn bytes_of_values(array: &ArrayRef) -> usize {
    let texts = match array.data_type() {
        DataType::Utf8 => extent(array.as_string::<i32>().value_offsets()).1,
        DataType::Binary => extent(array.as_binary::<i32>().value_offsets()).1,
        DataType::FixedSizeBinary(length) => array.len() * *length as usize,
        DataType::Struct(_) => array.as_struct().columns().iter().map(bytes_of_values).sum(),
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let (start, length) = extent(list.value_offsets());
            bytes_of_values(&list.values().slice(start, length))
        }
        DataType::Map(..) => {
            let map = array.as_map();
            let (start, length) = extent(map.value_offsets());
            map.entries().slice(start, length).columns().iter().map(bytes_of_values).sum()
        }
        _ => 0,
    };
    texts + SLOT * array.len()
}

/// Where the values that belong to some offsets start, and their number.
fn extent(offsets: &[i32]) -> (usize, usize) {
    let [start, .., end] = *offsets else { return (0, 0) };
    (start as usize, (end - start) as usize)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::builder::{ListBuilder, MapBuilder, StringBuilder, UInt64Builder};
    use arrow_array::{RecordBatch, StringArray, StructArray};

    use super::*;

    /// Rows of every kind, some of which are long.
    fn rows() -> RecordBatch {
        let text = |row: usize| "x".repeat(if row.is_multiple_of(100) { 300_000 } else { row % 7 });
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..3000).map(text)));
        let mut lists = ListBuilder::new(StringBuilder::new());
        let mut maps = MapBuilder::new(None, StringBuilder::new(), UInt64Builder::new());
        for row in 0..3000 {
            (0..row % 3).for_each(|item| lists.values().append_value(text(row * 10 + item)));
            lists.append(row % 5 > 0);
            maps.keys().append_value(text(row + 50));
            maps.values().append_value(row as u64);
            maps.append(true).unwrap();
        }
        let nested: ArrayRef = Arc::new(StructArray::try_from(vec![("texts", texts.clone())]).unwrap());
        let columns: [(&str, ArrayRef); 4] =
            [("text", texts), ("list", Arc::new(lists.finish())), ("map", Arc::new(maps.finish())), ("struct", nested)];
        RecordBatch::try_from_iter(columns).unwrap()
    }

    /// The numbers of rows of the blocks of some batches.
    fn blocks(rows: &RecordBatch, size: usize) -> Vec<usize> {
        let (mut blocks, mut block) = (vec![], Block::default());
        for start in (0..rows.num_rows()).step_by(size) {
            let mut batch = rows.slice(start, size.min(rows.num_rows() - start));
            while batch.num_rows() > 0 {
                let filled = block.fill(&batch);
                batch = batch.slice(filled, batch.num_rows() - filled);
                if filled == 0 {
                    blocks.push(std::mem::take(&mut block).rows());
                }
            }
        }
        blocks.push(block.rows());
        blocks
    }

    #[test]
    fn blocks_do_not_depend_on_batches() {
        let rows = rows();
        let expected = blocks(&rows, 3000);
        assert_eq!(expected, [280, 270, 270, 280, 270, 280, 280, 270, 270, 280, 250]);
        for size in [1, 7, 64, 1000] {
            assert_eq!(blocks(&rows, size), expected, "{size}");
        }
    }

    #[test]
    fn a_block_is_not_larger_than_it_may_be_unless_it_is_one_row() {
        let texts = |lengths: &[usize]| {
            let texts = lengths.iter().map(|&length| "x".repeat(length));
            let texts: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
            RecordBatch::try_from_iter([("text", texts)]).unwrap()
        };
        assert_eq!(blocks(&texts(&[BYTES, 0, BYTES - 2 * SLOT, 0, BYTES - SLOT]), 5), [1, 2, 1, 1]);
        assert_eq!(blocks(&texts(&vec![0; 2 * ROWS + 1]), 3 * ROWS), [ROWS, ROWS, 1]);
    }
}
