//! Draws the rows as an SVG bar chart: puzzles per second on a logarithmic scale, a group of bars for each file.
//!
//! The colours are in an embedded style sheet, with a second set for dark mode.

use std::fmt::Write;

use super::row::{BenchRow, shortened, three_digits};
use crate::ui::summary::Counted;

/// Lengths are in pixels of an unscaled chart.
const WIDTH: f64 = 860.0;
const MARGIN: f64 = 24.0;
const HEADING: f64 = 40.0;
const BAR: f64 = 18.0;
const GAP: f64 = 6.0;
const BETWEEN_FILES: f64 = 34.0;
/// Space for the figures after the longest bar.
const FIGURES: f64 = 130.0;
/// The approximate width of a letter.
const LETTER: f64 = 7.2;

/// The number of colours; they repeat if there are more solvers.
const COLOURS: usize = 6;

const STYLE: &str = "\
svg { font: 13px system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif }
.page { fill: #ffffff } .line { stroke: #e3e5e8 } text { fill: #1f2328 } .faint { fill: #646b73 }
.title { font-weight: 600; font-size: 15px } .file { font-weight: 600 }
.c0 { fill: #2a78d6 } .c1 { fill: #1baf7a } .c2 { fill: #eda100 }
.c3 { fill: #4a3aa7 } .c4 { fill: #e34948 } .c5 { fill: #6f7782 }
@media (prefers-color-scheme: dark) {
.page { fill: #15181c } .line { stroke: #30353c } text { fill: #e6e9ed } .faint { fill: #9aa3ad }
.c0 { fill: #3987e5 } .c1 { fill: #199e70 } .c2 { fill: #c98500 }
.c3 { fill: #9085e9 } .c4 { fill: #e66767 } .c5 { fill: #87909b }
}
";

/// The chart.
pub(super) fn svg(rows: &[BenchRow]) -> String {
    let files: Vec<&[BenchRow]> = rows.chunk_by(|one, two| one.file == two.file).collect();
    let axis = Axis::new(rows);
    let bars = rows.len() as f64 * (BAR + GAP);
    let bottom = MARGIN + HEADING + files.len() as f64 * BETWEEN_FILES + bars;
    let height = bottom + 2.0 * MARGIN;

    let mut svg = String::new();
    let mut put = |text: std::fmt::Arguments<'_>| writeln!(svg, "{text}").expect("a string takes any text");
    put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\" aria-label=\"Puzzles a second of several solvers\">\n<style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\" rx=\"6\"/>"
    ));
    put(format_args!(
        "<text class=\"title\" x=\"{MARGIN}\" y=\"{:.1}\">Puzzles a second <tspan class=\"faint\" \
         font-weight=\"400\">(logarithmic), and the ratio to the first solver</tspan></text>",
        MARGIN + 12.0
    ));
    let top = MARGIN + HEADING - 8.0;
    for (rate, label) in axis.ticks() {
        let x = axis.x(rate);
        put(format_args!("<path class=\"line\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/>"));
        put(format_args!(
            "<text class=\"faint\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>",
            bottom + 20.0
        ));
    }
    let mut y = MARGIN + HEADING;
    for file in files {
        put(format_args!(
            "<text class=\"file\" x=\"{MARGIN}\" y=\"{:.1}\">{} <tspan class=\"faint\" font-weight=\"400\">{}</tspan></text>",
            y + 16.0,
            escape(&file[0].file),
            Counted(file[0].puzzles as u64, "puzzle")
        ));
        y += BETWEEN_FILES - GAP;
        for (index, row) in file.iter().enumerate() {
            put(format_args!("{}", bar(row, index % COLOURS, y, &axis)));
            y += BAR + GAP;
        }
        y += GAP;
    }
    svg + "</svg>\n"
}

/// A bar with the solver before it and the figures after it.
fn bar(row: &BenchRow, colour: usize, y: f64, axis: &Axis) -> String {
    let (start, end, base) = (axis.start, axis.x(row.puzzles_per_second), y + 13.5);
    format!(
        "<text text-anchor=\"end\" x=\"{:.1}\" y=\"{base:.1}\">{}</text>\n\
         <rect class=\"c{colour}\" x=\"{start:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" rx=\"2\"/>\n\
         <text x=\"{:.1}\" y=\"{base:.1}\">{}<tspan class=\"faint\" dx=\"10\">\u{d7} {}</tspan></text>",
        start - 8.0,
        escape(&shortened(&row.label)),
        end - start,
        end + 7.0,
        short(row.puzzles_per_second),
        three_digits(row.ratio)
    )
}

/// The horizontal axis: maps a rate to a position between the start of the bars and the space for figures.
struct Axis {
    start: f64,
    end: f64,
    /// The exponents of the powers of ten at both ends.
    low: i32,
    high: i32,
}

impl Axis {
    /// From a power of ten below the lowest rate, so that every bar has a length, to the one above the highest rate.
    fn new(rows: &[BenchRow]) -> Axis {
        let rates = || rows.iter().map(|row| row.puzzles_per_second);
        let (least, most) = (rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max));
        let letters = rows.iter().map(|row| shortened(&row.label).chars().count()).max().unwrap_or(0);
        let low = (least / 2.0).log10().floor() as i32;
        Axis {
            start: MARGIN + 8.0 + LETTER * letters as f64,
            end: WIDTH - MARGIN - FIGURES,
            low,
            high: (most.log10().ceil() as i32).max(low + 1),
        }
    }

    fn x(&self, rate: f64) -> f64 {
        let share = (rate.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        self.start + share * (self.end - self.start)
    }

    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        (self.low..=self.high).map(|power| 10_f64.powi(power)).map(|rate| (rate, short(rate)))
    }
}

/// A rate in a few characters: `236 k`.
fn short(rate: f64) -> String {
    let (value, unit) = match rate {
        rate if rate < 1e3 => (rate, ""),
        rate if rate < 1e6 => (rate / 1e3, " k"),
        rate => (rate / 1e6, " M"),
    };
    if value.fract() == 0.0 { format!("{value}{unit}") } else { three_digits(value) + unit }
}

/// Escapes text for XML.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            // XML cannot represent control characters.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
