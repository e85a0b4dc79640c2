//! What a page decodes to: how many items its longest list has, and how long its longest text is.
//!
//! A few bytes of a page can stand for any number of values. These functions find out without keeping the values; each
//! returns `None` if the page is damaged.

use parquet::basic::{Encoding, Type};
use parquet::column::page::Page;
use parquet::schema::types::ColumnDescriptor;

use super::thrift::Thrift;

/// The levels and the values of a page with data.
pub(super) struct DataPage<'a> {
    /// The number of levels: of values, nulls and empty lists.
    pub(super) length: usize,
    repetition: &'a [u8],
    values: &'a [u8],
    encoding: Encoding,
    column: &'a ColumnDescriptor,
}

impl<'a> DataPage<'a> {
    /// Finds the levels and the values of a page of the first or second version.
    pub(super) fn new(page: &'a Page, column: &'a ColumnDescriptor) -> Option<DataPage<'a>> {
        let length = page.num_values() as usize;
        let encoding = page.encoding();
        let (repetition, values) = match page {
            Page::DataPage { buf, def_level_encoding, rep_level_encoding, .. } => {
                // Lists with levels of another encoding are older than any file with puzzles.
                if column.max_rep_level() > 0 && *rep_level_encoding != Encoding::RLE {
                    return None;
                }
                let (repetition, rest) = levels(buf, column.max_rep_level(), *rep_level_encoding, length)?;
                (repetition, levels(rest, column.max_def_level(), *def_level_encoding, length)?.1)
            }
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let (repetition, rest) = buf.split_at_checked(*rep_levels_byte_len as usize)?;
                (repetition, rest.split_at_checked(*def_levels_byte_len as usize)?.1)
            }
            Page::DictionaryPage { .. } => return None,
        };
        Some(DataPage { length, repetition, values, encoding, column })
    }

    /// The number of levels of the record that has most of them.
    pub(super) fn longest_record(&self) -> Option<usize> {
        let width = bit_width(self.column.max_rep_level());
        if width == 0 || self.length == 0 {
            return Some(self.length.min(1));
        }

        let (mut longest, mut current, mut left) = (0, 0, self.length);
        let mut runs = Thrift(self.repetition);
        while left > 0 {
            let header = runs.varint()?;
            let run = usize::try_from(header >> 1).ok()?;
            if header & 1 == 0 {
                let run = run.min(left);
                let (&level, rest) = runs.0.split_first()?;
                runs.0 = rest;
                // A level of 0 starts a record.
                current = if level == 0 { 1 } else { current + run };
                left -= run;
                // Runs without levels would never end.
                if run == 0 {
                    return None;
                }
            } else {
                let levels = run.checked_mul(8)?.min(left);
                let (packed, rest) = runs.0.split_at(run.checked_mul(width)?.min(runs.0.len()));
                runs.0 = rest;
                for index in 0..levels {
                    let level = bits(packed, index * width, width)?;
                    current = if level == 0 { 1 } else { current + 1 };
                    longest = longest.max(current);
                }
                left -= levels;
                if levels == 0 {
                    return None;
                }
            }
            longest = longest.max(current);
        }
        Some(longest)
    }

    /// The bytes that the lengths of all values take, if they are decoded at once.
    pub(super) fn lengths(&self) -> usize {
        match self.encoding {
            Encoding::DELTA_BYTE_ARRAY | Encoding::DELTA_LENGTH_BYTE_ARRAY => self.length.saturating_mul(8),
            _ => 0,
        }
    }

    /// The length of the longest value, if values are written as what differs from the one before; otherwise 0: values
    /// that are in the page take as much memory as the page.
    pub(super) fn longest_difference(&self) -> Option<usize> {
        let mut values = Thrift(self.values);
        match self.encoding {
            // All values are null.
            _ if self.values.is_empty() => Some(0),
            Encoding::DELTA_BYTE_ARRAY => {
                let prefix = largest_delta(&mut values, self.length)?;
                Some(prefix.saturating_add(largest_delta(&mut values, self.length)?))
            }
            Encoding::DELTA_LENGTH_BYTE_ARRAY => largest_delta(&mut values, self.length).map(|_| 0),
            _ => Some(0),
        }
    }
}

