//! The slowest puzzles of each solver: below the table, and in a report.

use std::fmt::Write;

use gridmill::jobs::bench::BenchRow;

use super::row::shortened;
use crate::report::{Content, Figure, Section};
use crate::ui::printable::in_one_line;
use crate::ui::screen;
use crate::ui::summary::{Counted, Seconds};

/// Lines below the table; on a terminal, a puzzle that is too long for its line is cut.
pub(super) fn text(rows: &[BenchRow], width: Option<usize>) -> String {
    let mut text = String::new();
    for row in rows.iter().filter(|row| !row.slowest.is_empty()) {
        let (solver, file) = (in_one_line(&row.label), in_one_line(&row.file));
        writeln!(text, "\nslowest puzzles of {} on {file}", shortened(&solver)).expect("a string takes any text");
        for slow in &row.slowest {
            let start = format!("{:>9}  line {:<7}  ", Seconds(slow.nanos as f64 / 1e9).to_string(), slow.line);
            let left = width.map_or(usize::MAX, |width| width.saturating_sub(start.chars().count()));
            writeln!(text, "{start}{}", screen::cut(&slow.puzzle, left)).expect("a string takes any text");
        }
    }
    text
}

/// The puzzles, drawn.
pub(super) fn section(rows: &[BenchRow]) -> Option<Section> {
    let mut figures = vec![];
    for (number, row) in (1..).zip(rows) {
        for (place, slow) in (1..).zip(&row.slowest) {
            let branches = slow.branches.map(|branches| format!(", {}", Counted(branches, "guess")));
            let words = format!("{}{}", Seconds(slow.nanos as f64 / 1e9), branches.unwrap_or_default());
            let figure = Figure::new(format!("slowest-{number}-{place}"), &row.file, slow.line, &slow.puzzle, &words);
            figures.push(figure.titled(&in_one_line(&row.label)));
        }
    }
    let note = "the puzzles that took each solver longest";
    (!figures.is_empty()).then(|| Section::new("slowest", "Slowest puzzles", note, Content::Puzzles { figures }))
}
