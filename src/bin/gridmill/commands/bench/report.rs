//! The rows as a chart, and as a report to look at.

use std::fmt::Display;

use gridmill::corpus::Origin;
use indicatif::HumanCount;

use super::row::{BenchRow, shortened};
use super::table;
use crate::report::chart::{self, RateBar, RateGroup};
use crate::report::facts::Facts;
use crate::report::machine::Machine;
use crate::report::{Content, Page, Section, TableRow};
use crate::ui::printable::in_one_line;
use crate::ui::summary::Counted;

/// The chart as a file of its own.
pub(super) fn svg(rows: &[BenchRow]) -> String {
    chart::alone(&chart(rows))
}

/// Puzzles a second of each solver, a group of bars for each file.
fn chart(rows: &[BenchRow]) -> String {
    let files: Vec<&[BenchRow]> = rows.chunk_by(|one, two| one.file == two.file).collect();
    let bar = |(colour, row): (usize, &BenchRow)| RateBar {
        label: shortened(&in_one_line(&row.label)),
        text: format!("{}  ({} x)", row.rate_text(), row.ratio_text()),
        low: row.low,
        rate: row.puzzles_per_second,
        high: row.high,
        colour,
    };
    let group = |rows: &&[BenchRow]| {
        let (file, puzzles) = (in_one_line(&rows[0].file), Counted(rows[0].puzzles as u64, "puzzle"));
        RateGroup { title: format!("{file}, {puzzles}"), bars: rows.iter().enumerate().map(bar).collect() }
    };
    let groups: Vec<RateGroup> = files.iter().map(group).collect();
    let Machine { host, cpu, cpus, .. } = Machine::this();
    chart::rates(&groups, &format!("gridmill {}; {cpu}, {cpus} threads; {host}", env!("CARGO_PKG_VERSION")))
}

/// The report of a comparison.
pub(super) fn page(rows: &[BenchRow], inputs: &[Origin], note: impl Display) -> anyhow::Result<Page> {
    let solvers = rows.chunk_by(|one, two| one.file == two.file).next().map_or(0, <[_]>::len);
    let row =
        |(number, row): (usize, &BenchRow)| TableRow::new(format!("row-{}", number + 1), table::cells(row).into());
    let rows_of_table = rows.iter().enumerate().map(row).collect();
    let sections = vec![
        Section::new("rates", "Puzzles a second", "", Content::Chart { svg: chart(rows) }),
        Section::new(
            "table",
            "Table",
            note.to_string(),
            Content::Table { header: table::TITLES.to_vec(), rows: rows_of_table },
        ),
    ];
    let puzzles: usize = rows.chunk_by(|one, two| one.file == two.file).map(|rows| rows[0].puzzles).sum();
    let (solvers, puzzles) = (Counted(solvers as u64, "solver"), HumanCount(puzzles as u64));
    Ok(Page {
        title: "Speed of solvers".into(),
        lead: format!("{solvers} on {puzzles} puzzles; all answers were checked"),
        facts: Facts::new(inputs)?,
        sections,
    })
}
