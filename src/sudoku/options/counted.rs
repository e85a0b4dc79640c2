//! Numbers of things, and shares, in sentences.

use std::fmt::{Display, Formatter, Result};

/// A number with commas: `1,234,567`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WithCommas(pub u64);

impl Display for WithCommas {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let digits = self.0.to_string();
        let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
        f.pad(&groups.collect::<Vec<_>>().join(","))
    }
}

/// A number of things, with the name of one: `1 record`, `1,000 records`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted<'a>(pub u64, pub &'a str);

impl Display for Counted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let &Counted(count, thing) = self;
        let plural = match thing {
            _ if count == 1 => "",
            // Class, and other words with this ending.
            thing if thing.ends_with('s') => "es",
            _ => "s",
        };
        write!(f, "{} {thing}{plural}", WithCommas(count))
    }
}

/// A fraction as `24.8 %`. It is 100 % only if it is everything, and 0 % only if it is nothing. A fraction of nothing is
/// not a number, `-`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Percent(pub f64);

impl Display for Percent {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let percent = self.0 * 1e2;
        match percent {
            percent if percent.is_nan() => f.write_str("-"),
            percent if percent <= 0.0 || percent >= 100.0 => write!(f, "{percent:.0} %"),
            percent if percent < 0.1 => {
                write!(f, "{} %", format!("{percent:.3}").trim_end_matches('0').trim_end_matches('.'))
            }
            percent => write!(f, "{} %", format!("{:.1}", percent.clamp(0.1, 99.9)).trim_end_matches(".0")),
        }
    }
}

impl Percent {
    /// The fraction of one count in another.
    pub(crate) fn of(count: u64, of: u64) -> Percent {
        Percent(count as f64 / of as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas_and_things_plurals() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(WithCommas(count).to_string(), text);
        }
        assert_eq!(Counted(1, "class").to_string(), "1 class");
        assert_eq!(Counted(1000, "class").to_string(), "1,000 classes");
        assert_eq!(Counted(0, "record").to_string(), "0 records");
    }

    #[test]
    fn only_all_is_a_hundred_percent() {
        for (count, of, text) in [
            (0, 0, "-"),
            (0, 7, "0 %"),
            (7, 7, "100 %"),
            (124, 500, "24.8 %"),
            (97, 100, "97 %"),
            (999_999, 1_000_000, "99.9 %"),
            (1, 10_000, "0.01 %"),
            (1, 1_000_000, "0 %"),
            (1, 3, "33.3 %"),
        ] {
            assert_eq!(Percent::of(count, of).to_string(), text, "{count} of {of}");
        }
    }
}
