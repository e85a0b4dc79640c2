//! Reads the numbers in the columns of records.

/// The number in a field; `None` if it is no number, or not a finite one.
pub(in crate::jobs) fn parse_number(field: &[u8]) -> Option<f64> {
    let number: f64 = str::from_utf8(field.trim_ascii()).ok()?.parse().ok()?;
    number.is_finite().then_some(number)
}
