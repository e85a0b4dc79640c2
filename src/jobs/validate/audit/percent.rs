//! A share of puzzles, solutions or files, as a percentage for people.

use std::fmt::{self, Display, Formatter};

/// A fraction as `24.8 %`. It is 100 % only if it is everything, and 0 % only if it is nothing. A fraction of nothing is
/// not a number, `-`.
#[derive(Clone, Copy, Debug)]
pub struct Percent(pub f64);

impl Display for Percent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
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
    pub fn of(count: u64, of: u64) -> Percent {
        Percent(count as f64 / of as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
