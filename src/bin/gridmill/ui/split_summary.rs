//! Shows the report of `gridmill split` as text.

use std::fmt::{self, Display, Formatter};

use gridmill::jobs::NoKeyCounts;
use gridmill::jobs::split::{Farthest, PartCount, SplitReport, UNSPLIT, ValueCounts};
use indicatif::HumanCount;

use super::printable::in_one_line;
use super::summary::{Counted, Seconds};

/// How many values of a column are shown.
const VALUES_SHOWN: usize = 20;

/// The longest value that is shown, in characters.
const VALUE_WIDTH: usize = 15;

/// Shows the report of a split over several lines, without a line end after the last.
pub(crate) struct SplitSummary<'a>(pub(crate) &'a SplitReport);

impl Display for SplitSummary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.0;
        write!(f, "{} in {}", Counted(report.records, "record"), Seconds(report.wall_seconds))?;
        let width = report.parts.iter().map(|part| part.name.len()).max().unwrap_or(0).max(UNSPLIT.len());
        let all: u64 = report.parts.iter().map(|part| part.records).sum();
        for PartCount { name, records, .. } in &report.parts {
            write!(f, "\n  {name:width$} {:>11}  {:>7}", HumanCount(*records).to_string(), Percent(*records, all))?;
        }
        if report.unsplit.total() > 0 {
            let (count, reasons) = (HumanCount(report.unsplit.total()).to_string(), Reasons(&report.unsplit));
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
            write!(f, " {:>9}", Percent(count, part.records).to_string())?;
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
    let Some(farthest) = &counts.farthest else { return Ok(()) };
    if farthest.difference() < 0.05 {
        return write!(f, "\n  each part has its share of each value");
    }
    let Farthest { part, value, records, share } = farthest;
    let (difference, value) = (farthest.difference(), named(value));
    write!(
        f,
        "\n  up to {difference:.1} records from a share: {part} has {records} with {value}, its share is {share:.1}"
    )
}

/// A value in one line; one that is empty has a name.
fn named(value: &str) -> String {
    if value.is_empty() { "(empty)".to_owned() } else { in_one_line(value) }
}

/// Why records belong to no group, with their numbers: `2 malformed, 1 not 4x4, 6x6 or 9x9`.
pub(crate) struct Reasons<'a>(pub(crate) &'a NoKeyCounts);

impl Display for Reasons<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, (reason, count)) in self.0.iter().enumerate() {
            let gap = if index > 0 { ", " } else { "" };
            write!(f, "{gap}{} {reason}", HumanCount(count))?;
        }
        Ok(())
    }
}

/// A share of a number: `4.98 %`.
struct Percent(u64, u64);

impl Display for Percent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &Percent(count, all) = self;
        f.pad(&format!("{:.2} %", 100.0 * count as f64 / all.max(1) as f64))
    }
}
