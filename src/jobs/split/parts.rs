//! The parts of a split: their names and sizes.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use crate::options::{ParseError, parse_count};

/// The name of the output for records that belong to no group.
pub const UNSPLIT: &str = "unsplit";

/// The maximum number of parts: each has an open file.
const MAX_PARTS: usize = 200;

/// The share 1, in the units of [`PartSize::Share`].
const ONE: u64 = 1_000_000_000;

/// The size of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartSize {
    /// A share, in billionths.
    Share(u64),
    /// A number of records.
    Records(u64),
    /// All records that the other parts leave.
    Rest,
}

/// The parts of a split.
///
/// ```
/// use gridmill::jobs::split::Parts;
///
/// let parts: Parts = "train=0.9,val=5%,test=rest".parse()?;
/// assert_eq!(parts.names().collect::<Vec<_>>(), ["train", "val", "test"]);
/// assert!("train=100000,test=1000".parse::<Parts>()?.have_exact_sizes());
/// # Ok::<(), gridmill::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    names: Vec<String>,
    pub(super) sizes: PartSizes,
}

/// The sizes of the parts, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PartSizes {
    /// Part `i` gets the groups with a hash from `ends[i - 1] / denominator` up to, but not including, `ends[i] /
    /// denominator`. The last end is the denominator.
    Shares { ends: Vec<u64>, denominator: u64 },
    /// Numbers of records; `None` for the rest.
    Records(Vec<Option<u64>>),
}

