//! Numbers in fields, which are compared exactly if they are integers.

use std::cmp::Ordering;

/// A number in a field.
///
/// A 64-bit float holds integers up to 2^53 only, and identifiers are often larger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::jobs) enum Number {
    /// An integer.
    Integer(i64),
    /// Another number, or a larger integer.
    Real(f64),
}

impl Number {
    /// The number that a field holds; `None` if it is no number, or not a finite one.
    pub(in crate::jobs) fn parse(field: &[u8]) -> Option<Number> {
        let text = str::from_utf8(field.trim_ascii()).ok()?;
        if let Ok(integer) = text.parse() {
            return Some(Number::Integer(integer));
        }
        text.parse().ok().filter(|real: &f64| real.is_finite()).map(Number::Real)
    }

    /// The order of two numbers.
    pub(in crate::jobs) fn order(self, other: Number) -> Ordering {
        match (self, other) {
            (Number::Integer(one), Number::Integer(other)) => one.cmp(&other),
            (one, other) => one.real().partial_cmp(&other.real()).expect("both are finite"),
        }
    }

    fn real(self) -> f64 {
        match self {
            Number::Integer(integer) => integer as f64,
            Number::Real(real) => real,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_compared_exactly() {
        let number = |text: &str| Number::parse(text.as_bytes()).unwrap();
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
            assert_eq!(Number::parse(text.as_bytes()), None, "{text}");
        }
    }
}
