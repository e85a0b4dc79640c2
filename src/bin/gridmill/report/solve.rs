//! The report of `gridmill solve`.

use gridmill::corpus::Origin;
use gridmill::rows::Status;
use gridmill::stats::{Percentiles, Summary};
use indicatif::HumanCount;

use super::facts::Facts;
use super::{Colour, Content, Figure, Page, Section, TableRow};
use crate::ui::summary::{Headline, Seconds};

/// The page for the summary of a run.
pub(crate) fn page(summary: &Summary, inputs: &[Origin]) -> anyhow::Result<Page> {
    let Summary { records, wall_seconds, records_per_second: rate, threads, ref engine, .. } = *summary;
    let colour = |status| match status {
        Status::Unique => Colour::Good,
        Status::Multiple | Status::Undecided => Colour::Notice,
        _ => Colour::Bad,
    };
    let counts = Status::ALL.map(|status| (status.name(), summary.rows[status], colour(status)));
    let seconds = |nanos: u64| Seconds(nanos as f64 / 1e9).to_string();
    let times: Vec<_> = summary.nanos_histogram.iter().map(|bucket| (seconds(bucket.up_to), bucket.puzzles)).collect();
    let branches: Vec<_> =
        summary.branches_histogram.iter().map(|bucket| (bucket.up_to.to_string(), bucket.puzzles)).collect();
    let slowest = summary.slowest.iter().enumerate().map(|(index, slow)| {
        let branches = slow.branches.map(|branches| format!(", {} guesses", HumanCount(branches)));
        let words = format!("{}{}", seconds(slow.nanos), branches.unwrap_or_default());
        Figure::new(format!("slowest-{}", index + 1), &slow.source.file, slow.source.line, &slow.source.puzzle, &words)
    });
    let slowest = Content::Puzzles { figures: slowest.collect() };
    let sections = [
        Some(Section::shares("records", "Records", &counts)),
        Section::histogram("clues", "Clues", "puzzles by their number of clues", &clues(summary)),
        Section::histogram("time", "Time", "puzzles by the time for solving them, up to the label", &times),
        Section::histogram("guesses", "Guesses", "puzzles by the guesses of the search, up to the label", &branches),
        (!summary.slowest.is_empty()).then(|| Section::new("slowest", "Slowest puzzles", "", slowest)),
        (!summary.nanos_histogram.is_empty()).then(|| percentiles(summary)),
    ];
    Ok(Page {
        title: "Solved puzzles".into(),
        lead: Headline { records, wall_seconds, rate, threads, engine }.to_string(),
        facts: Facts::new(inputs)?,
        sections: sections.into_iter().flatten().collect(),
    })
}

/// The puzzles by their number of clues, without gaps.
fn clues(summary: &Summary) -> Vec<(String, u64)> {
    let (Some((&first, _)), Some((&last, _))) = (summary.clues.first_key_value(), summary.clues.last_key_value())
    else {
        return vec![];
    };
    (first..=last).map(|clues| (clues.to_string(), summary.clues.get(&clues).copied().unwrap_or(0))).collect()
}

fn percentiles(summary: &Summary) -> Section {
    let row = |id: &str, values: &Percentiles, show: &dyn Fn(u64) -> String| {
        let values = [values.p50, values.p90, values.p99, values.p999, values.max].map(show);
        TableRow::new(format!("percentiles-{id}"), [id.to_owned()].into_iter().chain(values).collect())
    };
    let rows = vec![
        row("time", &summary.nanos, &|nanos| Seconds(nanos as f64 / 1e9).to_string()),
        row("guesses", &summary.branches, &|branches| HumanCount(branches).to_string()),
    ];
    let header = vec!["of a puzzle", "p50", "p90", "p99", "p99.9", "max"];
    let note = "with the lanes engine, the time of a puzzle is its share of the time of a batch";
    Section::new("percentiles", "Percentiles", note, Content::Table { header, rows })
}
