//! Words for the summaries of runs.

use std::fmt::{self, Display, Formatter};

use gridmill::jobs::NoKeyCounts;
use gridmill::stats::{Resumed, RunFacts};
use indicatif::HumanCount;

pub(crate) use crate::options::Counted;

/// The numbers above zero, each with its name: `2 malformed, 1 undecided`.
pub(crate) fn listed<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let found = counts.into_iter().filter(|&(_, count)| count > 0);
    found.map(|(name, count)| format!("{} {name}", HumanCount(count))).collect::<Vec<_>>().join(", ")
}

/// The reasons why records belong to no group, with their numbers: `2 malformed, 1 not 4x4, 6x6 or 9x9`.
pub(crate) fn reasons(counts: &NoKeyCounts) -> String {
    listed(counts.iter().map(|(reason, count)| (reason.into(), count)))
}

/// The first line: the number of records, the time and the rate.
pub(crate) fn headline(records: u64, run: &RunFacts) -> String {
    let RunFacts { wall_seconds, records_per_second, threads, engine, .. } = run;
    let (records, threads) = (Counted(records, "record"), Counted(*threads as u64, "thread"));
    let (seconds, rate) = (Seconds(*wall_seconds), HumanCount(*records_per_second as u64));
    with_resumed(format!("{records} in {seconds}: {rate} a second, {threads} with {engine}"), run)
}

/// A sentence about a run, which may have been resumed.
pub(crate) fn with_resumed(sentence: String, run: &RunFacts) -> String {
    match &run.resumed {
        Some(Resumed { records, .. }) => {
            format!("{sentence}; {} of them before; times and rates are of the others", HumanCount(*records))
        }
        None => sentence,
    }
}

/// A time with three digits and a fitting unit: `8.15 µs`.
pub(crate) struct Seconds(pub(crate) f64);

impl Display for Seconds {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            seconds if seconds < 1e-6 => (seconds * 1e9, "ns"),
            seconds if seconds < 1e-3 => (seconds * 1e6, "µs"),
            seconds if seconds < 1.0 => (seconds * 1e3, "ms"),
            seconds if seconds < 600.0 => (seconds, "s"),
            seconds => (seconds / 60.0, "min"),
        };
        let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
        write!(f, "{value:.digits$} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        for (seconds, text) in
            [(0.0, "0.00 ns"), (8.151e-6, "8.15 µs"), (0.0123, "12.3 ms"), (599.0, "599 s"), (6000.0, "100 min")]
        {
            assert_eq!(Seconds(seconds).to_string(), text);
        }
    }
}
