//! Numbers of things in sentences.

use std::fmt::{Display, Formatter, Result};

/// A number with commas: `1,234,567`.
#[derive(Clone, Copy, Debug)]
pub struct WithCommas(pub u64);

impl Display for WithCommas {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let digits = self.0.to_string();
        let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
        f.pad(&groups.collect::<Vec<_>>().join(","))
    }
}

/// A number of things, with the name of one: `1 record`, `1,000 records`.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a>(pub u64, pub &'a str);

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
}
