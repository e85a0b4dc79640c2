//! The report of `gridmill solve`.

use gridmill::rows::Status;
use gridmill::stats::{Percentiles, RunFacts, Summary};
use indicatif::HumanCount;
use strum::VariantArray;

use super::{Colour, Content, Figure, Page, Section, TableRow};
use crate::cli::ui::summary::{Counted, Headline, ResumedNote, Seconds};

/// The page for the summary of a run.
pub(crate) fn page(summary: &Summary, run: &RunFacts) -> Page {
    let sections = [
        Some(records(summary)),
        Section::clues(&summary.clues),
        times(summary, "puzzles by the time for solving them, up to the label"),
        guesses(summary),
        slowest(summary, run),
        percentiles(summary, "with the lanes engine, the time of a puzzle is its share of the time of a batch"),
    ];
    Page {
        title: "Solved puzzles".into(),
        lead: lead(summary, run),
        sections: sections.into_iter().flatten().collect(),
    }
}

/// The sentence with the result.
pub(super) fn lead(summary: &Summary, run: &RunFacts) -> String {
    let headline = Headline(summary.records, run);
    match &run.resumed {
        Some(resumed) => format!("{headline}; {}", ResumedNote(resumed)),
        None => headline.to_string(),
    }
}

/// The records by status.
pub(super) fn records(summary: &Summary) -> Section {
    let colour = |status| match status {
        Status::Unique => Colour::Good,
        Status::Multiple | Status::Undecided => Colour::Notice,
        _ => Colour::Bad,
    };
    let count = |&status: &Status| (status.into(), summary.rows[status], colour(status));
    let counts: Vec<_> = Status::VARIANTS.iter().map(count).collect();
    Section::shares("records", "Records", &counts)
}

/// The puzzles by time; `note` explains the time.
pub(super) fn times(summary: &Summary, note: &str) -> Option<Section> {
    let bars = summary.nanos_histogram.iter().map(|bucket| (seconds(bucket.up_to), bucket.puzzles));
    Section::histogram("time", "Time", note, &bars.collect::<Vec<_>>())
}

/// The puzzles by the guesses of the search.
pub(super) fn guesses(summary: &Summary) -> Option<Section> {
    let bars = summary.branches_histogram.iter().map(|bucket| (bucket.up_to.to_string(), bucket.puzzles));
    let note = "puzzles by the guesses of the search, up to the label";
    Section::histogram("guesses", "Guesses", note, &bars.collect::<Vec<_>>())
}

/// The slowest puzzles, drawn.
pub(super) fn slowest(summary: &Summary, run: &RunFacts) -> Option<Section> {
    let figures = (1..).zip(&summary.slowest).map(|(number, slow)| {
        let branches = slow.branches.map(|branches| format!(", {}", Counted(branches, "guess")));
        let words = format!("{}{}", seconds(slow.nanos), branches.unwrap_or_default());
        Figure::new(format!("slowest-{number}"), &slow.source.file, slow.source.line, &slow.source.puzzle, &words)
    });
    let note = match run.resumed {
        Some(_) => "of the puzzles since the run was resumed: rows of earlier ones may have no times",
        None => "",
    };
    let content = Content::Puzzles { figures: figures.collect() };
    (!summary.slowest.is_empty()).then(|| Section::new("slowest", "Slowest puzzles", note, content))
}

fn seconds(nanos: u64) -> String {
    Seconds(nanos as f64 / 1e9).to_string()
}

/// The percentiles of times and guesses; `note` explains the times.
pub(super) fn percentiles(summary: &Summary, note: &str) -> Option<Section> {
    let row = |id: &str, values: Percentiles, show: &dyn Fn(u64) -> String| {
        let values = [values.p50, values.p90, values.p99, values.p999, values.max].map(show);
        TableRow::new(format!("percentiles-{id}"), [id.to_owned()].into_iter().chain(values).collect())
    };
    let guesses = |guesses| row("guesses", guesses, &|guesses| HumanCount(guesses).to_string());
    let times = summary.nanos.map(|nanos| row("time", nanos, &seconds));
    let rows = times.into_iter().chain(summary.branches.map(guesses)).collect();
    let header = vec!["of a puzzle", "p50", "p90", "p99", "p99.9", "max"];
    let content = Content::Table { header, rows };
    (!summary.nanos_histogram.is_empty()).then(|| Section::new("percentiles", "Percentiles", note, content))
}