impl Parts {
    /// `folds` parts with equal shares, called `fold-1` and so on. With ten or more, the numbers have leading zeros.
    ///
    /// # Errors
    ///
    /// If there are too few or too many.
    pub fn folds(folds: usize) -> Result<Parts, ParseError> {
        check_count(folds)?;
        let width = folds.to_string().len();
        let names = (1..=folds).map(|fold| format!("fold-{fold:0width$}")).collect();
        let denominator = folds as u64;
        Ok(Parts { names, sizes: PartSizes::Shares { ends: (1..=denominator).collect(), denominator } })
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The number of parts.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether the parts have numbers of records, which requires a second pass over the inputs.
    pub fn have_exact_sizes(&self) -> bool {
        matches!(self.sizes, PartSizes::Records(_))
    }
}

/// Fails if there are too few or too many parts.
fn check_count(parts: usize) -> Result<(), ParseError> {
    let error = || ParseError::new(format!("a split has 1 to {MAX_PARTS} parts"));
    if (1..=MAX_PARTS).contains(&parts) { Ok(()) } else { Err(error()) }
}

impl PartSizes {
    fn new(sizes: &[PartSize]) -> Result<PartSizes, ParseError> {
        if sizes.iter().filter(|&&size| size == PartSize::Rest).count() > 1 {
            return Err(ParseError::new("only one part can get the rest"));
        }

        let has = |is_kind: fn(&PartSize) -> bool| sizes.iter().any(is_kind);
        let has_records = has(|size| matches!(size, PartSize::Records(_)));
        if has_records && has(|size| matches!(size, PartSize::Share(_))) {
            return Err(ParseError::new(
                "give either all parts a share or all a number of records; a number without a point is one of records",
            ));
        }
        if has_records {
            let records = |size: &PartSize| if let PartSize::Records(records) = size { Some(*records) } else { None };
            return Ok(PartSizes::Records(sizes.iter().map(records).collect()));
        }

        let share = |size: &PartSize| if let PartSize::Share(share) = size { *share } else { 0 };
        let sum = sizes.iter().map(share).fold(0, u64::saturating_add);
        let has_rest = has(|size| *size == PartSize::Rest);
        if sum > ONE || (sum < ONE && !has_rest) {
            let sum = sum as f64 / ONE as f64;
            return Err(ParseError::new(format!(
                "the shares add up to {sum}, not to 1; give one part the size 'rest'"
            )));
        }
        let with_rest = sizes.iter().map(|size| if *size == PartSize::Rest { ONE - sum } else { share(size) });
        let ends = with_rest.scan(0, |end, share| {
            *end += share;
            Some(*end)
        });
        Ok(PartSizes::Shares { ends: ends.collect(), denominator: ONE })
    }
}

/// The part of a group, by the hash of its key: the first part whose end, divided by the denominator, is above `hash /
/// 2^64`.
pub(super) fn part_of(hash: u64, ends: &[u64], denominator: u64) -> usize {
    let scaled = u128::from(hash) * u128::from(denominator);
    ends.partition_point(|&end| u128::from(end) << 64 <= scaled)
}

/// Reads `train=0.9,val=0.05,test=0.05`.
///
/// A size is a share with a decimal point or `%` and up to nine decimal places, a number of records, also written as
/// `100_000` or `1e5`, or `rest`.
impl FromStr for Parts {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Parts, ParseError> {
        let (mut names, mut sizes, mut known) = (vec![], vec![], HashSet::new());
        for part in text.split(',') {
            let syntax = || {
                let sizes = "such as train=0.9, train=90%, train=1000 or train=rest";
                ParseError::new(format!("'{part}' is not NAME=SIZE, {sizes}"))
            };
            let (name, size) = part.trim().split_once('=').ok_or_else(syntax)?;
            let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            if name.is_empty() || !name.bytes().all(is_allowed) || name.eq_ignore_ascii_case(UNSPLIT) {
                return Err(ParseError::new(format!(
                    "'{name}' cannot be the name of a part: only letters, digits, '-' and '_', and not '{UNSPLIT}'"
                )));
            }
            // Some file systems ignore case.
            if !known.insert(name.to_ascii_lowercase()) {
                return Err(ParseError::new(format!("there are two parts called {name}")));
            }
            names.push(name.to_owned());
            sizes.push(parse_size(size).ok_or_else(syntax)?);
        }
        check_count(names.len())?;
        Ok(Parts { names, sizes: PartSizes::new(&sizes)? })
    }
}

fn parse_size(text: &str) -> Option<PartSize> {
    if text == "rest" {
        return Some(PartSize::Rest);
    }
    let (number, places) = text.strip_suffix('%').map_or((text, 9), |number| (number, 7));
    let is_share = places < 9 || (number.contains('.') && !number.contains(['e', 'E']));
    if !is_share {
        return parse_count(number).map(PartSize::Records);
    }
    let (units, decimals) = number.split_once('.').unwrap_or((number, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(units) || !is_number(decimals) || decimals.len() > places || units.len() + decimals.len() == 0 {
        return None;
    }
    let digits = format!("{units}{decimals:0<places$}");
    digits.parse().ok().filter(|&share| share <= ONE).map(PartSize::Share)
}

/// Prints the parts in a form that can be parsed, with shares as decimal numbers.
impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = match &self.sizes {
            PartSizes::Shares { ends, denominator } => {
                let starts = [0].into_iter().chain(ends.iter().copied());
                let share = |(&end, start)| format!("{:?}", (end - start) as f64 / *denominator as f64);
                ends.iter().zip(starts).map(share).collect()
            }
            PartSizes::Records(records) => {
                records.iter().map(|records| records.map_or("rest".to_owned(), |count| count.to_string())).collect()
            }
        };
        let parts: Vec<String> = self.names.iter().zip(sizes).map(|(name, size)| format!("{name}={size}")).collect();
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_belongs_to_the_part_whose_range_it_is_in() {
        let Parts { sizes: PartSizes::Shares { ends, denominator }, .. } = "a=0.5,b=25%,c=0.0,d=rest".parse().unwrap()
        else {
            panic!("they are shares")
        };
        for (hash, part) in [(0, 0), ((1 << 63) - 1, 0), (1 << 63, 1), (3 << 62, 3), ((3 << 62) - 1, 1), (u64::MAX, 3)]
        {
            assert_eq!(part_of(hash, &ends, denominator), part, "{hash:x}");
        }
        let Parts { sizes: PartSizes::Shares { ends, denominator }, .. } = Parts::folds(3).unwrap() else { panic!() };
        let third = u64::MAX / 3;
        assert_eq!(
            [third, third + 1, 2 * third, 2 * third + 1].map(|hash| part_of(hash, &ends, denominator)),
            [0, 1, 1, 2]
        );
        assert_eq!(part_of(u64::MAX, &ends, denominator), 2);
    }

    #[test]
    fn shares_and_numbers_of_records_are_read() {
        for (text, shown) in [
            ("train=0.9,val=0.05,test=0.05", "train=0.9,val=0.05,test=0.05"),
            ("train=90%, val=2.5%,test=rest", "train=0.9,val=0.025,test=0.075"),
            ("all=1.0", "all=1.0"),
            ("train=100000,test=1", "train=100000,test=1"),
            ("train=2.5e3,val=1e2,test=1_000", "train=2500,val=100,test=1000"),
            ("train=rest,test=77", "train=rest,test=77"),
            ("a=0.333333333,b=0.333333333,c=0.333333334", "a=0.333333333,b=0.333333333,c=0.333333334"),
        ] {
            assert_eq!(text.parse::<Parts>().unwrap().to_string(), shown);
        }
        for text in
            ["", "train", "train=", "train=.", "train=-1", "train=1e-5", "a=0.1234567891,b=rest", "a=1.1,b=rest"]
        {
            let error = text.parse::<Parts>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{}' is not NAME=SIZE", text.split(',').next().unwrap())), "{error}");
        }
        for (text, error) in [
            ("a=0.5,b=0.4", "add up to 0.9"),
            ("a=0.7,b=0.7,c=rest", "add up to 1.4"),
            ("a=0.5,b=100", "give either"),
            ("a=rest,b=rest", "only one part"),
            ("a=0.5,A=0.5", "two parts called A"),
            ("../a=1.0", "'../a' cannot be"),
            ("unsplit=1.0", "'unsplit' cannot be"),
        ] {
            assert!(text.parse::<Parts>().unwrap_err().to_string().contains(error), "{text}");
        }
        assert!(Parts::folds(0).is_err());
        assert_eq!(Parts::folds(12).unwrap().names().next(), Some("fold-01"));
    }
}
