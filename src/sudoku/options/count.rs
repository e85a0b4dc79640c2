//! Parses counts: the values of options, and the sizes of parts.

/// Parses a whole number: `100000`, `100_000`, `1e5` or `2.5e6`.
///
/// Underscores may separate digits. There may be an exponent and then also a decimal point, if the number is an
/// integer.
pub(crate) fn parse_count(text: &str) -> Option<u64> {
    let digits_only = text.replace('_', "");
    let (mantissa, exponent) = digits_only.split_once(['e', 'E']).unwrap_or((&digits_only, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{before}{after}");
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if text.starts_with('_') || text.ends_with('_') || !is_digits(before) || !is_digits(&digits) || !is_digits(exponent)
    {
        return None;
    }
    let exponent = exponent.parse::<u32>().ok()?.checked_sub(after.len() as u32)?;
    10_u64.checked_pow(exponent)?.checked_mul(digits.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_underscores_and_exponents() {
        for (text, value) in [
            ("0", Some(0)),
            ("100000", Some(100_000)),
            ("100_000", Some(100_000)),
            ("1e5", Some(100_000)),
            ("2.5E6", Some(2_500_000)),
            ("2.5e6", Some(2_500_000)),
            ("1_0e0", Some(10)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("1e20", None),
            ("0.5", None),
            ("2.55e1", None),
            ("-1", None),
            ("+1", None),
            ("1e-2", None),
            ("1e", None),
            ("e5", None),
            (".5e1", None),
            ("_1", None),
            ("1_", None),
            ("ten", None),
            ("", None),
        ] {
            assert_eq!(parse_count(text), value, "{text}");
        }
    }
}
