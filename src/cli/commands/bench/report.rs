//! The rows as a chart, and as an HTML report.

use crate::cli::bench::BenchRow;
use indicatif::HumanCount;

use super::table::{self, LONG_NAME, puzzles_text, rate_text, ratio_text};
use crate::cli::report::chart::{self, RateBar, RateGroup};
use crate::cli::report::facts::Machine;
use crate::cli::report::{Content, Figure, Page, Section, TableRow};
use crate::cli::ui::printable::in_one_line;
use crate::cli::ui::screen;
use crate::cli::ui::summary::{Counted, Seconds};

/// The chart as a separate file.
pub(super) fn svg(rows: &[BenchRow]) -> String {
    chart::alone(&chart(rows))
}

/// Puzzles a second of each solver, a group of bars for each file.
fn chart(rows: &[BenchRow]) -> String {
    let files: Vec<&[BenchRow]> = rows.chunk_by(|one, two| one.file == two.file).collect();
    let bar = |(colour, row): (usize, &BenchRow)| RateBar {
        label: screen::cut(&in_one_line(row.label()), LONG_NAME),
        text: format!("{}  ({} x; {} puzzles)", rate_text(row), ratio_text(row), puzzles_text(row)),
        // An unknown speed gets a bar without length.
        low: row.low.unwrap_or(1.0),
        rate: row.puzzles_per_second.unwrap_or(1.0),
        high: row.high.unwrap_or(1.0),
        colour,
    };
    let group = |rows: &&[BenchRow]| {
        let (file, puzzles) = (in_one_line(&rows[0].file), Counted(rows[0].file_puzzles as u64, "puzzle"));
        RateGroup { title: format!("{file}, {puzzles}"), bars: rows.iter().enumerate().map(bar).collect() }
    };
    let groups: Vec<RateGroup> = files.iter().map(group).collect();
    let clock = rows.first().map_or("", |row| &row.clock);
    let axis = format!(
        "puzzles per second of {clock} time, on a logarithmic axis from 1; at the end of a bar, the 95 % interval"
    );
    chart::rates(&groups, [&axis, &measured_by()])
}

/// The conditions of the measurement.
pub(super) fn measured_by() -> String {
    format!("gridmill {}; {}", env!("CARGO_PKG_VERSION"), Machine::this())
}

/// The content of the second table.
const TIMES: &str = "guesses, and percentiles of the times; if there is a column start, it is the time of a process that \
                     reads nothing";

/// A table with some of the columns.
fn table(rows: &[BenchRow], columns: &[usize], anchor: &str) -> Content {
    let row = |(number, row): (usize, &BenchRow)| {
        let cells = table::cells(row);
        TableRow::new(format!("{anchor}-{}", number + 1), columns.iter().map(|&column| cells[column].clone()).collect())
    };
    Content::Table {
        header: columns.iter().map(|&column| table::title(column)).collect(),
        rows: rows.iter().enumerate().map(row).collect(),
    }
}

/// The report of a comparison.
pub(super) fn page(rows: &[BenchRow]) -> Page {
    let solvers = rows.chunk_by(|one, two| one.file == two.file).next().map_or(0, <[_]>::len);
    let [rates, times] = table::halves(rows);
    let mut sections = vec![
        Section::new("rates", "Puzzles a second", "", Content::Chart { svg: chart(rows) }),
        Section::new("table", "Table", "", table(rows, &rates, "row")),
        Section::new("times", "Single puzzles", TIMES, table(rows, &times, "times")),
    ];
    sections.extend(slowest(rows));
    let puzzles: usize = rows.chunk_by(|one, two| one.file == two.file).map(|rows| rows[0].file_puzzles).sum();
    let (solvers, puzzles) = (Counted(solvers as u64, "solver"), HumanCount(puzzles as u64));
    Page {
        title: "Speed of solvers".into(),
        lead: format!("{solvers} on {puzzles} puzzles; all answers were checked"),
        sections,
    }
}

/// The slowest puzzles of each solver, drawn.
fn slowest(rows: &[BenchRow]) -> Option<Section> {
    let mut figures = vec![];
    for (number, row) in (1..).zip(rows) {
        for (place, slow) in (1..).zip(&row.slowest) {
            let branches = slow.branches.map(|branches| format!(", {}", Counted(branches, "guess")));
            let words = format!("{}{}", Seconds(slow.nanos as f64 / 1e9), branches.unwrap_or_default());
            let figure = Figure::new(format!("slowest-{number}-{place}"), &row.file, slow.line, &slow.puzzle, &words);
            figures.push(figure.titled(&in_one_line(row.label())));
        }
    }
    let note = "the puzzles that took each solver longest";
    (!figures.is_empty()).then(|| Section::new("slowest", "Slowest puzzles", note, Content::Puzzles { figures }))
}
