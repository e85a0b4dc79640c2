//! The results for people: in words, as a table, aligned for a terminal or in Markdown, as a chart, and as a page.

use std::fmt::Write;
use std::iter;
use std::ops::Range;

use console::{Alignment, measure_text_width, pad_str};
use indicatif::HumanCount;

use crate::cli::bench::{BenchResult, BenchRow};
use crate::cli::report::chart::{self, RateBar, RateGroup};
use crate::cli::report::facts::Machine;
use crate::cli::report::{Content, Figure, Page, Section, TableRow};
use crate::cli::ui::printable::in_one_line;
use crate::cli::ui::screen;
use crate::cli::ui::summary::{Counted, Seconds};

/// A column of the table.
struct BenchColumn {
    title: &'static str,
    side: Alignment,
    cell: fn(&BenchRow) -> String,
}

const fn left(title: &'static str, cell: fn(&BenchRow) -> String) -> BenchColumn {
    BenchColumn { title, side: Alignment::Left, cell }
}

const fn right(title: &'static str, cell: fn(&BenchRow) -> String) -> BenchColumn {
    BenchColumn { title, side: Alignment::Right, cell }
}

const COLUMNS: [BenchColumn; 15] = [
    left("file", |row| in_one_line(&row.file)),
    left("solver", |row| in_one_line(&row.solver)),
    right("threads", |row| or_dash(row.threads)),
    left("clock", |row| row.clock.clone()),
    right("puzzles", puzzles_text),
    right("puzzles/s", rate_text),
    right("interval", |row| or_dash(interval_percent(row).map(|percent| format!("± {percent:.1} %")))),
    right("ratio", ratio_text),
    right("branches", |row| or_dash(row.branches_per_puzzle.map(|branches| format!("{branches:.2}")))),
    right("no branch", |row| or_dash(row.without_branch.map(|share| format!("{:.1} %", share * 100.0)))),
    right("p50", |row| time_text(row.p50_nanos)),
    right("p99", |row| time_text(row.p99_nanos)),
    right("p99.9", |row| time_text(row.p999_nanos)),
    right("max", |row| time_text(row.max_nanos)),
    right("start", |row| or_dash(row.start_seconds.map(Seconds))),
];

/// The text of a speed on too few puzzles.
const UNKNOWN: &str = "unknown";

/// The text of a value, or of a cell without a value.
fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

fn time_text(nanos: Option<u64>) -> String {
    or_dash(nanos.map(|nanos| Seconds(nanos as f64 / 1e9)))
}

/// The columns of a table: the last one only if a program has a time to start.
fn columns(results: &[BenchResult]) -> Range<usize> {
    let is_started = results.iter().any(|result| result.row.start_seconds.is_some());
    0..COLUMNS.len() - usize::from(!is_started)
}

/// The columns of two narrower tables for a page: one of rates, and one of single puzzles and the start. Both include the names.
fn halves(results: &[BenchResult]) -> [Vec<usize>; 2] {
    [(0..MIDDLE).collect(), (0..NAMES).chain(MIDDLE..columns(results).end).collect()]
}

/// The cells of a row.
fn cells(result: &BenchResult) -> Vec<String> {
    COLUMNS.iter().map(|column| (column.cell)(&result.row)).collect()
}

/// The number of columns that name a row.
const NAMES: usize = 2;

/// The column before which the table of a page is divided.
const MIDDLE: usize = 8;

/// The maximum length of a name, in characters.
const LONG_NAME: usize = 34;

/// The maximum length of a name if the table is divided.
const SHORT_NAME: usize = 14;

/// The table with aligned columns, two spaces apart. If it is wider than a terminal, its columns are divided among several
/// tables, each with the names.
pub(super) fn aligned(results: &[BenchResult], width: Option<usize>) -> String {
    let all = columns(results).collect::<Vec<_>>();
    let mut rows: Vec<Vec<String>> = results.iter().map(cells).collect();
    for row in &mut rows {
        row[1] = screen::cut(&row[1], LONG_NAME);
    }
    let table = part(&rows, &all);
    let is_wider = |table: &str, width| table.lines().any(|line| line.chars().count() > width);
    let Some(width) = width.filter(|&width| is_wider(&table, width)) else { return table };

    let short = |mut row: Vec<String>| {
        let [file, solver] = [0, 1].map(|name: usize| std::mem::take(&mut row[name]));
        // The end of a path matters more than its start.
        row[0] = screen::cut(&file.chars().rev().collect::<String>(), SHORT_NAME).chars().rev().collect();
        row[1] = screen::cut(&solver, SHORT_NAME);
        row
    };
    let rows: Vec<Vec<String>> = rows.into_iter().map(short).collect();

    let names = || (0..NAMES).collect::<Vec<_>>();
    let mut parts = vec![names()];
    for &column in &all[NAMES..] {
        let last = parts.last_mut().expect("there is a first part");
        last.push(column);
        if last.len() > NAMES + 1 && is_wider(&part(&rows, last), width) {
            last.pop();
            parts.push([names(), vec![column]].concat());
        }
    }
    parts.iter().map(|columns| part(&rows, columns)).collect::<Vec<_>>().join("\n")
}

