//! The values of a column: numbers to compare, and the values that records are stratified by.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::str::FromStr;

use serde::Serialize;

use super::error::CopyError;
use crate::options::ParseError;

/// The maximum number of values of a column.
const MAX_VALUES: usize = 10_000;

/// The index of a value in a [`ValueTable`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ValueIndex(u32);

impl ValueIndex {
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The bins that the numbers of a column are put into, from text: `0,10,100` has two, `0..10` and `10..100`.
///
/// A bin includes its first end, the last bin both. All other values are in the bin `other`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bins(Vec<f64>);

impl Bins {
    /// The name of the bin of a value.
    fn name_of(&self, value: &[u8]) -> String {
        let Bins(ends) = self;
        let number = FieldNumber::parse(value).map(FieldNumber::real).filter(|number| number <= &ends[ends.len() - 1]);
        // The last end is in the bin before it.
        let starts = &ends[..ends.len() - 1];
        let bin = number.and_then(|number| starts.iter().rposition(|start| *start <= number));
        bin.map_or_else(|| "other".to_owned(), |bin| format!("{}..{}", ends[bin], ends[bin + 1]))
    }
}

impl FromStr for Bins {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Bins, ParseError> {
        let ends: Option<Vec<f64>> =
            text.split(',').map(|end| end.trim().parse().ok().filter(|end: &f64| end.is_finite())).collect();
        match ends {
            Some(ends) if ends.len() > 1 && ends.is_sorted_by(|end, next| end < next) => Ok(Bins(ends)),
            _ => Err(ParseError::new(format!("bins are ascending numbers such as 0,10,100, not '{text}'"))),
        }
    }
}

/// The values of a column, or the bins of its numbers, in the order of their first occurrence.
#[derive(Debug)]
pub(crate) struct ValueTable {
    /// The name of the column.
    pub(crate) column: String,
    bins: Option<Bins>,
    indices: HashMap<Vec<u8>, ValueIndex>,
}

impl ValueTable {
    /// No values of this column.
    pub(crate) fn new(column: &str, bins: Option<&Bins>) -> ValueTable {
        ValueTable { column: column.to_owned(), bins: bins.cloned(), indices: HashMap::new() }
    }

    /// The index of a value.
    ///
    /// # Errors
    ///
    /// If it is one value too many.
    pub(crate) fn index(&mut self, value: &[u8]) -> Result<ValueIndex, CopyError> {
        let value = self.bins.as_ref().map_or(Cow::Borrowed(value), |bins| bins.name_of(value).into_bytes().into());
        let value = &*value;
        if let Some(&index) = self.indices.get(value) {
            return Ok(index);
        }
        let index = ValueIndex(self.indices.len() as u32);
        if self.indices.len() == MAX_VALUES {
            return Err(CopyError::TooManyValues { column: self.column.clone(), limit: MAX_VALUES });
        }
        self.indices.insert(value.to_vec(), index);
        Ok(index)
    }

    /// The values by index.
    pub(crate) fn texts(&self) -> Vec<&[u8]> {
        let mut texts = vec![&[][..]; self.indices.len()];
        self.indices.iter().for_each(|(text, index)| texts[index.get()] = text);
        texts
    }
}

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
    fn numbers_are_put_into_bins() {
        let bins: Bins = "0, 2.5,10".parse().unwrap();
        for (value, name) in [
            ("0", "0..2.5"),
            ("2,4", "0..2.5"),
            ("2.5", "2.5..10"),
            (" 10 ", "2.5..10"),
            ("10.1", "other"),
            ("-1", "other"),
            ("", "other"),
            ("hard", "other"),
        ] {
            assert_eq!(bins.name_of(value.as_bytes()), name, "{value}");
        }
        for text in ["", "1", "2,1", "1,1", "1,x", "1,inf"] {
            assert!(text.parse::<Bins>().is_err(), "{text}");
        }
    }

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
