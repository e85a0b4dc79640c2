//! Formats the rows as a table for people: aligned for a terminal, or in Markdown.

use comfy_table::{CellAlignment, Table, presets};

use super::row::{BenchRow, shortened};
use crate::ui::printable::in_one_line;
use crate::ui::summary::Seconds;

/// The titles of the columns and the alignment of their cells.
const COLUMNS: [(&str, CellAlignment); 13] = [
    ("file", CellAlignment::Left),
    ("solver", CellAlignment::Left),
    ("threads", CellAlignment::Right),
    ("clock", CellAlignment::Left),
    ("puzzles/s", CellAlignment::Right),
    ("spread", CellAlignment::Right),
    ("ratio", CellAlignment::Right),
    ("branches", CellAlignment::Right),
    ("no branch", CellAlignment::Right),
    ("p50", CellAlignment::Right),
    ("p99", CellAlignment::Right),
    ("p99.9", CellAlignment::Right),
    ("max", CellAlignment::Right),
];

type Cells = [String; COLUMNS.len()];

/// The text of a cell without a value.
const NO_VALUE: &str = "-";

fn cells(row: &BenchRow) -> Cells {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| NO_VALUE.to_owned());
    let time = |nanos: Option<u64>| or_dash(nanos.map(|nanos| Seconds(nanos as f64 / 1e9).to_string()));
    [
        in_one_line(&row.file),
        in_one_line(&row.solver),
        or_dash(row.threads.map(|threads| threads.to_string())),
        row.clock.to_owned(),
        row.rate_text(),
        format!("± {:.1} %", row.spread_percent()),
        row.ratio_text(),
        or_dash(row.branches_per_puzzle.map(|branches| format!("{branches:.2}"))),
        or_dash(row.without_branch.map(|share| format!("{:.1} %", share * 100.0))),
        time(row.p50_nanos),
        time(row.p99_nanos),
        time(row.p999_nanos),
        time(row.max_nanos),
    ]
}

/// The table with aligned columns, two spaces apart.
pub(super) fn aligned(rows: &[BenchRow]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(COLUMNS.map(|(title, _)| title));
    table.add_rows(rows.iter().map(|row| cells(&BenchRow { solver: shortened(&row.solver), ..row.clone() })));
    for (column, (_, alignment)) in table.column_iter_mut().zip(COLUMNS) {
        column.set_padding((0, 2)).set_cell_alignment(alignment);
    }
    table.trim_fmt() + "\n"
}

/// The table in Markdown.
pub(super) fn markdown(rows: &[BenchRow]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let escaped = |cell: String| cell.replace('|', "\\|");
    let rules = COLUMNS.map(|(_, alignment)| if alignment == CellAlignment::Right { "---:" } else { "---" }.to_owned());
    let mut table = line(&COLUMNS.map(|(title, _)| title.to_owned())) + &line(&rules);
    table.extend(rows.iter().map(|row| line(&cells(row).map(escaped))));
    table
}