/// The table with some of the columns.
fn part(rows: &[Vec<String>], columns: &[usize]) -> String {
    let titles: Vec<String> = COLUMNS.iter().map(|column| column.title.to_owned()).collect();
    let lines: Vec<&Vec<String>> = iter::once(&titles).chain(rows).collect();
    let width = |column: usize| lines.iter().map(|line| measure_text_width(&line[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    let mut table = String::new();
    for line in lines {
        let padded = |&column: &usize| pad_str(&line[column], widths[column], COLUMNS[column].side, None);
        table += columns.iter().map(padded).collect::<Vec<_>>().join("  ").trim_end();
        table.push('\n');
    }
    table
}

/// The slowest puzzles of each solver, below the table; on a terminal, a puzzle that is too long for its line is cut.
pub(super) fn slowest(results: &[BenchResult], width: Option<usize>) -> String {
    let mut text = String::new();
    for BenchResult { row, slowest, .. } in results.iter().filter(|result| !result.slowest.is_empty()) {
        let (solver, file) = (in_one_line(row.label()), in_one_line(&row.file));
        writeln!(text, "\nslowest puzzles of {} on {file}", screen::cut(&solver, LONG_NAME))
            .expect("a string takes any text");
        for slow in slowest {
            let start = format!("{:>9}  line {:<7}  ", Seconds(slow.nanos as f64 / 1e9).to_string(), slow.line);
            let left = width.map_or(usize::MAX, |width| width.saturating_sub(start.chars().count()));
            writeln!(text, "{start}{}", screen::cut(&slow.puzzle, left)).expect("a string takes any text");
        }
    }
    text
}

/// The table in Markdown.
pub(super) fn markdown(results: &[BenchResult]) -> String {
    let columns = columns(results);
    let line = |cells: &[String]| format!("| {} |\n", cells[columns.clone()].join(" | "));
    let escaped = |cell: String| cell.replace('|', "\\|");
    let rule = |column: &BenchColumn| if matches!(column.side, Alignment::Right) { "---:" } else { "---" }.to_owned();
    let mut table = line(&COLUMNS.each_ref().map(|column| column.title.to_owned()));
    table += &line(&COLUMNS.each_ref().map(rule));
    table.extend(results.iter().map(|result| line(&cells(result).into_iter().map(escaped).collect::<Vec<_>>())));
    table
}

/// The ratio of a row and the larger half of its interval, rounded to the digits that are known: `14.3 ± 0.2`.
fn ratio_text(row: &BenchRow) -> String {
    let Some((ratio, high)) = row.ratio.zip(row.ratio_high) else { return UNKNOWN.into() };
    let uncertainty = high - ratio;
    if uncertainty <= 0.0 {
        return three_digits(ratio);
    }
    // One digit of the uncertainty, but no more than three of the ratio.
    let known = -uncertainty.log10().floor();
    let digits = known.min(2.0 - ratio.log10().floor()).max(0.0);
    let (uncertainty, digits) = (uncertainty.max(10_f64.powf(-digits)), digits as usize);
    format!("{ratio:.digits$} ± {uncertainty:.digits$}")
}

/// A sentence that compares a row with the reference on the same file.
pub(super) fn sentence(row: &BenchRow, reference: &BenchRow) -> String {
    format!("{} is {} times as fast as {} on {}", row.label(), ratio_text(row), reference.label(), row.file)
}

/// The number of puzzles that were timed, for a sample with the number in the file: `1,024 of 49,158`.
fn puzzles_text(row: &BenchRow) -> String {
    let [puzzles, all] = [row.puzzles, row.file_puzzles].map(|count| HumanCount(count as u64).to_string());
    if puzzles == all { puzzles } else { format!("{puzzles} of {all}") }
}

/// Puzzles per second, formatted.
fn rate_text(row: &BenchRow) -> String {
    let Some(rate) = row.puzzles_per_second else { return UNKNOWN.into() };
    if rate < 1000.0 { three_digits(rate) } else { HumanCount(rate.round() as u64).to_string() }
}

/// The larger half of the interval of the speed, in percent of the speed.
fn interval_percent(row: &BenchRow) -> Option<f64> {
    Some((row.high? / row.puzzles_per_second? - 1.0) * 100.0)
}

/// A number with at least three significant digits.
fn three_digits(value: f64) -> String {
    let digits = (2.0 - value.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.digits$}")
}

/// Puzzles a second of each solver, a group of bars for each file.
pub(super) fn chart(results: &[BenchResult]) -> String {
    let bar = |(colour, BenchResult { row, .. }): (usize, &BenchResult)| RateBar {
        label: screen::cut(&in_one_line(row.label()), LONG_NAME),
        text: format!("{}  ({} x; {} puzzles)", rate_text(row), ratio_text(row), puzzles_text(row)),
        // An unknown speed gets a bar without length.
        low: row.low.unwrap_or(1.0),
        rate: row.puzzles_per_second.unwrap_or(1.0),
        high: row.high.unwrap_or(1.0),
        colour,
    };
    let group = |results: &[BenchResult]| {
        let BenchRow { file, file_puzzles, .. } = &results[0].row;
        let (file, puzzles) = (in_one_line(file), Counted(*file_puzzles as u64, "puzzle"));
        RateGroup { title: format!("{file}, {puzzles}"), bars: results.iter().enumerate().map(bar).collect() }
    };
    let groups: Vec<RateGroup> = by_file(results).map(group).collect();
    let clock = results.first().map_or("", |result| &result.row.clock);
    let axis = format!(
        "puzzles per second of {clock} time, on a logarithmic axis from 1; at the end of a bar, the 95 % interval"
    );
    chart::rates(&groups, [&axis, &measured_by()])
}

/// The results on each file.
fn by_file(results: &[BenchResult]) -> impl Iterator<Item = &[BenchResult]> {
    results.chunk_by(|one, two| one.row.file == two.row.file)
}

/// The conditions of the measurement.
pub(super) fn measured_by() -> String {
    format!("gridmill {}; {}", env!("CARGO_PKG_VERSION"), Machine::this())
}

/// The content of the second table.
const TIMES: &str = "guesses, and percentiles of the times; if there is a column start, it is the time of a process that \
                     reads nothing";

/// A table with some of the columns.
fn table(results: &[BenchResult], columns: &[usize], anchor: &str) -> Content {
    let row = |(number, result): (usize, &BenchResult)| {
        let cells = cells(result);
        TableRow::new(format!("{anchor}-{}", number + 1), columns.iter().map(|&column| cells[column].clone()).collect())
    };
    Content::Table {
        header: columns.iter().map(|&column| COLUMNS[column].title).collect(),
        rows: results.iter().enumerate().map(row).collect(),
    }
}

/// The report of a comparison.
pub(super) fn page(results: &[BenchResult]) -> Page {
    let solvers = by_file(results).next().map_or(0, <[_]>::len);
    let [rates, times] = halves(results);
    let mut sections = vec![
        Section::new("rates", "Puzzles a second", "", Content::Chart { svg: chart(results) }),
        Section::new("table", "Table", "", table(results, &rates, "row")),
        Section::new("times", "Single puzzles", TIMES, table(results, &times, "times")),
    ];
    sections.extend(drawn(results));
    let puzzles: usize = by_file(results).map(|results| results[0].row.file_puzzles).sum();
    let (solvers, puzzles) = (Counted(solvers as u64, "solver"), HumanCount(puzzles as u64));
    Page {
        title: "Speed of solvers".into(),
        lead: format!("{solvers} on {puzzles} puzzles; all answers were checked"),
        sections,
    }
}

/// The slowest puzzles of each solver, drawn.
fn drawn(results: &[BenchResult]) -> Option<Section> {
    let mut figures = vec![];
    for (number, BenchResult { row, slowest, .. }) in (1..).zip(results) {
        for (place, slow) in (1..).zip(slowest) {
            let branches = slow.branches.map(|branches| format!(", {}", Counted(branches, "guess")));
            let words = format!("{}{}", Seconds(slow.nanos as f64 / 1e9), branches.unwrap_or_default());
            let figure = Figure::new(format!("slowest-{number}-{place}"), &row.file, slow.line, &slow.puzzle, &words);
            figures.push(figure.titled(&in_one_line(row.label())));
        }
    }
    let note = "the puzzles that took each solver longest";
    (!figures.is_empty()).then(|| Section::new("slowest", "Slowest puzzles", note, Content::Puzzles { figures }))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A result with this ratio.
    pub(in crate::cli::commands::bench) fn result(ratio: f64, uncertainty: f64) -> BenchResult {
        BenchResult { row: row(ratio, uncertainty), seconds: vec![], slowest: vec![] }
    }

    /// Results with these rows.
    fn results<const N: usize>(rows: [BenchRow; N]) -> [BenchResult; N] {
        rows.map(|row| BenchResult { row, ..result(1.0, 0.0) })
    }

    fn row(ratio: f64, uncertainty: f64) -> BenchRow {
        BenchRow {
            file: "17_clue.txt".into(),
            puzzles: 100,
            file_puzzles: 100,
            solver: "lanes".into(),
            threads: Some(1),
            clock: "CPU".into(),
            puzzles_per_second: Some(1.0),
            low: Some(1.0),
            high: Some(1.0),
            ratio: Some(ratio),
            ratio_low: Some(ratio - uncertainty),
            ratio_high: Some(ratio + uncertainty),
            ..BenchRow::default()
        }
    }

    #[test]
    fn ratios_are_rounded_to_the_digits_that_are_known() {
        for (ratio, uncertainty, text) in [
            (14.3456, 0.2, "14.3 ± 0.2"),
            (14.3456, 0.0001, "14.3 ± 0.1"),
            (0.153_87, 0.000_02, "0.154 ± 0.001"),
            (0.153_87, 0.04, "0.15 ± 0.04"),
            (250.4, 30.0, "250 ± 30"),
            (1.0, 0.0, "1.00"),
        ] {
            assert_eq!(ratio_text(&row(ratio, uncertainty)), text);
        }
        let sentence = sentence(&row(14.3, 0.2), &BenchRow { solver: "bitmask".into(), ..row(1.0, 0.0) });
        assert_eq!(sentence, "lanes is 14.3 ± 0.2 times as fast as bitmask on 17_clue.txt");
    }

    #[test]
    fn a_speed_that_is_not_known_has_no_number() {
        let unknown =
            BenchRow { puzzles_per_second: None, ratio: None, puzzles: 16, file_puzzles: 49_158, ..row(1.0, 0.0) };
        let table = aligned(&results([unknown]), None);
        let cells: Vec<&str> =
            table.lines().nth(1).unwrap().split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(cells[4..8], ["16 of 49,158", "unknown", "-", "unknown"]);
    }

    #[test]
    fn the_table_fits_a_terminal() {
        let rows = results([row(14.3, 0.2), BenchRow { file: "a/long/path/to/17_clue.txt".into(), ..row(1.0, 0.0) }]);
        let table = aligned(&rows, None);
        assert_eq!(aligned(&rows, Some(200)), table);
        let narrow = aligned(&rows, Some(80));
        assert!(narrow.lines().all(|line| line.chars().count() <= 80), "{narrow}");
        let titles = narrow.replace(char::is_whitespace, " ");
        assert!(
            titles.contains(" ratio ") && titles.contains(" p99.9 ") && narrow.contains("…o/17_clue.txt"),
            "{narrow}"
        );
    }

    #[test]
    fn the_start_of_programs_has_a_column_if_there_are_programs() {
        let program = BenchRow { start_seconds: Some(0.0123), threads: None, ..row(2.0, 0.0) };
        let rows = results([row(1.0, 0.0), program]);
        let ends = |rows: &[BenchResult]| -> Vec<String> {
            let last = |line: &str| line.split("  ").last().unwrap_or_default().trim().to_owned();
            aligned(rows, None).lines().map(last).collect()
        };
        assert_eq!(ends(&rows[..1]), ["max", "-"]);
        assert_eq!(ends(&rows), ["start", "-", "12.3 ms"]);
        assert!(aligned(&rows, Some(80)).contains("12.3 ms"));
        assert!(markdown(&rows).lines().all(|line| line.matches(" | ").count() == 14), "{}", markdown(&rows));
    }
}
