//! Shows the report of `gridmill split` as text.

use std::fmt::{self, Display, Formatter};

use gridmill::jobs::NoKeyCounts;
use gridmill::jobs::split::{PartCount, SplitReport, UNSPLIT, ValueCounts};
use indicatif::HumanCount;

use super::printable::in_one_line;
use super::summary::{Counted, Seconds, listed};

/// The number of values of a column that are shown.
const VALUES_SHOWN: usize = 20;

/// The maximum length of a value, in characters.
const VALUE_WIDTH: usize = 15;

/// Shows the report of a split, and its seconds, over several lines, without a line end after the last.
pub(crate) struct SplitSummary<'a>(pub(crate) &'a SplitReport, pub(crate) f64);

impl Display for SplitSummary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &SplitSummary(report, seconds) = self;
        write!(f, "{} in {}", Counted(report.records, "record"), Seconds(seconds))?;
        let width = report.parts.iter().map(|part| part.name.len()).max().unwrap_or(0).max(UNSPLIT.len());
        let all: u64 = report.parts.iter().map(|part| part.records).sum();
        for PartCount { name, records, .. } in &report.parts {
            write!(f, "\n  {name:width$} {:>11}  {:>7}", HumanCount(*records).to_string(), Fraction(*records, all))?;
        }
        if report.unsplit.total() > 0 {
            let (count, reasons) = (HumanCount(report.unsplit.total()).to_string(), reasons(&report.unsplit));
            write!(f, "\n  {UNSPLIT:width$} {count:>11}  {reasons}")?;
        }
        if report.left_out > 0 {
            write!(f, "\n  {} in no part", Counted(report.left_out, "record"))?;
        }
        if let Some(values) = &report.values {
            write_values(f, values, &report.parts)?;
        }
        Ok(())
    }
}

/// The share of each value in each part.
fn write_values(f: &mut Formatter<'_>, counts: &ValueCounts, parts: &[PartCount]) -> fmt::Result {
    let shorten = |text: &str| named(text).chars().take(VALUE_WIDTH).collect::<String>();
    write!(f, "\n  {:VALUE_WIDTH$} {:>11}", shorten(&counts.column), "records")?;
    for part in parts {
        write!(f, " {:>9}", part.name)?;
    }
    let mut row = |value: &str, counts: &[u64]| {
        let records = HumanCount(counts.iter().sum()).to_string();
        write!(f, "\n  {:VALUE_WIDTH$} {records:>11}", shorten(value))?;
        for (&count, part) in counts.iter().zip(parts) {
            write!(f, " {:>9}", Fraction(count, part.records).to_string())?;
        }
        Ok(())
    };
    let (shown, more) = counts.values.split_at(counts.values.len().min(VALUES_SHOWN));
    for value in shown {
        row(&value.value, &value.parts)?;
    }
    if !more.is_empty() {
        let others = |part: usize| more.iter().map(|value| value.parts[part]).sum();
        row("other values", &(0..parts.len()).map(others).collect::<Vec<u64>>())?;
    }
    Ok(())
}

/// A value on one line; an empty value gets a name.
fn named(value: &str) -> String {
    if value.is_empty() { "(empty)".to_owned() } else { in_one_line(value) }
}

/// The reasons why records belong to no group, with their numbers: `2 malformed, 1 not 4x4, 6x6 or 9x9`.
pub(crate) fn reasons(counts: &NoKeyCounts) -> String {
    listed(counts.iter().map(|(reason, count)| (reason.into(), count)))
}

/// A fraction of a number: `4.98 %`, or `-` of 0.
struct Fraction(u64, u64);

impl Display for Fraction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &Fraction(count, all) = self;
        if all == 0 { f.pad("-") } else { f.pad(&format!("{:.2} %", 100.0 * count as f64 / all as f64)) }
    }
}
