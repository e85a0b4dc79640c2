//! Copies records unchanged: the shared part of split, dedupe, sample and validate.
//!
//! ```text
//!   chunk -> workers -> a note for each record -> Chooser -> the index of an output -> RecordCopier
//!              |  parallel: the group, a column      |  serial, in the order of the input
//! ```
//!
//! Rows with typed columns are copied with all their columns, to Parquet files or to a function. The inputs are read
//! again if a [`Chooser`] needs to see all records first.

mod copier;
mod error;
mod group;
mod group_finder;
mod keyed_hash;
mod rows;
mod run;
mod text;
mod values;

pub(crate) use self::copier::{RecordCopier, check_extension, copy_to_file, copying_job_runs};
pub(crate) use self::error::CopyError;
pub use self::group::{GroupBy, NoKey, NoKeyCounts};
pub(crate) use self::group_finder::{GroupFinder, GroupedRecord};
pub(crate) use self::keyed_hash::KeyedHash;
#[cfg(feature = "parquet")]
pub(crate) use self::rows::keep_rows;
pub(crate) use self::run::{Chooser, RecordNote, copy_records};
pub(crate) use self::values::{ValueIndex, ValueTable};

use std::cmp::Ordering;

/// A number in a field.
///
/// A 64-bit float holds integers up to 2^53 only, and identifiers are often larger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FieldNumber {
    /// An integer.
    Integer(i64),
    /// Another number, or an integer that is too large.
    Real(f64),
}

impl FieldNumber {
    /// The number in a field; `None` if it is not a finite number.
    pub(crate) fn parse(field: &[u8]) -> Option<FieldNumber> {
        let text = str::from_utf8(field.trim_ascii()).ok()?;
        if let Ok(integer) = text.parse() {
            return Some(FieldNumber::Integer(integer));
        }
        // Spreadsheets of many countries write a decimal comma.
        let real = text.parse().or_else(|_| text.replace(',', ".").parse());
        real.ok().filter(|real: &f64| real.is_finite()).map(FieldNumber::Real)
    }

    /// The order of two numbers.
    pub(crate) fn order(self, other: FieldNumber) -> Ordering {
        match (self, other) {
            (FieldNumber::Integer(one), FieldNumber::Integer(other)) => one.cmp(&other),
            (one, other) => one.real().partial_cmp(&other.real()).expect("both are finite"),
        }
    }

    fn real(self) -> f64 {
        match self {
            FieldNumber::Integer(integer) => integer as f64,
            FieldNumber::Real(real) => real,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_compared_exactly() {
        let number = |text: &str| FieldNumber::parse(text.as_bytes()).unwrap();
        let ascending =
            ["-1e300", "-9007199254740993", "-9007199254740992", "-0.5", " 0 ", "0.25", "3", "9007199254740992"];
        let ascending = [&ascending[..], &["9007199254740993", "1e19", "20000000000000000000", "1e300"]].concat();
        for pair in ascending.windows(2) {
            assert_eq!(number(pair[0]).order(number(pair[1])), Ordering::Less, "{pair:?}");
        }
        for (one, other) in [("3", "3.0"), ("1000", "1e3"), ("-0", "0.0"), ("007", "7")] {
            assert_eq!(number(one).order(number(other)), Ordering::Equal, "{one} {other}");
        }
        for text in ["", "x", "inf", "nan", "1 2", "1e999"] {
            assert_eq!(FieldNumber::parse(text.as_bytes()), None, "{text}");
        }
    }
}
