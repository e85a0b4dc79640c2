//! Prints the summary of a run for people.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use gridmill::engine::EngineKind;
use gridmill::rating::{Level, Rating};
use gridmill::rows::Status;
pub(crate) use gridmill::stats::Counted;
use gridmill::stats::{Bucket, Percentiles, RatingSummary, Resumed, RunFacts, Summary};
use indicatif::{HumanCount, HumanFloatCount};
use strum::VariantArray;

use super::printable::in_one_line;
use super::screen::{self, Tone};

/// Some lines, without a line end after the last.
pub(crate) struct SummaryText<'a>(pub(crate) &'a Summary, pub(crate) &'a RunFacts);

impl Display for SummaryText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let SummaryText(summary, run) = self;
        writeln!(f, "{}", Headline(summary.records, run))?;
        if let Some(resumed) = &run.resumed {
            writeln!(f, "  {}", ResumedNote(resumed))?;
        }

        for &status in Status::VARIANTS {
            let count = summary.rows[status];
            let text = format!("{status} {}", HumanCount(count));
            write!(f, "  {}", tone(status).of_count(count).paint(&text))?;
        }
        if summary.not_all_listed > 0 {
            let have = if summary.not_all_listed == 1 { "has" } else { "have" };
            write!(f, "  ({} {have} more solutions than were listed)", HumanCount(summary.not_all_listed))?;
        }
        writeln!(f)?;

        if let Some(ratings) = &summary.ratings {
            write!(f, "{}", Ratings(ratings))?;
        }
        if let (Some((fewest, _)), Some((most, _))) = (summary.clues.first_key_value(), summary.clues.last_key_value())
        {
            writeln!(f, "  clues      {fewest} to {most}")?;
        }

        if !summary.nanos_histogram.is_empty() {
            let times = if summary.ratings.is_some() {
                "   time of a puzzle: to check and to rate it"
            } else if is_in_batches(&run.engine) {
                "   time of a 9x9 puzzle: its share of its batch"
            } else {
                ""
            };
            writeln!(f, "  {:9} {:>9} {:>9} {:>9} {:>9} {:>9}{times}", "", "p50", "p90", "p99", "p99.9", "max")?;
            percentiles(f, "time", summary.nanos, |nanos| Seconds(nanos as f64 / 1e9).to_string())?;
            percentiles(f, "branches", summary.branches, |branches| HumanCount(branches).to_string())?;
            histogram(f, &summary.nanos_histogram)?;
        }

        for (index, slow) in summary.slowest.iter().enumerate() {
            let heading = if index == 0 { "slowest" } else { "" };
            let (file, line) = (in_one_line(&slow.source.file), slow.source.line);
            let start = format!("  {heading:9} {:>9}  {file}:{line}  ", Seconds(slow.nanos as f64 / 1e9).to_string());
            // On a terminal, a puzzle that does not fit on the line is cut; its line number identifies it.
            let left = screen::stderr_width().map_or(usize::MAX, |width| width.saturating_sub(start.chars().count()));
            writeln!(f, "{start}{}", screen::cut(&slow.source.puzzle, left))?;
        }

        let percent = |share: f64| HumanFloatCount((share * 100.0).round());
        write!(
            f,
            "  CPU time  engines {}, the rest {}; busy: reader {} %, workers {} %, writer {} %",
            Seconds(summary.cpu_seconds.engines),
            Seconds(summary.cpu_seconds.rest),
            percent(summary.busy.reader),
            percent(summary.busy.workers),
            percent(summary.busy.writer),
        )
    }
}

/// The colour of a number of rows with a status.
fn tone(status: Status) -> Tone {
    match status {
        Status::Unique => Tone::Good,
        Status::Multiple | Status::Undecided => Tone::Notice,
        _ => Tone::Bad,
    }
}

/// The numbers above zero, each with its name: `2 malformed, 1 undecided`.
pub(crate) fn listed<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let found = counts.into_iter().filter(|&(_, count)| count > 0);
    found.map(|(name, count)| format!("{} {name}", HumanCount(count))).collect::<Vec<_>>().join(", ")
}

