//! The rows as a table for people: aligned in a terminal, or in Markdown.

use std::iter;

use super::row::{BenchRow, shortened};
use crate::ui::summary::Seconds;

/// The titles, and whether the column holds text rather than numbers.
const COLUMNS: [(&str, Kind); 13] = [
    ("file", Kind::Text),
    ("solver", Kind::Text),
    ("threads", Kind::Number),
    ("clock", Kind::Text),
    ("puzzles/s", Kind::Number),
    ("spread", Kind::Number),
    ("ratio", Kind::Number),
    ("branches", Kind::Number),
    ("no branch", Kind::Number),
    ("p50", Kind::Number),
    ("p99", Kind::Number),
    ("p99.9", Kind::Number),
    ("max", Kind::Number),
];

/// How a column is aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// To the left.
    Text,
    /// To the right.
    Number,
}

type Cells = [String; COLUMNS.len()];

/// What stands in the table where there is nothing to tell.
const NOTHING: &str = "-";

fn cells(row: &BenchRow) -> Cells {
    let or_nothing = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_owned());
    let time = |nanos: Option<u64>| or_nothing(nanos.map(|nanos| Seconds(nanos as f64 / 1e9).to_string()));
    [
        row.file.clone(),
        row.solver.clone(),
        or_nothing(row.threads.map(|threads| threads.to_string())),
        row.clock.to_owned(),
        row.rate_text(),
        format!("± {:.1} %", row.spread_percent()),
        row.ratio_text(),
        or_nothing(row.branches_per_puzzle.map(|branches| format!("{branches:.2}"))),
        or_nothing(row.without_branch.map(|share| format!("{:.1} %", share * 100.0))),
        time(row.p50_nanos),
        time(row.p99_nanos),
        time(row.p999_nanos),
        time(row.max_nanos),
    ]
}

/// The table with aligned columns.
pub(super) fn aligned(rows: &[BenchRow]) -> String {
    let titles = COLUMNS.map(|(title, _)| title.to_owned());
    let short = |row: &BenchRow| BenchRow { solver: shortened(&row.solver), ..row.clone() };
    let lines: Vec<Cells> = iter::once(titles).chain(rows.iter().map(short).map(|row| cells(&row))).collect();
    let width = |column: usize| lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    let mut table = String::new();
    for cells in &lines {
        let aligned = cells.iter().zip(&widths).zip(COLUMNS).map(|((cell, &width), (_, kind))| match kind {
            Kind::Text => format!("{cell:width$}"),
            Kind::Number => format!("{cell:>width$}"),
        });
        table += aligned.collect::<Vec<_>>().join("  ").trim_end();
        table.push('\n');
    }
    table
}

/// The table in Markdown.
pub(super) fn markdown(rows: &[BenchRow]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let escaped = |cell: String| cell.replace('|', "\\|").replace('\n', " ");
    let rules = COLUMNS.map(|(_, kind)| if kind == Kind::Text { "---" } else { "---:" }.to_owned());
    let mut table = line(&COLUMNS.map(|(title, _)| title.to_owned())) + &line(&rules);
    table.extend(rows.iter().map(|row| line(&cells(row).map(escaped))));
    table
}
