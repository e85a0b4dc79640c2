//! The bounds of a search: how many solutions it counts, and when it gives up.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::str::FromStr;

use super::SearchEnd;
use crate::options::ParseError;
use crate::puzzle::Size;
use crate::stop::Stop;

/// The bounds of the search for the solutions of each puzzle in a batch.
///
/// ```
/// use gridmill::engine::{Bounds, Limit};
///
/// let bounds = Bounds::new(Limit::UNIQUE).max_branches(1000);
/// assert_eq!((bounds.solutions.get(), bounds.max_branches), (2, Some(1000)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    /// The number of solutions at which a search stops: enough to decide about the puzzle.
    pub solutions: Limit,
    /// The maximum number of branches of a search. A search that needs more gives up: the puzzle is undecided.
    pub max_branches: Option<u64>,
    /// Once it is [overdue](Stop::is_overdue), the engine returns as soon as it can. Its verdicts are then meaningless.
    pub stop: Option<&'a Stop>,
}

impl<'a> Bounds<'a> {
    /// A search for up to `solutions` solutions that never gives up.
    pub const fn new(solutions: Limit) -> Bounds<'a> {
        Bounds { solutions, max_branches: None, stop: None }
    }

    /// Sets the maximum number of branches of a search.
    #[must_use]
    pub const fn max_branches(self, branches: u64) -> Bounds<'a> {
        Bounds { max_branches: Some(branches), ..self }
    }

    /// Sets the stop signal.
    #[must_use]
    pub const fn stop(self, stop: &'a Stop) -> Bounds<'a> {
        Bounds { stop: Some(stop), ..self }
    }

    /// Breaks once `solutions` reaches the limit.
    #[inline]
    pub(super) fn after_solution(&self, solutions: u64) -> ControlFlow<SearchEnd> {
        if solutions >= self.solutions.get() {
            ControlFlow::Break(SearchEnd::AtLimit)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Whether a search has to give up after this number of branches.
    #[inline]
    pub(super) fn is_exceeded_by(&self, branches: u64) -> bool {
        self.max_branches.is_some_and(|max| branches > max)
    }

    /// Whether the engine has to return.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(Stop::is_overdue)
    }
}

/// The number of solutions at which a search stops, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(NonZeroU64);

impl Limit {
    /// Stop at the first solution.
    pub const FIRST: Limit = Limit(NonZeroU64::MIN);

    /// Stop at the second: enough to know whether a puzzle is unique.
    pub const UNIQUE: Limit = Limit(NonZeroU64::MIN.saturating_add(1));

    /// Stop at solution number `count`.
    pub const fn new(count: NonZeroU64) -> Limit {
        Limit(count)
    }

    /// Stop `more` solutions later.
    pub(crate) const fn saturating_add(self, more: u64) -> Limit {
        Limit(self.0.saturating_add(more))
    }

    /// The number of solutions to stop at, at least 1.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

/// The maximum number of branches of a search, which may depend on the size of the puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaxBranches {
    /// No bound up to 9x9, where searches are short; for larger sizes, a bound that is reached within a few seconds.
    #[default]
    BySize,
    /// No bound for any size.
    Unlimited,
    /// The same bound for all sizes.
    Number(u64),
}

impl MaxBranches {
    /// The bound for puzzles of a size, if there is one.
    pub const fn for_size(self, size: Size) -> Option<u64> {
        match (self, size) {
            (MaxBranches::Unlimited, _) | (MaxBranches::BySize, Size::Four | Size::Six | Size::Eight | Size::Nine) => {
                None
            }
            (MaxBranches::BySize, Size::Ten | Size::Twelve | Size::Sixteen) => Some(500_000),
            (MaxBranches::BySize, Size::TwentyFive) => Some(250_000),
            (MaxBranches::Number(branches), _) => Some(branches),
        }
    }
}

/// `none` or a number; `default` for [`MaxBranches::BySize`].
impl fmt::Display for MaxBranches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaxBranches::BySize => f.write_str("default"),
            MaxBranches::Unlimited => f.write_str("none"),
            MaxBranches::Number(branches) => write!(f, "{branches}"),
        }
    }
}

/// Reads the printed form.
impl FromStr for MaxBranches {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<MaxBranches, ParseError> {
        match text {
            "default" => Ok(MaxBranches::BySize),
            "none" => Ok(MaxBranches::Unlimited),
            number => number.parse().map(MaxBranches::Number).map_err(|_| {
                ParseError::new(format!("'{text}' is not a bound: expected a number up to {}, or 'none'", u64::MAX))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_by_size_are_read_as_they_are_printed() {
        for (text, bounds) in [
            ("none", [None; 8]),
            ("0", [Some(0); 8]),
            ("77", [Some(77); 8]),
            ("default", Size::ALL.map(|size| MaxBranches::default().for_size(size))),
        ] {
            let max: MaxBranches = text.parse().unwrap();
            assert_eq!((max.to_string(), Size::ALL.map(|size| max.for_size(size))), (text.to_owned(), bounds));
        }
        for text in ["", "-1", "None", "1e6", "18446744073709551616"] {
            assert!(text.parse::<MaxBranches>().is_err(), "{text}");
        }
    }
}
