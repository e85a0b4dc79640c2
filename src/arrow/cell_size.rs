//! How many bytes the values of a column take when they are printed, about.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{Array, OffsetSizeTrait};
use arrow_schema::DataType;

/// What a number takes.
const NUMBER: usize = 8;

/// The size of the values in some rows of a column.
pub(super) fn size(column: &dyn Array, rows: Range<usize>) -> usize {
    fn of_items<O: OffsetSizeTrait>(offsets: &[O], items: &dyn Array, rows: Range<usize>) -> usize {
        size(items, offsets[rows.start].as_usize()..offsets[rows.end].as_usize())
    }
    fn of_texts<O: OffsetSizeTrait>(offsets: &[O], rows: Range<usize>) -> usize {
        (offsets[rows.end] - offsets[rows.start]).as_usize()
    }
    match column.data_type() {
        DataType::Utf8 => of_texts(column.as_string::<i32>().value_offsets(), rows),
        DataType::LargeUtf8 => of_texts(column.as_string::<i64>().value_offsets(), rows),
        DataType::Binary => of_texts(column.as_binary::<i32>().value_offsets(), rows),
        DataType::LargeBinary => of_texts(column.as_binary::<i64>().value_offsets(), rows),
        // The lower half of a view is the length.
        DataType::Utf8View => column.as_string_view().views()[rows].iter().map(|&view| view as u32 as usize).sum(),
        DataType::BinaryView => column.as_binary_view().views()[rows].iter().map(|&view| view as u32 as usize).sum(),
        DataType::FixedSizeBinary(width) => rows.len() * *width as usize,
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let values = dictionary.values();
            if values.is_empty() {
                return 0;
            }
            let keys = column.slice(rows.start, rows.len());
            keys.as_any_dictionary().normalized_keys().into_iter().map(|key| size(values, key..key + 1)).sum()
        }
        DataType::List(_) => {
            let lists = column.as_list::<i32>();
            of_items(lists.value_offsets(), lists.values(), rows)
        }
        DataType::LargeList(_) => {
            let lists = column.as_list::<i64>();
            of_items(lists.value_offsets(), lists.values(), rows)
        }
        DataType::Map(..) => of_items(column.as_map().value_offsets(), column.as_map().entries(), rows),
        DataType::FixedSizeList(_, length) => {
            let length = *length as usize;
            size(column.as_fixed_size_list().values(), rows.start * length..rows.end * length)
        }
        DataType::Struct(_) => column.as_struct().columns().iter().map(|column| size(column, rows.clone())).sum(),
        _ => rows.len() * NUMBER,
    }
}