/// Whether an engine of a run searches several puzzles at once, so that single puzzles have no times.
fn is_in_batches(engines: &str) -> bool {
    engines.split(", ").any(|name| matches!(name.parse(), Ok(EngineKind::Auto | EngineKind::Lanes(_))))
}

/// The first line: the number of records, the time and the rate.
pub(crate) struct Headline<'a>(pub(crate) u64, pub(crate) &'a RunFacts);

impl Display for Headline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &Headline(records, RunFacts { wall_seconds, records_per_second, threads, engine, .. }) = self;
        let (records, threads) = (Counted(records, "record"), Counted(*threads as u64, "thread"));
        let (seconds, rate) = (Seconds(*wall_seconds), HumanCount(*records_per_second as u64));
        write!(f, "{records} in {seconds}: {rate} a second, {threads} with {engine}")
    }
}

/// The line about the records of an interrupted run.
pub(crate) struct ResumedNote<'a>(pub(crate) &'a Resumed);

impl Display for ResumedNote<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} of them before; times and rates are of the others", HumanCount(self.0.records))
    }
}

fn percentiles(
    f: &mut Formatter<'_>,
    name: &str,
    values: Option<Percentiles>,
    show: impl Fn(u64) -> String,
) -> fmt::Result {
    let Some(values) = values else { return Ok(()) };
    write!(f, "  {name:9}")?;
    for value in [values.p50, values.p90, values.p99, values.p999, values.max] {
        write!(f, " {:>9}", show(value))?;
    }
    writeln!(f)
}

/// Draws a bar for each time.
fn histogram(f: &mut Formatter<'_>, buckets: &[Bucket]) -> fmt::Result {
    let range = |up_to: u64| format!("<= {}", Seconds(up_to as f64 / 1e9));
    bars(f, &buckets.iter().map(|bucket| (range(bucket.up_to), bucket.puzzles)).collect::<Vec<_>>())
}

/// Draws a bar for each number of puzzles. The longest reaches the end of the line or, without a terminal, has a fixed
/// length.
fn bars(f: &mut Formatter<'_>, counts: &[(String, u64)]) -> fmt::Result {
    /// The label of a bar.
    const START: usize = 27;
    let length = screen::stderr_width().map_or(40, |width| width.saturating_sub(START).min(120)) as u64;
    let most = counts.iter().map(|(_, puzzles)| *puzzles).max().unwrap_or(0);
    for (name, puzzles) in counts {
        let bar = "#".repeat((u128::from(*puzzles) * u128::from(length)).div_ceil(u128::from(most.max(1))) as usize);
        writeln!(f, "  {name:>11} {:>11}  {bar}", HumanCount(*puzzles).to_string())?;
    }
    Ok(())
}

/// The numbers of puzzles by level, and by the whole part of ER.
struct Ratings<'a>(&'a RatingSummary);

impl Display for Ratings<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let RatingSummary { levels, er, above, .. } = self.0;
        for &level in Level::VARIANTS {
            write!(f, "  {level} {}", HumanCount(levels[level]))?;
        }
        writeln!(f)?;
        for (bound, puzzles) in above {
            let harder = if *puzzles == 1 { "is harder" } else { "are harder" };
            writeln!(f, "  {} {harder} than {bound}", Counted(*puzzles, "puzzle"))?;
        }
        let mut by_whole = BTreeMap::new();
        for (er, puzzles) in er.iter().filter(|(er, _)| **er < Rating::UNSOLVED) {
            *by_whole.entry(er.tenths() / 10).or_insert(0) += puzzles;
        }
        let counts = by_whole.into_iter().map(|(whole, puzzles)| (format!("ER {whole}.0-{whole}.9"), puzzles));
        let unsolved = er.get(&Rating::UNSOLVED).map(|&puzzles| ("unsolved".to_owned(), puzzles));
        bars(f, &counts.chain(unsolved).collect::<Vec<_>>())
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