/// The length of the longest value of a dictionary; `None` if it has not as many values as it says.
pub(super) fn longest_entry(page: &Page, column: &ColumnDescriptor) -> Option<usize> {
    let (buffer, number) = (page.buffer(), page.num_values() as usize);
    let width = match column.physical_type() {
        Type::BYTE_ARRAY => {
            let (mut rest, mut longest) = (&buffer[..], 0);
            for _ in 0..number {
                let (length, after) = rest.split_first_chunk()?;
                let length = u32::from_le_bytes(*length) as usize;
                rest = after.split_at_checked(length)?.1;
                longest = longest.max(length);
            }
            return Some(longest);
        }
        Type::FIXED_LEN_BYTE_ARRAY => usize::try_from(column.type_length()).ok()?.max(1),
        Type::INT32 | Type::FLOAT => 4,
        Type::INT64 | Type::DOUBLE => 8,
        Type::INT96 => 12,
        Type::BOOLEAN => return None,
    };
    (number.checked_mul(width)? <= buffer.len()).then_some(width)
}

/// Levels of the first version of a page, and what comes after them.
fn levels(bytes: &[u8], max_level: i16, encoding: Encoding, length: usize) -> Option<(&[u8], &[u8])> {
    #[expect(deprecated, reason = "a page that has it can be read")]
    const BIT_PACKED: Encoding = Encoding::BIT_PACKED;
    match (max_level, encoding) {
        (0, _) => Some((&[], bytes)),
        (_, BIT_PACKED) => bytes.split_at_checked(length.checked_mul(bit_width(max_level))?.div_ceil(8)),
        _ => {
            let (length, rest) = bytes.split_first_chunk()?;
            rest.split_at_checked(u32::from_le_bytes(*length) as usize)
        }
    }
}

/// The number of bits of a level.
fn bit_width(max_level: i16) -> usize {
    (i16::BITS - max_level.leading_zeros()) as usize
}

/// The largest of at most `length` integers of 32 bits that are written as differences, which are skipped; `None` if there
/// are more, or one is negative.
fn largest_delta(bytes: &mut Thrift<'_>, length: usize) -> Option<usize> {
    let block = usize::try_from(bytes.varint()?).ok()?;
    let miniblocks = usize::try_from(bytes.varint()?).ok()?;
    let number = usize::try_from(bytes.varint()?).ok()?;
    let mut value = bytes.integer()?;
    let in_miniblock = block.checked_div(miniblocks)?;
    if number > length || in_miniblock == 0 {
        return None;
    }

    let mut largest = if number == 0 { 0 } else { u32::try_from(value as i32).ok()? };
    let mut left = number.saturating_sub(1);
    while left > 0 {
        let least = bytes.integer()?;
        let (widths, rest) = bytes.0.split_at_checked(miniblocks)?;
        bytes.0 = rest;
        for &width in widths {
            // Without values, a miniblock has no bytes.
            if left == 0 {
                break;
            }
            let width = usize::from(width);
            let (packed, rest) = bytes.0.split_at(in_miniblock.checked_mul(width)?.div_ceil(8).min(bytes.0.len()));
            bytes.0 = rest;
            for index in 0..in_miniblock.min(left) {
                let difference = bits(packed, index * width, width)?.cast_signed();
                value = value.wrapping_add(least).wrapping_add(difference);
                largest = largest.max(u32::try_from(value as i32).ok()?);
            }
            left -= in_miniblock.min(left);
        }
    }
    Some(largest as usize)
}

/// Some of the bits of packed integers, the lowest first; `None` if there are more than 32, or not so many.
fn bits(packed: &[u8], first: usize, width: usize) -> Option<u64> {
    if width > 32 {
        return None;
    }
    let bytes = packed.get(first / 8..(first + width).div_ceil(8))?;
    let value = bytes.iter().rev().fold(0, |value: u64, &byte| value << 8 | u64::from(byte));
    Some(value >> (first % 8) & ((1 << width) - 1))
}
